/** The conditions of a query, each as the set of rows that it lets pass. */
import { countBits, intersect } from '../bits.js';
import type { Field } from '../model.js';
import { inAll, type RowSet } from '../row-set.js';
import type { RowFilter, TextOptions } from '../search/search.js';
import type { Collection } from '../store/collection.js';
import { rowsOfFilter } from './filter-rows.js';
import { operatorIn } from './operators.js';
import type { Query, QueryFilter } from './query.js';

export interface Condition {
  /**
   * The field of the condition. Its values are counted without the condition, to show the results that another value would
   * have. Null for the text, and for conditions that narrow these counts too: all of several values, excluded or missing ones, parts.
   */
  readonly field: string | null;
  readonly set: RowSet;
}

/** The row sets of a query's conditions. Null stands for every row. `all` is computed once, when it is first read. */
export class Conditions {
  readonly filters: readonly Condition[];
  /** The key of the filters in caches. */
  readonly key: string;
  readonly #collection: Collection;
  readonly #text: string | null;
  readonly #textOptions: TextOptions;
  #all: RowSet | null | undefined;

  constructor(collection: Collection, { text, textOptions, filters }: Query) {
    this.#collection = collection;
    this.#text = text;
    this.#textOptions = textOptions;
    this.key = JSON.stringify(filters);
    this.filters = filters.map((filter) => conditionOf(collection, filter));
  }

  /** The filters as the search index takes them. */
  get filter(): RowFilter | undefined {
    const { filters, key } = this;
    const rows = (): RowSet => inAll(setsOf(filters), this.#collection.size);
    return filters.length === 0 ? undefined : { key, rows };
  }

  /** The rows that meet all conditions. */
  get all(): RowSet | null {
    if (this.#all === undefined) this.#all = this.#rowsWithin(this.#allConditions());
    return this.#all;
  }

  /** The rows that meet all conditions except those on a field. */
  but(field: string): RowSet | null {
    const every = this.#allConditions();
    const remaining = every.filter((condition) => condition.field !== field);
    return remaining.length === every.length ? this.all : this.#rowsWithin(remaining);
  }

  #allConditions(): readonly Condition[] {
    if (this.#text === null) return this.filters;
    return [...this.filters, { field: null, set: this.#collection.search.matching(this.#text, this.#textOptions) }];
  }

  #rowsWithin(conditions: readonly Condition[]): RowSet | null {
    return conditions.length === 0 ? null : inAll(setsOf(conditions), this.#collection.size);
  }
}

/** How many of the records that meet all conditions have a value of a field. */
export function valuedAmong({ missing, size }: Collection, { name }: Field, { all }: Conditions): number {
  const lacking = missing.get(name);
  if (all === null) return size - (lacking?.count ?? 0);
  return lacking === undefined ? all.count : all.count - countBits(intersect(all.bits, lacking.bits));
}

const setsOf = (conditions: readonly Condition[]): readonly RowSet[] => conditions.map(({ set }) => set);

const conditionOf = (collection: Collection, filter: QueryFilter): Condition => ({
  field: operatorIn(filter)?.isChoice && filter.match === 'any' ? filter.field : null,
  set: rowsOfFilter(collection, filter),
});
