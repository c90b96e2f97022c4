/** The values of a field among the records that match, with how many of them have each. */
import type { RowSet } from '../row-set.js';
import type { Collection } from '../store/collection.js';
import { codesBeginning, hasLaterWord, type ValueIndex } from '../store/value-index.js';
import { fold } from '../text.js';
import { countGroups, groupsOfValues, topValues, type ValueCount } from './counter.js';

interface Wanted {
  readonly beginning?: string;
  /** Where a value begins so, or only a later word of it does. */
  readonly begins?: 'value' | 'later word';
  readonly limit?: number;
}

/**
 * The first `limit` of those that begin with a text, case and accents aside; biggest first, then by the bytes of their folded
 * name, spelt as the snapshot first does. `matching` are the records that are counted; null stands for all.
 */
export function facetsOf(
  collection: Collection,
  field: string,
  matching: RowSet | null,
  { beginning = '', begins = 'value', limit = Number.POSITIVE_INFINITY }: Wanted = {},
): readonly ValueCount[] {
  const index = collection.values.get(field);
  if (index === undefined) throw new Error(`${field} is not indexed by value`);
  const counts = countGroups(groupsOfValues(index), matching, collection.size);
  const first = codesBeginning(index, beginning);
  if (begins === 'value') return topValues(index, counts, limit, first);
  return topValues(index, withLaterWord(index, counts, beginning, first), limit);
}

/** The counts of values of which a later word begins with a text; those that begin so themselves stand from one code to another. */
function withLaterWord(
  index: ValueIndex,
  counts: Uint32Array,
  beginning: string,
  [from, to]: readonly [number, number],
): Uint32Array {
  const folded = Buffer.from(fold(beginning));
  return counts.map((count, code) =>
    count > 0 && (code < from || code >= to) && hasLaterWord(index, code, folded) ? count : 0,
  );
}
