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
import { keptIn, memoize } from '../../memoize.js';
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

/** Shapes kept for one collection; past it all are dropped. */
const MAX_KEPT = 256;
export const MAX_VALUES = 40;

/** What is known of one collection. */
interface Known {
  readonly binnings: Map<string, Binning | null>;
  readonly shapes: Map<string, Shape>;
  /** What a field's rows are counted by, put together when it is first needed: of a million rows that takes milliseconds. */
  readonly groups: Map<string, Groups>;
}

/** By what a collection and the same one with compact texts share. */
const knownOf = memoize((_ids: Collection['ids']): Known => {
  return { binnings: new Map(), shapes: new Map(), groups: new Map() };
});

/** Bins of one field of the whole collection; null where it has none. */
function binningIn({ ids, columns }: Collection, field: Field): Binning | null {
  return keptIn(knownOf(ids).binnings, field.name, () => {
    const column = columns.get(field.name);
    return column === undefined ? null : binningOf(field, column);
  });
}

/** Digits after the point that a field's values have. */
export const decimalsOf = (collection: Collection, field: Field): number => binningIn(collection, field)?.decimals ?? 0;

/** `conditions` are those of the query. */
export function shapeOf(
  collection: Collection,
  query: Query,
  conditions: Conditions = new Conditions(collection, query),
): Shape {
  const { shapes } = knownOf(collection.ids);
  const key = JSON.stringify([query.text, query.textOptions, query.filters]);
  if (shapes.size >= MAX_KEPT && !shapes.has(key)) shapes.clear();
  return keptIn(shapes, key, () => compute(collection, conditions));
}

function compute(collection: Collection, conditions: Conditions): Shape {
  const { ids, model, orders, values, size } = collection;
  const { groups } = knownOf(ids);
  const distributions: Distribution[] = [];
  const frequencies: Frequencies[] = [];
  const countsOf = (field: string, make: () => Groups): Uint32Array =>
    countGroups(keptIn(groups, field, make), conditions.but(field), size);
  for (const field of model.fields) {
    const { name, filter } = field;
    const [binning, order, index] = [binningIn(collection, field), orders.get(name), values.get(name)];
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
