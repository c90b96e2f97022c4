/**
 * A set of rows read in a sort order without sorting all of it: a few are sorted by their keys; of many, those in each of
 * some thousand runs of keys are counted, and only the runs that a page is cut from are looked through. Either way any page
 * is about as cheap as the first.
 */

import { type Bits, countMembers, createBits, forEachMember, hasBit, setAll } from '../bits.js';
import { positionAt, positionOfKey, type SortOrder } from '../store/sort-order.js';

/** The rows at positions `from` to `to` of the sorted set, the latter excluded. */
export type SortedRows = (from: number, to: number) => Uint32Array;

/** Sorting a smaller share of all rows by their keys beats counting the keys. */
const MIN_COUNTED_SHARE = 1 / 128;

export function sortRows(rows: Uint32Array, order: SortOrder, descending: boolean): SortedRows {
  const size = order.rows.length;
  if (rows.length < size * MIN_COUNTED_SHARE) return read(sortedByKey(rows, order), descending);
  const bits = createBits(size);
  setAll(bits, rows);
  return sortBits(bits, rows.length, order, descending);
}

/** The same for rows given as bits, `count` of them. */
export const sortBits = (bits: Bits, count: number, order: SortOrder, descending: boolean): SortedRows =>
  read(countedByKey(bits, count, order), descending);

/** A set of rows in ascending order, those without a value last. */
interface Ascending {
  readonly count: number;
  /** How many of them have a value. */
  readonly valued: number;
  readonly at: SortedRows;
}

function sortedByKey(rows: Uint32Array, order: SortOrder): Ascending {
  const { keys } = order;
  const size = keys.length;
  // Exact together: there are no more keys than rows, and an index holds at most 2^24 of those.
  const sorted = Float64Array.from(rows, (row) => keys[row]! * size + row).sort();
  const missing = missingKeyOf(order) * size;
  const firstMissing = sorted.findIndex((key) => key >= missing);
  return {
    count: rows.length,
    valued: firstMissing < 0 ? rows.length : firstMissing,
    at: (from, to) => Uint32Array.from(sorted.subarray(from, to), (key) => key % size),
  };
}

/** Runs of keys are powers of two, and as many as take this many bits. */
const RUN_COUNT_BITS = 12;
/** Positions looked through at once while none is wanted. */
const POSITIONS_PER_STEP = 1024;

function countedByKey(bits: Bits, count: number, order: SortOrder): Ascending {
  const { keys, rows } = order;
  const missing = missingKeyOf(order);
  const greatest = keys[rows[order.valued - 1]!] ?? 0;
  const shift = Math.max(0, 32 - RUN_COUNT_BITS - Math.clz32(greatest));
  const counts = new Uint32Array((greatest >>> shift) + 1);
  forEachMember(bits, (row) => {
    const key = keys[row]!;
    if (key < missing) counts[key >>> shift]!++;
  });
  const valued = counts.reduce((sum, one) => sum + one, 0);
  /** The first key of the run that a position is in, and how many of the set's rows in it come before. */
  const runAt = (from: number) => {
    if (from >= valued) return { key: missing, skipped: from - valued };
    let run = 0;
    let seen = 0;
    while (seen + counts[run]! <= from) seen += counts[run++]!;
    return { key: run << shift, skipped: from - seen };
  };
  return {
    count,
    valued,
    at(from, to) {
      if (from === to) return new Uint32Array(0);
      const { key, skipped } = runAt(from);
      const start = positionOfKey(order, key);
      // Rows with the same key are ascending, as the members of the set are.
      const isOfOneKey = shift === 0 || key === missing;
      if (!isOfOneKey || count * MEMBER_COST > positionOfKey(order, key + 1) - start)
        return membersFrom(bits, order, start, skipped, to - from);
      const row = rowWithKey(bits, keys, key, skipped);
      return membersFrom(bits, order, positionOfKey(order, key, row), 0, to - from);
    },
  };
}

/** The key of rows without a value; more than any other where there are none. */
const missingKeyOf = ({ keys, rows, valued }: SortOrder): number =>
  valued < rows.length ? keys[rows[valued]!]! : Number.POSITIVE_INFINITY;

/** Going through the members of a set takes so many times as long for each as counting them at positions of an order. */
const MEMBER_COST = 6;

/** The row of a set that so many of its rows with this key stand before; there is one. */
function rowWithKey(bits: Bits, keys: SortOrder['keys'], key: number, before: number): number {
  let left = before;
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      const row = (word << 5) + 31 - Math.clz32(rest & -rest);
      if (keys[row] === key && left-- === 0) return row;
    }
  }
  throw new Error(`${before} rows of the set do not have the key ${key}`);
}

/** So many of the set's rows from a position of the order on, without the first `skipped`; there are as many. */
function membersFrom(bits: Bits, { rows }: SortOrder, start: number, skipped: number, count: number): Uint32Array {
  const found = new Uint32Array(count);
  let position = start;
  let left = skipped;
  while (left > 0 && position < rows.length) {
    const end = Math.min(position + POSITIONS_PER_STEP, rows.length);
    const members = countMembers(bits, rows, position, end);
    if (members > left) break;
    left -= members;
    position = end;
  }
  for (let filled = 0; filled < count && position < rows.length; position++) {
    const row = rows[position]!;
    if (!hasBit(bits, row)) continue;
    if (left > 0) left--;
    else found[filled++] = row;
  }
  return found;
}

/** Reads rows in the direction that is asked for; the part without a value is the same in both. */
function read({ count, valued, at }: Ascending, descending: boolean): SortedRows {
  return (from, to) => {
    const end = Math.min(to, count);
    const start = Math.min(from, end);
    const split = Math.min(Math.max(start, valued), end);
    const found = new Uint32Array(end - start);
    found.set(descending ? at(valued - split, valued - start).reverse() : at(start, split));
    found.set(at(split, end), split - start);
    return found;
  };
}

/** Every row, in the sort order. */
export const wholeOrder = ({ rows, valued }: SortOrder, descending: boolean): SortedRows => {
  return (from, to) => {
    const end = Math.min(to, rows.length);
    if (!descending) return rows.subarray(from, end);
    const found = new Uint32Array(Math.max(0, end - from));
    for (let i = 0; i < found.length; i++) found[i] = rows[positionAt(from + i, valued, descending)]!;
    return found;
  };
};
