/** Numbers of rows as they arrive → a column of them. */
import { firstWhere } from '../binary-search.js';
import { float64, type Narrow, narrow, uint16, withRoom } from '../growable.js';
import type { ColumnBuilder } from './column-builder.js';
import { DistinctNumbers } from './distinct-numbers.js';
import type { NumberColumn } from './number-column.js';
import { buildRangeBitmaps } from './range-bitmaps.js';

/** In place of the code of a number, where a row has none. */
const NO_CODE = 0xffff;
/** Codes take two bytes. With more the table would leave the processor's nearer caches. */
export const MAX_DISTINCT_NUMBERS = NO_CODE;

/** Follows the numbers of rows as they arrive: two bytes a row, or eight once there are too many distinct ones. */
export function createNumberColumnBuilder(): ColumnBuilder<NumberColumn> {
  let table = new DistinctNumbers(MAX_DISTINCT_NUMBERS);
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
      const column = numbers
        ? columnOfNumbers(numbers.subarray(0, size))
        : columnOfCodes(codes.subarray(0, size), table.numbers);
      table = new DistinctNumbers(0);
      codes = uint16(0);
      numbers = null;
      return column;
    },
  };
}

function columnOfCodes(codes: Uint16Array, numbers: Float64Array): NumberColumn {
  const distinct = numbers.slice().sort();
  const placeOf = Uint32Array.from(numbers, (number) => placeIn(distinct, number));
  const keys = narrow(codes.length, distinct.length);
  for (let row = 0; row < keys.length; row++)
    keys[row] = codes[row] === NO_CODE ? distinct.length : placeOf[codes[row]!]!;
  return columnOf(distinct, keys);
}

function columnOfNumbers(numbers: Float64Array): NumberColumn {
  // -0 counts as 0; NaN comes last.
  const sorted = numbers.map((number) => number + 0).sort();
  const distinct = sorted.filter((number, i) => number > (sorted[i - 1] ?? Number.NEGATIVE_INFINITY));
  const keys = new Uint32Array(numbers.length);
  for (let row = 0; row < keys.length; row++) keys[row] = placeIn(distinct, numbers[row]!);
  return columnOf(distinct, keys);
}

/** The place of a number among ascending ones, behind all of them for NaN. */
const placeIn = (distinct: Float64Array, number: number): number =>
  firstWhere(0, distinct.length, (place) => distinct[place]! >= number);

/** Sorts the rows by counting those of each key, which is the place of a distinct number, or behind all for none. */
function columnOf(distinct: Float64Array, keys: Narrow): NumberColumn {
  const missing = distinct.length;
  const next = new Uint32Array(missing + 2);
  for (let row = 0; row < keys.length; row++) next[keys[row]! + 1]!++;
  for (let key = 1; key <= missing; key++) next[key]! += next[key - 1]!;
  const valued = next[missing]!;
  const rows = new Uint32Array(keys.length);
  for (let row = 0; row < rows.length; row++) rows[next[keys[row]!]!++] = row;
  const values = new Float64Array(distinct.length + 1).fill(Number.NaN);
  values.set(distinct);
  return { values, order: { rows, keys, valued }, ranges: buildRangeBitmaps(rows) };
}
