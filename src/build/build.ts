/**
 * Snapshot folder → dataset. Large folders are read twice at the same time: by this thread into the record stores, by
 * a second one into terms, of which both make the search tables. What was read is used only if the folder did not change meanwhile.
 */
import type { LoadReport } from '../load/report.js';
import { openIndex } from '../search/index.js';
import { assembleDataset, type Dataset, type RecordStores, versionOf, versionSteps } from '../store/dataset.js';
import { type FolderState, folderState } from './folder-state.js';
import { collectGarbage } from './garbage.js';
import { Meanwhile } from './meanwhile.js';
import { createStoresBuilder, createWholeBuilder, type SearchTables, type Whole } from './parts.js';
import { type BuildOptions, type Built, buildFrom, type Failed, withinLimits } from './reading.js';
import { helpToSearch, type SearchBuild } from './search-help.js';
import { type Begun, type SearchThread, startSearchThread, takesTwo } from './search-thread.js';

/** All of a dataset as plain values, which can move to another thread. */
export interface BuiltParts {
  readonly ok: true;
  readonly version: string;
  readonly stores: RecordStores;
  readonly tables: SearchTables;
  readonly report: LoadReport;
  /** When the newest of the folder's files was modified. */
  readonly modifiedAt: Date;
  /** The folder's, before it was read. */
  readonly signature: string;
}

export interface BuiltDataset extends Pick<BuiltParts, 'ok' | 'report' | 'modifiedAt' | 'signature'> {
  readonly dataset: Dataset;
}

const TRIES = 5;

export async function buildDataset(options: BuildOptions, begun?: Begun): Promise<BuiltDataset | Failed> {
  const parts = await buildParts(options, begun);
  return parts.ok ? assemble(parts) : parts;
}

/** Costs next to nothing: the indexes are opened, not built. */
export function assemble({ version, stores, tables, ...read }: BuiltParts): BuiltDataset {
  const indexes = new Map([...tables].map(([name, table]) => [name, openIndex(table)]));
  return { ...read, dataset: assembleDataset(version, stores, indexes) };
}

export async function buildParts(options: BuildOptions, begun?: Begun): Promise<BuiltParts | Failed> {
  let next = begun;
  for (let left = TRIES; ; left--) {
    const { folder, thread } = next ?? { folder: await folderState(options.dir) };
    next = undefined;
    const parts = await buildOnce(options, folder, thread);
    if (left === 1 || (await folderState(options.dir)).signature === folder.signature) return parts;
  }
}

async function buildOnce(
  options: BuildOptions,
  folder: FolderState,
  thread?: SearchThread,
): Promise<BuiltParts | Failed> {
  const { modifiedAt, signature } = folder;
  const built = await withinLimits(options.dir, () =>
    takesTwo(folder, options) ? buildOnTwoThreads(options, thread ?? startSearchThread(options)) : buildOnOne(options),
  );
  return built.ok ? { ...built.made, ok: true, report: built.report, modifiedAt, signature } : built;
}

interface Versioned extends Whole {
  readonly version: string;
}

async function buildOnOne(options: BuildOptions): Promise<Built<Versioned>> {
  const built = await buildFrom(options, createWholeBuilder());
  return built.ok ? { ...built, made: { ...built.made, version: versionOf(built.made.stores) } } : built;
}

async function buildOnTwoThreads(options: BuildOptions, thread: SearchThread): Promise<Built<Versioned>> {
  const search = helpToSearch(thread, options.dir);
  const stores = await buildStores(options, search);
  if (!stores.ok) {
    search.cancel();
    return stores;
  }
  // What was left behind is freed before the search tables take the most memory.
  collectGarbage();
  const version = new Meanwhile(versionSteps(stores.made));
  const built = await search.help(stores.made, version);
  return built.ok
    ? { ...stores, made: { version: version.finish(), stores: stores.made, tables: built.tables } }
    : built;
}

/** On its own, so that nothing of the builder is kept once it is done: it holds twice what it becomes. */
function buildStores(options: BuildOptions, search: SearchBuild): Promise<Built<RecordStores>> {
  const builder = createStoresBuilder();
  const finish = () => {
    search.tellRows(builder.rowOf());
    return builder.finish();
  };
  return buildFrom(options, { ...builder, finish });
}
