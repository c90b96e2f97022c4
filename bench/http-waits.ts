/**
 * How long other clients wait while exports of 180 MB are sent: the p99 and the worst of the waits for a list, measured by
 * a client that is a process of its own, from before the exports begin. Exits with 1 if one is not below 50 ms.
 *
 *   npm run bench:waits
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { download, LOAD_CORE, needTools, startServer } from './http-load.js';
import { heading, spreadOf } from './measure.js';

const RECORDS = 100_000;
const PROBE_MS = 6000;
/** The first waits of all are those for a process that has compiled nothing yet. */
const WARM_UP_MS = 2000;
const TARGET_MS = 50;
const CSV = '/api/export/articles?format=csv';
const JSON_EXPORT = '/api/export/articles';

const clients = fileURLToPath(new URL('./http-clients.js', import.meta.url));
const client = (...args: readonly (string | number)[]): ChildProcess =>
  spawn('taskset', ['-c', LOAD_CORE, process.execPath, clients, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const curl = (port: number, target: string): ChildProcess =>
  spawn('taskset', ['-c', LOAD_CORE, 'curl', '-s', '-o', '/dev/null', `http://127.0.0.1:${port}${target}`]);

async function probed(port: number, forMs: number): Promise<readonly number[]> {
  const child = client('probe', port, forMs);
  let printed = '';
  child.stdout?.on('data', (text: Buffer) => {
    printed += text.toString();
  });
  await once(child, 'close');
  const waits: number[] = JSON.parse(printed);
  return waits;
}

const loads: Readonly<Record<string, (port: number) => readonly ChildProcess[]>> = {
  'nothing else': () => [],
  'one CSV export': (port) => [curl(port, CSV)],
  'two JSON exports': (port) => [curl(port, JSON_EXPORT), curl(port, JSON_EXPORT)],
  '32 CSV exports': (port) => Array.from({ length: 32 }, () => curl(port, CSV)),
  '200 stalled CSV exports': (port) => [client('stalled', port, 200, CSV)],
  '600 pipelined gzip exports': (port) => [client('pipelined', port, 600, CSV)],
};

needTools();
console.log(`${heading()}\n\n| beside | waits | p50 ms | p99 ms | worst ms |\n|---|---|---|---|---|`);
let missed = 0;
for (const [name, begin] of Object.entries(loads)) {
  const server = await startServer({ data: 'articles', records: RECORDS });
  await probed(server.port, WARM_UP_MS);
  const probing = probed(server.port, PROBE_MS);
  await sleep(1000);
  const children = begin(server.port);
  const { count, p50, p99, worst } = spreadOf(await probing);
  for (const child of children) child.kill();
  if (worst >= TARGET_MS) missed++;
  console.log(`| ${name} | ${count} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${worst.toFixed(1)} |`);
  server.end();
}

const bytes = 181;
const server = await startServer({ data: 'articles', records: RECORDS });
for (const target of [CSV, JSON_EXPORT]) {
  const rates = Array.from({ length: 7 }, () => bytes / download(server.port, target)).sort((a, b) => a - b);
  console.log(`${target}: ${rates[3]?.toFixed(0)} MB/s alone`);
}
server.end();
process.exitCode = missed === 0 ? 0 : 1;
