/**
 * Where a record stands in the view it was opened from, and what stands beside it. The address carries the page it
 * was found on, so that looks at one page, and at another only from its edge; a whole view is searched where the page
 * does not hold the record, of hits by relevance the first ones.
 */
import { execute, executeWhole } from '../../../query/execute.js';
import type { Pairs } from '../frame/address.js';
import { withValue } from '../frame/address.js';
import type { View } from '../list/view.js';

export interface Place {
  /** From 1, in the whole view. */
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

/** Null where the view does not hold the record. */
export function placeOf(view: View, row: number): Place | null {
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
    const found = rowAt(at);
    return found === undefined ? null : { row: found, pairs: pairsAt(at) };
  };
  return {
    position: index + 1,
    total,
    previous: neighbour(index - 1),
    next: neighbour(index + 1),
    pairs: pairsAt(index),
  };
}

/** Hits by relevance among which a record is looked for: to rank all of them takes long. */
const MAX_RANKED = 1000;

/** In snapshot order the row is the index. */
function indexInWhole({ collection, query }: View, row: number): number {
  const { text, filters, sort } = query;
  if (text === null && filters.length === 0 && sort === null) return row;
  if (text === null || sort !== null) return executeWhole(collection, query).indexOf(row);
  return Array.prototype.indexOf.call(execute(collection, query, { page: 1, limit: MAX_RANKED }).rows, row);
}
