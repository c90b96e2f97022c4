/** The loops of queries, which work in the memory of an index. */

export { keepWithPhrase } from './phrases.js';
export {
  addDense,
  addPostings,
  blendDense,
  blendPostings,
  countNonZero,
  markRows,
  maxByte,
  scoreOf,
  selectRows,
} from './scoring.js';
