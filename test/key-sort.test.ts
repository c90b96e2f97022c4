/** Rows are sorted by keys as comparing them sorts them, and those with equal keys stay as they stand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
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

test('any rows', () => {
  fc.assert(
    fc.property(many, (keys) => {
      const sort = new KeySort();
      const rowOf = (i: number): number => 7 * i + 3;
      sort.reserve(keys.length);
      for (const [i, [a, b, c, d]] of keys.entries()) sort.set(i, rowOf(i), a, b, c, d);
      const difference = (a: number, b: number): number =>
        [0, 1, 2, 3].map((at) => keys[a]![at]! - keys[b]![at]!).find((less) => less !== 0) ?? 0;
      const sorted = [...keys.keys()].sort(difference);
      sort.sort(keys.length);
      expect([...sort.rows(keys.length)]).toEqual(sorted.map(rowOf));
      const inRuns = new Set<number>();
      sort.forEachRun(keys.length, (from, to) => {
        for (let i = from + 1; i < to; i++) inRuns.add(i);
      });
      for (let i = 1; i < sorted.length; i++) expect(inRuns.has(i)).toBe(difference(sorted[i]!, sorted[i - 1]!) === 0);
    }),
    { numRuns: 300 },
  );
});
