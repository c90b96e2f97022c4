/** An entry with its record and changes, decoded one at a time when a page shows it. */
import type { Field, Value } from '../../model.js';
import type { RecordStore } from '../collection.js';
import { idOfRow } from '../ids.js';
import { recordJson } from '../record-text.js';
import {
  type ChangeKind,
  type Changes,
  changeFormOf,
  firstEntryOf,
  kindOf,
  namesIn,
  percentOf,
  rowOfEntry,
} from './changes.js';

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
    const record = recordIn(changes.removed.items[index] ?? '{}');
    return { id: changes.removed.ids[index]!, title: titleIn(record), kind, record, changes: new Map() };
  }
  const row = rowOfEntry(changes, entry);
  const record = recordIn(recordJson(collection.text, row).toString());
  return {
    id: idOfRow(collection.ids, row),
    title: titleIn(record),
    kind,
    record,
    changes: kind === 'changed' ? changesOf(collection, changes, entry, record) : new Map(),
  };
}

/** By row of the later dataset: the entry of a changed or added record, -1 for any other. */
export function entriesByRow({ changedRows, addedRows, counts }: Changes): Int32Array {
  const entries = new Int32Array(counts.added + counts.changed + counts.unchanged).fill(-1);
  changedRows.forEach((row, i) => {
    entries[row] = i;
  });
  addedRows.forEach((row, i) => {
    entries[row] = changedRows.length + i;
  });
  return entries;
}

/** A field that changed; `numbers` is null where its values are none. */
export interface ChangedField {
  readonly field: Field;
  readonly numbers: { readonly from: number | null; readonly to: number | null } | null;
}

/** The fields of a changed entry, in the model's order. The record is not read. */
export const changedFieldsOf = (
  { model }: RecordStore,
  { starts, fields, olds, news }: Changes,
  entry: number,
): readonly ChangedField[] =>
  Array.from(fields.subarray(starts[entry]!, starts[entry + 1]!), (fieldIndex, i) => {
    const field = model.fields[fieldIndex]!;
    const change = starts[entry]! + i;
    const numbers =
      changeFormOf(field) === 'number' ? { from: orNull(olds[change]!), to: orNull(news[change]!) } : null;
    return { field, numbers };
  });

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
  const old = changes.oldValues[from];
  if (form === 'list') {
    const [before, after] = [namesIn(old), namesIn(now)];
    return {
      form,
      added: [...after].filter((name) => !before.has(name)),
      removed: [...before].filter((name) => !after.has(name)),
    };
  }
  return { form, from: textOfValue(old), to: textOfValue(now) };
}

const orNull = (number: number): number | null => (Number.isNaN(number) ? null : number);

/** A value as a text; an object or a list of objects as JSON. */
function textOfValue(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  return JSON.stringify(value);
}

const recordIn = (json: string): ChangeRecord => JSON.parse(json);
/** Records of a collection of its own need no title. */
const titleIn = ({ title }: ChangeRecord): string => String(title ?? '');
