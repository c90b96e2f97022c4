/** Threads that build: what they make is moved, not copied, to the thread that asked for it. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Language } from '../languages.js';
import type { LoadFailed } from '../load/load.js';
import type { CollectionModel } from '../model.js';
import type { ChangesParts, ChangesSource, ChangesTexts } from '../store/changes/change-collection.js';
import type { LoggedChanges } from '../store/changes/change-log.js';
import type { RecordStore } from '../store/collection.js';
import type { RecordStores } from '../store/dataset.js';
import { BatchPool, type PooledBatch } from './batch-pool.js';
import type { BuildOptions, Built, BuiltParts, VersionedStores } from './parts.js';
import { isNeededHere, type TextPartsBuilder, type TextPartsByName } from './text-parts.js';

const ENDED_EARLY = 'a thread that builds the dataset ended before it was done';

/** An order to the thread that builds texts: collections and their batches, then the end. */
export type TextOrder =
  | { readonly kind: 'open'; readonly model: CollectionModel; readonly language: Language }
  | { readonly kind: 'batch'; readonly collection: string; readonly pooled: PooledBatch; readonly size: number }
  | { readonly kind: 'finish' };

/** A message of a thread: any number of notes, then the result. What fails ends the thread, and is thrown on the one that asked. */
type ThreadMessage<Note, Result> = { readonly note: Note } | { readonly result: Result };
/** The thread that builds texts gives back the buffers whose batches it has taken. */
export type TextMessage = ThreadMessage<ArrayBuffer, TextPartsByName>;

interface TextWorker extends TextPartsBuilder<Promise<TextPartsByName>> {
  /** Waits until the thread is ready for the batches of another chunk; throws where it ended. */
  whenReady(): Promise<void>;
  /** Ends the thread, whose result is not needed. */
  cancel(): Promise<unknown>;
}

/** A second thread that builds what `createTextPartsBuilder` does. Batches go to it in one direction; one answer comes back. */
export function startTextWorker(): TextWorker {
  const worker = new Worker(new URL('./search-worker.js', import.meta.url));
  const pool = new BatchPool();
  const result = resultFrom<ArrayBuffer, TextPartsByName>(worker, (buffer) => pool.takeBack(buffer)).catch(
    failWithoutCode,
  );
  // The result is awaited only once the stores are built: a failure before that must not count as unhandled.
  result.catch((error) => pool.fail(error));
  let orders: TextOrder[] = [];
  /** Posts the orders since the last time in one message: to wake a thread takes as long as to fill several batches. */
  const post = (): void => {
    if (orders.length === 0) return;
    worker.postMessage(
      orders,
      orders.flatMap((order) => (order.kind === 'batch' ? [order.pooled.buffer] : [])),
    );
    orders = [];
  };
  return {
    openCollection(model, language) {
      const needed = model.fields
        .map((field, column) => ({ field, column }))
        .filter(({ field }) => isNeededHere(field));
      const columns = needed.map(({ column }) => column);
      orders.push({ kind: 'open', model: { ...model, fields: needed.map(({ field }) => field) }, language });
      return (batch, rows, size) => {
        orders.push({ kind: 'batch', collection: model.name, pooled: pool.fill(batch, columns, rows), size });
      };
    },
    whenReady() {
      post();
      return pool.whenReady();
    },
    finish() {
      orders.push({ kind: 'finish' });
      post();
      return result;
    },
    cancel: () => worker.terminate(),
  };
}

/** Throws an error without its code, which a reader of files would take for one of the system. */
function failWithoutCode(error: unknown): never {
  throw error instanceof Error && 'code' in error ? new Error(error.message, { cause: error }) : error;
}

/** Options that can be sent to a thread. */
export type JobOptions = Omit<BuildOptions, 'onProgress'>;

/** A thread builds a dataset, or its stores alone, or of the changes of a collection one half: what lists need, or what searches need. */
export type BuildJob =
  | { readonly builds: 'dataset' | 'stores'; readonly options: JobOptions }
  | { readonly builds: 'changes'; readonly source: ChangesSource }
  | { readonly builds: 'texts of changes'; readonly log: LoggedChanges };

/** The progress of a load. */
type Progress = Parameters<NonNullable<BuildOptions['onProgress']>>;
/** The thread that builds tells its progress. */
export type BuildMessage = ThreadMessage<Progress, unknown>;

/** Builds a whole dataset off the thread that serves. */
export async function buildPartsInWorker({ onProgress, ...options }: BuildOptions): Promise<BuiltParts | LoadFailed> {
  const parts = await resultOfJob<BuiltParts | LoadFailed>({ builds: 'dataset', options }, onProgress);
  return parts.ok ? { ...parts, stores: allWithBuffers(parts.stores) } : parts;
}

/** Builds what is compared of a dump off the thread that serves, on a thread for many dumps. */
export async function buildStoresInWorker(
  { onProgress, ...options }: BuildOptions,
  worker: Worker,
): Promise<Built<VersionedStores>> {
  const built = await resultOn<Built<VersionedStores>>(worker, { builds: 'stores', options }, onProgress);
  return built.ok ? { ...built, made: { ...built.made, stores: allWithBuffers(built.made.stores) } } : built;
}

/** Builds changes off the thread that serves. The log is in shared memory, and the ids of records are copied. */
export const buildChangesInWorker = (source: ChangesSource): Promise<ChangesParts> =>
  resultOfJob<ChangesParts>({
    builds: 'changes',
    source: { ...source, log: plainLog(source.log) },
  });

/** Builds what searches of changes need off the thread that serves. */
export const indexTextsInWorker = (log: LoggedChanges): Promise<ChangesTexts> =>
  resultOfJob<ChangesTexts>({ builds: 'texts of changes', log: plainLog(log) });

/** A log without the records that are gone, which only comparisons need, and which would be copied. */
const plainLog = ({ dumps, fields, dropped }: LoggedChanges): LoggedChanges => ({ dumps, fields, dropped });

/** Calls `use` with a thread for jobs one after the other, which ends then; without one where none is worth it. */
export const withBuildWorker = <Result>(
  isWorthIt: boolean,
  use: (worker: Worker | undefined) => Promise<Result>,
): Promise<Result> => (isWorthIt ? withNewWorker(use) : use(undefined));

async function withNewWorker<Result>(use: (worker: Worker) => Promise<Result>): Promise<Result> {
  const worker = new Worker(new URL('./worker.js', import.meta.url));
  try {
    return await use(worker);
  } finally {
    void worker.terminate();
  }
}

/** Has a job done by a thread of its own. */
const resultOfJob = <Result>(job: BuildJob, onProgress?: BuildOptions['onProgress']): Promise<Result> =>
  withNewWorker((worker) => resultOn<Result>(worker, job, onProgress));

/** Has a job done by a thread. */
function resultOn<Result>(worker: Worker, job: BuildJob, onProgress: BuildOptions['onProgress']): Promise<Result> {
  worker.postMessage(job);
  return resultFrom<Progress, Result>(worker, (progress) => onProgress?.(...progress));
}

/** Waits for the result of a thread. */
async function resultFrom<Note, Result>(worker: Worker, onNote: (note: Note) => void): Promise<Result> {
  for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
    const threadMessage: ThreadMessage<Note, Result> = message;
    if ('result' in threadMessage) return threadMessage.result;
    onNote(threadMessage.note);
  }
  throw new Error(ENDED_EARLY);
}

const allWithBuffers = (stores: RecordStores): RecordStores =>
  new Map([...stores].map(([name, store]) => [name, withBuffers(store)]));

/** The store with its chunks as buffers again: they arrive as plain byte arrays. */
function withBuffers(store: RecordStore): RecordStore {
  const chunks = store.text.chunks.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return { ...store, text: { ...store.text, chunks } };
}
