/**
 * A column of numbers or dates (milliseconds since 1970) as an order-preserving dictionary: its distinct numbers in order,
 * and for every row the place of its number among them. Prices and ratings take one or two bytes a row so; rows are
 * narrowed and sorted by these places, which are whole numbers.
 */
import { type Narrow, narrow } from '../growable.js';
import { DistinctNumbers } from './distinct-numbers.js';
import { buildRangeBitmaps, type RangeBitmaps } from './range-bitmaps.js';
import type { SortOrder } from './sort-order.js';

/** In place of the code of a number, where a row has none. */
const NO_CODE = -1;

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
export function buildNumberColumn(numbers: Float64Array): NumberColumn {
  const table = new DistinctNumbers();
  const codes = new Int32Array(numbers.length);
  for (let row = 0; row < codes.length; row++) {
    const number = numbers[row]!;
    codes[row] = Number.isNaN(number) ? NO_CODE : table.codeOf(number);
  }
  const missing = table.numbers.length;
  const values = new Float64Array(missing + 1);
  values.set(table.numbers);
  values[missing] = Number.NaN;
  // Typed arrays are sorted by number, NaN last.
  values.sort();
  const places = new Uint32Array(missing);
  for (let place = 0; place < missing; place++) places[table.codeOf(values[place]!)] = place;
  const keys = narrow(numbers.length, missing);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    keys[row] = code === NO_CODE ? missing : places[code]!;
  }
  const { rows, valued } = sortedByCounting(keys, missing);
  return { values, order: { rows, keys, valued }, ranges: buildRangeBitmaps(rows) };
}

/** A counting sort of rows by their keys, up to `missing`: rows without a number have that one. */
function sortedByCounting(keys: Narrow, missing: number): Pick<SortOrder, 'rows' | 'valued'> {
  const next = new Uint32Array(missing + 2);
  for (let row = 0; row < keys.length; row++) next[keys[row]! + 1]!++;
  for (let key = 1; key <= missing; key++) next[key]! += next[key - 1]!;
  const valued = next[missing]!;
  const rows = new Uint32Array(keys.length);
  for (let row = 0; row < keys.length; row++) rows[next[keys[row]!]!++] = row;
  return { rows, valued };
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
