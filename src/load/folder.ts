/** Which files of a folder feed which collection. Only names and kinds of directory entries are looked at here. */
import { type Stats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CollectionName, collections } from '../model.js';
import type { SnapshotFault } from './report.js';

export type Format = 'json' | 'ndjson' | 'csv';

export interface SnapshotFile {
  /** The name within the folder, as messages show it. */
  readonly file: string;
  readonly path: string;
  readonly collection: CollectionName;
  readonly format: Format;
  readonly bytes: number;
}

export interface Folder {
  readonly files: readonly SnapshotFile[];
  /** The path of each collection's mapping file, where there is one. */
  readonly mappings: ReadonlyMap<CollectionName, string>;
  readonly ignored: readonly string[];
  /** True where there is no such folder. */
  readonly missing: boolean;
}

const ENDING = /\.(json|ndjson|jsonl|csv)(?:\.gz)?$/i;

export const mappingName = (collection: CollectionName): string => `${collection}.mapping.json`;

export async function listFolder(dir: string): Promise<Folder | SnapshotFault> {
  let names: string[];
  try {
    names = (await readdir(dir)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { files: [], mappings: new Map(), ignored: [], missing: true };
    return { file: dir, message: fileErrorText(error) };
  }
  const files: SnapshotFile[] = [];
  const mappings = new Map<CollectionName, string>();
  const ignored: string[] = [];
  for (const file of names) {
    const collection = collections.find(({ name }) => file.startsWith(name))?.name;
    const format = formatOf(file);
    if (collection === undefined || format === undefined) {
      ignored.push(file);
      continue;
    }
    const path = join(dir, file);
    const stats = statOf(path);
    if (!('size' in stats)) return { file, message: stats.message };
    if (file === mappingName(collection)) mappings.set(collection, path);
    else files.push({ file, path, collection, format, bytes: stats.size });
  }
  files.sort((a, b) =>
    a.collection === b.collection ? inNaturalOrder(a.file, b.file) : inFixedOrder(a.collection, b.collection),
  );
  return { files, mappings, ignored: ignored.sort(inNaturalOrder), missing: false };
}

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
  return ending === 'json' || ending === 'csv' ? ending : undefined;
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

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

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
