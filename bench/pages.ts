/**
 * What a list page costs the server over a million products: the whole answer but for its coding, each one rendered,
 * none from the cache of finished pages. `first` is the first request of its kind since the dataset was loaded; the rest are
 * of other pages of the same view, of which the histograms and counts are then known.
 *   node .build/bench/pages.js [records]
 */
import { cpus } from 'node:os';
import { brotliCompressSync, constants } from 'node:zlib';
import { createApp } from '../src/http/app.js';
import type { SearchIndexBuilder } from '../src/search/search.js';
import { createDatasetBuilder, type Dataset } from '../src/store/dataset.js';
import { createRandom } from './sample/random.js';

const RUNS = 60;

/** Search has benchmarks of its own. */
const noSearch = (): SearchIndexBuilder => ({
  add: () => undefined,
  finish: () => ({ search: () => ({ rows: [], total: 0 }), match: () => new Uint32Array(0) }),
});

function buildProducts(records: number): Dataset {
  const random = createRandom(7);
  const builder = createDatasetBuilder(noSearch);
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
  return builder.finish();
}

const views = [
  '/products?',
  '/products?view=grid&',
  '/products?sort=price&order=desc&',
  '/products?category=Category%203&',
  '/products?minPrice=5&maxPrice=20&',
  '/products?minPrice=5&maxPrice=20&minRating=3&category=Category%200&sort=rating&order=desc&',
  '/products?minRating=2&',
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
console.log('| view | first | median | p95 | brotli |\n|---|---|---|---|---|');
for (const view of views) {
  const { ms: first, body } = await timed(`${view}page=1`);
  const times: number[] = [];
  for (let i = 2; i < RUNS + 2; i++) times.push((await timed(`${view}page=${i}`)).ms);
  times.sort((a, b) => a - b);
  const coded = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
  const figures = [first, times[RUNS >> 1] ?? 0, times[Math.floor(RUNS * 0.95)] ?? 0].map(
    (ms) => `${ms.toFixed(2)} ms`,
  );
  console.log(`| \`${view.slice(0, -1)}\` | ${figures.join(' | ')} | ${(coded.byteLength / 1000).toFixed(1)} kB |`);
}
