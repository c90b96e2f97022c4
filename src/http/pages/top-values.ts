/**
 * The most frequent values of a field among the rows that match. Of some rows every value is counted in one pass. Of
 * most rows that would cost more than it has to: values are then looked at from the most frequent of the whole
 * collection on, until none of the rest can be among the first (Fagin's threshold algorithm, with one list).
 */
import { countBits, hasBit, intersect, membersAt } from '../../bits.js';
import { rowsOfCode, type ValueIndex } from '../../store/value-index.js';
import type { Matches } from './matches.js';

export interface ValueCount {
  readonly name: string;
  readonly count: number;
}

/** A share of the rows up to which one pass over them is the quicker way. */
const SOME = 1 / 4;

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
  const best = createBest(limit);
  const rows = matches === null ? null : someRows(index, matches);
  if (rows !== null) {
    const counts = countValues(index, rows);
    for (let code = 0; code < counts.length; code++) if (counts[code]! > best.least()) best.add(code, counts[code]!);
  } else {
    const countOf = createCounter(index, matches);
    for (let i = 0; i < byCount.length && sizeOf(index, byCount[i]!) > best.least(); i++) {
      best.add(byCount[i]!, countOf(byCount[i]!));
    }
  }
  return best
    .kept()
    .map(({ code, count }) => ({ name: index.names[code] ?? '', count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

const sizeOf = ({ offsets }: ValueIndex, code: number): number => offsets[code + 1]! - offsets[code]!;

interface Counted {
  readonly code: number;
  readonly count: number;
}

/** Keeps the biggest, in order; few of many ever enter. */
function createBest(limit: number) {
  const kept: Counted[] = [];
  /** What a count must exceed to enter. */
  let least = 0;
  return {
    least: () => least,
    kept: (): readonly Counted[] => kept,
    add(code: number, count: number): void {
      if (count <= least) return;
      let at = kept.length;
      while (at > 0 && (kept[at - 1]?.count ?? 0) < count) at--;
      kept.splice(at, 0, { code, count });
      if (kept.length > limit) kept.pop();
      if (kept.length === limit) least = kept.at(-1)?.count ?? 0;
    },
  };
}

function someRows({ rowOffsets }: ValueIndex, matches: NonNullable<Matches>): Uint32Array | null {
  if (matches.kind === 'few') return matches.rows;
  const count = countBits(matches.bits);
  return count < (rowOffsets.length - 1) * SOME ? membersAt(matches.bits, 0, count) : null;
}

function countValues({ names, rowOffsets, rowCodes }: ValueIndex, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(names.length);
  for (let i = 0; i < rows.length; i++) {
    const end = rowOffsets[rows[i]! + 1]!;
    for (let at = rowOffsets[rows[i]!]!; at < end; at++) counts[rowCodes[at]!]!++;
  }
  return counts;
}

/** How many of all rows, or of those that match, have a value. */
function createCounter(index: ValueIndex, matches: Matches): (code: number) => number {
  if (matches?.kind !== 'many') return (code) => sizeOf(index, code);
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
