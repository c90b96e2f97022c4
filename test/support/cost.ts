/** What a piece of work costs beside another, whatever else keeps the machine busy. */
import { expect } from 'vitest';

/** What each measurement takes at least, in milliseconds: beside it, what other threads of the process do counts for little. */
const LEAST_MS = 5;

type Work = (run: number) => unknown;

/** Milliseconds of processor time that this process spends on it, on average over as many runs as take long enough. */
async function costMs(work: Work, firstRun: number): Promise<{ readonly ms: number; readonly runs: number }> {
  const before = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    await work(firstRun + runs);
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= LEAST_MS) return { ms: ms / runs, runs };
  }
}

/**
 * The processor time of `work` as a ratio to that of `measure`: the least of each, as they take turns. While the ratio is not
 * below `bound` there are further rounds: a busy machine makes some of them longer, but not all.
 */
export async function costRatio(work: Work, measure: Work, bound: number): Promise<number> {
  let [least, unit, run] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (let round = 0; round < 3 || (round < 12 && least / unit >= bound); round++) {
    unit = Math.min(unit, (await costMs(measure, 0)).ms);
    const { ms, runs } = await costMs(work, run);
    least = Math.min(least, ms);
    run += runs;
  }
  return least / unit;
}

const STEP = 16;

/** Work of a size takes time by its size only: sixteen times as much takes 16 times as long, and not 256 times. */
export async function expectLinear(work: (size: number) => unknown, size: number): Promise<void> {
  const bound = STEP * Math.sqrt(STEP);
  expect(
    await costRatio(
      () => work(STEP * size),
      () => work(size),
      bound,
    ),
  ).toBeLessThan(bound);
}
