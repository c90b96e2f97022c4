/** A stored record with only some of its fields, for which its text is parsed again. */
import { type CollectionModel, isList } from '../../model.js';
import { parseRecord } from '../../store/record-values.js';

type Fields = readonly string[];

/** JSON text of the record with these fields, in the order given; a list that it lacks is left out. */
export function projectJson(model: CollectionModel, record: Buffer, fields: Fields): string {
  const values = parseRecord(record);
  const isScalar = (name: string) => model.fields.some((field) => field.name === name && !isList(field.kind));
  const present = fields.filter((name) => name in values || isScalar(name));
  return JSON.stringify(Object.fromEntries(present.map((name) => [name, values[name]])));
}
