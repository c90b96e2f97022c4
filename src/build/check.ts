/** Reads and checks a snapshot folder, and keeps nothing but the report. */
import { type LoadResult, loadSnapshots, type RecordSink } from '../load/load.js';
import { type CollectionName, collections, fieldIndex } from '../model.js';
import { createIdIndexBuilder, type IdIndexBuilder } from '../store/ids.js';
import type { BuildOptions } from './parts.js';

export const checkSnapshots = (options: BuildOptions): Promise<LoadResult> =>
  loadSnapshots({ ...options, onRecord: countReplaced() });

interface Seen {
  readonly idField: number;
  readonly ids: IdIndexBuilder;
  size: number;
}

/** A sink that only remembers which ids it has seen. */
function countReplaced(): RecordSink {
  const seen = new Map<CollectionName, Seen>(
    collections.map((model) => [
      model.name,
      { idField: fieldIndex(model, 'id'), ids: createIdIndexBuilder(), size: 0 },
    ]),
  );
  return (name, values) => {
    const collection = seen.get(name);
    if (collection === undefined) return 'added';
    const row = collection.ids.rowFor(Number(values[collection.idField]));
    if (row < collection.size) return 'replaced';
    collection.size = row + 1;
    return 'added';
  };
}
