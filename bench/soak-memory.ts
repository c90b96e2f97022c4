/** How many bytes a record takes at rest, and at the peaks of a start and of a reload: the slope between two dumps. */
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeDump } from './load-data.js';
import type { Target } from './measure.js';
import { end, MAIN, memoryAtRest, memoryOf, startServer } from './processes.js';

/** The records of the smaller dump; the larger one has twice their number. */
const RECORDS = { articles: 30_000, products: 300_000 } as const;

interface Measured {
  readonly file: number;
  readonly rest: number;
  readonly start: number;
  readonly reload: number;
}

async function measure(kind: keyof typeof RECORDS, records: number): Promise<Measured> {
  const dir = `.build/dumps/${kind}-${records}`;
  mkdirSync(dir, { recursive: true });
  const path = join(dir, `${kind}.json`);
  writeDump({ path, kind, records });
  const { child, run } = await startServer(MAIN, dir);
  const restBytes = await memoryAtRest(child.pid);
  child.kill('SIGHUP');
  if (child.stdout !== null) await once(child.stdout.resume(), 'data');
  const reload = memoryOf(child.pid).peakBytes;
  await end(child);
  return { file: statSync(path).size, rest: restBytes, start: run.peakBytes, reload };
}

async function bytesARecord(kind: keyof typeof RECORDS): Promise<Measured> {
  const smaller = await measure(kind, RECORDS[kind]);
  const larger = await measure(kind, RECORDS[kind] * 2);
  const slope = (of: keyof Measured): number => Math.round((larger[of] - smaller[of]) / RECORDS[kind]);
  return { file: slope('file'), rest: slope('rest'), start: slope('start'), reload: slope('reload') };
}

export async function memory(): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (const kind of ['articles', 'products'] as const) {
    const { file, rest, start, reload } = await bytesARecord(kind);
    targets.push({
      what: `memory of ${kind} of ${file.toLocaleString('en')} bytes each, in bytes a record`,
      found: `${rest.toLocaleString('en')} at rest, ${start.toLocaleString('en')} at the peak of a start, ${reload.toLocaleString('en')} of a reload`,
      wanted: 'stated',
      holds: true,
    });
  }
  return targets;
}
