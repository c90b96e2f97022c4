/** The token stream of all records to postings: it is measured, sorted by term, and written, some terms at a time. */

export { endMeasure, maxPosition, measure } from './measuring.js';
export {
  beginTerms,
  blocks,
  positionAt,
  postingAt,
  postings,
  writeBitmap,
  writeDense,
  writeTerm,
  writeTerms,
} from './posting-writer.js';
export { sort } from './sorting.js';
