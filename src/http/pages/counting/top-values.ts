/**
 * The most frequent values of a field among the rows that match. Values are looked at from the most frequent of the
 * whole collection on, until none of the rest can be among the first (Fagin's threshold algorithm, with one list). Where
 * that promises to be long, for only few rows match or many values have about as many, each value is counted in a pass over the rows,
 * or, of very few, those that they have are sorted.
 */
import { type ValueIndex, valueAt, valueCount } from '../../../store/value-index.js';
import type { BitTable } from './bit-table.js';
import { type CountedGroups, countGroup } from './count-index.js';
import { type Groups, groupCount, sizeOf } from './groups.js';
import type { Matches } from './matches.js';

export interface ValueCount {
  readonly name: string;
  readonly count: number;
}

/** What ways to count cost, in look-ups of a row: a pass for each byte that it reads, each match and each of its values; */
const COST_OF_READING = 1 / 16;
const COST_OF_MATCH = 1;
const COST_OF_VALUE = 1.5;
/** sorting for each value of a match. */
const COST_OF_SORTING = 64;

/** At most `limit` values that any of the matches have, the biggest, of equal ones those that occur first; ties stand by name. */
export function topValues(
  table: BitTable,
  counted: CountedGroups,
  index: ValueIndex,
  matches: Matches,
  limit: number,
): readonly ValueCount[] {
  if (matches === null) return topOfAll(index, limit);
  const { numbers, offsets } = counted.column;
  const share = matches.count / table.rows;
  const values = share * index.rowCodes.length;
  const costOfPass =
    (numbers.byteLength + (offsets?.byteLength ?? 0)) * COST_OF_READING +
    matches.count * COST_OF_MATCH +
    (offsets ? values * COST_OF_VALUE : 0);
  if (values * COST_OF_SORTING < costOfPass) return named(index, bestBySorting(index, matches.rows(), limit));
  const best =
    expectedCost(counted, share, limit) <= costOfPass
      ? bestByThreshold(table, counted, matches, limit, 2 * costOfPass)
      : null;
  return named(index, best ?? bestByPass(table, counted, matches.set, limit));
}

/** The same of the whole collection. */
export function topOfAll(index: ValueIndex, limit: number): readonly ValueCount[] {
  const best = new Best(limit);
  for (let code = 0; code < valueCount(index); code++) best.add(code, index.offsets[code + 1]! - index.offsets[code]!);
  return named(index, best.kept);
}

const byCount = (a: ValueCount, b: ValueCount): number => b.count - a.count || (a.name < b.name ? -1 : 1);

const named = (index: ValueIndex, best: readonly Counted[]): readonly ValueCount[] =>
  best.map(({ code, count }) => ({ name: valueAt(index, code), count })).sort(byCount);

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

/** The cost by threshold until none of the rest can exceed the least of the best, once `limit` values have been found at all. */
function expectedCost(counted: CountedGroups, share: number, limit: number): number {
  const { groups, bySize, costs } = counted;
  const least = expectedLeast(counted, share, limit);
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

/**
 * Keeps the biggest, of equal ones those of the lowest codes, in order; few of many ever enter. A class: closures made for
 * each query would be compiled for each.
 */
class Best {
  readonly kept: Counted[] = [];
  /** What a count must reach to enter; and exceed, unless its code is below `lastCode`. */
  least = 0;
  lastCode = -1;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(code: number, count: number): void {
    if (count > this.least || (count === this.least && code < this.lastCode)) this.#insert(code, count);
  }

  #insert(code: number, count: number): void {
    const { kept } = this;
    let at = kept.length;
    while (at > 0 && isBefore({ code, count }, kept[at - 1])) at--;
    kept.splice(at, 0, { code, count });
    if (kept.length > this.#limit) kept.pop();
    const last = kept.at(-1);
    if (kept.length < this.#limit || last === undefined) return;
    this.least = last.count;
    this.lastCode = last.code;
  }
}

const isBefore = (a: Counted, b: Counted | undefined): boolean =>
  b === undefined || a.count > b.count || (a.count === b.count && a.code < b.code);

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
  for (let i = 0; i < bySize.length && sizeOf(groups, bySize[i]!) >= best.least; i++) {
    if (costs[i]! > budget) return null;
    best.add(bySize[i]!, countGroup(table, counted, bySize[i]!, matches, best.least - 1));
  }
  return best.kept;
}

/** Counts every value in one pass over the rows. */
export function bestByPass(
  table: BitTable,
  { groups, column }: CountedGroups,
  set: number,
  limit: number,
): readonly Counted[] {
  const counts = table.countColumn(set, column);
  const size = groupCount(groups);
  const best = new Best(limit);
  let code = table.nextAbove(0, size, best.least);
  while (code < size) {
    best.add(code, counts[code]!);
    code = table.nextAbove(code + 1, size, best.least);
  }
  return best.kept;
}

/** Puts the values of a few rows side by side. */
export function bestBySorting(index: ValueIndex, rows: Uint32Array, limit: number): readonly Counted[] {
  const codes = codesOfRows(index, rows).sort();
  const best = new Best(limit);
  for (let from = 0, to = 0; from < codes.length; from = to) {
    const code = codes[from]!;
    while (codes[to] === code) to++;
    best.add(code, to - from);
  }
  return best.kept;
}

function codesOfRows({ rowCodes, rowOffsets }: ValueIndex, rows: Uint32Array): Uint32Array {
  if (rowOffsets === null) return rows.map((row) => rowCodes[row]!);
  const codes: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const end = rowOffsets[rows[i]! + 1]!;
    for (let at = rowOffsets[rows[i]!]!; at < end; at++) codes.push(rowCodes[at]!);
  }
  return Uint32Array.from(codes);
}
