/**
 * The most frequent values of a field among the rows that match. Of some rows every value is counted in one pass. Of
 * most rows that would cost more than it has to: values are then looked at from the most frequent of the whole
 * collection on, until none of the rest can be among the first (Fagin's threshold algorithm, with one list).
 */
import { countBits, hasBit, intersect } from '../../bits.js';
import { countCodes, rowsOfCode, type ValueIndex, valueAt, valueCount } from '../../store/value-index.js';
import { forEachMatch, type Matches } from './matches.js';

export interface ValueCount {
  readonly name: string;
  readonly count: number;
}

/** A share of the rows up to which one pass over them is the quicker way. */
const SOME = 1 / 4;
/** So few values are counted in a pass whatever the number of rows: their counts stay in the nearest cache. */
const FEW_NAMES = 4096;

/** The codes of all values, the most frequent first: a counting sort. */
export function codesByCount(index: ValueIndex): Uint32Array {
  const codes = valueCount(index);
  let most = 0;
  for (let code = 0; code < codes; code++) most = Math.max(most, sizeOf(index, code));
  const starts = new Uint32Array(most + 2);
  for (let code = 0; code < codes; code++) starts[most - sizeOf(index, code) + 1]!++;
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
  const sorted = new Uint32Array(codes);
  for (let code = 0; code < codes; code++) sorted[starts[most - sizeOf(index, code)]!++] = code;
  return sorted;
}

/** At most `limit` values that any of the matches have, biggest first, ties by name. */
export function topValues(
  index: ValueIndex,
  byCount: () => Uint32Array,
  matches: Matches,
  limit: number,
): readonly ValueCount[] {
  const best = createBest(limit);
  if (matches === null) {
    for (let code = 0; code < valueCount(index); code++) best.add(code, sizeOf(index, code));
  } else if (matches.kind === 'few' || isQuickToPass(index, matches.bits)) {
    const counts = countValues(index, matches);
    for (let code = 0; code < counts.length; code++) best.add(code, counts[code]!);
  } else {
    const codes = byCount();
    for (let i = 0; i < codes.length && sizeOf(index, codes[i]!) > best.least(); i++) {
      best.add(codes[i]!, countCommon(index, codes[i]!, matches.bits));
    }
  }
  return best
    .kept()
    .map(({ code, count }) => ({ name: valueAt(index, code), count }))
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

function isQuickToPass(index: ValueIndex, bits: Uint32Array): boolean {
  return valueCount(index) < FEW_NAMES || countBits(bits) < index.rows.length * SOME;
}

function countValues(index: ValueIndex, matches: NonNullable<Matches>): Uint32Array {
  const counts = new Uint32Array(valueCount(index));
  forEachMatch(matches, (row) => countCodes(index, row, counts));
  return counts;
}

/** How many of the matches have a value. */
function countCommon(index: ValueIndex, code: number, bits: Uint32Array): number {
  const dense = index.dense.get(code);
  if (dense !== undefined) return countBits(intersect(dense, bits));
  const rows = rowsOfCode(index, code);
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (hasBit(bits, rows[i]!)) count++;
  return count;
}
