/** Numbers of rows as they arrive → a column of them. */
import { float64, narrow, uint16, withRoom } from '../growable.js';
import { KeySort } from '../key-sort.js';
import type { ColumnBuilder } from './column-builder.js';
import { DistinctNumbers, MAX_DISTINCT_NUMBERS } from './distinct-numbers.js';
import type { NumberColumn } from './number-column.js';
import { buildRangeBitmaps } from './range-bitmaps.js';
import type { SortOrder } from './sort-order.js';

/** In place of the code of a number, where a row has none. */
const NO_CODE = MAX_DISTINCT_NUMBERS;

/** An order by numbers, and the distinct numbers in order, to whose places its keys point; `valued` rows have a number. */
interface SortedNumbers extends SortOrder {
  readonly distinct: Float64Array;
}

/** Follows the numbers of rows as they arrive: two bytes a row, or eight once there are too many distinct ones. */
export interface NumberColumnBuilder extends ColumnBuilder {
  finish(size: number): NumberColumn;
}

export function createNumberColumnBuilder(): NumberColumnBuilder {
  let table = new DistinctNumbers();
  let codes = uint16(0);
  /** In place of the codes; NaN where a row has none. */
  let numbers: Float64Array | null = null;

  function setNumber(row: number, number: number): void {
    const code = Number.isNaN(number) ? NO_CODE : table.codeOf(number);
    if (code >= 0) codes[row] = code;
    else {
      const known = table.numbers;
      numbers = Float64Array.from(codes, (earlier) => (earlier === NO_CODE ? Number.NaN : known[earlier]!));
      numbers[row] = number;
    }
  }

  return {
    setAll(rows, size, batch, firstCell) {
      if (numbers === null) codes = withRoom(codes, size, uint16);
      else numbers = withRoom(numbers, size, float64);
      for (let i = 0; i < rows.length; i++) {
        const number = batch.numbers[firstCell + i]!;
        if (numbers === null) setNumber(rows[i]!, number);
        else numbers[rows[i]!] = number;
      }
    },
    finish(size) {
      const sorted = numbers
        ? sortedByBits(numbers.subarray(0, size))
        : sortedByCounting(codes.subarray(0, size), table);
      table = new DistinctNumbers();
      codes = uint16(0);
      numbers = null;
      return columnOf(sorted);
    },
  };
}

function columnOf({ distinct, rows, keys, valued }: SortedNumbers): NumberColumn {
  const values = new Float64Array(distinct.length + 1).fill(Number.NaN);
  values.set(distinct);
  return { values, order: { rows, keys, valued }, ranges: buildRangeBitmaps(rows) };
}

/** Sorts the distinct numbers, then counts the rows of each. */
function sortedByCounting(codes: Uint16Array, table: DistinctNumbers): SortedNumbers {
  const distinct = table.numbers.slice().sort();
  const places = new Uint32Array(distinct.length);
  for (let place = 0; place < places.length; place++) places[table.codeOf(distinct[place]!)] = place;
  const missing = distinct.length;
  const keys = narrow(codes.length, missing);
  const next = new Uint32Array(missing + 2);
  for (let row = 0; row < codes.length; row++) {
    const key = codes[row] === NO_CODE ? missing : places[codes[row]!]!;
    keys[row] = key;
    next[key + 1]!++;
  }
  for (let key = 1; key <= missing; key++) next[key]! += next[key - 1]!;
  const valued = next[missing]!;
  const rows = new Uint32Array(codes.length);
  for (let row = 0; row < rows.length; row++) rows[next[keys[row]!]!++] = row;
  return { distinct, rows, keys, valued };
}

/** Sorts rows by the bits of their numbers, however many distinct numbers there are. */
function sortedByBits(numbers: Float64Array): SortedNumbers {
  const sort = new KeySort();
  sort.reserve(numbers.length);
  const valued = setKeys(sort, numbers);
  sort.sort(valued);
  const rows = new Uint32Array(numbers.length);
  rows.set(sort.rows(valued));
  let next = valued;
  for (let row = 0; row < numbers.length; row++) if (Number.isNaN(numbers[row]!)) rows[next++] = row;
  const distinct = distinctOf(numbers, rows.subarray(0, valued));
  const keys = narrow(numbers.length, distinct.length);
  let place = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (i === valued || numbers[row]! > distinct[place]!) place++;
    keys[row] = place;
  }
  return { distinct, rows, keys, valued };
}

/** The distinct numbers of rows that are sorted by their numbers. */
function distinctOf(numbers: Float64Array, rows: Uint32Array): Float64Array {
  const distinct = new Float64Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const number = numbers[rows[i]!]!;
    if (count === 0 || number > distinct[count - 1]!) distinct[count++] = number;
  }
  return distinct.slice(0, count);
}

/**
 * Gives the rows that have a number its bits as keys, so that they compare as the numbers do (Herf, "Radix Tricks", 2001);
 * -0 counts as 0. Returns how many rows these are.
 */
function setKeys(sort: KeySort, numbers: Float64Array): number {
  const view = new DataView(new ArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  let count = 0;
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row]!;
    if (Number.isNaN(number)) continue;
    view.setFloat64(0, number + 0);
    const high = view.getUint32(0);
    const low = view.getUint32(4);
    if (high >>> 31 === 1) sort.set(count++, row, ~high, ~low, 0, 0);
    else sort.set(count++, row, high ^ 0x8000_0000, low, 0, 0);
  }
  return count;
}
