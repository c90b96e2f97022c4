/** Prints what `serve` has loaded: files, repairs, times, and how to see the full report. */
import type { BuiltDataset } from '../build/build.js';
import type { Command } from '../config/command-line.js';
import { type DumpPlace, STANDARD_INPUT } from '../config/config.js';
import { hasFindings } from '../load/report/findings.js';
import { startUpText, warningLines } from '../load/report/report-text.js';
import { commandName, sampleLines, shellQuoted } from './place.js';
import { say, warnAll } from './terminal.js';

/** The command line of `serve`. */
export type ServeCommand = Command & { kind: 'serve' };

/** Says what was loaded, of `readPlace`. Warnings go to stderr, also with `--quiet`. */
export function sayLoaded(
  { report, timing }: BuiltDataset,
  command: ServeCommand,
  readPlace: DumpPlace,
  main: string,
): void {
  const { readingFlags } = command;
  const { quiet, history } = command.config;
  // `check` finds the newest dump of a folder by itself, but not that of `--history`.
  const place = history === undefined ? command.place : readPlace;
  if (report.isSample) for (const line of sampleLines(place, main)) say(line);
  if (!quiet) for (const line of startUpText(report)) say(line);
  if (!quiet && timing) say(`read in ${seconds(timing.readMs)}, indexed in ${seconds(timing.indexMs)}`);
  // Standard input cannot be read once more.
  if (!quiet && hasFindings(report) && place.paths?.includes(STANDARD_INPUT) !== true) {
    const paths = place.paths ?? (report.isSample ? [] : [place.dir]);
    say(`full report: ${commandName(main)} check ${[...paths, ...readingFlags].map(shellQuoted).join(' ')}`.trimEnd());
  }
  warnAll(warningLines(report));
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
