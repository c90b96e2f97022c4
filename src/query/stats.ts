/** The shape of the numbers among the records that match: for plots, and for people with a notebook. */
import type { Collection } from '../store/collection.js';
import type { NumberColumn } from '../store/number-column.js';
import { Conditions } from './conditions.js';
import type { Query } from './query.js';

export const BINS = 20;

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface FieldStats {
  /** Records that have a value. */
  readonly count: number;
  /** The rest is null where no record has one. */
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /**
   * Equal bins from `min` to `max`, each without its end but the last; one bin where all values are equal. The edges
   * between them are rounded to about a thousandth of a bin, and counted by as they are then.
   */
  readonly histogram: readonly Bin[];
}

export interface Stats {
  /** Records that match. */
  readonly count: number;
  readonly fields: ReadonlyMap<string, FieldStats>;
}

export function statsOf(collection: Collection, query: Query): Stats {
  const { all } = new Conditions(collection, query);
  const rows = all?.rows ?? null;
  const fields = [...collection.columns].map(([name, column]) => [name, fieldStats(column, rows)] as const);
  return { count: rows?.length ?? collection.size, fields: new Map(fields) };
}

/** Of each distinct number, how many of the rows have it; null stands for every row. */
function countsOf({ values, order: { keys } }: NumberColumn, rows: Uint32Array | null): Uint32Array {
  const counts = new Uint32Array(values.length);
  if (rows === null) for (let row = 0; row < keys.length; row++) counts[keys[row]!]!++;
  else for (let i = 0; i < rows.length; i++) counts[keys[rows[i]!]!]!++;
  return counts;
}

function fieldStats(column: NumberColumn, rows: Uint32Array | null): FieldStats {
  const { values } = column;
  const counts = countsOf(column, rows);
  let [count, sum, first, last] = [0, 0, -1, -1];
  for (let place = 0; place < values.length; place++) {
    if (counts[place] === 0 || Number.isNaN(values[place]!)) continue;
    count += counts[place]!;
    sum += counts[place]! * values[place]!;
    if (first < 0) first = place;
    last = place;
  }
  if (count === 0) return { count, min: null, max: null, mean: null, histogram: [] };
  const histogram = histogramOf(values.subarray(first, last + 1), counts.subarray(first, last + 1));
  return { count, min: values[first]!, max: values[last]!, mean: sum / count, histogram };
}

function edgesOf(min: number, max: number): Float64Array {
  const step = (max - min) / BINS;
  const decimals = Math.min(100, Math.max(0, Math.ceil(3 - Math.log10(step))));
  return Float64Array.from({ length: BINS + 1 }, (_, i) => {
    if (i === 0 || i === BINS) return i === 0 ? min : max;
    return Number((min + step * i).toFixed(decimals));
  });
}

/** `values` ascend, and `counts` says how often there is each. */
function histogramOf(values: Float64Array, counts: Uint32Array): readonly Bin[] {
  const [min, max] = [values[0]!, values.at(-1)!];
  if (min === max) return [{ from: min, to: max, count: counts[0]! }];
  const edges = edgesOf(min, max);
  const inBins = new Uint32Array(BINS);
  let bin = 0;
  for (let i = 0; i < values.length; i++) {
    while (bin < BINS - 1 && values[i]! >= edges[bin + 1]!) bin++;
    inBins[bin]! += counts[i]!;
  }
  return [...inBins].map((count, i) => ({ from: edges[i]!, to: edges[i + 1]!, count }));
}
