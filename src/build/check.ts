/** Reads and checks snapshots, and keeps nothing but the report. */
import { BATCH_RECORDS, cellOf, replacedIds } from '../batch.js';
import { type LoadResult, loadSnapshots } from '../load/load.js';
import { fieldIndex } from '../model.js';
import { IdIndexBuilder } from '../store/ids.js';
import type { BuildOptions } from './parts.js';

export function checkSnapshots(options: BuildOptions): Promise<LoadResult> {
  const rows = new Int32Array(BATCH_RECORDS);
  return loadSnapshots({
    ...options,
    onCollection(model) {
      const ids = new IdIndexBuilder();
      const firstId = cellOf(fieldIndex(model, 'id'), 0);
      return (batch) => {
        const nextRow = ids.size;
        const replaced = ids.rowsFor(batch.numbers, firstId, firstId + batch.size, rows);
        return replacedIds(batch, firstId, rows, nextRow, replaced);
      };
    },
  });
}
