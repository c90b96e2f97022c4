/**
 * What a collection's bins and values are counted with. Built once, in steps of a few milliseconds for a million rows, so
 * that it can be done between requests. A bit for each row and group that at least a 128th of the rows are in, at
 * most 8 bytes a row and field; what each row has of each field, a byte of bins and one, two or four of a value, and four
 * more where it may have several; 8 bytes for each value.
 */
import { countMembers, setAll } from '../../../bits.js';
import type { Collection } from '../../../store/collection.js';
import type { Binning } from './binning.js';
import { type BitTable, type Column, type ColumnRoom, createBitTable } from './bit-table.js';
import {
  type Groups,
  type GroupsOfRows,
  groupCount,
  groupsOfBins,
  groupsOfValues,
  LARGE,
  largeGroups,
  largestFirst,
  sizeOf,
} from './groups.js';
import { type Matches, setsOfQuery } from './matches.js';

/** A field's groups, of which some are kept as bits. */
export interface CountedGroups {
  readonly groups: Groups;
  /** The largest first. */
  readonly bySize: Uint32Array;
  /** `costs[i]`: what counting the i largest groups costs, in look-ups of a row. */
  readonly costs: Uint32Array;
  /** The set of the table that is a group's rows, for the large ones. */
  readonly setOf: ReadonlyMap<number, number>;
  /** The groups of each row; where a row has one at most, the number of groups stands for none. */
  readonly column: Column;
}

export interface CountIndex {
  /** The first sets are the queries'. */
  readonly table: BitTable;
  readonly fields: ReadonlyMap<string, CountedGroups>;
}

/** Pauses wherever it yields. */
export function* buildCountIndex(
  collection: Collection,
  binnings: ReadonlyMap<string, Binning>,
): Generator<void, CountIndex> {
  const counted = new Map<string, Omit<CountedGroups, 'column'>>();
  let sets = setsOfQuery(collection);
  for (const { name, filter } of collection.model.fields) {
    const groups = filter === undefined ? null : groupsOf(collection, name, binnings.get(name));
    if (groups === null) continue;
    const bySize = largestFirst(groups);
    const large = largeGroups(groups, bySize, collection.size);
    const setOf = new Map(Array.from(large, (group) => [group, sets++] as const));
    counted.set(name, { groups, bySize, costs: costsOf(groups, bySize, large.length, collection.size), setOf });
    yield;
  }
  const fields = new Map<string, CountedGroups>();
  const table = createBitTable(
    collection.size,
    sets,
    Array.from(counted.values(), ({ groups }) => roomFor(groups)),
  );
  for (const [i, [name, one]] of [...counted].entries()) {
    const column = table.columns[i];
    if (column === undefined) throw new Error(`${name} has no column`);
    writeGroups(one.groups, column);
    fields.set(name, { ...one, column });
    yield;
    for (const [group, set] of one.setOf) {
      setAll(table.bitsOf(set), one.groups.rows.subarray(one.groups.offsets[group], one.groups.offsets[group + 1]));
      yield;
    }
  }
  return { table, fields };
}

function groupsOf({ orders, values }: Collection, field: string, binning: Binning | undefined): Groups | null {
  const order = orders.get(field);
  if (binning && order) return groupsOfBins(order, binning);
  const index = values.get(field);
  return index ? groupsOfValues(index) : null;
}

const roomFor = (groups: Groups): ColumnRoom => ({
  below: groupCount(groups) + 1,
  several: groups.isDisjoint ? null : groups.rows.length,
});

function writeGroups(groups: Groups, { numbers, offsets }: Column): void {
  if (groups.ofRows === null) writeByGroup(groups, numbers);
  else if (offsets === null) writeByRow(groups.ofRows, numbers, groupCount(groups));
  else {
    numbers.set(groups.ofRows.rowCodes);
    if (groups.ofRows.rowOffsets !== null) offsets.set(groups.ofRows.rowOffsets);
  }
}

function writeByGroup(groups: Groups, numbers: Column['numbers']): void {
  const { rows, offsets } = groups;
  const count = groupCount(groups);
  numbers.fill(count);
  for (let group = 0; group < count; group++) {
    for (let i = offsets[group]!; i < offsets[group + 1]!; i++) numbers[rows[i]!] = group;
  }
}

function writeByRow({ rowCodes, rowOffsets }: GroupsOfRows, numbers: Column['numbers'], none: number): void {
  if (rowOffsets === null) {
    numbers.set(rowCodes);
    return;
  }
  for (let row = 0; row < numbers.length; row++) {
    const at = rowOffsets[row]!;
    numbers[row] = at < rowOffsets[row + 1]! ? rowCodes[at]! : none;
  }
}

/** What looking a group up costs beside its rows. */
const COST_OF_GROUP = 128;

function costsOf(groups: Groups, bySize: Uint32Array, large: number, rows: number): Uint32Array {
  const costs = new Uint32Array(bySize.length + 1);
  for (let i = 0; i < bySize.length; i++) {
    costs[i + 1] = costs[i]! + COST_OF_GROUP + (i < large ? rows * LARGE : sizeOf(groups, bySize[i]!));
  }
  return costs;
}

/** How many of the matches are in a group; if that is no more than `least`, perhaps fewer than there are. */
export function countGroup(
  table: BitTable,
  { groups, setOf }: CountedGroups,
  group: number,
  matches: Matches,
  least = 0,
): number {
  if (matches === null) return sizeOf(groups, group);
  const set = setOf.get(group);
  if (set !== undefined) return table.countCommon(set, matches.set);
  const bits = table.bitsOf(matches.set);
  const to = groups.offsets[group + 1]!;
  let count = 0;
  for (let from = groups.offsets[group]!; from < to && count + to - from > least; from += CHUNK) {
    count += countMembers(bits, groups.rows, from, Math.min(from + CHUNK, to));
  }
  return count;
}

/** Rows that are looked up at once. */
const CHUNK = 64;

/** Counting so many of the rows in a pass takes as long as comparing a set of them all with another. */
const PASSED = 1 / 160;

/** How many of the matches are in each group: one by one, or in a pass over the matches if they are few. */
export function groupCounts(table: BitTable, counted: CountedGroups, matches: Matches): ArrayLike<number> {
  const { groups, setOf, column } = counted;
  const count = groupCount(groups);
  if (matches !== null && groups.isDisjoint && matches.count < table.rows * PASSED * setOf.size)
    return table.countColumn(matches.set, column).slice(0, count);
  return Array.from({ length: count }, (_, group) => countGroup(table, counted, group, matches));
}
