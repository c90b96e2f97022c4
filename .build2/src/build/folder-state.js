/** What the snapshots' place holds at a moment, without reading it: whether it has changed since, and how old it is. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mappingsBeside } from '../load/folder.js';
/** A folder that is missing has the state of an empty one. */
export async function folderState({ dir, paths = [dir] }) {
    const files = (await Promise.all(paths.map(filesAt))).flat();
    const entries = await Promise.all(files.map(entryState));
    return {
        signature: entries.map(({ mark }) => mark).join('\n'),
        bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
        modifiedAt: new Date(Math.max(0, ...entries.map(({ modifiedMs }) => modifiedMs))),
    };
}
/** What stands in a folder; a file, and the mapping files that it may have. */
async function filesAt(path) {
    try {
        return (await readdir(path)).sort().map((name) => join(path, name));
    }
    catch {
        return [path, ...mappingsBeside(path)];
    }
}
/** A file that has gone between listing and looking is one that is not there. */
async function entryState(path) {
    const found = await stat(path).catch(() => null);
    if (found === null)
        return { mark: `${path} gone`, bytes: 0, modifiedMs: 0 };
    const { ino, size, mtimeMs, ctimeMs } = found;
    return {
        mark: `${path} ${ino} ${size} ${mtimeMs} ${ctimeMs}`,
        bytes: found.isFile() ? size : 0,
        modifiedMs: found.isFile() ? mtimeMs : 0,
    };
}
