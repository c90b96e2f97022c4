/** Rows are sorted by pairs of keys as comparing them sorts them, and those with equal keys stay as they stand. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyPairSort } from '../src/store/key-pair-sort.js';

/** Keys that share all, many or none of their bits. */
const key = fc.oneof(
  fc.nat(3),
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.constantFrom(0x001f_ffff, 0x0020_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff),
  fc.nat(31).map((shift) => (1 << shift) >>> 0),
);
const pair = fc.tuple(key, key);
const many = fc
  .tuple(fc.array(pair, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 40 }))
  .map(([pairs, times]) => Array.from({ length: pairs.length * times }, (_, i) => pairs[(i * 7) % pairs.length]!));

test('any rows, in all or in part, at any place of a table', () => {
  fc.assert(
    fc.property(many, fc.nat(2), fc.nat(100), fc.boolean(), (pairs, offset, cut, backwards) => {
      const stride = offset + 2;
      const table = new Uint32Array(pairs.length * stride);
      pairs.forEach((keys, row) => {
        table.set(keys, row * stride + offset);
      });
      const rows = Uint32Array.from(pairs.keys());
      if (backwards) rows.reverse();
      const before = [...rows];
      const from = Math.min(cut, rows.length);
      const sort = new KeyPairSort(rows);
      sort.takeKeys(table, stride, offset);
      sort.sort(from, rows.length);
      const compare = (a: number, b: number): number => pairs[a]![0] - pairs[b]![0] || pairs[a]![1] - pairs[b]![1];
      expect([...rows]).toEqual([...before.slice(0, from), ...before.slice(from).sort(compare)]);
      for (let i = 1; i < rows.length; i++) expect(sort.isSame(i)).toBe(compare(rows[i]!, rows[i - 1]!) === 0);
    }),
    { numRuns: 300 },
  );
});
