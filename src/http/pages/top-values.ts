/**
 * The most frequent values of a field among the rows that match. Values are looked at from the most frequent of the whole
 * collection on, until none of the rest can be among the first any more (Fagin's threshold, with one list): of many
 * values few are ever counted.
 */
import { countBits, hasBit, intersect } from '../../bits.js';
import { rowsOfCode, type ValueIndex } from '../../store/value-index.js';
import type { Matches } from './matches.js';

export interface ValueCount {
  readonly name: string;
  readonly count: number;
}

/** The codes of all values, the most frequent first. */
export function codesByCount({ names, offsets }: ValueIndex): Uint32Array {
  // Count and code in one number, so that they sort as numbers do.
  const keys = Float64Array.from(names, (_, code) => (offsets[code + 1]! - offsets[code]!) * names.length - code);
  keys.sort().reverse();
  return Uint32Array.from(keys, (key) => (names.length - (key % names.length)) % names.length);
}

/** At most `limit` values that any of the matches have, biggest first, ties by name. */
export function topValues(
  index: ValueIndex,
  byCount: Uint32Array,
  matches: Matches,
  limit: number,
): readonly ValueCount[] {
  const { names, offsets } = index;
  const countOf = counter(index, matches);
  const kept: ValueCount[] = [];
  for (let i = 0; i < byCount.length; i++) {
    const code = byCount[i]!;
    const least = kept.length < limit ? 0 : (kept.at(-1)?.count ?? 0);
    if (offsets[code + 1]! - offsets[code]! <= least) break;
    const count = countOf(code);
    if (count <= least) continue;
    let at = kept.length;
    while (at > 0 && (kept[at - 1]?.count ?? 0) < count) at--;
    kept.splice(at, 0, { name: names[code] ?? '', count });
    if (kept.length > limit) kept.pop();
  }
  return kept.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** Counts the matches that have a value. */
function counter(index: ValueIndex, matches: Matches): (code: number) => number {
  if (matches === null) return (code) => index.offsets[code + 1]! - index.offsets[code]!;
  if (matches.kind === 'few') {
    const counts = countValues(index, matches.rows);
    return (code) => counts.get(code) ?? 0;
  }
  const { bits } = matches;
  return (code) => {
    const dense = index.dense.get(code);
    if (dense !== undefined) return countBits(intersect(dense, bits));
    const rows = rowsOfCode(index, code);
    let count = 0;
    for (let i = 0; i < rows.length; i++) if (hasBit(bits, rows[i]!)) count++;
    return count;
  };
}

function countValues({ rowOffsets, rowCodes }: ValueIndex, rows: Uint32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let i = 0; i < rows.length; i++) {
    const end = rowOffsets[rows[i]! + 1]!;
    for (let at = rowOffsets[rows[i]!]!; at < end; at++)
      counts.set(rowCodes[at]!, (counts.get(rowCodes[at]!) ?? 0) + 1);
  }
  return counts;
}
