/**
 * The parts of the built program that tests and benches call: `dist/internals.js`. Threads have files of their own, which are
 * there only once they are built. It is not packed.
 */
export { buildParts } from '../../src/build/build.js';
export { withAllChanges } from '../../src/build/compare.js';
export { buildFrom, createStoresBuilder } from '../../src/build/parts.js';
export { startTextWorker } from '../../src/build/worker-jobs.js';
