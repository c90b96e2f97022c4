/**
 * Distinct numbers, numbered as they first occur: an open-addressing table with linear probing over the bits of the
 * numbers, at a load of at most one half.
 */

export class DistinctNumbers {
  /** Code + 1; 0 is free. Its length is a power of two. */
  readonly #slots: Int32Array;
  readonly #numbers: Float64Array;
  #size = 0;
  readonly #number = new Float64Array(1);
  readonly #words = new Int32Array(this.#number.buffer);

  /** `maxNumbers`: the capacity, which is fixed. */
  constructor(maxNumbers: number) {
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * maxNumbers + 1)));
    this.#numbers = new Float64Array(maxNumbers);
  }

  get size(): number {
    return this.#size;
  }

  /** The numbers by code. */
  get numbers(): Float64Array {
    return this.#numbers.subarray(0, this.#size);
  }

  /** The code of a number, which is not NaN; -1 where it is new and the table is full. Both zeros have the same code. */
  codeOf(number: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // The bits of -0 are not those of 0.
    this.#number[0] = number + 0;
    const hash = Math.imul(Math.imul(this.#words[0]!, 0x85eb_ca6b) ^ this.#words[1]!, 0x9e37_79b1);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (this.#numbers[entry - 1] === number) return entry - 1;
      slot = (slot + 1) & mask;
    }
    if (this.#size === this.#numbers.length) return -1;
    this.#numbers[this.#size] = number + 0;
    slots[slot] = ++this.#size;
    return this.#size - 1;
  }
}
