/** Rows are sorted by keys as comparing them sorts them, and those with equal keys stay as they stand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeySort } from '../src/store/key-sort.js';

/** Halves of keys that share all, many or none of their bits. */
const half = fc.oneof(
  fc.nat(3),
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.constantFrom(0x001f_ffff, 0x0020_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff),
  fc.nat(31).map((shift) => (1 << shift) >>> 0),
);
const halves = fc.tuple(half, half, half, half);
const many = fc
  .tuple(fc.array(halves, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }))
  .map(([some, times]) => Array.from({ length: some.length * times }, (_, i) => some[(i * 7) % some.length]!));

test('any rows, by one key and by another, at any place of a table', () => {
  fc.assert(
    fc.property(many, fc.nat(2), fc.boolean(), (keys, offset, backwards) => {
      const stride = offset + 4;
      const table = new Uint32Array(keys.length * stride);
      keys.forEach((key, row) => {
        table.set(key, row * stride + offset);
      });
      const rows = Uint32Array.from(keys.keys());
      if (backwards) rows.reverse();
      const by = (from: number) => (a: number, b: number) =>
        keys[a]![from]! - keys[b]![from]! || keys[a]![from + 1]! - keys[b]![from + 1]!;
      const sort = new KeySort(rows);
      const sorted = [...rows];
      for (const from of [2, 0]) {
        sort.sortBy(table, stride, offset + from);
        sorted.sort(by(from));
        expect(sorted.map((_, i) => sort.row(i))).toEqual(sorted);
      }
      for (let i = 1; i < sorted.length; i++) expect(sort.isSame(i)).toBe(by(0)(sorted[i]!, sorted[i - 1]!) === 0);
    }),
    { numRuns: 300 },
  );
});
