/** The values of a field among the records that match, with how many of them have each. */
import type { RowSet } from '../row-set.js';
import type { Collection } from '../store/collection.js';
import { codesBeginning } from '../store/value-index.js';
import { countGroups, groupsOfValues, topValues, type ValueCount } from './counter.js';

/**
 * The first `limit` of those that begin with a text, case and accents aside; biggest first, then by the bytes of their folded
 * name, spelt as the snapshot first does. `matching` are the records that are counted; null stands for all.
 */
export function facetsOf(
  collection: Collection,
  field: string,
  matching: RowSet | null,
  { beginning = '', limit = Number.POSITIVE_INFINITY }: { readonly beginning?: string; readonly limit?: number } = {},
): readonly ValueCount[] {
  const index = collection.values.get(field);
  if (index === undefined) throw new Error(`${field} is not indexed by value`);
  const counts = countGroups(groupsOfValues(index), matching, collection.size);
  return topValues(index, counts, limit, codesBeginning(index, beginning));
}
