/** A record as its source has it → a valid record, or the reason why it is refused. */
import type { CollectionModel, Field, Value } from '../model.js';
import { quote } from '../text.js';
import { type ColumnFinder, createColumnFinder, createRank, type Mapping } from './columns.js';
import { faultyFields, recordSchema } from './schema.js';
import type { SourceRecord } from './source-record.js';
import { readCell } from './values.js';

export type Normalised =
  | { readonly ok: true; readonly values: Value[] }
  | { readonly ok: false; readonly reason: string };

export interface Normaliser {
  normalise(record: SourceRecord): Normalised;
  readonly columns: ColumnFinder;
}

export function createNormaliser(model: CollectionModel, mapping: Mapping = new Map()): Normaliser {
  const schema = recordSchema(model);
  const columns = createColumnFinder(model, createRank(model, mapping), () => {});

  const normalise = (record: SourceRecord): Normalised => {
    if (record.refusal !== undefined) return { ok: false, reason: record.refusal };
    const { positions } = columns.find(record.names);
    const cells = positions.map((position) => (position === -1 ? null : record.cells[position]));
    const values = cells.map((cell) => cell as Value);
    for (const row of faultyFields(schema, cells)) {
      const field = model.fields[row];
      if (field === undefined) continue;
      const reading = readCell(field, cells[row]);
      if (field.required && reading.value === null) return { ok: false, reason: requiredReason(field, cells[row]) };
      values[row] = reading.value;
    }
    return { ok: true, values };
  };
  return { normalise, columns };
}

/** Why a record can't do without this cell. */
export function requiredReason({ name, kind }: Field, cell: unknown): string {
  if (cell === null || cell === undefined) return `${name} is missing`;
  if (typeof cell === 'string' && cell.trim() === '') return `${name} is empty`;
  return `${name}: expected ${kind === 'integer' ? 'an integer' : 'text'}, found ${quote(cell)}`;
}
