/**
 * Query × Collection → the rows of one page and the exact total. A list in any order costs its page only; matches are
 * sorted by their ranks, which are integers, so the cost is that of the matches, never of the collection.
 */
import type { Collection } from '../store/collection.js';
import { positionAt, type SortOrder } from '../store/sort-order.js';
import { rowsOfValue } from '../store/value-index.js';
import type { Page, Paging, Query } from './query.js';

/** The rows of one page; past the last page they are none. */
export function execute(collection: Collection, query: Query, { page, limit }: Paging): Page {
  const from = (page - 1) * limit;
  const order = query.sort === null ? null : (collection.orders.get(query.sort) ?? null);
  if (query.text !== null && order === null) {
    const { rows, total } = collection.search.search(query.text, Math.min(from + limit, collection.size));
    return { rows: slice(rows, from, limit), total };
  }
  const matches = matchingRows(collection, query);
  if (matches === null) return wholeList(collection.size, order, query.descending, from, limit);
  if (order === null) return { rows: matches.subarray(from, from + limit), total: matches.length };
  return sortedMatches(matches, order, query.descending, from, limit);
}

/** Rows that match, ascending, or null where every row does. */
function matchingRows(collection: Collection, query: Query): Uint32Array | null {
  if (query.text !== null) return collection.search.match(query.text);
  if (query.value === null) return null;
  const index = collection.values.get(query.value.field);
  return (index && rowsOfValue(index, query.value.is)) ?? new Uint32Array(0);
}

function wholeList(size: number, order: SortOrder | null, descending: boolean, from: number, limit: number): Page {
  const rows: number[] = [];
  for (let i = from; i < Math.min(from + limit, size); i++) {
    rows.push(order === null ? i : order.rows[positionAt(i, order.valued, descending)]!);
  }
  return { rows, total: size };
}

function sortedMatches(matches: Uint32Array, order: SortOrder, descending: boolean, from: number, limit: number): Page {
  const ranks = matches.map((row) => order.ranks[row]!).sort();
  const valued = countBelow(ranks, order.valued);
  const rows: number[] = [];
  for (let i = from; i < Math.min(from + limit, ranks.length); i++) {
    rows.push(order.rows[ranks[positionAt(i, valued, descending)]!]!);
  }
  return { rows, total: ranks.length };
}

/** How many of the ascending numbers are below `bound`. */
function countBelow(ascending: Uint32Array, bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

const slice = (rows: ArrayLike<number>, from: number, limit: number): ArrayLike<number> =>
  Array.prototype.slice.call(rows, from, from + limit);
