/**
 * Query × Collection → rows and the exact total. How it is computed is chosen per query:
 * - no condition: the page is read from the permutation, whatever its depth;
 * - one range, sorted by its own field: the page is read from a run of that permutation;
 * - one broad condition: rows are walked in the asked order until the page is full, for a bounded number of steps;
 * - else the narrowest condition (or the search hits) leads, the others sift its rows, and the page is picked from
 *   what is left by rank.
 */
import type { Collection } from '../store/collection.js';
import { positionAt, type SortOrder } from '../store/sort-order.js';
import type { Page, Paging, Query } from './query.js';
import { type RowSet, rowSet } from './row-set.js';
import { sortRows, wholeOrder } from './sorted-rows.js';

/** The rows of one page; past the last page they are none. */
export function execute(collection: Collection, query: Query, { page, limit }: Paging): Page {
  const from = (page - 1) * limit;
  const to = from + limit;
  const sets = query.filters.map((filter) => rowSet(collection, filter));
  const order = orderOf(collection, query);
  if (query.text !== null && order === null) return mostRelevant(collection, query.text, sets, from, to);
  const [only, ...others] = sets;
  if (query.text === null && only !== undefined && others.length === 0) {
    const rows = pageOfOne(collection.size, only, order, query.descending, from, to);
    if (rows !== null) return { rows, total: only.count };
  }
  const matches = matchesOf(collection, query.text, sets);
  if (matches === null)
    return { rows: everyRow(collection.size, order, query.descending)(from, to), total: collection.size };
  const rows = order === null ? matches.subarray(from, to) : sortRows(matches, order, query.descending)(from, to);
  return { rows, total: matches.length };
}

/** Every row that matches, in the asked order: what a page is a part of. */
export function executeWhole(collection: Collection, query: Query): Uint32Array {
  return Uint32Array.from(execute(collection, query, { page: 1, limit: Math.max(1, collection.size) }).rows);
}

/** Every row that matches, ascending, or null where every row does. */
export const matchingRows = (collection: Collection, { text, filters }: Query): Uint32Array | null =>
  matchesOf(
    collection,
    text,
    filters.map((filter) => rowSet(collection, filter)),
  );

const orderOf = (collection: Collection, { sort }: Query): SortOrder | null =>
  sort === null ? null : (collection.orders.get(sort) ?? null);

function everyRow(size: number, order: SortOrder | null, descending: boolean) {
  if (order !== null) return wholeOrder(order, descending);
  return (from: number, to: number) =>
    Uint32Array.from({ length: Math.max(0, Math.min(to, size) - from) }, (_, i) => from + i);
}

/** Search hits by relevance; conditions sift the ranked hits, which keeps their order. */
function mostRelevant(
  { search, size }: Collection,
  text: string,
  sets: readonly RowSet[],
  from: number,
  to: number,
): Page {
  if (sets.length === 0) {
    const { rows, total } = search.search(text, Math.min(to, size));
    return { rows: Array.prototype.slice.call(rows, from, to), total };
  }
  const ranked = Uint32Array.from(search.search(text, size).rows);
  const kept = ranked.filter((row) => sets.every((set) => set.has(row)));
  return { rows: kept.subarray(from, to), total: kept.length };
}

function matchesOf(collection: Collection, text: string | null, sets: readonly RowSet[]): Uint32Array | null {
  const narrowestFirst = [...sets].sort((a, b) => a.count - b.count);
  if (text !== null) return narrowestFirst.reduce((rows, set) => set.keep(rows), collection.search.match(text));
  const [narrowest, ...others] = narrowestFirst;
  return narrowest === undefined ? null : others.reduce((rows, set) => set.keep(rows), narrowest.rows());
}

/**
 * The steps of a walk that may cost as much as collecting the rows that match. Beyond it, and where the rows that match
 * stand at the far end of the asked order, collecting them is the better way.
 */
const WALK_STEPS = 20_000;

/** One condition's page without collecting all its rows, or null where that would not be cheap. */
function pageOfOne(
  size: number,
  set: RowSet,
  order: SortOrder | null,
  descending: boolean,
  from: number,
  to: number,
): Uint32Array | null {
  const end = Math.min(to, set.count);
  if (from >= end) return new Uint32Array(0);
  if (order !== null && set.run?.order === order) return pageOfRun(set.run, descending, from, end);
  const expectedSteps = end * (size / set.count);
  return expectedSteps > WALK_STEPS ? null : walk(size, set, order, descending, from, end);
}

/** A run of the order that is asked for holds only rows with a value, so backwards it is read from its end. */
function pageOfRun(
  { order, from: first, to: last }: NonNullable<RowSet['run']>,
  descending: boolean,
  from: number,
  end: number,
) {
  if (!descending) return order.rows.subarray(first + from, first + end);
  return order.rows.slice(last - end, last - from).reverse();
}

function walk(size: number, set: RowSet, order: SortOrder | null, descending: boolean, from: number, end: number) {
  const rows = new Uint32Array(end - from);
  const steps = Math.min(size, WALK_STEPS * 2);
  for (let i = 0, seen = 0; i < steps; i++) {
    const row = order === null ? i : order.rows[positionAt(i, order.valued, descending)]!;
    if (!set.has(row)) continue;
    if (seen >= from) rows[seen - from] = row;
    if (++seen === end) return rows;
  }
  return null;
}
