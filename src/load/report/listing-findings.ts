/** Findings about a folder and its mappings, before any record is read. */
import { basename, dirname } from 'node:path';
import { quote } from '../../text.js';
import { dateInName } from '../source/dated-name.js';
import type { Listing, SnapshotFile, SnapshotPlace } from '../source/folder.js';
import { type Finding, finding } from './findings.js';

/** Names in a mapping that no record has. */
export const unusedNamesFinding = (file: string, names: readonly string[]): Finding => {
  const text = `no record has a value named ${names.map((name) => quote(name)).join(', ')}`;
  return { file, ...finding('mapping', text, { count: names.length }) };
};

/** Dated files and folders in a ZIP file are added up, while the same ones on a disk may be a history. The last of its files has the finding. */
function datedZipFindings(files: readonly SnapshotFile[]): readonly Finding[] {
  const lastFiles = new Map(
    files.flatMap((file) => (file.zipped === undefined ? [] : [[file.zipped.path, file] as const])),
  );
  return [...lastFiles].flatMap(([path, { file, collection }]) => {
    const names = files.flatMap(({ zipped }) => (zipped?.path === path ? [zipped.name] : []));
    const dates = new Set(
      names.map((name) => (dateInName(basename(name)) ?? dateInName(basename(dirname(name))))?.timeMs),
    );
    const text = `the ZIP file's files of ${dates.size} dates are added up: unpacked, they may be a history`;
    return dates.size > 1 && !dates.has(undefined) ? [{ file, collection, ...finding('repeated', text) }] : [];
  });
}

/** Why nothing is served, where that is so, and what is added up although it may be a history. */
export function listingFindings(
  { missing, faults }: Listing,
  files: readonly SnapshotFile[],
  { dir }: SnapshotPlace,
): readonly Finding[] {
  const text = missing
    ? `there is no folder ${dir}, so nothing is served`
    : `there is no dump in ${dir}, so nothing is served: put a .json, .ndjson or .csv file there`;
  return missing || files.length + faults.length === 0 ? [finding('nothing-served', text)] : datedZipFindings(files);
}
