/**
 * Snapshot folder → dataset. The calling thread builds the record stores. Where the folder is large enough to be worth
 * it, a second thread reads it as well, builds the search tables, and hands them over once, finished. What was read is
 * used only if the folder did not change meanwhile.
 */
import { availableParallelism } from 'node:os';
import { openIndex } from '../search/index.js';
import { assembleDataset, versionOf } from '../store/dataset.js';
import { searchFields } from '../store/documents.js';
import { recordView } from '../store/record-text.js';
import { folderState } from './folder-state.js';
import { buildFrom, createStoresBuilder, createWholeBuilder, } from './parts.js';
import { runInSlices } from './slices.js';
import { startSearchWorker } from './worker-jobs.js';
const TRIES = 5;
/** Below this a second thread takes longer to start than it saves. */
const MIN_PARALLEL_BYTES = 8 << 20;
export async function buildDataset(options) {
    const parts = await buildParts(options);
    return parts.ok ? assembleWith(parts, options.engine) : parts;
}
/** Costs next to nothing: the indexes are opened, not built. */
export function assemble({ version, stores, tables, ...read }) {
    const indexes = new Map([...tables].map(([name, table]) => [name, openIndex(table)]));
    return { ...read, dataset: assembleDataset(version, stores, indexes) };
}
/** The same with any engine; others than our own are built here. */
export async function assembleWith(parts, engine = 'bm25f') {
    if (engine === 'bm25f')
        return assemble(parts);
    const { version, stores, tables: _, ...read } = parts;
    const indexes = new Map();
    for (const [name, store] of stores)
        indexes.set(name, await miniSearchOf(store));
    // Tags of answers differ where the engines do.
    return { ...read, dataset: assembleDataset(`${version}-${engine}`, stores, indexes) };
}
/** An index of the records' texts, built in slices on this thread. */
async function miniSearchOf({ model, size, text }) {
    const { buildMiniSearch } = await import('../search/minisearch.js');
    const fields = searchFields(model);
    const textsOf = (row) => {
        const record = JSON.parse(recordView(text, row).toString());
        return fields.map(({ name }) => record[name] ?? null);
    };
    return runInSlices(buildMiniSearch(fields, size, textsOf));
}
export async function buildParts(options) {
    for (let left = TRIES;; left--) {
        const folder = await folderState(options);
        const parts = await buildOnce(options, folder);
        if (left === 1 || (await folderState(options)).signature === folder.signature)
            return parts;
    }
}
async function buildOnce(options, folder) {
    const begunAt = performance.now();
    const built = await buildWhole(options, folder);
    if (!built.ok)
        return built;
    const { made, report, readMs } = built;
    const version = versionOf(made.stores);
    const { modifiedAt, signature } = folder;
    const indexMs = performance.now() - begunAt - readMs;
    return { ...made, ok: true, version, report, modifiedAt, signature, timing: { readMs, indexMs } };
}
const isWorthASecondThread = ({ bytes }, { threads = availableParallelism() }) => threads > 1 && bytes >= MIN_PARALLEL_BYTES;
async function buildWhole(options, folder) {
    if (options.engine === 'minisearch') {
        const built = await buildFrom(options, createStoresBuilder());
        return built.ok ? { ...built, made: { stores: built.made, tables: new Map() } } : built;
    }
    return isWorthASecondThread(folder, options) ? buildOnTwoThreads(options) : buildOnOne(options);
}
const buildOnOne = (options) => buildFrom(options, createWholeBuilder());
async function buildOnTwoThreads(options) {
    const search = startSearchWorker(options);
    const stores = await buildFrom(options, createStoresBuilder());
    if (!stores.ok) {
        await search.cancel();
        return stores;
    }
    const tables = await search.result;
    return tables.ok ? { ...stores, made: { stores: stores.made, tables: tables.made } } : tables;
}
