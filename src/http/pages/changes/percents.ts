/** Bins for percentages of change: round steps around zero, with open bins at the ends where a few lie far out. */
import type { Field } from '../../../model.js';
import { ALL_CHANGES, type ChangesQuery, measureOf, selectChanges } from '../../../query/changes.js';
import { type Changes, percentOf } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { numberText } from '../../markup/format.js';
import { keptIn, memoize } from '../../memoize.js';
import type { Bin, Binning } from '../counting/binning.js';
import type { Distribution } from '../counting/shape.js';

const MAX_BINS = 24;
const PERCENT_STEPS = [1, 2, 5, 10, 20, 25, 50, 100];
/** The share of the percentages below the upper open bin, and of those above the lower one. */
const INNER_SHARE = 0.98;
/** Size of the sample from which the ends are estimated. */
const SAMPLE_SIZE = 4096;

/** The bins of a field, with the changes that match the other conditions. Null where no change has a percentage. */
export function percentsOf(
  collection: Collection,
  changes: Changes,
  field: Field,
  query: ChangesQuery,
): Distribution | null {
  const { name } = field;
  const binning = binningsOf(changes)(collection, name);
  if (binning === null) return null;
  if (countsAll(query)) return { field, binning, counts: binning.bins.map(({ count }) => count) };
  const unbounded = { minPercent: Number.NEGATIVE_INFINITY, maxPercent: Number.POSITIVE_INFINITY };
  const matching = percentages(collection, changes, name, { ...query, ...unbounded, fields: [name], sort: null });
  return { field, binning, counts: countIn(binning.bins, matching) };
}

/** Whether the query has no condition but the field and its percentage: then the counts are those of all changes. */
const countsAll = ({ kinds, direction, text }: ChangesQuery): boolean =>
  kinds.length === 0 && direction === null && text === null;

/** The binnings of a comparison by field, each made once. */
const binningsOf = memoize((changes: Changes) => {
  const binnings = new Map<string, Binning | null>();
  return (collection: Collection, field: string): Binning | null =>
    keptIn(binnings, field, () => {
      const all = percentages(collection, changes, field, { ...ALL_CHANGES, fields: [field] });
      return all.length === 0 ? null : percentBinning(all);
    });
});

function percentages(collection: Collection, changes: Changes, field: string, query: ChangesQuery): Float64Array {
  const list = selectChanges(collection, changes, query);
  const entries = list.slice(0, list.total);
  const measure = measureOf(collection, changes, field);
  const percents = new Float64Array(entries.length);
  let size = 0;
  for (let i = 0; i < percents.length; i++) {
    const { from, to } = measure(entries[i]!);
    const percent = percentOf(from, to);
    if (percent !== null) percents[size++] = percent;
  }
  return percents.subarray(0, size);
}

function percentBinning(percents: Float64Array): Binning {
  const every = Math.ceil(percents.length / SAMPLE_SIZE);
  const sample = Float64Array.from(
    { length: Math.ceil(percents.length / every) },
    (_, i) => percents[i * every]!,
  ).sort();
  const at = (share: number): number => sample[Math.floor((sample.length - 1) * share)]!;
  const [low, high] = [at(1 - INNER_SHARE), at(INNER_SHARE)];
  let [lowest, highest] = [low, high];
  for (const percent of percents) {
    if (percent < lowest) lowest = percent;
    if (percent > highest) highest = percent;
  }
  const step =
    PERCENT_STEPS.find((one) => (high - low) / one <= MAX_BINS - 2) ?? Math.ceil((high - low) / MAX_BINS / 100) * 100;
  const first = Math.floor(low / step);
  const last = Math.max(first, Math.floor(high / step));
  const bins: Omit<Bin, 'count'>[] = [];
  for (let i = first; i <= last; i++) {
    const isLowest = i === first && lowest < first * step;
    const isHighest = i === last && highest >= (last + 1) * step;
    const from = isLowest ? Number.NEGATIVE_INFINITY : i * step;
    const to = isHighest ? Number.POSITIVE_INFINITY : (i + 1) * step;
    bins.push(bin(from, to));
  }
  const counts = countIn(bins, percents);
  return {
    bins: bins.map((one, i) => ({ ...one, count: counts[i]! })),
    lowest,
    highest,
    median: at(0.5),
    decimals: 0,
    textOf: numberText,
  };
}

/** A bin. Percentages have two decimals, so the largest below a bound is a hundredth less. */
function bin(from: number, to: number): Omit<Bin, 'count'> {
  const largest = Math.round(to * 100 - 1) / 100;
  const min = Number.isFinite(from) ? String(from) : '';
  const max = Number.isFinite(to) ? String(largest) : '';
  if (min === '') return { from, to, min, max, label: max === '' ? 'any' : `below ${to}%` };
  return { from, to, min, max, label: max === '' ? `${from}% and more` : `${from} to ${to}%` };
}

/** The number of percentages in each bin. Bins must be adjacent, and cover all percentages. */
function countIn(bins: readonly Pick<Bin, 'to'>[], percents: Float64Array): Uint32Array {
  const counts = new Uint32Array(bins.length);
  const ends = Float64Array.from(bins, ({ to }) => to);
  for (let i = 0; i < percents.length; i++) {
    let bin = 0;
    while (percents[i]! >= ends[bin]!) bin++;
    counts[bin]!++;
  }
  return counts;
}
