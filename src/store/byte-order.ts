/**
 * Pieces of bytes in order. The bytes that all pieces have in common are passed over (`https://shop.example/p/`); the weights of the
 * next sixteen are the key of a radix sort, and pieces of equal keys are compared.
 */
import { KEY_WORDS, KeySort } from './key-sort.js';

/** Pieces side by side: piece i is `bytes[offsets[i] … offsets[i + 1])`. */
interface PieceBytes {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

const WORD_BYTES = 4;
/** The weights of bytes that are ordered by themselves. */
const OWN_WEIGHTS = Uint8Array.from({ length: 256 }, (_, byte) => byte);

export interface SortedPieces {
  /** The numbers of the pieces. */
  readonly order: Uint32Array;
  /** By place in the order: 1 where nothing tells the piece from the one before. */
  readonly isRepeated: Uint8Array;
}

/** Sorts pieces by the weights of their bytes, those of equal weights by `compareEqual`. Equal pieces keep their order. */
export function sortPieces(
  { bytes, offsets }: PieceBytes,
  pieces: Uint32Array,
  weights: Uint8Array = OWN_WEIGHTS,
  compareEqual: (a: number, b: number) => number = () => 0,
): SortedPieces {
  const common = commonBytes({ bytes, offsets }, pieces);
  const sort = new KeySort();
  sort.reserve(pieces.length);
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    const at = offsets[piece]! + common;
    const end = offsets[piece + 1]!;
    const [second, third] = [at + WORD_BYTES, at + 2 * WORD_BYTES];
    const fourth = third + WORD_BYTES;
    sort.set(i, piece, wordAt(at, end), wordAt(second, end), wordAt(third, end), wordAt(fourth, end));
  }
  sort.sort(pieces.length);
  const order = sort.rows(pieces.length);
  const isRepeated = new Uint8Array(pieces.length);
  sort.forEachRun(pieces.length, (from, to) => {
    order.subarray(from, to).sort(byRest);
    for (let place = from + 1; place < to; place++)
      if (byRest(order[place - 1]!, order[place]!) === 0) isRepeated[place] = 1;
  });
  return { order, isRepeated };

  // Four weights as a number; those behind `end` count as 0.
  function wordAt(at: number, end: number): number {
    let word = 0;
    for (let i = at; i < at + WORD_BYTES; i++) word = (word << 8) | (i < end ? weights[bytes[i]!]! : 0);
    return word;
  }

  // Compares pieces of equal keys. Those that end inside of these differ in bytes 0 alone.
  function byRest(a: number, b: number): number {
    const [start, other] = [offsets[a]!, offsets[b]!];
    const [length, otherLength] = [offsets[a + 1]! - start, offsets[b + 1]! - other];
    const shorter = Math.min(length, otherLength);
    for (let i = common + WORD_BYTES * KEY_WORDS; i < shorter; i++) {
      const difference = weights[bytes[start + i]!]! - weights[bytes[other + i]!]!;
      if (difference !== 0) return difference;
    }
    return length - otherLength || compareEqual(a, b);
  }
}

/** How many bytes all of some pieces begin with in common. */
function commonBytes({ bytes, offsets }: PieceBytes, pieces: Uint32Array): number {
  if (pieces.length === 0) return 0;
  const first = offsets[pieces[0]!]!;
  let common = offsets[pieces[0]! + 1]! - first;
  for (let k = 1; k < pieces.length && common > 0; k++) {
    const start = offsets[pieces[k]!]!;
    common = Math.min(common, offsets[pieces[k]! + 1]! - start);
    for (let i = 0; i < common; i++) if (bytes[start + i] !== bytes[first + i]) common = i;
  }
  return common;
}
