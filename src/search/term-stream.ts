/**
 * Records as the inverter reads them, one number a word: its term, in the order of the texts, with marks between. A
 * stream holds whole records, so what one thread has read another can invert.
 */
import { int32, withRoom } from '../growable.js';

/** A record begins; */
export const RECORD = -1;
/** what stands before this and what stands after are not adjacent; */
export const GAP = -2;
/** the words that follow stand beside the field's text: they can be found, but do not make it longer; */
export const BESIDE = -3;
/** and from here downwards: field 0 begins, field 1, and so on. */
export const FIELD = -4;

/** A stream that is being written. */
export class TermStream {
  entries = int32(1 << 12);
  length = 0;

  add(entry: number): void {
    this.reserve(1);
    this.entries[this.length++] = entry;
  }

  /** Makes room for so many entries more. */
  reserve(count: number): void {
    const size = this.length + count;
    if (size > this.entries.length) this.entries = withRoom(this.entries, size, int32);
  }
}
