/**
 * Which files are snapshots, how they are read, and which collection they feed, as far as their names tell. Only of a file
 * that was named, and whose ending says nothing, are the first bytes looked at.
 */
import { closeSync, existsSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type CollectionName, collections } from '../model.js';
import type { SnapshotFault } from './report.js';

export type Format = 'json' | 'ndjson' | 'csv';

/** Where the snapshots are: in a folder, or in files and folders that were named. */
export interface SnapshotPlace {
  /** The folder, or how messages call what was named. */
  readonly dir: string;
  readonly paths?: readonly string[];
  /** What the named files hold. */
  readonly as?: CollectionName;
}

/** A file of which only the fields of its records tell which collection it feeds. */
export interface UntoldFile {
  /** The name within the folder, or the path that was named, as messages show it. */
  readonly file: string;
  readonly path: string;
  readonly format: Format;
  readonly bytes: number;
  /** The file itself was named, and not only its folder: then it must hold records. */
  readonly isNamed: boolean;
}

export interface SnapshotFile extends UntoldFile {
  readonly collection: CollectionName;
}

export interface Listing {
  readonly files: readonly SnapshotFile[];
  readonly untold: readonly UntoldFile[];
  readonly ignored: readonly string[];
  /** Files and folders that cannot be opened. */
  readonly faults: readonly SnapshotFault[];
  /** True where there is no such folder. */
  readonly missing: boolean;
}

const ENDING = /\.(json|ndjson|jsonl|csv|tsv)(?:\.gz)?$/i;
const MAPPING = '.mapping.json';

export const listSnapshots = ({ dir, paths, as }: SnapshotPlace): Promise<Listing> =>
  paths === undefined ? listFolder(dir) : listPaths(paths, as);

/** The files of a folder whose names begin with a collection's. */
async function listFolder(dir: string): Promise<Listing> {
  const names = await namesIn(dir);
  const none = { files: [], untold: [], ignored: [], faults: [], missing: names === undefined };
  if (names === undefined) return none;
  if ('message' in names) return { ...none, faults: [names] };
  const files: SnapshotFile[] = [];
  const ignored: string[] = [];
  const faults: SnapshotFault[] = [];
  for (const file of names) {
    const collection = collectionOfName(file);
    const found = collection === undefined ? undefined : fileAt(join(dir, file), file, false);
    if (collection === undefined || found === undefined) {
      // A folder holds other dumps, such as earlier ones.
      if (!isDirectory(join(dir, file))) ignored.push(file);
    } else if ('message' in found) faults.push(found);
    else if (!file.endsWith(MAPPING)) files.push({ ...found, collection });
  }
  return { ...none, files: inOrder(files), ignored: ignored.sort(inNaturalOrder), faults };
}

/** All files that were named, and in folders that were named all whose endings tell how they are read. */
async function listPaths(paths: readonly string[], as?: CollectionName): Promise<Listing> {
  const faults: SnapshotFault[] = [];
  const files: SnapshotFile[] = [];
  const untold: UntoldFile[] = [];
  const ignored: string[] = [];
  for (const path of paths) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const names = isFolder ? await namesIn(path) : [];
    if (names === undefined || 'message' in names) {
      faults.push(names ?? { file: path, message: NO_PATH });
      continue;
    }
    for (const name of isFolder ? names : [path]) {
      const inside = isFolder ? join(path, name) : path;
      // Of a folder that was named alone, messages need not repeat the name.
      const file = isFolder && paths.length === 1 ? name : inside;
      if (isFolder && isDirectory(inside)) continue;
      const found = fileAt(inside, file, !isFolder);
      if (found === undefined) ignored.push(file);
      else if ('message' in found) faults.push(found);
      else if (isFolder && name.endsWith(MAPPING)) continue;
      else {
        const collection = as ?? collectionOfName(basename(inside));
        if (collection === undefined) untold.push(found);
        else files.push({ ...found, collection });
      }
    }
  }
  return { files: inOrder(files), untold, ignored: ignored.sort(inNaturalOrder), faults, missing: false };
}

const NO_PATH = 'there is no such file or folder';

/** The names in a folder, sorted; undefined where there is no such folder. */
async function namesIn(dir: string): Promise<readonly string[] | SnapshotFault | undefined> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : { file: dir, message: fileErrorText(error) };
  }
}

/** A file to be read; undefined where its name does not tell how, and it was not named itself. */
function fileAt(path: string, file: string, isNamed: boolean): UntoldFile | SnapshotFault | undefined {
  const format = formatOf(file);
  if (format === undefined && !isNamed) return undefined;
  if (isNamed && !existsSync(path)) return { file, message: NO_PATH };
  const stats = statOf(path);
  if ('message' in stats) return { file, message: stats.message };
  return { file, path, format: format ?? formatInside(path), bytes: stats.size, isNamed };
}

/** How a file that was named is read whose ending does not tell: text that does not begin as JSON is a table. */
function formatInside(path: string): Format {
  const opening = openingOf(path);
  const isPacked = opening[0] === 0x1f && opening[1] === 0x8b;
  return !isPacked && /^[^[{]/.test(opening.toString('utf8').trim()) ? 'csv' : 'json';
}

/** The first bytes of a file; none where it cannot be read, which its reader tells. */
function openingOf(path: string): Buffer {
  const bytes = Buffer.alloc(100);
  try {
    const file = openSync(path, 'r');
    const length = readSync(file, bytes);
    closeSync(file);
    return bytes.subarray(0, length);
  } catch {
    return bytes.subarray(0, 0);
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const collectionOfName = (file: string): CollectionName | undefined =>
  collections.find(({ name }) => file.startsWith(name))?.name;

export interface MappingFile {
  /** As messages show it. */
  readonly file: string;
  readonly path: string;
}

/** The mapping of `NAME.json`: `NAME.mapping.json` beside it, else that of its collection. */
export function mappingOf({ path, collection }: SnapshotFile): MappingFile | undefined {
  const found = mappingsBeside(path, [collection]).find((candidate) => existsSync(candidate));
  return found === undefined ? undefined : { file: basename(found), path: found };
}

/** The mapping file that messages tell to write to: the one that is read, else the file's own where it was named, else the collection's. */
export function mappingNameOf(source: SnapshotFile): string {
  const [own = '', shared = own] = mappingsBeside(source.path, [source.collection]);
  return mappingOf(source)?.file ?? basename(source.isNamed ? own : shared);
}

/** The mapping files that a file may have. */
export const mappingsBeside = (path: string, names: readonly string[] = collections.map(({ name }) => name)) =>
  [basename(path).replace(ENDING, ''), ...names].map((name) => join(dirname(path), `${name}${MAPPING}`));

/** The order in which files are read: by collection, and as people order names within it. */
export const inOrder = (files: readonly SnapshotFile[]): readonly SnapshotFile[] =>
  files.toSorted((a, b) =>
    a.collection === b.collection ? inNaturalOrder(a.file, b.file) : inFixedOrder(a.collection, b.collection),
  );

const inFixedOrder = (a: string, b: string): number => (a < b ? -1 : 1);

let collator: Intl.Collator | undefined;

/** As people order names: `part2` before `part10`. Those that are equal to people are still put in one fixed order. */
function inNaturalOrder(a: string, b: string): number {
  // Takes ten milliseconds of a start to load, and is needed where a collection has more than one file.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b) || inFixedOrder(a, b);
}

function formatOf(file: string): Format | undefined {
  const ending = ENDING.exec(file)?.[1]?.toLowerCase();
  if (ending === 'jsonl' || ending === 'ndjson') return 'ndjson';
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  return ending === 'json' ? ending : undefined;
}

function statOf(path: string): Stats | { readonly message: string } {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return { message: 'expected a file, found a folder' };
    // A pipe or a socket would keep the start waiting for ever.
    if (!stats.isFile()) return { message: 'expected a file, found a pipe, socket or device' };
    return stats;
  } catch (error) {
    return { message: fileErrorText(error) };
  }
}

/** The code of a fault of the system, or of an archive; those of the runtime, `ERR_…`, are faults of the program. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && !error.code.startsWith('ERR_')
    ? error.code
    : undefined;

const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  EISDIR: 'expected a file, found a folder',
  ENOTDIR: 'expected a folder, found a file',
  ENOENT: 'it cannot be opened: a broken link, or removed in the meantime',
};

export function fileErrorText(error: unknown): string {
  const code = errorCode(error);
  return FILE_ERRORS[code ?? ''] ?? `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
