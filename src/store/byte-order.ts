/**
 * Pieces of UTF-8 in order. The bytes that all pieces have in common are passed over (`https://shop.example/p/`); the next
 * sixteen are the key of a radix sort, and pieces of equal keys are compared.
 */
import { KEY_WORDS, KeySort } from './key-sort.js';

/** Pieces side by side: piece i is `bytes[offsets[i] … offsets[i + 1])`. */
interface Pieces {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

const WORD_BYTES = 4;

/** The first `size` pieces in the order of their bytes; equal ones keep their order. */
export function sortPieces({ bytes, offsets }: Pieces, size: number): Uint32Array {
  const common = commonBytes({ bytes, offsets }, size);
  const sort = new KeySort();
  sort.reserve(size);
  for (let piece = 0; piece < size; piece++) {
    const at = offsets[piece]! + common;
    const end = offsets[piece + 1]!;
    const [second, third] = [at + WORD_BYTES, at + 2 * WORD_BYTES];
    const fourth = third + WORD_BYTES;
    sort.set(
      piece,
      piece,
      wordAt(bytes, at, end),
      wordAt(bytes, second, end),
      wordAt(bytes, third, end),
      wordAt(bytes, fourth, end),
    );
  }
  sort.sort(size);
  const order = sort.rows(size);
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const compared = common + WORD_BYTES * KEY_WORDS;
  // Pieces of equal keys that end inside of them differ in bytes 0 alone.
  const startOf = (piece: number): number => Math.min(offsets[piece]! + compared, offsets[piece + 1]!);
  const byRest = (a: number, b: number): number =>
    all.compare(all, startOf(b), offsets[b + 1]!, startOf(a), offsets[a + 1]!) || lengthOf(a) - lengthOf(b);
  const lengthOf = (piece: number): number => offsets[piece + 1]! - offsets[piece]!;
  sort.forEachRun(size, (from, to) => order.subarray(from, to).sort(byRest));
  return order;
}

/** How many bytes all of the first `size` pieces begin with in common. */
function commonBytes({ bytes, offsets }: Pieces, size: number): number {
  let common = size === 0 ? 0 : offsets[1]!;
  for (let piece = 1; piece < size && common > 0; piece++) {
    const start = offsets[piece]!;
    common = Math.min(common, offsets[piece + 1]! - start);
    for (let i = 0; i < common; i++) if (bytes[start + i] !== bytes[i]) common = i;
  }
  return common;
}

/** Four bytes as a number; those behind `end` count as 0. */
function wordAt(bytes: Uint8Array, at: number, end: number): number {
  let word = 0;
  for (let i = at; i < at + WORD_BYTES; i++) word = (word << 8) | (i < end ? bytes[i]! : 0);
  return word;
}
