/**
 * Pieces of bytes in order. The bytes that all pieces have in common are passed over (`https://shop.example/p/`); the runtime sorts
 * them by the weights of the next four as integers. Pieces that these do not tell apart are a run, which is sorted by the bytes that
 * follow, and so on (MSD radix sort; Knuth, "The Art of Computer Programming", volume 3, section 5.2.5).
 */

/** Pieces side by side: piece i is `bytes[offsets[i] … offsets[i + 1])`. */
interface PieceBytes {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

export interface SortedPieces {
  /** The numbers of the pieces. */
  readonly order: Uint32Array;
  /** By place in the order: 1 where nothing tells the piece from the one before. */
  readonly isRepeated: Uint8Array;
}

/** Pieces at the places `from … to` of the order, whose first bytes have the same weights. */
interface Run {
  readonly from: number;
  readonly to: number;
  /** How many bytes these are. */
  readonly equal: number;
}

/** Bytes that are sorted by at once. */
const STEP = 4;
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
  addRun(0, pieces.length, 0);
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) sortByStep(run);
  return { order, isRepeated };

  /** Sorts a short run at once, any other later. */
  function addRun(from: number, to: number, equal: number): void {
    if (to - from >= MIN_RUN) runs.push({ from, to, equal });
    else if (to - from > 1) sortByComparing(from, to, equal);
  }

  function sortByStep({ from, to, equal }: Run): void {
    const common = commonBytes(from, to, equal);
    if (common === null) {
      sortByComparing(from, to, equal);
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
      addRun(first, place, common + STEP);
      first = place;
    }
    addRun(first, to, common + STEP);
  }

  /** How many bytes of a run have equal weights, at least `equal`; null where no piece has further ones. */
  function commonBytes(from: number, to: number, equal: number): number | null {
    const start = offsets[order[from]!]!;
    let common = Number.POSITIVE_INFINITY;
    let longest = 0;
    for (let place = from; place < to; place++) {
      const otherStart = offsets[order[place]!]!;
      const length = offsets[order[place]! + 1]! - otherStart;
      if (length > longest) longest = length;
      if (length < common) common = length;
      let i = equal;
      while (i < common && weights[bytes[start + i]!] === weights[bytes[otherStart + i]!]) i++;
      common = i;
    }
    return common < longest ? common : null;
  }

  /** The next four weights as a number; those behind `end` count as 0. */
  function stepAt(at: number, end: number): number {
    let step = 0;
    for (let i = at; i < at + STEP; i++) step = (step << 8) | (i < end ? weights[bytes[i]!]! : 0);
    return step;
  }

  function sortByComparing(from: number, to: number, equal: number): void {
    const run = order.subarray(from, to);
    // Most long runs are of one text.
    if (run.some((piece, i) => i > 0 && compare(run[i - 1]!, piece) > 0)) run.sort(compare);
    for (let place = from + 1; place < to; place++)
      if (compare(order[place - 1]!, order[place]!) === 0) isRepeated[place] = 1;

    function compare(a: number, b: number): number {
      const [start, otherStart] = [offsets[a]!, offsets[b]!];
      const [length, otherLength] = [offsets[a + 1]! - start, offsets[b + 1]! - otherStart];
      for (let i = equal; i < Math.min(length, otherLength); i++) {
        const difference = weights[bytes[start + i]!]! - weights[bytes[otherStart + i]!]!;
        if (difference !== 0) return difference;
      }
      return length - otherLength || compareEqual(a, b);
    }
  }
}
