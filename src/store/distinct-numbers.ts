/**
 * Distinct numbers, numbered as they first occur: an open-addressing table with linear probing over the bits of the
 * numbers, at a load of at most one half.
 */
import { float64, int32, withRoom } from '../growable.js';

const MIN_SLOTS = 1 << 10;

export class DistinctNumbers {
  /** Code + 1; 0 is free. Its length is a power of two. */
  #slots = int32(MIN_SLOTS);
  #numbers = float64(MIN_SLOTS / 2);
  #size = 0;
  readonly #number = new Float64Array(1);
  readonly #words = new Int32Array(this.#number.buffer);

  /** The numbers by code; good until the next is added. */
  get numbers(): Float64Array {
    return this.#numbers.subarray(0, this.#size);
  }

  /** The code of a number, which is not NaN. Both zeros have the same code. */
  codeOf(number: number): number {
    const slot = this.#slotOf(number);
    const code = this.#slots[slot]! - 1;
    return code >= 0 ? code : this.#add(number, slot);
  }

  /** The slot that holds a number, or the free one where it belongs. */
  #slotOf(number: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // The bits of -0 are not those of 0.
    this.#number[0] = number + 0;
    const hash = Math.imul(Math.imul(this.#words[0]!, 0x85eb_ca6b) ^ this.#words[1]!, 0x9e37_79b1);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = slots[slot]!; entry !== 0 && this.#numbers[entry - 1] !== number; entry = slots[slot]!)
      slot = (slot + 1) & mask;
    return slot;
  }

  #add(number: number, slot: number): number {
    const code = this.#size++;
    this.#numbers = withRoom(this.#numbers, this.#size, float64);
    this.#numbers[code] = number + 0;
    this.#slots[slot] = code + 1;
    if (2 * this.#size > this.#slots.length) this.#grow();
    return code;
  }

  #grow(): void {
    this.#slots = int32(4 * this.#slots.length);
    for (let code = 0; code < this.#size; code++) this.#slots[this.#slotOf(this.#numbers[code]!)] = code + 1;
  }
}
