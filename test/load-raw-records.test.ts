/** Records read as bytes against records parsed: the same stores, search tables and report, whatever the dump. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createStoresBuilder, createWholeBuilder } from '../src/build/parts.js';
import type { Builder } from '../src/build/reading.js';
import { loadSnapshots } from '../src/load/load.js';
import { itemOf, type RecordText, recordView, separatedView, sideBySide } from '../src/store/record-text.js';
import { anyRecord, inAscii, plainArticle, plainProduct, usualArticle, usualProduct } from './support/records.js';

const dir = mkdtempSync(join(tmpdir(), 'raw-records-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** What comes of a file, read the one way or the other, in a form that can be compared. */
async function outcome<Made>(text: string | Buffer, name: string, builder: Builder<Made>, isRaw: boolean) {
  const folder = mkdtempSync(join(dir, 'snapshot-'));
  writeFileSync(join(folder, name), text);
  let raw = 0;
  const addRaw: typeof builder.addRaw = (...record) => {
    raw++;
    return builder.addRaw(...record);
  };
  const { addBatch } = builder;
  let inBatches = 0;
  const onBatch = addBatch && {
    onBatch: (...[name, batch]: Parameters<typeof addBatch>) => {
      raw += batch.size;
      inBatches += batch.size;
      return addBatch(name, batch);
    },
  };
  const nowMs = Date.UTC(2024, 0, 1);
  const sinks = isRaw ? { onRaw: addRaw, ...onBatch } : {};
  const result = await loadSnapshots({ dir: folder, nowMs, onRecord: builder.add, ...sinks });
  const report = result.ok ? result.report.files.map((file) => ({ ...file, tookMs: 0 })) : result.fault;
  return { report, raw, inBatches, made: builder.finish() };
}

function runsOf(text: RecordText, size: number): string {
  let runs = '';
  for (let row = 0; row < size; ) {
    const to = sideBySide(text, row, size);
    runs += separatedView(text, row, to).toString('latin1');
    row = to;
  }
  return runs;
}

function storesOf(made: ReturnType<ReturnType<typeof createStoresBuilder>['finish']>) {
  return [...made].map(([name, { text, model, ...rest }]) => ({
    name,
    records: Array.from({ length: rest.size }, (_, row) => recordView(text, row).toString('latin1')),
    items: Array.from({ length: rest.size }, (_, row) => itemOf(text, row).toString('latin1')),
    inRuns: runsOf(text, rest.size),
    ...rest,
  }));
}

/** A hundred times as fast as `toEqual` where they are equal. */
function expectEqual(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

/** How many records were taken as bytes, and how many of those in batches. */
async function expectSame(
  text: string | Buffer,
  name: string,
): Promise<{ readonly raw: number; readonly inBatches: number }> {
  const parsed = await outcome(text, name, createStoresBuilder(), false);
  const read = await outcome(text, name, createStoresBuilder(), true);
  expectEqual(read.report, parsed.report);
  expectEqual(storesOf(read.made), storesOf(parsed.made));
  const whole = await outcome(text, name, createWholeBuilder(), true);
  expectEqual(whole.made.tables, (await outcome(text, name, createWholeBuilder(), false)).made.tables);
  expectEqual(storesOf(whole.made.stores), storesOf(parsed.made));
  return read;
}

describe('records read as bytes', () => {
  test.each(['articles', 'products'] as const)(
    'are those that the parser gives: %s',
    async (collection) => {
      const separator = fc.constantFrom('\n', ',\n', ',', ' , ', ',\r\n');
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyRecord(collection), { minLength: 1, maxLength: 12 }),
          separator,
          async (records, by) => {
            const isArray = by !== '\n';
            const lines = isArray ? records : records.map((record) => record.replace(/[\r\n]+/g, ' '));
            const text = isArray ? `[${lines.join(by)}]` : lines.join(by);
            await expectSame(text, `${collection}.${isArray ? 'json' : 'ndjson'}`);
          },
        ),
        { numRuns: 150 },
      );
    },
    60_000,
  );

  test.each([
    ['products', 'of all kinds among plain ones', () => anyRecord('products'), (i: number) => i % 9 < 8],
    ['products', 'of the usual names', usualProduct, () => false],
    ['products', 'of the usual names after plain ones', usualProduct, (i: number) => i < 300],
    ['articles', 'of all kinds among plain ones', () => anyRecord('articles'), (i: number) => i % 9 < 8],
    ['articles', 'of the usual names among plain ones', usualArticle, (i: number) => i % 4 > 0],
    ['articles', 'of the usual names after plain ones', usualArticle, (i: number) => i < 300],
  ] as const)(
    'are those that the parser gives in batches too: %s %s',
    async (name, _, anyOf, isPlain) => {
      let inBatches = 0;
      const plain = name === 'products' ? plainProduct : plainArticle;
      await fc.assert(
        fc.asyncProperty(fc.array(anyOf(), { minLength: 1, maxLength: 12 }), async (records) => {
          const lines = Array.from({ length: 320 }, (_, i) =>
            isPlain(i) ? plain(i) : (records[i % records.length] ?? ''),
          );
          inBatches += (await expectSame(`[${lines.join(',\n')}]`, `${name}.json`)).inBatches;
        }),
        { numRuns: 60 },
      );
      expect(inBatches).toBeGreaterThan(500);
    },
    60_000,
  );

  const usual = (i: number) => ({ id: i, title: `Title ${i}`, content: 'text '.repeat(i % 9) });
  const others = Object.fromEntries(Array.from({ length: 36 }, (_, i) => [`other_${i}`, i]));
  test.each<[string, (i: number) => object]>([
    ['with more tags than are kept at once', (i) => ({ ...usual(i), tags: Array.from({ length: 20 }, String) })],
    [
      'of which some lack the best of two names',
      (i) => ({ ...usual(i), ...(i % 20 !== 3 && { author: 'a' }), by: 'b' }),
    ],
    [
      'with dates to come, addresses without a host and nothing but zeros',
      (i) => ({
        ...usual(i),
        url: i % 50 === 7 ? `/${i}` : `https://example.org/${i}`,
        date: `20${i % 40 === 9 ? 99 : 16}-01-02T03:04:05Z`,
        score: 0,
      }),
    ],
    ['that look double-encoded in escapes', (i) => ({ ...usual(i), author: i === 999 ? 'BrontÃ«' : 'é' })],
    ['of which some lack one of many names', (i) => ({ ...usual(i), ...others, ...(i % 3 > 0 && { last: i }) })],
    [
      'of which more and more have further names',
      (i) => ({ ...usual(i), ...(i > 99 && { score: i }), ...(i > 999 && { tags: ['x'] }) }),
    ],
    [
      'whose titles begin with anything',
      (i) => ({ ...usual(i), title: `${['"', '\\', '/', 'é', '東', 'あ', '\u00a0', '\n', ' '][i % 90] ?? ''}t` }),
    ],
  ])('are those that the parser gives in batches %s', async (_, make) => {
    const lines = Array.from({ length: 1800 }, (_, i) => inAscii(JSON.stringify(make(i)))).join('\n');
    expect((await expectSame(lines, 'articles.ndjson')).inBatches).toBeGreaterThan(1500);
  });

  test('are kept as they are, batch after batch, by whoever reads them besides', async () => {
    const words = (i: number, count: number) =>
      Array.from({ length: count }, (_, k) => 'abcdefghij'.slice((i + k) % 5, 6 + (k % 4))).join(' ');
    const lines = (make: (i: number) => object) =>
      Array.from({ length: 3000 }, (_, i) => JSON.stringify(make(i))).join('\n');
    const products = lines((i) => ({
      id: i,
      title: words(i, 4),
      author: i % 9 === 0 ? `No ${i}` : words(i, 2),
      price: i / 4,
      imageUrl: `https://example.org/${i}.jpg`,
      rating: i % 5,
      category: words(i % 7, 1),
    }));
    expect((await expectSame(products, 'products.ndjson')).inBatches).toBeGreaterThan(2900);
    const articles = lines((i) => ({
      id: i,
      title: words(i, 5),
      url: `https://example.org/${i}`,
      score: i % 11,
      comments: i % 3,
      author: words(i, 2),
      content: words(i, i % 60),
    }));
    expect((await expectSame(articles, 'articles.ndjson')).inBatches).toBeGreaterThan(2900);
  });

  test('are most records of a usual dump, also where text is not ASCII or spelt in escapes', async () => {
    const articles = Array.from({ length: 300 }, (_, i) => ({
      id: i + 1,
      title: `Tïtle "${i}" of\n${i % 7}`,
      url: `https://example.org/${i}`,
      score: i % 11,
      comments: i % 3 === 0 ? null : i,
      author: `Author ${i % 40}`,
      date: '2016-08-04T15:52:00Z',
      content: 'Ünïcode 東京 '.repeat(i % 90),
      tags: i % 5 === 0 ? [] : ['a', `b${i % 9}`],
    }));
    const text = JSON.stringify(articles);
    expect((await expectSame(text, 'articles.json')).raw).toBe(299);
    expect((await expectSame(JSON.stringify(articles, null, 2), 'articles.json')).raw).toBe(299);
    expect(
      (await expectSame(articles.map((article) => JSON.stringify(article)).join('\n'), 'articles.ndjson')).raw,
    ).toBe(299);
    const escaped = inAscii(text);
    expect((await expectSame(escaped, 'articles.json')).raw).toBe(299);
    const withoutIds = JSON.stringify(articles.map(({ id, ...rest }) => rest));
    expect((await expectSame(withoutIds, 'articles.json')).raw).toBe(299);
    await expectSame(Buffer.from(text, 'latin1'), 'articles.json');
  });

  describe('over many chunks, in which they may stay', () => {
    const records = Array.from({ length: 30_000 }, (_, i) => ({
      id: i + 1,
      title: `Title ${i % 97}`,
      url: `https://example.org/${i}`,
      score: i % 11,
      comments: i % 3 === 0 ? null : i,
      author: `Author ${i % 40}`,
      date: '2016-08-04T15:52:00Z',
      content: i === 20_000 ? 'long '.repeat(500_000) : 'text '.repeat(i % 60),
      tags: i % 5 === 0 ? [] : ['a', `b${i % 9}`],
    }));
    const lines = records.map((record, i) =>
      JSON.stringify(i % 1000 === 999 ? { ...record, author: undefined } : record),
    );
    const spread = records.map((record) => JSON.stringify(record, null, 1)).join(',\n');

    test.each([
      ['one a line', `[\n${lines.join(',\n')}\n]\n`],
      ['one a line, with two-byte line breaks', `[\r\n${lines.join(',\r\n')}\r\n]\r\n`],
      ['NDJSON', `${lines.join('\n')}\n`],
      ['all on one line', `[${lines.join(',')}]`],
      ['indented', `[\n${spread}\n]`],
    ])('%s', async (_, text) => {
      const parsed = await outcome(text, 'articles.json', createStoresBuilder(), false);
      const read = await outcome(text, 'articles.json', createStoresBuilder(), true);
      expect(read.raw).toBeGreaterThan(29_000);
      expectEqual(read.report, parsed.report);
      expectEqual(storesOf(read.made), storesOf(parsed.made));
    });
  });

  test('of the sample', async () => {
    for (const collection of ['articles', 'products']) {
      const text = readFileSync(`snapshots/${collection}.json`);
      expect((await expectSame(text, `${collection}.json`)).raw).toBeGreaterThan(100);
    }
  });
});
