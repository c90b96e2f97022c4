/**
 * A set of rows read in a sort order without sorting the rows themselves: their ranks are integers, so a few are sorted
 * as numbers, and many are marked as bits and read back in order. Either way any page is as cheap as the first.
 */

import { countBelow, createBits, forEachMember, membersAt, setBit } from '../bits.js';
import { positionAt, type SortOrder } from '../store/sort-order.js';

/** The rows at positions `from` to `to` of the sorted set, the latter excluded. */
export type SortedRows = (from: number, to: number) => Uint32Array;

/** A share of all rows below which sorting the ranks of some beats marking them. */
const SORT_SHARE = 1 / 128;

export function sortRows(rows: Uint32Array, order: SortOrder, descending: boolean): SortedRows {
  const { ranks } = order;
  if (rows.length < ranks.length * SORT_SHARE) {
    const sorted = rows.map((row) => ranks[row]!).sort();
    const firstMissing = sorted.findIndex((rank) => rank >= order.valued);
    const valued = firstMissing < 0 ? sorted.length : firstMissing;
    return read({ count: sorted.length, valued, at: (from, to) => sorted.subarray(from, to) }, order, descending);
  }
  const marked = createBits(ranks.length);
  for (let i = 0; i < rows.length; i++) setBit(marked, ranks[rows[i]!]!);
  return readMarked(marked, rows.length, order, descending);
}

/** The same for rows given as bits, `count` of them. */
export function sortBits(rows: Uint32Array, count: number, order: SortOrder, descending: boolean): SortedRows {
  const { ranks } = order;
  const marked = createBits(ranks.length);
  forEachMember(rows, (row) => setBit(marked, ranks[row]!));
  return readMarked(marked, count, order, descending);
}

const readMarked = (marked: Uint32Array, count: number, order: SortOrder, descending: boolean): SortedRows => {
  const valued = countBelow(marked, order.valued);
  return read({ count, valued, at: (from, to) => membersAt(marked, from, to) }, order, descending);
};

/** The ranks of a set of rows, ascending. */
interface Ranks {
  readonly count: number;
  /** How many of them belong to rows with a value. */
  readonly valued: number;
  readonly at: SortedRows;
}

/** Reads ranks in the direction that is asked for; the part without a value is the same in both. */
function read({ count, valued, at }: Ranks, order: SortOrder, descending: boolean): SortedRows {
  return (from, to) => {
    const end = Math.min(to, count);
    const start = Math.min(from, end);
    const split = Math.min(Math.max(start, valued), end);
    const found = new Uint32Array(end - start);
    found.set(
      descending
        ? at(valued - split, valued - start)
            .slice()
            .reverse()
        : at(start, split),
    );
    found.set(at(split, end), split - start);
    return found.map((rank) => order.rows[rank]!);
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
