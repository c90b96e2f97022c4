/** Records read as bytes against records parsed: the same stores, search tables and report, whatever the dump. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type Builder, createStoresBuilder, createWholeBuilder } from '../src/build/parts.js';
import { JsonTokens } from '../src/load/json-tokens.js';
import { loadSnapshots } from '../src/load/load.js';
import { canonicalDateMs } from '../src/load/raw-date.js';
import { isCanonicalDate } from '../src/load/schema.js';
import { type CollectionName, collections } from '../src/model.js';
import { itemOf, type RecordText, recordView, separatedView, sideBySide } from '../src/store/record-text.js';

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

/** A text as a JSON string, in one of the spellings that programs write. */
const spell = (text: string, how: number): string => {
  const plain = JSON.stringify(text);
  if (how === 1)
    return plain.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return how === 2 ? plain.replaceAll('/', '\\/') : plain;
};

const anyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'Tea',
    'TEA',
    'tea',
    'Café',
    'cafe',
    'a/b',
    'http://x/y',
    '/rel',
    'BrontÃ«',
    '\u2028',
    '\ud800',
    '東京',
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const textJson = fc.tuple(anyText, fc.nat(3)).map(([text, how]) => spell(text, how));
const numberJson = fc.oneof(
  fc.integer({ min: -3, max: 9 }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('-0', '0.0', '12.50', '1e3', '1E+2', '0.1', '1e400', '1e-7', '0.00000012', '9007199254740993'),
  fc.constantFrom('123456789012345', '1234567890123456', '0.30000000000000004', '01', '+1', '.5', '1.', '-', '--1'),
);
const dateJson = fc.oneof(
  fc.date({ min: new Date(-6e13), max: new Date(2e14), noInvalidDate: true }).map((date) => `"${date.toISOString()}"`),
  fc
    .date({ min: new Date(0), max: new Date(2e12), noInvalidDate: true })
    .map((date) => `"${date.toISOString().slice(0, 19)}Z"`),
  fc.constantFrom('"2024-02-30T00:00:00Z"', '"2024-01-01T00:00:00.500Z"', '"2023-12-31T24:00:00Z"', '"8/4/2016 11:52"'),
);
const space = fc.constantFrom('', '', '', '', ' ', '\n', '\t\r\n  ');
const listJson = fc
  .tuple(fc.array(textJson, { maxLength: 3 }), space)
  .map(([texts, gap]) => `[${texts.join(`,${gap}`)}${gap}]`);
const oddJson = fc.oneof(
  fc.constantFrom('null', 'true', 'false', 'nul', '{}', '[]', '{"name":"x"}', '[1,[2]]', '{"a":}'),
  fc.json(),
);

const valuesOf: Readonly<Record<string, fc.Arbitrary<string>>> = {
  integer: numberJson,
  number: numberJson,
  text: textJson,
  url: textJson,
  date: dateJson,
  tags: listJson,
};

/** Members of a record: mostly those of the model in its order, some left out, some of other names or kinds. */
function anyRecord(collection: CollectionName): fc.Arbitrary<string> {
  const { fields } = collections.find(({ name }) => name === collection) ?? collections[0];
  const likely = (name: string, kind: string) => {
    const usual = name === 'id' ? fc.nat(30).map(String) : (valuesOf[kind] ?? oddJson);
    return fc.oneof(
      { weight: 12, arbitrary: usual },
      { weight: 1, arbitrary: fc.oneof(oddJson, textJson, numberJson) },
    );
  };
  const members = fields.map(({ name, kind }) =>
    fc.tuple(fc.constantFrom(name, name, name, name, name, name, `${name}_x`), likely(name, kind), fc.nat(15), space),
  );
  const odd = fc.tuple(fc.constantFrom('name', 'extra', 'id', 'a"b', 'é', '0'), oddJson, fc.nat(3), space);
  return fc.tuple(fc.tuple(...members), fc.option(odd), space, fc.boolean()).map(([known, other, gap, swapped]) => {
    const kept = [...known.filter(([, , out]) => out > 0), ...(other ? [other] : [])];
    if (swapped) kept.reverse();
    const texts = kept.map(([name, value, , inner]) => `${inner}${JSON.stringify(name)}${gap}:${inner}${value}${gap}`);
    return `{${texts.join(',')}${gap}}`;
  });
}

/** All names in one order, and values of which most need no parser. */
function usualProduct(): fc.Arbitrary<string> {
  const quoted = (text: fc.Arbitrary<string>) => text.map((plain) => JSON.stringify(plain));
  const text = quoted(
    fc.oneof(fc.string({ minLength: 1, maxLength: 40 }), fc.constantFrom('Tea', 'tea', 'Café', '東京')),
  );
  const price = fc.oneof(
    fc.integer({ min: -9, max: 99_999 }).map((cents) => String(cents / 100)),
    fc.constantFrom('0.10', '-0', '7.00', '0.0000001', '123456789012345', '1234567890.12345', '99999999999.99999'),
  );
  const orNull = (value: fc.Arbitrary<string>) => fc.oneof({ weight: 9, arbitrary: value }, fc.constant('null'));
  const values = fc.tuple(
    fc.nat(400).map(String),
    text,
    orNull(text),
    orNull(price),
    orNull(quoted(fc.constantFrom('https://example.org/1.jpg', 'https://example.org/.jpg', 'https://e.jpg', 'x', ''))),
    orNull(price),
    orNull(text),
    fc.constantFrom('true', 'false', 'null', '12', '"x"'),
  );
  const names = ['id', 'title', 'author', 'price', 'imageUrl', 'rating', 'category', 'is_in_stock_at_the_moment'];
  return fc.tuple(values, space).map(([spelt, gap]) => {
    const members = spelt.map((value, i) => `${gap}"${names[i]}"${gap}:${gap}${value}`);
    return `{${members.join(`${gap},`)}${gap}}`;
  });
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
    ['of all kinds among plain ones', () => anyRecord('products'), (i: number) => i % 9 < 8],
    ['of the usual names', usualProduct, () => false],
    ['of the usual names after plain ones', usualProduct, (i: number) => i < 300],
  ])(
    'are those that the parser gives in batches too: products %s',
    async (_, anyOf, isPlain) => {
      let inBatches = 0;
      const plain = (i: number) =>
        `{"id":${i},"title":"Tea ${i}","author":"A${i % 9}","price":${i / 4},"imageUrl":"https://x.org/${i}.jpg","rating":${i % 5},"category":"c${i % 7}"}`;
      await fc.assert(
        fc.asyncProperty(fc.array(anyOf(), { minLength: 1, maxLength: 12 }), async (records) => {
          const lines = Array.from({ length: 320 }, (_, i) =>
            isPlain(i) ? plain(i) : (records[i % records.length] ?? ''),
          );
          inBatches += (await expectSame(`[${lines.join(',\n')}]`, 'products.json')).inBatches;
        }),
        { numRuns: 60 },
      );
      expect(inBatches).toBeGreaterThan(1000);
    },
    60_000,
  );

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
    const escaped = text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
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

test('a token ends where the parser says, or is no token', () => {
  const text = fc.oneof(
    textJson,
    numberJson,
    oddJson,
    fc
      .string({ unit: fc.constantFrom('"', '\\', 'u', 'a', '0', '\n', 'é', '{', ']'), maxLength: 12 })
      .map((t) => `"${t}"`),
  );
  const parsed = (json: string): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      return undefined;
    }
  };
  fc.assert(
    fc.property(text, fc.nat(3), (json, offset) => {
      const bytes = Buffer.from(' '.repeat(offset) + json);
      const tokens = new JsonTokens();
      tokens.over(Buffer.concat([bytes, Buffer.from(', "x"]  ')]));
      const end = tokens.any(offset, bytes.length);
      const value = json.trim() === json ? parsed(bytes.toString().trim()) : undefined;
      if (end === bytes.length) expect(value).not.toBe(undefined);
      if (value === undefined) return;
      expect(end).toBe(bytes.length);
      if (typeof value === 'string') expect(!tokens.isRespelt).toBe(!/\\[/u]/.test(json.replace(/\\[^/u]/g, '')));
      if (typeof value !== 'number') return;
      expect(tokens.value).toBe(value);
      if (tokens.isKept) expect(JSON.stringify(value)).toBe(json);
    }),
    { numRuns: 5000 },
  );
});

test('dates from bytes are dates from texts', () => {
  const digits = fc.constantFrom(
    '2016-08-04T15:52:00Z',
    '2000-02-29T23:59:59.001Z',
    '1900-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
  );
  const mutated = fc
    .tuple(digits, fc.nat(23), fc.constantFrom(...'0123456789-:TZ.x'))
    .map(([text, at, by]) => text.slice(0, at) + by + text.slice(at + 1));
  const anyDate = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  const written = anyDate.map((date) => date.toISOString().replace('.000Z', 'Z'));
  fc.assert(
    fc.property(fc.oneof(mutated, written), (text) => {
      const bytes = Buffer.from(`"${text}"`);
      expect(canonicalDateMs(bytes, 1, bytes.length - 1)).toBe(isCanonicalDate(text) ? Date.parse(text) : Number.NaN);
    }),
    { numRuns: 3000 },
  );
});
