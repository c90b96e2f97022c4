import type { RecordBatch } from '../batch.js';

/** Follows one field of the records while they arrive. */
export interface ColumnBuilder {
  /**
   * Sets the value of `rows[i]` to that of cell `firstCell` + i. Each of the rows is an earlier row or the next one;
   * with them there are `size`.
   */
  setAll(rows: Int32Array, size: number, batch: RecordBatch, firstCell: number): void;
}
