/**
 * Where a record stands in the view it was opened from, and what stands beside it. The address carries the page it
 * was found on, so that looks at one page, and at another only from its edge; a whole view is searched where the page
 * does not hold the record.
 */
import { execute, executeWhole } from '../../../query/execute.js';
import { withValue } from '../frame/address.js';
/** Null where the view does not hold the record. */
export function placeOf(view, row) {
    const { collection, query, paging } = view;
    const { rows, total } = execute(collection, query, paging);
    const onPage = Array.prototype.indexOf.call(rows, row);
    const index = onPage >= 0 ? (paging.page - 1) * paging.limit + onPage : indexInWhole(view, row);
    if (index < 0)
        return null;
    const rowAt = (at) => {
        const first = (paging.page - 1) * paging.limit;
        if (at >= first && at < first + rows.length)
            return rows[at - first];
        return at < 0 ? undefined : execute(collection, query, { page: at + 1, limit: 1 }).rows[0];
    };
    const pairsAt = (at) => {
        const page = Math.floor(at / paging.limit) + 1;
        return withValue(view.pairs, 'page', page === 1 ? null : page);
    };
    const neighbour = (at) => {
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
/** In snapshot order the row is the index. */
function indexInWhole({ collection, query }, row) {
    const isWhole = query.text === null && query.filters.length === 0 && query.sort === null;
    return isWhole ? row : executeWhole(collection, query).indexOf(row);
}
