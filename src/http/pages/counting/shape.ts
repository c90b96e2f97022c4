/**
 * The shape of what a query finds: bins of every numeric field and the most frequent values of every other filtered
 * one, each under all of the query's conditions but its own, so that one can see what another choice would give. Of a
 * whole collection it costs a binary search per bin; of a part, a look at up to half of the rows for each field. Kept per
 * set of conditions for as long as the dataset is served.
 */
import type { Field } from '../../../model.js';
import { Conditions } from '../../../query/conditions.js';
import {
  countGroups,
  type Groups,
  groupsOfBins,
  groupsOfValues,
  topValues,
  type ValueCount,
} from '../../../query/counter.js';
import type { Query } from '../../../query/query.js';
import type { Collection } from '../../../store/collection.js';
import { valueCount } from '../../../store/value-index.js';
import { type Binning, binningOf } from './binning.js';

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
  /** `conditions` are those of the query. */
  readonly shapeOf: (collection: Collection, query: Query, conditions?: Conditions) => Shape;
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
  /** What a field's rows are counted by, put together when it is first needed: of a million rows that takes milliseconds. */
  readonly groups: Map<string, Groups>;
}

export function createShapes(): Shapes {
  /** By what a collection and the same one with compact texts share. */
  const collections = new WeakMap<Collection['ids'], Known>();

  function knownOf(collection: Collection): Known {
    const found = collections.get(collection.ids);
    if (found !== undefined) return found;
    const known = know(collection);
    collections.set(collection.ids, known);
    return known;
  }

  return {
    binningOf: (collection, { name }) => knownOf(collection).binnings.get(name) ?? null,
    shapeOf(collection, query, conditions = new Conditions(collection, query)) {
      const known = knownOf(collection);
      const key = JSON.stringify([query.text, query.textOptions, query.filters]);
      const kept = known.shapes.get(key);
      if (kept !== undefined) return kept;
      const shape = compute(collection, conditions, known);
      if (known.shapes.size >= MAX_KEPT) known.shapes.clear();
      known.shapes.set(key, shape);
      return shape;
    },
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
  // The collection itself is not kept: its texts may be replaced by compact ones.
  return { binnings, shapes: new Map(), groups: new Map() };
}

function compute(collection: Collection, conditions: Conditions, { binnings, groups }: Known): Shape {
  const { model, orders, values, size } = collection;
  const distributions: Distribution[] = [];
  const frequencies: Frequencies[] = [];
  const countsOf = (field: string, make: () => Groups): Uint32Array => {
    const known = groups.get(field) ?? make();
    groups.set(field, known);
    return countGroups(known, conditions.but(field), size);
  };
  for (const field of model.fields) {
    const { name, filter } = field;
    const [binning, order, index] = [binnings.get(name), orders.get(name), values.get(name)];
    if (filter?.kind === 'range' && binning && order) {
      const totals = Uint32Array.from(binning.bins, ({ count }) => count);
      const isWhole = conditions.but(name) === null;
      const counts = isWhole ? totals : countsOf(name, () => groupsOfBins(order, totals));
      distributions.push({ field, binning, counts });
    } else if (filter?.kind === 'value' && index) {
      const distinct = valueCount(index);
      const counts = countsOf(name, () => groupsOfValues(index));
      const isRepeated = index.rowCodes.length > distinct;
      frequencies.push({ field, values: topValues(index, counts, MAX_VALUES), distinct, isRepeated });
    }
  }
  return { distributions, frequencies };
}
