/**
 * The shape of what a query finds: bins of every numeric field and the most frequent values of every other filtered
 * one, each under all of the query's conditions but its own, so that one can see what another choice would give. Of a whole
 * collection it costs a binary search per bin; of a part, a pass over the rows that match for each field. Kept per set of conditions for as
 * long as the dataset is served.
 */
import { createBits } from '../../bits.js';
import type { Field } from '../../model.js';
import type { Query } from '../../query/query.js';
import type { Collection } from '../../store/collection.js';
import { type ValueIndex, valueCount } from '../../store/value-index.js';
import { type Binning, binningOf } from './binning.js';
import { type Matches, matchesOf, tally } from './matches.js';
import { codesByCount, topValues, type ValueCount } from './top-values.js';

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

export interface Shapes {
  readonly shapeOf: (collection: Collection, query: Query) => Shape;
  /** Bins of one field of the whole collection; null where it has none. */
  readonly binningOf: (collection: Collection, field: Field) => Binning | null;
}

/** Shapes kept for one collection; past it all are dropped. */
const MAX_KEPT = 256;
export const MAX_VALUES = 40;

interface Known {
  readonly binnings: Map<string, Binning | null>;
  /** Per field, the bin of each row: made when a part of the rows is first counted. */
  readonly binOfRow: Map<string, Uint8Array>;
  /** Per field, the codes of its values, the most frequent first. */
  readonly byCount: Map<string, Uint32Array>;
  readonly shapes: Map<string, Shape>;
}

export function createShapes(): Shapes {
  const collections = new WeakMap<Collection, Known>();

  function knownOf(collection: Collection): Known {
    const found = collections.get(collection);
    if (found !== undefined) return found;
    const known: Known = { binnings: new Map(), binOfRow: new Map(), byCount: new Map(), shapes: new Map() };
    collections.set(collection, known);
    return known;
  }

  function binning(collection: Collection, field: Field): Binning | null {
    const { binnings } = knownOf(collection);
    const found = binnings.get(field.name);
    if (found !== undefined) return found;
    const column = collection.columns.get(field.name);
    const order = collection.orders.get(field.name);
    const made = column && order ? binningOf(field, column, order) : null;
    binnings.set(field.name, made);
    return made;
  }

  function binsByRow(collection: Collection, field: Field, { bins }: Binning): Uint8Array {
    const { binOfRow } = knownOf(collection);
    const made = binOfRow.get(field.name) ?? spread(collection, field, bins);
    binOfRow.set(field.name, made);
    return made;
  }

  function codesOf(collection: Collection, field: Field, index: ValueIndex): Uint32Array {
    const { byCount } = knownOf(collection);
    const made = byCount.get(field.name) ?? codesByCount(index);
    byCount.set(field.name, made);
    return made;
  }

  function compute(collection: Collection, query: Query): Shape {
    const matchesBut = createMatchFinder(collection, query);
    const { fields } = collection.model;
    return {
      distributions: fields.flatMap((field) => {
        const cut = field.filter?.kind === 'range' ? binning(collection, field) : null;
        if (cut === null) return [];
        const matches = matchesBut(field.name);
        const counts =
          matches === null
            ? cut.bins.map(({ count }) => count)
            : tally(binsByRow(collection, field, cut), cut.bins, matches);
        return [{ field, binning: cut, counts }];
      }),
      frequencies: fields.flatMap((field) => {
        const index = field.filter?.kind === 'value' ? collection.values.get(field.name) : undefined;
        if (index === undefined) return [];
        const values = topValues(index, () => codesOf(collection, field, index), matchesBut(field.name), MAX_VALUES);
        return [{ field, values, distinct: valueCount(index), isRepeated: index.rowCodes.length > valueCount(index) }];
      }),
    };
  }

  return {
    binningOf: binning,
    shapeOf(collection, query) {
      const { shapes } = knownOf(collection);
      const key = JSON.stringify([query.text, query.filters]);
      const found = shapes.get(key);
      if (found !== undefined) return found;
      const shape = compute(collection, query);
      if (shapes.size >= MAX_KEPT) shapes.clear();
      shapes.set(key, shape);
      return shape;
    },
  };
}

/** What matches all conditions but those of one field; found once for all fields that have none. */
function createMatchFinder(collection: Collection, query: Query): (field: string) => Matches {
  let common: Matches | undefined;
  return (field) => {
    if (query.filters.some((filter) => filter.field === field)) {
      return matchesOf(collection, { ...query, filters: query.filters.filter((filter) => filter.field !== field) });
    }
    if (common === undefined) common = matchesOf(collection, query);
    return common;
  };
}

const NO_BIN = 255;

/** The bins are runs of the sort order. There is one for every bit of a set of rows, also for the last word's spare ones. */
function spread(collection: Collection, { name }: Field, bins: Binning['bins']): Uint8Array {
  const binOfRow = new Uint8Array(createBits(collection.size).length * 32).fill(NO_BIN);
  const rows = collection.orders.get(name)?.rows ?? new Uint32Array(0);
  let position = 0;
  bins.forEach(({ count }, bin) => {
    for (const end = position + count; position < end; position++) binOfRow[rows[position]!] = bin;
  });
  return binOfRow;
}
