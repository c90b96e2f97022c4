/** The values of a field among the matching records, each with its count. */
import type { RowSet } from '../row-set.js';
import type { Collection } from '../store/collection.js';
import { codesBeginning, hasLaterWord, type ValueIndex } from '../store/value-index.js';
import { fold } from '../text.js';
import { countGroups, groupsOfValues, topValues, type ValueCount } from './counter.js';

interface FacetOptions {
  readonly beginning?: string;
  /** Whether the value itself begins with that text, or only a later word of it. */
  readonly begins?: 'value' | 'later word';
  readonly limit?: number;
}

/**
 * The `limit` most frequent values that begin with a text, case and accents aside. Equal counts are in the order of the folded
 * names' bytes; names are spelt as first in the snapshot. Only `matching` records are counted; null stands for all.
 */
export function facetsOf(
  collection: Collection,
  field: string,
  matching: RowSet | null,
  { beginning = '', begins = 'value', limit = Number.POSITIVE_INFINITY }: FacetOptions = {},
): readonly ValueCount[] {
  const index = collection.values.get(field);
  if (index === undefined) throw new Error(`${field} is not indexed by value`);
  const counts = countGroups(groupsOfValues(index), matching, collection.size);
  const first = codesBeginning(index, beginning);
  if (begins === 'value') return topValues(index, counts, limit, first);
  return topValues(index, withLaterWord(index, counts, beginning, first), limit);
}

/** The counts of values of which only a later word begins with a text. Values that begin with it have codes in [from, to). */
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
