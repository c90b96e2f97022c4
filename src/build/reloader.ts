/**
 * Loads the snapshots again while the old ones are served: one load at a time, and one more after it if it was asked
 * for meanwhile. The new dataset is built on another thread and put in place in whole, or not at all.
 */
import type { SnapshotFault } from '../load/report.js';
import type { Dataset } from '../store/dataset.js';
import { type Difference, differenceOf } from '../store/diff.js';
import { assembleWith, type BuiltDataset } from './build.js';
import { runInSlices } from './slices.js';
import { buildPartsInWorker, type JobOptions } from './worker-jobs.js';

export interface ReloadHandlers {
  /** What is served now. */
  readonly current: () => Dataset;
  /** Called with each new dataset before anything is counted: from here on it is served. */
  readonly replace: (built: BuiltDataset) => void;
  readonly onReloaded: (built: BuiltDataset, difference: Difference) => void;
  readonly onFailed: (fault: SnapshotFault) => void;
}

/** Returns the function that asks for a reload; it resolves when no reload is left to do. */
export function createReloader(options: JobOptions, handlers: ReloadHandlers): () => Promise<void> {
  let running: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      await reloadOnce(options, handlers);
    } while (again);
    running = null;
  }

  return () => {
    if (running !== null) again = true;
    else running = run();
    return running;
  };
}

async function reloadOnce(
  options: JobOptions,
  { current, replace, onReloaded, onFailed }: ReloadHandlers,
): Promise<void> {
  const parts = await buildPartsInWorker(options).catch(unexpected);
  if (!parts.ok) return onFailed(parts.fault);
  const before = current();
  if (parts.report.files.length === 0 && holdsRecords(before)) return onFailed(emptied(options.dir));
  const built = await assembleWith(parts, options.engine);
  replace(built);
  onReloaded(built, await runInSlices(differenceOf(before, built.dataset)));
}

const holdsRecords = ({ collections }: Dataset): boolean => [...collections.values()].some(({ size }) => size > 0);

/** A folder that has gone, as while a disk is swapped, is no reason to serve nothing. */
const emptied = (dir: string): SnapshotFault => ({ file: dir, message: 'the folder holds no snapshot any more' });

const unexpected = (error: unknown) => ({
  ok: false as const,
  fault: { file: 'reload', message: error instanceof Error ? error.message : String(error) },
});
