/** What is read from bytes, token by token, record by record, and in batches: all the same, and as the parser has it. */
import { isAscii } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchReader } from '../src/load/batch-reader.js';
import { createRank, findColumns } from '../src/load/columns.js';
import { JsonTokens } from '../src/load/json-tokens.js';
import { canonicalDateMs } from '../src/load/raw-date.js';
import { RawReader } from '../src/load/raw-reader.js';
import { isCanonicalDate } from '../src/load/schema.js';
import { type CollectionName, collections } from '../src/model.js';
import { ABSENT, isList, type RawRecords } from '../src/raw.js';
import { anyDateText, numberJson, oddJson, textJson, usualArticle, usualProduct } from './support/records.js';

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

describe('a batch', () => {
  const columnsOf = (name: CollectionName, names: readonly string[]) => {
    const model = collections.find((one) => one.name === name) ?? collections[0];
    return { model, columns: findColumns(model, createRank(model, new Map()), names) };
  };
  const articleNames = 'id title url score comments author date seen content tags'.split(' ');
  const productNames = 'id title author price imageUrl rating category is_in_stock_at_the_moment'.split(' ');

  /** What is known of the i-th record: its values' kinds, texts and numbers, and those of the strings in its lists. */
  const cellsOf = ({ columns, kinds, starts, ends, numbers, ...raw }: RawRecords, i: number) =>
    Array.from(columns, (column) => {
      const cell = column + i;
      const kind = kinds[cell]!;
      const element = (at: number) => raw.bytes.toString('latin1', raw.elements[2 * at]!, raw.elements[2 * at + 1]!);
      const elements = isList(kind)
        ? Array.from({ length: raw.elementsTo[cell]! - raw.elementsFrom[cell]! }, (_, k) =>
            element(raw.elementsFrom[cell]! + k),
          )
        : [];
      const text = kind === ABSENT ? '' : raw.bytes.toString('latin1', starts[cell], ends[cell]);
      return { kind, text, number: numbers[cell], elements };
    });

  test.each([
    ['articles', articleNames, usualArticle],
    ['products', productNames, usualProduct],
  ] as const)('has of %s what each record has that is read by itself', (name, names, anyOf) => {
    const { model, columns } = columnsOf(name, names);
    const many = new BatchReader(model);
    many.expect(columns, false);
    const one = new RawReader(model, false);
    let read = 0;
    fc.assert(
      fc.property(fc.array(anyOf(), { minLength: 1, maxLength: 9 }), (records) => {
        const bytes = Buffer.from(records.join(',\n'));
        const ends: number[] = [];
        for (const record of records) ends.push((ends.at(-1) ?? -2) + 2 + Buffer.byteLength(record));
        const starts = records.map((record, i) => ends[i]! - Buffer.byteLength(record));
        const over = { bytes, isAscii: isAscii(bytes), limit: bytes.length, lease: undefined };
        const following: unknown[] = [];
        many.follow(over, { from: 0, to: bytes.length, before: 0, between: 0x2c });
        // The memory is no longer what it was: each is a copy.
        for (let size = many.readNext(); size > 0; size = many.readNext())
          following.push(...Array.from({ length: size }, (_, i) => cellsOf(many, i)));
        expect(many.passed).toEqual({
          at: ends[following.length - 1] ?? 0,
          lines: bytes.subarray(0, ends[following.length - 1] ?? 0).filter((byte) => byte === 0x0a).length,
        });
        many.over(over, starts, ends);
        one.over(over);
        for (let i = 0; i < records.length; i++) {
          const size = many.read(i);
          const known = Object.keys(Object(parsed(records[i]!)));
          one.names.learn(findColumns(model, createRank(model, new Map()), known));
          const alone = one.read(starts[i]!, ends[i]!);
          if (size === 0) continue;
          expect(alone).not.toBe(undefined);
          expect(cellsOf(many, 0)).toEqual(cellsOf(one, 0));
          expect(i).not.toBe(following.length);
          if (i < following.length) expect(following[i]).toEqual(cellsOf(one, 0));
          one.names.forget();
          read++;
        }
      }),
      { numRuns: 300 },
    );
    expect(read).toBeGreaterThan(300);
  });

  test('takes the dates that the service writes, and no others', () => {
    const { model, columns } = columnsOf('articles', ['id', 'title', 'date']);
    const many = new BatchReader(model);
    many.expect(columns, false);
    const column = many.columns[model.fields.findIndex(({ name }) => name === 'date')]!;
    fc.assert(
      fc.property(anyDateText, (text) => {
        const bytes = Buffer.from(`{"id":1,"title":"t","date":"${text}"}`);
        many.over({ bytes, isAscii: true, limit: bytes.length, lease: undefined }, [0], [bytes.length]);
        const isTaken = many.read(0) === 1;
        expect(isTaken ? many.numbers[column] : Number.NaN).toBe(isCanonicalDate(text) ? Date.parse(text) : Number.NaN);
      }),
      { numRuns: 5000 },
    );
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
  fc.assert(
    fc.property(anyDateText, (text) => {
      const bytes = Buffer.from(`"${text}"`);
      expect(canonicalDateMs(bytes, 1, bytes.length - 1)).toBe(isCanonicalDate(text) ? Date.parse(text) : Number.NaN);
    }),
    { numRuns: 3000 },
  );
});
