/**
 * From a dump to a server that listens, beside `JSON.parse(readFileSync(file, 'utf8'))` of the same file: time, peak memory,
 * memory at rest, and how long list requests take while the dump is loaded again. Every figure is of a fresh process,
 * the kinds alternate, the middle of the rounds counts. Exit code 1 when a target is missed, of which prose has none.
 *   npm run bench -- load --only articles --rounds 5
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { quantile } from '../../src/bench/client.js';
import type * as Internals from '../../test/support/internals.js';
import { FULL, writeArticles } from '../data.js';
import { readFlags } from '../flags.js';
import { writeDump } from '../load-data.js';
import { heading, megabytes, report, spreadOf, type Target, table } from '../measure.js';
import { end, MAIN, memoryAtRest, startServer, timed } from '../processes.js';

const DUMPS = '.build/dumps';
/** The builder of stores, bundled as the server has it. */
const INTERNALS = pathToFileURL(resolve('dist/internals.js')).href;
const SELF = fileURLToPath(import.meta.url);
/** After a reload pages are prepared: requests during this time count as well. */
const WATCHED_MS = 2000;
const REQUEST_EVERY_MS = 2;
const MAX_STRING_BYTES = 512 << 20;

interface Dump {
  readonly name: string;
  readonly collection: 'articles' | 'products';
  readonly path: string;
  readonly make: (path: string) => Promise<void> | void;
}

const dumps: readonly Dump[] = [
  {
    name: 'articles',
    collection: 'articles',
    path: join(DUMPS, 'articles.json'),
    make: (path) => writeArticles(path, FULL),
  },
  {
    name: 'products',
    collection: 'products',
    path: join(DUMPS, 'products.json'),
    make: (path) => writeDump({ path, kind: 'products', records: 1_000_000 }),
  },
  {
    name: 'products, one line',
    collection: 'products',
    path: join(DUMPS, 'products-minified.json'),
    make(path) {
      const plain = join(DUMPS, 'products.json');
      if (!existsSync(plain)) writeDump({ path: plain, kind: 'products', records: 1_000_000 });
      writeFileSync(path, readFileSync(plain, 'latin1').replaceAll('\n', ''), 'latin1');
    },
  },
  {
    name: 'prose',
    collection: 'articles',
    path: join(DUMPS, 'articles-prose.json'),
    make: (path) => writeDump({ path, kind: 'prose', minBytes: 200e6 }),
  },
  {
    name: 'large',
    collection: 'articles',
    path: join(DUMPS, 'articles-large.json'),
    make: (path) => writeDump({ path, kind: 'articles', minBytes: 1.2e9 }),
  },
];

/** Reading texts as people write them is measured without a target. */
const NO_TARGETS = 'prose';
/** Dumps that are measured only if they are named. */
const ASKED_FOR = new Set([NO_TARGETS, 'large']);

interface LoadRun {
  readonly ms: number;
  readonly peakBytes: number;
}

interface ServerRun extends LoadRun {
  readonly restBytes: number;
  /** Times of list requests while the dump is loaded again. */
  readonly reload?: { readonly p50: number; readonly p99: number; readonly worst: number; readonly count: number };
}

function runParse({ path }: Dump): LoadRun | undefined {
  if (statSync(path).size >= MAX_STRING_BYTES) return undefined;
  return JSON.parse(execFileSync(process.execPath, [SELF, '--parse', path], { encoding: 'utf8' }));
}

/** The time and memory of `JSON.parse` alone, without the start of its process. */
function parse(path: string): LoadRun {
  const startedAt = performance.now();
  const records: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const ms = performance.now() - startedAt;
  if (!Array.isArray(records)) throw new Error(`${path} holds no array`);
  return { ms, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

/** Builds all but the search index, says so, and waits to be ended. */
async function buildStores(dir: string): Promise<void> {
  const { buildFrom, createStoresBuilder }: typeof Internals = await import(INTERNALS);
  const built = await buildFrom({ dir }, createStoresBuilder());
  if (!built.ok) throw new Error(built.fault.message);
  console.log('done');
  setInterval(() => built, 1000);
}

async function runStores(dir: string): Promise<ServerRun> {
  const { child, run } = await timed([SELF, '--stores', dir], 'done');
  const restBytes = await memoryAtRest(child.pid);
  await end(child);
  return { ...run, restBytes };
}

async function runServer(dir: string, collection: string, reloads: boolean): Promise<ServerRun> {
  const { child, url: base, run } = await startServer(MAIN, dir);
  const restBytes = await memoryAtRest(child.pid);
  const url = `${base}/api/${collection}`;
  const reload = reloads ? spreadOf(await requestsDuringReload(child, url)) : undefined;
  await end(child);
  return { ...run, restBytes, ...(reload && { reload }) };
}

/** Asks for one page after the other, at a steady pace, from before a reload until it is announced. */
async function requestsDuringReload(child: ChildProcess, url: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let isDone = false;
  child.stdout?.on('data', (text: Buffer) => {
    if (text.includes('reloaded:')) setTimeout(() => (isDone = true), WATCHED_MS);
  });
  for (let i = 0; i < 100; i++) await requestPage(`${url}?page=${i + 1}`, agent);
  child.kill('SIGHUP');
  for (let i = 0; !isDone; i++) {
    const startedAt = performance.now();
    await requestPage(`${url}?page=${1 + ((i * 37) % 4000)}&sort=title`, agent);
    times.push(performance.now() - startedAt);
    await wait(REQUEST_EVERY_MS);
  }
  agent.destroy();
  return times;
}

const requestPage = (url: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} is answered ${response.statusCode}`));
      response.resume();
      response.once('end', resolve);
    }).once('error', reject);
  });

const middle = (values: readonly number[]): number => quantile(values, 0.5);

interface LoadFigures {
  readonly bytes: number;
  readonly parse: LoadRun | undefined;
  readonly stores: ServerRun;
  readonly server: ServerRun;
}

async function measure(dump: Dump, rounds: number): Promise<LoadFigures> {
  const dir = mkdtempSync(join(tmpdir(), 'load-bench-'));
  symlinkSync(resolve(dump.path), join(dir, `${dump.collection}.json`));
  const parses: LoadRun[] = [];
  const stores: ServerRun[] = [];
  const servers: ServerRun[] = [];
  for (let round = 0; round < rounds; round++) {
    const parsed = runParse(dump);
    if (parsed) parses.push(parsed);
    stores.push(await runStores(dir));
    servers.push(await runServer(dir, dump.collection, round === 0));
  }
  rmSync(dir, { recursive: true });
  const of = (runs: readonly ServerRun[]): ServerRun => ({
    ms: middle(runs.map(({ ms }) => ms)),
    peakBytes: middle(runs.map(({ peakBytes }) => peakBytes)),
    restBytes: middle(runs.map(({ restBytes }) => restBytes)),
    ...(runs[0]?.reload && { reload: runs[0].reload }),
  });
  return {
    bytes: statSync(dump.path).size,
    parse:
      parses.length > 0
        ? { ms: middle(parses.map(({ ms }) => ms)), peakBytes: middle(parses.map(({ peakBytes }) => peakBytes)) }
        : undefined,
    stores: of(stores),
    server: of(servers),
  };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

function tableOf({ name }: Dump, { bytes, parse, stores, server }: LoadFigures): string {
  const row = (what: string, { ms, peakBytes }: LoadRun, restBytes?: number): string[] => [
    what,
    seconds(ms),
    parse ? (ms / parse.ms).toFixed(2) : '',
    megabytes(peakBytes),
    (peakBytes / bytes).toFixed(2),
    restBytes === undefined ? '' : megabytes(restBytes),
    restBytes === undefined ? '' : (restBytes / bytes).toFixed(2),
  ];
  return table([
    [`${name}, ${megabytes(bytes)}`, 'time', '/ parse', 'peak', '/ file', 'at rest', '/ file'],
    ...(parse ? [row('JSON.parse of one string', parse)] : []),
    row('start without search', stores, stores.restBytes),
    row('start to listening', server, server.restBytes),
  ]);
}

function targetsOf({ name }: Dump, { bytes, parse, stores, server }: LoadFigures): Target[] {
  const atMost = (what: string, found: number, wanted: number, unit: string): Target => ({
    what: `${name}: ${what}`,
    found: found.toFixed(2) + unit,
    wanted: `≤ ${wanted}${unit}`,
    holds: found <= wanted,
  });
  return [
    ...(parse
      ? [
          atMost('start to listening / JSON.parse', server.ms / parse.ms, 1.5, ''),
          atMost('start without search / JSON.parse', stores.ms / parse.ms, 0.7, ''),
        ]
      : []),
    atMost('peak memory / file', server.peakBytes / bytes, 2.2, ''),
    atMost('memory at rest / file', server.restBytes / bytes, 1.6, ''),
    ...(server.reload
      ? [atMost(`p99 of ${server.reload.count} lists while reloading`, server.reload.p99, 20, ' ms')]
      : []),
  ];
}

const [, , mode = '', second = ''] = process.argv;
if (mode === '--parse') console.log(JSON.stringify(parse(second)));
else if (mode === '--stores') await buildStores(second);
else {
  const names = dumps.map(({ name }) => name);
  const flags = readFlags({
    command: 'npm run bench -- load',
    description: 'Start, memory and reloads of large dumps, beside JSON.parse.',
    flags: {
      rounds: { value: 'N', description: 'rounds of each dump; the largest has one [3]' },
      only: { value: 'NAME,…', description: `some of ${names.join(', ')} [all but ${[...ASKED_FOR].join(', ')}]` },
    },
    notes: 'prose: 200 MB with numbers, compounds and escapes; large: 1.2 GB, more than JSON.parse can take.',
  });
  const chosen = flags.has('only') ? flags.list('only', names) : names.filter((name) => !ASKED_FOR.has(name));
  const rounds = flags.count('rounds', 3);
  mkdirSync(DUMPS, { recursive: true });
  console.log(heading());
  const targets: Target[] = [];
  for (const dump of dumps.filter(({ name }) => chosen.includes(name))) {
    if (!existsSync(dump.path)) await dump.make(dump.path);
    const figures = await measure(dump, dump.name === 'large' ? 1 : rounds);
    console.log(`\n${tableOf(dump, figures)}`);
    if (dump.name !== NO_TARGETS) targets.push(...targetsOf(dump, figures));
  }
  if (targets.length > 0) report(targets);
}
