/** Makes the texts of a dataset compact (`store/compact.ts`) while it is served, between requests. */
import { compacted } from '../store/compact.js';
import type { Dataset } from '../store/dataset.js';
import { releaseMemory } from './garbage.js';
import { runInSlices } from './slices.js';

/**
 * Calls `replace` with a dataset that takes less memory and is otherwise the current one, unless nothing is gained. Gives up
 * as soon as another dataset is served. Memory that loading has left behind goes back to the system in any case.
 */
export async function settle(current: () => Dataset, replace: (compact: Dataset) => void): Promise<void> {
  const dataset = current();
  const compactDataset = await runInSlices(whileServed(dataset, current));
  if (compactDataset !== null && compactDataset !== dataset) replace(compactDataset);
  // Memory is released only after the functions that hold parts of the dataset have returned.
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
