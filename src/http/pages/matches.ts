/**
 * The rows that a set of conditions lets pass, in the form in which they are cheapest to count: a list where they are
 * few, bits where they are many. Null stands for all rows.
 */
import { forEachMember, intersect } from '../../bits.js';
import { matchingRows } from '../../query/execute.js';
import type { Query } from '../../query/query.js';
import { rowSet } from '../../query/row-set.js';
import type { Collection } from '../../store/collection.js';

export type Matches =
  | { readonly kind: 'few'; readonly rows: Uint32Array }
  | { readonly kind: 'many'; readonly bits: Uint32Array }
  | null;

/** A share of the rows below which a list is no longer than bits are. */
const FEW = 1 / 32;

export function matchesOf(collection: Collection, query: Query): Matches {
  if (query.text === null) {
    const sets = query.filters.map((filter) => rowSet(collection, filter));
    const [first, ...others] = sets;
    if (first === undefined) return null;
    if (sets.every(({ count }) => count >= collection.size * FEW)) {
      return { kind: 'many', bits: others.reduce((bits, set) => intersect(bits, set.bits()), first.bits()) };
    }
  }
  const rows = matchingRows(collection, query);
  return rows === null ? null : { kind: 'few', rows };
}

/** How many of the matches are in each bin. */
export function tally(binOfRow: Uint8Array, matches: NonNullable<Matches>): Uint32Array {
  const counts = new Uint32Array(256);
  if (matches.kind === 'many') {
    forEachMember(matches.bits, (row) => {
      counts[binOfRow[row]!]!++;
    });
    return counts;
  }
  const { rows } = matches;
  for (let i = 0; i < rows.length; i++) counts[binOfRow[rows[i]!]!]!++;
  return counts;
}
