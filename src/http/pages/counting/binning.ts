/**
 * Cuts a column of numbers or dates into bins that people would choose: round steps, whole days, months or years. Where a
 * few values lie far above the others (prices), the last bin is open, so that the others keep their shape. Where values
 * differ by orders of magnitude (scores), bins grow: 1, 2, 5, 10, 20 and so on.
 */

import type { Field } from '../../../model.js';
import { countInBins } from '../../../query/bins.js';
import { groupsOfNumbers } from '../../../query/counter.js';
import { dateEdges, endOfDates } from '../../../query/date-edges.js';
import { growingEdges, roundEdges } from '../../../query/number-edges.js';
import {
  lengthOf,
  medianOf,
  type NumberColumn,
  numberAt,
  numberAtRow,
  placeAbove,
  placeFrom,
} from '../../../store/number-column.js';
import { DAY_MS } from '../../../text.js';
import { axisText, dayOf, isMoneyField, numberText, shownDecimals, withSign, withUnit } from '../../markup/format.js';

interface ChartBin {
  /** The lower bound, included. */
  readonly from: number;
  /** The upper bound, excluded; infinite for an open bin. */
  readonly to: number;
  /** The bin's bounds as values of the field's range parameters, both included; empty for no bound. */
  readonly min: string;
  readonly max: string;
  /** Its first and last value as people read them; null for an open bin. */
  readonly firstText: string;
  readonly lastText: string | null;
  /** Rows of the whole collection, behind which those found are drawn. */
  readonly count: number;
  /** Whether it is the last unit of time, and the latest date ends before it: the day, or the year where all dates are years. */
  readonly isIncomplete: boolean;
}

export interface Binning {
  readonly bins: readonly ChartBin[];
  readonly scale: Scale;
  /** Smallest and largest value. */
  readonly lowest: number;
  readonly highest: number;
  /** The middle value, or the mean of both middle ones, as in the API. */
  readonly median: number;
  /** The median as people read it: of money with two digits after the point at most. */
  readonly medianText: string;
  /** Most digits after the point among a sample of the values. */
  readonly decimals: number;
  /** Most of the sample are whole numbers: 1.5 rooms beside 2. */
  readonly isMostlyWhole: boolean;
  /** The numbers are years. */
  readonly areYears: boolean;
  /** A value as it stands at the axis, with its sign of money or percent. */
  readonly textOf: (value: number) => string;
}

/** Dates have more bins than numbers, since their counts vary more. */
const [NUMBER_BINS, DATE_BINS] = [24, 36];
/** Few values have fewer bins, since bins of one value each have no shape. The square-root rule would give half of them. */
const binsFor = (valued: number, most = NUMBER_BINS): number => Math.min(most, Math.ceil(2 * Math.sqrt(valued)));
/** Beyond this ratio of the largest usual value to the median, bins grow: equal steps would put nearly all values into one. */
const MAGNITUDES = 12;
/** The share of the values that count as usual; larger values may be in the open bin. */
const USUAL_SHARE = 0.98;
const SAMPLED_ROWS = 4096;
/** Integers are years, without a comma, if all but a twentieth are between these, and none is later. */
const YEARS = { first: 1500, last: 2100 };
const MAX_SAMPLED_DECIMALS = 3;
/** The last digits of a sum of decimals are of the arithmetic: 599.1450000000001. */
export const EXACT_DIGITS = 12;
/** Numbers nearer to 0 are written with an exponent. */
const MAX_DECIMALS = 12;

/** `logarithmic`: bins grow by orders of magnitude. `linear`: all have one width but an open one. */
export type Scale = 'linear' | 'logarithmic';

/** Null where no row has a value. Without a scale, bins grow where values differ by orders of magnitude. */
export function binningOf(field: Field, column: NumberColumn, wantedScale?: Scale): Binning | null {
  const { kind } = field;
  const { valued } = column.order;
  const median = medianOf(column);
  if (median === null) return null;
  const valueAt = (position: number): number => numberAt(column, position);
  const numbers = column.values.subarray(0, -1);
  const lowest = numbers[0]!;
  const highest = numbers.at(-1)!;
  const usual = valueAt(Math.floor((valued - 1) * USUAL_SHARE));
  const middle = valueAt(valued >>> 1);
  const { decimals, isMostlyWhole } = kind === 'number' ? sampledDecimals(column, highest - lowest) : NO_DECIMALS;
  const areYears =
    kind !== 'date' && decimals === 0 && valueAt(Math.floor(valued / 20)) >= YEARS.first && highest <= YEARS.last;
  const axisDecimals = shownDecimals(field, decimals);
  const axisKind = areYears ? 'year' : kind;
  const textOf = (value: number): string => withSign(field, axisText(axisKind, value, axisDecimals));
  const medianText = withUnit(
    field,
    areYears || kind === 'date'
      ? axisText(axisKind, Math.round(median), 0)
      : numberText(
          Number(isMoneyField(field) ? median.toFixed(2) : median.toPrecision(EXACT_DIGITS)),
          isMostlyWhole ? 0 : axisDecimals,
        ),
  );
  const usualScale = usual > MAGNITUDES * Math.max(1, middle) ? 'logarithmic' : 'linear';
  // No number below 0 has a place on a logarithmic axis.
  const scale = kind === 'date' || lowest < 0 ? 'linear' : (wantedScale ?? usualScale);
  const edges =
    kind === 'date'
      ? dateEdges(lowest, highest, binsFor(valued, DATE_BINS))
      : scale === 'logarithmic'
        ? growingEdges(lowest, highest)
        : roundEdges({ lowest, high: usual, highest }, 10 ** -decimals, binsFor(valued));
  const counts = countInBins(edges.slice(0, -1), numbers, groupsOfNumbers(column).totals());
  const end = kind === 'date' ? endOfDates(numbers) : highest;
  const bins = Array.from(counts, (count, i): ChartBin => {
    const from = edges[i]!;
    const to = edges[i + 1]!;
    const isLast = i === counts.length - 1;
    const usualMax = lastIn(kind, to, decimals);
    // Values may have more digits than those of the sample: then the bound is the bin's largest value.
    const isExact = placeAbove(column, usualMax) === placeFrom(column, to);
    const largest = isExact ? usualMax : numbers[Math.max(0, placeFrom(column, to) - 1)]!;
    const max = isLast ? '' : isExact ? boundText(kind, largest, decimals) : String(largest);
    return {
      from,
      to,
      min: i === 0 ? '' : boundText(kind, from, decimals),
      max,
      firstText: textOf(from),
      lastText: to === Number.POSITIVE_INFINITY ? null : textOf(isLast ? highest : lastIn(kind, to, decimals)),
      count,
      isIncomplete: kind === 'date' && isLast && end < to,
    };
  });
  return { bins, scale, lowest, highest, median, medianText, decimals, isMostlyWhole, areYears, textOf };
}

/** The most days of a bin, and the step of calendar bins that it stands for. */
const BIN_UNITS = [
  [1, 'day'],
  [2, '2 days'],
  [4, '4 days'],
  [7, 'week'],
  [14, '2 weeks'],
  [31, 'month'],
  [62, '2 months'],
  [92, 'quarter'],
  [184, 'half-year'],
  [366, 'year'],
] as const;

/** The step of bins of dates: `month`, `2 days`. */
export function timeUnitOf([first]: Binning['bins']): string {
  const days = first === undefined ? 1 : (first.to - first.from) / DAY_MS;
  return BIN_UNITS.find(([maxDays]) => days <= maxDays)?.[1] ?? `${Math.round(days / DAYS_PER_YEAR)} years`;
}

export const DAYS_PER_YEAR = 365.25;

/** The largest possible value below `to`. */
const lastIn = (kind: Field['kind'], to: number, decimals: number): number =>
  kind === 'date' ? to - 1 : Number((to - 10 ** -decimals).toFixed(decimals));

const boundText = (kind: Field['kind'], value: number, decimals: number): string =>
  kind === 'date' ? dayOf(value) : String(Number(value.toFixed(decimals)));

/** `10 to 19`, `500 and more`. */
export function textOfBin({ firstText, lastText }: ChartBin): string {
  if (lastText === null) return `${firstText} and more`;
  return lastText === firstText ? firstText : `${firstText} to ${lastText}`;
}

/** It has all larger values, or all smaller ones. */
export const isOpenBin = ({ from, to }: ChartBin): boolean => !Number.isFinite(to) || !Number.isFinite(from);

const NO_DECIMALS = { decimals: 0, isMostlyWhole: true };

/**
 * The digits behind the point that tell values apart, more of them within a range of less than 1 (0.00001107 to 0.00066), and whether
 * most values have none.
 */
function sampledDecimals(column: NumberColumn, range: number): typeof NO_DECIMALS {
  const length = lengthOf(column);
  const step = Math.max(1, Math.floor(length / SAMPLED_ROWS));
  const leading = range > 0 ? Math.max(0, -Math.floor(Math.log10(range))) : 0;
  const maxDecimals = Math.min(MAX_DECIMALS, MAX_SAMPLED_DECIMALS + leading);
  let decimals = 0;
  let valued = 0;
  let wholeNumbers = 0;
  for (let row = 0; row < length; row += step) {
    const value = numberAtRow(column, row);
    if (Number.isNaN(value)) continue;
    valued++;
    if (Number.isInteger(value)) wholeNumbers++;
    // A sum of decimals may be a little off: 31.990000000000002.
    const isOff = () => Math.abs(Number(value.toFixed(decimals)) - value) > Math.abs(value) * 1e-12;
    while (decimals < maxDecimals && isOff()) decimals++;
  }
  return { decimals, isMostlyWhole: 2 * wholeNumbers > valued };
}
