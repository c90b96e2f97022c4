/**
 * Query × Collection → rows and the exact total. The plan depends on the query:
 * - no condition: the page is read from the permutation, whatever its depth;
 * - one range, sorted by its own field: the page is read from a run of that permutation;
 * - a text, unless another order is asked for: the search ranks, among the rows that the filters let pass;
 * - else few matching rows are sorted; of more, the page is read by a walk of the sort order, for a bounded number of steps;
 *   if the walk does not reach the page, by a count of keys.
 */

import { membersAt } from '../bits.js';
import type { RowSet } from '../row-set.js';
import type { Collection } from '../store/collection.js';
import { positionAt, type SortOrder } from '../store/sort-order.js';
import { boostBy } from './boost.js';
import { Conditions, type Run } from './conditions.js';
import type { Page, Paging, Query } from './query.js';
import { sortBits, sortRows, wholeOrder } from './sorted-rows.js';

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

/** Every matching row in the order of the query: the whole list of which `execute` returns a page. */
export const executeWhole = (collection: Collection, query: Query): Uint32Array =>
  Uint32Array.from(execute(collection, query, { page: 1, limit: Math.max(1, collection.size) }).rows);

function pageOfAll(size: number, order: SortOrder | null, descending: boolean, from: number, to: number) {
  if (order !== null) return wholeOrder(order, descending)(from, to);
  // An array, since a typed array would take longer than the rest of the query.
  const rows: number[] = [];
  for (let row = from, end = Math.min(to, size); row < end; row++) rows.push(row);
  return rows;
}

/** A run has no rows without a value, so in descending order it is read backwards from its end. */
function pageOfRun(run: Run, descending: boolean, from: number, end: number): Uint32Array {
  if (from >= end) return new Uint32Array(0);
  if (!descending) return run.order.rows.subarray(run.from + from, run.from + end);
  return run.order.rows.slice(run.to - end, run.to - from).reverse();
}

/** A walk of more steps takes longer than to count the matches along the order. */
const MAX_WALK_STEPS = 50_000;
/** Steps of a walk that take as long as to sort one of a few matches. */
const STEPS_PER_SORTED_ROW = 8;

/** The rows in the order of the query, without those that cannot match. */
interface Walk {
  readonly order: SortOrder | null;
  readonly descending: boolean;
  readonly length: number;
  readonly rowAt: (i: number) => number;
}

/** A condition on the sort field bounds the walk to its run, in which every row has a value. */
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
  const walked = isWalked ? walkToPage(matching, walk, from, end) : null;
  if (walked !== null) return walked;
  if (matching.isSparse) {
    return order === null ? matching.rows.subarray(from, end) : sortRows(matching.rows, order, descending)(from, end);
  }
  if (order === null) return membersAt(matching.bits, from, end);
  return sortBits(matching.bits, count, order, descending)(from, end);
}

/** Walks until the page is full; null after too many steps, for instance if all matches are at the far end. */
function walkToPage(matching: RowSet, { length, rowAt }: Walk, from: number, end: number): Uint32Array | null {
  const rows = new Uint32Array(end - from);
  const steps = Math.min(length, 2 * MAX_WALK_STEPS);
  for (let i = 0, matches = 0; i < steps; i++) {
    const row = rowAt(i);
    if (!matching.has(row)) continue;
    if (matches >= from) rows[matches - from] = row;
    if (++matches === end) return rows;
  }
  return null;
}
