import type { RecordBatch } from '../batch.js';

/** Follows one field of the records while they arrive, and becomes a part of their collection. */
export interface ColumnBuilder<Part> {
  /**
   * Sets the value of `rows[i]` to that of cell `firstCell` + i. Each of the rows is an earlier row or the next one;
   * with them there are `size`.
   */
  setAll(rows: Int32Array, size: number, batch: RecordBatch, firstCell: number): void;
  /** Uses the builder up. `textOf` gives back the field's text of a row that has one. */
  finish(size: number, textOf: (row: number) => string): Part;
}
