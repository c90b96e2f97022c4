/** The dumps before the served one, and its comparison with them: those of `--previous` and `--history`, and of folders that are a history by their names. */
import { resolve } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { BuiltDataset } from '../build/build.js';
import {
  areDumpsOfHistory,
  countsText,
  DumpHistory,
  type LoadedDump,
  loadPrevious,
  nothingComparedText,
  remarksOn,
  storesOf,
  type Turnover,
  withComparisons,
} from '../build/compare.js';
import { type DatedPaths, dateOfPaths, dumpPathsIn, dumpsIn, likelyHistory } from '../build/dated.js';
import { gateFault, gateResults } from '../build/gates.js';
import { emptyFolderFailure } from '../build/reloader.js';
import { runInSlices } from '../build/slices.js';
import { folderState, watchFolder } from '../build/watch.js';
import { withBuildWorker } from '../build/worker-jobs.js';
import { type DumpPlace, gatesIn } from '../config/config.js';
import type { Config } from '../config/flags.js';
import type { LoadFailed } from '../load/load.js';
import { faultText, type SnapshotFault } from '../load/report/report.js';
import { isDirectory } from '../load/source/folder.js';
import type { Since } from '../store/changes/changes.js';
import type { Dataset } from '../store/dataset.js';
import { count } from '../text.js';
import { type DumpSource, openSource, withFiles } from './dump-source.js';
import type { ServeCommand } from './say-loaded.js';
import { fail, say, warn, warnAll, withProgress } from './terminal.js';

/** Where the served dump is, and the dumps before it, the earliest first. */
export interface Timeline {
  readonly place: DumpPlace;
  readonly earlier: readonly EarlierPaths[];
  /** The folder of all of them; null where they are named one by one. */
  readonly folder: HistoryFolder | null;
}

/** Dumps that were named have the dates of their names, or files. */
type EarlierPaths = Pick<DatedPaths, 'paths'> & Partial<DatedPaths>;

interface HistoryFolder {
  readonly dir: string;
  readonly dumps: readonly DatedPaths[];
}

/** The dumps that a start reads; a message where there is none. */
export async function timelineOf(config: Config, place: DumpPlace): Promise<Timeline | string> {
  const { history, previous } = config;
  if (history !== undefined) return historyIn(history, place);
  const earlier = previous.length === 0 ? [] : [{ paths: previous }];
  if (previous.length > 0 || config['add-up']) return { place, earlier, folder: null };
  const dumps = await likelyHistory(pathsOf(place));
  if (dumps === null || !(await isHistory(dumps, place))) return { place, earlier, folder: null };
  if (!config.quiet) say(historyText(place, dumps.length, 'served'));
  return newestOf(dumps, place, folderIn(place));
}

/** The dump that is read, and the paths of the one before it; none where it is no dump of a history. */
export interface NewestDump {
  readonly place: DumpPlace;
  readonly previous: readonly string[];
}

/** The dump that a command reads which serves nothing: the newest of those that are a history by their records too, as `serve` serves it. */
export async function newestOfHistory(place: DumpPlace, dumps: readonly DatedPaths[]): Promise<NewestDump> {
  if (!(await isHistory(dumps, place))) return { place, previous: [] };
  warn(historyText(place, dumps.length, 'read'));
  return { place: newestOf(dumps, place, null).place, previous: dumps.at(-2)?.paths ?? [] };
}

const pathsOf = ({ dir, paths = [dir] }: DumpPlace): readonly string[] => paths;

const historyText = (place: DumpPlace, dumpCount: number, verb: 'served' | 'read'): string =>
  `${pathsOf(place).join(', ')} is a history of ${dumpCount} dumps, of which the newest is ${verb}; --add-up adds them up`;

/** The folder that a place is; null where it is files, or several folders. */
function folderIn(place: DumpPlace): string | null {
  const [path = '', ...others] = pathsOf(place);
  return others.length === 0 && isDirectory(path) ? path : null;
}

async function historyIn(dir: string, place: DumpPlace): Promise<Timeline | string> {
  if (!isDirectory(dir)) return `--history must be a folder of dumps, received "${dir}".`;
  const dumps = await dumpsIn(dir);
  if (place.paths !== undefined) {
    const served = new Set(place.paths.map((path) => resolve(path)));
    return {
      place,
      earlier: dumps.filter(({ paths }) => !paths.some((path) => served.has(resolve(path)))),
      folder: null,
    };
  }
  return dumps.length === 0
    ? `--history must be a folder of dumps, and ${dir} has no file or folder that is one.`
    : newestOf(dumps, place, dir);
}

function newestOf(dumps: readonly DatedPaths[], place: DumpPlace, dir: string | null): Timeline {
  const newest = dumps.at(-1)?.paths ?? [];
  return {
    place: { ...withoutSample(place), paths: newest },
    earlier: dumps.slice(0, -1),
    folder: dir === null ? null : { dir, dumps },
  };
}

const withoutSample = ({ sampleDir: _, ...place }: DumpPlace): DumpPlace => place;

const isHistory = (dumps: readonly DatedPaths[], place: DumpPlace, isServing = false): Promise<boolean> =>
  withBuildWorker(isServing, (worker) => areDumpsOfHistory(dumps, (dated) => loadEarlier(dated, place, worker)));

const loadEarlier = (
  { paths: dated, timeMs }: EarlierPaths,
  place: DumpPlace,
  worker: Worker | undefined,
): Promise<LoadedDump | LoadFailed> =>
  withFiles({ ...place, dir: '', paths: dated }, ({ paths = [], fetched = {} }) => {
    const moment = { worker, ...(timeMs !== undefined && { timeMs }) };
    return withProgress((onProgress) => loadPrevious(paths, { ...place, ...moment, fetched, onProgress }));
  });

/** The dumps before the served one, of which no more is kept than what the next comparison needs. */
export interface EarlierDumps {
  readonly ok: true;
  readonly history: DumpHistory;
  readonly count: number;
  /** The last of them. */
  readonly last: LoadedDump | null;
}

/** Reads the earlier dumps one after the other. One of a folder that cannot be read is left out, which a warning says. */
export async function readEarlier({ earlier, place }: Timeline, config: Config): Promise<EarlierDumps | LoadFailed> {
  const history = new DumpHistory(config['max-changes']);
  let last: LoadedDump | null = null;
  let count = 0;
  const { bytes } = await folderState({ dir: '', paths: earlier.flatMap(({ paths }) => paths) });
  return withBuildWorker(bytes >= MIN_HISTORY_WORKER_BYTES, async (worker) => {
    for (const dated of earlier) {
      const dump = await loadEarlier(dated, place, worker);
      if (!dump.ok && (config.previous.length > 0 || config.strict)) return dump;
      if (!dump.ok) {
        warnLeftOut(dump.fault);
        continue;
      }
      await runInSlices(history.add(dump));
      last = dump;
      count++;
    }
    return { ok: true, history, count, last };
  });
}

/** From this on another thread loads the earlier dumps, whose garbage goes with it: the served one is loaded with less memory. */
const MIN_HISTORY_WORKER_BYTES = 4 << 20;

export const warnLeftOut = (fault: SnapshotFault): void => warn(`left out of the history: ${faultText(fault)}`);

/** The dataset with its changes since the dumps before it; null if a gate does not hold. */
export async function compareWithEarlier(
  { history, last, count: earlierCount }: EarlierDumps,
  { dataset, report }: BuiltDataset,
  { config }: ServeCommand,
  since: Since,
): Promise<Dataset | null> {
  /** Whether all gates hold; says the first that does not. */
  const passesGates = (turnovers: ReadonlyMap<string, Turnover> | null): boolean => {
    const fault = gateFault(gateResults(gatesIn(config), report, turnovers));
    if (fault !== null) fail(fault);
    return fault === null;
  };
  if (last === null) return passesGates(null) ? dataset : null;
  const { comparisons, turnovers } = await runInSlices(
    history.compare({ stores: storesOf(dataset.collections), report, since }),
  );
  const earlierText = earlierCount > 1 ? `, the last of ${count(earlierCount, 'earlier dump')}` : '';
  if (!config.quiet) say(`compared with ${last.since.name}${earlierText}: ${countsText(comparisons)}`);
  warnAll(comparisons.size === 0 ? [nothingComparedText(last, report)] : remarksOn(comparisons));
  return passesGates(turnovers) ? withComparisons(dataset, comparisons) : null;
}

/** The served dump: its version, and the date of its name, else of its files. Dumps of a history have their names. */
export function sinceOf({ dataset, modifiedAt }: BuiltDataset, { place: { paths = [] }, folder }: Timeline): Since {
  const newest = folder?.dumps.at(-1);
  return newest === undefined
    ? { version: dataset.version, modifiedAt: dateOfPaths(paths) ?? modifiedAt }
    : { version: dataset.version, modifiedAt: new Date(newest.timeMs), name: newest.paths.join(', ') };
}

/** The source of the served dump, and of the history whose newest one it is. */
export interface HistorySource extends Pick<DumpSource, 'watch'> {
  /** Calls `use` with the place of the newest dump, and all dumps of the history; null where there is none. */
  readonly use: <Result>(
    use: (place: DumpPlace, dumps: readonly DatedPaths[] | null) => Promise<Result>,
  ) => Promise<Result | LoadFailed>;
}

/**
 * The source of the served dump. That of a history gives the newest dump in its folder, at each use anew. A folder becomes a history
 * where a second dated file comes that repeats the records of the first.
 */
export async function dumpSource({ place, folder, earlier }: Timeline, config: Config): Promise<HistorySource> {
  const files = await openSource(place);
  const mayBecomeHistory = earlier.length === 0 && !config['add-up'] && config.history === undefined;
  const watchedDir = folder?.dir ?? (mayBecomeHistory ? folderIn(place) : null);
  if (watchedDir === null) return { ...files, use: (use) => files.use((fetched) => use(fetched, null)) };
  let isOfDumps = folder !== null;
  // The first two dumps were compared at the start, and decide for as long as they are there.
  let comparedPaths = firstPaths(await likelyHistory([watchedDir]));
  const startPaths = folder?.dumps.flatMap(({ paths }) => paths).sort();
  const signature = startPaths && (await folderState({ ...place, paths: startPaths })).signature;
  return {
    async use(use) {
      const dumps = isOfDumps ? await dumpsIn(watchedDir).catch(noneWhereGone) : await newHistory(watchedDir);
      if (dumps?.length === 0) return emptyFolderFailure(watchedDir);
      return dumps === null
        ? files.use((fetched) => use(fetched, null))
        : use({ ...withoutSample(place), paths: dumps.at(-1)?.paths ?? place.paths ?? [] }, dumps);
    },
    watch: (before, { onChange }, signal) =>
      void watchFolder(
        async () => (isOfDumps ? { ...place, paths: await dumpPathsIn(watchedDir) } : place),
        signature ?? before,
        onChange,
        signal,
      ),
  };

  async function newHistory(dir: string): Promise<readonly DatedPaths[] | null> {
    const dumps = await likelyHistory([dir]);
    const paths = firstPaths(dumps);
    if (dumps === null || paths === comparedPaths) return null;
    comparedPaths = paths;
    isOfDumps = await isHistory(dumps, place, true);
    if (!isOfDumps) return null;
    say(historyText(place, dumps.length, 'served'));
    return dumps;
  }
}

/** A folder that is not there has no dumps; that one cannot be listed for another reason is a fault. */
function noneWhereGone(error: unknown): readonly DatedPaths[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}

/** The files of the first two dumps, by which `isHistory` decides. */
const firstPaths = (dumps: readonly DatedPaths[] | null): string =>
  (dumps ?? [])
    .slice(0, 2)
    .flatMap(({ paths }) => paths)
    .join('\n');
