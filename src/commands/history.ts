/** The dumps before the served one: those of `--previous` and `--history`, and of folders that are a history by their names. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareWithDump, DumpHistory, type LoadedDump, loadPrevious, repeatsRecords } from '../build/compare.js';
import { type DatedPaths, dumpsIn, likelyHistory } from '../build/dated.js';
import { runInSlices } from '../build/slices.js';
import { folderState, watchFolder } from '../build/watch.js';
import type { Config, DumpPlace } from '../config.js';
import type { LoadFailed } from '../load/load.js';
import { type DumpSource, openSource, withFiles } from './dump-source.js';
import { say, withProgress } from './terminal.js';

/** Where the served dump is, and the dumps before it, the earliest first. */
export interface Timeline {
  readonly place: DumpPlace;
  readonly earlier: readonly DatedPaths[];
  /** The folder of all of them; null where they are named one by one. */
  readonly dir: string | null;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The dumps that a start reads; a message where there is none. */
export async function timelineOf(config: Config, place: DumpPlace): Promise<Timeline | string> {
  const { history, previous } = config;
  if (history !== undefined) return historyIn(history, place);
  const earlier = previous.length === 0 ? [] : [{ timeMs: 0, paths: previous }];
  if (previous.length > 0 || config['add-up']) return { place, earlier, dir: null };
  const paths = place.paths ?? [place.dir];
  const dumps = await likelyHistory(paths);
  if (dumps === null || !(await isHistory(dumps, place))) return { place, earlier, dir: null };
  const { length } = dumps;
  if (!config.quiet)
    say(`${paths.join(', ')} is a history of ${length} dumps, of which the newest is served; --add-up adds them up`);
  const [dir = '', ...others] = paths;
  return newestOf(dumps, place, others.length === 0 && isFolder(dir) ? dir : null);
}

async function historyIn(dir: string, place: DumpPlace): Promise<Timeline | string> {
  if (!isFolder(dir)) return `--history must be a folder of dumps, received "${dir}".`;
  const dumps = await dumpsIn(dir);
  if (place.paths !== undefined) {
    const served = new Set(place.paths.map((path) => resolve(path)));
    return { place, earlier: dumps.filter(({ paths }) => !paths.some((path) => served.has(resolve(path)))), dir: null };
  }
  return dumps.length === 0
    ? `--history must be a folder of dumps, and ${dir} has no file or folder that is one.`
    : newestOf(dumps, place, dir);
}

function newestOf(dumps: readonly DatedPaths[], place: DumpPlace, dir: string | null): Timeline {
  const newest = dumps.at(-1)?.paths ?? [];
  return { place: { ...withoutSample(place), paths: newest }, earlier: dumps.slice(0, -1), dir };
}

const withoutSample = ({ sampleDir: _, ...place }: DumpPlace): DumpPlace => place;

/** Whether dated files repeat one another's records; dated folders are dumps whatever they hold. */
async function isHistory([first, second]: readonly DatedPaths[], place: DumpPlace): Promise<boolean> {
  if (first === undefined || second === undefined) return false;
  if (first.paths.every(isFolder)) return true;
  const [before, after] = [await loadEarlier(first, place), await loadEarlier(second, place)];
  if (!before.ok || !after.ok) return false;
  const { comparisons } = await compareWithDump(before, after, 1);
  return repeatsRecords(comparisons);
}

const loadEarlier = ({ paths: dated }: DatedPaths, place: DumpPlace): Promise<LoadedDump | LoadFailed> =>
  withFiles({ ...place, dir: '', paths: dated }, ({ paths = [], fetched = {} }) =>
    withProgress((onProgress) => loadPrevious(paths, { ...place, fetched, onProgress })),
  );

/** The dumps before the served one, of which no more is kept than what the next comparison needs. */
export interface EarlierDumps {
  readonly ok: true;
  readonly history: DumpHistory;
  /** The last of them. */
  readonly last: LoadedDump | null;
}

/** Reads the earlier dumps one after the other. */
export async function readEarlier(
  { earlier, place }: Timeline,
  maxChanges: number,
): Promise<EarlierDumps | LoadFailed> {
  const history = new DumpHistory(maxChanges);
  let last: LoadedDump | null = null;
  for (const dated of earlier) {
    const dump = await loadEarlier(dated, place);
    if (!dump.ok) return dump;
    await runInSlices(history.add(dump));
    last = dump;
  }
  return { ok: true, history, last };
}

/** The source of the served dump. That of a history gives the newest dump in its folder, at each use anew. */
export async function dumpSource({ place, dir }: Timeline, isWatched: boolean): Promise<DumpSource> {
  if (dir === null) return openSource(place, isWatched);
  const folder = { ...place, paths: [dir] };
  const { signature } = await folderState(folder);
  return {
    use: async (use) => use({ ...place, paths: (await dumpsIn(dir)).at(-1)?.paths ?? place.paths ?? [] }),
    // The signature that `watch` is given is of the newest dump alone; that of the folder tells of later dumps.
    watch: (_, { onChange }, signal) => void watchFolder(folder, signature, onChange, signal),
  };
}
