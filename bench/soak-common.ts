/** The dump and the statistics that all parts of the soak use. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeDump } from './load-data.js';
import { linux, schedulingOf } from './processes.js';

/** The growth that a run may show, as a share of the mean; a leak passes any bound. */
export const MAX_GROWTH = 0.05;

/**
 * How much a series of samples, taken at equal distances, has grown from its beginning to its end, by its least-squares
 * line, as a share of its mean.
 */
export function growthOf(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  let [above, below] = [0, 0];
  samples.forEach((value, i) => {
    above += (i - middle) * (value - mean);
    below += (i - middle) ** 2;
  });
  return ((above / below) * (samples.length - 1)) / mean;
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;

/**
 * From here on, how much of its time a server was ready to run and had no processor: what it waits for others on the
 * machine is in every time that is measured.
 */
export function watchScheduling(pid: number | undefined): () => string {
  const before = linux(schedulingOf(pid));
  return () => {
    const { ranMs, waitedMs } = linux(schedulingOf(pid));
    const waited = waitedMs - before.waitedMs;
    return `it waited for a processor ${percent(waited / (waited + ranMs - before.ranMs))} of its time`;
  };
}

const ARTICLES_BYTES = 40e6;

/** A folder with a dump of articles whose export is larger than what the system buffers for a connection. */
export function articlesFolder(): string {
  const dir = '.build/dumps/soak';
  mkdirSync(dir, { recursive: true });
  writeDump({ path: join(dir, 'articles.json'), kind: 'articles', minBytes: ARTICLES_BYTES });
  return dir;
}
