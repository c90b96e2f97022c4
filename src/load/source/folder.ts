/**
 * Which files are snapshots, in which format they are, and which collection they feed, as far as their names say. The first
 * bytes of a file are read only where the user named the file and its ending is unknown.
 */
import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Language } from '../../languages.js';
import { collections } from '../../model.js';
import { isCollectionName } from '../../names.js';
import { parsedJson } from '../../text.js';
import type { SnapshotFault } from '../report/report.js';
import { decompressedBeginning } from './compressed.js';

export type Format = 'json' | 'ndjson' | 'csv';

/** Where the snapshots are: in a folder, or in files and folders that the user named. */
export interface SnapshotPlace {
  /** The folder, or the name that messages give to `paths`. */
  readonly dir: string;
  readonly paths?: readonly string[];
  /** By path: what messages call a file that was fetched from elsewhere. Its mapping stands in the working folder. */
  readonly fetched?: Readonly<Record<string, string>>;
  /** The encoding of the files; UTF-8, UTF-16 or windows-1252 by their bytes where it is undefined. */
  readonly encoding?: string;
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
  /** Where it is in a ZIP file. Then `path` is that of the ZIP file with its name behind it. */
  readonly zipped?: { readonly path: string; readonly name: string };
  readonly encoding?: string;
  /** The path beside which its mapping stands: its own, unless it was fetched or is in a ZIP file. */
  readonly home: string;
  readonly format: Format;
  readonly bytes: number;
  /** The user named the file itself, not only its folder: then it must hold records. */
  readonly isNamed: boolean;
  /** The name of the list that is read, where a file has several: `comments` of `{"posts": […], "comments": […]}`. */
  readonly list?: string;
}

/** The key of a list of records among all files: the path, and the name of the list. */
export const listKey = ({ path, list }: UnassignedFile): string => (list === undefined ? path : `${path}\n${list}`);

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

const ENDING = /\.(json|har|geojson|jsonld|ndjson|jsonl|jl|csv|tsv)(?:\.(?:gz|zst))?$/i;
const ZIP_ENDING = /\.zip$/i;
const MAPPING = '.mapping.json';
/** The folder of the sample, within the one for snapshots. */
const SAMPLE_NAME = 'sample';
/** The folder of the sample's earlier dump, within the sample: `--previous` reads it. */
const EARLIER_SAMPLE_NAME = 'previous';

export async function listSnapshots({ dir, paths, as, sampleDir, fetched, encoding }: SnapshotPlace): Promise<Listing> {
  const none = { files: [], unassigned: [], ignored: [], faults: [], missing: false };
  if (paths !== undefined) return { ...none, ...(await listPaths(paths, { as, fetched, encoding })) };
  const names = await entryNames(dir);
  if (names && 'message' in names) return { ...none, faults: [names] };
  if (sampleDir !== undefined && !holdsDumps(names))
    return { ...none, ...(await listPaths([sampleDir], { passedBy: EARLIER_SAMPLE_NAME })), isSample: true };
  return names === undefined
    ? { ...none, missing: true }
    : { ...none, ...(await listPaths([dir], { as, encoding, passedBy: SAMPLE_NAME })) };
}

/** Whether a folder holds more than the sample and what belongs to any folder: a broken dump is a dump. */
const holdsDumps = (names: readonly string[] = []): boolean =>
  names.some((name) => name !== SAMPLE_NAME && !isNoDump(name));

const isNoDump = (name: string): boolean => name.startsWith('.') || /^readme\b/i.test(name) || name.endsWith(MAPPING);

/** Whether an entry of a folder is read: as a dump, or as the mapping of one. */
export const isDumpOrMapping = (name: string): boolean => name.endsWith(MAPPING) || isDumpFile(name);

export const isDumpFile = (name: string): boolean =>
  !isNoDump(name) && (ZIP_ENDING.test(name) || formatByEnding(name) !== undefined);

/**
 * How files are opened: a pipe that took the place of a file would else keep the thread waiting until somebody writes to it, and
 * the process could not end. Windows has no such flag.
 */
export const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface Listed {
  readonly as?: string | undefined;
  readonly fetched?: SnapshotPlace['fetched'] | undefined;
  readonly encoding?: string | undefined;
  /** The name of entries that are left out. */
  readonly passedBy?: string;
}

/** The files among `paths`, and those in folders among them. */
async function listPaths(paths: readonly string[], options: Listed = {}) {
  const lister = new FileLister(options);
  for (const path of paths) {
    if (!isDirectory(path)) await lister.addNamed(path);
    // Where only one folder is read, messages need not repeat its name.
    else await lister.addFolder(path, paths.length === 1 ? '' : path);
  }
  const { files, unassigned, ignored, faults } = lister;
  return { files: inOrder(files), unassigned, ignored: ignored.sort(inNaturalOrder), faults };
}

class FileLister {
  readonly faults: SnapshotFault[] = [];
  readonly files: SnapshotFile[] = [];
  readonly unassigned: UnassignedFile[] = [];
  /** Lines on what is not read, and on folders inside of folders. */
  readonly ignored: string[] = [];
  readonly #options: Listed;

  constructor(options: Listed) {
    this.#options = options;
  }

  async addNamed(path: string): Promise<void> {
    const address = this.#options.fetched?.[path];
    const names = { path, file: address ?? path, home: address === undefined ? path : basename(path) };
    if (isZip(path)) await this.#addZip(names, true);
    else if (existsSync(path)) this.#add(fileAt(names, formatByEnding(path), true));
    else this.faults.push({ file: path, message: NO_SUCH_PATH });
  }

  /** `shownFolder`: the folder that messages name; empty where they name none. */
  async addFolder(folder: string, shownFolder: string): Promise<void> {
    const names = await entryNames(folder);
    if (names === undefined || 'message' in names) {
      this.faults.push(names ?? { file: folder, message: NO_SUCH_PATH });
      return;
    }
    for (const name of names) {
      if (isNoDump(name) || name === this.#options.passedBy) continue;
      const path = join(folder, name);
      const file = join(shownFolder, name);
      const format = formatByEnding(name);
      if (ZIP_ENDING.test(name) && isZip(path)) await this.#addZip({ path, file, home: path }, false);
      else if (format !== undefined) this.#add(fileAt({ path, file, home: path }, format, false));
      else if (isDirectory(path)) this.ignored.push(`${file}: a folder; name it to have it read: ${path}`);
      else this.ignored.push(`${file}: ${whyIgnored(name)}`);
    }
  }

  async #addZip(names: NamesOfFile, isNamed: boolean): Promise<void> {
    const inside = await filesInZip(names, isNamed);
    for (const file of inside.files) this.#add(file);
    this.ignored.push(...inside.ignored);
  }

  #add(listed: UnassignedFile | SnapshotFault): void {
    if ('message' in listed) {
      this.faults.push(listed);
      return;
    }
    const { as, encoding } = this.#options;
    const collection = as ?? collectionOfName(basename(listed.path));
    const file = encoding === undefined ? listed : { ...listed, encoding };
    if (collection === undefined) this.unassigned.push(file);
    else this.files.push({ ...file, collection });
  }
}

type NamesOfFile = Pick<UnassignedFile, 'path' | 'file' | 'home'>;

/** Whether a file begins as a ZIP file does: with a file, or, of an empty one, with its end. */
function isZip(path: string): boolean {
  const head = firstBytesOf(path, 4).toString('latin1');
  return head === 'PK\u0003\u0004' || head === 'PK\u0005\u0006';
}

/** The data files in a ZIP file. One that is encrypted, or a ZIP file itself, is a fault; of a named one, so is that there are none. */
async function filesInZip({ path, file, home }: NamesOfFile, isNamed: boolean) {
  const { listZip } = await import('./zip.js');
  const entries = await listZip(path);
  if (typeof entries === 'string') return { files: [{ file, message: entries }], ignored: [] };
  if (entries.some(({ name }) => name === '[Content_Types].xml'))
    return {
      files: [{ file, message: 'expected a dump, found a spreadsheet or document of Office: save it as CSV' }],
      ignored: [],
    };
  const files: (UnassignedFile | SnapshotFault)[] = [];
  const ignored: string[] = [];
  for (const { name, bytes, isEncrypted } of entries) {
    if (isNoDump(basename(name))) continue;
    const shownPath = `${file}/${name}`;
    const format = formatByEnding(name);
    const fault = (message: string) => files.push({ file: shownPath, message });
    if (ZIP_ENDING.test(name)) fault('a ZIP file inside of another is not read: unpack the outer one');
    else if (format === undefined) ignored.push(`${shownPath}: ${whyIgnored(name)}`);
    else if (isEncrypted) fault('it is encrypted: unpack the ZIP file with its password');
    else {
      const mappedBeside = join(dirname(home), basename(name));
      files.push({
        ...{ file: shownPath, path: join(path, name), home: mappedBeside, format, bytes, isNamed },
        zipped: { path, name },
      });
    }
  }
  if (isNamed && files.length === 0)
    files.push({
      file,
      message: ['expected a file of JSON, NDJSON or CSV in it, found none', ...ignored.slice(0, 3)].join('; '),
    });
  return { files, ignored };
}

const NO_SUCH_PATH = 'there is no such file or folder';

const IGNORED_ENDINGS: readonly (readonly [ending: RegExp, why: string])[] = [
  [/\.(?:xlsx?|xlsm|xlsb|ods|numbers)$/i, 'a spreadsheet; save it as CSV'],
  [/\.(?:db|sqlite3?|mdb)$/i, 'a database; export its table as CSV or JSON'],
  [/\.parquet$/i, 'a Parquet file; write it as CSV or NDJSON'],
  [/\.(?:feather|arrow|avro|orc)$/i, 'a binary table; write it as CSV or NDJSON'],
  [/\.(?:pkl|pickle)$/i, 'a pickle of Python; write its records as JSON'],
  [/\.(?:zip|tar|tgz|7z|rar|bz2|xz|zst)$/i, 'an archive; unpack it, or pack its files as .zip or each as .gz'],
  [/\.(?:xml|rss|atom|html?|warc)$/i, 'markup; write its records as JSON or CSV'],
];
const ANY_ENDING =
  'its ending is none of .json, .ndjson, .jsonl, .jl, .har, .geojson, .jsonld, .csv, .tsv (or .gz, .zst after that), .zip; rename it, or name the file itself to have it read';

const whyIgnored = (name: string): string => IGNORED_ENDINGS.find(([ending]) => ending.test(name))?.[1] ?? ANY_ENDING;

/** The names in a folder, sorted; undefined where there is no such folder. One that may not be read is a fault. */
async function entryNames(dir: string): Promise<readonly string[] | SnapshotFault | undefined> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : { file: dir, message: fileErrorText(error) };
  }
}

/** `format`: undefined where the file's ending does not say it. */
function fileAt(
  { path, file, home }: NamesOfFile,
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
 * The beginning of a script with JSON in it: `window.__DATA__ = {`, `export default [`, `callback([`, and `)]}'`, with which servers keep
 * others from running their answers.
 */
const SCRIPT_BEGINNING =
  /^(?:\)\]\}'|(?:export\s+default|return)\s*[[{]|(?:(?:var|let|const)\s+)?[\p{L}_$][\w$]*(?:\.[\w$]+|\[[^\]\n]*\])*\s*[=(]\s*[[{])/u;

export const isScript = (text: string): boolean => SCRIPT_BEGINNING.test(text);

/**
 * The format of a file whose ending is unknown: text that begins like neither JSON nor a script is a table, and an object that fills the
 * first of several lines is a record of NDJSON.
 */
function formatInside(path: string): Format {
  const text = decompressedBeginning(firstBytesOf(path)).toString('utf8').trim();
  if (/^[^[{]/.test(text)) return isScript(text) ? 'json' : 'csv';
  const lineEnd = text.indexOf('\n');
  const [firstLine, rest] = [text.slice(0, lineEnd), text.slice(lineEnd).trimStart()];
  return lineEnd > 0 && text.startsWith('{') && rest.startsWith('{') && isJson(firstLine) ? 'ndjson' : 'json';
}

const isJson = (text: string): boolean => parsedJson(text) !== undefined;

/** Bytes that hold the first lines of most dumps, and the first block of a Zstandard archive. */
const OPENING_BYTES = 1 << 18;

/** The first bytes of a file; none where it cannot be read, which its reader reports. */
function firstBytesOf(path: string, maxBytes = OPENING_BYTES): Buffer {
  const bytes = Buffer.alloc(maxBytes);
  try {
    const file = openSync(path, READ_WITHOUT_WAITING);
    const length = readSync(file, bytes);
    closeSync(file);
    return bytes.subarray(0, length);
  } catch {
    return bytes.subarray(0, 0);
  }
}

export const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

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
 * The mapping file that messages name: the one that is read, else the file's own where the user named it, else the collection's. It has the
 * folder that messages give the file: `dumps/jobs.json` has `dumps/jobs.mapping.json`, `https://shop.example/jobs.json` has
 * `jobs.mapping.json` in the working folder.
 */
export function mappingNameOf(source: SnapshotFile): string {
  const [mappingOfFile = '', mappingOfCollection = ''] = mappingsBeside(source.home, [source.collection]);
  const path = mappingOf(source) ?? (source.isNamed ? mappingOfFile : mappingOfCollection);
  // `shop.zip/jobs.json` has its mapping beside `shop.zip`; one that was fetched has a home other than its path.
  const shownPath = source.zipped === undefined ? source.file : source.file.slice(0, -source.zipped.name.length - 1);
  const isBesideShown = source.zipped !== undefined || source.home === source.path;
  return isBesideShown && !URL_START.test(shownPath) ? join(dirname(shownPath), basename(path)) : basename(path);
}

const URL_START = /^https?:\/\//i;

/** The mapping files that a file may have: its own first, then those of collections. */
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

let nameCollator: Intl.Collator | undefined;

/** As people order names: `part2` before `part10`. Names that are equal to people, such as `part1` and `part01`, have a fixed order too. */
function inNaturalOrder(a: string, b: string): number {
  // A collator takes ten milliseconds to make: it is made only once two files of a collection are compared.
  nameCollator ??= new Intl.Collator('en', { numeric: true });
  return nameCollator.compare(a, b) || inFixedOrder(a, b);
}

/** The format that the ending of a file's name says, `.gz` and `.zst` behind it aside; undefined for any other ending. */
export function formatByEnding(file: string): Format | undefined {
  const ending = ENDING.exec(file)?.[1]?.toLowerCase();
  if (ending === 'jsonl' || ending === 'jl' || ending === 'ndjson') return 'ndjson';
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  return ending === undefined ? undefined : 'json';
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
