/**
 * The two halves of a dataset, each built from a pass over the snapshots of its own: the records, and the search
 * tables. Neither needs the other, so they can be built at the same time on two threads.
 */
import { BATCH_RECORDS, cellOf } from '../batch.js';
import { loadSnapshots } from '../load/load.js';
import { isAllocationFailure } from '../memory.js';
import { collectionOf, collections, fieldIndex, keepingFields, } from '../model.js';
import { createTablesBuilder } from '../search/index/builder.js';
import { IndexLimitError } from '../search/limits.js';
import { createRecordStoreBuilder } from '../store/collection.js';
import { DocumentRows, searchColumns, searchFields } from '../store/documents.js';
import { createIdIndexBuilder } from '../store/ids.js';
/** Reads the snapshots into a builder. More than an index, or the memory, can hold is a fault of the folder. */
export async function buildFrom(options, { addBatch, finish }) {
    try {
        const begunAt = performance.now();
        const loaded = await loadSnapshots({ ...options, onBatch: addBatch });
        const readMs = performance.now() - begunAt;
        return loaded.ok ? { ok: true, made: finish(), report: loaded.report, readMs } : loaded;
    }
    catch (error) {
        const fault = (message) => ({ ok: false, fault: { file: options.dir, message }, others: [] });
        if (error instanceof IndexLimitError)
            return fault(error.message);
        if (isAllocationFailure(error))
            return fault(`there is not enough memory for the records: ${error.message}`);
        throw error;
    }
}
export function createStoresBuilder() {
    const builders = new Map(collections.map((model) => [model.name, createRecordStoreBuilder(model)]));
    return {
        addBatch: (name, batch) => collectionOf(builders, name).addBatch(batch),
        finish: () => new Map([...builders].map(([name, builder]) => [name, builder.finish()])),
    };
}
/** Whether search tables need a field: it decides which records there are, or is searched. */
export const isForSearch = ({ required, searchWeight }) => required === true || searchWeight !== undefined;
/** Takes batches whose fields are kept by `keeps`. */
export function createSearchTablesBuilder(keeps = (_) => true) {
    const builders = new Map(collections.map((model) => [model.name, createCollectionTables(keepingFields(model, keeps))]));
    return {
        addBatch: (name, batch) => collectionOf(builders, name).addBatch(batch),
        finish: () => new Map([...builders].map(([name, builder]) => [name, builder.finish()])),
    };
}
function createCollectionTables(model) {
    const tables = createTablesBuilder(searchFields(model));
    const columns = searchColumns(model);
    const ids = createIdIndexBuilder();
    const documents = new DocumentRows();
    const firstId = cellOf(fieldIndex(model, 'id'), 0);
    const rows = new Int32Array(BATCH_RECORDS);
    return {
        addBatch(batch) {
            const replaced = ids.rowsFor(batch.numbers, firstId, firstId + batch.size, rows);
            documents.addAll(rows.subarray(0, batch.size));
            tables.addBatch(batch, columns);
            return replaced;
        },
        finish: () => tables.finish(documents.finish(ids.size)),
    };
}
/** Builds both halves from one pass. */
export function createWholeBuilder() {
    const stores = createStoresBuilder();
    const tables = createSearchTablesBuilder();
    return {
        addBatch(name, batch) {
            tables.addBatch(name, batch);
            return stores.addBatch(name, batch);
        },
        finish: () => ({ stores: stores.finish(), tables: tables.finish() }),
    };
}
