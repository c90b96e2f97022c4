/** What became of a collection's records since an earlier dataset: a page of them, and what they come to. */
import { collectionOf } from '../../model.js';
import { selectChanges } from '../../query/changes.js';
import { countsJson, entryJson, isIncomplete, pairedBy } from '../../query/changes-json.js';
import { changesQueryOf } from '../../query/changes-parameters.js';
import { pagingOf } from '../../query/request.js';
import { entryAt } from '../../store/changes/entries.js';
import { pageNumbers } from './list.js';
export const comparedCollection = ({ collections, comparisons }, { name }) => ({
    collection: collectionOf(collections, name),
    comparison: comparisons.get(name) ?? null,
});
/** Tells apart answers of one dataset that was compared with different ones. */
export const comparisonKey = ({ comparison }) => comparison === null ? '' : `since ${comparison.since.version} ${comparison.since.modifiedAt.toISOString()}`;
export function changesPage({ collection, comparison }, values, envelope) {
    const paging = pagingOf(values);
    if (comparison === null)
        return { body: bodyOf([], paging, 0, envelope, NOTHING_COMPARED), paging, total: 0 };
    const { since, changes } = comparison;
    const list = selectChanges(collection, changes, changesQueryOf(values));
    const from = (paging.page - 1) * paging.limit;
    const entries = Array.from(list.slice(from, from + paging.limit), (entry) => entryAt(collection, changes, entry));
    const summary = {
        since: { version: since.version, modifiedAt: since.modifiedAt.toISOString() },
        counts: countsJson(changes),
        pairedBy: pairedBy(changes),
        incomplete: isIncomplete(changes),
    };
    return { body: bodyOf(entries.map(entryJson), paging, list.total, envelope, summary), paging, total: list.total };
}
const NOTHING_COMPARED = {
    since: null,
    counts: { added: 0, removed: 0, changed: 0, unchanged: 0, fields: {} },
    pairedBy: [],
    incomplete: false,
};
const bodyOf = (data, paging, total, envelope, summary) => `{"data":${JSON.stringify(data)},${pageNumbers(total, paging, envelope)},${JSON.stringify(summary).slice(1)}`;
