/** Reads and checks snapshots, and keeps nothing but the report. */
import { BATCH_RECORDS, cellOf } from '../batch.js';
import { loadSnapshots } from '../load/load.js';
import { collectionOf, collections, fieldIndex } from '../model.js';
import { createIdIndexBuilder } from '../store/ids.js';
export function checkSnapshots(options) {
    const seen = new Map(collections.map((model) => [
        model.name,
        { firstId: cellOf(fieldIndex(model, 'id'), 0), ids: createIdIndexBuilder() },
    ]));
    const rows = new Int32Array(BATCH_RECORDS);
    return loadSnapshots({
        ...options,
        onBatch(name, { numbers, size }) {
            const { firstId, ids } = collectionOf(seen, name);
            return ids.rowsFor(numbers, firstId, firstId + size, rows);
        },
    });
}
