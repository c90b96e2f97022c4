/**
 * How are newer records put in place of the served ones?
 * Takes: what asks for a reload, and what is served now.
 * Gives: another dataset, built on another thread while the old one is served, and compared with it between requests: in whole, or not
 * at all. One load runs at a time, and one more after it if it was asked for meanwhile.
 * Skip: how dumps are compared (`compare.ts`, `store/changes/`).
 */
import type { LoadFailed } from '../load/load.js';
import type { LoadReport, SnapshotFault } from '../load/report/report.js';
import type { Since } from '../store/changes/changes.js';
import type { Dataset } from '../store/dataset.js';
import { assembleWith, type BuiltDataset } from './build.js';
import { DumpHistory, loadPrevious, type Summaries, type Turnover, withComparisons } from './compare.js';
import { type DatedPaths, dateOfPaths, type HistorySteps, historySteps, stepsAnew } from './dated.js';
import type { BuiltParts } from './parts.js';
import { runInSlices } from './slices.js';
import { buildPartsInWorker, type JobOptions, withBuildWorker } from './worker-jobs.js';

/** The dump that is served, and all dumps of its history; null where it has none. */
export interface ServedDumps {
  readonly since: Since;
  readonly dumps: readonly DatedPaths[] | null;
}

export interface ReloadHandlers {
  /** The dataset that is served now, with its report. */
  readonly current: () => { readonly dataset: Dataset; readonly report: LoadReport };
  /** Called with each new dataset, which is served from here on, with what is different in it, and what was compared. */
  readonly onReloaded: (built: BuiltDataset, comparisons: Summaries, steps: HistorySteps) => void;
  readonly onFailed: (fault: SnapshotFault) => void;
  /** Called with each dump before the newest that cannot be read. */
  readonly onLeftOut: (fault: SnapshotFault) => void;
  /** How many changes are kept. */
  readonly maxChanges?: number | undefined;
  /** Why a dump that can be read is refused all the same; null where it is served. */
  readonly refusalOf: (report: LoadReport, turnovers: ReadonlyMap<string, Turnover>) => string | null;
}

/**
 * Fetches what has to be fetched, then calls `use` with the options of the load; returns the fault where fetching fails. `dumps`: all dumps of the history
 * whose newest one is loaded; null where it has none.
 */
export type WithOptions = <Result>(
  use: (options: JobOptions, dumps: readonly DatedPaths[] | null) => Promise<Result>,
) => Promise<Result | LoadFailed>;

/** Returns the function that asks for a reload; it resolves when no reload is left to do. `served`: what the start loaded. */
export function createReloader(
  withOptions: WithOptions,
  handlers: ReloadHandlers,
  served: ServedDumps,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  let again = false;
  let current = served;

  async function run(): Promise<void> {
    do {
      again = false;
      await reloadOnce();
    } while (again);
    running = null;
  }

  async function reloadOnce(): Promise<void> {
    const { onReloaded, onFailed } = handlers;
    const loaded = await withOptions((options, dumps) => loadCompared(options, dumps, current, handlers)).catch(
      unexpectedFailure,
    );
    if (!loaded.ok) return onFailed(loaded.fault);
    current = loaded.served;
    onReloaded(loaded.built, loaded.comparisons, loaded.steps);
  }

  return () => {
    if (running !== null) again = true;
    else running = run();
    return running;
  };
}

const NO_STEPS: HistorySteps = { between: [], isAnew: false, isNewDump: false };

/** Loads the newer dump, compares it with the served one and with the dumps between, asks the gates, and assembles; the first of these that fails ends it. */
async function loadCompared(
  options: JobOptions,
  dumps: readonly DatedPaths[] | null,
  served: ServedDumps,
  { current, refusalOf, onLeftOut, maxChanges }: ReloadHandlers,
) {
  const parts = await buildPartsInWorker(options);
  if (!parts.ok) return parts;
  const { dataset, report } = current();
  const isEmpty = parts.report.files.length === 0 || (parts.report.isSample && !report.isSample);
  if (isEmpty && holdsRecords(dataset)) return emptyFolderFailure(options.dir);
  const since = dumps?.length ? sinceOfNewest(parts, dumps) : sinceOfFiles(parts, options, served);
  const comparedIn = async (steps: HistorySteps) => {
    const history = steps.isAnew
      ? new DumpHistory(maxChanges)
      : await runInSlices(DumpHistory.from({ dataset, report, since: served.since }, maxChanges));
    const leftOut: SnapshotFault[] = [];
    await withBuildWorker(steps.between.length > 0, async (worker) => {
      for (const { paths, timeMs } of steps.between) {
        const dump = await loadPrevious(paths, { ...options, timeMs, worker });
        if (dump.ok) await runInSlices(history.add(dump));
        else leftOut.push(dump.fault);
      }
    });
    const compared = await runInSlices(history.compare({ ...parts, since }));
    return { ...compared, steps, leftOut, isServedIncomplete: history.isServedIncomplete };
  };
  const goneOn = await comparedIn(dumps === null ? NO_STEPS : historySteps(served.dumps, dumps));
  // Only the newer dump shows that the served one broke off: it was compared as a whole one, so all dumps are compared anew.
  const isTooLate = dumps !== null && goneOn.steps.isNewDump && goneOn.isServedIncomplete;
  const { comparisons, turnovers, steps, leftOut } = isTooLate ? await comparedIn(stepsAnew(dumps)) : goneOn;
  leftOut.forEach(onLeftOut);
  const refusal = refusalOf(parts.report, turnovers);
  if (refusal !== null) return reloadFailure(options.dir, refusal);
  const built = await assembleWith(parts, options.engine);
  const compared = await withComparisons(built.dataset, comparisons, dataset.comparisons, steps.isNewDump);
  return {
    ok: true as const,
    built: { ...built, dataset: compared },
    comparisons,
    steps,
    served: { since, dumps },
  };
}

function sinceOfNewest({ version }: BuiltParts, dumps: readonly DatedPaths[]): Since {
  const { timeMs = 0, paths = [] } = dumps.at(-1) ?? {};
  return { version, modifiedAt: new Date(timeMs), name: paths.join(', ') };
}

/** The date of the newer dump; the present time where its files are older than the served ones, as after an older file was put back. */
function sinceOfFiles({ version, modifiedAt }: BuiltParts, { paths = [] }: JobOptions, { since }: ServedDumps): Since {
  const date = dateOfPaths(paths) ?? modifiedAt;
  return { version, modifiedAt: date < since.modifiedAt ? new Date() : date };
}

const holdsRecords = ({ collections }: Dataset): boolean => [...collections.values()].some(({ size }) => size > 0);

/** A folder that has gone, as while a disk is swapped, is no reason to serve nothing. */
export const emptyFolderFailure = (dir: string): LoadFailed =>
  reloadFailure(dir, 'the folder holds no snapshot any more');

const unexpectedFailure = (error: unknown) =>
  reloadFailure('reload', error instanceof Error ? error.message : String(error));

const reloadFailure = (file: string, message: string): LoadFailed => ({
  ok: false,
  fault: { file, message },
  others: [],
});
