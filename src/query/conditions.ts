/** The conditions of a query, each as the set of rows that it lets pass. */
import { addAll, ascending, createBits, setAll, setBit } from '../bits.js';
import { inAll, RowSet } from '../row-set.js';
import type { Filter, TextOptions } from '../search/search.js';
import type { Collection } from '../store/collection.js';
import { idOfRow, rowOfId } from '../store/ids.js';
import { type NumberColumn, placeAbove, placeFrom } from '../store/number-column.js';
import { positionOfKey } from '../store/sort-order.js';
import { codesHaving, codesOfValue, rowsOfCode, type ValueIndex } from '../store/value-index.js';
import type { Interval, Query, QueryFilter } from './query.js';

export interface Condition {
  /**
   * The field of the condition. Its values are counted without the condition, to show the results that another value would
   * have. Null for the text, for a condition on all of several values, and for missing values: these also narrow counts.
   */
  readonly field: string | null;
  readonly set: RowSet;
}

/** The row sets of a query's conditions. Null stands for every row. Each set is computed once, when it is first read. */
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
  get filter(): Filter | undefined {
    const { filters, key } = this;
    const rows = (): RowSet => inAll(setsOf(filters), this.#collection.size);
    return filters.length === 0 ? undefined : { key, rows };
  }

  /** The rows that meet all conditions. */
  get all(): RowSet | null {
    if (this.#all === undefined) this.#all = this.#within(this.#every());
    return this.#all;
  }

  /** The rows that meet all conditions except those on a field. */
  but(field: string): RowSet | null {
    const every = this.#every();
    const remaining = every.filter((condition) => condition.field !== field);
    return remaining.length === every.length ? this.all : this.#within(remaining);
  }

  #every(): readonly Condition[] {
    if (this.#text === null) return this.filters;
    return [...this.filters, { field: null, set: this.#collection.search.matching(this.#text, this.#textOptions) }];
  }

  #within(conditions: readonly Condition[]): RowSet | null {
    return conditions.length === 0 ? null : inAll(setsOf(conditions), this.#collection.size);
  }
}

const setsOf = (conditions: readonly Condition[]): readonly RowSet[] => conditions.map(({ set }) => set);

function conditionOf(collection: Collection, filter: QueryFilter): Condition {
  const { field } = filter;
  if (filter.kind === 'not')
    return { field: null, set: allBut(conditionOf(collection, filter.filter).set, collection.size) };
  if (filter.kind === 'range') return { field, set: rowsWithin(collection, field, filter) };
  if (filter.kind === 'equals') {
    const sets = filter.intervals.map((interval) => rowsWithin(collection, field, interval));
    return { field, set: inAny(sets, collection.size) };
  }
  if (filter.kind === 'missing') {
    const missing = collection.missing.get(field);
    if (missing === undefined) throw new Error(`${field} is missing in no record`);
    return { field: null, set: RowSet.ofBits(missing.bits, missing.count) };
  }
  const index = collection.values.get(field);
  if (index === undefined) throw new Error(`${field} is not indexed by value`);
  if (filter.kind === 'like') {
    const codes = codesHaving(index, filter.part);
    return {
      field: null,
      set: inAny(
        codes.map((code) => RowSet.ofRows(rowsOfCode(index, code), collection.size)),
        collection.size,
      ),
    };
  }
  const sets = distinctCodes(index, filter.values).map((codes) => rowsWith(index, codes, collection.size));
  if (filter.match === 'all') return { field: null, set: inAll(sets, collection.size) };
  return { field, set: inAny(sets, collection.size) };
}

function columnOf({ columns }: Collection, field: string): NumberColumn {
  const column = columns.get(field);
  if (column === undefined) throw new Error(`${field} has no column`);
  return column;
}

/** The rows whose number, date or id is in an interval. */
const rowsWithin = (collection: Collection, field: string, { min, max }: Interval): RowSet =>
  field === ID_NAME ? rowsOfIds(collection, min, max) : rowsInRange(columnOf(collection, field), min, max);

const ID_NAME = 'id';

/** Ids have no order of their own: one is looked up, and all are gone through for a range. */
function rowsOfIds({ ids, size }: Collection, min: number, max: number): RowSet {
  if (min === max) {
    const row = rowOfId(ids, min);
    return RowSet.ofRows(Uint32Array.from(row < 0 ? [] : [row]), size);
  }
  const bits = createBits(size);
  for (let row = 0; row < size; row++) {
    const id = idOfRow(ids, row);
    if (id >= min && id <= max) setBit(bits, row);
  }
  return RowSet.ofBits(bits);
}

/** The rows that are not in a set. */
function allBut(set: RowSet, size: number): RowSet {
  const bits = createBits(size);
  for (let word = 0; word < bits.length; word++) bits[word] = ~set.bits[word]!;
  // Bits beyond the last row stand for none.
  if (size % 32 !== 0) bits[bits.length - 1]! &= (1 << (size % 32)) - 1;
  return RowSet.ofBits(bits, size - set.count);
}

/** The rows whose number is in [min, max]: their keys are a run of numbers, and the rows are a run of the sort order. */
function rowsInRange(column: NumberColumn, min: number, max: number): RowSet {
  const { order } = column;
  const { keys } = order;
  const first = placeFrom(column, min);
  const keyCount = Math.max(0, placeAbove(column, max) - first);
  const from = positionOfKey(order, first);
  const to = positionOfKey(order, first + keyCount);
  return new RowSet(keys.length, to - from, {
    bits() {
      const bits = createBits(keys.length);
      setAll(bits, order.rows.subarray(from, to));
      return bits;
    },
    rows: () => ascending(order.rows.subarray(from, to), keys.length),
    has: (row) => (keys[row]! - first) >>> 0 < keyCount,
  });
}

/** The union of row sets. */
function inAny(sets: readonly RowSet[], size: number): RowSet {
  const [only, ...others] = sets;
  if (only !== undefined && others.length === 0) return only;
  const bits = createBits(size);
  for (const set of sets) {
    if (set.isSparse) setAll(bits, set.rows);
    else addAll(bits, set.bits);
  }
  return RowSet.ofBits(bits);
}

/** The codes of each value, which may be a whole text of several; those of equal values once. */
function distinctCodes(index: ValueIndex, values: readonly string[]): readonly (readonly number[])[] {
  const byKey = new Map(values.map((value) => codesOfValue(index, value)).map((codes) => [codes.join(), codes]));
  return [...byKey.values()];
}

/** The rows that have all of these codes; none where an unknown value has no code. */
function rowsWith(index: ValueIndex, codes: readonly number[], size: number): RowSet {
  const sets = codes.map((code) => RowSet.ofRows(rowsOfCode(index, code), size));
  return sets.length === 0 ? RowSet.ofRows(new Uint32Array(0), size) : inAll(sets, size);
}
