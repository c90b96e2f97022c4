/**
 * The rows that one filter lets pass. A set knows its size before any row is touched, so the narrowest of several can
 * lead; the others then only look at rows that are still in.
 */
import type { Collection } from '../store/collection.js';
import type { SortOrder } from '../store/sort-order.js';
import { codeOfValue, rowsOfCode, type ValueIndex } from '../store/value-index.js';
import { ascending, countBits, createBits, membersAt, setAll } from './bits.js';
import type { QueryFilter } from './query.js';

export interface RowSet {
  readonly count: number;
  has(row: number): boolean;
  /** All rows of the set, ascending. */
  rows(): Uint32Array;
  /** Those of some ascending rows that are in the set, ascending. */
  keep(rows: Uint32Array): Uint32Array;
  /** Where the set is a run of one order's positions: that order, its first position and its last, excluded. */
  readonly run: { readonly order: SortOrder; readonly from: number; readonly to: number } | null;
}

export function rowSet(collection: Collection, filter: QueryFilter): RowSet {
  if (filter.kind === 'range') {
    const column = collection.columns.get(filter.field);
    const order = collection.orders.get(filter.field);
    if (column === undefined || order === undefined) throw new Error(`${filter.field} has no column`);
    return rangeSet(column, order, filter.min, filter.max);
  }
  const index = collection.values.get(filter.field);
  if (index === undefined) throw new Error(`${filter.field} is not indexed by value`);
  return valueSet(index, filter.anyOf, collection.size);
}

/** A share of the rows above which scanning them all, in order, beats collecting the run and ordering it. */
const SCAN_SHARE = 1 / 8;

/** Rows whose value lies in [min, max]: a run of the field's order, found by binary search. */
function rangeSet(column: Float64Array, order: SortOrder, min: number, max: number): RowSet {
  const from = lowerBound(order, (row) => column[row]! < min);
  const to = Math.max(
    from,
    lowerBound(order, (row) => column[row]! <= max),
  );
  const count = to - from;
  const { ranks } = order;
  return {
    count,
    run: { order, from, to },
    has: (row) => (ranks[row]! - from) >>> 0 < count,
    rows() {
      if (count < ranks.length * SCAN_SHARE) return ascending(order.rows.subarray(from, to), ranks.length);
      const rows = new Uint32Array(count + 1);
      for (let row = 0, kept = 0; row < ranks.length; row++) {
        rows[kept] = row;
        kept += (ranks[row]! - from) >>> 0 < count ? 1 : 0;
      }
      return rows.subarray(0, count);
    },
    keep(rows) {
      const kept = new Uint32Array(rows.length + 1);
      let size = 0;
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        kept[size] = row;
        size += (ranks[row]! - from) >>> 0 < count ? 1 : 0;
      }
      return kept.subarray(0, size);
    },
  };
}

/** The first of an order's valued positions whose row is not `before`. */
function lowerBound({ rows, valued }: SortOrder, before: (row: number) => boolean): number {
  let low = 0;
  let high = valued;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(rows[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows that have any of the values. */
function valueSet(index: ValueIndex, anyOf: readonly string[], size: number): RowSet {
  const codes = [...new Set(anyOf.map((value) => codeOfValue(index, value)))].filter((code) => code >= 0);
  const rows = unite(
    codes.map((code) => rowsOfCode(index, code)),
    size,
  );
  const wanted = new Uint8Array(index.names.length);
  for (const code of codes) wanted[code] = 1;
  const { rowOffsets, rowCodes } = index;
  const has = (row: number): boolean => {
    const end = rowOffsets[row + 1]!;
    for (let i = rowOffsets[row]!; i < end; i++) if (wanted[rowCodes[i]!] === 1) return true;
    return false;
  };
  return { count: rows.length, run: null, has, rows: () => rows, keep: (others) => others.filter(has) };
}

function unite(lists: readonly Uint32Array[], size: number): Uint32Array {
  const [first, ...others] = lists;
  if (first === undefined) return new Uint32Array(0);
  if (others.length === 0) return first;
  const bits = createBits(size);
  for (const rows of lists) setAll(bits, rows);
  return membersAt(bits, 0, countBits(bits));
}
