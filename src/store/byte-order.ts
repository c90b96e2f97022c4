/**
 * Pieces of bytes in order. The bytes that all pieces have in common are passed over (`https://shop.example/p/`), and the
 * next sixteen are the key of a radix sort. Runs of equal keys are sorted in the same way, short ones by comparison.
 */
import { forEachRun, sortByKeys } from './radix-sort.js';

/** Pieces side by side: piece i is `bytes[offsets[i] … offsets[i + 1])`. */
export interface Pieces {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

const MIN_RADIX_PIECES = 64;
const KEY_BYTES = 16;
const WORD_STARTS = [0, 4, 8, 12];

/** The first `size` pieces in the order of their bytes; equal ones keep their order. */
export function sortPieces({ bytes, offsets }: Pieces, size: number): Uint32Array {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const byBytes = (a: number, b: number): number =>
    all.compare(all, offsets[b]!, offsets[b + 1]!, offsets[a]!, offsets[a + 1]!);
  const lengthOf = (piece: number): number => offsets[piece + 1]! - offsets[piece]!;

  /** How many bytes from `at` on the pieces of a run have in common. */
  function commonBytes(run: Uint32Array, at: number): number {
    const first = offsets[run[0]!]! + at;
    let common = Number.POSITIVE_INFINITY;
    for (const piece of run) {
      const start = offsets[piece]! + at;
      common = Math.min(common, offsets[piece + 1]! - start);
      for (let i = 0; i < common; i++) if (bytes[start + i] !== bytes[first + i]) common = i;
    }
    return common;
  }

  /** Four bytes of a piece as a number; bytes behind its end count as 0. */
  function wordAt(piece: number, at: number): number {
    const start = offsets[piece]! + at;
    const end = offsets[piece + 1]!;
    let word = 0;
    for (let i = start; i < start + 4; i++) word = (word << 8) | (i < end ? bytes[i]! : 0);
    return word;
  }

  /** Sorts a run, in place, whose pieces are equal in the bytes before `at`. */
  function sortRun(run: Uint32Array, at: number): void {
    // A piece that ends before `at` has the key of one that goes on with bytes 0.
    if (run.length < MIN_RADIX_PIECES || run.some((piece) => lengthOf(piece) < at)) {
      run.sort(byBytes);
      return;
    }
    const from = at + commonBytes(run, at);
    const keys = WORD_STARTS.map((start) => Uint32Array.from(run, (piece) => wordAt(piece, from + start)));
    const sorted = sortByKeys(
      run.map((_, i) => i),
      keys,
    );
    const pieces = sorted.map((i) => run[i]!);
    run.set(pieces);
    forEachRun(sorted, keys, (first, end) => sortRun(run.subarray(first, end), from + KEY_BYTES));
  }

  const order = Uint32Array.from({ length: size }, (_, piece) => piece);
  if (size > 1) sortRun(order, 0);
  return order;
}
