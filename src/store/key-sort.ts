/**
 * Rows, or pieces by their numbers, sorted by keys of 128 bits, least significant digits first (LSD radix sort; Knuth, "The Art of Computer
 * Programming", volume 3, section 5.2.5): one pass over all rows for each digit of the keys.
 */
import { uint32, withRoom } from '../arrays.js';

/** Words of 32 bits. */
export const KEY_WORDS = 4;
/** An entry is a row and the words of its key, the least significant first. */
const KEY_ENTRY_WORDS = 1 + KEY_WORDS;

const DIGIT_BITS = 11;
const DIGIT_VALUES = 1 << DIGIT_BITS;
const DIGIT_MASK = DIGIT_VALUES - 1;
const DIGITS_PER_WORD = 3;
/** The digits of a key, the least significant first: the word of the entry that holds the digit, and the bits behind the digit in that word. */
const KEY_DIGITS = Array.from({ length: KEY_WORDS * DIGITS_PER_WORD }, (_, i) => ({
  word: 1 + Math.floor(i / DIGITS_PER_WORD),
  shift: DIGIT_BITS * (i % DIGITS_PER_WORD),
}));

/** Entries take 20 bytes each, 40 while they are sorted. */
export class KeySort {
  #entries = uint32(0);

  /** Makes room for `count` entries. */
  reserve(count: number): void {
    this.#entries = withRoom(this.#entries, count * KEY_ENTRY_WORDS, uint32);
  }

  /** Sets entry i to a row and the words of its key, the most significant first. */
  set(i: number, row: number, first: number, second: number, third: number, fourth: number): void {
    const entries = this.#entries;
    const at = i * KEY_ENTRY_WORDS;
    entries[at] = row;
    entries[at + 1] = fourth;
    entries[at + 2] = third;
    entries[at + 3] = second;
    entries[at + 4] = first;
  }

  /** Sorts the first `count` entries by their keys; entries of equal keys keep their order. */
  sort(count: number): void {
    this.#entries = sorted(this.#entries, count);
  }

  /** The first `count` rows. */
  rows(count: number): Uint32Array {
    const rows = new Uint32Array(count);
    for (let i = 0; i < count; i++) rows[i] = this.#entries[i * KEY_ENTRY_WORDS]!;
    return rows;
  }

  /** Calls `use` with the bounds of every run of more than one of the first `count` rows that have the same key. */
  forEachRun(count: number, use: (from: number, to: number) => void): void {
    let from = 0;
    for (let to = 1; to <= count; to++) {
      if (to < count && isSame(this.#entries, to * KEY_ENTRY_WORDS)) continue;
      if (to - from > 1) use(from, to);
      from = to;
    }
  }
}

/** Whether the entry at `at` has the key of the entry before. */
function isSame(entries: Uint32Array, at: number): boolean {
  // Most keys differ in their most significant words.
  for (let word = at + KEY_WORDS; word > at; word--)
    if (entries[word] !== entries[word - KEY_ENTRY_WORDS]) return false;
  return true;
}

/** The first `count` entries in order; the array of entries is overwritten. */
function sorted(entries: Uint32Array<ArrayBuffer>, count: number): Uint32Array<ArrayBuffer> {
  const length = count * KEY_ENTRY_WORDS;
  const counts = countDigits(entries, length);
  let source = entries;
  let target = uint32(length);
  for (const [i, { word, shift }] of KEY_DIGITS.entries()) {
    const places = counts.subarray(i * DIGIT_VALUES, (i + 1) * DIGIT_VALUES);
    // If all entries have the same digit, they are in order already.
    if (places.includes(count)) continue;
    toPlaces(places);
    distribute(source, target, length, places, word, shift);
    [source, target] = [target, source];
  }
  return source;
}

/** By digit and value: the number of entries that have it. */
function countDigits(entries: Uint32Array, length: number): Uint32Array {
  const counts = new Uint32Array(KEY_DIGITS.length * DIGIT_VALUES);
  for (let at = 0; at < length; at += KEY_ENTRY_WORDS) {
    for (let word = 0; word < KEY_WORDS; word++) {
      const digits = entries[at + 1 + word]!;
      const table = word * DIGITS_PER_WORD * DIGIT_VALUES;
      counts[table + (digits & DIGIT_MASK)]!++;
      counts[table + DIGIT_VALUES + ((digits >>> DIGIT_BITS) & DIGIT_MASK)]!++;
      counts[table + 2 * DIGIT_VALUES + (digits >>> (2 * DIGIT_BITS))]!++;
    }
  }
  return counts;
}

/** Turns the counts of a digit's values into the starts of their entries: prefix sums. */
function toPlaces(counts: Uint32Array): void {
  let place = 0;
  for (let value = 0; value < counts.length; value++) {
    const count = counts[value]!;
    counts[value] = place;
    place += count * KEY_ENTRY_WORDS;
  }
}

/** Copies each entry to the place of its digit's value, which then moves on by one entry. */
function distribute(
  source: Uint32Array,
  target: Uint32Array,
  length: number,
  places: Uint32Array,
  word: number,
  shift: number,
): void {
  for (let at = 0; at < length; at += KEY_ENTRY_WORDS) {
    const value = (source[at + word]! >>> shift) & DIGIT_MASK;
    const place = places[value]!;
    places[value] = place + KEY_ENTRY_WORDS;
    target[place] = source[at]!;
    target[place + 1] = source[at + 1]!;
    target[place + 2] = source[at + 2]!;
    target[place + 3] = source[at + 3]!;
    target[place + 4] = source[at + 4]!;
  }
}
