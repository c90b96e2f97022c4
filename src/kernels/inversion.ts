/** The token stream → postings: the stream is measured; then the tokens of each partition are sorted by term, and written. */

export { endMeasure, maxPosition, measure } from './measuring.js';
export {
  beginTerms,
  blocks,
  positionAt,
  postingAt,
  postings,
  writeDense,
  writeTerm,
  writeTerms,
} from './posting-writer.js';
export { sort } from './sorting.js';
