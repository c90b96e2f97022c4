/** An entry with its record and changes, decoded one at a time when a page shows it. */
import type { Field } from '../../model.js';
import type { RecordStore } from '../collection.js';
import { idOfRow } from '../ids.js';
import { recordJson } from '../record-text.js';
import { parseRecord, type RecordValues } from '../record-values.js';
import {
  type ChangeKind,
  type Changes,
  changeFormOf,
  firstEntryOf,
  kindOf,
  namesIn,
  percentOfChange,
  rowOfEntry,
} from './changes.js';

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
  readonly record: RecordValues;
  /** By field, in the model's order; empty unless the record is changed. */
  readonly changes: ReadonlyMap<string, FieldChange>;
}

export function entryAt(collection: RecordStore, changes: Changes, entry: number): Entry {
  const kind = kindOf(changes, entry);
  if (kind === 'removed') {
    const index = entry - firstEntryOf(changes, 'removed');
    const record = parseRecord(Buffer.from(changes.removed.items[index] ?? '{}'));
    return { id: changes.removed.ids[index]!, title: titleIn(record), kind, record, changes: new Map() };
  }
  const row = rowOfEntry(changes, entry);
  const record = parseRecord(recordJson(collection.text, row, 'whole'));
  return {
    id: idOfRow(collection.ids, row),
    title: titleIn(record),
    kind,
    record,
    changes: new Map(
      (kind === 'changed' ? changesIn(changes, entry) : []).map(({ field, change }) => [
        field.name,
        fieldChange(changeFormOf(field), changes, entry, change, record[field.name] ?? null),
      ]),
    ),
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

/** The changes of an entry, in the model's order of their fields. */
const changesIn = ({ model, starts, fields }: Changes, entry: number) =>
  Array.from(fields.subarray(starts[entry]!, starts[entry + 1]!), (field, i) => ({
    field: model.fields[field]!,
    change: starts[entry]! + i,
  }));

/** The fields of a changed entry, in the model's order. The record is not read. */
export const changedFieldsOf = (changes: Changes, entry: number): readonly ChangedField[] =>
  changesIn(changes, entry).map(({ field, change }) => {
    const isNumber = changeFormOf(field) === 'number';
    return { field, numbers: isNumber ? numbersOf(changes, change) : null };
  });

const numbersOf = ({ olds, news }: Changes, change: number) => ({
  from: orNull(olds[change]!),
  to: orNull(news[change]!),
});

function fieldChange(
  form: FieldChange['form'],
  changes: Changes,
  entry: number,
  change: number,
  now: unknown,
): FieldChange {
  const [from, to] = [changes.olds[change]!, changes.news[change]!];
  if (form === 'number')
    return { form, ...numbersOf(changes, change), percent: percentOfChange(changes, entry, from, to) };
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

/** Records of a collection of its own need no title. */
const titleIn = ({ title }: RecordValues): string => String(title ?? '');
