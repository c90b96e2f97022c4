/**
 * Which rows does a query find, in which order?
 * Takes: a query, a page and a collection.
 * Gives: the rows of that page, and the exact total. The plan depends on the query:
 * - a text, unless another order is asked for: the search ranks, among the rows that the filters let pass;
 * - no condition: the page is read from the order, whatever its depth;
 * - else the page is read from the matching rows, in the order of the query (`sorted-rows.ts`).
 * Skip: the sets of conditions (`conditions.ts`), the ranking (`search/`).
 */
import { complementOf, createBits } from '../bits.js';
import { RowSet } from '../row-set.js';
import { type Boost, MAX_BOOST } from '../search/search.js';
import type { Collection } from '../store/collection.js';
import type { SortOrder } from '../store/sort-order.js';
import { Conditions } from './conditions.js';
import type { Page, Paging, Query } from './query.js';
import { rowsInOrder, rowsInOrders, wholeOrder } from './sorted-rows.js';

/** The rows of one page; no rows past the last page. `conditions` are those of the query. */
export function execute(
  collection: Collection,
  query: Query,
  { page, limit }: Paging,
  conditions: Conditions = new Conditions(collection, query),
): Page {
  const from = (page - 1) * limit;
  const to = from + limit;
  const { text, sort, descending } = query;
  const { size, search } = collection;
  const order = sort === null ? null : (collection.orders.get(sort) ?? null);
  if (text !== null && order === null) {
    const boost = query.boost === null ? undefined : boostBy(collection, query.boost);
    const { rows, total } = search.search(text, Math.min(to, size), query.textOptions, conditions.filter, boost);
    return { rows: Array.prototype.slice.call(rows, from, to), total };
  }
  const { all: matching } = conditions;
  const total = matching?.count ?? size;
  if (order !== null && query.thenBy.length > 0) {
    const furtherOrders = query.thenBy.map((key) => ({
      order: orderBy(collection, key.field),
      descending: key.descending,
    }));
    const keys = [{ order, descending }, ...furtherOrders];
    return { rows: rowsInOrders(matching ?? allRows(size), keys, from, Math.min(to, total)), total };
  }
  if (matching === null) return { rows: pageOfAll(size, order, descending, from, to), total };
  return { rows: pageOfSet(matching, order, descending, from, to), total };
}

function orderBy({ orders }: Collection, field: string): SortOrder {
  const order = orders.get(field);
  if (order === undefined) throw new Error(`${field} has no order`);
  return order;
}

function allRows(size: number): RowSet {
  return RowSet.ofBits(complementOf(createBits(size), size), size);
}

/** Every matching row in the order of the query: the whole list of which `execute` returns a page. */
export const executeWhole = (collection: Collection, query: Query): Uint32Array =>
  Uint32Array.from(execute(collection, query, { page: 1, limit: Math.max(1, collection.size) }).rows);

function pageOfAll(size: number, order: SortOrder | null, descending: boolean, from: number, to: number) {
  if (order !== null) return wholeOrder(order, descending, from, to);
  // An array, since a typed array would take longer than the rest of the query.
  const rows: number[] = [];
  for (let row = from, end = Math.min(to, size); row < end; row++) rows.push(row);
  return rows;
}

function pageOfSet(matching: RowSet, order: SortOrder | null, descending: boolean, from: number, to: number) {
  if (order !== null) return rowsInOrder(matching, order, descending, from, to);
  const end = Math.min(to, matching.count);
  return matching.rowsAt(Math.min(from, end), end);
}

/**
 * A boost of search results by a number or a date: the higher a record's rank among the values, the greater its factor. The
 * factor ascends by equal steps, from 1 at the least value to `MAX_BOOST` at the greatest; a missing value has 1. Only the rank of a
 * value counts: ratings of 1, 4 and 5 multiply by 1, 1.25 and 1.5.
 */
export function boostBy({ columns }: Collection, field: string): Boost {
  const column = columns.get(field);
  if (column === undefined) throw new Error(`${field} has no column`);
  const { keys } = column.order;
  const missing = column.values.length - 1;
  const step = (MAX_BOOST - 1) / Math.max(1, missing - 1);
  return { key: field, factorOf: (row) => (keys[row] === missing ? 1 : 1 + keys[row]! * step) };
}
