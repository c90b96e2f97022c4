/**
 * Reads a set of rows in a sort order, without sorting a large set. A few rows are sorted by their keys. For many rows, the
 * sort order is walked from its beginning, and the set's rows are counted up to the page: 1 to 2 ms for a million rows.
 */
import { type Bits, countMembers, hasBit } from '../bits.js';
import { RowSet } from '../row-set.js';
import { positionOfKey, positionOfRow, type SortOrder } from '../store/sort-order.js';

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
    ? rowsBySorting(set.rows, order, descending).subarray(from, end)
    : rowsByWalking(set.bits, order, descending, from, end);
}

/** The rows of a set at positions `from` to `end`, both of which the set has. */
function rowsByWalking(
  bits: Bits,
  { rows, valued }: SortOrder,
  descending: boolean,
  from: number,
  end: number,
): Uint32Array {
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
      const row = rows[positionOfRow(at, valued, descending)]!;
      if (hasBit(bits, row) && passed++ >= from) page[size++] = row;
    }
  }
  return page;
}

/** Rows in a sort order; rows without a value are last, in the same order in both directions. */
function rowsBySorting(rows: Uint32Array, order: SortOrder, descending: boolean): Uint32Array {
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
  for (let i = 0; i < page.length; i++) page[i] = rows[positionOfRow(from + i, valued, descending)]!;
  return page;
}

/** A sort order, and the direction in which it is read. */
interface DirectedOrder {
  readonly order: SortOrder;
  readonly descending: boolean;
}

/**
 * The rows of a set at positions `from` to `end` in several orders, each of which sorts the rows that are equal in the one
 * before. The first order gives the page; then each run of equal keys in it is sorted by the others. A run that goes on before
 * or behind the page is a part of a larger group, of which it takes the same positions.
 *
 *     sort=-rating,title, page 3 to 5:   5 5 5 │ 5 4 │ 4 4 …   the group of 5 has four rows, of which the page has the last
 */
export function rowsInOrders(set: RowSet, keys: readonly DirectedOrder[], from: number, end: number): Uint32Array {
  const [first, ...others] = keys;
  if (first === undefined) return set.rowsAt(from, end);
  const page = Uint32Array.from(rowsInOrder(set, first.order, first.descending, from, end));
  if (others.length === 0 && !first.descending) return page;
  const keyOf = (i: number): number => first.order.keys[page[i]!]!;
  for (let start = 0, stop = 0; start < page.length; start = stop) {
    stop = start + 1;
    while (stop < page.length && keyOf(stop) === keyOf(start)) stop++;
    if (stop - start === 1 && start > 0 && stop < page.length) continue;
    const group = groupWithin(set, first.order, keyOf(start));
    // The number of the group's rows that the first order has before the page.
    const isBackwards = first.descending && keyOf(start) < missingKey(first.order);
    const leading = page[start]!;
    const passed = group.rows.reduce((count, row) => count + Number(isBackwards ? row > leading : row < leading), 0);
    page.set(rowsInOrders(group, others, passed, passed + stop - start), start);
  }
  return page;
}

/** The rows of a set that have a key. */
function groupWithin(set: RowSet, order: SortOrder, key: number): RowSet {
  const rows = order.rows.subarray(positionOfKey(order, key), positionOfKey(order, key + 1));
  return RowSet.ofRows(
    rows.filter((row) => set.has(row)),
    order.keys.length,
  );
}

/** The key of rows without a value; no key is greater. */
const missingKey = ({ keys, rows, valued }: SortOrder): number =>
  valued < rows.length ? keys[rows[valued]!]! : Number.POSITIVE_INFINITY;
