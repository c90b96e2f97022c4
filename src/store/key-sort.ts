/**
 * Rows sorted by keys of 64 bits, least significant digits first (LSD radix sort; Knuth, "The Art of Computer
 * Programming", volume 3, section 5.2.5): as many passes over all rows as the keys have digits, whatever the keys are.
 */
import { createMemory } from '../wasm.js';
import { COUNTS_BYTES, createKeySortKernel, DIGIT_BITS, DIGIT_VALUES, DIGITS, ENTRY_BYTES } from './key-sort-kernel.js';

const ENTRY_NUMBERS = ENTRY_BYTES / 4;

/** Sorts by one key after the other, equal ones as they stand, in 24 bytes of memory a row. */
export class KeySort {
  private readonly size: number;
  private readonly numbers: Uint32Array;
  private readonly kernel;
  /** Where the entries stand, and as much room for them. */
  private entries = COUNTS_BYTES;
  private room: number;

  constructor(rows: Uint32Array) {
    const bytes = rows.length * ENTRY_BYTES;
    const memory = createMemory(COUNTS_BYTES + 2 * bytes);
    this.size = rows.length;
    this.numbers = new Uint32Array(memory.buffer);
    this.kernel = createKeySortKernel(memory);
    this.room = this.entries + bytes;
    const first = this.entries / 4;
    for (let i = 0; i < rows.length; i++) this.numbers[first + ENTRY_NUMBERS * i] = rows[i]!;
  }

  /** Sorts by each row's entries `row * stride + offset`, the high half of its key, and the next one of a table, the low half. */
  sortBy(table: Uint32Array, stride: number, offset = 0): void {
    const { numbers, size, kernel } = this;
    const first = this.entries / 4;
    for (let i = 0, entry = first; i < size; i++, entry += ENTRY_NUMBERS) {
      const at = numbers[entry]! * stride + offset;
      numbers[entry + 1] = table[at + 1]!;
      numbers[entry + 2] = table[at]!;
    }
    numbers.fill(0, 0, COUNTS_BYTES / 4);
    kernel.count(this.entries, this.entries + size * ENTRY_BYTES, 0);
    for (let digit = 0; digit < DIGITS; digit++) this.spread(digit);
  }

  /** The i-th row. */
  row(i: number): number {
    return this.numbers[this.entries / 4 + ENTRY_NUMBERS * i]!;
  }

  /** Whether the i-th row has the key of the one before, of those that were sorted by last. */
  isSame(i: number): boolean {
    const { numbers } = this;
    const at = this.entries / 4 + ENTRY_NUMBERS * i;
    return numbers[at + 1] === numbers[at + 1 - ENTRY_NUMBERS] && numbers[at + 2] === numbers[at + 2 - ENTRY_NUMBERS];
  }

  private spread(digit: number): void {
    const { entries, room, size } = this;
    const counts = this.numbers.subarray(digit * DIGIT_VALUES, (digit + 1) * DIGIT_VALUES);
    if (counts.includes(size)) return;
    let place = room;
    for (let value = 0; value < DIGIT_VALUES; value++) {
      const count = counts[value]!;
      counts[value] = place;
      place += count * ENTRY_BYTES;
    }
    this.kernel.spread(entries, entries + size * ENTRY_BYTES, counts.byteOffset, digit * DIGIT_BITS);
    this.entries = room;
    this.room = entries;
  }
}
