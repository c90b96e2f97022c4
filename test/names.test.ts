/** Values are numbered as they first occur, one by one and in batches, whatever they have in common. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { buildFrom, createStoresBuilder } from '../src/build/parts.js';
import { compareBeginning, hashOf } from '../src/store/names.js';
import { NamesBuilder } from '../src/store/names-builder.js';
import { allValues, codeOfValue } from '../src/store/value-index.js';
import { fold } from '../src/text.js';

const dir = mkdtempSync(join(tmpdir(), 'names-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Texts of which each two have the same hash. */
function withEqualHashes(textOf: (digits: string, i: number) => string): readonly string[] {
  const known = new Map<number, string>();
  const found: string[] = [];
  for (let i = 0; found.length < 6; i++) {
    const text = textOf((i * 2_654_435_761).toString(36).padStart(12, '0'), i);
    const hash = hashOf(Buffer.from(text), 0, text.length);
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
  ...['[', '{', '@', '`', 'Z', 'z', 'a', 'A', '__proto__'],
  ...['b', 'c', 'B'].map((last) => `${'x'.repeat(70_000)}${last}`),
];
/** Among others they come again and again, in both cases. */
const texts = Array.from({ length: 12_000 }, (_, i) => {
  const name = i % 5 === 0 ? names[(i / 5) % names.length]! : `name ${(i * 7919) % 5000}`;
  if (name.length > 1000 && i > 1000) return `short ${i}`;
  return i % 3 === 0 ? name.toUpperCase() : name;
});

/** What is first with its folded text. */
function expectedCodes() {
  const firsts: string[] = [];
  const codeOf = new Map<string, number>();
  const codes = texts.map((text) => {
    const key = fold(text);
    const code = codeOf.get(key) ?? firsts.push(text) - 1;
    codeOf.set(key, code);
    return code;
  });
  return { firsts, codes };
}

test('one by one', () => {
  const { codes, firsts } = expectedCodes();
  const builder = new NamesBuilder();
  expect(texts.map((text) => builder.codeOf(text))).toEqual(codes);
  expect(builder.size).toBe(firsts.length);
});

test('in batches, among records that come alone', async () => {
  const { codes, firsts } = expectedCodes();
  const records = texts.map((author, i) => ({
    id: i,
    title: 't',
    author,
    ...(i > 6000 && i < 6100 && { price: 'EUR 5' }),
  }));
  writeFileSync(join(dir, 'products.json'), `[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]`);
  const built = await buildFrom({ dir }, createStoresBuilder());
  const authors = built.ok ? built.made.stores.get('products')?.values.get('author') : undefined;
  expect([...(authors?.rowCodes ?? [])]).toEqual(codes);
  expect(authors && allValues(authors)).toEqual(firsts);
  for (const [i, text] of texts.entries()) expect(authors && codeOfValue(authors, text)).toBe(codes[i]);
});

/** How each name's beginning compares with a text, and how it should. */
function compared(builder: NamesBuilder, firsts: readonly string[], beginning: string) {
  const names = builder.finish();
  const text = Buffer.from(fold(beginning));
  const found = firsts.map((_, code) => Math.sign(compareBeginning(names, code, text)));
  const expected = firsts.map((name) => Buffer.from(fold(name)).subarray(0, text.length).compare(text));
  return { found, expected };
}

test('names compare with a beginning by the bytes of their folded texts', () => {
  const builder = new NamesBuilder();
  const { firsts } = expectedCodes();
  for (const text of texts) builder.codeOf(text);
  for (const beginning of [
    '',
    'n',
    'NAME 1',
    'name 17',
    'café',
    'моск',
    '日',
    'k',
    'ss',
    long,
    `${long}y`,
    'x'.repeat(9),
    'zz',
  ]) {
    const { found, expected } = compared(builder, firsts, beginning);
    expect(found, beginning).toEqual(expected);
  }
});

test('whatever the names, of the same letters or of any characters', () => {
  const alike = fc.string({
    unit: fc.constantFrom('a', 'A', 'é', 'e', '\\', '\0', '\ud83c\udf0a', '\uffee'),
    maxLength: 40,
  });
  const any = fc.oneof(alike, fc.string({ unit: 'grapheme', maxLength: 8 }));
  const some = fc.tuple(fc.array(any, { maxLength: 90 }), fc.string({ unit: fc.constantFrom('a', ''), maxLength: 20 }));
  fc.assert(
    fc.property(some, any, ([all, common], beginning) => {
      const builder = new NamesBuilder();
      const firsts: string[] = [];
      for (const name of all.map((one) => common + one)) if (builder.codeOf(name) === firsts.length) firsts.push(name);
      const { found, expected } = compared(builder, firsts, common + beginning);
      expect(found).toEqual(expected);
    }),
  );
});
