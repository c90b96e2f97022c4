/**
 * Statistics by the values of a field: of each group of records with a value the count, and range, mean and median of its numbers and
 * dates. Cost: two passes over the matching rows, and one or two for each field of numbers.
 */
import { ID_FIELD } from '../model.js';
import type { Collection } from '../store/collection.js';
import type { NumberColumn } from '../store/number-column.js';
import { type ValueIndex, valueAtCode, valueCount } from '../store/value-index.js';
import { Conditions } from './conditions.js';
import { countGroups, groupsOfValues, topCodes } from './counter.js';
import type { Query } from './query.js';

/** Numbers of a group; all but the count are null where no record of the group has one. */
export interface GroupNumbers {
  /** Records that have a number. */
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** The middle number, or the mean of both middle ones. */
  readonly median: number | null;
}

export interface Group {
  /** The value of the group, in the spelling that came first; null for records without a value. */
  readonly value: string | null;
  readonly count: number;
  readonly fields: ReadonlyMap<string, GroupNumbers>;
}

export interface GroupedStats {
  /** The largest groups first, those of one size in the order of their values, without a value last. */
  readonly groups: readonly Group[];
  /** How many groups there are. */
  readonly total: number;
}

/** The first `limit` groups. A record with several values is in a group of each. `fields` are numbers and dates; null for all. */
export function groupedStats(
  collection: Collection,
  query: Query,
  by: string,
  fields: readonly string[] | null,
  limit: number,
): GroupedStats {
  const index = collection.values.get(by);
  if (index === undefined) throw new Error(`${by} is not indexed by value`);
  const ids = collection.model.fields[ID_FIELD]?.name;
  const columns = [...collection.columns].filter(([name]) => fields?.includes(name) ?? name !== ids);
  const { all } = new Conditions(collection, query);
  const rows = all?.rows ?? null;
  const valueCounts = countGroups(groupsOfValues(index), all, collection.size);
  /** The code behind the last value is that of rows without one. */
  const counts = new Uint32Array(valueCounts.length + 1);
  counts.set(valueCounts);
  counts[valueCounts.length] = valuelessCount(index, valueCounts, rows, collection.size);
  const codes = topCodes(counts, limit);
  const members = membersOfGroups(index, rows, collection.size, counts, codes);
  const numbers = columns.map(([name, column]) => [name, numbersByGroup(column, members, codes.length)] as const);
  const groups = codes.map((code, group) => ({
    value: code === valueCount(index) ? null : valueAtCode(index, code),
    count: counts[code]!,
    fields: new Map(numbers.flatMap(([name, ofGroups]) => (ofGroups[group] ? [[name, ofGroups[group]] as const] : []))),
  }));
  return { groups, total: counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0) };
}

/** How many rows among some, or among all of them where these are null, have no value. `counts` are those of the values. */
function valuelessCount(
  { rowOffsets }: ValueIndex,
  counts: Uint32Array,
  rows: Uint32Array | null,
  size: number,
): number {
  const length = rows === null ? size : rows.length;
  if (rowOffsets === null) return length - counts.reduce((sum, count) => sum + count, 0);
  let valueless = 0;
  for (let i = 0; i < length; i++) {
    const row = rows === null ? i : rows[i]!;
    if (rowOffsets[row] === rowOffsets[row + 1]) valueless++;
  }
  return valueless;
}

/** Rows side by side with their groups: a row is there once for each of its groups. */
interface GroupMembers {
  readonly rows: Uint32Array;
  readonly groups: Uint32Array;
}

/** The members of the groups of some codes among some rows, or all where these are null: group g has the rows of `codes[g]`. */
function membersOfGroups(
  { rowCodes, rowOffsets }: ValueIndex,
  some: Uint32Array | null,
  size: number,
  counts: Uint32Array,
  codes: readonly number[],
): GroupMembers {
  const groupOf = new Int32Array(counts.length).fill(-1);
  codes.forEach((code, group) => {
    groupOf[code] = group;
  });
  const none = counts.length - 1;
  const total = codes.reduce((sum, code) => sum + counts[code]!, 0);
  const rows = new Uint32Array(total);
  const groups = new Uint32Array(total);
  let used = 0;
  const length = some === null ? size : some.length;
  for (let i = 0; i < length; i++) {
    const row = some === null ? i : some[i]!;
    const from = rowOffsets === null ? row : rowOffsets[row]!;
    const end = rowOffsets === null ? row + 1 : rowOffsets[row + 1]!;
    // A row without codes is read once too, at the end of its empty range.
    for (let at = from; at < end || at === from; at++) {
      const group = groupOf[at < end ? rowCodes[at]! : none]!;
      if (group < 0) continue;
      rows[used] = row;
      groups[used++] = group;
    }
  }
  return { rows, groups };
}

/** Bound on the counts of a field by bucket of numbers, 256 kB: what stays in the cache of a processor. */
const MAX_BUCKET_COUNTS = 1 << 16;

/** The numbers of a group, by the counts of its buckets. `numberAt` gives the number at a position in one of these. */
function numbersOfCounts(
  counts: Uint32Array,
  sum: number,
  numberAt: (bucket: number, position: number) => number,
): GroupNumbers {
  const count = counts.reduce((total, times) => total + times, 0);
  if (count === 0) return { count, min: null, max: null, mean: null, median: null };
  const nth = (position: number): number => {
    const { bucket, within } = bucketAt(counts, position);
    return numberAt(bucket, within);
  };
  const median = (nth((count - 1) >>> 1) + nth(count >>> 1)) / 2;
  return { count, min: nth(0), max: nth(count - 1), mean: sum / count, median };
}

/** The bucket of the key at a position of a group, ascending, and its position in there. */
function bucketAt(counts: Uint32Array, position: number): { readonly bucket: number; readonly within: number } {
  let within = position;
  let bucket = 0;
  while (within >= counts[bucket]!) within -= counts[bucket++]!;
  return { bucket, within };
}

/**
 * The numbers of each group. Keys are ranks of numbers, and counted in buckets of 2^n keys, of one key where groups and keys are few. In
 * larger buckets only the keys of those are sorted that have the least, the middle or the greatest key of their group.
 */
function numbersByGroup(
  { values, order }: NumberColumn,
  members: GroupMembers,
  count: number,
): readonly GroupNumbers[] {
  const { rows, groups } = members;
  const { keys } = order;
  const missing = values.length - 1;
  let shift = 0;
  while (missing >>> shift > 0 && count * ((missing >>> shift) + 1) > MAX_BUCKET_COUNTS) shift++;
  const buckets = (missing >>> shift) + 1;
  const cells = new Uint32Array(count * buckets);
  const sums = new Float64Array(count);
  for (let i = 0; i < rows.length; i++) {
    const key = keys[rows[i]!]!;
    if (key === missing) continue;
    const group = groups[i]!;
    sums[group]! += values[key]!;
    cells[group * buckets + (key >>> shift)]!++;
  }
  const countsOf = (group: number): Uint32Array => cells.subarray(group * buckets, (group + 1) * buckets);
  const numbers = (numberAt: (group: number, bucket: number, position: number) => number): readonly GroupNumbers[] =>
    Array.from({ length: count }, (_, group) =>
      numbersOfCounts(countsOf(group), sums[group]!, (bucket, position) => numberAt(group, bucket, position)),
    );
  if (shift === 0) return numbers((_, key) => values[key]!);
  /** By cell: 1 + the index of its keys in `sorted`; 0 for a cell that nothing is asked of. */
  const readCells = new Uint32Array(cells.length);
  const sorted: number[][] = [];
  for (let group = 0; group < count; group++) {
    const counts = countsOf(group);
    const size = counts.reduce((total, times) => total + times, 0);
    if (size === 0) continue;
    for (const position of [0, (size - 1) >>> 1, size >>> 1, size - 1]) {
      const cell = group * buckets + bucketAt(counts, position).bucket;
      if (readCells[cell] === 0) readCells[cell] = sorted.push([]);
    }
  }
  for (let i = 0; i < rows.length; i++) {
    const key = keys[rows[i]!]!;
    const list = readCells[groups[i]! * buckets + (key >>> shift)]!;
    if (list > 0 && key !== missing) sorted[list - 1]!.push(key);
  }
  for (const some of sorted) some.sort((a, b) => a - b);
  return numbers((group, bucket, position) => {
    const key = sorted[readCells[group * buckets + bucket]! - 1]?.[position];
    return values[key ?? missing]!;
  });
}
