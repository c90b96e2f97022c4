/**
 * What a collection's bins and values are counted with. Built once, in steps of a few milliseconds for a million rows, so
 * that it can be done between requests. A bit for each row and group that at least a 128th of the rows are in, at
 * most 8 bytes a row and field; 12 bytes for each value.
 */
import { countMembers, setAll } from '../../bits.js';
import type { Collection } from '../../store/collection.js';
import type { Binning } from './binning.js';
import { type BitTable, createBitTable } from './bit-table.js';
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
  /** The group of each row, `NO_GROUP` where there is none; null where there are more groups than fit or rows in several. */
  readonly groupOfRow: Uint8Array | null;
  /** A number for each group, zero between uses: for counting in a pass. */
  readonly counts: Uint32Array;
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
      groupOfRow: groupOfRow(groups, collection.size),
      counts: new Uint32Array(bySize.length),
    });
    yield;
  }
  const table = createBitTable(collection.size, sets);
  for (const { groups, setOf } of counted.values()) {
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

function groupOfRow({ rows, offsets, isDisjoint }: Groups, size: number): Uint8Array | null {
  if (!isDisjoint || offsets.length - 1 > NO_GROUP) return null;
  const groupOf = new Uint8Array(size).fill(NO_GROUP);
  for (let group = 0; group + 1 < offsets.length; group++) {
    for (let i = offsets[group]!; i < offsets[group + 1]!; i++) groupOf[rows[i]!] = group;
  }
  return groupOf;
}

/** What looking a group up costs beside its rows. */
const COST_OF_GROUP = 16;

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

/** Looking so many of the rows' groups up takes as long as comparing a set of them all with another. */
const LOOKED_UP = 1 / 400;

/** How many of the matches are in each group: one by one, or in a pass over the matches if they are few. */
export function groupCounts(table: BitTable, counted: CountedGroups, matches: Matches): ArrayLike<number> {
  const { groups, setOf, groupOfRow } = counted;
  const count = groups.offsets.length - 1;
  if (matches !== null && groupOfRow !== null && matches.count < groupOfRow.length * LOOKED_UP * setOf.size)
    return countByRow(groupOfRow, matches.rows()).subarray(0, count);
  return Array.from({ length: count }, (_, group) => countGroup(table, counted, group, matches));
}

function countByRow(groupOfRow: Uint8Array, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(NO_GROUP + 1);
  for (let i = 0; i < rows.length; i++) counts[groupOfRow[rows[i]!]!]!++;
  return counts;
}
