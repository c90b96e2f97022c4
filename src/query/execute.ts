/**
 * Query × Collection → rows and the exact total. How it is computed is chosen per query:
 * - no condition: the page is read from the permutation, whatever its depth;
 * - one range, sorted by its own field: the page is read from a run of that permutation;
 * - a text, unless another order is asked for: the search ranks, among the rows that the filters let pass;
 * - else the page of the rows that match is sorted where they are few, or found by walking the asked order, for a bounded
 *   number of steps; else by counting keys.
 */

import { membersAt } from '../bits.js';
import type { RowSet } from '../row-set.js';
import type { Collection } from '../store/collection.js';
import { positionAt, type SortOrder } from '../store/sort-order.js';
import { boostBy } from './boost.js';
import { Conditions, type Run } from './conditions.js';
import type { Page, Paging, Query } from './query.js';
import { sortBits, sortRows, wholeOrder } from './sorted-rows.js';

/** The rows of one page; past the last page they are none. `conditions` are those of the query. */
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
  const [only, ...others] = conditions.filters;
  if (text === null && others.length === 0 && only?.run && only.run.order === order) {
    const { count } = only.set;
    return { rows: pageOfRun(only.run, descending, from, Math.min(to, count)), total: count };
  }
  const matching = conditions.all;
  if (matching === null) return { rows: pageOfAll(size, order, descending, from, to), total: size };
  const rows = pageOfSet(matching, walkOf(size, order, descending, conditions), from, to);
  return { rows, total: matching.count };
}

/** Every row that matches, in the asked order: what a page is a part of. */
export const executeWhole = (collection: Collection, query: Query): Uint32Array =>
  Uint32Array.from(execute(collection, query, { page: 1, limit: Math.max(1, collection.size) }).rows);

function pageOfAll(size: number, order: SortOrder | null, descending: boolean, from: number, to: number) {
  if (order !== null) return wholeOrder(order, descending)(from, to);
  // A typed array costs more than the rest of the page's query.
  const rows: number[] = [];
  for (let row = from, end = Math.min(to, size); row < end; row++) rows.push(row);
  return rows;
}

/** A run of the order that is asked for holds only rows with a value, so backwards it is read from its end. */
function pageOfRun(run: Run, descending: boolean, from: number, end: number): Uint32Array {
  if (from >= end) return new Uint32Array(0);
  if (!descending) return run.order.rows.subarray(run.from + from, run.from + end);
  return run.order.rows.slice(run.to - end, run.to - from).reverse();
}

/** The steps of a walk that cost about as much as counting the keys of very many matches, or as sorting one of a few. */
const MAX_WALK_STEPS = 50_000;
const STEPS_PER_SORTED_ROW = 8;

/** The rows in the asked order, as far as any of them can match. */
interface Walk {
  readonly order: SortOrder | null;
  readonly descending: boolean;
  readonly length: number;
  readonly rowAt: (i: number) => number;
}

/** A condition on the field that is sorted by bounds the walk to its run; it leaves no row without a value. */
function walkOf(size: number, order: SortOrder | null, descending: boolean, { filters }: Conditions): Walk {
  if (order === null) return { order, descending, length: size, rowAt: (i) => i };
  const { rows, valued } = order;
  const run = filters.find((filter) => filter.run?.order === order)?.run;
  if (!run) return { order, descending, length: size, rowAt: (i) => rows[positionAt(i, valued, descending)]! };
  const [first, step] = descending ? [run.to - 1, -1] : [run.from, 1];
  return { order, descending, length: run.to - run.from, rowAt: (i) => rows[first + i * step]! };
}

function pageOfSet(matching: RowSet, walk: Walk, from: number, to: number): Uint32Array {
  const { order, descending } = walk;
  const { count } = matching;
  const end = Math.min(to, count);
  if (from >= end) return new Uint32Array(0);
  const expectedSteps = end * (walk.length / count);
  const isWalked = expectedSteps < Math.min(count * STEPS_PER_SORTED_ROW, MAX_WALK_STEPS);
  const walked = isWalked ? takeMatching(matching, walk, from, end) : null;
  if (walked !== null) return walked;
  if (matching.isSparse) {
    return order === null ? matching.rows.subarray(from, end) : sortRows(matching.rows, order, descending)(from, end);
  }
  if (order === null) return membersAt(matching.bits, from, end);
  return sortBits(matching.bits, count, order, descending)(from, end);
}

/** Walks until the page is full; null where that takes too long, as when all matches stand at the far end. */
function takeMatching(matching: RowSet, { length, rowAt }: Walk, from: number, end: number): Uint32Array | null {
  const rows = new Uint32Array(end - from);
  const steps = Math.min(length, 2 * MAX_WALK_STEPS);
  for (let i = 0, seen = 0; i < steps; i++) {
    const row = rowAt(i);
    if (!matching.has(row)) continue;
    if (seen >= from) rows[seen - from] = row;
    if (++seen === end) return rows;
  }
  return null;
}
