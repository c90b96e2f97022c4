/** The loops of queries, which work in the memory of an index. */

export { impactOf } from './impact.js';
export { frequencyIn, keepWithPhrase } from './phrases.js';
export { addDense, addPostings, markPostings, selectBest } from './scoring.js';
