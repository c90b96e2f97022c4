/**
 * What became of a collection's records since an earlier dataset: which are added, which are changed and what their
 * changed values were, which are removed. Immutable. An *entry* is a number: first the changed records, then the added
 * ones, then the removed ones, each by title. Nothing of the earlier dataset is kept but the old values of changed
 * fields and the list items of removed records.
 */
import { type CollectionModel, type Field, isList, isNumeric } from '../../model.js';
import { textOfBytes } from '../../text.js';
import type { FoldedTexts } from '../folded-texts.js';

/** How records are found in both datasets. */
export type Pairing =
  | { readonly by: 'id' }
  /** Ids were given by position: by a field that is unique in both datasets, the rest by title and author in order. */
  | { readonly by: 'address'; readonly field: string | null };

export interface FieldCounts {
  readonly changed: number;
  /** Of numbers that both datasets have; 0 for other fields. */
  readonly up: number;
  readonly down: number;
}

export interface ChangeCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Only of fields that any record changed in, in the model's order. */
  readonly fields: ReadonlyMap<string, FieldCounts>;
}

export interface Changes {
  readonly pairing: Pairing;
  readonly counts: ChangeCounts;
  /** Rows of the later dataset, by title. */
  readonly changedRows: Uint32Array;
  readonly addedRows: Uint32Array;
  /** The changes of changed record i are those from `starts[i]` to `starts[i + 1]`, excluded. */
  readonly starts: Uint32Array;
  /** Per change: the place of its field in the model. */
  readonly fields: Uint8Array;
  /**
   * Per change: of a number the old one, NaN where there was none; of a long text how many words the old one had; of
   * other fields where the JSON text of the old value begins in `oldTexts`, in which a line break follows it.
   */
  readonly olds: Float64Array;
  /** Per change: of a number the new one, NaN where there is none; of a long text how many words it has; else 0. */
  readonly news: Float64Array;
  readonly oldTexts: Uint8Array;
  readonly removed: RemovedRecords;
  /** Of each entry. */
  readonly titles: FoldedTexts;
  /** Whether the later dataset is the earlier one, row by row. */
  readonly isSame: boolean;
}

/** The first removed records by title, as their list items; `ChangeCounts.removed` counts all. */
export interface RemovedRecords {
  readonly ids: Float64Array;
  /** The list item of record i is `items[starts[i] … starts[i + 1])`. */
  readonly starts: Uint32Array;
  readonly items: Uint8Array;
}

/** The dataset that was compared with. */
export interface Since {
  readonly version: string;
  /** When the newest of its files was modified. */
  readonly modifiedAt: Date;
  /** What the reader named at the start; absent of what was served before a reload. */
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

/** The JSON text of a removed record's list item. */
export const removedItem = ({ items, starts }: RemovedRecords, index: number): string =>
  textOfBytes(items, starts[index]!, starts[index + 1]!);

/** How a field's change is told: old and new number, difference in words, added and removed names, or old and new text. */
export type ChangeForm = 'number' | 'words' | 'list' | 'text';

export function changeFormOf({ kind, detailOnly }: Field): ChangeForm {
  if (isNumeric(kind)) return 'number';
  if (isList(kind)) return 'list';
  return kind === 'text' && detailOnly === true ? 'words' : 'text';
}

/** Whether the later dump seems to be that of a scrape that did not get through. */
export const looksIncomplete = ({ removed, changed, unchanged }: ChangeCounts): boolean =>
  removed > changed + unchanged;

export const wholeChanges = ({ added, removed, changed }: ChangeCounts): number => added + removed + changed;

/**
 * The percentage that a number changed by, to two decimals; null where the old one is missing or 0, where the new one is
 * missing, and where the percentage is no number any more.
 */
export function percentOf(from: number, to: number): number | null {
  if (Number.isNaN(from) || Number.isNaN(to) || from === 0) return null;
  const percent = Math.round(((to - from) / Math.abs(from)) * 10_000) / 100;
  return Number.isFinite(percent) ? percent : null;
}

/** The field by which records pair whose ids were given by position; the first of its kind. */
export const addressField = ({ fields }: CollectionModel): Field | undefined =>
  fields.find(({ role, kind }) => role === 'link' || kind === 'url');
