/**
 * A sort key's permutation of the rows and its inverse. Rows with a value come first, ascending, ties by row; rows
 * without one follow in row order. `desc` is the same permutation with the valued part read backwards, so both
 * directions cost the same. Any subset of rows is sorted by sorting their ranks, which are plain integers.
 */

export interface SortOrder {
  /** Rows in ascending order of the key, rows without a value last. */
  readonly rows: Uint32Array;
  /** Position of each row in `rows`. */
  readonly ranks: Uint32Array;
  /** How many rows have a value. */
  readonly valued: number;
}

/** The position to read for the i-th row of a listing whose first `valued` positions have a value. */
export const positionAt = (i: number, valued: number, descending: boolean): number =>
  descending && i < valued ? valued - 1 - i : i;

export function buildSortOrder(rows: Uint32Array, valued: number): SortOrder {
  const ranks = new Uint32Array(rows.length);
  for (let position = 0; position < rows.length; position++) ranks[rows[position]!] = position;
  return { rows, ranks, valued };
}

/** Orders rows by a column in which NaN stands for a missing value. */
export function orderByNumber(column: Float64Array): SortOrder {
  const { rows, valued } = partition(column.length, (row) => !Number.isNaN(column[row]!));
  rows.set(sortRowsByNumber(rows.subarray(0, valued), column));
  return buildSortOrder(rows, valued);
}

/** All rows, those with a value first, each part in row order. */
export function partition(size: number, hasValue: (row: number) => boolean): { rows: Uint32Array; valued: number } {
  const rows = new Uint32Array(size);
  let valued = 0;
  for (let row = 0; row < size; row++) if (hasValue(row)) rows[valued++] = row;
  let next = valued;
  for (let row = 0; row < size; row++) if (!hasValue(row)) rows[next++] = row;
  return { rows, valued };
}

const DIGIT_BITS = 16;
const BUCKETS = 1 << DIGIT_BITS;
const DIGIT = BUCKETS - 1;

/**
 * Stable radix sort, least significant digit first: linear in the rows, and a digit that all rows share costs one
 * counting pass only. `keyOf` gives an integer of 32 bits without sign for a row.
 */
export function sortRowsByKeys(rows: Uint32Array, keyOf: (row: number) => number): Uint32Array {
  const keys = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = keyOf(rows[i]!);
  return sortByKeys(rows, keys, 0, 2 * DIGIT_BITS);
}

/** Sorts by the bits from `from` to `to` of the keys, which stand in the order of the rows and move with them. */
function sortByKeys(rows: Uint32Array, keys: Uint32Array, from: number, to: number): Uint32Array {
  let [source, sourceKeys] = [rows, keys];
  for (let shift = from; shift < to; shift += DIGIT_BITS) {
    const next = bucketStarts(sourceKeys, shift);
    if (next === null) continue;
    const target = new Uint32Array(rows.length);
    const targetKeys = new Uint32Array(rows.length);
    for (let i = 0; i < source.length; i++) {
      const key = sourceKeys[i]!;
      const at = next[(key >>> shift) & DIGIT]!++;
      target[at] = source[i]!;
      targetKeys[at] = key;
    }
    [source, sourceKeys] = [target, targetKeys];
  }
  return source;
}

/** Where each bucket of a digit starts, or null where all keys share one bucket. */
function bucketStarts(keys: Uint32Array, shift: number): Uint32Array | null {
  const starts = new Uint32Array(BUCKETS + 1);
  for (let i = 0; i < keys.length; i++) starts[((keys[i]! >>> shift) & DIGIT) + 1]!++;
  if (keys.length === 0 || starts[((keys[0]! >>> shift) & DIGIT) + 1] === keys.length) return null;
  for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!;
  return starts;
}

/** Factors by which the numbers of most columns are integers: whole seconds, whole numbers, tenths, hundredths. */
const SCALES = [
  [1, 1000],
  [1, 1],
  [10, 1],
  [100, 1],
] as const;

export function sortRowsByNumber(rows: Uint32Array, column: Float64Array): Uint32Array {
  for (const [factor, divisor] of SCALES) {
    const keys = integerKeys(rows, column, factor, divisor);
    if (keys !== null) return sortByKeys(rows, keys, 0, 2 * DIGIT_BITS);
  }
  const words = orderedBits(column);
  const byLow = sortRowsByKeys(rows, (row) => words[row * 2]!);
  return sortRowsByKeys(byLow, (row) => words[row * 2 + 1]!);
}

/** Every row's number times `factor / divisor`, from the least on, where those are integers of 32 bits and give the number back. */
function integerKeys(rows: Uint32Array, column: Float64Array, factor: number, divisor: number): Uint32Array | null {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows.length; i++) least = Math.min(least, column[rows[i]!]!);
  const base = Math.round((least * factor) / divisor);
  const keys = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const number = column[rows[i]!]!;
    const scaled = Math.round((number * factor) / divisor);
    if ((scaled * divisor) / factor !== number || scaled - base > 0xffff_ffff) return null;
    keys[i] = scaled - base;
  }
  return keys;
}

/** The doubles' bits as integers that compare like the doubles (Herf, "Radix Tricks", 2001), low word first; -0 counts as 0. */
function orderedBits(column: Float64Array): Uint32Array {
  const doubles = column.map((number) => number + 0);
  const words = new Uint32Array(doubles.buffer);
  for (let row = 0; row < column.length; row++) {
    const high = words[row * 2 + 1]!;
    const negative = high >>> 31 === 1;
    words[row * 2] = negative ? ~words[row * 2]! : words[row * 2]!;
    words[row * 2 + 1] = negative ? ~high : high ^ 0x8000_0000;
  }
  return words;
}
