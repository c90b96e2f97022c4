/** Findings about a folder and its mappings, before any record is read. */
import { quote } from '../../text.js';
import type { Listing, SnapshotFile, SnapshotPlace } from '../source/folder.js';
import { type Finding, finding } from './findings.js';

/** Names in a mapping that no record has. */
export const unusedNamesFinding = (file: string, names: readonly string[]): Finding => {
  const text = `no record has a value named ${names.map((name) => quote(name)).join(', ')}`;
  return { file, ...finding('mapping', text, { count: names.length }) };
};

/** Why nothing is served, where that is so. */
export function listingFindings(
  { missing, faults }: Listing,
  files: readonly SnapshotFile[],
  { dir }: SnapshotPlace,
): readonly Finding[] {
  const text = missing
    ? `there is no folder ${dir}, so nothing is served`
    : `there is no dump in ${dir}, so nothing is served: put a .json, .ndjson or .csv file there`;
  return missing || files.length + faults.length === 0 ? [finding('nothing-served', text)] : [];
}
