/**
 * The rows that a set of conditions lets pass, in the form in which they are cheapest to count: a list where they are
 * few, bits where they are many. Null stands for all rows.
 */
import { countBits, forEachMember, intersect } from '../../bits.js';
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
/** A bin is a byte. */
const MAX_BINS = 256;

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

/** Calls `use` with each row, ascending. */
export function forEachMatch(matches: NonNullable<Matches>, use: (row: number) => void): void {
  if (matches.kind === 'many') forEachMember(matches.bits, use);
  else for (let i = 0; i < matches.rows.length; i++) use(matches.rows[i]!);
}

/**
 * How many of the matches are in each bin. Of more than half of all rows it is quicker to count those that do not match.
 */
export function tally(
  binOfRow: Uint8Array,
  bins: readonly { readonly count: number }[],
  matches: NonNullable<Matches>,
): Uint32Array {
  if (matches.kind === 'few') return tallyRows(binOfRow, matches.rows);
  const { bits } = matches;
  if (countBits(bits) * 2 < binOfRow.length) return tallyBits(binOfRow, bits);
  const others = tallyBits(
    binOfRow,
    bits.map((word) => ~word),
  );
  return Uint32Array.from(bins, ({ count }, bin) => count - others[bin]!);
}

function tallyRows(binOfRow: Uint8Array, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(MAX_BINS);
  for (let i = 0; i < rows.length; i++) counts[binOfRow[rows[i]!]!]!++;
  return counts;
}

function tallyBits(binOfRow: Uint8Array, bits: Uint32Array): Uint32Array {
  const counts = new Uint32Array(MAX_BINS);
  for (let word = 0; word < bits.length; word++) {
    const first = word << 5;
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      counts[binOfRow[first + 31 - Math.clz32(rest & -rest)]!]!++;
    }
  }
  return counts;
}
