/**
 * Snapshot folder → dataset. Large folders are read twice at the same time: by this thread into the record stores, by
 * a second one into terms, of which both make the search tables. What was read is used only if the folder did not change meanwhile.
 */
import { availableParallelism } from 'node:os';
import type { LoadReport } from '../load/report.js';
import { openIndex } from '../search/index.js';
import { assembleDataset, type Dataset, type RecordStores, versionOf } from '../store/dataset.js';
import { type FolderState, folderState } from './folder-state.js';
import { collectGarbage } from './garbage.js';
import { hurry, stopHurrying } from './haste.js';
import {
  type BuildOptions,
  type Built,
  buildFrom,
  createStoresBuilder,
  createWholeBuilder,
  type Failed,
  type SearchTables,
  type Whole,
  withinLimits,
} from './parts.js';
import { type SearchBuild, startSearchBuild } from './search-help.js';

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

/** Below this a second thread takes longer to start than it saves. */
const PARALLEL_BYTES = 8 << 20;
const TRIES = 5;

/** For a start: nothing is served meanwhile. */
export async function buildDataset(options: BuildOptions): Promise<BuiltDataset | Failed> {
  try {
    const parts = await buildParts({ ...options, isStart: true });
    return parts.ok ? assemble(parts) : parts;
  } finally {
    stopHurrying();
  }
}

/** Costs next to nothing: the indexes are opened, not built. */
export function assemble({ version, stores, tables, ...read }: BuiltParts): BuiltDataset {
  const indexes = new Map([...tables].map(([name, table]) => [name, openIndex(table)]));
  return { ...read, dataset: assembleDataset(version, stores, indexes) };
}

export async function buildParts(options: BuildOptions): Promise<BuiltParts | Failed> {
  for (let left = TRIES; ; left--) {
    const before = await folderState(options.dir);
    const parts = await buildOnce(options, before);
    if (left === 1 || (await folderState(options.dir)).signature === before.signature) return parts;
  }
}

async function buildOnce(options: BuildOptions, folder: FolderState): Promise<BuiltParts | Failed> {
  const { bytes, modifiedAt, signature } = folder;
  const { threads = availableParallelism() } = options;
  const onTwo = threads > 1 && bytes >= PARALLEL_BYTES;
  const built = await withinLimits(options.dir, () => (onTwo ? buildOnTwoThreads(options) : buildOnOne(options)));
  return built.ok ? { ...built.made, ok: true, report: built.report, modifiedAt, signature } : built;
}

interface Versioned extends Whole {
  readonly version: string;
}

async function buildOnOne(options: BuildOptions): Promise<Built<Versioned>> {
  const built = await buildFrom(options, createWholeBuilder());
  return built.ok ? { ...built, made: { ...built.made, version: versionOf(built.made.stores) } } : built;
}

async function buildOnTwoThreads({ onProgress, isStart, ...shared }: BuildOptions): Promise<Built<Versioned>> {
  const search = startSearchBuild(shared, isStart ? hurry : undefined);
  const stores = await buildStores({ ...shared, ...(onProgress && { onProgress }) }, search);
  if (!stores.ok) {
    search.cancel();
    return stores;
  }
  // What was left behind is freed before the search tables take the most memory.
  collectGarbage();
  let version = '';
  const built = await search.help(stores.made, () => {
    version = versionOf(stores.made);
  });
  return built.ok ? { ...stores, made: { version, stores: stores.made, tables: built.tables } } : built;
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
