/**
 * A comparison and a query → the matching entries in the order of the query. Entries stand in the default order already, so
 * it costs nothing; other orders sort no more than the requested page.
 */
import { firstWhere } from '../arrays.js';
import { type CollectionModel, fieldIndex } from '../model.js';
import {
  type ChangeKind,
  type Changes,
  changeFormOf,
  changeKinds,
  entryCount,
  firstEntryOf,
  percentOfChange,
  rowOfEntry,
} from '../store/changes/changes.js';
import type { RecordStore } from '../store/collection.js';
import { textsWith } from '../store/folded-texts.js';
import { idOfRow } from '../store/ids.js';
import { titleOf, unclosedItem } from '../store/record-text.js';
import { sortPart } from './sort-part.js';

export const changeSorts = ['title', 'id', 'difference', 'percent'] as const;
export type ChangeSort = (typeof changeSorts)[number];

export interface ChangesQuery {
  /** The kinds of entries; an empty list stands for all kinds. */
  readonly kinds: readonly ChangeKind[];
  /** Only records that changed in one of these fields; an empty list stands for all records. */
  readonly fields: readonly string[];
  /** The next three, and the sorts by difference and percent, need one field that is a number. */
  readonly direction: 'up' | 'down' | null;
  readonly minPercent: number;
  readonly maxPercent: number;
  /** Words that the title holds. */
  readonly text: string | null;
  /** Null: changed records, the largest change first, then added and removed ones by title. */
  readonly sort: ChangeSort | null;
  readonly descending: boolean;
}

/** The query for every entry, in their own order. */
export const ALL_CHANGES: ChangesQuery = {
  kinds: [],
  fields: [],
  direction: null,
  minPercent: Number.NEGATIVE_INFINITY,
  maxPercent: Number.POSITIVE_INFINITY,
  text: null,
  sort: null,
  descending: false,
};

/** Entries in the order of the query. */
export interface ChangeList {
  readonly total: number;
  /** The entries from one position to another, excluded; fewer past the end. */
  slice(from: number, to: number): ArrayLike<number>;
}

/** The fields whose changes are differences of numbers. */
export const measuredFields = ({ fields }: CollectionModel): readonly string[] =>
  fields.filter((field) => field.name !== 'id' && changeFormOf(field) === 'number').map(({ name }) => name);

export const comparedFields = ({ fields }: CollectionModel): readonly string[] =>
  fields.map(({ name }) => name).filter((name) => name !== 'id');

/** `isWhole`: the caller will read every position, one after another. */
export function selectChanges(
  collection: RecordStore,
  changes: Changes,
  query: ChangesQuery,
  isWhole = false,
): ChangeList {
  const entries = matchingEntries(changes, query);
  switch (query.sort) {
    case null:
      return { total: entries.length, slice: (from, to) => entries.subarray(from, to) };
    case 'title':
      return mergedByTitle(collection, changes, entries, query.descending);
    case 'id':
      return byKey(entries, (entry) => idOf(collection, changes, entry), query.descending, isWhole);
    default: {
      const measure = measureOf(changes, query.fields[0] ?? '');
      const isPercent = query.sort === 'percent';
      const keyOf = (entry: number): number => {
        const { from, to } = measure(entry);
        return isPercent ? (percentOfChange(changes, entry, from, to) ?? Number.NaN) : to - from;
      };
      return byKey(entries, keyOf, query.descending, isWhole);
    }
  }
}

/** The entries of the latest text: one page searches the same text twice. */
const latestText = new WeakMap<Changes, { readonly text: string; readonly entries: Uint32Array }>();

/** The entries whose titles hold every word of a text. */
function entriesWith(changes: Changes, text: string): Uint32Array {
  const last = latestText.get(changes);
  if (last?.text === text) return last.entries;
  const entries = textsWith(changes.titles, text);
  latestText.set(changes, { text, entries });
  return entries;
}

const isUnfiltered = ({ kinds, fields }: ChangesQuery): boolean => kinds.length === 0 && fields.length === 0;

/** The matching entries, ascending. Plain loops: `filter` of a million entries would take some hundred milliseconds. */
function matchingEntries(changes: Changes, query: ChangesQuery): Uint32Array {
  const entriesWithText = query.text === null ? null : entriesWith(changes, query.text);
  const matches = isUnfiltered(query) ? null : matcher(changes, query);
  const matching = new Uint32Array(entriesWithText?.length ?? entryCount(changes));
  let size = 0;
  for (let i = 0; i < matching.length; i++) {
    const entry = entriesWithText === null ? i : entriesWithText[i]!;
    if (matches === null || matches(entry)) matching[size++] = entry;
  }
  return matching.subarray(0, size);
}

function matcher(changes: Changes, query: ChangesQuery): (entry: number) => boolean {
  const isKind = changeKinds.map((kind) => query.kinds.length === 0 || query.kinds.includes(kind));
  const [hasChanged = false, hasAdded = false, hasRemoved = false] = isKind;
  const { starts, fields, olds, news, changedRows, addedRows } = changes;
  const changedEnd = changedRows.length;
  const addedEnd = changedEnd + addedRows.length;
  if (query.fields.length === 0)
    return (entry) => (entry < changedEnd ? hasChanged : entry < addedEnd ? hasAdded : hasRemoved);
  const isQueriedField = new Uint8Array(changes.model.fields.length);
  for (const name of query.fields) isQueriedField[fieldIndex(changes.model, name)] = 1;
  const isInRange = rangeTest(changes, query);
  return (entry) => {
    if (entry >= changedEnd || !hasChanged) return false;
    const end = starts[entry + 1]!;
    for (let change = starts[entry]!; change < end; change++) {
      if (isQueriedField[fields[change]!] === 1)
        return isInRange === null || isInRange(entry, olds[change]!, news[change]!);
    }
    return false;
  };
}

/** Whether the change of a number meets direction and percentage; null if the query has neither. Both need one field. */
function rangeTest(changes: Changes, { direction, minPercent, maxPercent }: ChangesQuery) {
  const isBounded = minPercent !== Number.NEGATIVE_INFINITY || maxPercent !== Number.POSITIVE_INFINITY;
  if (direction === null && !isBounded) return null;
  return (entry: number, from: number, to: number): boolean => {
    if (direction === 'up' && !(to > from)) return false;
    if (direction === 'down' && !(to < from)) return false;
    if (!isBounded) return true;
    const percent = percentOfChange(changes, entry, from, to);
    return percent !== null && percent >= minPercent && percent <= maxPercent;
  };
}

export interface Measured {
  readonly from: number;
  readonly to: number;
}

/** The old and the new number of a field; NaN where it is missing, or the field did not change. */
export function measureOf(changes: Changes, name: string): (entry: number) => Measured {
  const { model, starts, fields, olds, news, changedRows } = changes;
  const field = fieldIndex(model, name);
  return (entry) => {
    if (entry >= changedRows.length) return NOT_MEASURED;
    for (let change = starts[entry]!; change < starts[entry + 1]!; change++) {
      if (fields[change] === field) return { from: olds[change]!, to: news[change]! };
    }
    return NOT_MEASURED;
  };
}

const NOT_MEASURED: Measured = { from: Number.NaN, to: Number.NaN };

const idOf = (collection: RecordStore, changes: Changes, entry: number): number => {
  const firstRemoved = changes.changedRows.length + changes.addedRows.length;
  return entry < firstRemoved
    ? idOfRow(collection.ids, rowOfEntry(changes, entry))
    : changes.removed.ids[entry - firstRemoved]!;
};

/** Entries without a key stand last in either direction, in their own order. */
function byKey(
  entries: Uint32Array,
  keyOf: (entry: number) => number,
  descending: boolean,
  isWhole: boolean,
): ChangeList {
  const keys = new Float64Array(entries.length);
  for (let i = 0; i < keys.length; i++) keys[i] = keyOf(entries[i]!);
  const order = new Uint32Array(entries.length);
  let valued = 0;
  for (let i = 0; i < keys.length; i++) if (!Number.isNaN(keys[i]!)) order[valued++] = i;
  let next = valued;
  for (let i = 0; i < keys.length; i++) if (Number.isNaN(keys[i]!)) order[next++] = i;
  if (isWhole) sortPart(order, keys, valued, 0, valued);
  return {
    total: entries.length,
    slice(from, to) {
      const end = Math.min(to, entries.length);
      const [first, last] = [Math.min(from, valued), Math.min(end, valued)];
      if (!isWhole) {
        if (descending) sortPart(order, keys, valued, valued - last, valued - first);
        else sortPart(order, keys, valued, first, last);
      }
      const positions = Array.from({ length: Math.max(0, end - from) }, (_, i) => from + i);
      return positions.map((i) => entries[order[descending && i < valued ? valued - 1 - i : i]!]!);
    },
  };
}

let collator: Intl.Collator | undefined;

/** Changed and added entries are read in the collection's order, and removed ones are merged into these by title. */
function mergedByTitle(
  collection: RecordStore,
  changes: Changes,
  entries: Uint32Array,
  descending: boolean,
): ChangeList {
  const firstRemoved = firstEntryOf(changes, 'removed');
  const laterCount = firstWhere(0, entries.length, (i) => entries[i]! >= firstRemoved);
  const later = laterByTitle(collection, changes, entries.subarray(0, laterCount));
  const removed = entries.subarray(laterCount);
  collator ??= new Intl.Collator('en');
  const { compare } = collator;
  const laterTitle = (i: number): string => titleOf(unclosedItem(collection.text, rowOfEntry(changes, later[i]!)));
  const removedTitle = (i: number): string => titleOf(Buffer.from(changes.removed.items[removed[i]! - firstRemoved]!));
  const isLaterFirst = (i: number, j: number): boolean => compare(laterTitle(i), removedTitle(j)) <= 0;

  // The number of changed and added entries among the first `position` entries: a binary search.
  const laterBefore = (position: number): number =>
    firstWhere(
      Math.max(0, position - removed.length),
      Math.min(position, later.length),
      (i) => !isLaterFirst(i, position - i - 1),
    );

  function merged(from: number, to: number): number[] {
    let i = laterBefore(from);
    let j = from - i;
    const slice: number[] = [];
    while (slice.length < to - from) {
      const isLaterNext = j === removed.length || (i < later.length && isLaterFirst(i, j));
      slice.push(isLaterNext ? later[i++]! : removed[j++]!);
    }
    return slice;
  }

  const total = entries.length;
  return {
    total,
    slice(from, to) {
      const [first, end] = [Math.min(from, total), Math.min(to, total)];
      return descending ? merged(total - end, total - first).reverse() : merged(first, end);
    },
  };
}

/** Entries that are not removed, in the order of the collection's titles. */
function laterByTitle({ size, orders }: RecordStore, changes: Changes, entries: Uint32Array): Uint32Array {
  const byTitle = orders.get('title')?.rows;
  if (byTitle === undefined) return entries;
  const entryOfRow = new Int32Array(size).fill(-1);
  for (const entry of entries) entryOfRow[rowOfEntry(changes, entry)] = entry;
  const sorted = new Uint32Array(entries.length);
  let count = 0;
  for (let i = 0; i < size; i++) {
    const entry = entryOfRow[byTitle[i]!]!;
    if (entry >= 0) sorted[count++] = entry;
  }
  return sorted;
}
