/**
 * Pieces of bytes in order: three-way radix quicksort (Bentley & Sedgewick 1997), three bytes at a time. What many pieces have
 * in common is read once for each of them, however long it is.
 */

/** Pieces side by side: piece i is `bytes[offsets[i] … offsets[i + 1])`. */
export interface Pieces {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

/** Bytes by which pieces are compared at once: as many digits to `DIGIT_BASE` as a number of 32 bits has. */
const WORD_BYTES = 3;
/** A digit is 0 behind the end of a piece, else the weight of a byte and 1. */
const DIGIT_BASE = 257;

/** The weights of bytes that are ordered by themselves. */
const OWN_WEIGHTS = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** Sorts numbers of pieces by the weights of the pieces' bytes; of equal weights by `compareEqual`, a total order. */
export function sortPieces(
  { bytes, offsets }: Pieces,
  order: Uint32Array,
  weights: Uint8Array = OWN_WEIGHTS,
  compareEqual: (a: number, b: number) => number = (a, b) => a - b,
): void {
  const words = new Uint32Array(order.length);

  // Reads the words at `depth` of the pieces from one position to another.
  function readWords(from: number, to: number, depth: number): void {
    for (let i = from; i < to; i++) {
      const start = offsets[order[i]!]! + depth;
      const end = offsets[order[i]! + 1]!;
      let word = 0;
      for (let at = start; at < start + WORD_BYTES; at++)
        word = word * DIGIT_BASE + (at < end ? weights[bytes[at]!]! + 1 : 0);
      words[i] = word;
    }
  }

  function swap(i: number, j: number): void {
    const [word, piece] = [words[i]!, order[i]!];
    words[i] = words[j]!;
    order[i] = order[j]!;
    words[j] = word;
    order[j] = piece;
  }

  // Sorts positions whose pieces are equal before a depth, and whose words are those at that depth.
  function sort(first: number, last: number, atDepth: number): void {
    let [from, to, depth] = [first, last, atDepth];
    while (to - from > 1) {
      // A random pivot: no dump can be made to have the worst ones.
      const pivot = words[from + Math.floor(Math.random() * (to - from))]!;
      let [less, greater] = [from, to];
      for (let i = from; i < greater; ) {
        if (words[i]! < pivot) swap(i++, less++);
        else if (words[i]! > pivot) swap(i, --greater);
        else i++;
      }
      sort(from, less, depth);
      sort(greater, to, depth);
      if (pivot % DIGIT_BASE === 0) {
        order.subarray(less, greater).sort(compareEqual);
        return;
      }
      // A loop goes on behind the word that these pieces have in common: two texts may share a megabyte.
      [from, to] = [less, greater];
      depth += WORD_BYTES;
      readWords(from, to, depth);
    }
  }

  readWords(0, order.length, 0);
  sort(0, order.length, 0);
}
