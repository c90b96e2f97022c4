/**
 * Rows sorted by keys of 128 bits, least significant digits first (LSD radix sort; Knuth, "The Art of Computer
 * Programming", volume 3, section 5.2.5): as many passes over all rows as the keys have digits, whatever the keys are.
 */

import { COUNTS_BYTES, createKeySortKernel, DIGIT_VALUES, DIGITS, ENTRY_BYTES, KEY_WORDS } from './key-sort-kernel.js';
import { createMemory, MEMORY_PAGE_BYTES } from './wasm.js';

const ENTRY_NUMBERS = ENTRY_BYTES / 4;
const FIRST = COUNTS_BYTES / 4;
/** A function is run as optimised once it is called again, not while it still runs. */
const PIECE_BYTES = ENTRY_BYTES << 12;

/** Entries, each a row and its key: 20 bytes, and while they are sorted twice as many. */
export class KeySort {
  private readonly memory = createMemory(COUNTS_BYTES);
  private readonly kernel = createKeySortKernel(this.memory);
  private numbers = new Uint32Array(this.memory.buffer);
  /** Where the entries stand. */
  private entries = COUNTS_BYTES;

  /** Makes room for so many entries; to be called before any beyond those before is set. */
  reserve(count: number): void {
    const end = COUNTS_BYTES + count * ENTRY_BYTES;
    const missing = end - this.numbers.byteLength;
    if (missing <= 0) return;
    // At least twice as much as there was: what is never written to takes no room.
    this.memory.grow(Math.ceil(Math.max(missing, this.numbers.byteLength) / MEMORY_PAGE_BYTES));
    this.numbers = new Uint32Array(this.memory.buffer);
  }

  /** Sets entry i to a row and the words of its key, the most significant first; those that are not given are 0. */
  set(i: number, row: number, first: number, second: number, third = 0, fourth = 0): void {
    const at = FIRST + i * ENTRY_NUMBERS;
    const { numbers } = this;
    numbers[at] = row;
    numbers[at + 1] = fourth;
    numbers[at + 2] = third;
    numbers[at + 3] = second;
    numbers[at + 4] = first;
  }

  /** Sets entries from the i-th on. */
  setMany(i: number, entries: Uint32Array): void {
    this.numbers.set(entries, FIRST + i * ENTRY_NUMBERS);
  }

  /** Sets entry i to a row and the key of the k-th of some entries. */
  copy(i: number, row: number, entries: Uint32Array, k: number): void {
    const at = FIRST + i * ENTRY_NUMBERS;
    this.numbers[at] = row;
    for (let word = 1; word <= KEY_WORDS; word++) this.numbers[at + word] = entries[k * ENTRY_NUMBERS + word]!;
  }

  /** Keeps the wanted ones of the first `count` entries; returns how many these are. */
  keep(count: number, isWanted: (i: number) => boolean): number {
    const { numbers } = this;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (!isWanted(i)) continue;
      const at = FIRST + i * ENTRY_NUMBERS;
      if (kept < i) numbers.copyWithin(FIRST + kept * ENTRY_NUMBERS, at, at + ENTRY_NUMBERS);
      kept++;
    }
    return kept;
  }

  /** Sorts the first `count` entries by their keys; equal ones stay as they stand. */
  sort(count: number): void {
    this.reserve(2 * count);
    const { kernel, numbers } = this;
    const bytes = count * ENTRY_BYTES;
    numbers.fill(0, 0, FIRST);
    inPieces(COUNTS_BYTES, bytes, (from, end) => kernel.count(from, end, 0));
    let room = COUNTS_BYTES + bytes;
    for (const [i, { words, shift }] of DIGITS.entries()) {
      const counts = numbers.subarray(i * DIGIT_VALUES, (i + 1) * DIGIT_VALUES);
      if (counts.includes(count)) continue;
      toPlaces(counts, room);
      inPieces(this.entries, bytes, (from, end) => kernel.spread(from, end, counts.byteOffset, words, shift));
      [this.entries, room] = [room, this.entries];
    }
  }

  /** The i-th row. */
  row(i: number): number {
    return this.numbers[this.entries / 4 + ENTRY_NUMBERS * i]!;
  }

  /** Whether the i-th row has the key of the one before. */
  isSame(i: number): boolean {
    const { numbers } = this;
    const at = this.entries / 4 + ENTRY_NUMBERS * i;
    // Most differ in the most significant words.
    for (let word = at + KEY_WORDS; word > at; word--)
      if (numbers[word] !== numbers[word - ENTRY_NUMBERS]) return false;
    return true;
  }
}

/** Turns how often values occur into where the entries of each begin, from `first` on. */
function toPlaces(counts: Uint32Array, first: number): void {
  let place = first;
  for (let value = 0; value < counts.length; value++) {
    const count = counts[value]!;
    counts[value] = place;
    place += count * ENTRY_BYTES;
  }
}

function inPieces(from: number, bytes: number, use: (from: number, end: number) => void): void {
  for (let at = from; at < from + bytes; at += PIECE_BYTES) use(at, Math.min(at + PIECE_BYTES, from + bytes));
}
