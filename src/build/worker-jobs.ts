/** Threads that build: what they make is moved, not copied, to the thread that asked for it. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LoadFailed } from '../load/load.js';
import { collectionOf } from '../model.js';
import { joinShares, type TablesShare } from '../search/build/builder.js';
import { invertShare } from '../search/build/inversion.js';
import type { Inversion } from '../search/build/inversion-plan.js';
import type { RecordStore } from '../store/collection.js';
import type { BuildOptions, Built, BuiltParts, SearchTables } from './parts.js';

const ENDED_EARLY = 'a thread that builds the dataset ended before it was done';

/** What can be sent to a thread. */
export type JobOptions = Omit<BuildOptions, 'onProgress'>;

/** What the search worker is given. */
export interface SearchJob {
  readonly options: JobOptions;
  /** Not 0 once the thread that started it has nothing else to do. */
  readonly isIdle: Int32Array;
}

export type SearchShares = ReadonlyMap<string, TablesShare>;
/** What the worker posts: what is left to do, unless reading fails, and its share of that. */
export type SearchMessage = { readonly inversions: ReadonlyMap<string, Inversion> } | Built<SearchShares>;

/** Starts the thread that reads the snapshots into search tables. */
export function startSearchWorker({ onProgress: _, ...options }: BuildOptions) {
  const isIdle = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: SearchJob = { options, isIdle };
  const worker = new Worker(new URL('./search-worker.js', import.meta.url), { workerData });
  const result = searchTables(worker);
  // It is waited for once the stores are built: until then nobody sees it fail.
  result.catch(() => undefined);
  return {
    result,
    /** From now on this thread can make a share of the postings. */
    offerHelp: (): void => void Atomics.store(isIdle, 0, 1),
    cancel: () => worker.terminate(),
  };
}

/** Makes a share of the postings as soon as the worker says what is left to do, and joins it with the worker's own. */
async function searchTables(worker: Worker): Promise<Built<SearchTables>> {
  let join = (_: SearchShares): SearchTables => new Map();
  for await (const [posted] of on(worker, 'message', { close: ['exit'] })) {
    const message: SearchMessage = posted;
    if ('inversions' in message) join = besides(message.inversions);
    else return message.ok ? { ...message, made: join(message.made) } : message;
  }
  throw new Error(ENDED_EARLY);
}

/** Makes this thread's share; returns what joins it with that of the worker. */
function besides(inversions: ReadonlyMap<string, Inversion>): (shares: SearchShares) => SearchTables {
  const own = [...inversions].map(([name, inversion]) => ({ name, inversion, segments: invertShare(inversion, 1) }));
  return (shares) =>
    new Map(
      own.map(({ name, inversion, segments }) => [name, joinShares(inversion, collectionOf(shares, name), segments)]),
    );
}

/** Builds a whole dataset off the thread that serves. */
export async function buildPartsInWorker(options: JobOptions): Promise<BuiltParts | LoadFailed> {
  const parts = await postedBy<BuiltParts | LoadFailed>(
    new Worker(new URL('./worker.js', import.meta.url), { workerData: options }),
  );
  return parts.ok
    ? { ...parts, stores: new Map([...parts.stores].map(([name, store]) => [name, arrived(store)])) }
    : parts;
}

/** Buffers travel as plain byte arrays. */
function arrived(store: RecordStore): RecordStore {
  const chunks = store.text.chunks.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return { ...store, text: { ...store.text, chunks } };
}

/** The one message of a thread. */
async function postedBy<Message>(worker: Worker): Promise<Message> {
  for await (const [message] of on(worker, 'message', { close: ['exit'] })) return message;
  throw new Error(ENDED_EARLY);
}
