/** Compact texts answer as plain ones do. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settle } from '../src/build/slices.js';
import type { Served } from '../src/http/app.js';
import { collectionOf } from '../src/model.js';
import { CHUNK_SPAN } from '../src/store/chunks.js';
import type { Collection } from '../src/store/collection.js';
import { compacted, compactText } from '../src/store/compact.js';
import type { Dataset } from '../src/store/dataset.js';
import {
  copyItems,
  copySeparated,
  itemBytes,
  itemOf,
  itemsBytes,
  type RecordText,
  recordBytes,
  recordJson,
  separatedJson,
  sideBySide,
} from '../src/store/record-text.js';
import { appOf, datasetIn, datasetOf } from './support/api.js';
import { finished } from './support/finished.js';
import { withFolder } from './support/program.js';
import { createRandom } from './support/random.js';

const WORDS = 'a the of snapshot naïve 東京 "quoted" back\\slash line\nbreak e-mail C++ 2024-01-31'.split(' ');

const sentence = (seed: number, length: number): string =>
  Array.from({ length }, (_, i) => WORDS[(seed * 31 + i * i * 7) % WORDS.length]).join(' ');

const article = (id: number, contentWords: number) => ({
  id,
  title: `${sentence(id, 5)} ${id}`,
  url: `https://example.org/${id}`,
  score: id % 50,
  comments: id % 7,
  author: sentence(id % 9, 2),
  date: new Date(1.5e12 + id * 1e7).toISOString().replace('.000', ''),
  content: contentWords === 0 ? null : sentence(id, contentWords),
  tags: [sentence(id % 5, 1)],
});

const bytesOf = (text: RecordText, size: number) => {
  const rows = Array.from({ length: size }, (_, row) => (row * 7919) % size);
  const items = Buffer.alloc(itemsBytes(text, rows) + rows.length);
  const whole = Buffer.alloc(rows.reduce((sum, row) => sum + recordBytes(text, row) + 2, 0));
  const runs: string[] = [];
  for (let row = 0; row < size; ) {
    const end = sideBySide(text, row, size);
    runs.push(separatedJson(text, row, end).toString());
    row = end;
  }
  return {
    items: items.toString('utf8', 0, copyItems(text, rows, items, 0)),
    whole: whole.toString(
      'utf8',
      0,
      rows.reduce((end, row) => copySeparated(text, row, whole, end), 0),
    ),
    runs: runs.join(''),
    each: rows.map((row) => [recordJson(text, row).toString(), itemOf(text, row).toString(), itemBytes(text, row)]),
  };
};

test('every way to read a text gives the same bytes', () => {
  const lengths = fc.array(fc.oneof(fc.nat(40), fc.constant(20_000)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lengths, (contents) => {
      const articles = contents.map((words, i) => article(i + 1, words));
      const collection = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
      const compact = finished(compactText(collection, Number.POSITIVE_INFINITY));
      if (compact === null) throw new Error('the text is not made compact');
      expect(compact.words).not.toBeNull();
      expect(
        JSON.stringify(bytesOf(compact, collection.size)) === JSON.stringify(bytesOf(collection.text, collection.size)),
      ).toBe(true);
    }),
    { numRuns: 10 },
  );
}, 60_000);

/** How far the last chunk is filled but for the last record. */
const lastOffset = ({ starts }: RecordText): number => starts.at(-1)! % CHUNK_SPAN;

async function answerOf(served: Served, path: string) {
  const response = await appOf(served).request(path);
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

const isCompact = (dataset: Dataset | undefined): boolean =>
  dataset !== undefined && collectionOf(dataset.collections, 'articles').text.words !== null;

const withoutText = ([name, collection]: readonly [string, Collection]) =>
  [name, { ...collection, text: { ...collection.text, chunks: [] } }] as const;

test('records are written in runs as one by one, also where a later one took a row', async () => {
  const length = fc.oneof({ weight: 40, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.nat(9000) });
  const product = fc.record({
    id: fc.nat(400),
    title: length.map((units) => `${'e'.repeat(units)}é`),
    price: fc.nat(99),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(product, { minLength: 100, maxLength: 600, size: 'max' }), async (products) => {
      await withFolder({ 'products.json': JSON.stringify(products) }, async (dir) => {
        const { dataset } = await datasetIn(dir);
        const { text, size } = collectionOf(dataset.collections, 'products');
        const each = Array.from({ length: size }, (_, row) => `${recordJson(text, row)},\n`);
        const { runs, whole } = bytesOf(text, size);
        expect(runs === each.join('')).toBe(true);
        expect(whole.length).toBe(runs.length);
        const last = new Map(products.map((one) => [one.id, one]));
        expect(each.map((one) => JSON.parse(one.slice(0, -2)).title)).toEqual(
          [...last.keys()].map((id) => last.get(id)?.title),
        );
      });
    }),
    { numRuns: 25 },
  );
}, 60_000);

describe('what gains nothing stays as it is', () => {
  test('few records', () => {
    const { dataset } = datasetOf({ articles: [article(1, 500)] });
    expect(finished(compacted(dataset))).toBe(dataset);
  });

  test('text whose words do not repeat', () => {
    const random = createRandom(5);
    // One word of each record, so that little has to be indexed.
    const bytes = () =>
      Buffer.from(Uint32Array.from({ length: 500 }, () => random.next() * 2 ** 32).buffer).toString('hex');
    const articles = Array.from({ length: 2200 }, (_, id) => ({ ...article(id, 0), content: bytes() }));
    const { dataset } = datasetOf({ articles });
    expect(finished(compacted(dataset))).toBe(dataset);
  });
});

test('Chinese is made compact too', () => {
  const random = createRandom(6);
  const characters = Array.from({ length: 4000 }, () =>
    String.fromCharCode(0x4e00 + Math.floor(1500 * random.next() ** 3)),
  );
  const content = (id: number) =>
    Array.from({ length: 1000 }, (_, i) => characters[(id * 37 + i * 11) % 4000]).join('');
  const articles = Array.from({ length: 300 }, (_, id) => ({ ...article(id, 0), content: content(id) }));
  const collection = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
  expect(finished(compactText(collection))).not.toBeNull();
});

describe('a dataset of long records', () => {
  const articles = Array.from({ length: 3000 }, (_, i) => article(i + 1, 500));
  const plain = datasetOf({ articles, products: [{ id: 1, title: 'short', price: 1 }] });
  const dataset = finished(compacted(plain.dataset));

  test('takes less than half of the bytes, and is the same otherwise', () => {
    const before = collectionOf(plain.dataset.collections, 'articles');
    const after = collectionOf(dataset.collections, 'articles');
    const bytes = Array.from({ length: before.size }, (_, row) => recordBytes(before.text, row));
    const held = after.text.chunks.slice(0, -1).reduce((sum, { length }) => sum + length, 0) + lastOffset(after.text);
    expect(held).toBeLessThan(bytes.reduce((sum, length) => sum + length, 0) / 2);
    for (const key of ['ids', 'orders', 'values', 'search', 'size'] as const) expect(after[key]).toBe(before[key]);
    expect(collectionOf(dataset.collections, 'products')).toBe(collectionOf(plain.dataset.collections, 'products'));
    expect(dataset.version).toBe(plain.dataset.version);
  });

  test('is not made compact again', () => expect(finished(compacted(dataset))).toBe(dataset));

  test('takes the place of what is served', async () => {
    const replaced: Dataset[] = [];
    await settle(
      () => plain.dataset,
      (compact) => replaced.push(compact),
    );
    expect(replaced.map(({ version }) => version)).toEqual([dataset.version]);
    expect(isCompact(replaced[0])).toBe(true);
  });

  test('is given up when another dataset is served', async () => {
    let asked = 0;
    const other = datasetOf({ articles: articles.slice(0, 10) }).dataset;
    const replaced: Dataset[] = [];
    await settle(
      () => (asked++ < 100 ? plain.dataset : other),
      (compact) => replaced.push(compact),
    );
    expect(replaced).toEqual([]);
    expect(asked).toBeLessThan(110);
  });

  test('and so are the steps before it', async () => {
    const other = datasetOf({ articles: articles.slice(0, 10) }).dataset;
    let current = plain.dataset;
    let steps = 0;
    const replaced: Dataset[] = [];
    await settle(
      () => current,
      (compact) => replaced.push(compact),
      function* () {
        for (; ; yield) if (++steps === 100) current = other;
      },
    );
    expect({ replaced, steps }).toEqual({ replaced: [], steps: 100 });
  });

  test('is told to the caller when it fails', async () => {
    const broken = { ...plain.dataset, collections: new Map([...plain.dataset.collections].map(withoutText)) };
    await expect(
      settle(
        () => broken,
        () => {},
      ),
    ).rejects.toThrow();
  });

  test.each([
    '/api/articles?limit=50&page=7',
    '/api/articles?sort=title&order=desc&fields=title,content',
    '/api/articles/1234',
    '/api/articles/search?q=tokyo+東京+snapshot',
    '/api/export/articles?format=json',
    '/api/export/articles?format=csv&sort=score',
    '/articles?q=snapshot',
    '/articles/77',
  ])('%s', async (path) => {
    const [expected, found] = await Promise.all([answerOf(plain, path), answerOf({ ...plain, dataset }, path)]);
    expect(found.status).toBe(200);
    expect(found.headers).toEqual(expected.headers);
    expect(found.body === expected.body).toBe(true);
  });
});
