/**
 * Which files are snapshots, in which format they are, and which collection they feed, as far as their names say. The first
 * bytes of a file are read only where the user named the file and its ending is unknown.
 */
import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { constants as constantsOfZlib, gunzipSync } from 'node:zlib';
import type { Language } from '../../languages.js';
import { collections, isCollectionName } from '../../model.js';
import { parsedJson } from '../../text.js';
import type { SnapshotFault } from '../report/report.js';

export type Format = 'json' | 'ndjson' | 'csv';

/** Where the snapshots are: in a folder, or in files and folders that the user named. */
export interface SnapshotPlace {
  /** The folder, or the name that messages give to `paths`. */
  readonly dir: string;
  readonly paths?: readonly string[];
  /** By path: what messages call a file that was fetched from elsewhere. Its mapping stands in the working folder. */
  readonly fetched?: Readonly<Record<string, string>>;
  /** The collection that all files feed, whatever their names. */
  readonly as?: string;
  /** The page that was scraped: relative addresses are completed by it. */
  readonly baseUrl?: string;
  /** When the files were scraped: `3 hours ago` counts from it. */
  readonly scrapedAtMs?: number;
  /** A file that is cut off is read up to the cut. */
  readonly isPartial?: boolean;
  /** Columns that feed no documented field become fields of their own, unless `documented`. */
  readonly columns?: 'all' | 'documented';
  /** The language of the records' texts; decided by their words where it is undefined. */
  readonly language?: Language;
  /** The folder that is read where `dir` holds nothing. */
  readonly sampleDir?: string;
}

/** A file whose name does not say which collection it feeds; the fields of its records do. */
export interface UnassignedFile {
  /** The file as messages show it: its name within the folder, or the path that the user named. */
  readonly file: string;
  readonly path: string;
  /** The path beside which its mapping stands: its own, unless it was fetched. */
  readonly home: string;
  readonly format: Format;
  readonly bytes: number;
  /** The user named the file itself, not only its folder: then it must hold records. */
  readonly isNamed: boolean;
}

export interface SnapshotFile extends UnassignedFile {
  readonly collection: string;
}

export interface Listing {
  readonly files: readonly SnapshotFile[];
  readonly unassigned: readonly UnassignedFile[];
  /** Files that are not read, each with the reason and what to do. */
  readonly ignored: readonly string[];
  /** Files and folders that cannot be opened. */
  readonly faults: readonly SnapshotFault[];
  /** True where there is no such folder. */
  readonly missing: boolean;
  /** The sample stands in for a folder that is missing or holds nothing. */
  readonly isSample?: true;
}

const ENDING = /\.(json|ndjson|jsonl|jl|csv|tsv)(?:\.gz)?$/i;
const MAPPING = '.mapping.json';
/** The folder of the sample, within the one for snapshots. */
const SAMPLE_NAME = 'sample';

export async function listSnapshots({ dir, paths, as, sampleDir, fetched }: SnapshotPlace): Promise<Listing> {
  const none = { files: [], unassigned: [], ignored: [], faults: [], missing: false };
  if (paths !== undefined) return { ...none, ...(await listPaths(paths, { as, fetched })) };
  const names = await namesIn(dir);
  if (names && 'message' in names) return { ...none, faults: [names] };
  if (sampleDir !== undefined && !holdsDumps(names))
    return { ...none, ...(await listPaths([sampleDir])), isSample: true };
  return names === undefined
    ? { ...none, missing: true }
    : { ...none, ...(await listPaths([dir], { as, passedBy: SAMPLE_NAME })) };
}

/** Whether a folder holds more than the sample and what belongs to any folder: a broken dump is a dump. */
const holdsDumps = (names: readonly string[] = []): boolean =>
  names.some((name) => name !== SAMPLE_NAME && !isNoDump(name));

const isNoDump = (name: string): boolean => name.startsWith('.') || /^readme\b/i.test(name) || name.endsWith(MAPPING);

/** Whether an entry of a folder is read: as a dump, or as the mapping of one. */
export const isDumpOrMapping = (name: string): boolean =>
  name.endsWith(MAPPING) || (!isNoDump(name) && formatOf(name) !== undefined);

/**
 * How files are opened: a pipe that took the place of a file would else keep the thread waiting until somebody writes to it, and
 * the process could not end. Windows has no such flag.
 */
export const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface Listed {
  readonly as?: string | undefined;
  readonly fetched?: SnapshotPlace['fetched'] | undefined;
  /** The name of entries that are left out. */
  readonly passedBy?: string;
}

/** The files among `paths`, and those in folders among them. */
async function listPaths(paths: readonly string[], { as, fetched = {}, passedBy }: Listed = {}) {
  const faults: SnapshotFault[] = [];
  const files: SnapshotFile[] = [];
  const unassigned: UnassignedFile[] = [];
  const ignored: string[] = [];
  const folders: string[] = [];
  const add = (listed: UnassignedFile | SnapshotFault): void => {
    if ('message' in listed) faults.push(listed);
    else {
      const collection = as ?? collectionOfName(basename(listed.path));
      if (collection === undefined) unassigned.push(listed);
      else files.push({ ...listed, collection });
    }
  };
  for (const path of paths) {
    if (!isDirectory(path)) {
      const source = fetched[path];
      const names = { path, file: source ?? path, home: source === undefined ? path : basename(path) };
      add(existsSync(path) ? fileAt(names, formatOf(path), true) : { file: path, message: NO_SUCH_PATH });
      continue;
    }
    const names = await namesIn(path);
    if (names === undefined || 'message' in names) {
      faults.push(names ?? { file: path, message: NO_SUCH_PATH });
      continue;
    }
    for (const name of names) {
      if (isNoDump(name) || name === passedBy) continue;
      const inside = join(path, name);
      // Where only one folder is read, messages need not repeat its name.
      const file = paths.length === 1 ? name : inside;
      const format = formatOf(name);
      if (format !== undefined) add(fileAt({ path: inside, file, home: inside }, format, false));
      else if (isDirectory(inside)) folders.push(`${file}: a folder; name it to have it read: ${inside}`);
      else ignored.push(`${file}: ${whyIgnored(name)}`);
    }
  }
  // A folder among dumps is mostly an earlier dump; where it stands alone, somebody expects it to be read.
  if (files.length + unassigned.length + faults.length === 0) ignored.push(...folders);
  return { files: inOrder(files), unassigned, ignored: ignored.sort(inNaturalOrder), faults };
}

const NO_SUCH_PATH = 'there is no such file or folder';

const IGNORED_ENDINGS: readonly (readonly [ending: RegExp, why: string])[] = [
  [/\.(?:xlsx?|xlsm|xlsb|ods|numbers)$/i, 'a spreadsheet; save it as CSV'],
  [/\.(?:db|sqlite3?|mdb)$/i, 'a database; export its table as CSV or JSON'],
  [/\.(?:parquet|feather|arrow|avro|orc)$/i, 'a binary table; write it as CSV or NDJSON'],
  [/\.(?:pkl|pickle)$/i, 'a pickle of Python; write its records as JSON'],
  [/\.(?:zip|tar|tgz|7z|rar|bz2|xz|zst)$/i, 'an archive; unpack it, or pack the one file with gzip'],
  [/\.(?:xml|rss|atom|html?|warc)$/i, 'markup; write its records as JSON or CSV'],
];
const ANY_ENDING =
  'its ending is none of .json, .ndjson, .jsonl, .jl, .csv, .tsv (or .gz after that); rename it, or name the file itself to have it read';

const whyIgnored = (name: string): string => IGNORED_ENDINGS.find(([ending]) => ending.test(name))?.[1] ?? ANY_ENDING;

/** The names in a folder, sorted; undefined where there is no such folder. One that may not be read is a fault. */
async function namesIn(dir: string): Promise<readonly string[] | SnapshotFault | undefined> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : { file: dir, message: fileErrorText(error) };
  }
}

/** `format`: undefined where the file's ending does not say it. */
function fileAt(
  { path, file, home }: Pick<UnassignedFile, 'path' | 'file' | 'home'>,
  format: Format | undefined,
  isNamed: boolean,
): UnassignedFile | SnapshotFault {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return { file, message: 'expected a file, found a folder' };
    // A pipe or a socket would keep the start waiting for ever.
    if (!stats.isFile()) return { file, message: 'expected a file, found a pipe, socket or device' };
    return { file, path, home, format: format ?? formatInside(path), bytes: stats.size, isNamed };
  } catch (error) {
    return { file, message: fileErrorText(error) };
  }
}

/**
 * The format of a file whose ending is unknown: text that does not begin like JSON is a table, and an object that fills the first of
 * several lines is a record of NDJSON.
 */
function formatInside(path: string): Format {
  const text = unpackedBeginning(firstBytesOf(path)).toString('utf8').trim();
  if (/^[^[{]/.test(text)) return 'csv';
  const lineEnd = text.indexOf('\n');
  const [firstLine, rest] = [text.slice(0, lineEnd), text.slice(lineEnd).trimStart()];
  return lineEnd > 0 && text.startsWith('{') && rest.startsWith('{') && isJson(firstLine) ? 'ndjson' : 'json';
}

const isJson = (text: string): boolean => parsedJson(text) !== undefined;

/** The text at the beginning of a file of which the first bytes are these; as they are where they are not gzipped. */
function unpackedBeginning(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    // The rest of the archive is missing.
    return gunzipSync(bytes, { finishFlush: constantsOfZlib.Z_SYNC_FLUSH });
  } catch {
    return bytes.subarray(0, 0);
  }
}

/** Bytes that hold the first line of most dumps. */
const OPENING_BYTES = 1 << 16;

/** The first bytes of a file; none where it cannot be read, which its reader reports. */
function firstBytesOf(path: string): Buffer {
  const bytes = Buffer.alloc(OPENING_BYTES);
  try {
    const file = openSync(path, READ_WITHOUT_WAITING);
    const length = readSync(file, bytes);
    closeSync(file);
    return bytes.subarray(0, length);
  } catch {
    return bytes.subarray(0, 0);
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const collectionOfName = (file: string): string | undefined =>
  collections.find(({ name }) => file.startsWith(name))?.name;

/**
 * The name of a file's own collection: its letters up to the first digit or dot.
 *
 *     jobs-2026.json, 14_jobs.json.gz, Flats to let.csv, export.json
 *     jobs,           jobs,            flats_to_let,     export_
 */
export function ownNameOf(path: string): string {
  const letters = basename(path)
    .normalize('NFC')
    .replace(/^[^\p{L}.]+/u, '')
    .replace(/[.\p{N}].*$/su, '');
  const name = letters
    .toLowerCase()
    .replace(/[^\p{L}\p{M}_-]+/gu, '_')
    .replace(/[_-]+$/, '');
  if (name === '') return 'records';
  return isCollectionName(name) ? name : `${name}_`;
}

/** The mapping of `NAME.json`: `NAME.mapping.json` beside it, else that of its collection. */
export const mappingOf = ({ home, collection }: SnapshotFile): string | undefined =>
  mappingsBeside(home, [collection]).find((candidate) => existsSync(candidate));

/**
 * The mapping file that messages name, with a folder where they name the file so: the one that is read, else the file's own where the
 * user named it, else the collection's.
 */
export function mappingNameOf(source: SnapshotFile): string {
  const [mappingOfFile = '', mappingOfCollection = mappingOfFile] = mappingsBeside(source.home, [source.collection]);
  const path = mappingOf(source) ?? (source.isNamed ? mappingOfFile : mappingOfCollection);
  return source.home === source.path ? join(dirname(source.file), basename(path)) : basename(path);
}

/** The mapping files that a file may have. */
export const mappingsBeside = (
  path: string,
  names: readonly string[] = [...collections.map(({ name }) => name), ownNameOf(path)],
) => [basename(path).replace(ENDING, ''), ...names].map((name) => join(dirname(path), `${name}${MAPPING}`));

/** The order in which files are read: by collection, and as people order names within it. */
export const inOrder = (files: readonly SnapshotFile[]): readonly SnapshotFile[] =>
  files.toSorted((a, b) =>
    a.collection === b.collection ? inNaturalOrder(a.file, b.file) : inFixedOrder(a.collection, b.collection),
  );

const inFixedOrder = (a: string, b: string): number => (a < b ? -1 : 1);

let collator: Intl.Collator | undefined;

/** As people order names: `part2` before `part10`. Names that are equal to people, such as `part1` and `part01`, have a fixed order too. */
function inNaturalOrder(a: string, b: string): number {
  // A collator takes ten milliseconds to make: it is made only once two files of a collection are compared.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b) || inFixedOrder(a, b);
}

function formatOf(file: string): Format | undefined {
  const ending = ENDING.exec(file)?.[1]?.toLowerCase();
  if (ending === 'jsonl' || ending === 'jl' || ending === 'ndjson') return 'ndjson';
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  return ending === 'json' ? ending : undefined;
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
