/**
 * The most frequent values of a field among the rows that match. Values are looked at from the most frequent of the
 * whole collection on, until none of the rest can be among the first (Fagin's threshold algorithm, with one list). Where
 * that promises to be long, for only few rows match or many values have about as many, each value is counted in a pass over the rows.
 */
import { type ValueIndex, valueAt, valueCount } from '../../store/value-index.js';
import type { BitTable } from './bit-table.js';
import { type CountedGroups, countGroup, groupCounts } from './count-index.js';
import { type Groups, sizeOf } from './groups.js';
import type { Matches } from './matches.js';

export interface ValueCount {
  readonly name: string;
  readonly count: number;
}

/** What a pass costs for each row, each row that matches and, where a row has a list, each of its values, in look-ups of a row. */
const COST_OF_ROW = 0.1;
const COST_OF_MATCH = 5;
const COST_OF_VALUE = 1;

/** At most `limit` values that any of the matches have, biggest first, ties by name. */
export function topValues(
  table: BitTable,
  counted: CountedGroups,
  index: ValueIndex,
  matches: Matches,
  limit: number,
): readonly ValueCount[] {
  if (matches === null) return topOfAll(index, limit);
  if (counted.groupOfRow !== null) return named(index, bestOf(groupCounts(table, counted, matches), limit));
  const rows = (index.rowOffsets?.length ?? index.rowCodes.length + 1) - 1;
  const costOfValues = counted.groups.isOneEach ? 0 : COST_OF_VALUE * (index.rowCodes.length / rows);
  const costOfPass = matches.count * (COST_OF_MATCH + costOfValues) + rows * COST_OF_ROW;
  const least = expectedLeast(counted, matches.count / rows, limit);
  const best =
    expectedCost(counted, matches.count / rows, least, limit) <= costOfPass
      ? bestByThreshold(table, counted, matches, limit, 2 * costOfPass)
      : null;
  return named(index, best ?? bestByPass(index, counted, matches.rows(), limit, Math.max(1, Math.floor(least / 2))));
}

/** The same of the whole collection. */
export function topOfAll(index: ValueIndex, limit: number): readonly ValueCount[] {
  const best = new Best(limit);
  for (let code = 0; code < valueCount(index); code++) best.add(code, index.offsets[code + 1]! - index.offsets[code]!);
  return named(index, best.kept);
}

function bestOf(counts: ArrayLike<number>, limit: number): readonly Counted[] {
  const best = new Best(limit);
  for (let code = 0; code < counts.length; code++) best.add(code, counts[code]!);
  return best.kept;
}

const named = (index: ValueIndex, best: readonly Counted[]): readonly ValueCount[] =>
  best
    .map(({ code, count }) => ({ name: valueAt(index, code), count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));

/**
 * The least count of the best if each value's rows match as often as any: that of the `limit`-th largest value, and as
 * much more as chance gives the best of so many values that are about as large.
 */
function expectedLeast({ groups, bySize }: CountedGroups, share: number, limit: number): number {
  if (bySize.length <= limit) return 0;
  const size = sizeOf(groups, bySize[limit - 1]!);
  const peers = largerThan(groups, bySize, size / 2);
  const luck = Math.sqrt(2 * Math.log(Math.max(1, peers / limit)) * size * share * (1 - share));
  return Math.min(size, Math.max(1, size * share + luck));
}

/** The cost by threshold until none of the rest can exceed `least`, once `limit` values have been found at all. */
function expectedCost({ groups, bySize, costs }: CountedGroups, share: number, least: number, limit: number): number {
  const looked = Math.max(largerThan(groups, bySize, least), Math.ceil(limit / share));
  return costs[Math.min(bySize.length, looked)] ?? 0;
}

/** How many values have more than `size` rows. */
function largerThan(groups: Groups, bySize: Uint32Array, size: number): number {
  let low = 0;
  let high = bySize.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sizeOf(groups, bySize[middle]!) > size) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Counted {
  readonly code: number;
  readonly count: number;
}

/** Keeps the biggest, in order; few of many ever enter. A class: closures made for each query would be compiled for each. */
class Best {
  readonly kept: Counted[] = [];
  /** What a count must exceed to enter. */
  least = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(code: number, count: number): void {
    if (count > this.least) this.#insert(code, count);
  }

  #insert(code: number, count: number): void {
    const { kept } = this;
    let at = kept.length;
    while (at > 0 && (kept[at - 1]?.count ?? 0) < count) at--;
    kept.splice(at, 0, { code, count });
    if (kept.length > this.#limit) kept.pop();
    if (kept.length === this.#limit) this.least = kept.at(-1)?.count ?? 0;
  }
}

/** Null where it costs more than `budget`, for the matches are not as the rest. */
export function bestByThreshold(
  table: BitTable,
  counted: CountedGroups,
  matches: Matches,
  limit: number,
  budget: number,
): readonly Counted[] | null {
  const { groups, bySize, costs } = counted;
  const best = new Best(limit);
  for (let i = 0; i < bySize.length && sizeOf(groups, bySize[i]!) > best.least; i++) {
    if (costs[i]! > budget) return null;
    best.add(bySize[i]!, countGroup(table, counted, bySize[i]!, matches, best.least));
  }
  return best.kept;
}

/**
 * Counts every value in one pass over the rows. Where each row has one, values are remembered as their count reaches a
 * guess of what the least of the best will be; only if too few reach it, all are looked at.
 */
export function bestByPass(
  index: ValueIndex,
  { counts, groups }: CountedGroups,
  rows: Uint32Array,
  limit: number,
  guess: number,
): readonly Counted[] {
  const best = new Best(limit);
  const reached = groups.isOneEach ? countOneEach(index, rows, counts, guess) : countLists(index, rows, counts);
  const isEnough = reached !== null && (reached.length >= limit || guess === 1);
  if (isEnough) for (const code of reached) best.add(code, counts[code]!);
  const kept = isEnough ? best.kept : bestOf(counts, limit);
  counts.fill(0);
  return kept;
}

function countOneEach({ rowCodes }: ValueIndex, rows: Uint32Array, counts: Uint32Array, guess: number): number[] {
  const reached: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const code = rowCodes[rows[i]!]!;
    if (++counts[code]! === guess) reached.push(code);
  }
  return reached;
}

/**
 * Of a short list four codes are counted whether or not they are the row's, those that are not as 0: where a loop over the
 * list ends is guessed wrong more often than not, and takes two and a half times as long.
 */
function countLists({ rowOffsets, rowCodes }: ValueIndex, rows: Uint32Array, counts: Uint32Array): null {
  const offsets = rowOffsets ?? new Uint32Array(0);
  const lastOfFour = rowCodes.length - 4;
  for (let i = 0; i < rows.length; i++) {
    const from = offsets[rows[i]!]!;
    const to = offsets[rows[i]! + 1]!;
    if (to > from + 4 || from > lastOfFour) for (let at = from; at < to; at++) counts[rowCodes[at]!]!++;
    else {
      counts[rowCodes[from]!]! += isBefore(from, to);
      counts[rowCodes[from + 1]!]! += isBefore(from + 1, to);
      counts[rowCodes[from + 2]!]! += isBefore(from + 2, to);
      counts[rowCodes[from + 3]!]! += isBefore(from + 3, to);
    }
  }
  return null;
}

/** 1 or 0, without a branch; both are below 2^31. */
const isBefore = (at: number, end: number): number => (at - end) >>> 31;
