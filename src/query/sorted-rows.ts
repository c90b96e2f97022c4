/**
 * Reads a set of rows in a sort order, without sorting a large set. A few rows are sorted by their keys. For many rows, the
 * sort order is walked from its beginning, and the set's rows are counted up to the page: 1 to 2 ms for a million rows.
 */
import { type Bits, countMembers, hasBit } from '../bits.js';
import type { RowSet } from '../row-set.js';
import { positionAt, type SortOrder } from '../store/sort-order.js';

/** Positions of an order that are walked in the time in which one row is sorted. */
const POSITIONS_PER_SORTED_ROW = 64;
/** Positions of the order that are counted at once before the page begins. */
const POSITIONS_PER_STEP = 1024;

/** The rows of a set at positions `from` to `to` of the set in a sort order, the latter excluded. */
export function rowsInOrder(set: RowSet, order: SortOrder, descending: boolean, from: number, to: number): Uint32Array {
  const { count } = set;
  const end = Math.min(to, count);
  if (from >= end) return new Uint32Array(0);
  const walkedPositions = order.rows.length * (end / count);
  return count * POSITIONS_PER_SORTED_ROW < walkedPositions
    ? sorted(set.rows, order, descending).subarray(from, end)
    : walked(set.bits, order, descending, from, end);
}

/** The rows of a set at positions `from` to `end`, both of which the set has. */
function walked(bits: Bits, { rows, valued }: SortOrder, descending: boolean, from: number, end: number): Uint32Array {
  const page = new Uint32Array(end - from);
  let passed = 0;
  let size = 0;
  for (let i = 0, stepEnd = 0; i < rows.length && size < page.length; i = stepEnd) {
    // No step reaches from the rows with a value into those without, which are in the same order in both directions.
    stepEnd = Math.min(i + POSITIONS_PER_STEP, i < valued ? valued : rows.length);
    const isBackwards = descending && i < valued;
    const members = countMembers(bits, rows, isBackwards ? valued - stepEnd : i, isBackwards ? valued - i : stepEnd);
    if (passed + members <= from) {
      passed += members;
      continue;
    }
    for (let at = i; at < stepEnd && size < page.length; at++) {
      const row = rows[positionAt(at, valued, descending)]!;
      if (hasBit(bits, row) && passed++ >= from) page[size++] = row;
    }
  }
  return page;
}

/** Rows in a sort order; rows without a value are last, in the same order in both directions. */
function sorted(rows: Uint32Array, order: SortOrder, descending: boolean): Uint32Array {
  const { keys, valued } = order;
  const size = keys.length;
  const missing = valued < size ? keys[order.rows[valued]!]! : Number.POSITIVE_INFINITY;
  // Key and row as one number is exact: both are below 2^24, the greatest number of rows.
  const numbers = Float64Array.from(rows, (row) => {
    const number = keys[row]! * size + row;
    return descending && keys[row]! < missing ? -number : number;
  });
  return Uint32Array.from(numbers.sort(), (number) => Math.abs(number) % size);
}

/** The rows at positions `from` to `to` of a sort order, the latter excluded. */
export function wholeOrder({ rows, valued }: SortOrder, descending: boolean, from: number, to: number): Uint32Array {
  const end = Math.min(to, rows.length);
  if (!descending) return rows.subarray(from, end);
  const page = new Uint32Array(Math.max(0, end - from));
  for (let i = 0; i < page.length; i++) page[i] = rows[positionAt(from + i, valued, descending)]!;
  return page;
}
