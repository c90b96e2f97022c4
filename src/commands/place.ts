/** Where the snapshots are that a command line names, and what is wrong with that place before anything is read. */
import { existsSync, lstatSync } from 'node:fs';
import { relative } from 'node:path';
import { nearCommand, type Place } from '../config.js';
import type { SnapshotPlace } from '../load/folder.js';

/** The installed program. */
export interface Program {
  /** The file that starts it. */
  readonly main: string;
  /** The sample that comes with it. */
  readonly sampleDir: string;
}

/** The sample stands in where nobody named a place, and the default folder holds nothing. */
export const placeOf = ({ isDefault, ...place }: Place, { sampleDir }: Program): SnapshotPlace =>
  isDefault ? { ...place, sampleDir } : place;

export function placeFault({ dir, paths, isDefault }: Place): string | undefined {
  const missing = (paths ?? [dir]).find((path) => !existsSync(path));
  if (missing === undefined) return undefined;
  if (/^https?:/i.test(missing)) return `${missing} is no file: download it first, then name the file.`;
  if (isLink(missing)) return `${missing} is a link to a file or folder that is not there.`;
  if (paths !== undefined) return `There is no file or folder ${missing}.${nearCommand(missing)}`;
  return isDefault ? undefined : `There is no folder ${dir}.`;
}

/** Whether a path that leads nowhere is itself there: then it is a link. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

/** Lines that say how to have other data served than the sample. */
export const sampleLines = ({ dir }: SnapshotPlace, program: Program): readonly string[] => [
  existsSync(dir)
    ? `${dir} holds no dump: this is the sample that comes with the program.`
    : `There is no folder ${dir} here: this is the sample that comes with the program.`,
  `To serve your own data: put a dump into ${dir}, or name it: ${commandName(program)} PATH…, files or folders of JSON, NDJSON or CSV.`,
];

/** The words that start this program again from the working folder. */
export function commandName({ main }: Program): string {
  const isInstalled = /[\\/]node_modules[\\/]/.test(main);
  if (process.env.npm_command === 'exec' || isInstalled) return 'npx scraper-data-api';
  return `node ${relative(process.cwd(), main)}`;
}
