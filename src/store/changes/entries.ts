/** An entry with its record and changes, decoded one at a time when a page shows it. */
import { LINE_FEED } from '../../ascii.js';
import type { Value } from '../../model.js';
import { textOfBytes } from '../../text.js';
import type { RecordStore } from '../collection.js';
import { idOfRow } from '../ids.js';
import { recordView } from '../record-text.js';
import {
  type ChangeKind,
  type Changes,
  changeFormOf,
  firstEntryOf,
  kindOf,
  percentOf,
  removedItem,
  rowOfEntry,
} from './changes.js';
import { namesOf } from './compare.js';

export type ChangeRecord = Readonly<Record<string, Value | undefined>>;

export type FieldChange =
  | {
      readonly form: 'number';
      readonly from: number | null;
      readonly to: number | null;
      readonly percent: number | null;
    }
  | { readonly form: 'list'; readonly added: readonly string[]; readonly removed: readonly string[] }
  /** `words`: a long text, of which the API tells the difference in words. */
  | { readonly form: 'text' | 'words'; readonly from: string | null; readonly to: string | null };

export interface Entry {
  readonly id: number;
  readonly title: string;
  readonly kind: ChangeKind;
  /** The later record; for a removed record, its list item. */
  readonly record: ChangeRecord;
  /** By field, in the model's order; empty unless the record is changed. */
  readonly changes: ReadonlyMap<string, FieldChange>;
}

export function entryAt(collection: RecordStore, changes: Changes, entry: number): Entry {
  const kind = kindOf(changes, entry);
  if (kind === 'removed') {
    const index = entry - firstEntryOf(changes, 'removed');
    const record = recordIn(removedItem(changes.removed, index));
    return { id: changes.removed.ids[index]!, title: String(record.title), kind, record, changes: new Map() };
  }
  const row = rowOfEntry(changes, entry);
  const record = recordIn(recordView(collection.text, row).toString());
  return {
    id: idOfRow(collection.ids, row),
    title: String(record.title),
    kind,
    record,
    changes: kind === 'changed' ? changesOf(collection, changes, entry, record) : new Map(),
  };
}

/** The entry of a row that is changed, or -1. */
export const changedEntryOf = ({ changedRows }: Changes, row: number): number => changedRows.indexOf(row);

function changesOf(
  { model }: RecordStore,
  changes: Changes,
  record: number,
  later: ChangeRecord,
): ReadonlyMap<string, FieldChange> {
  const { starts, fields } = changes;
  const changesByField = new Map<string, FieldChange>();
  for (let change = starts[record]!; change < starts[record + 1]!; change++) {
    const field = model.fields[fields[change]!]!;
    changesByField.set(field.name, fieldChange(changeFormOf(field), changes, change, later[field.name] ?? null));
  }
  return changesByField;
}

function fieldChange(form: FieldChange['form'], changes: Changes, change: number, now: Value): FieldChange {
  const [from, to] = [changes.olds[change]!, changes.news[change]!];
  if (form === 'number') return { form, from: orNull(from), to: orNull(to), percent: percentOf(from, to) };
  const json = oldTextAt(changes, from);
  if (form === 'list') {
    const [before, after] = [new Set(namesOf(json)), new Set(Array.isArray(now) ? now.map(String) : [])];
    return {
      form,
      added: [...after].filter((name) => !before.has(name)),
      removed: [...before].filter((name) => !after.has(name)),
    };
  }
  const old: unknown = JSON.parse(json);
  return { form, from: old === null ? null : String(old), to: now === null ? null : String(now) };
}

const orNull = (number: number): number | null => (Number.isNaN(number) ? null : number);

const oldTextAt = ({ oldTexts }: Changes, at: number): string =>
  textOfBytes(oldTexts, at, oldTexts.indexOf(LINE_FEED, at));

const recordIn = (json: string): ChangeRecord => JSON.parse(json);
