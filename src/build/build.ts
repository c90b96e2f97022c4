/**
 * Snapshot folder → dataset. The calling thread builds the record stores. Where the folder is large enough to be worth
 * it, a second thread reads it as well, builds the search tables, and hands them over once, finished. What was read is
 * used only if the folder did not change meanwhile.
 */
import { availableParallelism } from 'node:os';
import { openIndex } from '../search/index.js';
import { assembleDataset, type Dataset, type RecordStores, versionOf } from '../store/dataset.js';
import { type FolderState, folderState } from './folder-state.js';
import {
  type BuildOptions,
  type Built,
  type BuiltParts,
  buildFrom,
  createStoresBuilder,
  createWholeBuilder,
  type Failed,
  type SearchTables,
} from './parts.js';
import { startSearchWorker } from './worker-jobs.js';

export interface BuiltDataset extends Omit<BuiltParts, 'version' | 'stores' | 'tables'> {
  readonly dataset: Dataset;
}

const TRIES = 5;
/** Below this a second thread takes longer to start than it saves. */
const MIN_PARALLEL_BYTES = 8 << 20;

export async function buildDataset(options: BuildOptions): Promise<BuiltDataset | Failed> {
  const parts = await buildParts(options);
  return parts.ok ? assemble(parts) : parts;
}

/** Costs next to nothing: the indexes are opened, not built. */
export function assemble({ version, stores, tables, ...read }: BuiltParts): BuiltDataset {
  const indexes = new Map([...tables].map(([name, table]) => [name, openIndex(table)]));
  return { ...read, dataset: assembleDataset(version, stores, indexes) };
}

export async function buildParts(options: BuildOptions): Promise<BuiltParts | Failed> {
  for (let left = TRIES; ; left--) {
    const folder = await folderState(options);
    const parts = await buildOnce(options, folder);
    if (left === 1 || (await folderState(options)).signature === folder.signature) return parts;
  }
}

async function buildOnce(options: BuildOptions, folder: FolderState): Promise<BuiltParts | Failed> {
  const begunAt = performance.now();
  const built = await (isWorthASecondThread(folder, options) ? buildOnTwoThreads(options) : buildOnOne(options));
  if (!built.ok) return built;
  const { made, report, readMs } = built;
  const version = versionOf(made.stores);
  const { modifiedAt, signature } = folder;
  const indexMs = performance.now() - begunAt - readMs;
  return { ...made, ok: true, version, report, modifiedAt, signature, timing: { readMs, indexMs } };
}

const isWorthASecondThread = ({ bytes }: FolderState, { threads = availableParallelism() }: BuildOptions): boolean =>
  threads > 1 && bytes >= MIN_PARALLEL_BYTES;

interface Whole {
  readonly stores: RecordStores;
  readonly tables: SearchTables;
}

const buildOnOne = (options: BuildOptions): Promise<Built<Whole>> => buildFrom(options, createWholeBuilder());

async function buildOnTwoThreads(options: BuildOptions): Promise<Built<Whole>> {
  const search = startSearchWorker(options);
  const stores = await buildFrom(options, createStoresBuilder());
  if (!stores.ok) {
    await search.cancel();
    return stores;
  }
  const tables = await search.result;
  return tables.ok ? { ...stores, made: { stores: stores.made, tables: tables.made } } : tables;
}
