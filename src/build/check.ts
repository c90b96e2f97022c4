/** Reads and checks a snapshot folder, and keeps nothing but the report. */
import { type LoadResult, loadSnapshots, type RecordSink } from '../load/load.js';
import { collections, fieldIndex } from '../model.js';
import { collectionOf } from '../store/dataset.js';
import { createIdIndexBuilder } from '../store/ids.js';
import type { BuildOptions } from './parts.js';

export const checkSnapshots = (options: BuildOptions): Promise<LoadResult> =>
  loadSnapshots({ ...options, onRecord: countReplaced() });

/** A sink that only remembers which ids it has seen. */
function countReplaced(): RecordSink {
  const seen = new Map(
    collections.map(
      (model) => [model.name, { idField: fieldIndex(model, 'id'), ids: createIdIndexBuilder() }] as const,
    ),
  );
  return (name, values) => {
    const { idField, ids } = collectionOf(seen, name);
    const { size } = ids;
    return ids.rowFor(Number(values[idField])) < size ? 'replaced' : 'added';
  };
}
