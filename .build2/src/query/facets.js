import { valueAt } from '../store/value-index.js';
import { conditionsOf, countGroups, groupsOfValues } from './counter.js';
import { rowSetsOf } from './execute.js';
/** Biggest first, then by name; names are spelt as the snapshot first does. */
export function facetsOf(collection, field, query) {
    const index = collection.values.get(field);
    if (index === undefined)
        throw new Error(`${field} is not indexed by value`);
    const { all } = conditionsOf(collection, query, rowSetsOf(collection, query));
    const counts = countGroups(groupsOfValues(index), all, collection.size);
    const { compare } = new Intl.Collator('en');
    return Array.from(counts, (count, code) => ({ count, code }))
        .filter(({ count }) => count > 0)
        .map(({ count, code }) => ({ name: valueAt(index, code), count }))
        .sort((a, b) => b.count - a.count || compare(a.name, b.name));
}
