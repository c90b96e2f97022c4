/** The chart of a field's numbers or dates: bars with links to their range, ticks, and the median. */
import type { Field } from '../../../model.js';
import { intervalParameters } from '../../../query/operators.js';
import type { Interval } from '../../../query/query.js';
import { count, DAY_MS } from '../../../text.js';
import { labelOf } from '../../markup/format.js';
import { type Binning, isOpenBin, textOfBin } from '../counting/binning.js';
import type { Distribution } from '../counting/shape.js';
import { address, type Pairs, without } from '../frame/address.js';
import { type Axis, axisOf } from './axis.js';
import { anchorAt, type Bar, type Chart, compact, type Mark } from './chart.js';

/** Bars of a longer view have no links: a page has some hundred bars, and each address would hold the view. */
const MAX_LINKED_VIEW = 600;

interface DistributionChart {
  readonly id: string;
  readonly height: number;
  readonly range: Interval | null;
  /** The list that a bar links to; empty on the page of that list, whose some hundred addresses are shorter so. */
  readonly path: string;
  /** The view that a bar's link narrows. */
  readonly pairs: Pairs;
  /** Whether the median of the whole collection is marked. */
  readonly hasMedian: boolean;
  /** Pixels of the chart where it is narrowest: its ticks have room there. */
  readonly minWidth: number;
}

/** Only the bars, for the small charts in headers of tables, which have no axis. */
export function distributionBars(
  { field, binning, counts }: Distribution,
  { range, path, pairs }: Pick<DistributionChart, 'range' | 'path' | 'pairs'>,
): readonly Bar[] {
  const { filter } = field;
  const otherPairs = without(pairs, 'page', ...intervalParameters(field));
  const { edges } = axisOf(binning);
  const isLinked = address('', otherPairs).length <= MAX_LINKED_VIEW;
  const addressOf = (min: string, max: string): string | null => {
    // The API reads no exponents: a bin of numbers that cannot be written without one has no address.
    if (!isLinked || filter?.kind !== 'range' || `${min}${max}`.includes('e')) return null;
    const bounds: Pairs = [
      [filter.min, min],
      [filter.max, max],
    ];
    return address(path, [...otherPairs, ...bounds.filter(([, value]) => value !== '')]);
  };
  return binning.bins.map((bin, i): Bar => {
    const { from, to, min, max, count: all, isIncomplete } = bin;
    const label = textOfBin(bin);
    return {
      label: isIncomplete ? `${label}, incomplete` : label,
      start: edges[i] ?? 0,
      end: edges[i + 1] ?? 1,
      found: counts[i] ?? 0,
      all,
      address: addressOf(min, max),
      isOutside: range !== null && (from > range.max || to <= range.min),
      isOpen: isIncomplete || isOpenBin(bin),
    };
  });
}

export function distributionChart(distribution: Distribution, options: DistributionChart): Chart {
  const { field, binning } = distribution;
  const { bins, median } = binning;
  const { id, height, hasMedian, minWidth } = options;
  const axis = axisOf(binning);
  const bars = distributionBars(distribution, options);
  return {
    id,
    label: sentence(field, bars),
    bars,
    ticks: field.kind === 'date' ? dateTicks(bins, axis, minWidth) : numberTicks(binning, axis, minWidth),
    median: hasMedian ? { at: axis.shareOf(median), text: `median ${binning.medianText}` } : null,
    zero: binning.lowest < 0 && binning.highest > 0 ? axis.shareOf(0) : null,
    height,
  };
}

type Bins = Binning['bins'];
const MAX_TICKS = 6;
/** Larger numbers are shortened: 10K. */
const MAX_FULL_TICK = 10_000;

/** Ticks at round values: powers of ten for growing bins, multiples of a round step for equal bins; `80+` at an open bin. */
function numberTicks({ bins, scale, highest, textOf }: Binning, axis: Axis, width: number): readonly Mark[] {
  const tickText = (value: number): string =>
    Number.isInteger(value) && highest < MAX_FULL_TICK ? textOf(value) : compact.format(value);
  const last = bins.at(-1);
  const open = last?.to === Number.POSITIVE_INFINITY && Number.isFinite(last.from) ? last : null;
  const openMark = open && { at: axis.edges[bins.length - 1] ?? 1, text: `${tickText(open.from)}+` };
  const apart = (marks: readonly Mark[]): readonly Mark[] =>
    openMark === null
      ? thinned(marks, width)
      : [...thinned(marks, width).filter((mark) => areApart([mark, openMark], width)), openMark];
  if (scale === 'logarithmic')
    return apart(marksAt(bins, axis, (from) => (/^(?:0|10*|1e\+\d+)$/.test(String(from)) ? powerText(from) : null)));
  const step = (bins[2]?.from ?? 0) - (bins[1]?.from ?? 0);
  for (let power = 10 ** Math.floor(Math.log10(step || 1)); ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const marksBy = (say: (value: number) => string): readonly Mark[] =>
        marksAt(bins, axis, (from) => (isMultiple(from, factor * power) ? say(from) : null));
      const marks = marksBy(tickText);
      // 10,120 and 10,140 are both 10.1K.
      if (marks.length <= MAX_TICKS && (areApart(marks, width) || marks.length <= 2))
        return apart(new Set(marks.map(({ text }) => text)).size === marks.length ? marks : marksBy(textOf));
    }
  }
}

/** `10K`; `1e+18` beyond the words for numbers. */
const powerText = (value: number): string => (value < 1e15 ? compact.format(value) : value.toExponential());

const isMultiple = (value: number, of: number): boolean => Math.abs(value / of - Math.round(value / of)) < 1e-6;

/** Pixels of a character, and of the space between two texts. */
const CHARACTER_WIDTH = 7;
const TEXT_SPACE = 4;

/** All marks, or every second or further one, so that no texts touch: `-10%` begins at the end of the axis, where `-5%` is near. */
function thinned(marks: readonly Mark[], width: number): readonly Mark[] {
  for (let every = 1; ; every++) {
    const some = marks.filter((_, i) => i % every === 0);
    if (areApart(some, width)) return some;
  }
}

function areApart(marks: readonly Mark[], width: number): boolean {
  let end = Number.NEGATIVE_INFINITY;
  return marks.every(({ at, text }) => {
    const length = text.length * CHARACTER_WIDTH;
    const start = { start: 0, middle: at * width - length / 2, end: width - length }[anchorAt(at)];
    const isApart = start >= end + TEXT_SPACE;
    end = start + length;
    return isApart;
  });
}

/** Ticks at the beginnings of years; without three of them, at every few bins, months by their names, and the year where another begins. */
function dateTicks(bins: Bins, { edges }: Axis, width: number): readonly Mark[] {
  const dates = bins.map(({ from }) => new Date(from));
  const yearOf = (date: Date | undefined): number => date?.getUTCFullYear() ?? 0;
  for (const every of [1, 2, 5, 10, 20, 50, 100, 500]) {
    const marks = dates.flatMap((date, i) => {
      const isFirst = i > 0 ? yearOf(dates[i - 1]) !== yearOf(date) : date.getUTCMonth() === 0;
      return isFirst && yearOf(date) % every === 0 ? [{ at: edges[i] ?? 0, text: String(yearOf(date)) }] : [];
    });
    if (marks.length > Math.min(2, bins.length - 1) && areApart(marks, width)) return marks;
  }
  const step = Math.ceil(bins.length / 4);
  const areMonths = bins[0] !== undefined && bins[0].to - bins[0].from >= MIN_MONTH_MS;
  const textOf = (date: Date, i: number): string => {
    if (!areMonths) return dayMonth.format(date);
    return i > 0 && yearOf(dates[i - step]) !== yearOf(date) ? monthYear.format(date) : month.format(date);
  };
  const marks = dates.map((date, i) => ({ at: edges[i] ?? 0, text: textOf(date, i) }));
  return thinned(
    marks.filter((_, i) => i % step === 0),
    width,
  );
}

const MIN_MONTH_MS = 28 * DAY_MS;
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const monthYear = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const marksAt = (bins: Bins, { edges }: Axis, textOf: (from: number) => string | null): readonly Mark[] =>
  bins.flatMap(({ from }, i) => {
    const text = Number.isFinite(from) ? textOf(from) : null;
    return text === null ? [] : [{ at: edges[i] ?? 0, text }];
  });

function sentence(field: Field, bars: readonly Bar[]): string {
  const total = bars.reduce((sum, { found }) => sum + found, 0);
  const peak = bars.reduce((best, bar) => (bar.found > best.found ? bar : best), bars[0] ?? { label: '', found: 0 });
  const label = labelOf(field);
  return total === 0 ? `${label}: no records` : `${label} of ${count(total, 'record')}, most often ${peak.label}`;
}
