/** A record as names and values, which is how it comes where its bytes are not canonical: out of CSV, or out of the parser. */
import type { BatchFiller } from './batch-filler.js';
import { type ColumnFinder, type Columns, valueIn } from './columns.js';
import { EXTRA_NAME, type ExtraObject } from './extra-object.js';
import { isPlainObject } from './paths.js';

export interface SourceRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Names of the source's fields; the same array for all rows of a CSV file. */
  readonly names: readonly string[];
  readonly cells: readonly unknown[];
  /** Why it can't be a record at all; names and cells are empty then. */
  readonly refusal?: string;
}

export const refused = (line: number, refusal: string): SourceRecord => ({ line, names: [], cells: [], refusal });

/** Puts a record into the batch, which has room for it. False where the order of day and month must be known first. */
export function fill(record: SourceRecord, columns: ColumnFinder, filler: BatchFiller): boolean {
  filler.begin(record.line);
  if (record.refusal === undefined) {
    const found = columns.find(record.names);
    const other = found.types?.otherType(record.cells[found.typePosition]);
    if (other !== undefined) return filler.leaveOut(other);
    for (let field = filler.givesIds ? 1 : 0; field < found.positions.length; field++) {
      const position = found.positions[field]!;
      if (position === -1) continue;
      if (!filler.set(field, valueIn(found, field, record.cells[position]))) return false;
    }
    if (filler.extra) keepExtra(record, found, filler, filler.extra);
    found.records++;
  }
  filler.end(record.refusal);
  return true;
}

function keepExtra(
  { names, cells }: SourceRecord,
  { spare, positions }: Columns,
  filler: BatchFiller,
  extra: ExtraObject,
): void {
  for (const [i, name] of names.entries()) {
    if (!spare[i] && !(filler.givesIds && positions[0] === i)) continue;
    const cell = cells[i];
    if (cell === undefined || (cell === null && filler.context.isCsv)) continue;
    const isNested = name === EXTRA_NAME && filler.context.isOwn === true && isPlainObject(cell);
    for (const [member, value] of isNested ? Object.entries(cell) : [[name, cell]]) extra.add(String(member), value);
  }
}
