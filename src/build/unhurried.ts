/** Runs a computation a little at a time, giving way to requests after a millisecond, or after a step that takes longer. */
export async function unhurried<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + 1;
    while (performance.now() < until) {
      const step = steps.next();
      if (step.done) return step.value;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
