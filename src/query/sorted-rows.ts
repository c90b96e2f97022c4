/**
 * Reads a set of rows in a sort order, without sorting a large set. A few rows are sorted by their keys. For many rows, the
 * sort order is walked from its beginning, and the set's rows are counted up to the page: 1 to 2 ms for a million rows.
 */

import { type Bits, countMembers, createBits, hasBit, setAll } from '../bits.js';
import { positionAt, type SortOrder } from '../store/sort-order.js';

/** The rows at positions `from` to `to` of the sorted set, the latter excluded. */
export type SortedRows = (from: number, to: number) => Uint32Array;

/** If a set has a smaller share of all rows, it is faster to sort it than to walk the order. */
const MIN_WALKED_SHARE = 1 / 128;
/** Positions of the order that are counted at once before the page begins. */
const POSITIONS_PER_STEP = 1024;

export function sortRows(rows: Uint32Array, order: SortOrder, descending: boolean): SortedRows {
  const size = order.rows.length;
  if (rows.length < size * MIN_WALKED_SHARE) return read(sortedByKey(rows, order), descending);
  const bits = createBits(size);
  setAll(bits, rows);
  return sortBits(bits, rows.length, order, descending);
}

/** Reads a set of `count` rows, which are bits, in a sort order. */
export const sortBits = (bits: Bits, count: number, { rows, valued }: SortOrder, descending: boolean): SortedRows => {
  return (from, to) => {
    const page = new Uint32Array(Math.max(0, Math.min(to, count) - from));
    let passed = 0;
    let size = 0;
    for (let i = 0, end = 0; i < rows.length && size < page.length; i = end) {
      // No step reaches from the rows with a value into those without, which are in the same order in both directions.
      end = Math.min(i + POSITIONS_PER_STEP, i < valued ? valued : rows.length);
      const isBackwards = descending && i < valued;
      const members = countMembers(bits, rows, isBackwards ? valued - end : i, isBackwards ? valued - i : end);
      if (passed + members <= from) {
        passed += members;
        continue;
      }
      for (let at = i; at < end && size < page.length; at++) {
        const row = rows[positionAt(at, valued, descending)]!;
        if (hasBit(bits, row) && passed++ >= from) page[size++] = row;
      }
    }
    return page;
  };
};

/** A set of rows, ascending by key; rows without a value are last. */
interface Ascending {
  readonly count: number;
  /** How many of them have a value. */
  readonly valued: number;
  readonly at: SortedRows;
}

function sortedByKey(rows: Uint32Array, order: SortOrder): Ascending {
  const { keys } = order;
  const size = keys.length;
  // Key and row as one number is exact: both are below 2^24, the greatest number of rows.
  const sorted = Float64Array.from(rows, (row) => keys[row]! * size + row).sort();
  const missing = missingKeyOf(order) * size;
  const firstMissing = sorted.findIndex((key) => key >= missing);
  return {
    count: rows.length,
    valued: firstMissing < 0 ? rows.length : firstMissing,
    at: (from, to) => Uint32Array.from(sorted.subarray(from, to), (key) => key % size),
  };
}

/** The key of rows without a value; more than any other where there are none. */
const missingKeyOf = ({ keys, rows, valued }: SortOrder): number =>
  valued < rows.length ? keys[rows[valued]!]! : Number.POSITIVE_INFINITY;

/** Reads rows in either direction; rows without a value have the same order in both. */
function read({ count, valued, at }: Ascending, descending: boolean): SortedRows {
  return (from, to) => {
    const end = Math.min(to, count);
    const start = Math.min(from, end);
    const split = Math.min(Math.max(start, valued), end);
    const page = new Uint32Array(end - start);
    page.set(descending ? at(valued - split, valued - start).reverse() : at(start, split));
    page.set(at(split, end), split - start);
    return page;
  };
}

/** Every row, in the sort order. */
export const wholeOrder = ({ rows, valued }: SortOrder, descending: boolean): SortedRows => {
  return (from, to) => {
    const end = Math.min(to, rows.length);
    if (!descending) return rows.subarray(from, end);
    const page = new Uint32Array(Math.max(0, end - from));
    for (let i = 0; i < page.length; i++) page[i] = rows[positionAt(from + i, valued, descending)]!;
    return page;
  };
};
