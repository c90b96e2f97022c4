/** Statistics of the numbers and dates of matching records: bounds, mean and histogram. */
import { ID_FIELD } from '../model.js';
import type { Collection } from '../store/collection.js';
import type { NumberColumn } from '../store/number-column.js';
import { countInBins, equalEdges, rowsByNumber } from './bins.js';
import { Conditions } from './conditions.js';
import type { Query } from './query.js';

const BINS = 20;

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface FieldStats {
  /** Records that have a value. */
  readonly count: number;
  /** The least value; `min`, `max` and `mean` are null if no record has a value. */
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /**
   * Equal bins from `min` to `max`: [from, to), the last one [from, to]. One bin if all values are equal. Edges between bins
   * are rounded to about a thousandth of a bin; values are counted by the rounded edges.
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
  const ids = collection.model.fields[ID_FIELD]?.name;
  const rows = all?.rows ?? null;
  const columns = [...collection.columns].filter(([name]) => name !== ids);
  const fields = columns.map(([name, column]) => [name, fieldStats(column, rows)] as const);
  return { count: rows?.length ?? collection.size, fields: new Map(fields) };
}

function fieldStats(column: NumberColumn, rows: Uint32Array | null): FieldStats {
  const { values } = column;
  const counts = rowsByNumber(column, rows);
  let [count, sum, first, last] = [0, 0, -1, -1];
  for (let key = 0; key < values.length; key++) {
    if (counts[key] === 0 || Number.isNaN(values[key]!)) continue;
    count += counts[key]!;
    sum += counts[key]! * values[key]!;
    if (first < 0) first = key;
    last = key;
  }
  if (count === 0) return { count, min: null, max: null, mean: null, histogram: [] };
  const histogram = histogramOf(values.subarray(first, last + 1), counts.subarray(first, last + 1));
  return { count, min: values[first]!, max: values[last]!, mean: sum / count, histogram };
}

/** `values` ascend; `counts` has the number of rows of each. */
function histogramOf(values: Float64Array, counts: Uint32Array): readonly Bin[] {
  const [min, max] = [values[0]!, values.at(-1)!];
  if (min === max) return [{ from: min, to: max, count: counts[0]! }];
  const edges = equalEdges(min, max, BINS);
  const inBins = countInBins(edges.subarray(0, BINS), values, counts);
  return Array.from(inBins, (count, i) => ({ from: edges[i]!, to: edges[i + 1]!, count }));
}
