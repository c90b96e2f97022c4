/** The state of the snapshots' files, made without reading them: it shows whether they have changed, and how old they are. */
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

/** The entries of a folder; for a file the file itself, and the mapping files that it may have. */
async function filesAt(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).sort().map((name) => join(path, name));
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
