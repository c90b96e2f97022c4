/**
 * A set of rows read in a sort order without sorting the rows themselves: their ranks are integers, so a few are sorted
 * as numbers, and many are marked as bits and read back in order. Either way any page is as cheap as the first.
 */
import { positionAt, type SortOrder } from '../store/sort-order.js';
import { countBelow, createBits, membersAt, setAll } from './bits.js';

/** The rows at positions `from` to `to` of the sorted set, the latter excluded. */
export type SortedRows = (from: number, to: number) => Uint32Array;

/** A share of all rows below which sorting the ranks beats marking them. */
const SORT_SHARE = 1 / 128;

export function sortRows(rows: Uint32Array, order: SortOrder, descending: boolean): SortedRows {
  const size = order.rows.length;
  const ranks = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) ranks[i] = order.ranks[rows[i]!]!;
  const { valued, ranksAt } = rows.length < size * SORT_SHARE ? bySorting(ranks, order) : byMarking(ranks, order, size);
  return (from, to) => {
    const end = Math.min(to, ranks.length);
    const start = Math.min(from, end);
    const split = Math.min(Math.max(start, valued), end);
    const [head, tail] = [segment(ranksAt, valued, start, split, descending), ranksAt(split, end)];
    const found = new Uint32Array(end - start);
    found.set(head);
    found.set(tail, head.length);
    return found.map((rank) => order.rows[rank]!);
  };
}

interface Ranks {
  /** How many of the ranks belong to rows with a value. */
  readonly valued: number;
  /** The ranks at two positions of the ascending ranks and between. */
  readonly ranksAt: SortedRows;
}

function bySorting(ranks: Uint32Array, order: SortOrder): Ranks {
  const sorted = ranks.slice().sort();
  const firstMissing = sorted.findIndex((rank) => rank >= order.valued);
  return {
    valued: firstMissing < 0 ? sorted.length : firstMissing,
    ranksAt: (from, to) => sorted.subarray(from, to),
  };
}

function byMarking(ranks: Uint32Array, order: SortOrder, size: number): Ranks {
  const bits = createBits(size);
  setAll(bits, ranks);
  return { valued: countBelow(bits, order.valued), ranksAt: (from, to) => membersAt(bits, from, to) };
}

/** Positions `from` to `to` of the listing, all within its valued part, which `descending` reads backwards. */
function segment(ranksAt: SortedRows, valued: number, from: number, to: number, descending: boolean): Uint32Array {
  if (!descending || from === to) return ranksAt(from, to);
  const last = positionAt(from, valued, true);
  const first = positionAt(to - 1, valued, true);
  return ranksAt(first, last + 1)
    .slice()
    .reverse();
}

/** Every row, in the sort order. */
export const wholeOrder = ({ rows, valued }: SortOrder, descending: boolean): SortedRows => {
  return (from, to) => {
    const end = Math.min(to, rows.length);
    const found = new Uint32Array(Math.max(0, end - from));
    for (let i = 0; i < found.length; i++) found[i] = rows[positionAt(from + i, valued, descending)]!;
    return found;
  };
};
