/** A record as its source has it → a valid record, or the reason why it is refused. */
import type { CollectionModel, Field, Value } from '../model.js';
import { quote } from '../text.js';
import { type ColumnFinder, type Columns, createColumnFinder, createRank, type Mapping } from './columns.js';
import { fitCode, fits } from './fits.js';
import { faultyFields, recordSchema } from './schema.js';
import type { SourceRecord } from './source-record.js';
import { type CellContext, readCell } from './values.js';

/** A cell that was read from another spelling, or could not be read: `read` is null then. */
export interface Note {
  readonly row: number;
  readonly raw: unknown;
  readonly read: Value;
}

export type Normalised =
  | { readonly ok: true; readonly values: readonly Value[]; readonly notes: readonly Note[] }
  | { readonly ok: false; readonly reason: string }
  /** A date that could be either month/day or day/month: to be read again once the column's order is known. */
  | { readonly ok: false; readonly needs: 'date order' };

export interface NormaliserOptions {
  readonly model: CollectionModel;
  readonly mapping: Mapping;
  readonly onForgetColumns: (columns: Columns) => void;
}

export interface Normaliser {
  /** `assignedId`: the record's id where the source has none of its own. */
  normalise(record: SourceRecord, context: CellContext, assignedId?: number): Normalised;
  readonly columns: ColumnFinder;
}

const NO_NOTES: readonly Note[] = [];

export function createNormaliser({ model, mapping, onForgetColumns }: NormaliserOptions): Normaliser {
  const { fields } = model;
  const codes = fields.map(fitCode);
  const schema = recordSchema(model);
  const columns = createColumnFinder(model, createRank(model, mapping), onForgetColumns);

  /** Reads cells that do not all fit. */
  const readRest = (cells: readonly unknown[], context: CellContext): Normalised => {
    const values = cells.slice() as Value[];
    const notes: Note[] = [];
    for (let row = 0; row < fields.length; row++) {
      const raw = cells[row];
      const code = codes[row]!;
      if (fits(code, raw)) continue;
      const field = fields[row]!;
      const { how, value } = readCell(field, raw, context);
      if (how === 'order') return { ok: false, needs: 'date order' };
      if (field.required && !fits(code, value)) return { ok: false, reason: requiredReason(field, raw) };
      values[row] = value;
      if (how === 'repaired' || how === 'unreadable') notes.push({ row, raw, read: value });
    }
    proveRead(values, notes);
    return { ok: true, values, notes };
  };

  /** What was read from another spelling is proved by the schema itself; that it fails is a bug of a reader. */
  const proveRead = (values: readonly Value[], notes: readonly Note[]): void => {
    const [faulty] = notes.length === 0 ? [] : faultyFields(schema, values);
    if (faulty !== undefined) throw new Error(`${fields[faulty]?.name} was read as ${quote(values[faulty])}`);
  };

  const normalise = (record: SourceRecord, context: CellContext, assignedId?: number): Normalised => {
    if (record.refusal !== undefined) return { ok: false, reason: record.refusal };
    const found = columns.find(record.names);
    found.records++;
    const { positions } = found;
    const cells: unknown[] = [];
    let areFit = true;
    for (let row = 0; row < positions.length; row++) {
      const position = positions[row]!;
      const cell = row === 0 && assignedId !== undefined ? assignedId : position === -1 ? null : record.cells[position];
      if (!fits(codes[row]!, cell)) areFit = false;
      cells.push(cell);
    }
    // That every cell fits is what makes them values.
    if (areFit) return { ok: true, values: cells as Value[], notes: NO_NOTES };
    const result = readRest(cells, context);
    if ('needs' in result) found.records--;
    return result;
  };
  return { normalise, columns };
}

/** Why a record can't do without this cell. */
export function requiredReason({ name, kind }: Field, cell: unknown): string {
  if (cell === null || cell === undefined) return `${name} is missing`;
  if (typeof cell === 'string' && cell.trim() === '') return `${name} is empty`;
  const found = typeof cell === 'object' ? (Array.isArray(cell) ? 'an array' : 'an object') : quote(cell);
  return `${name}: expected ${kind === 'integer' ? 'an integer' : 'text'}, found ${found}`;
}
