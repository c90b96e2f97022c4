/** The chart of a field's numbers or dates: bars with links to their range, ticks, and the median. */
import type { Field } from '../../../model.js';
import { count } from '../../../text.js';
import { labelOf } from '../../markup/format.js';
import type { Binning } from '../counting/binning.js';
import type { Distribution } from '../counting/shape.js';
import { address, type Pairs, withValue } from '../frame/address.js';
import { type Axis, axisOf } from './axis.js';
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

interface DistributionChart {
  readonly id: string;
  readonly height: number;
  readonly range: Range | null;
  readonly linked: Linked | null;
  /** Whether the median of the whole collection is marked. */
  readonly hasMedian: boolean;
  /** Bound on the ticks of dates, whose texts are long: a narrow chart has room for fewer. */
  readonly maxDates: number;
}

/** Only the bars, for the small charts in headers of tables, which have no axis. */
export function distributionBars(
  { binning, counts }: Distribution,
  { range, linked }: Pick<DistributionChart, 'range' | 'linked'>,
): readonly Bar[] {
  const otherPairs = linked && withValue(withValue(linked.pairs, linked.min, null), linked.max, null).filter(isNoPage);
  const { edges } = axisOf(binning);
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
  return binning.bins.map((bin, i): Bar => {
    const { from, to, min, max, label, count: all, isIncomplete } = bin;
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
  const { id, height, hasMedian, maxDates } = options;
  const axis = axisOf(binning);
  const bars = distributionBars(distribution, options);
  return {
    id,
    label: sentence(field, bars),
    bars,
    ticks: field.kind === 'date' ? dateTicks(bins, axis, maxDates) : numberTicks(binning, axis),
    median: hasMedian ? { at: axis.shareOf(median), text: `median ${binning.medianText}` } : null,
    zero: binning.lowest < 0 && binning.highest > 0 ? axis.shareOf(0) : null,
    height,
  };
}

const isNoPage = ([name]: Pairs[number]): boolean => name !== 'page';

const isOpenBin = ({ from, to }: Bins[number]): boolean => !Number.isFinite(to) || !Number.isFinite(from);

type Bins = Binning['bins'];
const MAX_TICKS = 6;
/** A narrow chart has room for this number of characters. */
const MAX_TICK_CHARACTERS = 26;
/** Ticks of growing bins are short: 10K. */
const MAX_GROWING_TICKS = 9;
/** Larger numbers are shortened: 10K. */
const MAX_FULL_TICK = 10_000;

/** Ticks nearer to each other than this share of the width would touch. */
const MIN_TICK_DISTANCE = 0.11;

/** Ticks at round values: powers of ten for growing bins, multiples of a round step for equal bins; `80+` at an open bin. */
function numberTicks({ bins, scale, highest, textOf }: Binning, axis: Axis): readonly Mark[] {
  const tickText = (value: number): string =>
    Number.isInteger(value) && highest < MAX_FULL_TICK ? textOf(value) : compact.format(value);
  const last = bins.at(-1);
  const open = last?.to === Number.POSITIVE_INFINITY && Number.isFinite(last.from) ? last : null;
  const openMark = open && { at: axis.edges[bins.length - 1] ?? 1, text: `${tickText(open.from)}+` };
  const apart = (marks: readonly Mark[]): readonly Mark[] =>
    openMark === null ? marks : [...marks.filter(({ at }) => openMark.at - at >= MIN_TICK_DISTANCE), { ...openMark }];
  if (scale === 'logarithmic') {
    const marks = marksAt(bins, axis, (from) => (/^(?:0|10*|1e\+\d+)$/.test(String(from)) ? powerText(from) : null));
    const every = Math.ceil(marks.length / MAX_GROWING_TICKS);
    return apart(marks.filter((_, i) => i % every === 0));
  }
  const step = (bins[2]?.from ?? 0) - (bins[1]?.from ?? 0);
  for (let power = 10 ** Math.floor(Math.log10(step || 1)); ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const marksBy = (say: (value: number) => string): readonly Mark[] =>
        marksAt(bins, axis, (from) => (isMultiple(from, factor * power) ? say(from) : null));
      const marks = marksBy(tickText);
      // 10,120 and 10,140 are both 10.1K.
      const characters = marks.reduce((sum, { text }) => sum + text.length, 0);
      if (marks.length <= MAX_TICKS && (characters <= MAX_TICK_CHARACTERS || marks.length <= 2))
        return apart(new Set(marks.map(({ text }) => text)).size === marks.length ? marks : marksBy(textOf));
    }
  }
}

/** `10K`; `1e+18` beyond the words for numbers. */
const powerText = (value: number): string => (value < 1e15 ? compact.format(value) : value.toExponential());

const isMultiple = (value: number, of: number): boolean => Math.abs(value / of - Math.round(value / of)) < 1e-6;

/** Ticks at the beginnings of years; without two of them, at every few bins. */
function dateTicks(bins: Bins, { edges }: Axis, maxDates: number): readonly Mark[] {
  const dates = bins.map(({ from }) => new Date(from));
  const yearOf = (date: Date | undefined): number => date?.getUTCFullYear() ?? 0;
  for (const every of [1, 2, 5, 10, 20, 50, 100, 500]) {
    const marks = dates.flatMap((date, i) => {
      const isFirst = i > 0 ? yearOf(dates[i - 1]) !== yearOf(date) : date.getUTCMonth() === 0;
      return isFirst && yearOf(date) % every === 0 ? [{ at: edges[i] ?? 0, text: String(yearOf(date)) }] : [];
    });
    if (marks.length > 1 && marks.length <= maxDates) return marks;
  }
  const step = Math.ceil(bins.length / 4);
  return dates.flatMap((date, i) => (i % step === 0 ? [{ at: edges[i] ?? 0, text: dayMonth.format(date) }] : []));
}

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
