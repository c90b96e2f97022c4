/**
 * The snapshots' place: its state, made without reading the files, and its watch. To look at it now and then works on every
 * file system and for a folder that is not there yet. A change is reported once the folder has been at rest for a while: several
 * files one after the other cause one reload. A file whose last record is cut off is probably still being written, and has to rest for longer.
 */
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dateInName } from '../load/source/dated-name.js';
import { isDumpOrMapping, mappingsBeside, READ_WITHOUT_WAITING, type SnapshotPlace } from '../load/source/folder.js';
import { parsedJson } from '../text.js';

export interface FolderState {
  /** Equal only while no file is added, removed, replaced, renamed or written to. */
  readonly signature: string;
  readonly bytes: number;
  /** When the newest of the files was modified. */
  readonly modifiedAt: Date;
}

/** A folder that is missing has the state of an empty one. */
export async function folderState(place: SnapshotPlace): Promise<FolderState> {
  const files = await filesIn(place);
  const entries: Awaited<ReturnType<typeof entryState>>[] = [];
  // All at once they would keep the event loop from requests.
  for (let at = 0; at < files.length; at += STATS_AT_ONCE)
    entries.push(...(await Promise.all(files.slice(at, at + STATS_AT_ONCE).map(entryState))));
  return {
    signature: entries.map(({ mark }) => mark).join('\n'),
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    modifiedAt: new Date(Math.max(0, ...entries.map(({ modifiedMs }) => modifiedMs))),
  };
}

const STATS_AT_ONCE = 64;

/** The files of a place, and the mapping files that they may have. */
async function filesIn({ dir, paths, sampleDir }: SnapshotPlace): Promise<readonly string[]> {
  const places = paths ?? (sampleDir === undefined ? [dir] : [dir, sampleDir]);
  return (await Promise.all(places.map(filesAt))).flat();
}

/** The entries of a folder that are read; for a file the file itself, and the mapping files that it may have. */
async function filesAt(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path))
      .filter((name) => isDumpOrMapping(name) || dateInName(name) !== undefined)
      .sort()
      .map((name) => join(path, name));
  } catch {
    return [path, ...mappingsBeside(path)];
  }
}

/** The state of a file. A file that was removed after the listing counts as missing. */
async function entryState(path: string) {
  const stats = await stat(path).catch(() => null);
  if (stats === null) return { mark: `${path} gone`, bytes: 0, modifiedMs: 0 };
  const { ino, size, mtimeMs, ctimeMs } = stats;
  return {
    mark: `${path} ${ino} ${size} ${mtimeMs} ${ctimeMs}`,
    bytes: stats.isFile() ? size : 0,
    modifiedMs: stats.isFile() ? mtimeMs : 0,
  };
}

/** The least time between two looks. */
const LOOK_EVERY_MS = 250;

/** The time to the next look: looking takes at most a tenth of the time. */
export const msToNextLook = (lookMs: number): number => Math.max(LOOK_EVERY_MS, 9 * lookMs);

/** Looks without a change before the folder counts as at rest, and where one of its files is cut. */
const REST_LOOKS = 2;
const CUT_REST_LOOKS = 12;

/**
 * Calls `onChange` after each change since the folder had the signature `before`; ends when the signal aborts. Where the
 * files to watch change, `place` is a function that is called before each look. If it rejects, as for a network folder that is
 * away, the place counts as empty, and is looked at again.
 */
export async function watchFolder(
  place: SnapshotPlace | (() => Promise<SnapshotPlace>),
  before: string,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  let reportedSignature = before;
  let lastSignature = reportedSignature;
  let restLooks = 0;
  let lookMs = 0;
  while (!signal.aborted) {
    await wait(msToNextLook(lookMs), undefined, { ref: false, signal }).catch(() => {});
    const startedAt = performance.now();
    const placeNow = typeof place === 'function' ? await place().catch(() => NO_FILES) : place;
    const { signature } = await folderState(placeNow);
    lookMs = performance.now() - startedAt;
    restLooks = signature === lastSignature ? restLooks + 1 : 0;
    lastSignature = signature;
    if (lastSignature === reportedSignature || restLooks < REST_LOOKS) continue;
    if (restLooks < CUT_REST_LOOKS && (await holdsCutFile(placeNow))) continue;
    reportedSignature = lastSignature;
    onChange();
  }
}

const NO_FILES: SnapshotPlace = { dir: '', paths: [] };

/** Bytes at the end of a file that show whether it is cut. */
const TAIL_BYTES = 1 << 16;

async function holdsCutFile(place: SnapshotPlace): Promise<boolean> {
  for (const path of await filesIn(place)) if (isCut(path, await tailOf(path))) return true;
  return false;
}

/**
 * Whether a dump ends inside of a record: JSON that no bracket closes, a line of NDJSON that is none, a line of CSV without its
 * line break. Archives count as whole.
 */
export function isCut(path: string, tail: string): boolean {
  const last = tail.trimEnd().at(-1);
  if (last === undefined) return false;
  if (/\.json$/i.test(path)) return last !== ']' && last !== '}';
  if (/\.(?:ndjson|jsonl|jl)$/i.test(path)) {
    const line = tail.trimEnd().split('\n').at(-1) ?? '';
    return line.length < TAIL_BYTES && parsedJson(line) === undefined;
  }
  return /\.(?:csv|tsv)$/i.test(path) && !/[\r\n]$/.test(tail);
}

/** The last bytes of a file as text; empty where it cannot be read, which its reader reports, or is no file. */
async function tailOf(path: string): Promise<string> {
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  const file = isFile ? await open(path, READ_WITHOUT_WAITING).catch(() => undefined) : undefined;
  try {
    const { size = 0 } = (await file?.stat()) ?? {};
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    await file?.read(tail, 0, tail.length, size - tail.length);
    return tail.toString('utf8');
  } catch {
    return '';
  } finally {
    await file?.close();
  }
}
