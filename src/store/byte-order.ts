/**
 * Pieces of bytes in order. The bytes that all pieces have in common are passed over (`https://shop.example/p/`); the runtime sorts
 * them by the weights of the next four as integers. Pieces that these do not tell apart are a run, which is sorted by the bytes that
 * follow, and so on (MSD radix sort; Knuth, "The Art of Computer Programming", volume 3, section 5.2.5).
 */

/** Pieces side by side: piece i is `bytes[offsets[i] … offsets[i + 1])`. */
export interface PieceBytes {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

export interface SortedPieces {
  /** The numbers of the pieces. */
  readonly order: Uint32Array;
  /** By place in the order: 1 where nothing tells the piece from the one before. */
  readonly isRepeated: Uint8Array;
}

/** Pieces at the places `from … to` of the order. */
interface Run {
  readonly from: number;
  readonly to: number;
  /** The number of bytes at their beginning that have equal weights. */
  readonly equalBytes: number;
}

/** Bytes that are sorted by at once. */
const STEP = 4;
/** Common bytes that are looked for before a step: pieces with more of them take several steps. */
const MAX_COMMON = 64;
/** Shorter runs are sorted by comparing pieces. */
const MIN_RUN = 16;
/** The weights of bytes that are ordered by themselves. */
const OWN_WEIGHTS = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/**
 * Sorts pieces, whose numbers ascend, by the weights of their bytes, those of equal weights by `compareEqual`. Equal pieces keep their
 * order.
 */
export function sortPieces(
  { bytes, offsets }: PieceBytes,
  pieces: Uint32Array,
  weights: Uint8Array = OWN_WEIGHTS,
  compareEqual: (a: number, b: number) => number = () => 0,
): SortedPieces {
  const order = pieces.slice();
  const isRepeated = new Uint8Array(pieces.length);
  /** By place: the number of a piece, and four of its weights above it. */
  const entries = new BigUint64Array(pieces.length);
  const halves = new Uint32Array(entries.buffer);
  const runs: Run[] = [];
  sortRun(0, pieces.length, 0);
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) sortByStep(run);
  return { order, isRepeated };

  /** Sorts a short run at once, any other later. */
  function sortRun(from: number, to: number, equalBytes: number): void {
    if (to - from >= MIN_RUN) runs.push({ from, to, equalBytes });
    else if (to - from > 1) sortByComparing(from, to, equalBytes);
  }

  function sortByStep(run: Run): void {
    const { from, to, equalBytes } = run;
    const common = commonBytes(run);
    if (common === null) {
      // They differ in their length, or in what `compareEqual` tells; mostly, they are equal.
      if (isUnordered(run)) order.subarray(from, to).sort((a, b) => compare(a, b, equalBytes));
      noteRepeated(from, to, equalBytes);
      return;
    }
    for (let place = from; place < to; place++) {
      const piece = order[place]!;
      halves[2 * place] = piece;
      halves[2 * place + 1] = stepAt(offsets[piece]! + common, offsets[piece + 1]!);
    }
    entries.subarray(from, to).sort();
    let first = from;
    for (let place = from; place < to; place++) {
      order[place] = halves[2 * place]!;
      if (halves[2 * place + 1] === halves[2 * first + 1]) continue;
      sortRun(first, place, common + STEP);
      first = place;
    }
    sortRun(first, to, common + STEP);
  }

  /** Whether a piece belongs before the one in front of it. */
  function isUnordered({ from, to, equalBytes }: Run): boolean {
    for (let place = from + 1; place < to; place++)
      if (compare(order[place - 1]!, order[place]!, equalBytes) > 0) return true;
    return false;
  }

  /**
   * The number of bytes at the beginning of a run that have equal weights, from `equalBytes` to `MAX_COMMON` more; null where no piece
   * has more than `equalBytes`.
   */
  function commonBytes({ from, to, equalBytes }: Run): number | null {
    const start = offsets[order[from]!]!;
    let common = equalBytes + MAX_COMMON;
    let longest = 0;
    for (let place = from; place < to; place++) {
      const otherStart = offsets[order[place]!]!;
      const length = offsets[order[place]! + 1]! - otherStart;
      if (length > longest) longest = length;
      if (length < common) common = length;
      let i = equalBytes;
      while (i < common && weights[bytes[start + i]!] === weights[bytes[otherStart + i]!]) i++;
      common = i;
    }
    return longest > equalBytes ? common : null;
  }

  /** The next four weights as a number; those behind `end` count as 0. */
  function stepAt(at: number, end: number): number {
    let step = 0;
    for (let i = at; i < at + STEP; i++) step = (step << 8) | (i < end ? weights[bytes[i]!]! : 0);
    return step;
  }

  /** Sorts a short run by insertion. */
  function sortByComparing(from: number, to: number, equalBytes: number): void {
    for (let next = from + 1; next < to; next++) {
      const piece = order[next]!;
      let place = next;
      for (; place > from && compare(order[place - 1]!, piece, equalBytes) > 0; place--)
        order[place] = order[place - 1]!;
      order[place] = piece;
    }
    noteRepeated(from, to, equalBytes);
  }

  function noteRepeated(from: number, to: number, equalBytes: number): void {
    for (let place = from + 1; place < to; place++)
      if (compare(order[place - 1]!, order[place]!, equalBytes) === 0) isRepeated[place] = 1;
  }

  /** Compares two pieces whose first `equalBytes` have equal weights. */
  function compare(a: number, b: number, equalBytes: number): number {
    const [start, otherStart] = [offsets[a]!, offsets[b]!];
    const [length, otherLength] = [offsets[a + 1]! - start, offsets[b + 1]! - otherStart];
    const end = length < otherLength ? length : otherLength;
    for (let i = equalBytes; i < end; i++) {
      const difference = weights[bytes[start + i]!]! - weights[bytes[otherStart + i]!]!;
      if (difference !== 0) return difference;
    }
    return length - otherLength || compareEqual(a, b);
  }
}
