/**
 * What the HTTP layer costs: throughput and server processor time per request, each as the ratio to a bare `node:http`
 * server that sends a constant body of the same size with the same headers. Every server is a process of its own; it
 * and the load generator have a core each. Rounds alternate, and medians of the rounds' ratios are told. Exits with 1 if
 * a target is missed.
 *
 *   npm run bench -- http --rounds 3 --only 'list|304'
 */

import { connect } from 'node:net';
import { join } from 'node:path';
import { quantile } from '../../src/bench/client.js';
import { entityTag, etagOf, evaluatePreconditions } from '../../src/http/semantics/preconditions.js';
import { readFlags } from '../flags.js';
import { heading, time } from '../measure.js';
import { detailUrls, listUrls, searchUrls } from './http-data.js';
import { type Child, dir, download, downloadBytes, fetchRaw, load, needTools, startChild } from './http-load.js';
import type { AppSettings } from './http-server.js';

const flags = readFlags({
  command: 'npm run bench -- http',
  description: 'What the HTTP layer costs, as ratios to a bare node:http server.',
  flags: {
    records: { value: 'N', description: 'how many records are served [1000000]' },
    rounds: { value: 'N', description: 'rounds of each case [5]' },
    seconds: { value: 'N', description: 'length of a round [1]' },
    only: { value: 'REGEXP', description: 'cases whose name matches [all]' },
  },
});
const total = flags.count('records', 1_000_000);
const rounds = flags.count('rounds', 5);
const seconds = flags.count('seconds', 1);
const only = new RegExp(flags.text('only', ''));

const fewer = Math.min(total, 100_000);
const withCors = { corsOrigin: '*' };

/** The servers, each started for the first case that needs it and ended behind the last. */
const apps = {
  main: { data: 'titles', records: total, app: withCors },
  search: { data: 'articles', records: 100_000, app: withCors },
  nothing: { data: 'titles', records: fewer },
  hono: { data: 'titles', records: fewer, behind: 'hono' },
  middleware: { data: 'titles', records: fewer, behind: 'middleware' },
  cors: { data: 'titles', records: fewer, app: withCors },
  limited: { data: 'titles', records: fewer, app: { rateLimit: 1e9 } },
  logged: { data: 'titles', records: fewer, log: join(dir, 'log') },
  all: { data: 'titles', records: fewer, app: { ...withCors, rateLimit: 1e9 }, log: join(dir, 'log-of-all') },
} as const satisfies Record<string, AppSettings>;
type AppName = keyof typeof apps;

interface Case {
  readonly name: string;
  readonly app: AppName;
  readonly urls: readonly string[];
  readonly headers?: readonly string[];
  /** Every URL is visited for the first time, as far as is remembered. */
  readonly isFirst?: true;
  /** The ratio that must be reached; without one the row is for information. */
  readonly target?: number;
  /** Compared with another request to the API instead of the bare server. */
  readonly against?: { readonly app: AppName; readonly urls: readonly string[]; readonly name: string };
}

const firstPageUrl = ['/api/articles?page=1'];
/** More addresses than the cache remembers as visited once. A walk through them begins elsewhere each time. */
const FIRST_VISITS = 300_000;
const fifty = listUrls(50, total);
const fiftyOfFewer = listUrls(50, fewer);
const sortedPages = Array.from({ length: 50 }, (_, i) => `/api/articles?sort=score&page=${1 + i * 97}`);
/** The same number of parameters as the sorted pages have, so that only the sorting differs. */
const plainPages = sortedPages.map((url) => url.replace('sort=score', 'limit=20'));
const searches = searchUrls(500);
const upTo = (count: number, url: (i: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, i) => url(i));
/** Pages in no order, of ten and more records, each another one. */
const firstPage = (i: number): string => {
  const limit = 10 + (i % 20);
  return `page=${1 + ((Math.floor(i / 20) * 7919) % Math.floor(total / limit))}&limit=${limit}`;
};
const firstLists = upTo(FIRST_VISITS, (i) => `/api/articles?${firstPage(i)}`);
const firstSorted = upTo(FIRST_VISITS, (i) => `/api/articles?${firstPage(i)}&sort=score`);
const firstDetails = upTo(Math.min(FIRST_VISITS, total), (i) => `/api/articles/${1 + ((i * 7919) % total)}`);
const firstSearches = searchUrls(20_000);
const doors = { hono: 'node:http and Hono', middleware: 'node:http, Hono and a middleware' } as const;
const features = { cors: 'CORS', limited: 'rate limit', logged: 'log', all: 'CORS, rate limit and log' } as const;

const cases: readonly Case[] = [
  { name: 'list, 5,000 URLs', app: 'main', urls: listUrls(5000, total), target: 0.85 },
  { name: 'list, 50 URLs', app: 'main', urls: fifty, target: 1.3 },
  { name: 'detail, 5,000 ids', app: 'main', urls: detailUrls(5000, total), target: 0.9 },
  { name: '304', app: 'main', urls: firstPageUrl, headers: ['If-None-Match'], target: 1 },
  { name: 'list, 50 URLs, brotli', app: 'main', urls: fifty, headers: ['Accept-Encoding: br'] },
  { name: 'list, every visit a first', app: 'main', urls: firstLists, isFirst: true, target: 0.62 },
  { name: 'sorted list, every visit a first', app: 'main', urls: firstSorted, isFirst: true },
  { name: 'detail, every visit a first', app: 'main', urls: firstDetails, isFirst: true, target: 0.95 },
  {
    name: 'sorted, kept',
    app: 'main',
    urls: sortedPages,
    target: 0.9,
    against: { app: 'main', urls: plainPages, name: 'unsorted' },
  },
  { name: 'search, 500 URLs', app: 'search', urls: searches, target: 0.5 },
  { name: 'search, every visit a first', app: 'search', urls: firstSearches, isFirst: true },
  { name: 'wire, list, 50 URLs', app: 'nothing', urls: fiftyOfFewer },
  ...(['hono', 'middleware'] as const).map((app) => ({
    name: `${doors[app]}, list, 50 URLs`,
    app,
    urls: fiftyOfFewer,
    against: { app: 'nothing', urls: fiftyOfFewer, name: 'wire' } as const,
  })),
  ...(['cors', 'limited', 'logged', 'all'] as const).map((app) => ({
    name: `${features[app]} on, list, 50 URLs`,
    app,
    urls: fiftyOfFewer,
    against: { app: 'nothing', urls: fiftyOfFewer, name: 'nothing on' } as const,
  })),
];

interface HttpRun {
  readonly perSecond: number;
  readonly cpuUs: number;
}

let walked = 0;

async function run(
  child: Child,
  urls: readonly string[],
  headers: readonly string[],
  isFirst = false,
): Promise<HttpRun> {
  const at = isFirst ? Math.floor((urls.length * (walked++ % 7)) / 7) : null;
  const before = await child.usage();
  const startedAt = performance.now();
  const answered = load(child.port, urls, seconds, headers, at);
  const tookMs = performance.now() - startedAt;
  const { cpuMs } = await child.usage();
  return { perSecond: (answered / tookMs) * 1000, cpuUs: ((cpuMs - before.cpuMs) / answered) * 1000 };
}

const headersOf = (headers: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.map((header) => header.split(': ')));

interface Answers {
  readonly status: number;
  readonly headers: readonly string[];
  readonly bytes: number;
}

/** A constant that stands for answers: a body of their mean size, and the headers of one of them. */
async function sampleOf(api: Child, urls: readonly string[], headers: readonly string[]): Promise<Answers> {
  const sample = urls.filter((_, i) => i % Math.ceil(urls.length / 50) === 0);
  const answers = await Promise.all(sample.map((url) => fetchRaw(api.port, url, headersOf(headers))));
  const bytes = Math.round(answers.reduce((sum, { body }) => sum + body.length, 0) / answers.length);
  const { status, headers: sent } = answers[0] ?? { status: 0, headers: [] };
  if (status !== 200 && status !== 304) throw new Error(`${urls[0]}: ${status}`);
  return { status, headers: sent.map((value, i) => (sent[i - 1] === 'Content-Length' ? String(bytes) : value)), bytes };
}

const become = (bare: Child, { status, headers, bytes }: Answers): Promise<void> =>
  bare.send({ status, headers, body: Buffer.alloc(bytes, 'x').toString('base64') });

interface Ratio {
  readonly throughput: number;
  readonly cpu: number;
  readonly own: HttpRun;
}

/** Rounds that alternate, each begun by the other one. */
async function compareRuns(subject: () => Promise<HttpRun>, peer: () => Promise<HttpRun>): Promise<Ratio> {
  await peer();
  await subject();
  const ratios: Ratio[] = [];
  for (let round = 0; round < rounds; round++) {
    const early = round % 2 === 0 ? await peer() : null;
    const ownRun = await subject();
    const peerRun = early ?? (await peer());
    ratios.push({
      throughput: ownRun.perSecond / peerRun.perSecond,
      cpu: peerRun.cpuUs / ownRun.cpuUs,
      own: ownRun,
    });
  }
  const middle = (of: (ratio: Ratio) => number): number => quantile(ratios.map(of), 0.5);
  return {
    throughput: middle((ratio) => ratio.throughput),
    cpu: middle((ratio) => ratio.cpu),
    own: { perSecond: middle(({ own }) => own.perSecond), cpuUs: middle(({ own }) => own.cpuUs) },
  };
}

async function measure(server: (name: AppName) => Promise<Child>, bare: Child, one: Case): Promise<boolean> {
  const api = await server(one.app);
  const { against, urls } = one;
  const headers = [...(one.headers ?? [])];
  if (headers[0] === 'If-None-Match') {
    const { headers: sent } = await fetchRaw(api.port, urls[0] ?? '');
    headers[0] = `If-None-Match: ${sent[sent.indexOf('ETag') + 1]}`;
  }
  if (against === undefined) await become(bare, await sampleOf(api, urls, headers));
  const peer = against === undefined ? bare : await server(against.app);
  // Pages that are kept are asked for twice before they are timed.
  for (let visit = 0; visit < 2 && !one.isFirst; visit++) {
    for (const url of urls) await fetchRaw(api.port, url, headersOf(headers));
    for (const url of against?.urls ?? []) await fetchRaw(peer.port, url, headersOf(headers));
  }
  const ratio = await compareRuns(
    () => run(api, urls, headers, one.isFirst),
    () => run(peer, against?.urls ?? urls, headers, one.isFirst),
  );
  return row(one.name, against?.name ?? 'bare node:http', figures(ratio.own), ratio, one.target);
}

const figures = ({ perSecond, cpuUs }: HttpRun): string => `${perSecond.toFixed(0)}/s, ${cpuUs.toFixed(1)} µs`;

function row(
  name: string,
  peer: string,
  own: string,
  { throughput, cpu }: Omit<Ratio, 'own'>,
  target?: number,
): boolean {
  const holds = target === undefined || Math.min(throughput, cpu) >= target;
  const verdict = target === undefined ? '' : holds ? 'holds' : 'does not hold';
  console.log(
    `| ${name} | ${peer} | ${own} | ${throughput.toFixed(2)} | ${cpu.toFixed(2)} | ${target ?? ''} | ${verdict} |`,
  );
  return holds;
}

/** It cannot be turned off: its header lines are measured on the bare server, and what is computed for it by itself. */
async function measureTags(bare: Child, api: Child): Promise<void> {
  const full = await sampleOf(api, fiftyOfFewer, []);
  const isOfTag = (i: number): boolean => /^(?:ETag|Last-Modified)$/.test(full.headers[i - (i % 2)] ?? '');
  const without = { ...full, headers: full.headers.filter((_, i) => !isOfTag(i)) };
  const ratio = await compareRuns(
    async () => {
      await become(bare, full);
      return run(bare, fiftyOfFewer, []);
    },
    async () => {
      await become(bare, without);
      return run(bare, fiftyOfFewer, []);
    },
  );
  row('ETag and Last-Modified sent, by bare node:http', 'neither sent', figures(ratio.own), ratio);
  const calls = 1_000_000;
  const target = '/api/articles?page=7&limit=20&sort=score';
  let sink = 0;
  const creation = time(() => {
    for (let i = 0; i < calls; i++) sink += etagOf('version', target, String(i & 7)).length;
  });
  const validators = { tag: etagOf('version', target), modified: null };
  const fields = { 'if-none-match': entityTag(validators.tag, 'identity') };
  const evaluation = time(() => {
    for (let i = 0; i < calls; i++) if (evaluatePreconditions(fields, validators, 'identity') === 'notModified') sink++;
  });
  if (sink === 0) throw new Error('nothing was made');
  const us = (ms: number): string => `${((ms * 1000) / calls).toFixed(2)} µs`;
  console.log(`\nA tag is made in ${us(creation.ms)}, once for each page, and judged in ${us(evaluation.ms)}`);
}

async function compareExport(api: Child, bare: Child): Promise<boolean> {
  const path = '/api/export/articles';
  const bytes = await downloadBytes(api.port, path);
  await bare.send({
    status: 200,
    headers: ['Content-Type', 'application/json', 'Content-Length', String(bytes)],
    body: { at: `http://127.0.0.1:${api.port}${path}` },
  });
  const timed = (child: Child) => async (): Promise<HttpRun> => {
    const before = await child.usage();
    const tookS = download(child.port, path);
    return { perSecond: 1 / tookS, cpuUs: ((await child.usage()).cpuMs - before.cpuMs) * 1000 };
  };
  const ratio = await compareRuns(timed(api), timed(bare));
  const rate = `${((bytes / 1e6) * ratio.own.perSecond).toFixed(0)} MB/s`;
  return row(`export, ${(bytes / 1e6).toFixed(0)} MB`, 'bare, streaming the same bytes', rate, ratio, 0.8);
}

/** The memory that ten clients cost which request the export and read next to nothing, beyond that of a server at rest. */
async function measureSlowReaders(api: Child): Promise<boolean> {
  download(api.port, '/api/export/articles');
  const before = (await api.usage('collect')).rssBytes;
  const sockets = Array.from({ length: 10 }, () => {
    const socket = connect(api.port, '127.0.0.1');
    socket.write('GET /api/export/articles HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.once('readable', () => socket.read(1024));
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const added = ((await api.usage()).rssBytes - before) / 1e6;
  for (const socket of sockets) socket.destroy();
  const holds = added < 20;
  console.log(
    `\nTen slow readers of the export add ${added.toFixed(1)} MB (target: under 20 MB): ${holds ? 'holds' : 'does not hold'}`,
  );
  return holds;
}

const OTHER_CASES = ['export', 'ETag'];
const caseNames = [...cases.map(({ name }) => name), ...OTHER_CASES];
if (!caseNames.some((name) => only.test(name)))
  flags.fail(`--only must match ${caseNames.join('; ')}, received "${only.source}".`);
needTools('wrk', 'taskset', 'curl');
console.log(`${heading()}\n${total.toLocaleString('en')} records, ${rounds} rounds of ${seconds} s\n`);
const bare = await startChild('bare');
const running = new Map<AppName, Promise<Child>>();
function server(name: AppName): Promise<Child> {
  const started = running.get(name) ?? startChild(apps[name]);
  running.set(name, started);
  return started;
}
/** Ends what the cases to come do not need. */
async function endBut(needed: readonly (AppName | undefined)[]): Promise<void> {
  for (const [name, child] of running) {
    if (needed.includes(name)) continue;
    running.delete(name);
    (await child).end();
  }
}

console.log('| what | compared with | own | throughput ratio | CPU ratio | target | |\n|---|---|---|---|---|---|---|');
const verdicts: boolean[] = [];
if (only.test('export')) verdicts.push(await compareExport(await server('main'), bare));
const chosen = cases.filter(({ name }) => only.test(name));
for (const [i, one] of chosen.entries()) {
  await endBut(chosen.slice(i).flatMap(({ app, against }) => [app, against?.app]));
  verdicts.push(await measure(server, bare, one));
}
if (only.test('ETag')) await measureTags(bare, await server('nothing'));
if (only.test('export')) {
  await endBut([]);
  verdicts.push(await measureSlowReaders(await server('main')));
}
await endBut([]);
bare.end();
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
