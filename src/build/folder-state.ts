/** What a snapshot folder holds at a moment, without reading it: whether it has changed since, and how old it is. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface FolderState {
  /** Equal only while no file is added, removed, replaced, renamed or written to. */
  readonly signature: string;
  readonly bytes: number;
  /** When the newest of the files was modified. */
  readonly modifiedAt: Date;
}

/** The state of a folder; one that is missing has that of an empty one. */
export async function folderState(dir: string): Promise<FolderState> {
  const names = await readdir(dir).catch(() => []);
  const entries = await Promise.all(names.sort().map((name) => entryState(dir, name)));
  return {
    signature: entries.map(({ mark }) => mark).join('\n'),
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    modifiedAt: new Date(Math.max(0, ...entries.map(({ modifiedMs }) => modifiedMs))),
  };
}

/** A file that has gone between listing and looking is one that is not there. */
async function entryState(dir: string, name: string) {
  const found = await stat(join(dir, name)).catch(() => null);
  if (found === null) return { mark: `${name} gone`, bytes: 0, modifiedMs: 0 };
  const { ino, size, mtimeMs, ctimeMs } = found;
  return {
    mark: `${name} ${ino} ${size} ${mtimeMs} ${ctimeMs}`,
    bytes: found.isFile() ? size : 0,
    modifiedMs: mtimeMs,
  };
}
