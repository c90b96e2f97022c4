/** The output of commands: lines on stdout and stderr, a progress bar, and the exit code. */
import type { LoadFailed } from '../load/load.js';
import { faultText } from '../load/report/report.js';
import { printable } from '../text.js';

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

export const textLines = (text: string): readonly string[] => text.split('\n');
export const jsonLines = (value: unknown): readonly string[] => textLines(JSON.stringify(value, null, 2));

export const warnAll = (warnings: readonly string[]): void => {
  for (const warning of warnings) warn(`warning: ${warning}`);
};

/** Names each file that has a fault. */
export function failAll({ fault, others }: Pick<LoadFailed, 'fault' | 'others'>): void {
  for (const each of [fault, ...others]) fail(faultText(each));
}

/** The stack of an error, or the text of whatever else was thrown. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

export const warnOf = (error: unknown, before: string): void => textLines(`${before}${errorText(error)}`).forEach(warn);

type OnProgress = (file: string, done: number, total: number) => void;

/** The columns of a terminal; 80 where the stream is none. */
export const terminalWidth = ({ columns }: { readonly columns?: number }): number => columns || 80;

/** Characters that may take two columns: those of East Asian scripts, and emoji. */
const isWide = (character: string): boolean => character >= '\u1100' && !/[\u2000-\u2bff]/.test(character);

/** Cuts a line to `columns`: a longer one would wrap, and could not be erased. */
export function fitted(line: string, columns: number): string {
  let width = 0;
  let text = '';
  for (const character of line) {
    width += isWide(character) ? 2 : 1;
    if (width > columns) return text;
    text += character;
  }
  return text;
}

const SHOW_AFTER_MS = 1000;
const REDRAW_MS = 100;
const BAR_WIDTH = 30;
/** Moves to the beginning of the line and erases it. */
const CLEAR_LINE = '\r\x1b[K';

/** Runs work with a progress bar, which stderr shows if it is a terminal and the work takes longer than a second. */
export async function withProgress<T>(run: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const { stderr } = process;
  let drawsAt = performance.now() + SHOW_AFTER_MS;
  let isShown = false;
  try {
    return await run((file, done, total) => {
      if (!stderr.isTTY || performance.now() < drawsAt) return;
      drawsAt = performance.now() + REDRAW_MS;
      isShown = true;
      const line = `${bar(total === 0 ? 1 : Math.min(1, done / total))} ${printable(file)}`;
      stderr.write(`${CLEAR_LINE}${fitted(line, terminalWidth(stderr) - 1)}`);
    });
  } finally {
    if (isShown) stderr.write(CLEAR_LINE);
  }
}

function bar(share: number): string {
  const filledCells = Math.round(share * BAR_WIDTH);
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  return `${'█'.repeat(filledCells)}${'░'.repeat(BAR_WIDTH - filledCells)} ${percent}`;
}
