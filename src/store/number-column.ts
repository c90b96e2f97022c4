/**
 * A column of numbers or dates (milliseconds since 1970) as an order-preserving dictionary: its distinct numbers in order,
 * and for every row the place of its number among them. Prices and ratings take one or two bytes a row so; rows are
 * narrowed and sorted by these places, which are whole numbers.
 */
import { firstWhere } from '../binary-search.js';
import type { RangeBitmaps } from './range-bitmaps.js';
import type { SortOrder } from './sort-order.js';

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

/** The first place whose number is `least` or more. */
export const placeFrom = ({ values }: NumberColumn, least: number): number =>
  firstWhere(0, values.length - 1, (place) => values[place]! >= least);

/** The first place whose number is more than `most`. */
export const placeAbove = ({ values }: NumberColumn, most: number): number =>
  firstWhere(0, values.length - 1, (place) => values[place]! > most);
