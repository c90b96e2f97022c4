/**
 * A column of numbers or dates (milliseconds since 1970) as an order-preserving dictionary: its distinct numbers in order,
 * and for every row the place of its number among them. Prices and ratings take one or two bytes a row so; rows are
 * narrowed and sorted by these places, which are whole numbers.
 */
import { narrow } from '../growable.js';
import { type SortedNumbers, sortedByCounting } from './counted-numbers.js';
import { buildRangeBitmaps, type RangeBitmaps } from './range-bitmaps.js';
import type { RowSorter, SortOrder } from './sort-order.js';

export interface NumberColumn {
  /** Ascending, and NaN behind them: what rows without a number have. */
  readonly values: Float64Array;
  /** Its keys are places in `values`. */
  readonly order: SortOrder;
  readonly ranges: RangeBitmaps;
}

/** The number of a row, NaN where it has none. */
export const numberOf = ({ values, order }: NumberColumn, row: number): number => values[order.keys[row]!]!;

/** The number of the row at a position of the order. */
export const numberAt = (column: NumberColumn, position: number): number =>
  numberOf(column, column.order.rows[position]!);

/** How many rows there are. */
export const lengthOf = ({ order }: NumberColumn): number => order.keys.length;

/** `numbers[row]` is NaN where a row has none. */
export function buildNumberColumn(numbers: Float64Array, sorter: RowSorter): NumberColumn {
  const { rows, keys, valued, values } = sortedByCounting(numbers) ?? sortedByKeys(numbers, sorter);
  const withNone = new Float64Array(values.length + 1).fill(Number.NaN);
  withNone.set(values);
  return { values: withNone, order: { rows, keys, valued }, ranges: buildRangeBitmaps(rows) };
}

/** The same of any numbers. */
function sortedByKeys(numbers: Float64Array, sorter: RowSorter): SortedNumbers {
  const { rows, valued, isNext } = sorter.sortedByNumber(numbers);
  const startsKey = (position: number): boolean => position === 0 || isNext(position);
  let missing = 0;
  for (let position = 0; position < valued; position++) if (startsKey(position)) missing++;
  const values = new Float64Array(missing);
  const keys = narrow(rows.length, missing);
  let key = -1;
  for (let position = 0; position < valued; position++) {
    const row = rows[position]!;
    if (startsKey(position)) values[++key] = numbers[row]!;
    keys[row] = key;
  }
  for (let position = valued; position < rows.length; position++) keys[rows[position]!] = missing;
  return { rows, keys, valued, values };
}

/** The first place whose number is `least` or more. */
export const placeFrom = (column: NumberColumn, least: number): number =>
  firstWhere(column, (number) => number >= least);

/** The first place whose number is more than `most`. */
export const placeAbove = (column: NumberColumn, most: number): number => firstWhere(column, (number) => number > most);

/** `holds` holds from some place on, or for none. */
function firstWhere({ values }: NumberColumn, holds: (number: number) => boolean): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(values[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
