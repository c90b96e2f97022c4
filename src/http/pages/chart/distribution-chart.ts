/** The chart of a field's numbers or dates: bars with links to their range, ticks, and the median. */
import type { Field } from '../../../model.js';
import { count } from '../../../text.js';
import { labelOf } from '../../markup/format.js';
import type { Binning } from '../counting/binning.js';
import type { Distribution } from '../counting/shape.js';
import { address, type Pairs, withValue } from '../frame/address.js';
import { type Bar, type Chart, compact, type Mark } from './chart.js';

export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface Linked {
  readonly path: string;
  /** The view that a bar's link filters further. */
  readonly pairs: Pairs;
  /** The parameters of a bar's bounds. */
  readonly min: string;
  readonly max: string;
}

/** Bars of a longer view have no links: a page has some hundred bars, and each address would hold the view. */
const MAX_LINKED_VIEW = 600;

export interface DistributionChart {
  readonly id: string;
  readonly height: number;
  readonly range: Range | null;
  readonly linked: Linked | null;
  /** Whether the median of the whole collection is marked. */
  readonly hasMedian: boolean;
  /** Bound on the ticks of dates, whose texts are long: a narrow chart has room for fewer. */
  readonly maxDates: number;
}

/** The bars of a chart alone, where it is drawn otherwise. */
export function distributionBars(
  { binning, counts }: Distribution,
  { range, linked }: Pick<DistributionChart, 'range' | 'linked'>,
): readonly Bar[] {
  const otherPairs = linked && withValue(withValue(linked.pairs, linked.min, null), linked.max, null).filter(isNoPage);
  const isLinked = linked !== null && otherPairs !== null && address('', otherPairs).length <= MAX_LINKED_VIEW;
  const addressOf = (min: string, max: string): string | null => {
    // The API reads no exponents: a bin of numbers that cannot be written without one has no address.
    if (!isLinked || `${min}${max}`.includes('e')) return null;
    const bounds: Pairs = [
      [linked.min, min],
      [linked.max, max],
    ];
    return address(linked.path, [...otherPairs, ...bounds.filter(([, value]) => value !== '')]);
  };
  return binning.bins.map(
    ({ from, to, min, max, label, count: all }, i): Bar => ({
      label,
      found: counts[i] ?? 0,
      all,
      address: addressOf(min, max),
      isOutside: range !== null && (from > range.max || to <= range.min),
      isOpen: to === Number.POSITIVE_INFINITY || from === Number.NEGATIVE_INFINITY,
    }),
  );
}

export function distributionChart(distribution: Distribution, options: DistributionChart): Chart {
  const { field, binning } = distribution;
  const { bins, median } = binning;
  const { id, height, hasMedian, maxDates } = options;
  const bars = distributionBars(distribution, options);
  return {
    id,
    label: sentence(field, bars),
    bars,
    ticks: field.kind === 'date' ? dateTicks(bins, maxDates) : numberTicks(binning),
    median: hasMedian ? { at: widthShareOf(binning, median), text: `median ${binning.textOf(median)}` } : null,
    zero: binning.lowest < 0 && binning.highest > 0 ? widthShareOf(binning, 0) : null,
    height,
  };
}

const isNoPage = ([name]: Pairs[number]): boolean => name !== 'page';

/** The position of a value among the bins, as a share of the width. */
function widthShareOf({ bins }: Binning, value: number): number {
  const at = Math.max(
    0,
    bins.findIndex(({ to }) => value < to),
  );
  const bin = bins[at];
  if (bin === undefined) return 0;
  const within = Number.isFinite(bin.to) ? (value - bin.from) / (bin.to - bin.from) : 0.5;
  return (at + Math.max(0, within)) / bins.length;
}

type Bins = Binning['bins'];
const MAX_TICKS = 6;
/** Ticks of growing bins are short: 10K. */
const MAX_GROWING_TICKS = 9;
/** Larger numbers are shortened: 10K. */
const MAX_FULL_TICK = 10_000;

/** Ticks at round values: powers of ten for growing bins, multiples of a round step for equal bins. */
function numberTicks({ bins, highest, textOf }: Pick<Binning, 'bins' | 'highest' | 'textOf'>): readonly Mark[] {
  const tickText = (value: number): string =>
    Number.isInteger(value) && highest < MAX_FULL_TICK ? textOf(value) : compact.format(value);
  const edges = bins.map(({ from }) => from);
  const step = (edges[2] ?? 0) - (edges[1] ?? 0);
  const isGrowing = bins.length > 4 && (edges.at(-1) ?? 0) - (edges.at(-2) ?? 0) > 4 * step;
  if (isGrowing) {
    const marks = marksAt(bins, (from) => (/^(?:0|10*|1e\+\d+)$/.test(String(from)) ? powerText(from) : null));
    const every = Math.ceil(marks.length / MAX_GROWING_TICKS);
    return marks.filter((_, i) => i % every === 0);
  }
  for (let power = 10 ** Math.floor(Math.log10(step || 1)); ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const marks = marksAt(bins, (from) => (isMultiple(from, factor * power) ? tickText(from) : null));
      if (marks.length <= MAX_TICKS) return marks;
    }
  }
}

/** `10K`; `1e+18` beyond the words for numbers. */
const powerText = (value: number): string => (value < 1e15 ? compact.format(value) : value.toExponential());

const isMultiple = (value: number, of: number): boolean => Math.abs(value / of - Math.round(value / of)) < 1e-6;

/** Ticks at the beginnings of years; without two of them, at every few bins. */
function dateTicks(bins: Bins, maxDates: number): readonly Mark[] {
  const dates = bins.map(({ from }) => new Date(from));
  const yearOf = (date: Date | undefined): number => date?.getUTCFullYear() ?? 0;
  for (const every of [1, 2, 5, 10, 20, 50, 100, 500]) {
    const marks = dates.flatMap((date, i) => {
      const isFirst = i > 0 ? yearOf(dates[i - 1]) !== yearOf(date) : date.getUTCMonth() === 0;
      return isFirst && yearOf(date) % every === 0 ? [{ at: i / bins.length, text: String(yearOf(date)) }] : [];
    });
    if (marks.length > 1 && marks.length <= maxDates) return marks;
  }
  const step = Math.ceil(bins.length / 4);
  return dates.flatMap((date, i) => (i % step === 0 ? [{ at: i / bins.length, text: dayMonth.format(date) }] : []));
}

const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const marksAt = (bins: Bins, textOf: (from: number) => string | null): readonly Mark[] =>
  bins.flatMap(({ from }, i) => {
    const text = Number.isFinite(from) ? textOf(from) : null;
    return text === null ? [] : [{ at: i / bins.length, text }];
  });

function sentence(field: Field, bars: readonly Bar[]): string {
  const total = bars.reduce((sum, { found }) => sum + found, 0);
  const peak = bars.reduce((best, bar) => (bar.found > best.found ? bar : best), bars[0] ?? { label: '', found: 0 });
  const label = labelOf(field);
  return total === 0 ? `${label}: no records` : `${label} of ${count(total, 'record')}, most often ${peak.label}`;
}
