/**
 * A sort key's permutation of the rows, and the key of each row as a plain integer. Rows with a value come first,
 * ascending, ties by row; rows without one follow in row order. `desc` is the same permutation with the valued part read
 * backwards, so both directions cost the same. Any subset of rows is sorted by their keys.
 */

import { type Narrow, scratch } from '../growable.js';

export interface SortOrder {
  /** Rows in ascending order of the key, rows without a value last. */
  readonly rows: Uint32Array;
  /** Of each row: a row with a smaller key comes before it; rows with the same key are ascending. */
  readonly keys: Narrow;
  /** How many rows have a value: their keys are smaller than those of all others. */
  readonly valued: number;
}

/** The position to read for the i-th row of a listing whose first `valued` positions have a value. */
export const positionAt = (i: number, valued: number, descending: boolean): number =>
  descending && i < valued ? valued - 1 - i : i;

/** An order in which every row has a key of its own: its position. */
export function buildSortOrder(rows: Uint32Array, valued: number): SortOrder {
  const keys = new Uint32Array(rows.length);
  for (let position = 0; position < rows.length; position++) keys[rows[position]!] = position;
  return { rows, keys, valued };
}

/** The first position whose row has this key or a greater one; of those with this key, `from` or a greater row. */
export function positionOfKey({ rows, keys }: SortOrder, key: number, from = 0): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle]!;
    if (keys[row]! < key || (keys[row] === key && row < from)) low = middle + 1;
    else high = middle;
  }
  return low;
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

/** Factors by which the numbers of most columns are integers: whole seconds, whole numbers, tenths, hundredths. */
export const INTEGER_SCALES = [
  [1, 1000],
  [1, 1],
  [10, 1],
  [100, 1],
] as const;

export interface RowsByNumber extends Pick<SortOrder, 'rows' | 'valued'> {
  /** Whether the number at a position, which has one and is not the first, differs from that before; good until more is sorted. */
  readonly isNext: (position: number) => boolean;
}

/** Integers of 32 bits without sign: that of row r is `table[r * stride + offset]`. */
export interface RowKeys {
  readonly table: Uint32Array;
  readonly stride: number;
  readonly offset: number;
}

/** Nothing but this, so that the many rows that no cache holds are fetched side by side. */
function writeKeys(rows: Uint32Array, { table, stride, offset }: RowKeys, keys: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) keys[i] = table[rows[i]! * stride + offset]!;
}

/** Sorts rows in linear time, any number of times, in memory that it allocates once: 12 bytes a row. */
export class RowSorter {
  #rows = new Uint32Array(0);
  #keys = new Uint32Array(0);
  #otherKeys = new Uint32Array(0);
  readonly #starts = new Uint32Array(BUCKETS + 1);

  /** Rows by their numbers, of which NaN stands for a missing one. */
  sortedByNumber(numbers: Float64Array): RowsByNumber {
    const { rows, valued } = partition(numbers.length, (row) => !Number.isNaN(numbers[row]!));
    const isNext = this.#sortByNumber(rows.subarray(0, valued), numbers);
    return { rows, valued, isNext };
  }

  /** Drops that memory. */
  finish(): void {
    this.#rows = new Uint32Array(0);
    this.#keys = new Uint32Array(0);
    this.#otherKeys = new Uint32Array(0);
  }

  /** Sorts `rows` in place by keys, equal ones as they stand; returns their keys as they then stand, lent until more is sorted. */
  sortByKeys(rows: Uint32Array, keys: RowKeys): Uint32Array {
    writeKeys(rows, keys, this.#keysFor(rows.length));
    return this.#sort(rows);
  }

  /** Keys of rows as they stand, lent until more is sorted or asked for. */
  keysOf(rows: Uint32Array, keys: RowKeys): Uint32Array {
    this.#keysFor(rows.length);
    writeKeys(rows, keys, this.#rows);
    return this.#rows;
  }

  #sortByNumber(rows: Uint32Array, column: Float64Array): RowsByNumber['isNext'] {
    const keys = this.#keysFor(rows.length);
    for (const [factor, divisor] of INTEGER_SCALES) {
      if (!takeIntegerKeys(keys, rows, column, factor, divisor)) continue;
      const sorted = this.#sort(rows);
      return (position) => sorted[position] !== sorted[position - 1];
    }
    const words = orderedBits(column);
    this.sortByKeys(rows, { table: words, stride: 2, offset: 0 });
    this.sortByKeys(rows, { table: words, stride: 2, offset: 1 });
    return (position) => column[rows[position]!] !== column[rows[position - 1]!];
  }

  #keysFor(length: number): Uint32Array {
    if (this.#rows.length < length) {
      this.#rows = scratch(length);
      this.#keys = scratch(length);
      this.#otherKeys = scratch(length);
    }
    return this.#keys;
  }

  /** Radix sort, least significant digit first: a digit that all share costs one counting pass only. Returns the sorted keys. */
  #sort(rows: Uint32Array): Uint32Array {
    const { length } = rows;
    let source = rows;
    let target: Uint32Array = this.#rows;
    let keys = this.#keys;
    let targetKeys = this.#otherKeys;
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      if (!this.#countDigits(keys, length, shift)) continue;
      const next = this.#starts;
      for (let i = 0; i < length; i++) {
        const key = keys[i]!;
        const at = next[(key >>> shift) & DIGIT]!++;
        target[at] = source[i]!;
        targetKeys[at] = key;
      }
      [source, target, keys, targetKeys] = [target, source, targetKeys, keys];
    }
    if (source !== rows) rows.set(source.subarray(0, length));
    return keys;
  }

  /** Leaves where each bucket of a digit starts; false where all keys share one bucket. */
  #countDigits(keys: Uint32Array, length: number, shift: number): boolean {
    const starts = this.#starts.fill(0);
    for (let i = 0; i < length; i++) starts[((keys[i]! >>> shift) & DIGIT) + 1]!++;
    if (length === 0 || starts[((keys[0]! >>> shift) & DIGIT) + 1] === length) return false;
    for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!;
    return true;
  }
}

/** Every row's number times `factor / divisor`, from the least on, where those are integers of 32 bits and give the number back. */
function takeIntegerKeys(
  keys: Uint32Array,
  rows: Uint32Array,
  column: Float64Array,
  factor: number,
  divisor: number,
): boolean {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows.length; i++) least = Math.min(least, column[rows[i]!]!);
  const base = Math.round((least * factor) / divisor);
  for (let i = 0; i < rows.length; i++) {
    const number = column[rows[i]!]!;
    const scaled = Math.round((number * factor) / divisor);
    if ((scaled * divisor) / factor !== number || scaled - base > 0xffff_ffff) return false;
    keys[i] = scaled - base;
  }
  return true;
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
