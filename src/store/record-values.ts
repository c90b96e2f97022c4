/** Records parsed from their bytes; a very long record in part. */
import { isList } from '../model.js';
import { parsedJson } from '../text.js';
import type { Collection } from './collection.js';
import { type RecordText, recordBytes, recordJson, recordStart } from './record-text.js';
import { codesOfRow, valueAtCode } from './value-index.js';

export type RecordValues = Readonly<Record<string, unknown>>;

/** Its members are the record's alone: a dump may have a column `constructor`, which a record lacks. */
export const parseRecord = (record: Buffer | string): RecordValues =>
  Object.setPrototypeOf(JSON.parse(record.toString()), null);

/** Reads members of these names. Records without a prototype, each a call of the runtime, are needed for names that every object has. */
export const recordReader = (names: readonly string[]): ((record: Buffer | string) => RecordValues) =>
  names.some((name) => name in Object.prototype) ? parseRecord : (record) => JSON.parse(record.toString());

/**
 * The whole record of a row. If it has more than `bytes` bytes: its list fields, its lists as the collection spells them, the
 * beginning of its long text within those bytes, and its fields on request if these are no longer.
 */
export function briefRecord(collection: Collection, row: number, bytes: number): RecordValues {
  const { text, model } = collection;
  if (recordBytes(text, row, 'whole') <= bytes) return parseRecord(recordJson(text, row, 'whole'));
  const values: Record<string, unknown> = Object.assign(
    Object.create(null),
    parseRecord(recordJson(text, row, 'item')),
  );
  // The first of the fields behind the list item.
  const long = model.fields.find(({ detailOnly }) => detailOnly);
  const details = recordStart(text, row, bytes).toString('utf8', recordBytes(text, row, 'item') - 1);
  if (long !== undefined) values[long.name] = textBegunIn(details, long.name);
  for (const { name, kind } of model.fields) if (isList(kind)) values[name] = listedValues(collection, name, row);
  return Object.assign(values, valuesOnRequest(text, row, bytes));
}

/** The fields behind the default record, which ends before their comma: `{"id":1,"title":"A"` and `,"brand":"B"}`. */
function valuesOnRequest(text: RecordText, row: number, bytes: number): RecordValues {
  const defaultBytes = recordBytes(text, row, 'default') - 1;
  if (recordBytes(text, row, 'whole') - defaultBytes > bytes) return {};
  const members = recordJson(text, row, 'whole').toString('utf8', defaultBytes);
  return JSON.parse(`{${members.replace(/^,/, '')}`);
}

/** The text of a field in JSON that is cut off somewhere behind its beginning; null where it has no text. */
function textBegunIn(json: string, name: string): unknown {
  const opening = `,"${name}":`;
  if (!json.startsWith(opening)) return null;
  const [text = ''] = /^"(?:[^"\\]|\\(?:[^u]|u[\da-f]{4}))*/i.exec(json.slice(opening.length)) ?? [];
  return parsedJson(`${text}"`) ?? null;
}

/** The values of a list field, as the collection first spelt them. */
export function listedValues({ values }: Collection, name: string, row: number): readonly string[] {
  const index = values.get(name);
  return index === undefined ? [] : Array.from(codesOfRow(index, row), (code) => valueAtCode(index, code));
}
