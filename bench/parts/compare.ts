/**
 * Two builds of the project side by side, that of a commit and that of the working tree: start to listening, processor time and
 * memory for dumps of articles and products: 100,000 and a million, the sample, and 4 MB; each as our own JSON, as a scraper's JSON
 * without and with unused columns, also where these are found fields, and as CSV; with German prices, and with dates as programs
 * write them. Then searches and list pages over HTTP, and lists during a reload. Every round starts fresh processes, of both builds in turn. A ratio is the geometric mean of the
 * rounds' ratios, ± its standard error; below 1 the working tree is faster or smaller. Exit code 1 where answers differ.
 *   npm run bench:compare -- 8d898fe --rounds 5 --only products,products-csv --no-http
 */

import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorMsOf, TICK_MS } from '../../src/bench/process-stats.js';
import type { DocumentedName } from '../../src/model.js';
import { below, seeded } from '../../test/support/random.js';
import {
  asScraped,
  type Respelling,
  recordsIn,
  withGermanPrices,
  withUnused,
  writeCsv,
  writeScraped,
} from '../../test/support/scraper-dumps.js';
import { FULL, writeArticles } from '../data.js';
import { readFlags } from '../flags.js';
import { writeDump } from '../load-data.js';
import { machine, spreadOf, table, workingCommit } from '../measure.js';
import { end, linux, memoryAtRest, memoryOf, startServer } from '../processes.js';

import { ask, openConnection } from './answers.js';
import { type Build, buildCommit, buildWorkingTree, commitOf } from './builds.js';
import { asPrefix, makeQueries, misspelt } from './search-texts.js';

const COMPARED_BYTES = 4 << 20;
const REQUESTS = 500;
/** Requests before the timed ones: during them V8 compiles the server's code. */
const WARM_UPS = 200;
/** The number of records whose words are searched for. */
const VOCABULARY_RECORDS = 5000;
/** Sort keys that every commit knows. */
const COMPARED_SORTS: Readonly<Record<DocumentedName, readonly string[]>> = {
  articles: ['', 'title', 'score', 'date'],
  products: ['', 'title', 'price', 'rating'],
};

/** Requests while a server reloads, between two looks at whether it has. */
const REQUESTS_A_LOOK = 20;
/** What runs later than this after "listening" is no part of the start. */
const AFTER_MS = 1000;

/** How a dump is spelt, and which of its columns are served. */
interface Form {
  readonly extension: 'json' | 'csv';
  readonly columns: 'all' | 'documented';
}

interface ComparedDump extends Form {
  readonly name: string;
  readonly collection: DocumentedName;
  readonly records: number;
  /** The dump that it is made from, by its name; its own if it is made from none. */
  readonly source: string;
  /** The dump beside which its start is shown. */
  readonly beside: string;
  readonly make: (path: string) => Promise<void> | void;
}

type Writer = (collection: DocumentedName, cleanPath: string, path: string) => Promise<void>;
const scraped =
  (respell: Respelling): Writer =>
  (collection, cleanPath, path) =>
    writeScraped(collection, cleanPath, path, respell);

const CLEAN: Form = { extension: 'json', columns: 'documented' };

/** Unused columns up to forty: codes, counts, names and flags. */
const withForty: Respelling = (name, record, i) => ({
  ...asScraped(name, record),
  ...Object.fromEntries(
    Array.from({ length: 31 }, (_, column) => [
      `column_${column}`,
      [`code-${(i * 31 + column) % 500}`, (i * 7919 + column) % 90_000, `Name ${(i + column) % 40}`, i % 3 === 0][
        column % 4
      ],
    ]),
  ),
});

const withDates =
  (spell: (date: Date) => string | number): Respelling =>
  (_, record) => ({ ...record, ...(typeof record.date === 'string' && { date: spell(new Date(record.date)) }) });

/** Dumps that are made from a clean one, by the end of their names. */
const derivedForms = {
  raw: { ...CLEAN, write: scraped(asScraped) },
  unused: { ...CLEAN, write: scraped(withUnused) },
  found: { ...CLEAN, columns: 'all', write: scraped(withUnused) },
  german: { ...CLEAN, write: scraped(withGermanPrices) },
  csv: { ...CLEAN, extension: 'csv', write: writeCsv },
  'forty-documented': { ...CLEAN, write: scraped(withForty) },
  forty: { ...CLEAN, columns: 'all', write: scraped(withForty), beside: 'forty-documented' },
  'dates-milliseconds': { ...CLEAN, write: scraped(withDates((date) => date.toISOString())) },
  'dates-offset': { ...CLEAN, write: scraped(withDates((date) => date.toISOString().replace('.000Z', '+00:00'))) },
  'dates-space': { ...CLEAN, write: scraped(withDates((date) => date.toISOString().replace('T', ' ').slice(0, 19))) },
  'dates-python': { ...CLEAN, write: scraped(withDates((date) => date.toISOString().replace('Z', '000'))) },
  'dates-epoch': { ...CLEAN, write: scraped(withDates((date) => date.getTime())) },
} as const satisfies Readonly<Record<string, Form & { readonly write: Writer; readonly beside?: string }>>;
type Suffix = keyof typeof derivedForms;

/** A clean dump, and some made from it. */
const dumpsOf = (
  { name, collection, records }: Pick<ComparedDump, 'name' | 'collection' | 'records'>,
  make: ComparedDump['make'],
  suffixes: readonly Suffix[] = [],
): readonly ComparedDump[] => {
  const clean: ComparedDump = { ...CLEAN, name, collection, records, source: name, beside: name, make };
  const derived = suffixes.map((suffix): ComparedDump => {
    const { write, extension, columns, ...form } = derivedForms[suffix];
    const beside = 'beside' in form ? `${name}-${form.beside}` : name;
    const makeDerived: ComparedDump['make'] = async (path) => write(collection, await pathOf(clean), path);
    return { ...clean, extension, columns, name: `${name}-${suffix}`, beside, make: makeDerived };
  });
  return [clean, ...derived];
};

const MILLION = 1_000_000;
const HUNDRED_THOUSAND = 100_000;
/** Articles of 4 MB. */
const SMALL = 2800;
const SAMPLE = 'snapshots/sample/articles.json';

const articlesOf = (name: string, articles: number, suffixes: readonly Suffix[]) =>
  dumpsOf(
    { name, collection: 'articles', records: articles },
    (path) => writeArticles(path, { ...FULL, articles }),
    suffixes,
  );
const productsOf = (name: string, records: number, suffixes: readonly Suffix[]) =>
  dumpsOf(
    { name, collection: 'products', records },
    (path) => writeDump({ path, kind: 'products', records }),
    suffixes,
  );

const dumps = [
  ...dumpsOf(
    { name: 'sample', collection: 'articles', records: readFileSync(SAMPLE, 'utf8').split('\n{').length - 1 },
    (path) => copyFileSync(SAMPLE, path),
  ),
  ...articlesOf('articles-4mb', SMALL, []),
  ...articlesOf('articles', HUNDRED_THOUSAND, [
    ...(['raw', 'unused', 'found', 'csv', 'forty-documented', 'forty'] as const),
    ...(['dates-milliseconds', 'dates-offset', 'dates-space', 'dates-python', 'dates-epoch'] as const),
  ]),
  ...productsOf('products-100000', HUNDRED_THOUSAND, ['raw', 'csv']),
  ...articlesOf('articles-million', MILLION, ['raw', 'csv']),
  ...productsOf('products', MILLION, ['raw', 'unused', 'found', 'german', 'csv']),
];

/** Dumps are cached between calls, and shared by all checkouts: the folder is named by a hash of the code that makes them. */
const generators = [
  '../data.js',
  '../load-data.js',
  '../../test/support/random.js',
  '../../test/support/scraper-dumps.js',
].map((path) => readFileSync(new URL(path, import.meta.url)));
const cache = join(
  tmpdir(),
  `bench-dumps-${createHash('sha256').update(Buffer.concat(generators)).digest('hex').slice(0, 12)}`,
);

async function pathOf({ name, extension, make }: ComparedDump): Promise<string> {
  const path = join(cache, `${name}.${extension}`);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  const draft = join(work, `${name}.draft`);
  await make(draft);
  renameSync(draft, path);
  return path;
}

interface Server {
  readonly build: Build;
  readonly child: ChildProcess;
  readonly url: string;
}

/** A collection's version, and a digest of the first megabytes of its export and of its last list page. */
async function fingerprintOf({ url }: Server, { collection, records }: ComparedDump) {
  const { version } = JSON.parse(await (await fetch(`${url}/health`)).text());
  const paths = [`export/${collection}`, `${collection}?limit=1000&page=${Math.ceil(records / 1000)}`];
  const digest = createHash('sha256');
  for (const path of paths) {
    const response = await fetch(`${url}/api/${path}`, { headers: { Range: `bytes=0-${COMPARED_BYTES - 1}` } });
    if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
    digest.update(new Uint8Array(await response.arrayBuffer()));
  }
  return { version: String(version), digest: digest.digest('hex') };
}

/** Every dump of a source is the same records to both builds, and the same version within one. */
async function checkAnswers(chosen: readonly ComparedDump[], builds: readonly Build[]): Promise<void> {
  const firstValues = new Map<string, string>();
  const expectSame = (what: string, value: string, where: string): void => {
    const before = firstValues.get(what) ?? value;
    firstValues.set(what, before);
    if (before !== value) throw new Error(`${where}: the ${what} differs from that of the dumps or builds before it`);
  };
  for (const dump of chosen) {
    const { name, source, columns } = dump;
    const servers = await Promise.all(builds.map((build) => start(build, dump)));
    for (const server of servers) {
      const { version, digest } = await fingerprintOf(server, dump);
      await end(server.child);
      // Found fields are a part of the version.
      if (columns === 'documented') expectSame(`version of ${source} in ${server.build.what}`, version, name);
      expectSame(`export of ${source}`, digest, `${name} in ${server.build.what}`);
    }
  }
}

/** Every value of a figure, a round each, for each build. */
const figures = new Map<string, Readonly<Record<Build['what'], number[]>>>();
function noteFigure(figure: string, { what }: Build, value: number): void {
  const values = figures.get(figure) ?? { REF: [], 'working tree': [] };
  figures.set(figure, values);
  values[what].push(value);
}

/** The columns are asked for by a variable, which a commit without found fields does not read. */
async function start(build: Build, { name, columns }: ComparedDump) {
  return { build, ...(await startServer(build.main, join(work, name), [], 'inherit', { SCRAPER_COLUMNS: columns })) };
}

/** The starts of a round, by build and dump. */
type Starts = Map<string, { readonly ms: number; readonly processorMs: number }>;

async function measureStart(build: Build, dump: ComparedDump, starts: Starts): Promise<Server> {
  const { name, beside } = dump;
  const server = await start(build, dump);
  const { pid } = server.child;
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
  const startedMs = linux(processorMsOf(pid ?? 0));
  const restBytes = await memoryAtRest(pid);
  noteFigure(`${name}: start, s`, build, server.run.ms / 1000);
  noteFigure(`${name}: processor time, s`, build, server.run.processorMs / 1000);
  starts.set(`${build.what} ${name}`, server.run);
  const other = beside === name ? undefined : starts.get(`${build.what} ${beside}`);
  if (other !== undefined) {
    noteFigure(`${name}: start / that of ${beside}`, build, server.run.ms / other.ms);
    noteFigure(`${name}: processor time / that of ${beside}`, build, server.run.processorMs / other.processorMs);
  }
  // A clock tick more, so that a ratio has no zero.
  noteFigure(`${name}: processor time later, ms + 10`, build, linux(processorMsOf(pid ?? 0)) - startedMs + TICK_MS);
  noteFigure(`${name}: peak, MB`, build, memoryOf(pid).peakBytes / 1e6);
  noteFigure(`${name}: at rest, MB`, build, restBytes / 1e6);
  return server;
}

/** The words of titles, the most frequent first. */
async function vocabularyOf(cleanPath: string): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  let recordsLeft = VOCABULARY_RECORDS;
  for await (const { title } of recordsIn(cleanPath)) {
    for (const word of String(title).toLowerCase().split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
    if (--recordsLeft === 0) break;
  }
  return [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
}

/** All paths are different, so that no answer comes from the page cache. */
async function requestsFor(
  dump: ComparedDump,
): Promise<readonly (readonly [kind: string, paths: readonly string[]])[]> {
  const count = WARM_UPS + REQUESTS;
  const queries = makeQueries(await vocabularyOf(await pathOf(dump)), count);
  const random = seeded(3);
  const sorts = COMPARED_SORTS[dump.collection];
  const pages = new Set<string>();
  while (pages.size < count) {
    const sort = sorts[below(random, sorts.length)];
    pages.add(`?page=${1 + below(random, dump.records / 20)}${sort && `&sort=${sort}&order=desc`}`);
  }
  const paths = (some: Iterable<string>) => [...some].map((path) => `/api/${dump.collection}${path}`);
  return [
    ['list pages', paths(pages)],
    ['two words', paths(queries.map((query) => `/search?q=${encodeURIComponent(query)}`))],
    ['prefix', paths(queries.map((query) => `/search?q=${encodeURIComponent(asPrefix(query))}`))],
    ['misspelt', paths(queries.map((query, i) => `/search?q=${encodeURIComponent(misspelt(query, i))}`))],
  ];
}

/** Asks both servers in turn. Their answers are expected to be equal. */
async function measureAnswers(servers: readonly Server[], dump: ComparedDump): Promise<void> {
  const clients = await Promise.all(
    servers.map(async ({ build, url }) => {
      const times: number[] = [];
      return { build, socket: await openConnection(url), times };
    }),
  );
  for (const [kind, paths] of await requestsFor(dump)) {
    let differing = 0;
    for (const [i, path] of paths.entries()) {
      const bodies: Buffer[] = [];
      for (const { socket, times } of i % 2 === 0 ? clients : clients.toReversed()) {
        const startedAt = performance.now();
        bodies.push(await ask(socket, path));
        if (i >= WARM_UPS) times.push(performance.now() - startedAt);
      }
      if (!bodies[0]?.equals(bodies[1] ?? Buffer.alloc(0))) differing++;
    }
    for (const { build, times } of clients) {
      const { p50, p95, p99 } = spreadOf(times.splice(0));
      noteFigure(`${dump.name}: ${kind}, p50, ms`, build, p50);
      noteFigure(`${dump.name}: ${kind}, p95, ms`, build, p95);
      noteFigure(`${dump.name}: ${kind}, p99, ms`, build, p99);
    }
    if (differing === 0) continue;
    console.log(`${dump.name}: ${kind}: ${differing} of ${paths.length} answers differ`);
    process.exitCode = 1;
  }
  for (const { socket } of clients) socket.destroy();
}

/** The times of lists while a server reads its dump again. */
async function measureReload(
  { build, url, child }: Server,
  { name, collection, records }: ComparedDump,
): Promise<void> {
  const loadedAt = async (): Promise<unknown> => JSON.parse(await (await fetch(`${url}/health`)).text()).loadedAt;
  const socket = await openConnection(url);
  const before = await loadedAt();
  const random = seeded(5);
  const times: number[] = [];
  child.kill('SIGHUP');
  while ((await loadedAt()) === before) {
    for (let i = 0; i < REQUESTS_A_LOOK; i++) {
      const startedAt = performance.now();
      await ask(socket, `/api/${collection}?page=${1 + below(random, records / 20)}`);
      times.push(performance.now() - startedAt);
    }
  }
  socket.destroy();
  noteFigure(`${name}: lists during a reload, p99, ms`, build, spreadOf(times).p99);
}

async function measureRound(
  round: number,
  chosen: readonly ComparedDump[],
  builds: readonly Build[],
  withHttp: boolean,
): Promise<void> {
  const starts: Starts = new Map();
  for (const [i, dump] of chosen.entries()) {
    const asksBoth = withHttp && dump.source === dump.name && dump.records >= HUNDRED_THOUSAND;
    const servers: Server[] = [];
    for (const build of (round + i) % 2 === 0 ? builds : builds.toReversed()) {
      const server = await measureStart(build, dump, starts);
      servers.push(server);
      if (!asksBoth) await end(server.child);
    }
    if (asksBoth) {
      await measureAnswers(servers, dump);
      for (const server of servers) await measureReload(server, dump);
    }
    for (const { child } of servers) await end(child);
  }
}

/** The geometric mean, ± its standard error where there are values enough for one. */
function meanText(values: readonly number[]): string {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const result = Math.exp(mean);
  const text = (value: number): string => value.toFixed(result < 1 ? 3 : result < 100 ? 2 : 0);
  return logs.length < 2 ? text(result) : `${text(result)} ± ${text(result * Math.sqrt(variance / logs.length))}`;
}

const names = dumps.map(({ name }) => name);
const flags = readFlags({
  command: 'npm run bench:compare --',
  description: 'The working tree beside a commit: starts, memory, searches and lists, as ratios.',
  operand: 'REF',
  flags: {
    rounds: { value: 'N', description: 'rounds, of fresh processes of both builds [3]' },
    only: { value: 'NAME,…', description: `some of ${names.join(', ')} [all]` },
    'no-http': { description: 'leaves searches and lists out' },
  },
});
const [ref, ...others] = flags.operands;
if (ref === undefined || others.length > 0) flags.fail('one commit is expected to compare the working tree with');
const commit = commitOf(ref ?? '') ?? flags.fail(`${JSON.stringify(ref)} is no commit of this repository`);
const rounds = flags.count('rounds', 3);
const only = flags.list('only', names);
const chosen = dumps.filter(({ name }) => only.includes(name));

const work = mkdtempSync(join(tmpdir(), 'bench-compare-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
console.log(`${machine()}\nREF: ${ref} (${commit.slice(0, 7)}); working tree: ${workingCommit()}\n`);
const builds = [buildCommit(commit, join(work, 'ref')), buildWorkingTree(join(work, 'working-tree'))];
for (const dump of chosen) {
  mkdirSync(join(work, dump.name));
  symlinkSync(await pathOf(dump), join(work, dump.name, `${dump.collection}.${dump.extension}`));
}
await checkAnswers(chosen, builds);
for (let round = 0; round < rounds; round++) await measureRound(round, chosen, builds, !flags.has('no-http'));
const rows = [...figures].map(([figure, { REF, 'working tree': own }]) => {
  const ratios = own.map((value, i) => value / (REF[i] ?? Number.NaN));
  return [figure, meanText(REF), meanText(own), meanText(ratios), String(ratios.length)];
});
console.log(table([['', 'REF', 'working tree', 'ratio', 'pairs'], ...rows]));
