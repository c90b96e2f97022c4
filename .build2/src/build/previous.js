import { versionOf } from '../store/dataset.js';
import { compareLoaded } from './compare.js';
import { folderState } from './folder-state.js';
import { buildFrom, createStoresBuilder } from './parts.js';
import { runInSlices } from './slices.js';
/** Reads files and folders of any name. */
export async function loadDump(paths, options = {}) {
    const place = { ...options, dir: paths.join(', '), paths };
    const { modifiedAt } = await folderState(place);
    const built = await buildFrom({ ...place, suspects: false }, createStoresBuilder());
    if (!built.ok)
        return built;
    if (built.report.files.length === 0)
        return { ok: false, fault: emptyDump(place.dir), others: [] };
    const { made: stores, report } = built;
    return { ok: true, stores, report, since: { version: versionOf(stores), modifiedAt } };
}
const emptyDump = (dir) => ({ file: dir, message: 'no file there holds articles or products' });
/** How a dataset differs from an earlier dump, in the collections that the dump has a file of. */
export async function compareWithDump(before, after) {
    const comparisons = await runInSlices(compareLoaded(before, after));
    return new Map([...comparisons].filter(([name]) => isIn(before.report, name)));
}
const isIn = ({ files }, name) => files.some(({ collection }) => collection === name);
