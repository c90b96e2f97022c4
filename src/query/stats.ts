/** The shape of the numbers among the records that match: for plots, and for people with a notebook. */
import type { Collection } from '../store/collection.js';
import { lengthOf, type NumberColumn, numberOf } from '../store/number-column.js';
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
  const fields = [...collection.columns].map(([name, column]) => [name, fieldStats(valuesOf(column, rows))] as const);
  return { count: rows?.length ?? collection.size, fields: new Map(fields) };
}

/** The values that are there, in row order. */
function valuesOf(column: NumberColumn, rows: Uint32Array | null): Float64Array {
  const values = new Float64Array(rows?.length ?? lengthOf(column));
  let kept = 0;
  for (let i = 0; i < values.length; i++) {
    const value = numberOf(column, rows === null ? i : rows[i]!);
    if (!Number.isNaN(value)) values[kept++] = value;
  }
  return values.subarray(0, kept);
}

function fieldStats(values: Float64Array): FieldStats {
  const count = values.length;
  if (count === 0) return { count, min: null, max: null, mean: null, histogram: [] };
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
  }
  return { count, min, max, mean: sum / count, histogram: histogramOf(values, min, max) };
}

function edgesOf(min: number, max: number): Float64Array {
  const step = (max - min) / BINS;
  const decimals = Math.min(100, Math.max(0, Math.ceil(3 - Math.log10(step))));
  return Float64Array.from({ length: BINS + 1 }, (_, i) => {
    if (i === 0 || i === BINS) return i === 0 ? min : max;
    return Number((min + step * i).toFixed(decimals));
  });
}

function histogramOf(values: Float64Array, min: number, max: number): readonly Bin[] {
  if (min === max) return [{ from: min, to: max, count: values.length }];
  const edges = edgesOf(min, max);
  const counts = new Uint32Array(BINS);
  const perUnit = BINS / (max - min);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    let bin = Math.min(BINS - 1, Math.floor((value - min) * perUnit));
    // Edges are rounded, and so is the division; the edges decide.
    while (bin > 0 && value < edges[bin]!) bin--;
    while (bin < BINS - 1 && value >= edges[bin + 1]!) bin++;
    counts[bin]!++;
  }
  return [...counts].map((count, bin) => ({ from: edges[bin]!, to: edges[bin + 1]!, count }));
}
