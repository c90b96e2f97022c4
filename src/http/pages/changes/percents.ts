/** Bins for percentages of change: round steps around zero, with open bins at the ends where a few lie far out. */
import type { Field } from '../../../model.js';
import { countInBins } from '../../../query/bins.js';
import { ALL_CHANGES, type ChangesQuery, measureOf, selectChanges } from '../../../query/changes.js';
import { roundEdges } from '../../../query/number-edges.js';
import { type Changes, percentOfChange } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { numberText } from '../../markup/format.js';
import { memoizeByText } from '../../memoize.js';
import { type Bin, type Binning, binsFor } from '../counting/binning.js';
import type { Distribution } from '../counting/shape.js';

/** The share of the percentages below the upper open bin, and of those above the lower one. */
const INNER_SHARE = 0.98;
/** Size of the sample from which the ends are estimated. */
const SAMPLED_PERCENTS = 4096;

/** The bins of a field, with the changes that match the other conditions. Null where no change has a percentage. */
export function percentsOf(
  collection: Collection,
  changes: Changes,
  field: Field,
  query: ChangesQuery,
): Distribution | null {
  const { name } = field;
  const binning = percentBinnings(changes, name, () => {
    const all = percentages(collection, changes, name, { ...ALL_CHANGES, fields: [name] });
    return all.length === 0 ? null : percentBinning(all);
  });
  if (binning === null) return null;
  if (countsAll(query)) return { field, binning, counts: binning.bins.map(({ count }) => count) };
  const unbounded = { minPercent: Number.NEGATIVE_INFINITY, maxPercent: Number.POSITIVE_INFINITY };
  const matching = percentages(collection, changes, name, { ...query, ...unbounded, fields: [name], sort: null });
  const starts = binning.bins.map(({ from }) => from);
  return { field, binning, counts: countInBins(starts, matching) };
}

/** Whether the query has no condition but the field and its percentage: then the counts are those of all changes. */
const countsAll = ({ kinds, direction, text }: ChangesQuery): boolean =>
  kinds.length === 0 && direction === null && text === null;

const percentBinnings = memoizeByText<Binning | null>();

function percentages(collection: Collection, changes: Changes, field: string, query: ChangesQuery): Float64Array {
  const list = selectChanges(collection, changes, query);
  const entries = list.slice(0, list.total);
  const measure = measureOf(changes, field);
  const percents = new Float64Array(entries.length);
  let size = 0;
  for (let i = 0; i < percents.length; i++) {
    const { from, to } = measure(entries[i]!);
    const percent = percentOfChange(changes, entries[i]!, from, to);
    if (percent !== null) percents[size++] = percent;
  }
  return percents.subarray(0, size);
}

function percentBinning(percents: Float64Array): Binning {
  const every = Math.ceil(percents.length / SAMPLED_PERCENTS);
  const sample = Float64Array.from(
    { length: Math.ceil(percents.length / every) },
    (_, i) => percents[i * every]!,
  ).sort();
  const at = (share: number): number => sample[Math.floor((sample.length - 1) * share)]!;
  let [lowest, highest] = [at(0), at(1)];
  for (const percent of percents) {
    if (percent < lowest) lowest = percent;
    if (percent > highest) highest = percent;
  }
  const spread = { lowest, low: at(1 - INNER_SHARE), high: at(INNER_SHARE), highest };
  const edges = roundEdges(spread, 1, binsFor(percents.length));
  const counts = countInBins(edges.slice(0, -1), percents);
  const bins = Array.from(counts, (count, i) => ({ ...bin(edges[i]!, edges[i + 1]!), count }));
  return { scale: 'linear', bins, lowest, highest, median: at(0.5), decimals: 0, textOf: numberText };
}

/** A bin. Percentages have two decimals, so the largest below a bound is a hundredth less. */
function bin(from: number, to: number): Omit<Bin, 'count'> {
  const largest = Math.round(to * 100 - 1) / 100;
  const min = Number.isFinite(from) ? String(from) : '';
  const max = Number.isFinite(to) ? String(largest) : '';
  if (min === '') return { from, to, min, max, label: max === '' ? 'any' : `below ${to}%` };
  return { from, to, min, max, label: max === '' ? `${from}% and more` : `${from} to ${to}%` };
}
