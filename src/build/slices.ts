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
 * Takes the steps of `prepare`, then calls `replace` with a dataset that takes less memory and is otherwise the current one,
 * unless nothing is gained. Gives up as soon as another dataset is served. Memory that loading has left behind goes back to
 * the system in any case.
 */
export async function settle(
  current: () => Dataset,
  replace: (compact: Dataset) => void,
  prepare: (dataset: Dataset) => Generator<void> = function* () {},
): Promise<void> {
  const dataset = current();
  const compactDataset = await runInSlices(whileServed(settling(dataset, prepare), () => current() === dataset));
  if (compactDataset !== null && compactDataset !== dataset) replace(compactDataset);
  // Memory is released only after the functions that hold parts of the dataset have returned.
  setImmediate(releaseMemory);
}

function* settling(dataset: Dataset, prepare: (dataset: Dataset) => Generator<void>): Generator<void, Dataset> {
  yield* prepare(dataset);
  return yield* compacted(dataset);
}

/** Null where another dataset is served before the steps are done. */
function* whileServed<Result>(steps: Generator<void, Result>, isServed: () => boolean): Generator<void, Result | null> {
  while (isServed()) {
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
