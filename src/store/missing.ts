/** The rows in which a field has no value: null, blank or absent. A bit for each row, set while records arrive. */

import { uint32, withRoom } from '../arrays.js';
import { type ColumnBuilder, isBlank, type RecordBatch } from '../batch.js';
import { type Bits, clearBit, countBits, createBits, setBit } from '../bits.js';

export interface MissingRows {
  readonly bits: Bits;
  readonly count: number;
}

export function createMissingRowsBuilder(): ColumnBuilder<MissingRows> {
  let bits = uint32(0);
  return {
    setAll(rows: Int32Array, size: number, batch: RecordBatch, firstCell: number) {
      bits = withRoom(bits, (size + 31) >>> 5, uint32);
      // The row of a replaced record may have been marked.
      for (let i = 0; i < rows.length; i++) {
        if (isBlank(batch, firstCell + i)) setBit(bits, rows[i]!);
        else clearBit(bits, rows[i]!);
      }
    },
    finish(size) {
      const finished = bits.subarray(0, (size + 31) >>> 5);
      return { bits: finished, count: countBits(finished) };
    },
  };
}

/** The rows that have no number. */
export function missingIn(numbers: Float64Array): MissingRows {
  const bits = createBits(numbers.length);
  for (let row = 0; row < numbers.length; row++) if (Number.isNaN(numbers[row])) setBit(bits, row);
  return { bits, count: countBits(bits) };
}
