/**
 * The shape of what a query finds: bins of every numeric field and the most frequent values of every other filtered
 * one, each under all of the query's conditions but its own, so that one can see what another choice would give. Of a
 * whole collection it costs a binary search per bin; of a part, about 10 µs a million rows for each bin and offered
 * value. Kept per set of conditions for as long as the dataset is served.
 */
import type { Field } from '../../../model.js';
import { rowSetsOf } from '../../../query/execute.js';
import type { Query } from '../../../query/query.js';
import type { RowSet } from '../../../query/row-set.js';
import type { Matching } from '../../../search/search.js';
import type { Collection } from '../../../store/collection.js';
import { type ValueIndex, valueCount } from '../../../store/value-index.js';
import { type Binning, binningOf } from './binning.js';
import type { BitTable } from './bit-table.js';
import { buildCountIndex, type CountIndex, groupCounts } from './count-index.js';
import { type Matches, queryMatches } from './matches.js';
import { topOfAll, topValues, type ValueCount } from './top-values.js';

export interface Distribution {
  readonly field: Field;
  readonly binning: Binning;
  /** Rows that match, per bin. */
  readonly counts: ArrayLike<number>;
}

export interface Frequencies {
  readonly field: Field;
  readonly values: readonly ValueCount[];
  /** How many different values the collection has. */
  readonly distinct: number;
  /** Whether any of them is in more than one record. */
  readonly isRepeated: boolean;
}

export interface Shape {
  readonly distributions: readonly Distribution[];
  readonly frequencies: readonly Frequencies[];
}

/** A shape, and which rows match if that was worked out for it: good until the next query is surveyed. */
export interface Survey {
  readonly shape: Shape;
  readonly matching: Matching | null;
}

export interface Shapes {
  readonly shapeOf: (collection: Collection, query: Query) => Shape;
  /** `sets` are those of the query's filters. */
  readonly surveyOf: (collection: Collection, query: Query, sets: readonly RowSet[]) => Survey;
  /** Bins of one field of the whole collection; null where it has none. */
  readonly binningOf: (collection: Collection, field: Field) => Binning | null;
}

/** Shapes kept for one collection; past it all are dropped. */
const MAX_KEPT = 256;
export const MAX_VALUES = 40;

/** What is known of one collection. */
interface Known {
  readonly binnings: ReadonlyMap<string, Binning>;
  readonly shapes: Map<string, Shape>;
  /** Builds the index a step further; null until it is built. */
  readonly step: () => CountIndex | null;
}

export function createShapes(): Shapes {
  /** By what a collection and the same one with compact texts share. */
  const collections = new WeakMap<Collection['ids'], Known>();

  function knownOf(collection: Collection): Known {
    const found = collections.get(collection.ids);
    if (found !== undefined) return found;
    const known = know(collection);
    collections.set(collection.ids, known);
    finishLater(known.step);
    return known;
  }

  const surveyOf: Shapes['surveyOf'] = (collection, query, sets) => {
    const known = knownOf(collection);
    const key = JSON.stringify([query.text, query.filters]);
    const kept = known.shapes.get(key);
    if (kept !== undefined) return { shape: kept, matching: matchingOf(known, collection, query, sets) };
    const survey = compute(collection, query, sets, known);
    if (known.shapes.size >= MAX_KEPT) known.shapes.clear();
    known.shapes.set(key, survey.shape);
    return survey;
  };

  return {
    binningOf: (collection, { name }) => knownOf(collection).binnings.get(name) ?? null,
    surveyOf,
    shapeOf: (collection, query) => surveyOf(collection, query, rowSetsOf(collection, query)).shape,
  };
}

function know(collection: Collection): Known {
  const binnings = new Map(
    collection.model.fields.flatMap((field) => {
      const column = collection.columns.get(field.name);
      const binning = column ? binningOf(field, column) : null;
      return binning === null ? [] : [[field.name, binning] as const];
    }),
  );
  let steps: Generator<void, CountIndex> | null = buildCountIndex(collection, binnings);
  let index: CountIndex | null = null;
  return {
    binnings,
    shapes: new Map(),
    step() {
      const next = steps?.next();
      if (next?.done) {
        index = next.value;
        // It would hold the collection's texts.
        steps = null;
      }
      return index;
    },
  };
}

/** A step between requests, so that the first one with conditions finds the index built. */
function finishLater(step: Known['step']): void {
  const next = (): void => {
    if (step() === null) setImmediate(next);
  };
  setImmediate(next);
}

function compute(collection: Collection, query: Query, sets: readonly RowSet[], { binnings, step }: Known): Survey {
  const isWhole = query.text === null && query.filters.length === 0;
  const counted = isWhole ? null : matchesIn(built(step), collection, query, sets);
  const distributions: Distribution[] = [];
  const frequencies: Frequencies[] = [];
  for (const field of collection.model.fields) {
    const binning = binnings.get(field.name);
    const index = collection.values.get(field.name);
    if (field.filter?.kind === 'range' && binning) {
      const counts = counted?.binCounts(field) ?? binning.bins.map(({ count }) => count);
      distributions.push({ field, binning, counts });
    } else if (field.filter?.kind === 'value' && index) {
      const values = counted?.topValues(field, index) ?? topOfAll(index, MAX_VALUES);
      const isRepeated = index.rowCodes.length > valueCount(index);
      frequencies.push({ field, values, distinct: valueCount(index), isRepeated });
    }
  }
  return { shape: { distributions, frequencies }, matching: counted?.matching ?? null };
}

/** A set of so small a part of the rows leads faster to what matches than the table does. */
const NARROW = 1 / 128;

/** What matches several broad filters, for another page of a shape that is kept; null where something else is faster: a search keeps it. */
function matchingOf({ step }: Known, collection: Collection, query: Query, sets: readonly RowSet[]): Matching | null {
  const isNarrow = sets.some(({ count }) => count < collection.size * NARROW);
  if (query.text !== null || sets.length < 2 || isNarrow) return null;
  const { table } = built(step);
  return matchingIn(table, queryMatches(table, collection, query, sets).all);
}

const matchingIn = (table: BitTable, matches: Matches): Matching | null =>
  matches && { bits: table.bitsOf(matches.set), count: matches.count };

function built(step: Known['step']): CountIndex {
  for (;;) {
    const index = step();
    if (index !== null) return index;
  }
}

/** Counts what a query's conditions let pass, for each field without its own. */
function matchesIn({ table, fields }: CountIndex, collection: Collection, query: Query, sets: readonly RowSet[]) {
  const { all, but } = queryMatches(table, collection, query, sets);
  return {
    matching: matchingIn(table, all),
    binCounts({ name }: Field): ArrayLike<number> | null {
      const groups = fields.get(name);
      return groups === undefined ? null : groupCounts(table, groups, but(name));
    },
    topValues({ name }: Field, values: ValueIndex): readonly ValueCount[] | null {
      const groups = fields.get(name);
      return groups === undefined ? null : topValues(table, groups, values, but(name), MAX_VALUES);
    },
  };
}
