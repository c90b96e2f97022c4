/**
 * Counts records by what they have of a field: values, or bins of numbers. Of a set of rows that is more than half of all
 * its complement is counted, and taken from what all rows have: no count looks at more than half of the rows.
 */
import { countBits, createBits, dropAll, intersect, membersAt } from '../bits.js';
import type { Matching } from '../search/search.js';
import type { Collection } from '../store/collection.js';
import type { SortOrder } from '../store/sort-order.js';
import { type ValueIndex, valueAt, valueCount } from '../store/value-index.js';
import type { Query } from './query.js';
import type { RowSet } from './row-set.js';

/** What each row has of a field, as codes below `size`. */
export interface Groups {
  readonly size: number;
  /** How many rows have each. */
  readonly totals: Uint32Array;
  /** Those of row r are `codes[offsets[r]] … codes[offsets[r + 1] - 1]`, or `codes[r]` alone. */
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly offsets: Uint32Array | null;
}

/** A field's values, by code. */
export function groupsOfValues(index: ValueIndex): Groups {
  const { offsets, rowCodes, rowOffsets } = index;
  const totals = Uint32Array.from({ length: valueCount(index) }, (_, code) => offsets[code + 1]! - offsets[code]!);
  return { size: totals.length, totals, codes: rowCodes, offsets: rowOffsets };
}

/** Bins that are runs of a sort order, fewer than 255, which have as many rows each; rows without a value are in none. */
export function groupsOfBins({ rows }: SortOrder, totals: Uint32Array): Groups {
  const size = totals.length;
  const codes = new Uint8Array(rows.length).fill(size);
  let from = 0;
  totals.forEach((total, bin) => {
    for (let i = from; i < from + total; i++) codes[rows[i]!] = bin;
    from += total;
  });
  return { size, totals, codes, offsets: null };
}

/** A set of rows as it is counted: its rows are listed once, or those of its complement where it is more than half. */
export class CountedSet {
  readonly matching: Matching;
  readonly isComplement: boolean;
  readonly #size: number;
  #rows: Uint32Array | undefined;

  /** Of a collection of `size` rows. */
  constructor(matching: Matching, size: number) {
    this.matching = matching;
    this.isComplement = matching.count * 2 > size;
    this.#size = size;
  }

  /** The rows to count, ascending. */
  get rows(): Uint32Array {
    this.#rows ??= this.#list();
    return this.#rows;
  }

  #list(): Uint32Array {
    const { bits, count } = this.matching;
    if (!this.isComplement) return membersAt(bits, 0, count);
    const others = createBits(this.#size).fill(0xffff_ffff);
    const inLast = this.#size & 31;
    if (inLast !== 0) others[others.length - 1] = (1 << inLast) - 1;
    dropAll(others, bits);
    return membersAt(others, 0, this.#size - count);
  }
}

/** How many rows of a set have each code; null stands for every row. */
export function countGroups({ size, totals, codes, offsets }: Groups, set: CountedSet | null): Uint32Array {
  if (set === null) return totals;
  // Rows without any code have one more.
  const counts = new Uint32Array(size + 1);
  if (offsets === null) countOne(codes, set.rows, counts);
  else countSeveral(codes, offsets, set.rows, counts);
  if (set.isComplement) for (let code = 0; code < size; code++) counts[code] = totals[code]! - counts[code]!;
  return counts.subarray(0, size);
}

function countOne(codes: Groups['codes'], rows: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) counts[codes[rows[i]!]!]!++;
}

function countSeveral(codes: Groups['codes'], offsets: Uint32Array, rows: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) {
    const end = offsets[rows[i]! + 1]!;
    for (let at = offsets[rows[i]!]!; at < end; at++) counts[codes[at]!]!++;
  }
}

export interface ValueCount {
  readonly name: string;
  readonly count: number;
}

/** At most `limit` values that any row has, the biggest, of equal ones those of the lowest codes; ties stand by name. */
export function topValues(index: ValueIndex, counts: Uint32Array, limit: number): readonly ValueCount[] {
  const best: number[] = [];
  let least = 0;
  for (let code = 0; code < counts.length; code++) {
    const count = counts[code]!;
    if (count <= least) continue;
    let at = best.length;
    while (at > 0 && counts[best[at - 1]!]! < count) at--;
    best.splice(at, 0, code);
    if (best.length > limit) best.pop();
    if (best.length === limit) least = counts[best[limit - 1]!]!;
  }
  const byCount = (a: ValueCount, b: ValueCount): number => b.count - a.count || (a.name < b.name ? -1 : 1);
  return best.map((code) => ({ name: valueAt(index, code), count: counts[code]! })).sort(byCount);
}

/** Which rows the conditions of a query let pass; null stands for every row. */
export interface Conditions {
  /** All conditions together. */
  readonly all: CountedSet | null;
  /** All but that on a field. */
  but(field: string): CountedSet | null;
}

/** `sets` are those of the query's filters. */
export function conditionsOf(
  { search, size }: Collection,
  { text, filters }: Query,
  sets: readonly RowSet[],
): Conditions {
  const conditions = sets.map((set, i) => ({ field: filters[i]?.field ?? null, bits: set.bits(), count: set.count }));
  if (text !== null) conditions.push({ field: null, ...search.matching(text) });
  const within = (some: readonly Matching[]): CountedSet | null => {
    const [first, ...others] = some;
    if (first === undefined) return null;
    if (others.length === 0) return new CountedSet(first, size);
    const bits = others.reduce((both, { bits }) => intersect(both, bits), first.bits);
    return new CountedSet({ bits, count: countBits(bits) }, size);
  };
  const all = within(conditions);
  return {
    all,
    but(field) {
      const others = conditions.filter((condition) => condition.field !== field);
      return others.length === conditions.length ? all : within(others);
    },
  };
}
