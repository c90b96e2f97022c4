/** What is done for a dataset once it is served, between requests: texts are made compact (`store/compact.ts`). */
import { compacted } from '../store/compact.js';
import type { Dataset } from '../store/dataset.js';
import { releaseMemory } from './garbage.js';
import { runInSlices } from './slices.js';

/**
 * Calls `replace` with a dataset that takes less memory and is otherwise the current one, unless nothing is gained. Gives up
 * as soon as another has taken its place. What loading has left behind goes back to the system in any case.
 */
export async function settle(current: () => Dataset, replace: (compact: Dataset) => void): Promise<void> {
  const dataset = current();
  const settled = await runInSlices(whileServed(dataset, current));
  if (settled !== null && settled !== dataset) replace(settled);
  // Not before all that has worked on the dataset has returned.
  setImmediate(releaseMemory);
}

/** Null where another dataset is served before it is done. */
function* whileServed(dataset: Dataset, current: () => Dataset): Generator<void, Dataset | null> {
  const steps = compacted(dataset);
  while (current() === dataset) {
    const step = steps.next();
    if (step.done) return step.value;
    yield;
  }
  return null;
}
