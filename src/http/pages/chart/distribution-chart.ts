/** The chart of a field's numbers or dates: bars that are links to their range, ticks, the median. */
import type { Field } from '../../../model.js';
import { count } from '../../../text.js';
import { axisText, labelOf } from '../../markup/format.js';
import type { Binning } from '../counting/binning.js';
import type { Distribution } from '../counting/shape.js';
import { address, type Pairs, withValue } from '../frame/address.js';
import { type Bar, type Chart, compact, type Mark } from './chart.js';

export interface Range {
  readonly min: number;
  readonly max: number;
}

interface Linked {
  readonly path: string;
  /** The view that the bars narrow. */
  readonly pairs: Pairs;
  /** The parameters that a bar's bounds are given by. */
  readonly min: string;
  readonly max: string;
}

/** A page has some hundred bars: the rest of a longer view would be in each of their addresses. */
const MAX_LINKED_VIEW = 600;

export interface DistributionChart {
  readonly id: string;
  readonly height: number;
  readonly range: Range | null;
  readonly linked: Linked | null;
  /** Whether the middle of the whole collection is marked. */
  readonly hasMedian: boolean;
  /** What a bar's values are to the reader. */
  readonly classOf?: (from: number) => 'good' | 'bad';
}

export function distributionChart(shown: Distribution, asked: DistributionChart): Chart {
  const { field, binning, counts } = shown;
  const { bins, median, decimals } = binning;
  const { id, height, range, linked, hasMedian, classOf } = asked;
  const rest = linked && withValue(withValue(linked.pairs, linked.min, null), linked.max, null).filter(isNoPage);
  const isLinked = linked !== null && rest !== null && address('', rest).length <= MAX_LINKED_VIEW;
  const addressOf = (min: string, max: string): string | null => {
    // The API reads no exponents: a bin of numbers that cannot be written without one has no address.
    if (!isLinked || `${min}${max}`.includes('e')) return null;
    const own: Pairs = [
      [linked.min, min],
      [linked.max, max],
    ];
    return address(linked.path, [...rest, ...own.filter(([, value]) => value !== '')]);
  };
  const bars = bins.map(
    ({ from, to, min, max, label, count: all }, i): Bar => ({
      label,
      found: counts[i] ?? 0,
      all,
      address: addressOf(min, max),
      isOutside: range !== null && (from > range.max || to <= range.min),
      isOpen: to === Number.POSITIVE_INFINITY || from === Number.NEGATIVE_INFINITY,
      ...(classOf && { className: classOf(from) }),
    }),
  );
  return {
    id,
    label: sentence(field, bars),
    bars,
    ticks: field.kind === 'date' ? dateTicks(bins) : numberTicks(bins),
    median: hasMedian
      ? { at: shareOf(binning, median), text: `median ${axisText(field.kind, median, decimals)}` }
      : null,
    height,
  };
}

const isNoPage = ([name]: Pairs[number]): boolean => name !== 'page';

/** Where a value stands among the bins, as a share of the width. */
function shareOf({ bins }: Binning, value: number): number {
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

/** At round values: of bins that grow each power of ten, of equal ones multiples of a round step. */
export function numberTicks(bins: Bins): readonly Mark[] {
  const edges = bins.map(({ from }) => from);
  const step = (edges[2] ?? 0) - (edges[1] ?? 0);
  const isGrowing = bins.length > 4 && (edges.at(-1) ?? 0) - (edges.at(-2) ?? 0) > 4 * step;
  if (isGrowing)
    return marksAt(bins, (from) => (from === 0 || /^10*$/.test(String(from)) ? compact.format(from) : null));
  for (let power = 10 ** Math.floor(Math.log10(step || 1)); ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const marks = marksAt(bins, (from) => (isMultiple(from, factor * power) ? compact.format(from) : null));
      if (marks.length <= MAX_TICKS) return marks;
    }
  }
}

const isMultiple = (value: number, of: number): boolean => Math.abs(value / of - Math.round(value / of)) < 1e-6;

/** Years where bins begin with some, else months, else days. */
function dateTicks(bins: Bins): readonly Mark[] {
  const dates = bins.map(({ from }) => new Date(from));
  const yearOf = (date: Date | undefined): number => date?.getUTCFullYear() ?? 0;
  const years = yearOf(dates.at(-1)) - yearOf(dates[0]);
  for (const every of [1, 2, 5, 10, 20, 50, 100, 500]) {
    if (years / every > MAX_TICKS + 3) continue;
    const marks = dates.flatMap((date, i) => {
      const isFirst = i > 0 ? yearOf(dates[i - 1]) !== yearOf(date) : date.getUTCMonth() === 0;
      return isFirst && yearOf(date) % every === 0 ? [{ at: i / bins.length, text: String(yearOf(date)) }] : [];
    });
    if (marks.length > 1) return marks;
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
