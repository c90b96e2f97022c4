/** The values of a field among the records that match, with how many of them have each. */
import type { RowSet } from '../row-set.js';
import type { Collection } from '../store/collection.js';
import { compareBeginning, foldedName, nameAt } from '../store/names.js';
import { fold } from '../text.js';
import { countGroups, groupsOfValues } from './counter.js';

export interface Facet {
  readonly name: string;
  readonly count: number;
}

interface Counted {
  readonly code: number;
  readonly count: number;
  readonly folded: Buffer;
}

const inOrder = (a: Counted, b: Counted): number => b.count - a.count || a.folded.compare(b.folded);

/**
 * The first `limit` of those that begin with a text, case and accents aside; biggest first, then by the bytes of their folded
 * name, spelt as the snapshot first does. `matching` are the records that are counted; null stands for all. Each name is
 * looked at, but few are folded: their counts, or a few bytes, tell of most that they are none of the first.
 */
export function facetsOf(
  collection: Collection,
  field: string,
  matching: RowSet | null,
  { beginning = '', limit = Number.POSITIVE_INFINITY }: { readonly beginning?: string; readonly limit?: number } = {},
): readonly Facet[] {
  const index = collection.values.get(field);
  if (index === undefined) throw new Error(`${field} is not indexed by value`);
  const { names } = index;
  const counts = countGroups(groupsOfValues(index), matching, collection.size);
  const wanted = Buffer.from(fold(beginning));
  let best: Counted[] = [];
  let last: Counted | undefined;
  for (let code = 0; code < counts.length; code++) {
    const count = counts[code]!;
    if (count === 0 || (last !== undefined && count < last.count)) continue;
    if (compareBeginning(names, code, wanted) !== 0) continue;
    if (last !== undefined && count === last.count && compareBeginning(names, code, last.folded) >= 0) continue;
    best.push({ code, count, folded: foldedName(names, code) });
    if (best.length < 2 * limit) continue;
    best = best.sort(inOrder).slice(0, limit);
    last = best.at(-1);
  }
  const first = best.sort(inOrder).slice(0, limit);
  return first.map(({ code, count }) => ({ name: nameAt(names, code), count }));
}
