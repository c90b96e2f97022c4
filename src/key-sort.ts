/**
 * Items sorted by keys of 128 bits. The more significant half of the keys is sorted by its digits, the least significant
 * digit first (LSD radix sort; Knuth, "The Art of Computer Programming", volume 3, section 5.2.5); then each run of items
 * whose first halves are equal is sorted by the other half. 16 bytes an item, and 24 more while they are sorted.
 */
import { uint32, withRoom } from './growable.js';

/** Words of 32 bits, the most significant first. */
export const KEY_WORDS = 4;
/** Where in a key its halves begin. */
const FIRST_HALF = 0;
const SECOND_HALF = 2;

const DIGIT_BITS = 11;
const DIGIT_VALUES = 1 << DIGIT_BITS;
const DIGIT_MASK = DIGIT_VALUES - 1;
/** An entry is an item and the two words of half of its key, the less significant word first. */
const ENTRY_WORDS = 3;
/** Digits of a half, the least significant first: the word of the entry that holds the digit, and the bits behind the digit in that word. */
const DIGITS = [1, 2].flatMap((word) => [0, 1, 2].map((digit) => ({ word, shift: digit * DIGIT_BITS })));

/** Up to about this many items insertion sort is faster: it needs no table of digits. */
const MAX_INSERTED_ITEMS = 64;

type UseRun = (from: number, to: number) => void;

export class KeySort {
  #keys = uint32(0);

  /** Makes room for the keys of `count` items. Must be called before any item beyond the earlier room is set. */
  reserve(count: number): void {
    this.#keys = withRoom(this.#keys, count * KEY_WORDS, uint32);
  }

  /** Sets the key of an item to these words, the most significant first. */
  set(item: number, first: number, second: number, third: number, fourth: number): void {
    const keys = this.#keys;
    const at = item * KEY_WORDS;
    keys[at] = first;
    keys[at + 1] = second;
    keys[at + 2] = third;
    keys[at + 3] = fourth;
  }

  /**
   * Sorts items by their keys; items of equal keys keep their order. Calls `useRun` with the bounds of every run of more
   * than one item that have the same key.
   */
  sort(items: Uint32Array, useRun: UseRun): void {
    const keys = this.#keys;
    sortByHalf(items, 0, items.length, keys, FIRST_HALF, (from, to) =>
      sortByHalf(items, from, to, keys, SECOND_HALF, useRun),
    );
  }
}

/** Sorts the items from `from` to `to` by half of their keys; `useRun` gets the runs of items that have the same half. */
function sortByHalf(
  items: Uint32Array,
  from: number,
  to: number,
  keys: Uint32Array,
  half: number,
  useRun: UseRun,
): void {
  if (to - from <= MAX_INSERTED_ITEMS) {
    insertionSort(items, from, to, keys, half);
    forEachRun(from, to, (i) => isSameHalf(keys, items[i - 1]!, items[i]!, half), useRun);
    return;
  }
  const entries = radixSorted(items.subarray(from, to), keys, half);
  for (let i = from; i < to; i++) items[i] = entries[(i - from) * ENTRY_WORDS]!;
  // The entries lie side by side, the keys of the sorted items far apart.
  forEachRun(from, to, (i) => isSameEntry(entries, (i - from) * ENTRY_WORDS), useRun);
}

function forEachRun(from: number, to: number, isSameAsPrevious: (i: number) => boolean, useRun: UseRun): void {
  let start = from;
  for (let i = from + 1; i <= to; i++) {
    if (i < to && isSameAsPrevious(i)) continue;
    if (i - start > 1) useRun(start, i);
    start = i;
  }
}

function isSameHalf(keys: Uint32Array, a: number, b: number, half: number): boolean {
  const atA = a * KEY_WORDS + half;
  const atB = b * KEY_WORDS + half;
  return keys[atA] === keys[atB] && keys[atA + 1] === keys[atB + 1];
}

/** Whether the entry at `at` and the one before have the same half of a key. */
const isSameEntry = (entries: Uint32Array, at: number): boolean =>
  entries[at + 2] === entries[at + 2 - ENTRY_WORDS] && entries[at + 1] === entries[at + 1 - ENTRY_WORDS];

function insertionSort(items: Uint32Array, from: number, to: number, keys: Uint32Array, half: number): void {
  for (let next = from + 1; next < to; next++) {
    const item = items[next]!;
    let at = next;
    for (; at > from && isLess(keys, item, items[at - 1]!, half); at--) items[at] = items[at - 1]!;
    items[at] = item;
  }
}

function isLess(keys: Uint32Array, a: number, b: number, half: number): boolean {
  const atA = a * KEY_WORDS + half;
  const atB = b * KEY_WORDS + half;
  return keys[atA] === keys[atB] ? keys[atA + 1]! < keys[atB + 1]! : keys[atA]! < keys[atB]!;
}

function radixSorted(items: Uint32Array, keys: Uint32Array, half: number): Uint32Array {
  const counts = new Uint32Array(DIGITS.length * DIGIT_VALUES);
  let source = entriesOf(items, keys, half, counts);
  let target = new Uint32Array(source.length);
  for (const [i, { word, shift }] of DIGITS.entries()) {
    const places = counts.subarray(i * DIGIT_VALUES, (i + 1) * DIGIT_VALUES);
    // Nothing moves where all items have the same digit.
    if (places.includes(items.length)) continue;
    toPlaces(places);
    distribute(source, target, places, word, shift);
    [source, target] = [target, source];
  }
  return source;
}

/** The entries of items; counts how often each digit has each value. */
function entriesOf(items: Uint32Array, keys: Uint32Array, half: number, counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const entries = new Uint32Array(items.length * ENTRY_WORDS);
  for (let i = 0; i < items.length; i++) {
    const key = items[i]! * KEY_WORDS + half;
    const high = keys[key]!;
    const low = keys[key + 1]!;
    const at = i * ENTRY_WORDS;
    entries[at] = items[i]!;
    entries[at + 1] = low;
    entries[at + 2] = high;
    counts[low & DIGIT_MASK]!++;
    counts[DIGIT_VALUES + ((low >>> DIGIT_BITS) & DIGIT_MASK)]!++;
    counts[2 * DIGIT_VALUES + (low >>> (2 * DIGIT_BITS))]!++;
    counts[3 * DIGIT_VALUES + (high & DIGIT_MASK)]!++;
    counts[4 * DIGIT_VALUES + ((high >>> DIGIT_BITS) & DIGIT_MASK)]!++;
    counts[5 * DIGIT_VALUES + (high >>> (2 * DIGIT_BITS))]!++;
  }
  return entries;
}

/** Turns how often each value of a digit occurs into where its entries begin. */
function toPlaces(counts: Uint32Array): void {
  let place = 0;
  for (let value = 0; value < counts.length; value++) {
    const count = counts[value]!;
    counts[value] = place;
    place += count * ENTRY_WORDS;
  }
}

/** Copies each entry to the place of its digit's value, which then moves on by one entry. */
function distribute(source: Uint32Array, target: Uint32Array, places: Uint32Array, word: number, shift: number): void {
  for (let at = 0; at < source.length; at += ENTRY_WORDS) {
    const value = (source[at + word]! >>> shift) & DIGIT_MASK;
    const place = places[value]!;
    places[value] = place + ENTRY_WORDS;
    target[place] = source[at]!;
    target[place + 1] = source[at + 1]!;
    target[place + 2] = source[at + 2]!;
  }
}
