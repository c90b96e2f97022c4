/** The loops of queries, which work in the memory of an index. */

export { keepWithPhrase } from './phrases.js';
export {
  addDense,
  addPostings,
  blendDense,
  blendPostings,
  markRows,
  maxByte,
  scoreOf,
  selectRows,
  writeNonZero,
} from './scoring.js';
