/**
 * What a collection's bins and values are counted with. Built once, in steps of a few milliseconds for a million rows, so
 * that it can be done between requests. A bit for each row and group that at least a 128th of the rows are in, at
 * most 8 bytes a row and field; a byte for each row and field of few groups; 12 bytes for each value.
 */
import { countMembers, setAll } from '../../bits.js';
import type { Collection } from '../../store/collection.js';
import { valueCount } from '../../store/value-index.js';
import type { Binning } from './binning.js';
import { type BitTable, createBitTable, mostBlockCodes } from './bit-table.js';
import { type Groups, groupsOfBins, groupsOfValues, LARGE, largeGroups, largestFirst, sizeOf } from './groups.js';
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
  /** The table's column of each row's group, `NO_GROUP` where there is none; null where there are more groups than fit or rows in several. */
  readonly column: number | null;
}

const NO_GROUP = 255;

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
  const counted = new Map<string, CountedGroups>();
  let sets = setsOfQuery(collection);
  let columns = 0;
  let values = 0;
  let blockCodes = 0;
  for (const { name, filter } of collection.model.fields) {
    const groups = filter === undefined ? null : groupsOf(collection, name, binnings.get(name));
    if (groups === null) continue;
    const bySize = largestFirst(groups);
    const large = largeGroups(groups, bySize, collection.size);
    const setOf = new Map(Array.from(large, (group) => [group, sets++] as const));
    counted.set(name, {
      groups,
      bySize,
      costs: costsOf(groups, bySize, large.length, collection.size),
      setOf,
      column: fitsBytes(groups) ? columns++ : null,
    });
    const index = collection.values.get(name);
    if (index !== undefined) {
      values = Math.max(values, valueCount(index));
      blockCodes = Math.max(blockCodes, mostBlockCodes(index));
    }
    yield;
  }
  const table = createBitTable(collection.size, sets, { columns, values, blockCodes });
  for (const { groups, setOf, column } of counted.values()) {
    if (column !== null) writeGroups(groups, table.columnOf(column));
    yield;
    for (const [group, set] of setOf) {
      setAll(table.bitsOf(set), groups.rows.subarray(groups.offsets[group], groups.offsets[group + 1]));
      yield;
    }
  }
  return { table, fields: counted };
}

function groupsOf({ orders, values }: Collection, field: string, binning: Binning | undefined): Groups | null {
  const order = orders.get(field);
  if (binning && order) return groupsOfBins(order, binning);
  const index = values.get(field);
  return index ? groupsOfValues(index) : null;
}

const fitsBytes = ({ isDisjoint, offsets }: Groups): boolean => isDisjoint && offsets.length - 1 <= NO_GROUP;

function writeGroups({ rows, offsets }: Groups, groupOf: Uint8Array): void {
  groupOf.fill(NO_GROUP);
  for (let group = 0; group + 1 < offsets.length; group++) {
    for (let i = offsets[group]!; i < offsets[group + 1]!; i++) groupOf[rows[i]!] = group;
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
  const count = groups.offsets.length - 1;
  if (matches !== null && column !== null && matches.count < table.rows * PASSED * setOf.size)
    return table.countColumn(matches.set, column).slice(0, count);
  return Array.from({ length: count }, (_, group) => countGroup(table, counted, group, matches));
}
