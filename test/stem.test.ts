/** Stems are those of the `stemmer` package, whatever the word. */
import fc from 'fast-check';
import { stemmer } from 'stemmer';
import { expect, test } from 'vitest';
import { createTablesBuilder } from '../src/search/index/builder.js';
import { stem } from '../src/search/stem.js';

const ENDINGS =
  'ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti ' +
  'biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ' +
  'ive ize ion sion tion s es ies sses ed eed ing at bl iz y ll e ss tt';
const piece = fc.oneof(
  fc.constantFrom(...ENDINGS.split(' ')),
  fc.string({ unit: fc.constantFrom(...'aeiouybcstlnrgdwxz'), minLength: 1, maxLength: 4 }),
);
const word = fc
  .array(piece, { minLength: 1, maxLength: 9 })
  .map((pieces) => pieces.join('').slice(0, 64))
  .filter((letters) => letters.length > 2);

/** The stems that an index has of words, in no order. */
function indexed(words: readonly string[]): string[] {
  const builder = createTablesBuilder([{ name: 'title', weight: 1 }]);
  builder.add([words.join(' ')]);
  const { units, offsets } = builder.finish(Int32Array.of(0)).stems;
  return Array.from({ length: offsets.length - 1 }, (_, i) =>
    String.fromCharCode(...units.subarray(offsets[i], offsets[i + 1])),
  );
}

test('a stem is the one of the package', () => {
  fc.assert(
    fc.property(word, (letters) => stem(letters) === stemmer(letters)),
    { numRuns: 20_000 },
  );
});

test('so is that of every word of three letters, and of four', () => {
  const letters = [...'aeiouybcstlnrgdwx'];
  const three = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const four = three.flatMap((start) => ['e', 'd', 's', 'y', 'g', 'l'].map((end) => start + end));
  for (const some of [...three, ...four]) if (stem(some) !== stemmer(some)) expect(stem(some)).toBe(stemmer(some));
});

test('an index has the stems of its words, however long they are', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 40 }), (words) => {
      expect(indexed(words)).toEqual([...new Set(words.map(stemmer))].toSorted());
    }),
    { numRuns: 300 },
  );
});

test('a word of less than three letters, or of others than a to z, is its own stem', () => {
  for (const own of ['', 'as', 'is', 'b2bs', 'cafés', 'Слова', 'c++', '😀s', 'x'.repeat(65)])
    expect(stem(own)).toBe(own);
});

test('a stem begins as its word does', () => {
  fc.assert(
    fc.property(word, (letters) => stem(letters).charAt(0) === letters.charAt(0)),
    { numRuns: 5000 },
  );
});
