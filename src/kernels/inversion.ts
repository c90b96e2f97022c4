/** The token stream → postings: the stream is measured; then the tokens of each partition are sorted by term, and written. */

export { endMeasure, maxPosition, measure } from './measuring.js';
export { blocks, denseTerms, positionAt, postingAt, writeTerms } from './posting-writer.js';
export { sort } from './sorting.js';
