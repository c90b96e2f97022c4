/**
 * What a field's page says of its values among the records that a view finds: how many have one, how many differ, quantiles,
 * outliers and the commonest ones. Cost: a pass over the matching rows, and one over the distinct values.
 */
import type { Field } from '../../../model.js';
import type { Conditions } from '../../../query/conditions.js';
import {
  countGroups,
  type Groups,
  groupsOfKeys,
  groupsOfNumbers,
  groupsOfValues,
  topCodes,
  topValues,
  type ValueCount,
} from '../../../query/counter.js';
import type { Collection } from '../../../store/collection.js';
import { lengthOf } from '../../../store/number-column.js';
import { positionOfKey } from '../../../store/sort-order.js';
import { rowsByText, type TextColumn, textAt } from '../../../store/text-column.js';

interface Quantile {
  /** The share of the records whose value is no larger: 0.5 of the median. */
  readonly share: number;
  readonly value: number;
}

/** Values farther from the middle half than 1.5 times its width (Tukey, Exploratory Data Analysis, 1977). */
export interface Outliers {
  /** The largest value that is too small to be usual, and how many records have such; null where none has. */
  readonly low: Outlying | null;
  readonly high: Outlying | null;
}

interface Outlying {
  readonly nearest: number;
  readonly records: number;
}

export interface NumberProfile {
  /** Records that have a number. */
  readonly valued: number;
  readonly distinct: number;
  readonly mean: number;
  readonly quantiles: readonly Quantile[];
  readonly outliers: Outliers;
  /** The most frequent numbers that more than one record has. */
  readonly common: readonly NumberCount[];
}

interface NumberCount {
  readonly value: number;
  readonly count: number;
}

export interface ValueProfile {
  readonly distinct: number;
  /** Values that one record has. */
  readonly once: number;
  /** Empty where nearly all values differ. */
  readonly common: readonly ValueCount[];
}

const QUANTILES = [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1];
const MAX_COMMON_VALUES = 20;
const MAX_COMMON_NUMBERS = 10;
/** Tukey's factor. */
const FENCE = 1.5;

/**
 * The number of the record at each share of them, by `counts`, the records of each number, ascending. Between two records it is the
 * middle of both, as the median of the API is.
 */
function quantilesOf(values: Float64Array, counts: Uint32Array, valued: number): readonly Quantile[] {
  let key = 0;
  let below = 0;
  const numberAt = (position: number): number => {
    while (below + counts[key]! <= position) below += counts[key++]!;
    return values[key]!;
  };
  return QUANTILES.map((share) => {
    const position = share * (valued - 1);
    const lower = numberAt(Math.floor(position));
    return { share, value: Number.isInteger(position) ? lower : (lower + numberAt(Math.ceil(position))) / 2 };
  });
}

/** The number at one of `QUANTILES`. */
export const quantileAt = (quantiles: readonly Quantile[], share: number): number =>
  quantiles.find((one) => one.share === share)?.value ?? Number.NaN;

function outliersOf(values: Float64Array, counts: Uint32Array, quantiles: readonly Quantile[]): Outliers {
  const [first, third] = [quantileAt(quantiles, 0.25), quantileAt(quantiles, 0.75)];
  const room = FENCE * (third - first);
  // Where more than half of the records have one value, all others would be outliers.
  if (room === 0) return { low: null, high: null };
  let [below, above] = [0, 0];
  let [nearestBelow, nearestAbove] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let key = 0; key < counts.length; key++) {
    const value = values[key]!;
    if (counts[key] === 0) continue;
    if (value < first - room) {
      below += counts[key]!;
      nearestBelow = value;
    } else if (value > third + room) {
      above += counts[key]!;
      nearestAbove = Math.min(nearestAbove, value);
    }
  }
  return {
    low: below === 0 ? null : { nearest: nearestBelow, records: below },
    high: above === 0 ? null : { nearest: nearestAbove, records: above },
  };
}

/** The least share of the records that have the commonest value, where values are common at all. */
const COMMON_SHARE = 0.01;

/** The numbers that most records have, more than one each; of equal counts the smaller number first. */
function commonNumbers(values: Float64Array, counts: Uint32Array, valued: number): readonly NumberCount[] {
  const common = topCodes(counts, MAX_COMMON_NUMBERS)
    .filter((key) => counts[key]! > 1)
    .map((key) => ({ value: values[key]!, count: counts[key]! }));
  return (common[0]?.count ?? 0) < COMMON_SHARE * valued ? [] : common;
}

/** The profile of a field of numbers or dates; null where no matching record has one, or the field has no numbers. */
export function numberProfileOf({ columns }: Collection, { name }: Field, { all }: Conditions): NumberProfile | null {
  const column = columns.get(name);
  if (column === undefined) return null;
  const { values } = column;
  const counts = countGroups(groupsOfNumbers(column), all, lengthOf(column));
  let [valued, distinct, sum] = [0, 0, 0];
  for (let key = 0; key < counts.length; key++) {
    if (counts[key] === 0) continue;
    valued += counts[key]!;
    distinct++;
    sum += counts[key]! * values[key]!;
  }
  if (valued === 0) return null;
  const quantiles = quantilesOf(values, counts, valued);
  const outliers = outliersOf(values, counts, quantiles);
  return { valued, distinct, mean: sum / valued, quantiles, outliers, common: commonNumbers(values, counts, valued) };
}

/** The profile of a field with an index or a column of texts; null for any other. */
export function valueProfileOf(collection: Collection, { name }: Field, { all }: Conditions): ValueProfile | null {
  const index = collection.values.get(name);
  const column = collection.textColumns.get(name);
  const groups = index ? groupsOfValues(index) : column && groupsOfTexts(column);
  if (groups === undefined) return null;
  const counts = countGroups(groups, all, collection.size);
  let [valued, distinct, once, most] = [0, 0, 0, 0];
  for (const count of counts) {
    valued += count;
    if (count > 0) distinct++;
    if (count === 1) once++;
    if (count > most) most = count;
  }
  // Titles of which hardly any is repeated have no common ones.
  if (2 * once > valued && most < COMMON_SHARE * valued) return { distinct, once, common: [] };
  if (index !== undefined) return { distinct, once, common: topValues(index, counts, MAX_COMMON_VALUES) };
  return { distinct, once, common: column === undefined ? [] : repeatedTexts(column, counts, all) };
}

/** How many texts of all records differ: keys are ranks, without gaps. `Tea` and `tea` are two. */
export const distinctTextCount = ({ order: { rows, keys, valued } }: TextColumn): number =>
  valued === 0 ? 0 : keys[rows[valued - 1]!]! + 1;

/** Texts by their place in the order. */
const groupsOfTexts = (column: TextColumn): Groups => groupsOfKeys(column.order, distinctTextCount(column));

/** The texts that most records have, more than one each. They are counted as a filter finds them: `tea` has the records of `Tea`. */
function repeatedTexts(column: TextColumn, counts: Uint32Array, all: Conditions['all']): readonly ValueCount[] {
  const { order } = column;
  const texts = topCodes(counts, MAX_COMMON_VALUES)
    .filter((key) => counts[key]! > 1)
    .map((key) => textAt(column, order.rows[positionOfKey(order, key)]!));
  return Array.from(rowsByText(column, texts).values(), (rows) => ({
    name: textAt(column, rows[0] ?? 0),
    count: all === null ? rows.length : rows.filter((row) => all.has(row)).length,
  })).sort((a, b) => b.count - a.count);
}
