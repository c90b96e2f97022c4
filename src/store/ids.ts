/**
 * Record id → row. Ids are any safe integers. Those of many dumps count up, and nothing is kept but the first; others
 * take 12 to 24 bytes a record for a table of numbers, in which an id's code is its row.
 */
import { codeOfNumber, type Numbers, NumberTable } from './number-table.js';

export interface IdIndex {
  readonly size: number;
  readonly first: number;
  /** Null where ids count up from the first. */
  readonly table: Numbers | null;
}

/** The row of the record with this id, or -1. */
export function rowOfId({ size, first, table }: IdIndex, id: number): number {
  if (table !== null) return Number.isNaN(id) ? -1 : codeOfNumber(table, id);
  const row = id - first;
  return Number.isInteger(row) && row >= 0 && row < size ? row : -1;
}

/** The id of a row, which is there. */
export const idOfRow = ({ first, table }: IdIndex, row: number): number =>
  table === null ? first + row : table.numbers[row]!;

/** Gives ids their rows as they arrive; an index of those that it has, at any time. */
export class IdIndexBuilder implements IdIndex {
  size = 0;
  first = 0;
  /** Null as long as ids count up. */
  table: NumberTable | null = null;

  /** The row of `id`: an earlier one, or the next free row, which it then belongs to. */
  rowFor(id: number): number {
    if (this.size === 0) this.first = id;
    if (this.table === null) {
      if (id === this.first + this.size) return this.size++;
      const row = rowOfId(this, id);
      if (row >= 0) return row;
      this.table = new NumberTable();
      for (let known = 0; known < this.size; known++) this.table.codeOf(this.first + known);
    }
    const row = this.table.codeOf(id);
    this.size = this.table.size;
    return row;
  }

  /** The same for the ids from `from` to `to`, whose rows are written to `rows`; returns how many of them had a row. */
  rowsFor(ids: Float64Array, from: number, to: number, rows: Int32Array): number {
    const before = this.size;
    for (let i = from; i < to; i++) rows[i - from] = this.rowFor(ids[i]!);
    return to - from - (this.size - before);
  }

  finish(): IdIndex {
    const { size, first, table } = this;
    return { size, first, table: table && { numbers: table.numbers.subarray(0, size), slots: table.slots } };
  }
}
