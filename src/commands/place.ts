/** Where the snapshots are that a command line names, and what is wrong with that place before anything is read. */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { operandHint } from '../config/command-line.js';
import { type DumpPlace, isFetched } from '../config/config.js';
import { type FlagName, variableOf } from '../config/flags.js';

/** The sample stands in for a folder that is not there, but not for one behind a broken link: its disk may not be mounted. */
export function placeFault({ dir, paths, sampleDir }: DumpPlace): string | undefined {
  if (paths !== undefined) return pathFault(paths);
  if (sampleDir !== undefined && !isEntry(dir)) return undefined;
  if (existsSync(dir) && statSync(dir).isFile()) return `${dir} is a file, and no folder: name it without --snapshots.`;
  return pathFault([dir], 'snapshots');
}

/** The fault of the first of some paths that lead nowhere. `flag` names it; without one it is an operand. */
export function pathFault(paths: readonly string[], flag?: FlagName): string | undefined {
  const missing = paths.find((path) => !isFetched(path) && !existsSync(path));
  if (missing === undefined) return undefined;
  if (isEntry(missing)) return `${missing} is a link to a file or folder that is not there.`;
  if (flag === undefined) return `There is no file or folder ${missing || '""'}.${operandHint(missing)}`;
  return `There is no file or folder ${missing}; --${flag} or ${variableOf(flag)} names it.`;
}

/** Whether a path is itself there. One that is, and yet leads nowhere, is a link. */
function isEntry(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

/** Lines that say how to have other data served than the sample. */
export const sampleLines = ({ dir }: DumpPlace, main: string): readonly string[] => [
  existsSync(dir)
    ? `${dir} holds no dump: this is the sample that comes with the program.`
    : `There is no folder ${dir} here: this is the sample that comes with the program.`,
  `To serve your own data: put a dump into ${dir}, or name it: ${commandName(main)} PATH…, files or folders of JSON, NDJSON or CSV.`,
];

/**
 * The words that start the program again from the working folder, whose file is `main`. None of them fetches a package by the
 * program's name, which is nobody's on npm: `npx --no` runs only what is installed.
 */
export function commandName(main: string, env: NodeJS.ProcessEnv = process.env): string {
  const { npm_command, npm_config_package } = env;
  if (npm_command === 'exec' && npm_config_package)
    return `npx --yes --package ${shellQuoted(npm_config_package)} scraper-data-api`;
  if (/[\\/]node_modules[\\/]/.test(main)) return 'npx --no scraper-data-api';
  return `node ${relative(process.cwd(), main)}`;
}

/** A word as a shell takes it. */
export const shellQuoted = (word: string): string =>
  /^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
