/**
 * Pieces of UTF-8 in order. The bytes that all pieces have in common are passed over (`https://shop.example/p/`), and the
 * next eight are the key of a radix sort. Runs of equal keys are sorted in the same way, short ones by comparison.
 */
import { forEachRun, sortByKeys } from './radix-sort.js';

/** Pieces side by side: piece i is `bytes[offsets[i] … offsets[i + 1])`. */
export interface Pieces {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

const MIN_RADIX_PIECES = 32;
const WORD_BYTES = 4;
const KEY_BYTES = 2 * WORD_BYTES;
/** UTF-8 has no byte above 0xf4. Digits are bytes + 1, and 0 behind the end of a piece: four of them are less than 2^32. */
const DIGIT_BASE = 0xf4 + 2;

/** The first `size` pieces in the order of their bytes; equal ones keep their order. */
export function sortPieces({ bytes, offsets }: Pieces, size: number): Uint32Array {
  /** Sorts a run, in place, of pieces that are equal in the bytes before `at`. */
  function sortRun(run: Uint32Array, at: number): void {
    if (run.length < MIN_RADIX_PIECES) {
      sortShortRun(run, at);
      return;
    }
    const from = at + commonBytes(run, at);
    const items = new Uint32Array(run.length);
    const keys = [new Uint32Array(run.length), new Uint32Array(run.length)] as const;
    for (let i = 0; i < run.length; i++) {
      items[i] = i;
      keys[0][i] = wordAt(run[i]!, from);
      keys[1][i] = wordAt(run[i]!, from + WORD_BYTES);
    }
    const sorted = sortByKeys(items, keys);
    run.set(sorted.map((item) => run[item]!));
    forEachRun(sorted, keys, (first, end) => {
      // Pieces that end inside of their key are equal.
      if (lengthOf(run[first]!) >= from + KEY_BYTES) sortRun(run.subarray(first, end), from + KEY_BYTES);
    });
  }

  function sortShortRun(run: Uint32Array, at: number): void {
    for (let i = 1; i < run.length; i++) {
      const piece = run[i]!;
      let place = i;
      for (; place > 0 && isLess(piece, run[place - 1]!, at); place--) run[place] = run[place - 1]!;
      run[place] = piece;
    }
  }

  function isLess(a: number, b: number, at: number): boolean {
    const length = Math.min(lengthOf(a), lengthOf(b));
    for (let i = at; i < length; i++) {
      const difference = bytes[offsets[a]! + i]! - bytes[offsets[b]! + i]!;
      if (difference !== 0) return difference < 0;
    }
    return lengthOf(a) < lengthOf(b);
  }

  /** How many bytes from `at` on the pieces of a run have in common. */
  function commonBytes(run: Uint32Array, at: number): number {
    const first = offsets[run[0]!]! + at;
    let common = Number.POSITIVE_INFINITY;
    for (let i = 0; i < run.length; i++) {
      const start = offsets[run[i]!]! + at;
      common = Math.min(common, offsets[run[i]! + 1]! - start);
      for (let j = 0; j < common; j++) if (bytes[start + j] !== bytes[first + j]) common = j;
    }
    return common;
  }

  /** Four bytes of a piece as a number. */
  function wordAt(piece: number, at: number): number {
    const start = offsets[piece]! + at;
    const end = offsets[piece + 1]!;
    let word = 0;
    for (let i = start; i < start + WORD_BYTES; i++) word = Math.imul(word, DIGIT_BASE) + (i < end ? bytes[i]! + 1 : 0);
    return word;
  }

  const lengthOf = (piece: number): number => offsets[piece + 1]! - offsets[piece]!;

  const order = new Uint32Array(size);
  for (let piece = 0; piece < size; piece++) order[piece] = piece;
  if (size > 1) sortRun(order, 0);
  return order;
}
