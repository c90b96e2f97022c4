/** A stored record with only some of its fields, for which its text is parsed again. */
import { type CollectionModel, isList } from '../../model.js';
import { parseRecord } from '../../store/record-values.js';

type Fields = readonly string[];

/** Whether these fields are all that records have: then the stored text is their JSON. */
export const isWholeRecord = (model: CollectionModel, fields: Fields): boolean => fields.length === model.fields.length;

/** JSON text of the record with these fields, in the order given; a list that it lacks is left out. */
export function projectJson(model: CollectionModel, record: Buffer, fields: Fields): string {
  const values = parseRecord(record);
  const isScalar = (name: string) => model.fields.some((field) => field.name === name && !isList(field.kind));
  const present = fields.filter((name) => name in values || isScalar(name));
  return JSON.stringify(Object.fromEntries(present.map((name) => [name, values[name]])));
}
