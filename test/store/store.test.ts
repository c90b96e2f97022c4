/** The store's parts against plain arrays and maps. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storesOf } from '../../src/build/compare.js';
import { collectionOf, collections } from '../../src/model.js';
import { rowsInOrder } from '../../src/query/sorted-rows.js';
import { RowSet } from '../../src/row-set.js';
import { IdIndexBuilder, idOfRow, rowOfId } from '../../src/store/ids.js';
import { numberAtRow, placeAbove, placeFrom } from '../../src/store/number-column.js';
import { textsWithPart } from '../../src/store/part-search.js';
import { copyRecord, recordBytes, recordJson, separatedJson } from '../../src/store/record-text.js';
import { createRecordTextBuilder } from '../../src/store/record-text-builder.js';
import { positionOfRow, type SortOrder } from '../../src/store/sort-order.js';
import { createTextColumnBuilder, rowsByText, type TextColumn, textAt } from '../../src/store/text-column.js';
import { codeOfValue, codesOfRow, rowsOfCode, valueAtCode, valueCount } from '../../src/store/value-index.js';
import { createValueIndexBuilder } from '../../src/store/value-index-builder.js';
import { fold } from '../../src/text.js';
import { datasetIn } from '../support/api.js';
import { inBatches } from '../support/batch-writer.js';
import { cellWith, columnOf, titles } from '../support/batches.js';
import { withFolder } from '../support/program.js';

const anyId = fc.oneof(fc.integer({ min: -5, max: 40 }), fc.maxSafeInteger());
/** They count up, then perhaps go on otherwise. */
const countedIds = fc
  .tuple(anyId, fc.nat(1500), fc.array(anyId))
  .map(([first, count, rest]) => [...Array.from({ length: count }, (_, i) => Math.min(first, 1e15) + i), ...rest]);

test('ids: every id finds the row of its first appearance, any other finds none', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(anyId, { maxLength: 3000, size: 'max' }), countedIds),
      fc.array(anyId),
      (given, others) => {
        const builder = new IdIndexBuilder();
        const expected = new Map<number, number>();
        for (const id of given) if (!expected.has(id)) expected.set(id, expected.size);
        expect(given.filter((id) => builder.rowFor(id) !== expected.get(id))).toEqual([]);
        const index = builder.finish();
        const asked = [...given, ...others, 1.5, Number.NaN];
        expect(asked.filter((id) => rowOfId(index, id) !== (expected.get(id) ?? -1))).toEqual([]);
        expect(index.size).toBe(expected.size);
        expect([...expected.keys()].map((_, row) => idOfRow(index, row))).toEqual([...expected.keys()]);
      },
    ),
    { numRuns: 50 },
  );
});

/** Each row is set twice where its texts are replaced: the later text counts. */
function textColumnOf(texts: readonly (string | null)[], role: 'title' | 'link', isReplaced: boolean): TextColumn {
  const builder = createTextColumnBuilder({ role });
  const replaced = isReplaced ? [...texts.keys()].map((row) => texts.at(-row) ?? null) : [];
  for (const [row, text] of replaced.entries()) builder.setAll(Int32Array.of(row), row + 1, cellWith(text), 0);
  for (const [row, text] of texts.entries())
    builder.setAll(Int32Array.of(row), isReplaced ? texts.length : row + 1, cellWith(text), 0);
  return builder.finish(texts.length);
}

const orderByText = (titles: readonly (string | null)[]): SortOrder => textColumnOf(titles, 'title', true).order;

const isBlankText = (text: string | null): boolean => text === null || text.trim() === '';

const anyNumber = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 3 }) },
  fc.double(),
  fc.constant(Number.NaN),
  fc.constant(-0),
);

/** Whole steps of some size, not all of which are given, as far apart as can just be counted, or not. */
const steps = fc
  .tuple(
    fc.constantFrom(1, 0.1, 0.01, 1000, 0.001, 60_000),
    fc.integer({ min: -100_000, max: 2_000_000 }),
    fc.array(fc.option(fc.oneof(fc.nat(9), fc.constantFrom(65_533, 65_534, 65_535, 65_536)), { freq: 6 })),
  )
  .map(([size, first, some]) =>
    some.map((step) =>
      step === null ? Number.NaN : size < 1 ? (first + step) / Math.round(1 / size) : (first + step) * size,
    ),
  );

function expectSorted(values: readonly number[]): void {
  const column = columnOf(values);
  const { order } = column;
  const rows = [...values.keys()];
  const valued = rows.filter((row) => !Number.isNaN(values[row]));
  const missing = rows.filter((row) => Number.isNaN(values[row]));
  const compare = (a: number, b: number) => ((values[a] ?? 0) < (values[b] ?? 0) ? -1 : 1);
  const sorted = valued.sort((a, b) => (values[a] === values[b] ? a - b : compare(a, b)));
  expect([...order.rows]).toEqual([...sorted, ...missing]);
  expect(order.valued).toBe(valued.length);
  expect(rows.map((row) => numberAtRow(column, row) + 0)).toEqual(values.map((value) => value + 0));
  const distinct = [...new Set(sorted.map((row) => (values[row] ?? 0) + 0))];
  expect([...column.values].map((value) => value + 0)).toEqual([...distinct, Number.NaN]);
}

test('orders by number: ascending, ties by row, missing last', () => {
  fc.assert(fc.property(fc.oneof(fc.array(anyNumber), steps), expectSorted), { numRuns: 200 });
});

test('orders by number: also where there are too many to be counted', () => {
  const values = Array.from({ length: 90_000 }, (_, row) =>
    row % 11 === 0 ? Number.NaN : (Math.imul(row, 0x9e3779b1) % 200_000) / 8,
  );
  values.splice(1, 2, -0, 0);
  expect(new Set(values).size).toBeGreaterThan(65_535);
  expectSorted(values);
});

test('places of a column: where numbers from a bound on begin, and those above it', () => {
  fc.assert(
    fc.property(fc.array(anyNumber), fc.double({ noNaN: true }), (values, any) => {
      const column = columnOf(values);
      const distinct = [...column.values].slice(0, -1);
      for (const bound of [any, 0, 1.5, ...distinct]) {
        expect(placeFrom(column, bound)).toBe(distinct.filter((value) => value < bound).length);
        expect(placeAbove(column, bound)).toBe(distinct.filter((value) => value <= bound).length);
      }
    }),
  );
});

test('a column takes one byte a row for up to 255 numbers, two for up to 65,535', () => {
  const bytesFor = (distinct: number): number => {
    const numbers = Float64Array.from({ length: 70_000 }, (_, row) => row % distinct);
    return columnOf(numbers).order.keys.BYTES_PER_ELEMENT;
  };
  expect([1, 255, 256, 65_535, 65_536].map(bytesFor)).toEqual([1, 1, 2, 2, 4]);
});

test('a set of rows in an order: as if its rows were sorted, whichever page is read, few rows and many', () => {
  const SIZE = 40_000;
  const columns = [1, 3, 5000, SIZE].map((distinct) => {
    const numbers = Float64Array.from({ length: SIZE }, (_, row) =>
      row % 11 === 0 ? Number.NaN : Math.imul(row, 0x9e3779b1) % distinct,
    );
    return columnOf(numbers).order;
  });
  const titles = orderByText(Array.from({ length: SIZE }, (_, row) => String(Math.imul(row, 0x9e3779b1))));
  const set = fc.tuple(fc.constantFrom(1, 2, 3, 100, 1000, SIZE), fc.nat(SIZE - 1));
  const page = fc.tuple(fc.double({ min: 0, max: 1.1, noNaN: true }), fc.nat(50));
  fc.assert(
    fc.property(
      fc.constantFrom(...columns, titles),
      set,
      page,
      fc.boolean(),
      (order, [step, first], [share, length], down) => {
        const rows = Uint32Array.from({ length: Math.ceil((SIZE - first) / step) }, (_, i) => first + i * step);
        const isIn = new Uint8Array(SIZE);
        for (const row of rows) isIn[row] = 1;
        const inSet = (some: Uint32Array): number[] => [...some.filter((row) => isIn[row] === 1)];
        const sorted = inSet(order.rows);
        const valued = inSet(order.rows.subarray(0, order.valued)).length;
        const expected = down ? [...sorted.slice(0, valued).reverse(), ...sorted.slice(valued)] : sorted;
        const from = Math.floor(rows.length * share);
        const page = rowsInOrder(RowSet.ofRows(rows, SIZE), order, down, from, from + length);
        expect([...page]).toEqual(expected.slice(from, from + length));
      },
    ),
    { numRuns: 60 },
  );
});

test('orders by text: as Intl.Collator("en") compares, ties by row, missing last', () => {
  const { compare } = new Intl.Collator('en');
  const letters = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', ' ', '-', '1', '_'), maxLength: 12 });
  const mixed = fc.string({ unit: fc.constantFrom('a', 'A', 'á', 'Ø', '東', '\0', '\u0301', 'z'), maxLength: 5 });
  const few = fc.constantFrom('a', 'A', 'co-op', 'coop', '', 'The same first letters, a', 'The same first letters, A');
  const long = fc
    .tuple(fc.constantFrom(9, 10, 11, 14, 15, 19, 20), letters)
    .map(([length, rest]) => `${'same beginning of all'.slice(0, length)}${rest}`);
  const anyTitle = fc.oneof(few, letters, long, mixed, fc.string(), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(fc.option(anyTitle), { maxLength: 60 }), (titles) => {
      const order = orderByText(titles);
      const rows = [...titles.keys()];
      const text = (row: number): string => titles[row] ?? '';
      const isMissing = (row: number): boolean => isBlankText(titles[row] ?? null);
      const valued = rows.filter((row) => !isMissing(row)).sort((a, b) => compare(text(a), text(b)) || a - b);
      expect([...order.rows]).toEqual([...valued, ...rows.filter(isMissing)]);
      for (const [i, row] of order.rows.entries()) {
        const before = order.rows[i - 1];
        const isRepeated =
          before !== undefined && (i < valued.length ? compare(text(row), text(before)) === 0 : i > valued.length);
        if (before !== undefined) expect(order.keys[row]! - order.keys[before]!).toBe(isRepeated ? 0 : 1);
      }
    }),
    { numRuns: 200 },
  );
});

test('columns of texts: rows by whole text and by part, and the order of addresses, as folded texts compare', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'á', '/', '"', 'ß', '\u0640'), maxLength: 6 });
  const few = fc.constantFrom(
    'https://shop.example/p/1',
    'HTTPS://shop.example/p/1',
    '',
    ' ',
    '\u0301',
    'cafe',
    'Café',
  );
  const anyText = fc.oneof(few, letters);
  fc.assert(
    fc.property(
      fc.array(fc.option(anyText), { maxLength: 40 }),
      fc.array(anyText, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('title', 'link'),
      fc.boolean(),
      (texts, asked, role, isReplaced) => {
        const column = textColumnOf(texts, role, isReplaced);
        const valued = [...texts.keys()].filter((row) => !isBlankText(texts[row] ?? null));
        const foldedAt = (row: number): string => fold(texts[row] ?? '');
        for (const row of texts.keys()) expect(textAt(column, row)).toBe(valued.includes(row) ? texts[row] : '');
        const found = rowsByText(column, asked);
        for (const text of asked) {
          expect(found.get(fold(text))).toEqual(valued.filter((row) => foldedAt(row) === fold(text)));
          const withPart = valued.filter((row) => foldedAt(row).includes(fold(text)));
          expect([...textsWithPart(column.texts, text)]).toEqual(withPart);
        }
        if (role === 'title') return;
        const compare = (a: number, b: number) => Buffer.from(foldedAt(a)).compare(Buffer.from(foldedAt(b)));
        const sorted = valued.toSorted((a, b) => compare(a, b) || a - b);
        expect([...column.order.rows.subarray(0, column.order.valued)]).toEqual(sorted);
        for (const [i, row] of sorted.slice(1).entries())
          expect(column.order.keys[row]! - column.order.keys[sorted[i]!]!).toBe(Math.sign(compare(row, sorted[i]!)));
      },
    ),
    { numRuns: 300 },
  );
});

test('orders by text: every character of printable ASCII where the collator has it', () => {
  const { compare } = new Intl.Collator('en');
  const characters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i));
  const titles = characters
    .flatMap((first) => ['', 'a', ' '].map((second) => first + second))
    .filter((title) => title.trim() !== '');
  const expected = titles.toSorted(compare);
  expect([...orderByText(titles).rows].map((row) => titles[row])).toEqual(expected);
});

test('reading an order backwards turns the valued part round and leaves the rest', () => {
  const read = (descending: boolean) => [0, 1, 2, 3, 4].map((i) => positionOfRow(i, 3, descending));
  expect(read(false)).toEqual([0, 1, 2, 3, 4]);
  expect(read(true)).toEqual([2, 1, 0, 3, 4]);
});

describe('record text', () => {
  test('gives back what was set last, item and whole record, whatever the sizes', () => {
    const piece = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('é'.repeat(100_000)));
    const record = fc.tuple(fc.nat(20), piece, fc.option(piece), fc.option(fc.array(piece, { minLength: 1 })));
    const [model] = collections;
    fc.assert(
      fc.property(fc.array(record, { maxLength: 60 }), (records) => {
        const builder = createRecordTextBuilder(model);
        const rowOf = new Map<number, number>();
        const expected: { item: string; whole: string }[] = [];
        for (const [id, title, content, tags] of records) {
          const row = rowOf.get(id) ?? rowOf.size;
          rowOf.set(id, row);
          const values = [id, title, null, 1.5, null, null, '2020-01-02T03:04:05Z', content, tags];
          inBatches(model, [values], (batch) => builder.setAll(Int32Array.of(row), rowOf.size, batch));
          const fields = model.fields.map(({ name }, i) => [name, values[i]] as const);
          expected[row] = {
            item: JSON.stringify(Object.fromEntries(fields.slice(0, 7))),
            whole: JSON.stringify(Object.fromEntries(tags === null ? fields.slice(0, 8) : fields)),
          };
        }
        const text = builder.finish(expected.length);
        for (const [row, { item, whole }] of expected.entries()) {
          const asBytes = (string: string) => Buffer.from(string).toString('latin1');
          const target = Buffer.alloc(recordBytes(text, row, 'whole') + 7);
          expect(recordJson(text, row, 'item').length).toBe(recordBytes(text, row, 'item'));
          expect(recordJson(text, row, 'item').toString('latin1')).toBe(asBytes(item));
          const end = copyRecord(text, row, 'whole', target, 3);
          expect(target.toString('latin1', 3, end)).toBe(asBytes(whole));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('records that lie side by side as they are served, among others, and those that a later one replaces', async () => {
    const id = fc.nat(300);
    const text = fc.oneof(
      { weight: 30, arbitrary: fc.string().map((rest) => `t${rest}`) },
      { weight: 1, arbitrary: fc.constant('é'.repeat(200_000)) },
    );
    const article = fc.record({
      id,
      title: fc.string().map((rest) => `t${rest}t`),
      url: fc.constant(null),
      score: fc.option(fc.nat(9)),
      comments: fc.constant(null),
      author: fc.option(fc.constant('a')),
      date: fc.constant(null),
      content: fc.option(text),
      tags: fc.option(fc.constant(['x', 'y']), { nil: undefined }),
    });
    const layout = fc.constantFrom(
      (json: string) => json,
      (json: string) => json,
      (json: string) => json,
      (json: string) => ` ${json}`,
      (json: string) => json.replace(/\}$/, ',"extra":1}'),
      (json: string) => json.replace('"url"', '"URL"'),
      (json: string) => json.replace('"url":null,', ''),
      (json: string) => json.replace(/\}$/, ' }'),
    );
    const separator = fc.constantFrom(',\n', ',\n', ',\n', ',', ', ', ' ,\n', ',\r\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(article, layout, separator), { minLength: 1, maxLength: 80, size: 'max' }),
        async (some) => {
          const expected = new Map(some.map(([one]) => [one.id, JSON.stringify(one)]));
          const lines = some.map(
            ([one, laidOut, end], i) => laidOut(JSON.stringify(one)) + (i + 1 < some.length ? end : ''),
          );
          await withFolder({ 'articles.json': `[\n${lines.join('')}\n]` }, async (dir) => {
            const { dataset } = await datasetIn(dir, { columns: 'documented' });
            const { text, size } = collectionOf(storesOf(dataset.collections), 'articles');
            const found = Array.from({ length: size }, (_, row) => separatedJson(text, row, row + 1).toString());
            expect(found.join('') === [...expected.values()].map((json) => `${json},\n`).join('')).toBe(true);
          });
        },
      ),
      { numRuns: 25 },
    );
  });
});

test('values: rows of each folded value, ascending, and the values of each row', () => {
  const few = fc.constantFrom('Café', 'CAFE', 'cafe', 'Tea', 'ТЕА', 'Москва', '', ' \t', '\u00a0', '__proto__');
  const spelling = fc.oneof(few, fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'é'), maxLength: 6 }));
  const anyValue = fc.oneof(fc.constant(null), spelling, fc.array(spelling));
  const key = (value: string) => value.replace(/é/gi, 'e').toLowerCase();
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(60), anyValue), { maxLength: 60 }), (calls) => {
      const builder = createValueIndexBuilder({ kind: 'texts' });
      const rowOf = new Map<number, number>();
      const keys: Set<string>[] = [];
      for (const [id, value] of calls) {
        const row = rowOf.get(id) ?? rowOf.size;
        rowOf.set(id, row);
        builder.setAll(Int32Array.of(row), rowOf.size, cellWith(value), 0);
        const values = [value ?? []].flat().filter((one) => one.trim() !== '');
        keys[row] = new Set(values.map(key));
      }
      const index = builder.finish(keys.length);
      for (const wanted of ['CAFÉ', 'Tea', 'nothing', '', ' \t', '\u00a0', '__proto__', 'constructor']) {
        const code = codeOfValue(index, wanted);
        const expected = [...keys.keys()].filter((row) => keys[row]?.has(key(wanted)));
        if (code < 0) expect(expected).toEqual([]);
        else expect([...rowsOfCode(index, code)]).toEqual(expected);
      }
      for (const [row, expected] of keys.entries()) {
        const codes = [...codesOfRow(index, row)];
        expect(new Set(codes.map((code) => key(valueAtCode(index, code))))).toEqual(expected);
        expect(codes.length).toBe(expected.size);
      }
    }),
  );
});

test('values of texts: rows in the order of their folded texts, missing ones last, whether or not texts are split', () => {
  const few = fc.constantFrom('Tea', 'TEA', 'Café', 'cafe au lait', 'a, b', 'b, a', 'a', '', 'Москва');
  const text = fc.oneof(few, fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'é'), maxLength: 6 }));
  fc.assert(
    fc.property(fc.array(fc.option(text), { maxLength: 60 }), fc.boolean(), (texts, isSplit) => {
      const builder = createValueIndexBuilder({ kind: 'text', ...(isSplit && { splitBy: ',' }) });
      for (const [row, value] of texts.entries()) builder.setAll(Int32Array.of(row), row + 1, cellWith(value), 0);
      const index = builder.finish(texts.length);
      const foldedAt = (row: number): string => fold(texts[row] ?? '');
      const all = [...texts.keys()];
      const valued = all.filter((row) => foldedAt(row) !== '');
      const keyOf = (row: number) => Buffer.from(isSplit ? (foldedAt(row).split(', ')[0] ?? '') : foldedAt(row));
      const byText = (a: number, b: number) => keyOf(a).compare(keyOf(b)) || a - b;
      expect([...(index.order?.rows ?? [])]).toEqual([
        ...valued.toSorted(byText),
        ...all.filter((row) => foldedAt(row) === ''),
      ]);
      expect(index.order?.valued).toBe(valued.length);
      for (const row of all) {
        const values = Array.from(codesOfRow(index, row), (code) => fold(valueAtCode(index, code)));
        const parts = isSplit ? foldedAt(row).split(', ') : [foldedAt(row)];
        expect(values).toEqual(foldedAt(row) === '' ? [] : parts);
      }
      const codes = [...Array(valueCount(index)).keys()];
      for (const code of codes)
        expect([...rowsOfCode(index, code)]).toEqual(all.filter((row) => [...codesOfRow(index, row)].includes(code)));
      if (!isSplit) expect(index.rowOffsets).toBe(null);
    }),
  );
});

test('codes of rows take one byte for up to 256 values, two for up to 65,536', () => {
  const bytesFor = (distinct: number): number => {
    const builder = createValueIndexBuilder({ kind: 'texts' });
    const values = Array.from({ length: 65_540 }, (_, row) => [`v${row % distinct}`]);
    let row = 0;
    inBatches(titles, values, (batch) => {
      const rows = Int32Array.from({ length: batch.size }, () => row++);
      builder.setAll(rows, row, batch, 0);
    });
    return builder.finish(65_540).rowCodes.BYTES_PER_ELEMENT;
  };
  expect([1, 256, 257, 65_536, 65_537].map(bytesFor)).toEqual([1, 1, 2, 2, 4]);
});
