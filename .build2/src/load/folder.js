/**
 * Which files are snapshots, and which collection they feed, as far as their names tell. Only names and kinds of directory
 * entries are looked at here.
 */
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { collections } from '../model.js';
const ENDING = /\.(json|ndjson|jsonl|csv)(?:\.gz)?$/i;
const MAPPING = '.mapping.json';
export const listSnapshots = ({ dir, paths, as }) => paths === undefined ? listFolder(dir) : listPaths(paths, as);
/** The files of a folder whose names begin with a collection's. */
async function listFolder(dir) {
    const names = await namesIn(dir);
    if (names === undefined)
        return { files: [], untold: [], ignored: [], missing: true };
    if ('message' in names)
        return names;
    const files = [];
    const ignored = [];
    for (const file of names) {
        const collection = collectionOfName(file);
        const found = collection === undefined ? undefined : fileAt(join(dir, file), file, false);
        if (collection === undefined || found === undefined) {
            // A folder holds other dumps, such as earlier ones.
            if (!isDirectory(join(dir, file)))
                ignored.push(file);
        }
        else if ('message' in found)
            return found;
        else if (!file.endsWith(MAPPING))
            files.push({ ...found, collection });
    }
    return { files: inOrder(files), untold: [], ignored: ignored.sort(inNaturalOrder), missing: false };
}
/** All files that were named, and in folders that were named all whose endings tell how they are read. */
async function listPaths(paths, as) {
    const files = [];
    const untold = [];
    const ignored = [];
    for (const path of paths) {
        const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
        const names = isFolder ? await namesIn(path) : [];
        if (names === undefined || 'message' in names)
            return names ?? { file: path, message: NO_PATH };
        for (const name of isFolder ? names : [path]) {
            const inside = isFolder ? join(path, name) : path;
            // Of a folder that was named alone, messages need not repeat the name.
            const file = isFolder && paths.length === 1 ? name : inside;
            if (isFolder && isDirectory(inside))
                continue;
            const found = fileAt(inside, file, !isFolder);
            if (found === undefined)
                ignored.push(file);
            else if ('message' in found)
                return found;
            else if (isFolder && name.endsWith(MAPPING))
                continue;
            else {
                const collection = as ?? collectionOfName(basename(inside));
                if (collection === undefined)
                    untold.push(found);
                else
                    files.push({ ...found, collection });
            }
        }
    }
    return { files: inOrder(files), untold, ignored: ignored.sort(inNaturalOrder), missing: false };
}
const NO_PATH = 'there is no such file or folder';
/** The names in a folder, sorted; undefined where there is no such folder. */
async function namesIn(dir) {
    try {
        return (await readdir(dir)).sort();
    }
    catch (error) {
        return errorCode(error) === 'ENOENT' ? undefined : { file: dir, message: fileErrorText(error) };
    }
}
/** A file to be read; undefined where its name does not tell how, and it was not named itself. */
function fileAt(path, file, isNamed) {
    // A file that was named and has another ending is read as JSON, whose beginning shows whether it is.
    const format = formatOf(file) ?? (isNamed ? 'json' : undefined);
    if (format === undefined)
        return undefined;
    if (isNamed && !existsSync(path))
        return { file, message: NO_PATH };
    const stats = statOf(path);
    return 'size' in stats ? { file, path, format, bytes: stats.size, isNamed } : { file, message: stats.message };
}
const isDirectory = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const collectionOfName = (file) => collections.find(({ name }) => file.startsWith(name))?.name;
/** The mapping of `NAME.json`: `NAME.mapping.json` beside it, else that of its collection. */
export function mappingOf({ path, collection }) {
    const found = mappingsBeside(path, [collection]).find((candidate) => existsSync(candidate));
    return found === undefined ? undefined : { file: basename(found), path: found };
}
/** The mapping files that a file may have. */
export const mappingsBeside = (path, names = collections.map(({ name }) => name)) => [basename(path).replace(ENDING, ''), ...names].map((name) => join(dirname(path), `${name}${MAPPING}`));
/** The order in which files are read: by collection, and as people order names within it. */
export const inOrder = (files) => files.toSorted((a, b) => a.collection === b.collection ? inNaturalOrder(a.file, b.file) : inFixedOrder(a.collection, b.collection));
const inFixedOrder = (a, b) => (a < b ? -1 : 1);
let collator;
/** As people order names: `part2` before `part10`. Those that are equal to people are still put in one fixed order. */
function inNaturalOrder(a, b) {
    // Takes ten milliseconds of a start to load, and is needed where a collection has more than one file.
    collator ??= new Intl.Collator('en', { numeric: true });
    return collator.compare(a, b) || inFixedOrder(a, b);
}
function formatOf(file) {
    const ending = ENDING.exec(file)?.[1]?.toLowerCase();
    if (ending === 'jsonl' || ending === 'ndjson')
        return 'ndjson';
    return ending === 'json' || ending === 'csv' ? ending : undefined;
}
function statOf(path) {
    try {
        const stats = statSync(path);
        if (stats.isDirectory())
            return { message: 'expected a file, found a folder' };
        // A pipe or a socket would keep the start waiting for ever.
        if (!stats.isFile())
            return { message: 'expected a file, found a pipe, socket or device' };
        return stats;
    }
    catch (error) {
        return { message: fileErrorText(error) };
    }
}
export const errorCode = (error) => error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
const FILE_ERRORS = {
    EACCES: 'no permission to read it',
    EPERM: 'no permission to read it',
    EISDIR: 'expected a file, found a folder',
    ENOTDIR: 'expected a folder, found a file',
    ENOENT: 'it cannot be opened: a broken link, or removed in the meantime',
};
export function fileErrorText(error) {
    const code = errorCode(error);
    return FILE_ERRORS[code ?? ''] ?? `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
