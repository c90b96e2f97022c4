/** Jobs that run on a thread of their own. What they build is moved, not copied, to the thread that asked for it. */
import { Worker } from 'node:worker_threads';
import { collections } from '../model.js';
import type { RecordStore } from '../store/collection.js';
import type { BuiltParts, Failed } from './build.js';
import type { BuildOptions, Built, SearchTables } from './parts.js';

export type JobOptions = Omit<BuildOptions, 'onProgress'>;

export interface Job {
  readonly kind: 'search' | 'dataset';
  readonly options: JobOptions;
}

export interface Running<Result> {
  readonly result: Promise<Result>;
  cancel(): void;
}

/** Reads the folder into search tables. */
export const searchTablesInWorker = (options: JobOptions): Running<Built<SearchTables>> =>
  start({ kind: 'search', options });

/** Builds a whole dataset off the thread that serves. */
export async function buildPartsInWorker(options: JobOptions): Promise<BuiltParts | Failed> {
  const parts = await start<BuiltParts | Failed>({ kind: 'dataset', options }).result;
  return parts.ok
    ? { ...parts, stores: new Map([...parts.stores].map(([name, store]) => [name, arrived(store)])) }
    : parts;
}

/** Buffers travel as plain byte arrays, and the model as a copy: both are put back. */
function arrived(store: RecordStore): RecordStore {
  const chunks = store.text.chunks.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  const model = collections.find(({ name }) => name === store.model.name) ?? store.model;
  return { ...store, model, text: { ...store.text, chunks } };
}

function start<Result>(job: Job): Running<Result> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: job });
  const result = new Promise<Result>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`the thread that builds the ${job.kind} ended before it was done`)));
  });
  // Whoever cancels a job no longer waits for it.
  result.catch(() => {});
  return { result, cancel: () => void worker.terminate() };
}
