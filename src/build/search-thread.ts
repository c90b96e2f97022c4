/**
 * The thread that reads the snapshots into terms, begun: see `search-protocol.ts`. What helps it is not loaded here: at a
 * start it begins before that.
 */
import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createControl } from './control.js';
import type { FolderState } from './folder-state.js';
import { LITTLE_ROOM } from './garbage.js';
import type { BuildOptions } from './reading.js';
import type { FromReader, SearchOrder } from './search-protocol.js';

export interface SearchThread {
  readonly worker: Worker;
  readonly control: Int32Array;
  /** What it posts, kept until there is time for it. */
  readonly messages: AsyncIterable<readonly FromReader[]>;
}

/** A build that has begun: what the folder was before, and the thread that reads it, if it is worth one. */
export interface Begun {
  readonly folder: FolderState;
  readonly thread: SearchThread | undefined;
}

/** Below this a second thread takes longer to start than it saves. */
const PARALLEL_BYTES = 8 << 20;

/** Whether a folder is worth a second thread. */
export const takesTwo = ({ bytes }: FolderState, { threads = availableParallelism() }: BuildOptions): boolean =>
  threads > 1 && bytes >= PARALLEL_BYTES;

/** Calls `onStarted` when the thread runs. */
export function startSearchThread({ onProgress: _, ...options }: BuildOptions, onStarted = () => {}): SearchThread {
  const control = createControl();
  const order: SearchOrder = { options, control };
  const worker = new Worker(new URL('./search-worker.js', import.meta.url), {
    workerData: order,
    resourceLimits: LITTLE_ROOM,
  });
  worker.once('online', onStarted);
  return { worker, control, messages: on(worker, 'message', { close: ['exit'] }) };
}
