/** Threads that build: what they make is moved, not copied, to the thread that asked for it. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LoadFailed } from '../load/load.js';
import type { RecordStore } from '../store/collection.js';
import type { BuildOptions, Built, BuiltParts, Supplements } from './parts.js';

const ENDED_EARLY = 'a thread that builds the dataset ended before it was done';

/** Options that can be sent to a thread. */
export type JobOptions = Omit<BuildOptions, 'onProgress'>;

/** Starts the thread that reads the snapshots into search tables and indexes over texts. */
export function startSearchWorker({ onProgress: _, ...options }: BuildOptions) {
  const worker = new Worker(new URL('./search-worker.js', import.meta.url), { workerData: options });
  const result = postedBy<Built<Supplements>>(worker);
  // The result is awaited only once the stores are built: a failure before that must not count as unhandled.
  result.catch(() => undefined);
  return { result, cancel: () => worker.terminate() };
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

/** The store with its chunks as buffers again: they arrive as plain byte arrays. */
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
