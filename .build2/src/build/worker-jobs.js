/** Threads that build: what they make is moved, not copied, to the thread that asked for it. */
import { Worker } from 'node:worker_threads';
import { collections } from '../model.js';
/** Starts the thread that reads the snapshots into search tables. */
export function startSearchWorker({ onProgress: _, ...options }) {
    const worker = new Worker(new URL('./search-worker.js', import.meta.url), { workerData: options });
    const result = postedBy(worker);
    // It is waited for once the stores are built: until then nobody sees it fail.
    result.catch(() => undefined);
    return { result, cancel: () => worker.terminate() };
}
/** Builds a whole dataset off the thread that serves. */
export async function buildPartsInWorker(options) {
    const parts = await postedBy(new Worker(new URL('./worker.js', import.meta.url), { workerData: options }));
    return parts.ok
        ? { ...parts, stores: new Map([...parts.stores].map(([name, store]) => [name, arrived(store)])) }
        : parts;
}
/** Buffers travel as plain byte arrays, and the model as a copy: both are put back. */
function arrived(store) {
    const chunks = store.text.chunks.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
    const model = collections.find(({ name }) => name === store.model.name) ?? store.model;
    return { ...store, model, text: { ...store.text, chunks } };
}
/** The one message of a thread. */
function postedBy(worker) {
    return new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.once('exit', () => reject(new Error('a thread that builds the dataset ended before it was done')));
    });
}
