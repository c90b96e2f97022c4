/** Times and memory, and how they are printed. */
import { execSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { quantile } from '../src/bench/client.js';

export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly worst: number;
  readonly count: number;
}

export function spreadOf(times: readonly number[]): Spread {
  const at = (share: number): number => quantile(times, share);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: at(1), count: times.length };
}

/** The sum of all answers: V8 cannot remove work whose result is used. */
export let sink = 0;

/**
 * The milliseconds of each call. With `rounds`, all inputs are called in turn that many times, and the median of an input
 * counts: it leaves out the time that other processes take from a single call.
 */
export function timeEach<T>(inputs: readonly T[], answer: (input: T, round: number) => number, rounds = 1): Spread {
  const times = inputs.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    inputs.forEach((input, i) => {
      const start = performance.now();
      sink += answer(input, round);
      times[i]?.push(performance.now() - start);
    });
  }
  return spreadOf(times.map((each) => spreadOf(each).p50));
}

export function time<T>(work: () => T): { readonly result: T; readonly ms: number } {
  const start = performance.now();
  const result = work();
  return { result, ms: performance.now() - start };
}

/** Bytes in use once garbage is gone; needs `--expose-gc`. */
export async function usedBytes(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The bytes that tables of typed arrays take: of each buffer as a whole, once. */
export function bytesOf(tables: object): number {
  return [...buffersOf(tables)].reduce((sum, buffer) => sum + buffer.byteLength, 0);
}

function buffersOf(value: unknown, found: Set<ArrayBufferLike> = new Set()): Set<ArrayBufferLike> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) buffersOf(inner, found);
  return found;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(3) : value.toFixed(0)} ms`;
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/** The machine and the runtime that the figures below are of. */
export const machine = (): string =>
  `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB; Node ${process.version}`;

/** Files that the bench itself writes: a second run is of the same commit. */
const PUBLISHED = ['README.md', 'bench/README.md', 'bench/results'];

/** The commit of the working tree, with `-dirty` where a file differs from it. */
export function workingCommit(): string {
  const others = PUBLISHED.map((path) => `':!${path}'`).join(' ');
  const commit = execSync('git describe --always', { encoding: 'utf8' }).trim();
  const isDirty = execSync(`git status --porcelain --untracked-files=no -- . ${others}`, { encoding: 'utf8' }) !== '';
  return isDirty ? `${commit}-dirty` : commit;
}

export const heading = (): string => `${machine()}; commit ${workingCommit()}`;

export interface Target {
  readonly what: string;
  readonly found: string;
  readonly wanted: string;
  readonly holds: boolean;
}

export const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
  return rows.map((row) => `  ${line(row).trimEnd()}`).join('\n');
};

/** Prints the targets and makes the process fail if one is missed. */
export function report(targets: readonly Target[]): void {
  const rows = targets.map(({ what, found, wanted, holds }) => [holds ? 'holds' : 'MISSED', what, found, wanted]);
  console.log(`\nTargets\n${table(rows)}`);
  if (targets.some(({ holds }) => !holds)) process.exitCode = 1;
}
