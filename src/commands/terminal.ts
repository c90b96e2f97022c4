/** The output of commands: lines on stdout and stderr, a progress bar, and the exit code. */
import type { LoadFailed } from '../load/load.js';
import { faultText } from '../load/report.js';
import { printable } from '../text.js';
import { createProgress, noProgress } from './progress.js';

export const EXIT_FAILURE = 1;
export const EXIT_USAGE = 2;
/** `diff` found a difference. */
export const EXIT_DIFFERENT = 1;

/** Writes one line to stdout. */
export const say = (line: string): void => void process.stdout.write(`${printable(line)}\n`);
/** Writes one line to stderr. */
export const warn = (line: string): void => void process.stderr.write(`${printable(line)}\n`);

/** Writes one line to stderr; the process ends with this exit code once it has nothing left to do. */
export const fail = (line: string, exitCode = EXIT_FAILURE): void => {
  warn(line);
  process.exitCode = exitCode;
};

export const linesOf = (text: string): readonly string[] => text.split('\n');
export const jsonLines = (value: unknown): readonly string[] => linesOf(JSON.stringify(value, null, 2));

export const warnAll = (warnings: readonly string[]): void => {
  for (const warning of warnings) warn(`warning: ${warning}`);
};

/** Names each file that has a fault. */
export function failAll({ fault, others }: Pick<LoadFailed, 'fault' | 'others'>): void {
  for (const each of [fault, ...others]) fail(faultText(each));
}

/** The stack of an error, or the text of whatever else was thrown. */
export const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

export const warnOf = (error: unknown, before: string): void => linesOf(`${before}${describe(error)}`).forEach(warn);

type OnProgress = (file: string, done: number, total: number) => void;

/** Runs work with a progress bar, if stderr is a terminal. */
export async function withProgress<T>(run: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const write = (text: string): void => void process.stderr.write(text);
  const progress = process.stderr.isTTY ? createProgress(write, () => performance.now()) : noProgress;
  try {
    return await run((file, done, total) => progress.update(printable(file), done, total));
  } finally {
    progress.end();
  }
}
