/** Byte tables, and the dictionaries of values that are made of them: whatever texts have in common. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteTable, pieceHash } from '../../src/byte-table.js';
import { sourceOf } from '../../src/store/chunks.js';
import {
  allValues,
  codeOfValue,
  codesBeginning,
  codesOfRow,
  codesOfValue,
  rowsOfCode,
  type ValueIndex,
  valueAtCode,
} from '../../src/store/value-index.js';
import { createValueIndexBuilder } from '../../src/store/value-index-builder.js';
import { fold } from '../../src/text.js';
import type { RecordValues } from '../support/batch-writer.js';
import { inBatches } from '../support/batch-writer.js';
import { titles } from '../support/batches.js';

/** Texts of which each two have the same hash. */
function withEqualHashes(textOf: (digits: string, i: number) => string): readonly string[] {
  const known = new Map<number, string>();
  const found: string[] = [];
  for (let i = 0; found.length < 6; i++) {
    const text = textOf((i * 2_654_435_761).toString(36).padStart(12, '0'), i);
    const hash = pieceHash(sourceOf(Buffer.from(text)).view, 0, text.length);
    const other = known.get(hash);
    if (other !== undefined) found.push(other, text);
    known.set(hash, text);
  }
  return found;
}

const long = 'all but the last letter in common '.repeat(4);
const names = [
  ...withEqualHashes((digits) => `n${digits}`),
  ...withEqualHashes((digits) => `${digits} and then the same as all`),
  ...withEqualHashes((digits, i) => `${digits}${'long'.slice(i % 4)}`),
  ...['Café', 'CAFE', 'cafe', 'CAFÉ', 'Москва', 'МОСКВА', 'moskva', '日本', 'ß', 'SS', 'ſs', 'K', '\u212a'],
  ...[1, 2, 15, 16, 17, 31, 32, 33].flatMap((length) => [`${long.slice(0, length)}x`, `${long.slice(0, length)}Y`]),
  ...['[', '{', '@', '`', 'Z', 'z', 'a', 'A', '__proto__', '\ud83c\udf0a', '\uffee', 'a "b"\\\n'],
  ...['b', 'c', 'B'].map((last) => `${'x'.repeat(70_000)}${last}`),
];
/** Among others they come again and again, in both cases. */
const texts = Array.from({ length: 12_000 }, (_, i) => {
  const name = i % 5 === 0 ? names[(i / 5) % names.length]! : `name ${(i * 7919) % 5000}`;
  if (name.length > 1000 && i > 1000) return `short ${i}`;
  return i % 3 === 0 ? name.toUpperCase() : name;
});

test('a byte table numbers pieces as they first occur', () => {
  const table = new ByteTable();
  const firsts = [...new Set(texts)];
  const codeOf = new Map(firsts.map((text, code) => [text, code]));
  for (const text of texts) {
    const bytes = Buffer.from(`<${text}>`);
    const isNew = codeOf.get(text) === table.size;
    expect(table.find(sourceOf(bytes), 1, bytes.length - 1)).toBe(isNew ? -1 : codeOf.get(text));
    expect(table.codeOf(sourceOf(bytes), 1, bytes.length - 1)).toBe(codeOf.get(text));
  }
  expect(table.size).toBe(firsts.length);
});

function indexOf(values: readonly RecordValues[number][], splitBy?: string): ValueIndex {
  const builder = createValueIndexBuilder({ kind: 'text', ...(splitBy !== undefined && { splitBy }) });
  let size = 0;
  inBatches(
    titles,
    values.map((value) => [value]),
    (batch) => {
      const rows = Int32Array.from({ length: batch.size }, (_, i) => size + i);
      size += batch.size;
      builder.setAll(rows, size, batch, 0);
    },
  );
  return builder.finish(size);
}

const byBytes = (a: string, b: string): number => Buffer.from(a).compare(Buffer.from(b));

/** An index against maps: its names sorted, spelt as they first occur, with the rows of each. */
function expectIndex(values: readonly string[], index: ValueIndex, beginnings: readonly string[]): void {
  const rowsOf = new Map<string, number[]>();
  const firsts = new Map<string, string>();
  for (const [row, value] of values.entries()) {
    if (value.trim() === '') continue;
    const key = fold(value);
    if (!firsts.has(key)) firsts.set(key, value);
    rowsOf.set(key, [...(rowsOf.get(key) ?? []), row]);
  }
  const keys = [...rowsOf.keys()].sort(byBytes);
  expect(allValues(index)).toEqual(keys.map((key) => firsts.get(key)));
  for (const [code, key] of keys.entries()) {
    expect(codeOfValue(index, firsts.get(key) ?? '')).toBe(code);
    expect([...rowsOfCode(index, code)]).toEqual(rowsOf.get(key));
  }
  expect(codeOfValue(index, 'none of these')).toBe(-1);
  const valued = keys.flatMap((key) => rowsOf.get(key) ?? []);
  const blank = values.flatMap((value, row) => (value.trim() === '' ? [row] : []));
  expect(index.order?.valued).toBe(valued.length);
  expect([...(index.order?.rows ?? [])]).toEqual([...valued, ...blank]);
  for (const beginning of beginnings) {
    const [from, to] = codesBeginning(index, beginning);
    const expected = [...keys.keys()].filter((code) =>
      Buffer.from(keys[code] ?? '')
        .subarray(0, Buffer.byteLength(fold(beginning)))
        .equals(Buffer.from(fold(beginning))),
    );
    expect(
      Array.from({ length: to - from }, (_, i) => from + i),
      beginning,
    ).toEqual(expected);
  }
}

const BEGINNINGS = ['', 'n', 'NAME 1', 'name 17', 'café', 'моск', '日', 'k', 'ss', long, `${long}y`, 'xxx', 'zz'];

test('a dictionary is sorted by folded texts, and looked up by them', () => {
  expectIndex(texts, indexOf(texts), BEGINNINGS);
});

test('whatever the names, of the same letters or of any characters', () => {
  const alike = fc.string({
    unit: fc.constantFrom('a', 'A', 'é', 'e', '\\', '\0', '\ud83c\udf0a', '\uffee'),
    maxLength: 40,
  });
  const any = fc.oneof(alike, fc.string({ unit: 'grapheme', maxLength: 8 }));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 90 }), any, (all, beginning) => {
      expectIndex(all, indexOf(all), ['', beginning]);
    }),
  );
});

describe('several values in one text', () => {
  const rows = ['Fiction, Classics', 'Fiction', 'classics', 'Moor, Ada,', null, 'Fiction', ' , '];
  const index = indexOf(rows, ',');
  const found = (value: string): readonly number[] => {
    const [first, ...others] = codesOfValue(index, value).map((code) => [...rowsOfCode(index, code)]);
    return (first ?? []).filter((row) => others.every((rows) => rows.includes(row)));
  };

  test.each([
    ['a part', 'FICTION', [0, 1, 5]],
    ['another part, in another spelling', 'Classics', [0, 2]],
    ['the whole text', 'fiction, classics', [0]],
    ['the whole text, with a separator behind it', 'Moor, Ada,', [3]],
    ['its parts in another order', 'classics ,fiction', [0]],
    ['no text of parts that no record has together', 'Moor, Fiction', []],
    ['no text with an unknown part', 'Fiction, War', []],
    ['no blank text', ' , ', []],
  ])('finds %s', (_, value, expected) => {
    expect(found(value)).toEqual(expected);
  });

  test('counts parts, and no whole texts', () => {
    expect(allValues(index)).toEqual(['Ada', 'Classics', 'Fiction', 'Moor']);
    expect([...codesOfRow(index, 0)].map((code) => valueAtCode(index, code))).toEqual(['Fiction', 'Classics']);
    expect([...codesOfRow(index, 4)]).toEqual([]);
  });

  test('are ordered by the first part, rows without a value last', () => {
    expect([...(index.order?.rows ?? [])]).toEqual([2, 0, 1, 5, 3, 4, 6]);
  });
});
