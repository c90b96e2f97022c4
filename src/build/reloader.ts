/**
 * Loads the snapshots again while the old ones are served: one load at a time, and one more after it if it was asked
 * for meanwhile. The new dataset is built on another thread and compared with the old one between requests. Another thread
 * builds the changes, where they are many. All is put in place in whole, or not at all.
 */
import type { LoadFailed } from '../load/load.js';
import type { LoadReport, SnapshotFault } from '../load/report/report.js';
import type { Dataset } from '../store/dataset.js';
import { assembleWith, type BuiltDataset } from './build.js';
import { compareReloaded, type Summaries, type Turnover, withAllChanges, withComparisons } from './compare.js';
import { dateOfPaths } from './dated.js';
import { runInSlices } from './slices.js';
import { buildPartsInWorker, type JobOptions } from './worker-jobs.js';

export interface Current {
  readonly dataset: Dataset;
  readonly report: LoadReport;
  readonly modifiedAt: Date;
}

export interface ReloadHandlers {
  /** The dataset that is served now, with its report. */
  readonly current: () => Current;
  /** Called with each new dataset, which is served from here on, and with what is different in it. */
  readonly onReloaded: (built: BuiltDataset, comparisons: Summaries) => void;
  readonly onFailed: (fault: SnapshotFault) => void;
  /** How many changes are kept. */
  readonly maxChanges?: number | undefined;
  /** Why a dump that can be read is refused all the same; null where it is served. */
  readonly refusalOf: (report: LoadReport, turnovers: ReadonlyMap<string, Turnover>) => string | null;
}

/** Calls `use` with the options of a load, once what they name is there; or says why it cannot be. */
export type WithOptions = <Result>(use: (options: JobOptions) => Promise<Result>) => Promise<Result | LoadFailed>;

/** Returns the function that asks for a reload; it resolves when no reload is left to do. */
export function createReloader(withOptions: WithOptions, handlers: ReloadHandlers): () => Promise<void> {
  let running: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      await reloadOnce(withOptions, handlers);
    } while (again);
    running = null;
  }

  return () => {
    if (running !== null) again = true;
    else running = run();
    return running;
  };
}

async function reloadOnce(withOptions: WithOptions, handlers: ReloadHandlers): Promise<void> {
  const { onReloaded, onFailed } = handlers;
  const loaded = await withOptions((options) => loadCompared(options, handlers)).catch(unexpected);
  if (!loaded.ok) return onFailed(loaded.fault);
  onReloaded(loaded.built, loaded.comparisons);
}

async function loadCompared(options: JobOptions, { current, refusalOf, maxChanges }: ReloadHandlers) {
  const parts = await buildPartsInWorker(options);
  if (!parts.ok) return parts;
  const { dataset, report, modifiedAt } = current();
  const isEmpty = parts.report.files.length === 0 || (parts.report.isSample && !report.isSample);
  if (isEmpty && holdsRecords(dataset)) return emptied(options.dir);
  const earlier = { version: dataset.version, modifiedAt };
  const before = { dataset, stores: dataset.collections, report, since: earlier };
  const dumpDate = dateOfPaths(options.paths ?? []) ?? parts.modifiedAt;
  const after = { ...parts, since: { version: parts.version, modifiedAt: dumpDate } };
  const { comparisons, turnovers } = await runInSlices(compareReloaded(before, after, maxChanges));
  const refusal = refusalOf(parts.report, turnovers);
  if (refusal !== null) return reloadFailure(options.dir, refusal);
  const built = await assembleWith(parts, options.engine);
  const allComparisons = await withAllChanges(comparisons, dataset.comparisons);
  const compared = await runInSlices(withComparisons(built.dataset, allComparisons));
  return { ok: true as const, built: { ...built, dataset: compared }, comparisons };
}

const holdsRecords = ({ collections }: Dataset): boolean => [...collections.values()].some(({ size }) => size > 0);

/** A folder that has gone, as while a disk is swapped, is no reason to serve nothing. */
const emptied = (dir: string) => reloadFailure(dir, 'the folder holds no snapshot any more');

const unexpected = (error: unknown) => reloadFailure('reload', error instanceof Error ? error.message : String(error));

const reloadFailure = (file: string, message: string) => ({ ok: false as const, fault: { file, message } });
