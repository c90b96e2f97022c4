/**
 * The load path alone: read, scan, parse, validate, hand on to a sink that counts. Beside it `JSON.parse` of the same file as one
 * string. Each run is a fresh process, the two alternate, the fastest of each counts.
 *   node .build/bench/load.js [folder for the dumps] [runs]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSnapshots } from '../src/load/load.js';
import { type DumpPlan, writeDump } from './load-data.js';

interface Run {
  readonly records: number;
  readonly tookMs: number;
  readonly peakBytes: number;
}

/** `maxRSS` is in kilobytes. */
const peakBytes = () => process.resourceUsage().maxRSS * 1024;

async function runLoad(path: string, name: string): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), 'load-bench-'));
  symlinkSync(path, join(dir, name));
  let records = 0;
  const startedAt = performance.now();
  const result = await loadSnapshots({
    dir,
    onRecord: () => {
      records++;
      return 'added';
    },
  });
  if (!result.ok) throw new Error(result.fault.message);
  return { records, tookMs: performance.now() - startedAt, peakBytes: peakBytes() };
}

function runParse(path: string): Run {
  const startedAt = performance.now();
  const records: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const tookMs = performance.now() - startedAt;
  return { records: Array.isArray(records) ? records.length : 0, tookMs, peakBytes: peakBytes() };
}

const self = fileURLToPath(import.meta.url);
const child = (mode: string, plan: DumpPlan): Run =>
  JSON.parse(execFileSync(process.execPath, [self, mode, plan.path, `${plan.kind}.json`], { encoding: 'utf8' }));

function compare(plan: DumpPlan, runs: number): string {
  writeDump(plan);
  const bytes = statSync(plan.path).size;
  const fitsString = bytes < 512 << 20;
  const loads: Run[] = [];
  const parses: Run[] = [];
  for (let i = 0; i < runs; i++) {
    loads.push(child('load', plan));
    if (fitsString) parses.push(child('parse', plan));
  }
  const load = fastest(loads);
  const parse = fitsString ? fastest(parses) : undefined;
  if (parse && parse.records !== load.records) throw new Error(`${parse.records} ≠ ${load.records} records`);
  const figures = [`${(bytes / 1e6).toFixed(0)} MB`, load.records.toLocaleString('en'), figure(load)];
  return `| ${[...figures, parse ? figure(parse) : 'fails', parse ? (load.tookMs / parse.tookMs).toFixed(2) : ''].join(' | ')} |`;
}

const fastest = (runs: readonly Run[]): Run => runs.reduce((best, run) => (run.tookMs < best.tookMs ? run : best));
const figure = ({ tookMs, peakBytes }: Run) => `${(tookMs / 1000).toFixed(2)} s, ${(peakBytes / 1e6).toFixed(0)} MB`;

const [, , mode = tmpdir(), second = '3', name = ''] = process.argv;
if (mode === 'load') console.log(JSON.stringify(await runLoad(second, name)));
else if (mode === 'parse') console.log(JSON.stringify(runParse(second)));
else {
  const plans: readonly DumpPlan[] = [
    { path: join(mode, 'articles-200MB.json'), kind: 'articles', minBytes: 200e6 },
    { path: join(mode, 'products-1M.json'), kind: 'products', records: 1_000_000 },
    { path: join(mode, 'articles-1200MB.json'), kind: 'articles', minBytes: 1.2e9 },
  ];
  console.log(`${cpus()[0]?.model.trim()}, Node ${process.version}\n`);
  console.log('| file | records | load: time, peak | JSON.parse: time, peak | ratio |\n|---|---|---|---|---|');
  for (const plan of plans) console.log(compare(plan, Number(second)));
}
