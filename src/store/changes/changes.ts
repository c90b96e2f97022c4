/**
 * The changes of a collection's records since an earlier dataset: changed records with the old values of their fields, added
 * records, and removed records. Immutable. An *entry* is a number: first the changed records, the largest change first, then
 * the added ones and the removed ones, each by title. The changes hold no more of the earlier dataset than these old values,
 * and the list items of removed records.
 */
import { type CollectionModel, type Field, isList, isNumeric } from '../../model.js';
import type { FoldedTexts } from '../folded-texts.js';

/** The rule by which a record of one dataset and one of the other are a pair. */
export type Pairing =
  | { readonly by: 'id' }
  /** By a field that is filled, and different, in every record of both datasets. */
  | { readonly by: 'field'; readonly field: string }
  /** By title and author, in order. `repeated`: the pairs whose title and author other records have as well. */
  | { readonly by: 'names'; readonly repeated: number };

export interface FieldCounts {
  readonly changed: number;
  /** Records whose number rose, and fell, if both datasets have one; 0 for fields that are no numbers. */
  readonly up: number;
  readonly down: number;
}

export interface ChangeCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Fields that changed in at least one record, in the model's order. */
  readonly fields: ReadonlyMap<string, FieldCounts>;
}

/** A column that only one of the datasets has values in, with the number of these. */
export interface ColumnChange {
  readonly field: string;
  readonly is: 'new' | 'gone';
  readonly records: number;
}

export interface Changes {
  /** The later dataset's model with the fields that only the earlier one has behind its own. */
  readonly model: CollectionModel;
  readonly pairing: Pairing;
  readonly columns: readonly ColumnChange[];
  readonly counts: ChangeCounts;
  /** Rows of the later dataset: prices before other numbers before texts, the largest percentage first, equal ones by title. */
  readonly changedRows: Uint32Array;
  /** Rows of the later dataset, by title. */
  readonly addedRows: Uint32Array;
  /** The changes of changed record i are those from `starts[i]` to `starts[i + 1]`, excluded. */
  readonly starts: Uint32Array;
  /** By changed record: 1 if its pair is doubtful, so that its changes have no percentages. */
  readonly isDoubtful: Uint8Array;
  /** Per change: the index of its field in `model`. */
  readonly fields: Uint16Array;
  /** Per change. Number: the old number, or NaN. Others: the index in `oldValues` of the old value. */
  readonly olds: Float64Array;
  /** Per change. Number: the new number, or NaN. Others: 0. */
  readonly news: Float64Array;
  /** Parsed JSON; null where the earlier record had no value. */
  readonly oldValues: readonly unknown[];
  readonly removed: RemovedRecords;
  /** The title of each entry. */
  readonly titles: FoldedTexts;
  /** Whether both datasets have the same records in the same rows. */
  readonly isSame: boolean;
}

/** The first removed records by title, as their list items; `ChangeCounts.removed` counts all. */
export interface RemovedRecords {
  readonly ids: Float64Array;
  /** The JSON text of each list item. */
  readonly items: readonly string[];
}

/** The earlier dataset of a comparison. */
export interface Since {
  readonly version: string;
  /** When the newest of its files was modified. */
  readonly modifiedAt: Date;
  /** The name that the operator gave at the start; undefined for the dataset that was served before a reload. */
  readonly name?: string;
}

export interface Comparison {
  readonly since: Since;
  readonly changes: Changes;
}

export const MAX_REMOVED_ITEMS = 100_000;

export type ChangeKind = 'changed' | 'added' | 'removed';
/** In the order of entries. */
export const changeKinds = ['changed', 'added', 'removed'] as const satisfies readonly ChangeKind[];

export const entryCount = ({ changedRows, addedRows, removed }: Changes): number =>
  changedRows.length + addedRows.length + removed.ids.length;

export function kindOf({ changedRows, addedRows }: Changes, entry: number): ChangeKind {
  if (entry < changedRows.length) return 'changed';
  return entry < changedRows.length + addedRows.length ? 'added' : 'removed';
}

/** The first entry of a kind. */
export function firstEntryOf({ changedRows, addedRows }: Changes, kind: ChangeKind): number {
  if (kind === 'changed') return 0;
  return kind === 'added' ? changedRows.length : changedRows.length + addedRows.length;
}

/** The row of an entry that is not removed. */
export const rowOfEntry = ({ changedRows, addedRows }: Changes, entry: number): number =>
  entry < changedRows.length ? changedRows[entry]! : addedRows[entry - changedRows.length]!;

/** The form of a field's change: old and new number, old and new long text, added and removed names, or old and new text. */
export type ChangeForm = 'number' | 'words' | 'list' | 'text';

export function changeFormOf({ kind, detailOnly }: Field): ChangeForm {
  if (isNumeric(kind)) return 'number';
  if (isList(kind)) return 'list';
  return kind === 'text' && detailOnly === true ? 'words' : 'text';
}

/** The names of a list, each once; none of any other value. */
export const namesIn = (value: unknown): ReadonlySet<string> => new Set(Array.isArray(value) ? value.map(String) : []);

/** Whether the later dump seems to come from a scrape that broke off. */
export const looksIncomplete = ({ removed, changed, unchanged }: ChangeCounts): boolean =>
  removed > changed + unchanged;

export const wholeChanges = ({ added, removed, changed }: ChangeCounts): number => added + removed + changed;

/**
 * The percentage that a number changed by, to two decimals; null where the old one is missing or 0, where the new one is
 * missing, and where the percentage exceeds the range of numbers.
 */
export function percentOf(from: number, to: number): number | null {
  if (Number.isNaN(from) || Number.isNaN(to) || from === 0) return null;
  const percent = Math.round(((to - from) / Math.abs(from)) * 10_000) / 100;
  return Number.isFinite(percent) ? percent : null;
}

/** The percentage of a change of an entry; null also where its pair is doubtful. */
export const percentOfChange = ({ isDoubtful }: Changes, entry: number, from: number, to: number): number | null =>
  isDoubtful[entry] === 1 ? null : percentOf(from, to);

/** A value as JSON in which the order of members, and of elements, is of no account. */
export function unorderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(unorderedJson).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${unorderedJson(member)}`);
  return `{${members.sort().join()}}`;
}
