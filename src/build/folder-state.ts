/** What the snapshots' place holds at a moment, without reading it: whether it has changed since, and how old it is. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mappingsBeside, type SnapshotPlace } from '../load/folder.js';

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
  const entries = await Promise.all(files.map(entryState));
  return {
    signature: entries.map(({ mark }) => mark).join('\n'),
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    modifiedAt: new Date(Math.max(0, ...entries.map(({ modifiedMs }) => modifiedMs))),
  };
}

/** The files of a place, and the mapping files that they may have. */
export async function filesIn({ dir, paths, sampleDir }: SnapshotPlace): Promise<readonly string[]> {
  const places = paths ?? (sampleDir === undefined ? [dir] : [dir, sampleDir]);
  return (await Promise.all(places.map(filesAt))).flat();
}

/** What stands in a folder; a file, and the mapping files that it may have. */
async function filesAt(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).sort().map((name) => join(path, name));
  } catch {
    return [path, ...mappingsBeside(path)];
  }
}

/** A file that has gone between listing and looking is one that is not there. */
async function entryState(path: string) {
  const found = await stat(path).catch(() => null);
  if (found === null) return { mark: `${path} gone`, bytes: 0, modifiedMs: 0 };
  const { ino, size, mtimeMs, ctimeMs } = found;
  return {
    mark: `${path} ${ino} ${size} ${mtimeMs} ${ctimeMs}`,
    bytes: found.isFile() ? size : 0,
    modifiedMs: found.isFile() ? mtimeMs : 0,
  };
}
