/**
 * The rows that one filter lets pass. A set knows its size before any row is touched, so the narrowest of several can
 * lead; the others then only look at rows that are still in.
 */

import { addAll, ascending, type Bits, countBits, createBits, hasBit, membersAt, setAll } from '../bits.js';
import type { Collection } from '../store/collection.js';
import { type NumberColumn, placeAbove, placeFrom } from '../store/number-column.js';
import { writeRun } from '../store/range-bitmaps.js';
import { positionOfKey, type SortOrder } from '../store/sort-order.js';
import { codeOfValue, rowsOfCode, type ValueIndex } from '../store/value-index.js';
import type { QueryFilter } from './query.js';

export interface RowSet {
  readonly count: number;
  has(row: number): boolean;
  /** All rows of the set, ascending: for a set that is a small part of the collection. */
  rows(): Uint32Array;
  /** The set as bits, one for each row of the collection: for a large one. Not to be written to. */
  bits(): Bits;
  /** Makes bits of a caller's, one for each row, the set. */
  writeBits(into: Bits): void;
  /** Those of some ascending rows that are in the set, ascending. */
  keep(rows: Uint32Array): Uint32Array;
  /** Where the set is a run of one order's positions: that order, its first position and its last, excluded. */
  readonly run: { readonly order: SortOrder; readonly from: number; readonly to: number } | null;
}

export function rowSet(collection: Collection, filter: QueryFilter): RowSet {
  if (filter.kind === 'range') {
    const column = collection.columns.get(filter.field);
    if (column === undefined) throw new Error(`${filter.field} has no column`);
    return rangeSet(column, filter.min, filter.max);
  }
  const index = collection.values.get(filter.field);
  if (index === undefined) throw new Error(`${filter.field} is not indexed by value`);
  return valueSet(index, filter.anyOf, collection.size);
}

/** Rows whose number lies in [min, max]: those of a run of the column's keys, and a run of its order. */
function rangeSet(column: NumberColumn, min: number, max: number): RowSet {
  const { order, ranges } = column;
  const { keys } = order;
  const first = placeFrom(column, min);
  const places = Math.max(0, placeAbove(column, max) - first);
  const from = positionOfKey(order, first);
  const to = positionOfKey(order, first + places);
  let bits: Bits | undefined;
  return {
    count: to - from,
    run: { order, from, to },
    has: (row) => (keys[row]! - first) >>> 0 < places,
    rows: () => ascending(order.rows.subarray(from, to), keys.length),
    bits() {
      if (bits === undefined) {
        bits = createBits(keys.length);
        writeRun(ranges, from, to, bits);
      }
      return bits;
    },
    writeBits(into) {
      if (bits === undefined) writeRun(ranges, from, to, into);
      else into.set(bits);
    },
    keep(rows) {
      const kept = new Uint32Array(rows.length);
      let size = 0;
      for (let i = 0; i < rows.length; i++) {
        kept[size] = rows[i]!;
        // 1 if 0 <= place < places: a branch here would be guessed wrong every other time.
        const place = keys[rows[i]!]! - first;
        size += (~place & (place - places)) >>> 31;
      }
      return kept.subarray(0, size);
    },
  };
}

/** Rows that have any of the values. */
function valueSet(index: ValueIndex, anyOf: readonly string[], size: number): RowSet {
  const codes = [...new Set(anyOf.map((value) => codeOfValue(index, value)))].filter((code) => code >= 0);
  const [code, ...others] = codes;
  if (code !== undefined && others.length === 0) return rowsSet(rowsOfCode(index, code), size, index.dense.get(code));
  const bits = createBits(size);
  for (const one of codes) {
    const dense = index.dense.get(one);
    if (dense === undefined) setAll(bits, rowsOfCode(index, one));
    else addAll(bits, dense);
  }
  return bitsSet({ bits, count: countBits(bits) });
}

/** The rows of one posting; looked up by bits, which are made when they are first needed. */
function rowsSet(rows: Uint32Array, size: number, dense: Uint32Array | undefined): RowSet {
  let made = dense;
  const bits = (): Bits => {
    if (made === undefined) {
      made = createBits(size);
      setAll(made, rows);
    }
    return made;
  };
  return { ...bitsMembership(bits), count: rows.length, run: null, rows: () => rows, bits };
}

/** The rows of a set whose bits are there already. */
export const bitsSet = ({ bits, count }: { readonly bits: Bits; readonly count: number }): RowSet => ({
  ...bitsMembership(() => bits),
  count,
  run: null,
  rows: () => membersAt(bits, 0, count),
  bits: () => bits,
});

const bitsMembership = (bits: () => Uint32Array): Pick<RowSet, 'has' | 'keep' | 'writeBits'> => ({
  writeBits: (into) => into.set(bits()),
  has: (row) => hasBit(bits(), row),
  keep(rows) {
    const members = bits();
    const kept = new Uint32Array(rows.length);
    let size = 0;
    for (let i = 0; i < rows.length; i++) {
      kept[size] = rows[i]!;
      size += (members[rows[i]! >>> 5]! >>> (rows[i]! & 31)) & 1;
    }
    return kept.subarray(0, size);
  },
});
