/** The values of a field among the records that match, with how many of them have each. */
import { countMembers } from '../bits.js';
import type { RowSet } from '../row-set.js';
import type { Collection } from '../store/collection.js';
import { codesBeginning } from '../store/name-order.js';
import { type ValueIndex, valueAt, valueCount } from '../store/value-index.js';
import { Conditions } from './conditions.js';
import { countGroups, groupsOfValues } from './counter.js';
import type { Query } from './query.js';
import { sortPart } from './sort-part.js';

export interface Facet {
  readonly name: string;
  readonly count: number;
}

/** All of them, biggest first, then by name; names are spelt as the snapshot first does. */
export function facetsOf(collection: Collection, field: string, query: Query): readonly Facet[] {
  const index = indexOf(collection, field);
  const counts = countGroups(groupsOfValues(index), new Conditions(collection, query).all, collection.size);
  const { compare } = new Intl.Collator('en');
  return Array.from(counts, (count, code) => ({ count, code }))
    .filter(({ count }) => count > 0)
    .map(({ count, code }) => ({ name: valueAt(index, code), count }))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name));
}

/**
 * The first `limit` of those that begin with a text, case and accents aside; biggest first, then by folded name. `matching`
 * are the records that are counted; null stands for all.
 */
export function facetsBeginning(
  collection: Collection,
  field: string,
  matching: RowSet | null,
  beginning: string,
  limit: number,
): readonly Facet[] {
  const index = indexOf(collection, field);
  const codes = codesBeginning(index.names, beginning);
  const countOf = counterOf(index, matching, codes.length, collection.size);
  /** Below 0, so that the biggest come first. */
  const sizes = new Float64Array(codes.length);
  const places = new Uint32Array(codes.length);
  let found = 0;
  for (let place = 0; place < codes.length; place++) {
    const count = countOf(codes[place]!);
    sizes[place] = -count;
    if (count > 0) places[found++] = place;
  }
  sortPart(places, sizes, found, 0, limit);
  return Array.from(places.subarray(0, Math.min(limit, found)), (place) => ({
    name: valueAt(index, codes[place]!),
    count: -sizes[place]!,
  }));
}

/** From this share of all names on, all are counted in one pass over the matching records, which are read in their order. */
const MIN_COUNTED_SHARE = 1 / 8;

/** Counts the matching records of a code, of so many codes. */
function counterOf(
  index: ValueIndex,
  matching: RowSet | null,
  codes: number,
  records: number,
): (code: number) => number {
  const { offsets, rows } = index;
  if (matching === null) return (code) => offsets[code + 1]! - offsets[code]!;
  if (codes < valueCount(index) * MIN_COUNTED_SHARE)
    return (code) => countMembers(matching.bits, rows, offsets[code]!, offsets[code + 1]!);
  const counts = countGroups(groupsOfValues(index), matching, records);
  return (code) => counts[code]!;
}

function indexOf({ values }: Collection, field: string): ValueIndex {
  const index = values.get(field);
  if (index === undefined) throw new Error(`${field} is not indexed by value`);
  return index;
}
