/** Reads the snapshot folder into whatever is built of it, on whichever thread. */
import { type BatchSink, type LoadOptions, loadSnapshots, type RawSink, type RecordSink } from '../load/load.js';
import type { LoadReport, SnapshotFault } from '../load/report.js';
import { IndexLimitError } from '../search/limits.js';
import { collectGarbage } from './garbage.js';

export interface BuildOptions extends Omit<LoadOptions, 'onRecord' | 'onRaw' | 'onBatch' | 'isEnough'> {
  /** Processors to use; those of the machine if not given. */
  readonly threads?: number;
}

/** Takes records, and becomes what is made of them. */
export interface Builder<Made> {
  readonly add: RecordSink;
  readonly addRaw: RawSink;
  readonly addBatch?: BatchSink;
  finish(): Made;
}

export interface Failed {
  readonly ok: false;
  readonly fault: SnapshotFault;
}

export type Built<Made> = { readonly ok: true; readonly made: Made; readonly report: LoadReport } | Failed;

/** Reads the folder into a builder. */
export async function buildFrom<Made>(
  options: Omit<LoadOptions, 'onRecord' | 'onRaw' | 'onBatch'>,
  builder: Builder<Made>,
): Promise<Built<Made>> {
  const { add: onRecord, addRaw: onRaw, addBatch: onBatch } = builder;
  const loaded = await loadSnapshots({ ...options, onRecord, onRaw, ...(onBatch && { onBatch }) });
  if (!loaded.ok) return loaded;
  collectGarbage();
  return { ok: true, made: builder.finish(), report: loaded.report };
}

/** What `build` gives, or the folder's fault where there is more than an index can hold. */
export async function withinLimits<T>(dir: string, build: () => Promise<T>): Promise<T | Failed> {
  try {
    return await build();
  } catch (error) {
    if (error instanceof IndexLimitError) return { ok: false, fault: { file: dir, message: error.message } };
    throw error;
  }
}
