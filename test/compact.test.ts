/** Compact texts answer as plain ones do. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Served } from '../src/http/app.js';
import { CHUNK_SPAN } from '../src/store/chunks.js';
import { compacted, compactText } from '../src/store/compact.js';
import { collectionOf } from '../src/store/dataset.js';
import {
  copyItems,
  copySeparated,
  itemBytes,
  itemOf,
  itemsBytes,
  type RecordText,
  recordBytes,
  recordView,
  separatedView,
  sideBySide,
} from '../src/store/record-text.js';
import { appOf, datasetOf } from './support/api.js';
import { finished } from './support/finished.js';

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
    runs.push(separatedView(text, row, end).toString());
    row = end;
  }
  return {
    items: items.toString('utf8', 0, copyItems(text, rows, items, 0)),
    whole: whole.toString(
      'utf8',
      0,
      copySeparated(text, size, (i) => rows[i]!, whole, 0),
    ),
    runs: runs.join(''),
    each: rows.map((row) => [recordView(text, row).toString(), itemOf(text, row).toString(), itemBytes(text, row)]),
  };
};

test('every way to read a text gives the same bytes', () => {
  const lengths = fc.array(fc.oneof(fc.nat(40), fc.constant(20_000)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lengths, (contents) => {
      const articles = contents.map((words, i) => article(i + 1, words));
      const collection = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
      const compact = finished(compactText(collection));
      expect(compact.words).not.toBeNull();
      expect(
        JSON.stringify(bytesOf(compact, collection.size)) === JSON.stringify(bytesOf(collection.text, collection.size)),
      ).toBe(true);
    }),
    { numRuns: 20 },
  );
}, 60_000);

/** How far the last chunk is filled but for the last record. */
const lastOffset = ({ starts }: RecordText): number => starts.at(-1)! % CHUNK_SPAN;

async function answerOf(served: Served, path: string) {
  const response = await appOf(served).request(path);
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

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

  test('is not made compact again, and one of short records not at all', () => {
    expect(finished(compacted(dataset))).toBe(dataset);
    const short = datasetOf({ articles: articles.slice(0, 10) }).dataset;
    expect(finished(compacted(short))).toBe(short);
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
