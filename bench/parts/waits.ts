/**
 * How long other clients wait while exports of 180 MB are sent: the p99 and the worst of the waits for a list, measured by
 * a client that is a process of its own, from before the exports begin. The server may use both cores; the client shares the
 * second with it and with the downloads, which give way. Exits with 1 if one is not below 50 ms.
 *
 *   npm run bench -- waits --only CSV
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readFlags } from '../flags.js';
import { heading, spreadOf } from '../measure.js';
import { ALL_CORES, download, LOAD_CORE, needTools, startChild } from './http-load.js';

const ARTICLES = 100_000;
const PROBED_MS = 6000;
/** The first waits of all are those for a process that has compiled nothing yet. */
const WARMING_MS = 2000;
const MAX_WAIT_MS = 50;
const CSV = '/api/export/articles?format=csv';
const JSON_EXPORT = '/api/export/articles';

const flags = readFlags({
  command: 'npm run bench -- waits',
  description: 'How long other clients wait while exports of 180 MB are sent.',
  flags: { only: { value: 'REGEXP', description: 'cases whose name matches [all]' } },
});
const only = new RegExp(flags.text('only', ''));
const clients = fileURLToPath(new URL('../http-clients.js', import.meta.url));
const client = (...args: readonly (string | number)[]): ChildProcess =>
  spawn('taskset', ['-c', LOAD_CORE, process.execPath, clients, ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });

/** Begins what others do, and returns how it is ended. */
type OtherLoad = (port: number) => { readonly begin: () => void; readonly end: () => void };

const flood =
  (role: string, count: number): OtherLoad =>
  (port) => {
    const child = client(role, port, count, CSV);
    return { begin: () => child.stdin?.write('\n'), end: () => child.kill() };
  };

/** Keeps `count` downloads running: each one that ends is followed by another. */
const downloads =
  (count: number, target: string): OtherLoad =>
  (port) => {
    let isOver = false;
    const running = new Set<ChildProcess>();
    const next = (): void => {
      const url = `http://127.0.0.1:${port}${target}`;
      // The probe has the same processor, and must not wait behind 32 of these.
      const curl = spawn('nice', ['-n', '19', 'taskset', '-c', LOAD_CORE, 'curl', '-s', '-o', '/dev/null', url]);
      running.add(curl);
      curl.once('close', () => {
        running.delete(curl);
        if (!isOver) next();
      });
    };
    return {
      begin() {
        for (let i = 0; i < count; i++) next();
      },
      end() {
        isOver = true;
        for (const curl of running) curl.kill();
      },
    };
  };

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

const loads: Readonly<Record<string, OtherLoad>> = {
  'nothing else': downloads(0, CSV),
  'one CSV export': downloads(1, CSV),
  'two JSON exports': downloads(2, JSON_EXPORT),
  '32 CSV exports': downloads(32, CSV),
  '200 stalled CSV exports': flood('stalled', 200),
  '600 pipelined gzip exports': flood('pipelined', 600),
};

if (!Object.keys(loads).some((name) => only.test(name)))
  flags.fail(`--only must match ${Object.keys(loads).join('; ')}, received "${only.source}".`);
needTools('taskset', 'curl');
console.log(`${heading()}\n\n| beside | waits | p50 ms | p99 ms | worst ms |\n|---|---|---|---|---|`);
let missed = 0;
for (const [name, load] of Object.entries(loads).filter(([name]) => only.test(name))) {
  const server = await startChild({ data: 'articles', records: ARTICLES }, ALL_CORES);
  await probed(server.port, WARMING_MS);
  const { begin, end } = load(server.port);
  const probing = probed(server.port, PROBED_MS);
  await sleep(1000);
  begin();
  const { count, p50, p99, worst } = spreadOf(await probing);
  end();
  if (worst >= MAX_WAIT_MS) missed++;
  console.log(`| ${name} | ${count} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${worst.toFixed(1)} |`);
  server.end();
}

const exportMegabytes = 181;
const server = await startChild({ data: 'articles', records: ARTICLES }, ALL_CORES);
for (const target of [CSV, JSON_EXPORT]) {
  const rates = Array.from({ length: 7 }, () => exportMegabytes / download(server.port, target)).sort((a, b) => a - b);
  console.log(`${target}: ${rates[3]?.toFixed(0)} MB/s alone`);
}
server.end();
process.exitCode = missed === 0 ? 0 : 1;
