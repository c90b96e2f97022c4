import { assembleWith } from './build.js';
import { compareLoaded, keepingSame } from './compare.js';
import { runInSlices } from './slices.js';
import { buildPartsInWorker } from './worker-jobs.js';
/** Returns the function that asks for a reload; it resolves when no reload is left to do. */
export function createReloader(options, handlers) {
    let running = null;
    let again = false;
    async function run() {
        do {
            again = false;
            await reloadOnce(options, handlers);
        } while (again);
        running = null;
    }
    return () => {
        if (running !== null)
            again = true;
        else
            running = run();
        return running;
    };
}
async function reloadOnce(options, { current, onReloaded, onFailed }) {
    const loaded = await loadCompared(options, current).catch(unexpected);
    if (!loaded.ok)
        return onFailed(loaded.fault);
    onReloaded(loaded.built, loaded.comparisons);
}
async function loadCompared(options, current) {
    const parts = await buildPartsInWorker(options);
    if (!parts.ok)
        return parts;
    const { dataset, report, modifiedAt } = current();
    if (parts.report.files.length === 0 && holdsRecords(dataset))
        return emptied(options.dir);
    const before = { stores: dataset.collections, report, since: { version: dataset.version, modifiedAt } };
    const comparisons = await runInSlices(compareLoaded(before, parts));
    const built = await assembleWith(parts, options.engine);
    const kept = keepingSame(dataset.comparisons, comparisons);
    return { ok: true, built: { ...built, dataset: { ...built.dataset, comparisons: kept } }, comparisons };
}
const holdsRecords = ({ collections }) => [...collections.values()].some(({ size }) => size > 0);
/** A folder that has gone, as while a disk is swapped, is no reason to serve nothing. */
const emptied = (dir) => failed(dir, 'the folder holds no snapshot any more');
const unexpected = (error) => failed('reload', error instanceof Error ? error.message : String(error));
const failed = (file, message) => ({ ok: false, fault: { file, message } });
