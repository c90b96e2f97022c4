import { expect, it } from 'vitest';
import { createBits, setBit } from '../../src/bits.js';
import { rowsInOrder } from '../../src/query/sorted-rows.js';
import { RowSet } from '../../src/row-set.js';
import { positionOfRow } from '../../src/store/sort-order.js';

it.each([
  [5000, 5000],
  [5000, 3000],
  [5000, 0],
  [10, 4],
  [1, 1],
])('any page of a set of %i rows, %i of which have a value, in both directions', (size, valued) => {
  const rows = Uint32Array.from({ length: size }, (_, i) => (i * 7919) % size);
  const keys = new Uint32Array(size);
  for (const [position, row] of rows.entries()) keys[row] = position;
  const order = { rows, keys, valued };
  for (const step of [1, 3, 50]) {
    for (const descending of [false, true]) {
      const bits = createBits(size);
      for (let row = 0; row < size; row += step) setBit(bits, row);
      const expected = Array.from(rows, (_, i) => rows[positionOfRow(i, valued, descending)]!).filter(
        (row) => row % step === 0,
      );
      const count = expected.length;
      const middle = count >> 1;
      for (const [from, to] of [
        [0, 20],
        [middle, middle + 30],
        [Math.max(0, count - 5), count + 5],
        [0, count],
        [count + 4, count + 9],
      ] as const)
        expect([...rowsInOrder(RowSet.ofBits(bits), order, descending, from, to)]).toEqual(expected.slice(from, to));
    }
  }
});
