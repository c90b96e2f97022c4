/**
 * The shape of a query's rows: bins of the numeric fields that are offered, and the most frequent values of those filtered by value.
 * Each is counted under all conditions except its own, so that it shows what another choice would give. A whole
 * collection costs one pass over its rows for each field; a part, a scan of up to half of the rows for each field. Shapes are
 * cached by conditions for as long as the dataset is served.
 */
import type { Field, Filter } from '../../../model.js';
import { countInBins } from '../../../query/bins.js';
import { Conditions } from '../../../query/conditions.js';
import { countGroups, type Groups, groupsOfValues, topValues, type ValueCount } from '../../../query/counter.js';
import { choiceIn } from '../../../query/operators.js';
import { EVERYTHING, type Query } from '../../../query/query.js';
import type { Collection } from '../../../store/collection.js';
import { codeOfValue, type ValueIndex } from '../../../store/value-index.js';
import { keptIn, memoize, memoizeByText } from '../../memoize.js';
import { type Binning, binningOf, type Scale } from './binning.js';
import { fieldsToCount, groupsIn, isRepeated, offeredFields } from './offered-fields.js';

export interface Distribution {
  readonly field: Field;
  readonly binning: Binning;
  /** Matching rows in each bin. */
  readonly counts: Uint32Array;
}

export interface Frequencies {
  readonly field: Field;
  readonly index: ValueIndex;
  readonly values: readonly ValueCount[];
  /** The records of each value that the query filters by, by its code. */
  readonly chosen: ReadonlyMap<number, number>;
  /** The number of different values in the collection, and of those that any of the counted records has. */
  readonly distinct: number;
  readonly found: number;
  /** Whether any value is in more than one record. */
  readonly isRepeated: boolean;
}

export interface ColumnShape {
  /** So few records are found that their bars could not be read beside those of all: bars are of the found ones alone. */
  readonly isSmallPart: boolean;
  readonly distributions: readonly Distribution[];
  readonly frequencies: readonly Frequencies[];
}

/** Below this share of all records, the found ones are a small part. */
const SMALL_PART = 0.1;
/** Bound on the cached shapes of a collection; when it is reached, all are dropped. */
const MAX_CACHED_SHAPES = 256;
const MAX_VALUES = 40;

/** The most frequent values of a field in the whole collection. */
export function biggestValues({ values }: Collection, { name }: Field, limit: number): readonly ValueCount[] {
  const index = values.get(name);
  return index === undefined ? [] : topValues(index, groupsOfValues(index).totals(), limit);
}

const binnings = memoizeByText<Binning | null>();
/** Groups by which a field's rows are counted. They are made after a start (`prepareShapes`), or when first needed. */
const groups = memoizeByText<Groups | null>();
const shapesOf = memoize((_collection: Collection) => new Map<string, ColumnShape>());

/** Bins of one field of the whole collection, by the scale that suits its values if none is given; null where it has none. */
export const binningIn = (collection: Collection, field: Field, scale?: Scale): Binning | null =>
  binnings(collection, `${field.name} ${scale ?? ''}`, () => {
    const column = collection.columns.get(field.name);
    return column === undefined ? null : binningOf(field, column, scale);
  });

/** The shape of a query; `conditions` must be those of the query. */
export function shapeOf(
  collection: Collection,
  query: Query,
  conditions: Conditions = new Conditions(collection, query),
): ColumnShape {
  const shapes = shapesOf(collection);
  const key = JSON.stringify([query.text, query.textOptions, query.filters]);
  if (shapes.size >= MAX_CACHED_SHAPES && !shapes.has(key)) shapes.clear();
  return keptIn(shapes, key, () => {
    const { main, more } = fieldsToCount(collection, query.filters);
    const countedBy = (kind: Filter['kind']): readonly Field[] =>
      [...main, ...more].filter(({ filter }) => filter?.kind === kind);
    const isSmallPart = (conditions.all?.count ?? collection.size) < SMALL_PART * collection.size;
    return {
      isSmallPart,
      distributions: countedBy('range').flatMap(
        (field) => distributionOf(collection, conditions, field, isSmallPart) ?? [],
      ),
      frequencies: countedBy('value').flatMap((field) => frequenciesOf(collection, conditions, query, field) ?? []),
    };
  });
}

/**
 * Makes what the shapes of a collection are counted with, and the shape of all its records, a field a step. A million rows
 * take some 10 ms a field, for which the first pages would wait.
 */
export function* prepareShapes(collection: Collection): Generator<void> {
  const { main, more } = offeredFields(collection);
  for (const field of [...main, ...more]) {
    groupsOf(collection, field)?.totals();
    yield;
  }
  shapeOf(collection, EVERYTHING);
}

const groupsOf = (collection: Collection, field: Field): Groups | null =>
  groups(collection, field.name, () => groupsIn(collection, field));

/** The rows of the whole collection in each bin. */
export const totalsOf = ({ bins }: Binning): Uint32Array => Uint32Array.from(bins, ({ count }) => count);

/** How many rows of a set are in each bin of a field; null stands for every row, which are counted already. */
export function countsInBins(
  collection: Collection,
  field: Field,
  binning: Binning,
  matching: Conditions['all'],
): Uint32Array {
  const groups = matching === null ? null : groupsOf(collection, field);
  if (groups === null) return totalsOf(binning);
  const starts = binning.bins.map(({ from }) => from);
  const numbers = collection.columns.get(field.name)?.values.subarray(0, -1) ?? [];
  return countInBins(starts, numbers, countGroups(groups, matching, collection.size));
}

function distributionOf(
  collection: Collection,
  conditions: Conditions,
  field: Field,
  isOfFound: boolean,
): Distribution | null {
  const binning = binningIn(collection, field);
  if (binning === null) return null;
  const counts = countsInBins(collection, field, binning, conditions.but(field.name));
  if (!isOfFound) return { field, binning, counts };
  const bins = binning.bins.map((bin, i) => ({ ...bin, count: counts[i] ?? 0 }));
  return { field, binning: { ...binning, bins }, counts };
}

function frequenciesOf(
  collection: Collection,
  conditions: Conditions,
  { filters }: Query,
  field: Field,
): Frequencies | null {
  const [index, values] = [collection.values.get(field.name), groupsOf(collection, field)];
  if (index === undefined || values === null) return null;
  const counts = countGroups(values, conditions.but(field.name), collection.size);
  const chosenCodes = (choiceIn(filters, field)?.values ?? []).map((value) => codeOfValue(index, value));
  return {
    field,
    index,
    values: topValues(index, counts, MAX_VALUES),
    chosen: new Map(chosenCodes.map((code) => [code, counts[code] ?? 0])),
    distinct: counts.length,
    found: numberOfPositives(counts),
    isRepeated: isRepeated(collection, field),
  };
}

function numberOfPositives(counts: Uint32Array): number {
  let count = 0;
  for (let code = 0; code < counts.length; code++) if (counts[code]! > 0) count++;
  return count;
}
