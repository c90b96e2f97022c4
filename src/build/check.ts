/** Reads and checks a snapshot folder, and keeps nothing but the report. */
import { type LoadResult, loadSnapshots } from '../load/load.js';
import { type CollectionName, collectionOf, collections, fieldIndex } from '../model.js';
import { createIdIndexBuilder } from '../store/ids.js';
import type { BuildOptions } from './reading.js';

export function checkSnapshots(options: BuildOptions): Promise<LoadResult> {
  const see = createSeen();
  return loadSnapshots({
    ...options,
    onRecord: (name, values) => see(name, (field) => Number(values[field])),
    onRaw: (name, raw) => see(name, (field) => raw.numbers[field]!),
  });
}

/** Only remembers which ids there were. */
function createSeen() {
  const seen = new Map(
    collections.map(
      (model) => [model.name, { idField: fieldIndex(model, 'id'), ids: createIdIndexBuilder() }] as const,
    ),
  );
  return (name: CollectionName, idIn: (field: number) => number): 'added' | 'replaced' => {
    const { idField, ids } = collectionOf(seen, name);
    const { size } = ids;
    return ids.rowFor(idIn(idField)) < size ? 'replaced' : 'added';
  };
}
