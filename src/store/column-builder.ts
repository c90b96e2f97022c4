/** The interface of builders that follow one field of the records: each batch sets rows, and `finish` returns a frozen part. */
import type { RecordBatch } from '../batch.js';

/** Collects one field of the records while they arrive; the result is a part of their collection. */
export interface ColumnBuilder<Part> {
  /**
   * Sets the value of `rows[i]` to that of cell `firstCell` + i. Each row is an earlier row or the next one; `size` is the number
   * of rows afterwards.
   */
  setAll(rows: Int32Array, size: number, batch: RecordBatch, firstCell: number): void;
  /** Ends the builder. */
  finish(size: number): Part;
}
