/**
 * What a list page costs the server over a million products: the whole answer but for its coding, each one rendered,
 * none from the cache of finished pages. `new conditions` are requests whose conditions nobody has asked for since the
 * dataset was loaded, so that histograms and counts are made for them; the rest are other pages of one such view.
 *   node .build/bench/pages.js [records]
 */
import { cpus } from 'node:os';
import { brotliCompressSync, constants } from 'node:zlib';
import { createStoresBuilder } from '../src/build/parts.js';
import { createApp } from '../src/http/app.js';
import type { SearchIndex } from '../src/search/search.js';
import { assembleDataset, type Dataset, versionOf } from '../src/store/dataset.js';
import { createRandom } from './sample/random.js';

const RUNS = 60;
const NEW_CONDITIONS = 15;

const ms = (figure: number): string => `${figure.toFixed(2)} ms`;
const quantile = (figures: readonly number[], share: number): number =>
  [...figures].sort((a, b) => a - b)[Math.floor(figures.length * share)] ?? 0;

/** Search has benchmarks of its own. */
/** No text is searched here. */
const noSearch: SearchIndex = { search: () => ({ rows: [], total: 0 }), match: () => new Uint32Array(0) };

function buildProducts(records: number): Dataset {
  const random = createRandom(7);
  const builder = createStoresBuilder();
  const categories = Array.from({ length: 40 }, (_, i) => `Category ${i}`);
  for (let id = 1; id <= records; id++) {
    const price =
      Math.round(100 * (3 + 30 * random.next() ** 3 + (random.next() < 0.01 ? 300 * random.next() : 0))) / 100;
    const rating = Math.round(10 * (1 + 4 * random.next() ** 0.4)) / 10;
    const author = `Author ${Math.floor(random.next() ** 2 * 200_000)}`;
    const category = categories[Math.floor(random.next() ** 2 * categories.length)] ?? '';
    const title = `Product ${id} of ${author} in ${category}`;
    builder.add('products', [id, title, author, price, `https://images.example/${id}.jpg`, rating, category]);
  }
  const stores = builder.finish();
  return assembleDataset(versionOf(stores), stores, new Map([...stores.keys()].map((name) => [name, noSearch])));
}

/** The i-th of many queries of one kind; without conditions there is only one. */
const views: readonly { readonly name: string; readonly query: (i: number) => string }[] = [
  { name: 'all', query: () => '' },
  { name: 'all, as a grid', query: () => 'view=grid&' },
  { name: 'all, by price', query: () => 'sort=price&order=desc&' },
  { name: 'a category', query: (i) => `category=Category%20${i}&` },
  { name: 'a narrow range', query: (i) => `minPrice=${5 + i / 10}&maxPrice=${5.3 + i / 10}&` },
  { name: 'a broad range', query: (i) => `minPrice=${5 + i / 10}&maxPrice=${20 + i / 10}&` },
  {
    name: 'two ranges and a category, by rating',
    query: (i) => `minPrice=${4 + i / 10}&maxPrice=20&minRating=3&category=Category%20${i}&sort=rating&order=desc&`,
  },
];

const records = Number(process.argv[2] ?? 1_000_000);
const dataset = buildProducts(records);
const served = { dataset, report: { files: [], ignored: [], warnings: [] }, loadedAt: new Date() };
const app = createApp({
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

async function timed(path: string): Promise<{ readonly ms: number; readonly body: string }> {
  const startedAt = performance.now();
  const response = await app.request(path);
  const ms = performance.now() - startedAt;
  const body = await response.text();
  if (response.status !== 200 || !body.includes('class="hit-link"')) throw new Error(`${path}: no hits`);
  return { ms, body };
}

/** Compiles the code; no page of the views below is among these. */
for (let page = 1; page <= 30; page++) await timed(`/products?author=Author%200&limit=20&page=${(page % 3) + 1}`);

console.log(`${cpus()[0]?.model.trim()}, Node ${process.version}, ${records.toLocaleString('en')} products\n`);
console.log('| view | new conditions, median | other pages, median | p95 | brotli |\n|---|---|---|---|---|');
for (const { name, query } of views) {
  const first: number[] = [];
  for (let i = 1; i <= NEW_CONDITIONS; i++) first.push((await timed(`/products?${query(i)}`)).ms);
  const times: number[] = [];
  for (let i = 2; i < RUNS + 2; i++) times.push((await timed(`/products?${query(1)}page=${i}`)).ms);
  const { body } = await timed(`/products?${query(1)}`);
  const coded = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
  const isOne = query(1) === query(2);
  const figures = [isOne ? '' : ms(quantile(first, 0.5)), ms(quantile(times, 0.5)), ms(quantile(times, 0.95))];
  console.log(`| ${name} | ${figures.join(' | ')} | ${(coded.byteLength / 1000).toFixed(1)} kB |`);
}
