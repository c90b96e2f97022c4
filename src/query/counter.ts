/**
 * Counts records by the values of a field, or by its numbers, which `countInBins` adds up to bins. If a set has more than half of all
 * rows, its complement is counted and subtracted from the totals.
 */
import { complementOf, forEachMember } from '../bits.js';
import type { RowSet } from '../row-set.js';
import type { NumberColumn } from '../store/number-column.js';
import type { SortOrder } from '../store/sort-order.js';
import { type ValueIndex, valueAtCode, valueCount } from '../store/value-index.js';

/** The codes of each row, below `size`: those of a field's values, or the ranks of its numbers. */
export interface Groups {
  readonly size: number;
  /** By code: the number of rows that have it. */
  readonly totals: () => Uint32Array;
  /** The codes of row r are `codes[offsets[r]] … codes[offsets[r + 1] - 1]`; without offsets, only `codes[r]`. */
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly offsets: Uint32Array | null;
}

/** A field's values, by code. */
export function groupsOfValues(index: ValueIndex): Groups {
  const { offsets, rowCodes, rowOffsets } = index;
  const size = valueCount(index);
  // A loop takes a tenth of the time of `Uint32Array.from`: a field may have a million values.
  const totals = (): Uint32Array => {
    const counts = new Uint32Array(size);
    for (let code = 0; code < size; code++) counts[code] = offsets[code + 1]! - offsets[code]!;
    return counts;
  };
  return { size, totals, codes: rowCodes, offsets: rowOffsets };
}

/** A field's numbers, by rank. */
export const groupsOfNumbers = ({ values, order }: NumberColumn): Groups => groupsOfKeys(order, values.length - 1);

/** The keys of an order, those below `size`. The totals are counted once, in a pass over the rows. */
export function groupsOfKeys({ keys }: SortOrder, size: number): Groups {
  let totals: Uint32Array | undefined;
  const count = (): Uint32Array => {
    const counts = new Uint32Array(size + 1);
    for (let row = 0; row < keys.length; row++) counts[keys[row]!]!++;
    return counts.subarray(0, size);
  };
  return {
    size,
    totals() {
      totals ??= count();
      return totals;
    },
    codes: keys,
    offsets: null,
  };
}

/** By code: the number of matching rows that have it; null stands for every row. */
export function countGroups(
  { size, totals, codes, offsets }: Groups,
  matching: RowSet | null,
  rows: number,
): Uint32Array {
  if (matching === null) return totals();
  const isMost = matching.count * 2 > rows;
  const counted = isMost ? complementOf(matching.bits, rows) : matching.bits;
  // The code `size` is that of rows without a value.
  const counts = new Uint32Array(size + 1);
  if (offsets === null) forEachMember(counted, (row) => void counts[codes[row]!]!++);
  else
    forEachMember(counted, (row) => {
      const end = offsets[row + 1]!;
      for (let at = offsets[row]!; at < end; at++) counts[codes[at]!]!++;
    });
  if (isMost) {
    const all = totals();
    for (let code = 0; code < size; code++) counts[code] = all[code]! - counts[code]!;
  }
  return counts.subarray(0, size);
}

export interface ValueCount {
  readonly name: string;
  readonly count: number;
}

/** The `limit` most frequent values among the codes from one to another, excluded. */
export const topValues = (
  index: ValueIndex,
  counts: Uint32Array,
  limit: number,
  range: readonly [number, number] = [0, valueCount(index)],
): readonly ValueCount[] =>
  topCodes(counts, limit, range).map((code) => ({ name: valueAtCode(index, code), count: counts[code]! }));

/**
 * The `limit` codes of the greatest counts among those from one to another, excluded; codes without a row are left out. Equal
 * counts are in the order of codes, which is that of the folded texts.
 */
export function topCodes(
  counts: Uint32Array,
  limit: number,
  [from, to]: readonly [number, number] = [0, counts.length],
): readonly number[] {
  const codes = counts.length;
  // A key is count and code as one number, the greatest count first. A full table is sorted and cut back to the best.
  const keys = new Float64Array(Math.min(to - from, Math.max(2 * limit, MIN_KEYS)));
  let used = 0;
  let last = Number.POSITIVE_INFINITY;
  for (let code = from; code < to; code++) {
    const key = code - counts[code]! * codes;
    if (counts[code] === 0 || key >= last) continue;
    keys[used++] = key;
    if (used < keys.length || code + 1 === to) continue;
    keys.sort();
    used = Math.min(used, limit);
    last = keys[used - 1]!;
  }
  return Array.from(keys.subarray(0, used).sort().subarray(0, limit), (key) => {
    const count = Math.ceil(-key / codes);
    return key + count * codes;
  });
}

const MIN_KEYS = 1024;
