/**
 * Numbers of few steps, as prices, ratings and counts are, sorted by counting: in a third to half of the time that
 * sorting them as keys takes.
 */
import { narrow } from '../growable.js';
import type { SortOrder } from './sort-order.js';

/** Factors by which the numbers of most columns are integers: whole seconds, whole numbers, tenths, hundredths. */
const SCALES = [
  [1, 1000],
  [1, 1],
  [10, 1],
  [100, 1],
] as const;

/** More steps than this, and the places where the rows of each go no longer stand in a near cache. */
const MOST_STEPS = 1 << 16;

/** An order whose keys are places among the distinct numbers, which ascend; behind all where a row has none. */
export interface SortedNumbers extends SortOrder {
  readonly values: ArrayLike<number>;
}

/** Sorts rows by their numbers, NaN where a row has none. Undefined where these are no integers at any scale, or too far apart. */
export function sortedByCounting(numbers: Float64Array): SortedNumbers | undefined {
  const { least, most } = boundsOf(numbers);
  if (least > most) return undefined;
  const steps = new Uint16Array(numbers.length);
  for (const [factor, divisor] of SCALES) {
    const base = Math.round((least * factor) / divisor);
    const count = Math.round((most * factor) / divisor) - base + 1;
    // One more for rows without a number.
    if (!(count < MOST_STEPS) || !takeSteps(numbers, steps, base, count, factor, divisor)) continue;
    return sortedBySteps(steps, count, (step) => ((step + base) * divisor) / factor);
  }
  return undefined;
}

function boundsOf(numbers: Float64Array): { readonly least: number; readonly most: number } {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row]!;
    if (number < least) least = number;
    if (number > most) most = number;
  }
  return { least, most };
}

/** Writes each number's step from `base` on, `missing` for NaN; false where one is not given back by its step. */
function takeSteps(
  numbers: Float64Array,
  steps: Uint16Array,
  base: number,
  missing: number,
  factor: number,
  divisor: number,
): boolean {
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row]!;
    if (Number.isNaN(number)) {
      steps[row] = missing;
      continue;
    }
    const scaled = Math.round((number * factor) / divisor);
    if ((scaled * divisor) / factor !== number) return false;
    steps[row] = scaled - base;
  }
  return true;
}

/** Steps are below `missing`, or that. */
function sortedBySteps(steps: Uint16Array, missing: number, numberOf: (step: number) => number): SortedNumbers {
  const next = new Uint32Array(missing + 1);
  for (let row = 0; row < steps.length; row++) next[steps[row]!]!++;
  const valued = steps.length - next[missing]!;
  const values: number[] = [];
  const placeOf = new Uint16Array(missing + 1);
  let start = 0;
  for (let step = 0; step <= missing; step++) {
    const count = next[step]!;
    placeOf[step] = values.length;
    if (count > 0 && step < missing) values.push(numberOf(step));
    next[step] = start;
    start += count;
  }
  const rows = new Uint32Array(steps.length);
  const keys = narrow(steps.length, values.length);
  for (let row = 0; row < steps.length; row++) {
    const step = steps[row]!;
    rows[next[step]!++] = row;
    keys[row] = placeOf[step]!;
  }
  return { rows, valued, values, keys };
}
