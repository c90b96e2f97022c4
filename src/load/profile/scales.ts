/**
 * Whether the amounts of a column are minor units; and the scales of its ratings: of 5, of 10, of 100. A value that names no scale counts as plain. It counts by its
 * size where other values name a scale, or where most are 5 or less and some are above 10. Values that are read as no rating are not counted.
 *
 *     4/5   9.1/10   ★★★★☆   4.5   90%     5: 3, 10: 1      (a single percentage among stars is left null)
 *     90%   85%                            100: 2
 */
import type { Field } from '../../model.js';
import {
  hasPoint,
  namedScale,
  readSpelledNumber,
  type SignCounts,
  sortedCounts,
  withDecimalPoint,
} from '../values/numbers.js';
import { isPlainObject } from '../values/paths.js';
import { arePercentages, isPercentage } from '../values/text-forms.js';
import { timesOf, type ValueCounts } from '../values/value-counts.js';
import { hasDecimalAmount, minorUnitsIn } from '../values/values.js';
import type { ColumnProfile } from './column-profile.js';

/** Whether objects of a column tell that their amounts are whole minor units. Where one amount is a decimal, none is of these. */
export const areMinorUnits = (values: readonly unknown[]): boolean =>
  values.some((value) => isPlainObject(value) && minorUnitsIn(value) !== undefined) &&
  !values.some((value) => isPlainObject(value) && hasDecimalAmount(value));

/** The measures of a field's amounts, none of which is converted into another: scales of ratings, units that prices are for. */
export function measuresIn({ role, currency }: Field, profile: ColumnProfile): SignCounts {
  if (role === 'rating') return scalesIn(profile.counts);
  return role === 'price' || currency !== undefined ? profile.amounts.units : [];
}

export function scalesIn(counts: ValueCounts): SignCounts {
  const isOfHundred = arePercentages(counts);
  const scales = new Map<string, number>();
  const add = (scale: string, times: number): void => {
    scales.set(scale, (scales.get(scale) ?? 0) + times);
  };
  const unnamed = new Map<number, number>();
  for (const [value, times] of counts) {
    if (isPercentage(value)) {
      if (isOfHundred) add('100', times);
      continue;
    }
    const rating = ratingIn(value);
    if (rating === undefined || rating < 0) continue;
    const scale = namedScale(value);
    if (scale !== undefined) add(scale, times);
    else unnamed.set(rating, (unnamed.get(rating) ?? 0) + times);
  }
  const isMixed = scales.size > 0 || areOfSeveralScales(unnamed);
  for (const [rating, times] of unnamed) add(isMixed ? scaleBySize(rating) : 'plain', times);
  return sortedCounts(scales);
}

/** A comma in a rating is the decimal sign. */
function ratingIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  return readSpelledNumber(hasPoint(value) ? value : withDecimalPoint(value));
}

function areOfSeveralScales(ratings: ReadonlyMap<number, number>): boolean {
  const all = timesOf(ratings, () => true);
  return 2 * timesOf(ratings, (rating) => rating <= 5) >= all && timesOf(ratings, (rating) => rating > 10) > 0;
}

const scaleBySize = (rating: number): string => {
  if (rating <= 5) return '5';
  return rating <= 10 ? '10' : '100';
};
