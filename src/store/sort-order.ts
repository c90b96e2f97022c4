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
const DIGITS = 64 / DIGIT_BITS;
const BUCKETS = 1 << DIGIT_BITS;

/**
 * Stable radix sort, least significant digit first, over the bits of the doubles made order-preserving (Herf, "Radix
 * Tricks", 2001): linear in the rows, and digits that all rows share cost one counting pass only.
 */
export function sortRowsByNumber(rows: Uint32Array, column: Float64Array): Uint32Array {
  const digits = new Uint16Array(orderedBits(column).buffer);
  let from: Uint32Array = rows.slice();
  let to = new Uint32Array(rows.length);
  for (let digit = 0; digit < DIGITS; digit++) {
    const starts = bucketStarts(from, digits, digit);
    if (starts === null) continue;
    for (let i = 0; i < from.length; i++) {
      const row = from[i]!;
      const bucket = digits[row * DIGITS + digit]!;
      to[starts[bucket]!++] = row;
    }
    [from, to] = [to, from as Uint32Array<ArrayBuffer>];
  }
  return from;
}

/** The doubles' bits as integers that compare like the doubles; -0 counts as 0. */
function orderedBits(column: Float64Array): BigUint64Array<ArrayBuffer> {
  const bits = new BigUint64Array(column.length);
  const words = new Uint32Array(bits.buffer);
  const doubles = new Float64Array(bits.buffer);
  for (let row = 0; row < column.length; row++) {
    doubles[row] = column[row]! + 0;
    const high = words[row * 2 + 1]!;
    const negative = high >>> 31 === 1;
    words[row * 2] = negative ? ~words[row * 2]! : words[row * 2]!;
    words[row * 2 + 1] = negative ? ~high : high ^ 0x8000_0000;
  }
  return bits;
}

/** Where each bucket of a digit starts, or null where all rows share one bucket. */
function bucketStarts(rows: Uint32Array, digits: Uint16Array, digit: number): Uint32Array | null {
  const starts = new Uint32Array(BUCKETS + 1);
  for (let i = 0; i < rows.length; i++) starts[digits[rows[i]! * DIGITS + digit]! + 1]!++;
  if (rows.length === 0 || starts[digits[rows[0]! * DIGITS + digit]! + 1] === rows.length) return null;
  for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!;
  return starts;
}
