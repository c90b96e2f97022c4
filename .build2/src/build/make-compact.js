/** Makes what is served take less memory, between requests: see `store/compact.ts`. */
import { compacted } from '../store/compact.js';
import { releaseMemory } from './garbage.js';
import { runInSlices } from './slices.js';
/**
 * Calls `replace` with a dataset that is otherwise the current one, unless nothing is gained. Gives up as soon as another
 * has taken its place. What loading has left behind goes back to the system in any case.
 */
export async function makeCompact(current, replace) {
    const dataset = current();
    const compact = await runInSlices(whileServed(dataset, current));
    if (compact !== null && compact !== dataset)
        replace(compact);
    // Not before all that has worked on the dataset has returned.
    setImmediate(releaseMemory);
}
/** Null where another dataset is served before it is done. */
function* whileServed(dataset, current) {
    const steps = compacted(dataset);
    while (current() === dataset) {
        const step = steps.next();
        if (step.done)
            return step.value;
        yield;
    }
    return null;
}
