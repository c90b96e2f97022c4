/**
 * Distinct numbers, numbered as they first occur: an open-addressing table with linear probing over the bits of the
 * numbers, at a load of at most one half (Knuth, TAOCP vol. 3, section 6.4). 16 to 24 bytes a number.
 */
import { float64, int32, withRoom } from '../arrays.js';

/** Plain values, so that a finished table can move to another thread. */
export interface Numbers {
  /** The numbers by code. */
  readonly numbers: Float64Array;
  /** Code + 1 at the slot where probing for a number ends; 0 is free. Its length is a power of two. */
  readonly slots: Int32Array;
}

const MIN_NUMBER_SLOTS = 1024;
const hashedDouble = new Float64Array(1);
const halves = new Int32Array(hashedDouble.buffer);

/** The slot that holds a number, which is not NaN, or the free one where it belongs. */
function numberSlot({ numbers, slots }: Numbers, number: number): number {
  const mask = slots.length - 1;
  // The bits of -0 are not those of 0.
  hashedDouble[0] = number + 0;
  // Any odd multipliers mix the bits of the double's halves; these two are MurmurHash3's and the golden ratio's.
  const hash = Math.imul(Math.imul(halves[0]!, 0x85eb_ca6b) ^ halves[1]!, 0x9e37_79b1);
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (let entry = slots[slot]!; entry !== 0 && numbers[entry - 1] !== number; entry = slots[slot]!)
    slot = (slot + 1) & mask;
  return slot;
}

/** The code of a number, or -1. */
export const codeOfNumber = (table: Numbers, number: number): number => table.slots[numberSlot(table, number)]! - 1;

export class NumberTable implements Numbers {
  numbers = float64(0);
  slots = int32(MIN_NUMBER_SLOTS);
  size = 0;

  /** The code of a number: its earlier code, or the next free code, which becomes its own. */
  codeOf(number: number): number {
    const slot = numberSlot(this, number);
    const entry = this.slots[slot]!;
    if (entry !== 0) return entry - 1;
    this.numbers = withRoom(this.numbers, this.size + 1, float64);
    this.numbers[this.size] = number + 0;
    this.slots[slot] = ++this.size;
    if (2 * this.size > this.slots.length) this.#grow();
    return this.size - 1;
  }

  #grow(): void {
    this.slots = int32(2 * this.slots.length);
    for (let code = 0; code < this.size; code++) this.slots[numberSlot(this, this.numbers[code]!)] = code + 1;
  }
}
