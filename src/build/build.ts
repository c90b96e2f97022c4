/**
 * How does a folder become a dataset, on which threads?
 * Takes: the paths of a dump, and flags that decide how it is read (`BuildOptions`).
 * Gives: a frozen `Dataset`, or the faults of files. The dump is read once; what was read is used only if the folder did not change
 * meanwhile.
 * Skip: how work is handed to a worker (`worker-jobs.ts`), the second engine (`minisearch.ts`).
 */
import { availableParallelism } from 'node:os';
import type { Language } from '../languages.js';
import type { LoadFailed } from '../load/load.js';
import { collectionOf } from '../model.js';
import { openIndex } from '../search/index.js';
import type { Engine, SearchIndex } from '../search/search.js';
import type { RecordStore } from '../store/collection.js';
import { assembleDataset, type Dataset } from '../store/dataset.js';
import { searchedTexts, searchFields } from '../store/documents.js';
import { rowsOfCodeIn } from '../store/named-rows.js';
import {
  type BuildOptions,
  type Built,
  type BuiltParts,
  buildFrom,
  createParallelBuilder,
  createWholeBuilder,
  type Whole,
} from './parts.js';
import { runInSlices } from './slices.js';
import { type FolderState, folderState } from './watch.js';
import { buildPartsInWorker, startTextWorker } from './worker-jobs.js';

export interface BuiltDataset extends Omit<BuiltParts, 'version' | 'stores' | 'tables'> {
  readonly dataset: Dataset;
}

const TRIES = 5;
/** Below this a second thread takes longer to start than it saves. */
const MIN_PARALLEL_BYTES = 8 << 20;
/** Below this a start is over before a thread of its own has begun. */
const MIN_WORKER_BYTES = 2 << 20;

/** The dataset, built on the calling thread. */
export async function buildDataset(options: BuildOptions): Promise<BuiltDataset | LoadFailed> {
  const parts = await buildParts(options);
  return parts.ok ? assembleWith(parts, options.engine) : parts;
}

/** The dataset for the thread that serves, which answers meanwhile: a reload builds in the same way. */
export async function buildBeside(options: BuildOptions): Promise<BuiltDataset | LoadFailed> {
  const isSmall = (await folderState(options)).bytes < MIN_WORKER_BYTES;
  const parts = await (isSmall ? buildParts(options) : buildPartsInWorker(options));
  return parts.ok ? assembleWith(parts, options.engine) : parts;
}

/** Assembles a dataset. It costs next to nothing: the indexes are opened, not built. */
export function assemble({ version, stores, tables, ...read }: BuiltParts): BuiltDataset {
  const fieldsOf = (name: string) => searchFields(collectionOf(stores, name).model);
  const indexes = new Map(
    [...tables].map(([name, table]) => [
      name,
      openIndex(table, fieldsOf(name), rowsOfCodeIn(collectionOf(stores, name))),
    ]),
  );
  return { ...read, dataset: assembleDataset(searchedVersion(version, indexes), stores, indexes) };
}

/** The version, and so every ETag, differs by engine and language, which flags may change. */
function searchedVersion(version: string, indexes: ReadonlyMap<string, SearchIndex>): string {
  const engines = new Set([...indexes.values()].map(({ engine }) => engine).filter((engine) => engine !== 'bm25f'));
  const languages = [...indexes.values()].map(({ language }) => language);
  return [version, ...engines, ...(languages.every((one) => one === 'english') ? [] : languages)].join('-');
}

/** Assembles a dataset with any engine. Indexes of engines other than our own are built here. */
export async function assembleWith(parts: BuiltParts, engine: Engine = 'bm25f'): Promise<BuiltDataset> {
  if (engine === 'bm25f') return assemble(parts);
  const { version, stores, tables: _, ...read } = parts;
  const indexes = new Map<string, SearchIndex>();
  for (const [name, store] of stores) {
    const language = read.report.files.find(({ collection }) => collection === name)?.language;
    indexes.set(name, await miniSearchOf(store, language));
  }
  return { ...read, dataset: assembleDataset(searchedVersion(version, indexes), stores, indexes) };
}

/** An index of the records' texts, built in slices on this thread. */
async function miniSearchOf(store: RecordStore, language?: Language): Promise<SearchIndex> {
  const { buildMiniSearch } = await import('../search/minisearch.js');
  return runInSlices(
    buildMiniSearch(searchFields(store.model), store.size, searchedTexts(store), language, rowsOfCodeIn(store)),
  );
}

export async function buildParts(options: BuildOptions): Promise<BuiltParts | LoadFailed> {
  for (let triesLeft = TRIES; ; triesLeft--) {
    const folder = await folderState(options);
    // The last try is used even if the folder changes meanwhile.
    const parts = await buildOnce(options, folder);
    if (triesLeft === 1 || (await folderState(options)).signature === folder.signature) return parts;
  }
}

async function buildOnce(options: BuildOptions, folder: FolderState): Promise<BuiltParts | LoadFailed> {
  const begunAt = performance.now();
  const built = await (isWorthASecondThread(folder, options)
    ? buildOnTwoThreads(options)
    : buildFrom(options, createWholeBuilder()));
  if (!built.ok) return built;
  const { made, report, readMs } = built;
  const { modifiedAt, signature } = folder;
  const indexMs = performance.now() - begunAt - readMs;
  return { ...made, ok: true, report, modifiedAt, signature, timing: { readMs, indexMs } };
}

const isWorthASecondThread = ({ bytes }: FolderState, { threads = availableParallelism() }: BuildOptions): boolean =>
  threads > 1 && bytes >= MIN_PARALLEL_BYTES;

async function buildOnTwoThreads(options: BuildOptions): Promise<Built<Whole>> {
  const texts = startTextWorker();
  // Reading waits for what this returns.
  const onProgress: BuildOptions['onProgress'] = (...progress) => {
    options.onProgress?.(...progress);
    return texts.whenReady();
  };
  try {
    return await buildFrom({ ...options, onProgress }, createParallelBuilder(texts));
  } finally {
    await texts.cancel();
  }
}
