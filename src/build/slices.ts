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

/** Takes the steps of `prepare` for the served dataset, and ends early where another one is served. */
export async function prepareServed(
  served: () => Dataset,
  prepare: (dataset: Dataset) => Generator<void>,
): Promise<void> {
  const dataset = served();
  await runInSlices(whileServed(prepare(dataset), () => served() === dataset));
}

/** The steps, up to the one after which another dataset is served. */
function* whileServed(steps: Generator<void>, isServed: () => boolean): Generator<void> {
  while (isServed() && !steps.next().done) yield;
}
