/**
 * Statistics by the values of a field: of each group of records with a value the count, and range, mean and median of its numbers and
 * dates. Cost: two passes over the matching rows, and one or two for each field of numbers.
 */
import { ID_FIELD } from '../model.js';
import type { Collection } from '../store/collection.js';
import type { NumberColumn } from '../store/number-column.js';
import { type ValueIndex, valueAtCode, valueCount } from '../store/value-index.js';
import { Conditions } from './conditions.js';
import { topCodes } from './counter.js';
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
  const rows = new Conditions(collection, query).all?.rows ?? null;
  const counts = groupSizes(index, rows, collection.size);
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

/** Calls `visit` for each row and each of its codes; a row without a value has the code behind the last one. */
function forEachMembership(
  index: ValueIndex,
  rows: Uint32Array | null,
  size: number,
  visit: (row: number, code: number) => void,
): void {
  const { rowCodes, rowOffsets } = index;
  const none = valueCount(index);
  const length = rows === null ? size : rows.length;
  for (let i = 0; i < length; i++) {
    const row = rows === null ? i : rows[i]!;
    if (rowOffsets === null) visit(row, Math.min(none, rowCodes[row]!));
    else {
      const end = rowOffsets[row + 1]!;
      if (rowOffsets[row] === end) visit(row, none);
      for (let at = rowOffsets[row]!; at < end; at++) visit(row, rowCodes[at]!);
    }
  }
}

/** By code: its rows among some, or among all of them where these are null; behind the last value, the rows without one. */
function groupSizes(index: ValueIndex, rows: Uint32Array | null, size: number): Uint32Array {
  const counts = new Uint32Array(valueCount(index) + 1);
  forEachMembership(index, rows, size, (_, code) => void counts[code]!++);
  return counts;
}

/** Rows side by side with their groups: a row is there once for each of its groups. */
interface GroupMembers {
  readonly rows: Uint32Array;
  readonly groups: Uint32Array;
}

/** The members of the groups of some codes: group g has the rows of `codes[g]`. */
function membersOfGroups(
  index: ValueIndex,
  some: Uint32Array | null,
  size: number,
  counts: Uint32Array,
  codes: readonly number[],
): GroupMembers {
  const groupOf = new Int32Array(counts.length).fill(-1);
  codes.forEach((code, group) => {
    groupOf[code] = group;
  });
  const total = codes.reduce((sum, code) => sum + counts[code]!, 0);
  const rows = new Uint32Array(total);
  const groups = new Uint32Array(total);
  let used = 0;
  forEachMembership(index, some, size, (row, code) => {
    const group = groupOf[code]!;
    if (group < 0) return;
    rows[used] = row;
    groups[used++] = group;
  });
  return { rows, groups };
}

/** Bound on the counts that medians are found by: 1 MB, which stays in the cache of a processor. */
const MAX_KEY_COUNTS = 1 << 18;

/**
 * The numbers of each group, in one pass. It also counts the keys of each group, which are ranks of its numbers: the middle one is found
 * by these counts. Where groups and keys are too many for that, keys are counted in buckets, and only the middle bucket is sorted.
 */
function numbersByGroup(
  { values, order }: NumberColumn,
  { rows, groups }: GroupMembers,
  count: number,
): GroupNumbers[] {
  const { keys } = order;
  const missing = values.length - 1;
  let shift = 0;
  while (count * ((missing >>> shift) + 1) > MAX_KEY_COUNTS) shift++;
  const buckets = (missing >>> shift) + 1;
  const cells = new Uint32Array(count * buckets);
  const counts = new Uint32Array(count);
  const sums = new Float64Array(count);
  const leastKeys = new Uint32Array(count).fill(missing);
  const greatestKeys = new Uint32Array(count);
  for (let i = 0; i < rows.length; i++) {
    const key = keys[rows[i]!]!;
    if (key === missing) continue;
    const group = groups[i]!;
    counts[group]!++;
    sums[group]! += values[key]!;
    if (key < leastKeys[group]!) leastKeys[group] = key;
    if (key > greatestKeys[group]!) greatestKeys[group] = key;
    cells[group * buckets + (key >>> shift)]!++;
  }
  const middles = Array.from({ length: 2 * count }, (_, i): Middle => {
    const group = i >>> 1;
    return bucketAt(cells.subarray(group * buckets, (group + 1) * buckets), (counts[group]! - 1 + (i & 1)) >>> 1);
  });
  const keysOf = shift === 0 ? null : keysInBuckets(middles, { rows, groups }, keys, shift);
  const middleKey = (i: number): number => keysOf?.[i]?.[middles[i]!.nth] ?? middles[i]!.bucket;
  return Array.from({ length: count }, (_, group) =>
    counts[group] === 0
      ? { count: 0, min: null, max: null, mean: null, median: null }
      : {
          count: counts[group]!,
          min: values[leastKeys[group]!]!,
          max: values[greatestKeys[group]!]!,
          mean: sums[group]! / counts[group]!,
          median: (values[middleKey(2 * group)]! + values[middleKey(2 * group + 1)]!) / 2,
        },
  );
}

/** The bucket of a group's middle key, and its position in there. Each group has two middles, which may be the same. */
interface Middle {
  readonly bucket: number;
  readonly nth: number;
}

function bucketAt(counts: Uint32Array, position: number): Middle {
  let nth = position;
  let bucket = 0;
  while (bucket < counts.length - 1 && nth >= counts[bucket]!) nth -= counts[bucket++]!;
  return { bucket, nth };
}

/** The keys of each middle's bucket, ascending. */
function keysInBuckets(
  middles: readonly Middle[],
  { rows, groups }: GroupMembers,
  keys: ArrayLike<number>,
  shift: number,
): readonly (readonly number[])[] {
  const keysOfMiddle: number[][] = middles.map(() => []);
  for (let i = 0; i < rows.length; i++) {
    const key = keys[rows[i]!]!;
    for (let middle = 2 * groups[i]!, end = middle + 2; middle < end; middle++)
      if (key >>> shift === middles[middle]!.bucket) keysOfMiddle[middle]!.push(key);
  }
  return keysOfMiddle.map((some) => some.sort((a, b) => a - b));
}
