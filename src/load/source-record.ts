/** A record as names and values, which is how the parser gives it where its bytes cannot be read one by one. */
import type { BatchFiller } from './batch-filler.js';
import { type ColumnFinder, type Columns, valueIn } from './columns.js';
import { EXTRA_NAME, type ExtraObject } from './extra-object.js';
import { isPlainObject } from './paths.js';

export interface SourceRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly names: readonly string[];
  readonly cells: readonly unknown[];
}

/** Puts a record into the batch, which has room for it. False where the order of day and month must be known first. */
export function fill(record: SourceRecord, columns: ColumnFinder, filler: BatchFiller): boolean {
  filler.begin(record.line);
  const found = columns.find(record.names);
  const other = found.types?.otherType(record.cells[found.typePosition]);
  if (other !== undefined) return filler.leaveOut(other);
  if (found.scrapedPosition !== -1) filler.setScrapedAt(record.cells[found.scrapedPosition]);
  for (let field = filler.givesIds ? 1 : 0; field < found.positions.length; field++) {
    const position = found.positions[field]!;
    if (position !== -1 && !filler.set(field, valueIn(found, field, record.cells[position]))) return false;
  }
  if (filler.extra) keepExtra(record, found, filler, filler.extra);
  found.records++;
  filler.end();
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
    if (cell === undefined) continue;
    const isNested = name === EXTRA_NAME && filler.context.isOwn === true && isPlainObject(cell);
    for (const [member, value] of isNested ? Object.entries(cell) : [[name, cell]]) extra.add(String(member), value);
  }
}
