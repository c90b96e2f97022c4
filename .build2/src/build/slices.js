/** How long a slice may take, unless one step does. */
const SLICE_MS = 1;
/** Runs a computation in slices, between which the event loop takes a turn. */
export async function runInSlices(steps) {
    for (;;) {
        for (const until = performance.now() + SLICE_MS; performance.now() < until;) {
            const step = steps.next();
            if (step.done)
                return step.value;
        }
        await new Promise((resolve) => setImmediate(resolve));
    }
}
