/** The values of a field among the records that match, with how many of them have each. */
import type { Collection } from '../store/collection.js';
import { valueAt } from '../store/value-index.js';
import { Conditions } from './conditions.js';
import { countGroups, groupsOfValues } from './counter.js';
import type { Query } from './query.js';

export interface Facet {
  readonly name: string;
  readonly count: number;
}

/** Biggest first, then by name; names are spelt as the snapshot first does. */
export function facetsOf(collection: Collection, field: string, query: Query): readonly Facet[] {
  const index = collection.values.get(field);
  if (index === undefined) throw new Error(`${field} is not indexed by value`);
  const counts = countGroups(groupsOfValues(index), new Conditions(collection, query).all, collection.size);
  const { compare } = new Intl.Collator('en');
  return Array.from(counts, (count, code) => ({ count, code }))
    .filter(({ count }) => count > 0)
    .map(({ count, code }) => ({ name: valueAt(index, code), count }))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name));
}
