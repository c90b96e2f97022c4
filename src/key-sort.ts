/**
 * Rows sorted by keys of 128 bits, least significant digits first (LSD radix sort; Knuth, "The Art of Computer
 * Programming", volume 3, section 5.2.5): as many passes over all rows as the keys have digits, whatever the keys are.
 */

import { COUNTS_BYTES, createKeySortKernel, DIGIT_VALUES, DIGITS, ENTRY_BYTES, KEY_WORDS } from './key-sort-kernel.js';
import { createMemory, MEMORY_PAGE_BYTES, type WasmMemory } from './wasm.js';

const ENTRY_NUMBERS = ENTRY_BYTES / 4;
/** A function is run as optimised once it is called again, not while it still runs. */
const PIECE_BYTES = ENTRY_BYTES << 12;

/** So few are sorted by inserting one after the other, in less time than a memory is made for them. */
const FEW = 64;

/** Entries, each a row and its key: 20 bytes, and while they are sorted twice as many. */
export class KeySort {
  /** Undefined as long as there are few. */
  private memory: WasmMemory | undefined;
  private numbers = new Uint32Array(FEW * ENTRY_NUMBERS);
  /** Where the entries stand among the numbers. */
  private first = 0;

  /** Makes room for so many entries; to be called before any beyond those before is set. */
  reserve(count: number): void {
    const missing = 4 * (this.first + count * ENTRY_NUMBERS) - this.numbers.byteLength;
    if (missing <= 0) return;
    if (this.memory === undefined) {
      const few = this.numbers;
      this.memory = createMemory(COUNTS_BYTES + 2 * count * ENTRY_BYTES);
      this.numbers = new Uint32Array(this.memory.buffer);
      this.first = COUNTS_BYTES / 4;
      this.numbers.set(few, this.first);
    } else {
      // At least twice as much as there was: what is never written to takes no room.
      this.memory.grow(Math.ceil(Math.max(missing, this.numbers.byteLength) / MEMORY_PAGE_BYTES));
      this.numbers = new Uint32Array(this.memory.buffer);
    }
  }

  /** Sets entry i to a row and the words of its key, the most significant first; those that are not given are 0. */
  set(i: number, row: number, first: number, second: number, third = 0, fourth = 0): void {
    const at = this.first + i * ENTRY_NUMBERS;
    const { numbers } = this;
    numbers[at] = row;
    numbers[at + 1] = fourth;
    numbers[at + 2] = third;
    numbers[at + 3] = second;
    numbers[at + 4] = first;
  }

  /** Sets entries from the i-th on. */
  setMany(i: number, entries: Uint32Array): void {
    this.numbers.set(entries, this.first + i * ENTRY_NUMBERS);
  }

  /** Sets entry i to a row and the key of the k-th of some entries. */
  copy(i: number, row: number, entries: Uint32Array, k: number): void {
    const at = this.first + i * ENTRY_NUMBERS;
    this.numbers[at] = row;
    for (let word = 1; word <= KEY_WORDS; word++) this.numbers[at + word] = entries[k * ENTRY_NUMBERS + word]!;
  }

  /** Keeps the wanted ones of the first `count` entries; returns how many these are. */
  keep(count: number, isWanted: (i: number) => boolean): number {
    const { numbers, first } = this;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (!isWanted(i)) continue;
      const at = first + i * ENTRY_NUMBERS;
      if (kept < i) numbers.copyWithin(first + kept * ENTRY_NUMBERS, at, at + ENTRY_NUMBERS);
      kept++;
    }
    return kept;
  }

  /** Sorts the first `count` entries by their keys; equal ones stay as they stand. */
  sort(count: number): void {
    if (count <= FEW) this.insert(count);
    else this.spread(count);
  }

  private insert(count: number): void {
    const { numbers, first } = this;
    for (let i = 1; i < count; i++) {
      let at = first + i * ENTRY_NUMBERS;
      const entry = numbers.slice(at, at + ENTRY_NUMBERS);
      for (; at > first && isLess(entry, numbers, at - ENTRY_NUMBERS); at -= ENTRY_NUMBERS)
        numbers.copyWithin(at, at - ENTRY_NUMBERS, at);
      numbers.set(entry, at);
    }
  }

  private spread(count: number): void {
    this.reserve(2 * count);
    const { memory, numbers } = this;
    if (memory === undefined) throw new Error('there is no room for these entries');
    const kernel = createKeySortKernel(memory);
    const bytes = count * ENTRY_BYTES;
    numbers.fill(0, 0, COUNTS_BYTES / 4);
    let entries = COUNTS_BYTES;
    let room = entries + bytes;
    inPieces(entries, bytes, (from, end) => kernel.count(from, end, 0));
    for (const [i, { words, shift }] of DIGITS.entries()) {
      const counts = numbers.subarray(i * DIGIT_VALUES, (i + 1) * DIGIT_VALUES);
      if (counts.includes(count)) continue;
      toPlaces(counts, room);
      inPieces(entries, bytes, (from, end) => kernel.spread(from, end, counts.byteOffset, words, shift));
      [entries, room] = [room, entries];
    }
    this.first = entries / 4;
  }

  /** The first `count` rows. */
  rows(count: number): Uint32Array {
    const rows = new Uint32Array(count);
    for (let i = 0; i < count; i++) rows[i] = this.row(i);
    return rows;
  }

  /** Calls `use` with the bounds of every run of more than one of the first `count` rows that have the same key. */
  forEachRun(count: number, use: (from: number, to: number) => void): void {
    for (let from = 0; from < count; ) {
      let to = from + 1;
      while (to < count && this.isSame(to)) to++;
      if (to - from > 1) use(from, to);
      from = to;
    }
  }

  /** The i-th row. */
  row(i: number): number {
    return this.numbers[this.first + ENTRY_NUMBERS * i]!;
  }

  /** Whether the i-th row has the key of the one before. */
  isSame(i: number): boolean {
    const { numbers } = this;
    const at = this.first + ENTRY_NUMBERS * i;
    // Most differ in the most significant words.
    for (let word = at + KEY_WORDS; word > at; word--)
      if (numbers[word] !== numbers[word - ENTRY_NUMBERS]) return false;
    return true;
  }
}

/** Whether an entry's key is less than that of the entry at `at`. */
function isLess(entry: Uint32Array, numbers: Uint32Array, at: number): boolean {
  let word = KEY_WORDS;
  while (word > 1 && entry[word] === numbers[at + word]) word--;
  return entry[word]! < numbers[at + word]!;
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
