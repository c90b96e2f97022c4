/** `serve --from`: what is served of a database. Its collections are empty here, and the engine has their records. */
import { assemble } from '../build/build.js';
import { createWholeBuilder } from '../build/parts.js';
import type { Served } from '../http/served.js';
import { collectionOf } from '../model.js';
import type { StoredCollection } from '../postgres/plan.js';
import { type DatabaseDump, openDatabaseSource } from '../postgres/source.js';
import type { Dataset } from '../store/dataset.js';
import { say, warn } from './terminal.js';

/** Fills the slot, and fills it anew after each push. Returns why nothing is served; null where something is. */
export async function openDatabase(address: string, slot: { served: Served | null }): Promise<string | null> {
  const source = await openDatabaseSource(address, {
    onDump(dump) {
      slot.served = servedFrom(dump);
      say(`another dump was pushed: version ${dump.version}`);
    },
    onFault: (message) => warn(`still serving the earlier dump: ${message}`),
  });
  if (typeof source === 'string') return source;
  slot.served = servedFrom(source.dump);
  return null;
}

export function servedFrom({ engine, report, modifiedAt, ...dump }: DatabaseDump): Served {
  return { dataset: emptyDataset(dump), engine, report, modifiedAt, loadedAt: new Date() };
}

/** A dataset whose records stand elsewhere. */
export function emptyDataset({
  version,
  collections: stored,
}: Pick<DatabaseDump, 'version'> & {
  readonly collections: ReadonlyMap<string, Pick<StoredCollection, 'model' | 'language' | 'size'>>;
}): Dataset {
  const builder = createWholeBuilder();
  for (const { model, language } of stored.values()) builder.openCollection(model, language);
  const report = { files: [], ignored: [], findings: [] };
  const { dataset } = assemble({ ok: true, ...builder.finish(), report, modifiedAt: new Date(0), signature: '' });
  // Keys are found among records, so the empty collections have none.
  const collections = new Map(
    Array.from(stored, ([name, { model }]) => [name, { ...collectionOf(dataset.collections, name), model }]),
  );
  const sizes = new Map(Array.from(stored, ([name, { size }]) => [name, size]));
  return { ...dataset, version, collections, sizes };
}
