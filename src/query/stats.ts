/** Statistics of the numbers and dates of matching records: bounds, mean and histogram. */
import { type FieldKind, ID_FIELD } from '../model.js';
import type { RowSet } from '../row-set.js';
import type { Collection } from '../store/collection.js';
import { lengthOf, type NumberColumn } from '../store/number-column.js';
import { countInBins } from './bins.js';
import { Conditions } from './conditions.js';
import { countGroups, groupsOfNumbers } from './counter.js';
import { dateEdges } from './date-edges.js';
import { roundEdges } from './number-edges.js';
import type { Query } from './query.js';

const BINS = 20;

interface Bin {
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
   * Bins at round steps, as pages have them (1, 2 or 5 times a power of ten; days, months or years), across `min` and `max`: [from, to),
   * the last one [from, to]. One bin if all values are equal.
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
  const columns = [...collection.columns].filter(([name]) => name !== ids);
  const kindOf = (name: string): FieldKind | undefined =>
    collection.model.fields.find((field) => field.name === name)?.kind;
  const fields = columns.map(([name, column]) => [name, fieldStats(column, kindOf(name), all)] as const);
  return { count: all?.count ?? collection.size, fields: new Map(fields) };
}

function fieldStats(column: NumberColumn, kind: FieldKind | undefined, matching: RowSet | null): FieldStats {
  const { values } = column;
  const counts = countGroups(groupsOfNumbers(column), matching, lengthOf(column));
  let [count, sum, first, last] = [0, 0, -1, -1];
  for (let key = 0; key < counts.length; key++) {
    if (counts[key] === 0) continue;
    count += counts[key]!;
    sum += counts[key]! * values[key]!;
    if (first < 0) first = key;
    last = key;
  }
  if (count === 0) return { count, min: null, max: null, mean: null, histogram: [] };
  const [min, max] = [values[first]!, values[last]!];
  const edges = histogramEdges(min, max, kind);
  if (edges.length === 2) return { count, min, max, mean: sum / count, histogram: [{ from: min, to: max, count }] };
  const inBins = countInBins(edges.slice(0, -1), values.subarray(first, last + 1), counts.subarray(first, last + 1));
  const histogram = Array.from(inBins, (inBin, i) => ({ from: edges[i]!, to: edges[i + 1]!, count: inBin }));
  return { count, min, max, mean: sum / count, histogram };
}

/** The edges of the bins: those of one bin where all values are equal. */
export function histogramEdges(min: number, max: number, kind: FieldKind | undefined): readonly number[] {
  if (min === max || !Number.isFinite(max - min)) return [min, max];
  return kind === 'date' ? dateEdges(min, max, BINS).map(withinYears) : edgesOfNumbers(min, max, kind);
}

/** Smaller steps than this share of the numbers would be lost where edges are rounded. */
const LEAST_STEP_SHARE = 1e-10;

/** Round edges of bins for all numbers from `min` to `max`: a last bin without an end, which has the greatest ones, ends at `max`. */
function edgesOfNumbers(min: number, max: number, kind: FieldKind | undefined): readonly number[] {
  const smallestStep = kind === 'integer' ? 1 : LEAST_STEP_SHARE * Math.max(Math.abs(min), Math.abs(max));
  const edges = roundEdges({ lowest: min, high: max, highest: max }, smallestStep, BINS);
  return edges.map((edge) => (edge === Number.POSITIVE_INFINITY ? max : edge));
}

/** Edges of years that ISO 8601 writes with four digits. */
const [FIRST_TIME, LAST_TIME] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];
const withinYears = (timeMs: number): number => Math.min(LAST_TIME, Math.max(FIRST_TIME, timeMs));
