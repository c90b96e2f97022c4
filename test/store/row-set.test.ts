/** Sets of rows against plain sets, whatever they are made of. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBits, setAll } from '../../src/bits.js';
import { inAll, RowSet } from '../../src/row-set.js';

/** Some rows of a collection of `size`; of large ones so few that they are gone through row by row. */
const rowsBelow = (size: number) =>
  fc.uniqueArray(fc.nat(size - 1), { maxLength: Math.min(size, 300) }).map((rows) => Uint32Array.from(rows).sort());

const forms: readonly ((rows: Uint32Array, size: number) => RowSet)[] = [
  (rows, size) => RowSet.ofRows(rows, size),
  (rows, size) => RowSet.ofBits(bitsOf(rows, size)),
  (rows, size) =>
    new RowSet(size, rows.length, {
      bits: () => bitsOf(rows, size),
      has: (row) => rows.includes(row),
      rows: () => rows,
    }),
];

function bitsOf(rows: Uint32Array, size: number): Uint32Array {
  const bits = createBits(size);
  setAll(bits, rows);
  return bits;
}

const sets = fc
  .constantFrom(1, 31, 32, 100, 5000, 100_000)
  .chain((size) =>
    fc.tuple(
      fc.constant(size),
      fc.array(fc.tuple(rowsBelow(size), fc.constantFrom(...forms)), { minLength: 1, maxLength: 4 }),
    ),
  );

test('a set is the rows that it was made of, in every form', () => {
  fc.assert(
    fc.property(sets, ([size, [[rows, form] = [new Uint32Array(0), forms[0]!]]]) => {
      const set = form(rows, size);
      for (const row of [0, size - 1, ...rows]) expect(set.has(row)).toBe(rows.includes(row));
      expect(set.count).toBe(rows.length);
      for (const from of [0, 3, rows.length])
        expect([...set.rowsAt(Math.min(from, rows.length), rows.length)]).toEqual([...rows.subarray(from)]);
      expect([...set.rows]).toEqual([...rows]);
      expect([...set.bits]).toEqual([...bitsOf(rows, size)]);
    }),
  );
});

test('what is in all sets is in each', () => {
  fc.assert(
    fc.property(sets, ([size, some]) => {
      const common = [...(some[0]?.[0] ?? [])].filter((row) => some.every(([rows]) => rows.includes(row)));
      const set = inAll(
        some.map(([rows, form]) => form(rows, size)),
        size,
      );
      expect([...set.rows]).toEqual(common);
      expect(set.count).toBe(common.length);
    }),
  );
});
