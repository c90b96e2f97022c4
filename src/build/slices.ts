/** Work on the serving thread, in slices between requests. */
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
 * Takes the steps of `prepare` for the served dataset, and ends early where another one is served. Memory that loading has left
 * behind goes back to the system in any case.
 */
export async function prepareServed(
  served: () => Dataset,
  prepare: (dataset: Dataset) => Generator<void>,
): Promise<void> {
  const dataset = served();
  await runInSlices(whileServed(prepare(dataset), () => served() === dataset));
  // Memory is released only after the functions that hold parts of the dataset have returned.
  setImmediate(releaseMemory);
}

/** The steps, up to the one after which another dataset is served. */
function* whileServed(steps: Generator<void>, isServed: () => boolean): Generator<void> {
  while (isServed() && !steps.next().done) yield;
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
