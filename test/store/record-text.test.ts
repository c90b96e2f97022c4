/** Every way to read the records' text gives the same bytes; what is prepared after the start ends with its dataset. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storesOf } from '../../src/build/compare.js';
import { prepareServed } from '../../src/build/slices.js';
import { pageBody, shownRecords } from '../../src/http/api/list.js';
import { collectionOf } from '../../src/model.js';
import type { RecordPage } from '../../src/query/engine.js';
import { joinedRecords } from '../../src/query/memory.js';
import {
  copyRecord,
  type Extent,
  recordBytes,
  recordJson,
  type StoredText,
  separatedJson,
  sideBySide,
} from '../../src/store/record-text.js';
import { datasetIn, datasetOf } from '../support/api.js';
import { withFolder } from '../support/program.js';

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

const bytesOf = (text: StoredText, size: number) => {
  const rows = Array.from({ length: size }, (_, row) => (row * 7919) % size);
  const copies = (extent: Extent): string => {
    const target = Buffer.alloc(rows.reduce((sum, row) => sum + recordBytes(text, row, extent), 0));
    expect(rows.reduce((end, row) => copyRecord(text, row, extent, target, end), 0)).toBe(target.length);
    return target.toString();
  };
  const runs: string[] = [];
  for (let row = 0; row < size; ) {
    const end = sideBySide(text, row, size);
    runs.push(separatedJson(text, row, end).toString());
    row = end;
  }
  return {
    items: copies('item'),
    whole: copies('whole'),
    runs: runs.join(''),
    each: rows.map((row) => [recordJson(text, row, 'whole').toString(), recordJson(text, row, 'item').toString()]),
  };
};

test('every way to read a text gives the same bytes', () => {
  const lengths = fc.array(fc.oneof(fc.nat(40), fc.constant(20_000)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lengths, (contents) => {
      const articles = contents.map((words, i) => article(i + 1, words));
      const { text, size } = collectionOf(storesOf(datasetOf({ articles }).dataset.collections), 'articles');
      const { items, whole, runs, each } = bytesOf(text, size);
      expect(items).toBe(each.map(([, item]) => item).join(''));
      expect(whole).toBe(each.map(([record]) => record).join(''));
      expect(runs).toBe(Array.from({ length: size }, (_, row) => `${recordJson(text, row, 'whole')},\n`).join(''));
    }),
    { numRuns: 10 },
  );
});

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
        const { text, size } = collectionOf(storesOf(dataset.collections), 'products');
        const each = Array.from({ length: size }, (_, row) => `${recordJson(text, row, 'whole')},\n`);
        const { runs, whole } = bytesOf(text, size);
        expect(runs === each.join('')).toBe(true);
        expect(whole.length).toBe(runs.length - 2 * size);
        const last = new Map(products.map((one) => [one.id, one]));
        expect(each.map((one) => JSON.parse(one.slice(0, -2)).title)).toEqual(
          [...last.keys()].map((id) => last.get(id)?.title),
        );
      });
    }),
    { numRuns: 25 },
  );
});

describe('what is prepared after the start', () => {
  const { dataset } = datasetOf({ articles: [article(1, 5)] });
  const other = datasetOf({ articles: [article(2, 5)] }).dataset;

  test('ends with its steps', async () => {
    let steps = 0;
    await prepareServed(
      () => dataset,
      function* () {
        for (; steps < 100; steps++) yield;
      },
    );
    expect(steps).toBe(100);
  });

  test('is given up when another dataset is served', async () => {
    let current = dataset;
    let steps = 0;
    await prepareServed(
      () => current,
      function* () {
        for (; ; yield) if (++steps === 100) current = other;
      },
    );
    expect(steps).toBe(100);
  });

  test('tells its caller when it fails', async () => {
    const failing = prepareServed(
      () => dataset,
      // biome-ignore lint/correctness/useYield: it fails in its first step.
      function* () {
        throw new Error('no shape');
      },
    );
    await expect(failing).rejects.toThrow('no shape');
  });
});

test('a page may be larger than the longest text of the engine, 512 MB', () => {
  const { dataset } = datasetOf({ articles: [{ ...article(1, 0), content: 'x'.repeat(600_000) }] });
  const articles = collectionOf(dataset.collections, 'articles');
  const rows = new Int32Array(1000);
  // Whole records are copied as they are: to cut fields out of so many bytes would take seconds.
  const fields = articles.model.fields.map(({ name }) => name);
  const { extent, shape } = shownRecords(articles.model, fields, 'item');
  const joined: RecordPage['joined'] = (opening, closing) =>
    joinedRecords(articles.text, rows, extent, opening, closing);
  expect(shape).toBeUndefined();
  const page = pageBody({ total: 1000, joined }, { page: 1, limit: 1000 }, 'pagination');
  const record = recordJson(articles.text, 0, 'whole');
  const end = '],"pagination":{"total":1000,"page":1,"limit":1000,"totalPages":1}}';
  const opening = '{"data":[';
  expect(page.length).toBe(opening.length + 1000 * record.length + 999 + end.length);
  const at = opening.length + 500 * (record.length + 1);
  expect(Buffer.from(page.subarray(at, at + record.length)).equals(record)).toBe(true);
  expect(Buffer.from(page.subarray(-end.length)).toString()).toBe(end);
});
