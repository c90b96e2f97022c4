/**
 * A range-encoded bitmap index over a sort order (Chan & Ioannidis, "Bitmap index design and evaluation", SIGMOD 1998):
 * for every 16th part of the order, the rows before it as bits. The rows of any run of positions are then the difference of
 * two bitmaps, corrected by single bits at either end: at most a 32nd of the rows at each. 2 bytes for each row.
 */
import { type Bits, clearAll, createBits, setAll, writeDifference } from '../bits.js';

const PARTS = 16;

export interface RangeBitmaps {
  readonly rows: Uint32Array;
  /** Positions from one bitmap to the next. */
  readonly step: number;
  /** `before[k]`: the rows at positions below k × `step`. */
  readonly before: readonly Uint32Array[];
}

export function buildRangeBitmaps(rows: Uint32Array): RangeBitmaps {
  const step = Math.max(1, Math.ceil(rows.length / PARTS));
  const bits = createBits(rows.length);
  const before = [bits.slice()];
  for (let from = 0; from < rows.length; from += step) {
    setAll(bits, rows.subarray(from, from + step));
    if (from + step <= rows.length) before.push(bits.slice());
  }
  return { rows, step, before };
}

/** Sets `bits` to the rows at positions `from` to `to`, excluded. */
export function writeRun({ rows, step, before }: RangeBitmaps, from: number, to: number, bits: Bits): void {
  const nearest = (position: number): number => Math.min(Math.round(position / step), before.length - 1);
  const low = nearest(from);
  const high = nearest(to);
  writeDifference(before[high]!, before[low]!, bits);
  // Rows are added first, then removed: a short run may lie between two bitmaps, or on one side of the nearest.
  setAll(bits, rows.subarray(high * step, to));
  setAll(bits, rows.subarray(from, low * step));
  clearAll(bits, rows.subarray(to, high * step));
  clearAll(bits, rows.subarray(low * step, from));
}
