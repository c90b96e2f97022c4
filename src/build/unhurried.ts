/** Runs a computation a little at a time, giving way to requests after a millisecond, or after a step that takes longer. */
export async function unhurried<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const end = stepFor(steps, 1);
    if (end !== undefined) return end.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Takes steps for so many milliseconds; their end, if they come to it. */
export function stepFor<Result>(steps: Generator<void, Result>, ms: number): IteratorReturnResult<Result> | undefined {
  for (const until = performance.now() + ms; performance.now() < until; ) {
    const step = steps.next();
    if (step.done) return step;
  }
  return undefined;
}
