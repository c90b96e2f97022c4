/** `serve --from`: what is served of a database. Its collections are empty here, and the engine has their records. */
import { assemble } from '../build/build.js';
import { createWholeBuilder } from '../build/parts.js';
import type { Served } from '../http/served.js';
import { collectionOf } from '../model.js';
import { type DatabaseDump, openDatabaseSource } from '../postgres/source.js';
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

export function servedFrom({ models, languages, sizes, version, report, modifiedAt, engine }: DatabaseDump): Served {
  const builder = createWholeBuilder();
  for (const model of models) builder.openCollection(model, languages.get(model.name) ?? 'english');
  const { dataset } = assemble({ ok: true, ...builder.finish(), report, modifiedAt, signature: '' });
  // Keys are found among records, so the empty collections have none.
  const collections = new Map(
    models.map((model) => [model.name, { ...collectionOf(dataset.collections, model.name), model }]),
  );
  return { dataset: { ...dataset, version, collections, sizes }, engine, report, modifiedAt, loadedAt: new Date() };
}
