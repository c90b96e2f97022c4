/**
 * The position of a record in the view that it was opened from, and its neighbours. The address holds the page number, so
 * usually one page is read, and a second one at its edges. If the page does not hold the record, the whole view is
 * searched, but only the first hits by relevance.
 */
import { execute, executeWhole } from '../../../query/execute.js';
import type { Pairs } from '../frame/address.js';
import { withValue } from '../frame/address.js';
import type { View } from '../list/view.js';

export interface Place {
  /** The record's position in the whole view, from 1. */
  readonly position: number;
  readonly total: number;
  readonly previous: Neighbour | null;
  readonly next: Neighbour | null;
  /** The view at the page that holds the record. */
  readonly pairs: Pairs;
}

export interface Neighbour {
  readonly row: number;
  readonly pairs: Pairs;
}

/** The position of a record in a view; null if the view does not hold it. */
export function placeInList(view: View, row: number): Place | null {
  const { collection, query, paging } = view;
  const { rows, total } = execute(collection, query, paging);
  const onPage = Array.prototype.indexOf.call(rows, row);
  const index = onPage >= 0 ? (paging.page - 1) * paging.limit + onPage : indexInWhole(view, row);
  if (index < 0) return null;

  const rowAt = (at: number): number | undefined => {
    const first = (paging.page - 1) * paging.limit;
    if (at >= first && at < first + rows.length) return rows[at - first];
    return at < 0 ? undefined : execute(collection, query, { page: at + 1, limit: 1 }).rows[0];
  };
  const pairsAt = (at: number): Pairs => {
    const page = Math.floor(at / paging.limit) + 1;
    return withValue(view.pairs, 'page', page === 1 ? null : page);
  };
  const neighbour = (at: number): Neighbour | null => {
    const neighbourRow = rowAt(at);
    return neighbourRow === undefined ? null : { row: neighbourRow, pairs: pairsAt(at) };
  };
  return {
    position: index + 1,
    total,
    previous: neighbour(index - 1),
    next: neighbour(index + 1),
    pairs: pairsAt(index),
  };
}

/** Hits by relevance that are searched for the record: ranking all of them takes long. */
const MAX_RANKED = 1000;

/** The record's index in the view, or -1. In snapshot order it is the row. */
function indexInWhole({ collection, query }: View, row: number): number {
  const { text, filters, sort } = query;
  if (text === null && filters.length === 0 && sort === null) return row;
  if (text === null || sort !== null) return executeWhole(collection, query).indexOf(row);
  return Array.prototype.indexOf.call(execute(collection, query, { page: 1, limit: MAX_RANKED }).rows, row);
}
