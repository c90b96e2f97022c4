/** Builds datasets on a thread of their own. What it builds is moved, not copied, to the thread that asked for it. */
import { Worker } from 'node:worker_threads';
import { collections } from '../model.js';
import type { RecordStore } from '../store/collection.js';
import type { BuiltParts } from './build.js';
import { LITTLE_ROOM } from './garbage.js';
import type { BuildOptions, Failed } from './reading.js';

export type JobOptions = Omit<BuildOptions, 'onProgress'>;

/** Builds a whole dataset off the thread that serves. */
export async function buildPartsInWorker(options: JobOptions): Promise<BuiltParts | Failed> {
  const parts = await inWorker(options);
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

function inWorker(options: JobOptions): Promise<BuiltParts | Failed> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: options,
    resourceLimits: LITTLE_ROOM,
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that builds the dataset ended before it was done')));
  });
}
