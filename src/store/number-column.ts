/**
 * A column of numbers or dates (milliseconds since 1970) as an order-preserving dictionary: its distinct numbers in order, and
 * for each row the rank of its number among them. Filters and sorts compare these ranks, which are small integers: prices and
 * ratings take one or two bytes for each row.
 */
import { firstWhere, float64, type Narrow, narrow, narrowed, uint32, withRoom } from '../arrays.js';
import type { ColumnBuilder } from '../batch.js';
import { codeOfNumber, NumberTable } from './number-table.js';
import { orderByKeys, type SortOrder } from './sort-order.js';

export interface NumberColumn {
  /** The distinct numbers, ascending, and behind them NaN, the value of rows without a number. */
  readonly values: Float64Array;
  /** The sort order, whose keys are indexes into `values`. */
  readonly order: SortOrder;
}

/** The number of a row, NaN where it has none. */
export const numberAtRow = ({ values, order }: NumberColumn, row: number): number => values[order.keys[row]!]!;

/** The number of the row at a position of the order. */
export const numberAt = (column: NumberColumn, position: number): number =>
  numberAtRow(column, column.order.rows[position]!);

/** The middle number, or the mean of both middle ones; null where no row has a number. */
export function medianOf(column: NumberColumn): number | null {
  const { valued } = column.order;
  return valued === 0 ? null : (numberAt(column, (valued - 1) >>> 1) + numberAt(column, valued >>> 1)) / 2;
}

/** How many rows there are. */
export const lengthOf = ({ order }: NumberColumn): number => order.keys.length;

/** Whether each number is in one row only, and there are any. */
export const hasDistinctNumbers = (column: NumberColumn | undefined): boolean =>
  column !== undefined && column.order.valued > 0 && column.order.valued === column.values.length - 1;

/** The first place whose number is `least` or more. */
export const placeFrom = ({ values }: NumberColumn, least: number): number =>
  firstWhere(0, values.length - 1, (place) => values[place]! >= least);

/** The first place whose number is more than `most`. */
export const placeAbove = ({ values }: NumberColumn, most: number): number =>
  firstWhere(0, values.length - 1, (place) => values[place]! > most);

/** Whether each number is greater than the one before, as ids mostly are, or with `step` -1 smaller; NaN is neither. */
function areInSteps(numbers: Float64Array, step: 1 | -1): boolean {
  for (let row = 0; row < numbers.length; row++)
    if (!(step * numbers[row]! > (row === 0 ? Number.NEGATIVE_INFINITY : step * numbers[row - 1]!))) return false;
  return true;
}

/** A column that is in order: its keys and its order are the rows, or with `step` -1 the rows from the last on. */
function columnInSteps(numbers: Float64Array, step: 1 | -1): NumberColumn {
  const size = numbers.length;
  const values = new Float64Array(size + 1).fill(Number.NaN);
  const rows = uint32(size);
  for (let row = 0; row < size; row++) {
    const place = step === 1 ? row : size - 1 - row;
    values[place] = numbers[row]!;
    rows[place] = row;
  }
  return { values, order: { rows, keys: narrowed(rows, size), valued: size } };
}

/** Collects the numbers of rows as they arrive: 8 bytes for each row, NaN where it has none. */
export function createNumberColumnBuilder(): ColumnBuilder<NumberColumn> {
  let numbers = float64(0);
  return {
    setAll(rows, size, batch, firstCell) {
      numbers = withRoom(numbers, size, float64);
      for (let i = 0; i < rows.length; i++) numbers[rows[i]!] = batch.numbers[firstCell + i]!;
    },
    finish(size) {
      const column = columnOf(numbers.subarray(0, size));
      numbers = float64(0);
      return column;
    },
  };
}

/** The column of the numbers of all rows, NaN where a row has none. */
export function columnOf(numbers: Float64Array): NumberColumn {
  for (const step of [1, -1] as const) if (areInSteps(numbers, step)) return columnInSteps(numbers, step);
  const table = new NumberTable();
  const codes = numbersInRange(table, numbers);
  const missing = table.size;
  const values = new Float64Array(missing + 1).fill(Number.NaN);
  values.set(table.numbers.slice(0, missing).sort());
  const keys = keysOf(codes, placesOf(table, values), missing);
  return { values, order: orderByKeys(keys, missing).order };
}

/** By row: the code of its number, -1 where it has none. */
function numbersInRange(table: NumberTable, numbers: Float64Array): Int32Array {
  const codes = new Int32Array(numbers.length);
  for (let row = 0; row < codes.length; row++)
    codes[row] = Number.isNaN(numbers[row]) ? -1 : table.codeOf(numbers[row]!);
  return codes;
}

/** By code: the place of the number among the sorted ones. */
function placesOf(table: NumberTable, values: Float64Array): Uint32Array {
  const places = new Uint32Array(table.size);
  for (let place = 0; place < places.length; place++) places[codeOfNumber(table, values[place]!)] = place;
  return places;
}

function keysOf(codes: Int32Array, places: Uint32Array, missing: number): Narrow {
  const keys = narrow(codes.length, missing);
  for (let row = 0; row < keys.length; row++) keys[row] = codes[row]! < 0 ? missing : places[codes[row]!]!;
  return keys;
}
