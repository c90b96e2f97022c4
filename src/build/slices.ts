/** Work on the serving thread, in slices between requests: any computation, and what makes a dataset compact (`store/compact.ts`). */
import { compacted } from '../store/compact.js';
import type { Dataset } from '../store/dataset.js';

/** How long a slice may take, unless one step does. */
const SLICE_MS = 1;

/** Runs a computation in slices, between which the event loop takes a turn. */
export async function runInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    for (const until = performance.now() + SLICE_MS; performance.now() < until; ) {
      const step = steps.next();
      if (step.done) return step.value;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

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

/**
 * Gives the system back what building has left behind: most of it memory behind typed arrays that were outgrown, which
 * does not count as the runtime's own heap and in a server at rest would never be collected. It takes 30 to 60
 * milliseconds, once after a start and after each reload, in which the thread does nothing else. Nothing is given back
 * early where the runtime has no inspector.
 */
export async function releaseMemory(): Promise<void> {
  const inspector = await import('node:inspector').catch(() => undefined);
  if (inspector === undefined) return;
  const session = new inspector.Session();
  try {
    session.connect();
    // Heap profilers call this (Chrome DevTools Protocol). It also shrinks the room for new objects, which a plain collection keeps.
    await new Promise((resolve) => session.post('HeapProfiler.collectGarbage', resolve));
    session.disconnect();
  } catch {
    // The inspector is forbidden (`--disable-...`, a permission model): the memory is collected when it is needed.
  }
}
