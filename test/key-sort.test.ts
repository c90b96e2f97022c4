/** Rows are sorted by keys as comparing them sorts them, and those with equal keys stay as they stand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortPieces } from '../src/store/byte-order.js';
import { KeySort } from '../src/store/key-sort.js';

/** Words of keys that share all, many or none of their bits. */
const word = fc.oneof(
  fc.nat(3),
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.constantFrom(0x001f_ffff, 0x0020_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff),
  fc.nat(31).map((shift) => (1 << shift) >>> 0),
);
/** Some differ in the least significant word only. */
const key = fc.oneof(fc.tuple(word, word, word, word), fc.tuple(fc.constant(7), fc.constant(7), fc.constant(7), word));
const many = fc
  .tuple(fc.array(key, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }))
  .map(([some, times]) => Array.from({ length: some.length * times }, (_, i) => some[(i * 7) % some.length]!));

test('any rows, all or some of them', () => {
  fc.assert(
    fc.property(many, fc.integer({ min: 2, max: 5 }), (keys, unwanted) => {
      const sort = new KeySort();
      const rowOf = (i: number): number => 7 * i + 3;
      keys.forEach((words, i) => {
        sort.reserve(i + 1);
        const [a, b, c, d] = words;
        sort.set(i, rowOf(i), a, b, c, d);
      });
      const isWanted = (i: number): boolean => i % unwanted !== 1;
      const wanted = keys.flatMap((_, i) => (isWanted(i) ? [i] : []));
      const difference = (a: number, b: number): number =>
        [0, 1, 2, 3].map((at) => keys[a]![at]! - keys[b]![at]!).find((less) => less !== 0) ?? 0;
      const sorted = wanted.toSorted(difference);
      expect(sort.keep(keys.length, isWanted)).toBe(wanted.length);
      sort.sort(wanted.length);
      expect([...sort.rows(wanted.length)]).toEqual(sorted.map(rowOf));
      const inRuns = new Set<number>();
      sort.forEachRun(wanted.length, (from, to) => {
        for (let i = from + 1; i < to; i++) inRuns.add(i);
      });
      for (let i = 1; i < sorted.length; i++) expect(inRuns.has(i)).toBe(difference(sorted[i]!, sorted[i - 1]!) === 0);
    }),
    { numRuns: 300 },
  );
});

test('pieces of bytes, whatever they have in common and wherever they end', () => {
  const beginning = fc.constantFrom('', 'https://shop.example/p/', 'https://shop.example/product/', 'https://');
  const rest = fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'é'), maxLength: 40 });
  const piece = fc.tuple(beginning, rest).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (some, times) => {
      const texts = Array.from({ length: some.length * times }, (_, i) => Buffer.from(some[(i * 7) % some.length]!));
      const offsets = new Uint32Array(texts.length + 1);
      for (const [i, { length }] of texts.entries()) offsets[i + 1] = offsets[i]! + length;
      const expected = [...texts.keys()].sort((a, b) => texts[a]!.compare(texts[b]!));
      expect([...sortPieces({ bytes: Buffer.concat(texts), offsets }, texts.length)]).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
