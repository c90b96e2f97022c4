/**
 * Record id → row. Ids are any safe integers. If they count up, as in many dumps, or down, the index is the first id alone. Else it is a
 * table of 16 to 24 bytes for each record, in which the code of an id is its row.
 */
import { BATCH_RECORDS, cellOf, type RecordBatch } from '../batch.js';
import { ID_FIELD } from '../model.js';
import { codeOfNumber, type Numbers, NumberTable } from './number-table.js';

export interface IdIndex {
  readonly size: number;
  readonly first: number;
  /** Whether ids count up from the first, or down. */
  readonly step: 1 | -1;
  /** Null where they do. */
  readonly table: Numbers | null;
}

/** The row of the record with this id, or -1. */
export function rowOfId({ size, first, step, table }: IdIndex, id: number): number {
  if (table !== null) return Number.isNaN(id) ? -1 : codeOfNumber(table, id);
  const row = (id - first) * step;
  return Number.isInteger(row) && row >= 0 && row < size ? row : -1;
}

/** The id of an existing row. */
export const idOfRow = ({ first, step, table }: IdIndex, row: number): number =>
  table === null ? first + step * row : table.numbers[row]!;

/** Assigns rows to ids as they arrive. At any time it is an index of the ids so far. */
export class IdIndexBuilder implements IdIndex {
  size = 0;
  first = 0;
  step: 1 | -1 = 1;
  /** Null as long as ids count up, or down. */
  table: NumberTable | null = null;
  readonly #rowsOfBatch = new Int32Array(BATCH_RECORDS);

  /** The row of `id`: its earlier row, or the next free row, which becomes its own. */
  rowFor(id: number): number {
    if (this.size === 0) this.first = id;
    if (this.table === null) {
      if (this.size === 1 && id === this.first - 1) this.step = -1;
      if (id === this.first + this.step * this.size) return this.size++;
      const row = rowOfId(this, id);
      if (row >= 0) return row;
      this.table = new NumberTable();
      for (let earlierRow = 0; earlierRow < this.size; earlierRow++)
        this.table.codeOf(this.first + this.step * earlierRow);
    }
    const row = this.table.codeOf(id);
    this.size = this.table.size;
    return row;
  }

  /** The rows of a batch's records, valid until the next call, and the ids of those that had a row before. */
  addBatch({ numbers, size }: RecordBatch): { readonly rows: Int32Array; readonly replacedIds: readonly number[] } {
    const rows = this.#rowsOfBatch.subarray(0, size);
    const replacedIds: number[] = [];
    for (let i = 0; i < size; i++) {
      const id = numbers[cellOf(ID_FIELD, i)]!;
      const nextRow = this.size;
      rows[i] = this.rowFor(id);
      if (this.size === nextRow) replacedIds.push(id);
    }
    return { rows, replacedIds };
  }

  finish(): IdIndex {
    const { size, first, step, table } = this;
    return { size, first, step, table: table && { numbers: table.numbers.subarray(0, size), slots: table.slots } };
  }
}
