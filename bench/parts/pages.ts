/**
 * What a list page costs the server over a million records: the whole answer but for its coding, each one rendered,
 * none from the cache of finished pages. `new conditions` are requests whose conditions and text nobody has asked for
 * since the dataset was loaded, so that the page, histograms and counts are all made for them; `its API page` is what the
 * same question costs as JSON, by an index that has not seen it either; `other pages` are further pages of one view. Then what a
 * reader waits for in Chromium (`keys.ts`).
 *   npm run bench -- pages --records 100000
 */

import { cpus } from 'node:os';
import { brotliCompressSync, constants } from 'node:zlib';
import { quantile } from '../../src/bench/client.js';
import { assemble } from '../../src/build/build.js';
import { createWholeBuilder } from '../../src/build/parts.js';
import { type App, createApp } from '../../src/http/app.js';
import { preparePages } from '../../src/http/pages/home/findings.js';
import { collections, type DocumentedName } from '../../src/model.js';
import type { Dataset } from '../../src/store/dataset.js';
import type { RecordValues } from '../../test/support/batch-writer.js';
import { inBatches } from '../../test/support/batch-writer.js';
import { createRandom, type RandomChoices } from '../../test/support/random.js';
import { makeVocabulary, zipf } from '../data.js';
import { readFlags } from '../flags.js';
import { measureKeys } from './keys.js';

const MAX_P95_MS = 5;
const OTHER_PAGES = 60;
/** Questions of each kind that nobody asked before. */
const NEW_CONDITIONS = 40;
const APP_ROUNDS = 5;
/** Words that are typed in Chromium, pages that are turned and headers that are clicked. */
const KEYS = 30;

const fail = (): never => {
  throw new Error('there is no app');
};

const spread = (figures: readonly number[]): readonly string[] =>
  [0.5, 0.95].map((share) => quantile(figures, share).toFixed(2));

const titleWords = makeVocabulary(30_000, 3);
const drawWord = zipf(titleWords.length);
const wordsOf = (random: RandomChoices, count: number): string =>
  Array.from({ length: count }, () => titleWords[drawWord(random.next)] ?? '').join(' ');
/** Draws one of `count` names; the first is the most frequent. */
const skewed = (random: RandomChoices, name: string, count: number): string =>
  `${name} ${Math.floor(random.next() ** 2 * count)}`;

function product(id: number, random: RandomChoices): RecordValues {
  const price =
    Math.round(100 * (3 + 30 * random.next() ** 3 + (random.next() < 0.01 ? 300 * random.next() : 0))) / 100;
  const rating = Math.round(10 * (1 + 4 * random.next() ** 0.4)) / 10;
  const author = skewed(random, 'Author', 200_000);
  const title = wordsOf(random, 5);
  return [id, title, author, price, `https://images.example/${id}.jpg`, rating, skewed(random, 'Category', 40)];
}

/** A few words of content: what a page shows of it does not depend on how much there is. */
function article(id: number, random: RandomChoices): RecordValues {
  const score = Math.floor(1 / (random.next() + 0.001));
  const date = new Date(1.4e12 + Math.floor(random.next() * 3e8) * 1000).toISOString().replace('.000', '');
  const tags = new Set(Array.from({ length: random.integer(0, 4) }, () => skewed(random, 'Tag', 2000)));
  const author = skewed(random, 'Author', 50_000);
  const comments = Math.floor(300 * random.next() ** 3);
  const url = `https://news.example/${id}`;
  return [id, wordsOf(random, 6), url, score, comments, author, date, wordsOf(random, 10), [...tags]];
}

const recordOf = { products: product, articles: article } satisfies Partial<Record<DocumentedName, unknown>>;

/** The same records several times, each under an index and an app of its own that has heard none of the questions. */
interface Served {
  readonly pages: readonly App[];
  readonly api: readonly App[];
  /** On this one the code is compiled. */
  readonly warming: App;
  /** A dataset of which no page was shown. */
  readonly unseen: Dataset;
}

function serve(name: DocumentedName, records: number): Served {
  const random = createRandom(7);
  const builder = createWholeBuilder();
  const values = Array.from({ length: records }, (_, i) => recordOf[name](i + 1, random));
  for (const model of collections)
    inBatches(model, model.name === name ? values : [], builder.openCollection(model, 'english'));
  const origin = { report: { files: [], ignored: [], findings: [] }, modifiedAt: new Date(0), signature: '' };
  const parts = { ok: true, ...builder.finish(), ...origin } as const;
  const another = (): App => appOf(assemble(parts).dataset);
  const round = () => Array.from({ length: APP_ROUNDS }, another);
  return { pages: round(), api: round(), warming: another(), unseen: assemble(parts).dataset };
}

function appOf(dataset: Dataset): App {
  const served = { dataset, report: { files: [], ignored: [], findings: [] }, loadedAt: new Date() };
  return createApp({
    served: () => served,
    envelope: 'pagination',
    maxLimit: 1000,
    rateLimit: 0,
    corsOrigin: '*',
    trustProxy: false,
    now: () => performance.now(),
    onError: (error) => {
      throw error;
    },
    cacheBytes: 0,
  });
}

interface View {
  readonly collection: DocumentedName;
  readonly name: string;
  /** The i-th of many queries of one kind; without conditions there is only one. */
  readonly query: (i: number) => string;
}

/** The i-th price from `least` on. */
const cents = (least: number, i: number): string => (least + i / 20).toFixed(2);
const day = (i: number): string => new Date(1.45e12 + i * 86_400_000).toISOString().slice(0, 10);
/** Every second of the words from the `rank`-th most frequent on. */
const word = (rank: number, i: number): string => titleWords[rank + 2 * i] ?? '';

const views: readonly View[] = [
  { collection: 'products', name: 'all', query: () => '' },
  { collection: 'products', name: 'all, by price', query: () => 'sort=price&order=desc&' },
  { collection: 'products', name: 'a category', query: (i) => `category=Category%20${i % 40}&` },
  {
    collection: 'products',
    name: 'three categories',
    query: (i) => [0, 1, 4].map((step) => `category=Category%20${(i + step) % 40}&`).join(''),
  },
  {
    collection: 'products',
    name: 'a narrow range',
    query: (i) => `minPrice=${cents(5, i)}&maxPrice=${cents(5.3, i)}&`,
  },
  { collection: 'products', name: 'a broad range', query: (i) => `minPrice=${cents(5, i)}&maxPrice=${cents(20, i)}&` },
  {
    collection: 'products',
    name: 'two ranges and a category, by rating',
    query: (i) =>
      `minPrice=${cents(4, i)}&maxPrice=20&minRating=3&category=Category%20${i % 40}&sort=rating&order=desc&`,
  },
  {
    collection: 'products',
    name: 'two broad ranges, by title',
    query: (i) => `minPrice=${cents(4, i)}&maxPrice=${cents(25, i)}&minRating=2.${i % 10}&sort=title&`,
  },
  { collection: 'products', name: 'a frequent word', query: (i) => `q=${word(5, i)}&` },
  {
    collection: 'products',
    name: 'a frequent word, a range and a category',
    query: (i) => `q=${word(6, i)}&minPrice=${cents(4, i)}&category=Category%20${i % 3}&`,
  },
  {
    collection: 'products',
    name: 'two words and a range, by price',
    query: (i) => `q=${word(20, i)}+${word(50, i)}&minRating=3.${i % 10}&sort=price&`,
  },
  {
    collection: 'products',
    name: 'a rare word and a range',
    // A dump of fewer records has fewer words.
    query: (i) => `q=${word(Math.min(5000, Math.floor(records / 200)), i)}&minPrice=${cents(4, i)}&`,
  },
  { collection: 'articles', name: 'a tag', query: (i) => `tag=Tag%20${i}&` },
  {
    collection: 'articles',
    name: 'three broad ranges',
    query: (i) => `minScore=2&minComments=${i}&from=${day(i)}&`,
  },
  {
    collection: 'articles',
    name: 'three broad ranges and a tag, by score',
    query: (i) =>
      `minScore=1&maxScore=${200 + i}&maxComments=${150 + i}&from=${day(i)}&tag=Tag%20${i % 5}&sort=score&order=desc&`,
  },
  {
    collection: 'articles',
    name: 'a frequent word and three broad ranges',
    query: (i) => `q=${word(5, i)}&minScore=2&minComments=${i}&from=${day(i)}&`,
  },
];

/** As the server asks for the page of a request that came over a socket. */
function replyOf({ plain }: App, target: string, proof: string): { readonly ms: number; readonly body: string } {
  const startedAt = performance.now();
  const reply = plain(target, { method: 'GET', host: 'localhost', fields: {}, address: '127.0.0.1' });
  const ms = performance.now() - startedAt;
  const body = reply?.body instanceof Uint8Array ? Buffer.from(reply.body).toString() : '';
  if (reply?.status !== 200 || !body.includes(proof)) throw new Error(`${target}: no hits`);
  return { ms, body };
}

const pageOf = (app: App, { collection }: View, query: string) =>
  replyOf(app, `/${collection}?${query}`, 'class="hit-link"');
const apiPageOf = (app: App, { collection }: View, query: string) =>
  replyOf(app, `/api/${collection}${query.includes('q=') ? '/search' : ''}?${query}`, '"id":');

/**
 * What each question takes, asked of one app after the other: the middle one counts, for what other processes take from a
 * single call is not the call's.
 */
function times(
  apps: readonly App[],
  questions: readonly string[],
  ask: (app: App, question: string) => { readonly ms: number },
): readonly number[] {
  const rounds = apps.map((app) => questions.map((question) => ask(app, question).ms));
  return questions.map((_, i) =>
    quantile(
      rounds.map((round) => round[i] ?? 0),
      0.5,
    ),
  );
}

let missed = 0;

/**
 * Addresses of up to 60 kB that are made to cost: values that no record has, values that records have, long words, many words,
 * for each page and resource.
 */
function hostileTargets(name: DocumentedName): readonly string[] {
  const many = (parameter: string, value: (i: number) => string, length = 300): string =>
    Array.from({ length }, (_, i) => `${parameter}=${value(i)}`).join('&');
  const value = name === 'products' ? 'category' : 'tag';
  const queries = [
    many('author', (i) => `Auth0r%20${i * 7}x`),
    many(value, (i) => `Categ0ry%20${i}`),
    many('missing', () => 'author'),
    many('author', (i) => `Author%20${i}`, 3000),
    many(name === 'products' ? 'minPrice' : 'minScore', () => '1e3', 5000),
    `q=${'x'.repeat(4000)}`,
    `q=${Array.from({ length: 600 }, (_, i) => `w${i}`).join('+')}&match=all`,
    `q=%22${'a+'.repeat(1000)}b%22`,
    `fields=${'title,'.repeat(800)}id`,
    `startsWith=${'a'.repeat(4000)}`,
    `${'page=2&'.repeat(800)}limit=1`,
  ];
  const paths = [
    ['', '/1', '/changes', '/complete/author'].map((path) => `/${name}${path}`),
    ['', '/1', '/search', '/stats', '/values/author', '/1/similar', '/changes'].map((path) => `/api/${name}${path}`),
    [`/api/${name}/${'9'.repeat(4000)}`, `/${'x'.repeat(4000)}`, '/', '/docs', '/health', `/api/export/${name}`],
  ].flat();
  return paths.flatMap((path) => queries.map((query) => `${path}?${query}`));
}

/** Answers a request whatever comes of it; one that only Hono answers is left out, as are downloads. */
const answerTo = ({ plain }: App, target: string): unknown =>
  plain(target, { method: 'GET', host: 'localhost', fields: {}, address: '127.0.0.1' });

/** Others must not wait longer for one step or one request. */
const MAX_WAIT_MS = 50;

/**
 * What others wait for at most while the pages of a dataset are prepared after a start, and by its first home page and list then.
 * An address with all the values that fit is made of names that no record has: the work for it must be bounded.
 */
function measureWaits(name: DocumentedName, dataset: Dataset): void {
  const longest = { step: 0, home: 0, list: 0, hostile: 0 };
  const steps = preparePages(dataset);
  for (let isDone = false; !isDone; ) {
    const startedAt = performance.now();
    isDone = steps.next().done === true;
    longest.step = Math.max(longest.step, performance.now() - startedAt);
  }
  const app = appOf(dataset);
  longest.home = replyOf(app, '/', 'class="tile"').ms;
  longest.list = replyOf(app, `/${name}`, 'class="hit-link"').ms;
  let worst = '';
  for (const target of hostileTargets(name)) {
    const before = process.cpuUsage();
    answerTo(app, target);
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms <= longest.hostile) continue;
    longest.hostile = ms;
    worst = target.slice(0, 60);
  }
  const figures = Object.entries(longest).map(([what, ms]) => `${what} ${ms.toFixed(1)} ms`);
  if (Object.values(longest).some((ms) => ms >= MAX_WAIT_MS)) missed++;
  console.log(
    `\n${name}: longest wait for a ${figures.join(', ')} (each under ${MAX_WAIT_MS} ms); the worst address: ${worst}…`,
  );
}

function measure({ pages, api }: Served, view: View): string {
  const { name, collection, query } = view;
  const isOne = query(1) === query(2);
  const questions = Array.from({ length: NEW_CONDITIONS }, (_, i) => query(i + 1));
  const otherQuestions = Array.from({ length: OTHER_PAGES }, (_, i) => `${query(1)}page=${1 + (i % 3)}&`);
  const first = times(pages, questions, (app, question) => pageOf(app, view, question));
  const answers = times(api, questions, (app, question) => apiPageOf(app, view, question));
  const otherTimes = times(pages, otherQuestions, (app, question) => pageOf(app, view, question));
  const { body } = pageOf(pages[0] ?? fail(), view, query(1));
  const coded = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
  for (const figures of isOne ? [otherTimes] : [first, otherTimes]) if (quantile(figures, 0.95) >= MAX_P95_MS) missed++;
  const figures = [...(isOne ? ['', ''] : spread(first)), ...spread(answers), ...spread(otherTimes)];
  return `| ${collection}: ${name} | ${figures.join(' | ')} | ${(coded.byteLength / 1000).toFixed(1)} kB |`;
}

const flags = readFlags({
  command: 'npm run bench -- pages',
  description: 'HTML pages of many records, beside the same pages of the API.',
  flags: {
    records: { value: 'N', description: 'how many records of each collection [1000000]' },
    only: { value: 'TEXT', description: 'views whose name holds the text [all]' },
  },
});
const records = flags.count('records', 1_000_000);
const nameFilter = flags.text('only', '');
if (!views.some(({ name }) => name.includes(nameFilter)))
  flags.fail(`--only must be a part of ${views.map(({ name }) => name).join('; ')}, received "${nameFilter}".`);
console.log(
  `${cpus()[0]?.model.trim()}, Node ${process.version}, ${records.toLocaleString('en')} records of each; ms\n`,
);
console.log(
  '| view | new conditions, median | p95 | its API page, median | p95 | other pages, median | p95 | brotli |',
);
console.log('|---|---|---|---|---|---|---|---|');
for (const name of ['products', 'articles'] as const) {
  const served = serve(name, records);
  const collectionViews = views.filter((view) => view.collection === name && view.name.includes(nameFilter));
  for (let i = 1; i <= NEW_CONDITIONS; i++) {
    for (const view of collectionViews) {
      pageOf(served.warming, view, view.query(i));
      apiPageOf(served.warming, view, view.query(i));
    }
  }
  // The first page with conditions makes the tables that counting needs.
  for (const app of served.pages)
    replyOf(app, `/${name}?${name === 'products' ? 'minPrice=4' : 'minScore=2'}`, 'hit-link');
  for (const view of collectionViews) console.log(measure(served, view));
  // Words that no view above searched for.
  const searched = Array.from({ length: KEYS }, (_, i) => word(1000, i));
  if (!(await measureKeys(served.pages[0] ?? fail(), `/${name}`, searched))) missed++;
  measureWaits(name, served.unseen);
}
if (missed > 0) process.exitCode = 1;
console.log(
  missed === 0 ? `\nEvery p95 is under ${MAX_P95_MS} ms.` : `\nMISSED: ${missed} p95 of ${MAX_P95_MS} ms or more.`,
);
