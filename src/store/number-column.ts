/**
 * A column of numbers or dates (milliseconds since 1970) as an order-preserving dictionary: its distinct numbers in order,
 * and for every row the place of its number among them. Prices and ratings take one or two bytes a row so; rows are
 * narrowed and sorted by these places, which are whole numbers.
 */
import { narrow } from '../growable.js';
import { KeySort } from '../key-sort.js';
import { type SortedNumbers, sortedByCounting } from './counted-numbers.js';
import { buildRangeBitmaps, type RangeBitmaps } from './range-bitmaps.js';
import { partition, type SortOrder } from './sort-order.js';

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
  const { rows, keys, valued, values } = sortedByCounting(numbers) ?? sortedByBits(numbers);
  const withNone = new Float64Array(values.length + 1).fill(Number.NaN);
  withNone.set(values);
  return { values: withNone, order: { rows, keys, valued }, ranges: buildRangeBitmaps(rows) };
}

/** The same of any numbers. */
function sortedByBits(numbers: Float64Array): SortedNumbers {
  const { rows, valued } = partition(numbers.length, (row) => !Number.isNaN(numbers[row]!));
  const sort = new KeySort();
  setKeys(sort, numbers, rows.subarray(0, valued));
  sort.sort(valued);
  const startsPlace = (i: number): boolean => i === 0 || !sort.isSame(i);
  let missing = 0;
  for (let i = 0; i < valued; i++) if (startsPlace(i)) missing++;
  const values = new Float64Array(missing);
  const keys = narrow(rows.length, missing);
  let place = -1;
  for (let i = 0; i < valued; i++) {
    const row = sort.row(i);
    rows[i] = row;
    if (startsPlace(i)) values[++place] = numbers[row]!;
    keys[row] = place;
  }
  for (let i = valued; i < rows.length; i++) keys[rows[i]!] = missing;
  return { rows, keys, valued, values };
}

/**
 * Gives rows their numbers' bits as keys, so that they compare as the numbers do (Herf, "Radix Tricks", 2001); -0 counts as 0.
 */
function setKeys(sort: KeySort, numbers: Float64Array, rows: Uint32Array): void {
  sort.reserve(rows.length);
  const view = new DataView(new ArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    view.setFloat64(0, numbers[row]! + 0);
    const high = view.getUint32(0);
    const low = view.getUint32(4);
    if (high >>> 31 === 1) sort.set(i, row, ~high, ~low);
    else sort.set(i, row, high ^ 0x8000_0000, low);
  }
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
