/**
 * What the HTTP layer costs: throughput and server processor time per request, each as the ratio to a bare `node:http`
 * server that sends a constant body of the same size with the same headers. Server and load generator have a core each;
 * rounds alternate, and medians of the rounds' ratios are told. Exits with 1 if a target is missed.
 *
 *   npm run bench:http -- [records]     ROUNDS=5 SECONDS=1 in the environment
 */
import { execSync } from 'node:child_process';
import { connect } from 'node:net';
import { cpus } from 'node:os';
import { detailUrls, listUrls, searchUrls } from './http-data.js';
import { type Child, download, downloadBytes, fetchRaw, load, needTools, startServer } from './http-load.js';

const [records = '1000000'] = process.argv.slice(2);
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 1);

interface Case {
  readonly name: string;
  readonly app: string;
  readonly urls: readonly string[];
  readonly headers?: readonly string[];
  /** The ratio that must be reached; without one the row is for information. */
  readonly target?: number;
  /** Compared with another request to the API instead of the bare server. */
  readonly against?: { readonly app: string; readonly urls: readonly string[]; readonly name: string };
}

const total = Number(records);
const first = ['/api/articles?page=1'];
const last = [`/api/articles?page=${Math.ceil(total / 20)}`];
const fifty = listUrls(50, total);
const sortedPages = Array.from({ length: 50 }, (_, i) => `/api/articles?sort=score&page=${1 + i * 97}`);
const plainPages = Array.from({ length: 50 }, (_, i) => `/api/articles?page=${1 + i * 97}`);

const cases: readonly Case[] = [
  { name: 'list, 5,000 URLs', app: 'cors', urls: listUrls(5000, total), target: 0.85 },
  { name: 'list, 5,000 URLs, no page kept', app: 'uncached', urls: listUrls(5000, total) },
  { name: 'list, 50 URLs', app: 'cors', urls: fifty, target: 1 },
  { name: 'detail, 5,000 ids', app: 'cors', urls: detailUrls(5000, total), target: 0.9 },
  { name: 'detail, 200,000 ids, none kept', app: 'uncached', urls: detailUrls(Math.min(200_000, total / 2), total) },
  { name: '304', app: 'cors', urls: first, headers: ['If-None-Match'], target: 1 },
  { name: 'search, 500 URLs', app: 'cors', urls: searchUrls(500), target: 0.5 },
  { name: 'search, 500 URLs, no page kept', app: 'uncached', urls: searchUrls(500) },
  {
    name: 'last page',
    app: 'uncached',
    urls: last,
    target: 0.9,
    against: { app: 'uncached', urls: first, name: 'first page' },
  },
  {
    name: 'sorted',
    app: 'uncached',
    urls: sortedPages,
    target: 0.9,
    against: { app: 'uncached', urls: plainPages, name: 'unsorted' },
  },
  ...['cors', 'limited', 'logged', 'all'].map((app) => ({
    name: `list, 50 URLs: ${app === 'all' ? 'all three' : app}`,
    app,
    urls: fifty,
    against: { app: 'plain', urls: fifty, name: 'nothing on' },
  })),
  { name: 'list, 50 URLs, brotli', app: 'cors', urls: fifty, headers: ['Accept-Encoding: br'] },
];

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

interface Run {
  readonly perSecond: number;
  readonly cpuUs: number;
}

async function run(child: Child, port: number, urls: readonly string[], headers: readonly string[]): Promise<Run> {
  const before = await child.usage();
  const startedAt = performance.now();
  const answered = load(port, urls, seconds, headers);
  const tookMs = performance.now() - startedAt;
  const { cpuMs } = await child.usage();
  return { perSecond: (answered / tookMs) * 1000, cpuUs: ((cpuMs - before.cpuMs) / answered) * 1000 };
}

const portOf = (child: Child, name: string): number => {
  const port = child.ports[name];
  if (port === undefined) throw new Error(`no server called ${name}`);
  return port;
};

const asked = (headers: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.map((header) => header.split(': ')));

/** The constant that stands for a case's answers: a body of their mean size, and the headers of one of them. */
async function prepareBare(api: Child, bare: Child, { app, urls }: Case, headers: readonly string[]): Promise<void> {
  const sample = urls.filter((_, i) => i % Math.ceil(urls.length / 50) === 0);
  const answers = await Promise.all(sample.map((url) => fetchRaw(portOf(api, app), url, asked(headers))));
  const bytes = Math.round(answers.reduce((sum, { body }) => sum + body.length, 0) / answers.length);
  const { status, headers: sent } = answers[0] ?? { status: 0, headers: [] };
  if (status !== 200 && status !== 304) throw new Error(`${urls[0]}: ${status}`);
  const list = sent.map((value, i) => (sent[i - 1] === 'Content-Length' ? String(bytes) : value));
  await bare.send({ status, headers: list, body: Buffer.alloc(bytes, 'x').toString('base64') });
}

async function measure(api: Child, bare: Child, one: Case): Promise<boolean> {
  const headers = [...(one.headers ?? [])];
  if (headers[0] === 'If-None-Match') {
    const { headers: sent } = await fetchRaw(portOf(api, one.app), one.urls[0] ?? '');
    headers[0] = `If-None-Match: ${sent[sent.indexOf('ETag') + 1]}`;
  }
  const { against } = one;
  if (against === undefined) await prepareBare(api, bare, one, headers);
  const peer = () =>
    against === undefined
      ? run(bare, portOf(bare, 'bare'), one.urls, headers)
      : run(api, portOf(api, against.app), against.urls, headers);
  const subject = () => run(api, portOf(api, one.app), one.urls, headers);
  // Pages are made and kept before they are timed, and both servers are warm.
  if (one.urls.length <= 5000) for (const url of one.urls) await fetchRaw(portOf(api, one.app), url, asked(headers));
  await peer();
  await subject();
  const ratios: { throughput: number; cpu: number; peer: Run; own: Run }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [a, b] = round % 2 === 0 ? [await peer(), await subject()] : [null, await subject()];
    const other = a ?? (await peer());
    ratios.push({ throughput: b.perSecond / other.perSecond, cpu: other.cpuUs / b.cpuUs, peer: other, own: b });
  }
  const throughput = median(ratios.map((ratio) => ratio.throughput));
  const cpu = median(ratios.map((ratio) => ratio.cpu));
  const absolute = `${median(ratios.map(({ own }) => own.perSecond)).toFixed(0)}/s, ${median(ratios.map(({ own }) => own.cpuUs)).toFixed(1)} µs`;
  return row(one.name, against?.name ?? 'bare node:http', absolute, throughput, cpu, one.target);
}

function row(name: string, peer: string, absolute: string, throughput: number, cpu: number, target?: number): boolean {
  const holds = target === undefined || Math.min(throughput, cpu) >= target;
  const verdict = target === undefined ? '' : holds ? 'holds' : 'does not hold';
  console.log(
    `| ${name} | ${peer} | ${absolute} | ${throughput.toFixed(2)} | ${cpu.toFixed(2)} | ${target ?? ''} | ${verdict} |`,
  );
  return holds;
}

async function measureExport(api: Child, bare: Child): Promise<boolean> {
  const path = '/api/export/articles';
  const port = portOf(api, 'cors');
  const bytes = await downloadBytes(port, path);
  const chunk = Buffer.alloc(1 << 16, 'x');
  const times = Math.round(bytes / chunk.length);
  await bare.send({
    status: 200,
    headers: ['Content-Type', 'application/json', 'Content-Length', String(times * chunk.length)],
    body: chunk.toString('base64'),
    times,
  });
  const timed = async (child: Child, name: string): Promise<{ s: number; cpu: number }> => {
    const before = await child.usage();
    const s = download(portOf(child, name), path);
    return { s, cpu: (await child.usage()).cpuMs - before.cpuMs };
  };
  const ratios: { throughput: number; cpu: number; s: number }[] = [];
  for (let round = 0; round < rounds + 1; round++) {
    const own = round % 2 === 0 ? await timed(api, 'cors') : null;
    const peer = await timed(bare, 'bare');
    const mine = own ?? (await timed(api, 'cors'));
    if (round > 0) ratios.push({ throughput: peer.s / mine.s, cpu: peer.cpu / mine.cpu, s: mine.s });
  }
  const rate = `${(bytes / 1e6 / median(ratios.map(({ s }) => s))).toFixed(0)} MB/s`;
  return row(
    `export, ${(bytes / 1e6).toFixed(0)} MB`,
    'bare, streaming',
    rate,
    median(ratios.map((r) => r.throughput)),
    median(ratios.map((r) => r.cpu)),
    0.8,
  );
}

/** What ten clients cost that ask for the export and read next to nothing. */
async function measureSlowReaders(api: Child): Promise<boolean> {
  const before = (await api.usage()).rssBytes;
  const sockets = Array.from({ length: 10 }, () => {
    const socket = connect(portOf(api, 'cors'), '127.0.0.1');
    socket.write('GET /api/export/articles HTTP/1.1\r\nHost: a\r\n\r\n');
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

needTools();
const commit = execSync('git rev-parse --short HEAD', { encoding: 'utf8' }).trim();
console.log(
  `${cpus()[0]?.model}, ${cpus().length} cores; Node ${process.version}; commit ${commit}; ${records} records\n`,
);
const [api, bare] = await Promise.all([startServer('api', records), startServer('bare')]);
console.log('| what | compared with | own | throughput ratio | CPU ratio | target | |\n|---|---|---|---|---|---|---|');
const verdicts: boolean[] = [];
for (const one of cases) verdicts.push(await measure(api, bare, one));
verdicts.push(await measureExport(api, bare));
verdicts.push(await measureSlowReaders(api));
api.end();
bare.end();
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
