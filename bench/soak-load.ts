/**
 * Minutes of mixed load while the dump is replaced every three seconds, by a broken one now and then: no request may fail,
 * no answer mix two editions, and memory stays level.
 */
import type { ChildProcess } from 'node:child_process';
import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodedText } from '../test/support/described.js';
import { below, type Random, seeded } from '../test/support/random.js';
import { megabytes, spreadOf, type Target } from './measure.js';
import { end, MAIN, memoryOf, startServer } from './processes.js';
import { probe } from './soak-clients.js';
import { growthOf, MAX_GROWTH, milliseconds, percent, watchScheduling } from './soak-common.js';
import { CATEGORIES, EDITIONS, put, SERVED, sizeOf, WORDS, writeEditions } from './soak-editions.js';

const CLIENTS = 8;
const CLIENT_PAUSE_MS = 5;
const RELOAD_MS = 3000;
const LOOK_MS = 50;
/** A dump in five is broken. */
const BROKEN_EVERY = 5;
const SAMPLE_MS = 1000;
const WARM_UP_MS = 60_000;
/** The changes of three reloads: they are full within the warm-up, and what grows later is a leak. */
const MAX_CHANGES = '100000';

interface Asked {
  readonly path: string;
  /** The collection whose records are counted in the answer, where all of them must be. */
  readonly counted?: 'articles' | 'products';
  /** It tells of an earlier edition, too. */
  readonly tellsOfBoth?: true;
}

const pick = <T>(random: Random, all: readonly [T, ...T[]] | readonly T[]): T => all[below(random, all.length)]!;

/** A request of any kind, each as often as another. */
function draw(random: Random): Asked {
  const word = pick(random, WORDS);
  const kinds: readonly Asked[] = [
    { path: `/api/articles?page=${1 + below(random, 400)}&sort=score&order=desc`, counted: 'articles' },
    { path: `/api/articles?limit=100&page=${1 + below(random, 90)}`, counted: 'articles' },
    { path: `/api/articles/${1 + below(random, sizeOf('articles', 0))}` },
    { path: `/api/articles/search?q=${word}+${pick(random, WORDS)}&limit=5` },
    { path: `/api/articles/search?q=%22${word}+${pick(random, WORDS)}%22` },
    { path: `/api/articles/stats?q=${word}` },
    { path: `/api/articles/tags?minScore=${below(random, 500)}` },
    { path: '/api/articles/changes?kind=changed', tellsOfBoth: true },
    { path: `/api/products?page=${1 + below(random, 900)}&sort=title`, counted: 'products' },
    { path: `/api/products?minPrice=${below(random, 90)}&sort=price&order=desc` },
    { path: `/api/products/${1 + below(random, sizeOf('products', 0))}` },
    { path: `/api/products/category/${encodeURIComponent(pick(random, CATEGORIES))}?page=${1 + below(random, 9)}` },
    { path: '/api/products/categories' },
    { path: '/api/export/products?format=csv', counted: 'products' },
    { path: '/api/export/articles?format=ndjson&fields=id,title', counted: 'articles' },
    { path: `/articles?q=${word}`, tellsOfBoth: true },
    { path: `/products?page=${1 + below(random, 900)}`, tellsOfBoth: true },
  ];
  return pick(random, kinds);
}

interface FetchedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true });

const fetchAnswer = (url: string, headers: Readonly<Record<string, string>>): Promise<FetchedAnswer> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: decodedText(Buffer.concat(chunks), headers['content-encoding']) });
      });
    }).on('error', reject);
  });

/** The edition that each tag of an address belongs to. */
type Known = Map<string, number>;

/** A description of what is wrong with an answer, or null. */
function wrongWith(
  { path, counted, tellsOfBoth }: Asked,
  { status, headers, body }: FetchedAnswer,
  known: Known,
): string | null {
  if (status !== 200) return `${status}: ${body.slice(0, 200)}`;
  if (tellsOfBoth) return null;
  const editions = new Set(body.match(/(?<=edition-)\d+/g));
  if (editions.size > 1) return `is of editions ${[...editions].join(', ')}`;
  const [edition] = [...editions].map(Number);
  if (edition === undefined) return null;
  const place = `${path} ${headers.etag}`;
  if ((known.get(place) ?? edition) !== edition) return `has the tag of edition ${known.get(place)}, not of ${edition}`;
  known.set(place, edition);
  const count = Number(/"total":(\d+)/.exec(body)?.[1] ?? body.match(/edition-/g)?.length);
  return counted !== undefined && count !== sizeOf(counted, edition) ? `has ${count} records of ${edition}` : null;
}

interface Load {
  readonly wrong: string[];
  answers: number;
  isOver: boolean;
}

interface Had {
  readonly asked: Asked;
  readonly tag: string;
}

/** A client that now and then revalidates the answer that it has by its tag. */
async function runClient(url: string, seed: number, load: Load, known: Known): Promise<void> {
  const random = seeded(seed);
  let last: Had | null = null;
  while (!load.isOver) {
    const again: Had | null = random() < 0.2 ? last : null;
    const visit: Asked = again?.asked ?? draw(random);
    const tag: Readonly<Record<string, string>> = again === null ? {} : { 'If-None-Match': again.tag };
    const headers = { 'Accept-Encoding': pick(random, ['gzip', 'br', 'identity']), ...tag };
    const answer: FetchedAnswer | string = await fetchAnswer(`${url}${visit.path}`, headers).catch(String);
    load.answers++;
    if (typeof answer === 'string') load.wrong.push(`${visit.path}: ${answer}`);
    else if (answer.status !== 304 || answer.headers.etag !== again?.tag) {
      const wrong = wrongWith(visit, answer, known);
      if (wrong !== null) load.wrong.push(`${visit.path}: ${wrong}`);
      last = { asked: visit, tag: answer.headers.etag ?? '' };
    }
    await sleep(CLIENT_PAUSE_MS);
  }
}

interface Reloads {
  done: number;
  broken: number;
}

/** Puts one edition after another in place, each once the one before is served, or told to be broken. */
async function reload(child: ChildProcess, url: string, load: Load, reloads: Reloads): Promise<void> {
  const health = async () => JSON.parse((await fetchAnswer(`${url}/health`, {})).body);
  for (let turn = 1; !load.isOver; turn++) {
    const isBroken = turn % BROKEN_EVERY === 0;
    const edition = turn % EDITIONS;
    const isDone = async (): Promise<boolean> => {
      const { collections, reloadFault } = await health();
      return isBroken ? reloadFault !== undefined : collections.articles === sizeOf('articles', edition);
    };
    const next = sleep(RELOAD_MS);
    put(isBroken ? 'broken' : edition);
    child.kill('SIGHUP');
    while (!(await isDone())) await sleep(LOOK_MS);
    await next;
    reloads.done++;
    if (isBroken) reloads.broken++;
  }
}

export async function mixedLoad(minutes: number): Promise<readonly Target[]> {
  writeEditions();
  put(0);
  const { child, url } = await startServer(MAIN, SERVED, ['--max-changes', MAX_CHANGES], 'ignore');
  const load: Load = { wrong: [], answers: 0, isOver: false };
  const tagsSeen: Known = new Map();
  const reloads: Reloads = { done: 0, broken: 0 };
  const memory: number[] = [];
  const lengthMs = minutes * 60_000;
  const warmUpMs = Math.min(WARM_UP_MS, lengthMs / 4);
  const beganAt = performance.now();
  const sampling = setInterval(() => {
    if (performance.now() - beganAt > warmUpMs) memory.push(memoryOf(child.pid).bytes);
  }, SAMPLE_MS);
  const scheduling = watchScheduling(child.pid);
  const clients = Array.from({ length: CLIENTS }, (_, i) => runClient(url, i + 1, load, tagsSeen));
  const reloading = reload(child, url, load, reloads);
  const { p99, worst, count } = spreadOf(await probe(new URL(url).port, lengthMs));
  load.isOver = true;
  const waited = scheduling();
  await Promise.all([...clients, reloading]);
  clearInterval(sampling);
  agent.destroy();
  await end(child);
  for (const wrong of load.wrong.slice(0, 20)) console.log(wrong);
  console.log(`memory: ${memory.map((bytes) => (bytes / 1e6).toFixed(0)).join(' ')}`);
  const growth = growthOf(memory);
  const mean = memory.reduce((sum, bytes) => sum + bytes, 0) / memory.length;
  const answers = (load.answers + count).toLocaleString('en');
  return [
    {
      what: `${minutes} minutes of mixed load, ${answers} answers, ${reloads.done} reloads, ${reloads.broken} of them of a broken dump: failed or mixed answers`,
      found: `${load.wrong.length}`,
      wanted: '0',
      holds: load.wrong.length === 0,
    },
    {
      what: 'how long a list takes meanwhile',
      found: `p99 ${milliseconds(p99)}, longest pause ${milliseconds(worst)}; ${waited}`,
      wanted: 'stated',
      holds: true,
    },
    {
      what: `growth of memory after the first minute, of ${megabytes(mean)} on average`,
      found: percent(growth),
      wanted: `< ${percent(MAX_GROWTH)}`,
      holds: Math.abs(growth) < MAX_GROWTH,
    },
  ];
}
