/**
 * Statistics by the values of a field: of each group of records with a value the count, and range, mean and median of its numbers and
 * dates. Cost: one pass over the matching rows for the counts, and two for each number of a field, in row order and in that of its values.
 */
import { ID_FIELD } from '../model.js';
import type { Collection } from '../store/collection.js';
import type { NumberColumn } from '../store/number-column.js';
import { type ValueIndex, valueAt, valueCount } from '../store/value-index.js';
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
  const rows =
    new Conditions(collection, query).all?.rows ?? Uint32Array.from({ length: collection.size }, (_, i) => i);
  const members = membersOf(index, rows);
  const counts = groupSizes(members);
  const codes = topCodes(counts, limit);
  const chosen = keepCodes(members, codes);
  const numbers = columns.map(([name, column]) => [name, numbersByGroup(column, chosen, codes.length)] as const);
  const groups = codes.map((code, group) => ({
    value: code === valueCount(index) ? null : valueAt(index, code),
    count: counts[code]!,
    fields: new Map(numbers.flatMap(([name, ofGroups]) => (ofGroups[group] ? [[name, ofGroups[group]] as const] : []))),
  }));
  return { groups, total: counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0) };
}

/** The groups of rows: those of row r are `groups[offsets[r]] … groups[offsets[r + 1] - 1]`. */
interface GroupMembers {
  readonly offsets: Uint32Array;
  readonly groups: Uint32Array;
  readonly size: number;
}

/** The codes of rows; the code behind the last value stands for none. Rows that are not given have no codes. */
function membersOf(index: ValueIndex, rows: Uint32Array): GroupMembers {
  const { rowCodes, rowOffsets } = index;
  const none = valueCount(index);
  const size = rowOffsets === null ? rowCodes.length : rowOffsets.length - 1;
  const offsets = new Uint32Array(size + 1);
  const codesOf = (row: number): number =>
    rowOffsets === null ? 1 : Math.max(1, rowOffsets[row + 1]! - rowOffsets[row]!);
  for (let i = 0; i < rows.length; i++) offsets[rows[i]! + 1] = codesOf(rows[i]!);
  for (let row = 0; row < size; row++) offsets[row + 1]! += offsets[row]!;
  const groups = new Uint32Array(offsets[size]!);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const from = offsets[row]!;
    if (rowOffsets === null) groups[from] = Math.min(none, rowCodes[row]!);
    else if (rowOffsets[row] === rowOffsets[row + 1]) groups[from] = none;
    else for (let at = from; at < offsets[row + 1]!; at++) groups[at] = rowCodes[rowOffsets[row]! + at - from]!;
  }
  return { offsets, groups, size: none + 1 };
}

function groupSizes({ groups, size }: GroupMembers): Uint32Array {
  const counts = new Uint32Array(size);
  for (let i = 0; i < groups.length; i++) counts[groups[i]!]!++;
  return counts;
}

/** The same rows with the positions of their codes among some; `codes.length` stands for any other. */
function keepCodes({ offsets, groups, size }: GroupMembers, codes: readonly number[]): GroupMembers {
  const position = new Uint32Array(size).fill(codes.length);
  codes.forEach((code, i) => {
    position[code] = i;
  });
  return { offsets, groups: groups.map((code) => position[code]!), size: codes.length + 1 };
}

function numbersByGroup(
  { values, order }: NumberColumn,
  { offsets, groups, size }: GroupMembers,
  count: number,
): GroupNumbers[] {
  const counts = new Uint32Array(size);
  const sums = new Float64Array(size);
  for (let row = 0; row < order.keys.length; row++) {
    const value = values[order.keys[row]!]!;
    if (Number.isNaN(value)) continue;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      counts[groups[at]!]!++;
      sums[groups[at]!]! += value;
    }
  }
  // Read in their order, the first number of a group is its least, and those in the middle are known by their position.
  const seenCounts = new Uint32Array(size);
  const minima = new Float64Array(size);
  const maxima = new Float64Array(size);
  const middle = new Float64Array(size);
  for (let position = 0; position < order.valued; position++) {
    const row = order.rows[position]!;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const group = groups[at]!;
      const value = values[order.keys[row]!]!;
      const nth = seenCounts[group]!++;
      const last = counts[group]! - 1;
      if (nth === 0) minima[group] = value;
      if (nth === last) maxima[group] = value;
      if (nth === last >>> 1) middle[group] = value;
      if (nth === (last + 1) >>> 1) middle[group] = (middle[group]! + value) / 2;
    }
  }
  return Array.from({ length: count }, (_, group) =>
    counts[group] === 0
      ? { count: 0, min: null, max: null, mean: null, median: null }
      : {
          count: counts[group]!,
          min: minima[group]!,
          max: maxima[group]!,
          mean: sums[group]! / counts[group]!,
          median: middle[group]!,
        },
  );
}
