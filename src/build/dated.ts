/**
 * Dumps by their dates: `2026-11-01`, `products_20261101.json.gz`, `shop-2026-11-27T0300.csv`. Of a folder each file or folder is
 * a dump, dated by its name, else by its time; files of one date are one dump.
 */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { dateInName } from '../load/source/dated-name.js';
import { isDumpFile } from '../load/source/folder.js';
import { folderState } from './watch.js';

/** Files and folders of one date. */
export interface DatedPaths {
  readonly timeMs: number;
  readonly paths: readonly string[];
  /** The state of the files when they were listed: another one where a file was written again. */
  readonly signature: string;
}

/** The date of a path's name, or of its folder's; undefined where neither has one. */
const dateOfPath = (path: string): number | undefined =>
  dateInName(basename(path))?.timeMs ?? dateInName(basename(dirname(path)))?.timeMs;

/** The dumps that a reload compares, of a folder whose dumps so far are a history. */
export interface HistorySteps {
  /** The dumps before the newest that are to be compared as well, the earliest first. */
  readonly between: readonly DatedPaths[];
  /** Whether the history begins anew with them: one came late, is gone, or is another one than was compared. */
  readonly isAnew: boolean;
  /** Whether the newest dump is another one than before. */
  readonly isNewDump: boolean;
}

/** The steps of a history that begins anew. */
export const stepsAnew = (dumps: readonly DatedPaths[]): HistorySteps => ({
  between: dumps.slice(0, -1),
  isAnew: true,
  isNewDump: true,
});

/**
 * The steps from the dumps that a history has, null where there was none yet, to those in its folder now. Where a dump of a date was
 * written again, the history begins anew, as changes of its former state are none; a last file without a date is another dump then.
 */
export function historySteps(earlier: readonly DatedPaths[] | null, now: readonly DatedPaths[]): HistorySteps {
  const last = (earlier?.length ?? 0) - 1;
  const goesOn = earlier?.every(({ timeMs, paths, signature }, i) => {
    const dump = now[i];
    if (dump === undefined || dump.paths.join('\n') !== paths.join('\n')) return false;
    return dump.signature === signature || (i === now.length - 1 && dump.timeMs > timeMs);
  });
  return goesOn
    ? { between: now.slice(last + 1, -1), isAnew: false, isNewDump: now.length > last + 1 }
    : stepsAnew(now);
}

/** The latest date in the names of paths; undefined where one has none. */
export function dateOfPaths(paths: readonly string[]): Date | undefined {
  const times = paths.map(dateOfPath);
  return times.length === 0 || times.includes(undefined) ? undefined : new Date(Math.max(...times.map(Number)));
}

/**
 * The dumps of a folder, the earliest first: its files, and the folders in it that hold one, unlike a folder of pictures. Rejects
 * where the folder cannot be listed.
 */
export const dumpsIn = async (dir: string): Promise<readonly DatedPaths[]> => dumpsByTime(await timesIn(dir));

/** The paths of the dumps of a folder by their names: no more than a look at the folder needs. Rejects as `dumpsIn` does. */
export const dumpPathsIn = async (dir: string): Promise<readonly string[]> =>
  (await timesIn(dir)).map(([path]) => path);

async function timesIn(dir: string): Promise<readonly TimeOfPath[]> {
  const times: TimeOfPath[] = [];
  for (const name of (await readdir(dir)).sort()) {
    if (name.startsWith('.')) continue;
    const path = join(dir, name);
    if (await isDumpAt(path)) times.push([path, dateInName(name)?.timeMs ?? (await modifiedMs(path))]);
  }
  return times;
}

/** Whether a path is a dump, or a folder with one. */
async function isDumpAt(path: string): Promise<boolean> {
  // For a file the listing fails, as for a folder that has gone meanwhile.
  const names = await readdir(path).catch(() => [basename(path)]);
  return names.some(isDumpFile);
}

type TimeOfPath = readonly [path: string, timeMs: number];

/** The paths of each time as a dump, the earliest first. */
async function dumpsByTime(times: readonly TimeOfPath[]): Promise<readonly DatedPaths[]> {
  const dumps = new Map<number, string[]>();
  for (const [path, timeMs] of times) dumps.set(timeMs, [...(dumps.get(timeMs) ?? []), path]);
  const dated: DatedPaths[] = [];
  // Dumps are looked at one after the other: many at once would keep the event loop from requests.
  for (const [timeMs, paths] of dumps)
    dated.push({ timeMs, paths, signature: (await folderState({ dir: '', paths })).signature });
  return dated.sort((a, b) => a.timeMs - b.timeMs);
}

const modifiedMs = async (path: string): Promise<number> =>
  (await folderState({ dir: '', paths: [path] })).modifiedAt.getTime();

/**
 * The dumps of a folder, or of files, whose names say that they are a history: dated folders alone, or files of one name that
 * differ by a date. Null for any other. Whether the files repeat one another's records is told by their contents.
 */
export async function likelyHistory(paths: readonly string[]): Promise<readonly DatedPaths[] | null> {
  const [dir = ''] = paths;
  const inside = paths.length > 1 ? [] : (await readdir(dir).catch(() => [])).filter((name) => !name.startsWith('.'));
  const all = inside.length > 0 ? inside.map((name) => join(dir, name)) : paths;
  const files = all.filter((path) => isDumpFile(basename(path)));
  const folders = all.filter((path) => !files.includes(path) && dateInName(basename(path)) !== undefined);
  const isOfFolders = files.length === 0 && folders.length > 1;
  const stems = files.map((path) => dateInName(basename(path))?.stem);
  const isOfFiles = files.length > 1 && !stems.includes(undefined) && new Set(stems).size < stems.length;
  if (!isOfFolders && !isOfFiles) return null;
  const dumps = await dumpsByTime((isOfFolders ? folders : files).map((path) => [path, dateOfPath(path) ?? 0]));
  return dumps.length > 1 ? dumps : null;
}
