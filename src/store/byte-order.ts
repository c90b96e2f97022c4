/**
 * Pieces of bytes in order. The bytes that all pieces have in common are passed over (`https://shop.example/p/`); the runtime sorts
 * them by the weights of the next four as integers. Pieces that these do not tell apart are a run, which is sorted by the bytes that
 * follow, and so on (MSD radix sort; Knuth, "The Art of Computer Programming", volume 3, section 5.2.5).
 */
import type { Narrow } from '../arrays.js';

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
const MAX_COMMON_BYTES = 64;
/** The weights of bytes that are ordered by themselves. */
const OWN_WEIGHTS = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/**
 * Sorts pieces, whose numbers ascend, by the weights of their bytes, those of equal weights by `compareEqual`. Equal pieces keep their
 * order.
 */
export const sortPieces = (
  pieces: PieceBytes,
  numbers: Uint32Array,
  weights: Uint8Array = OWN_WEIGHTS,
  compareEqual: (a: number, b: number) => number = () => 0,
): SortedPieces => new PieceSorter(pieces, numbers, weights, compareEqual).sorted();

/** Writes by piece how many distinct pieces are before it. */
export function writeRanks({ order, isRepeated }: SortedPieces, ranks: Narrow): void {
  for (let place = 0, rank = -1; place < order.length; place++) {
    if (isRepeated[place] === 0) rank++;
    ranks[order[place]!] = rank;
  }
}

/** A sorter with a method for each loop: V8 compiles a loop that runs long with all that its function has not yet run, and drops that again. */
class PieceSorter {
  readonly #bytes: Uint8Array;
  readonly #offsets: Uint32Array;
  readonly #weights: Uint8Array;
  readonly #compareEqual: (a: number, b: number) => number;
  readonly #order: Uint32Array;
  readonly #isRepeated: Uint8Array;
  /** By place: the number of a piece, and four of its weights above it. */
  readonly #entries: BigUint64Array;
  readonly #halves: Uint32Array;
  readonly #runs: Run[] = [];

  constructor(
    { bytes, offsets }: PieceBytes,
    numbers: Uint32Array,
    weights: Uint8Array,
    compareEqual: (a: number, b: number) => number,
  ) {
    this.#bytes = bytes;
    this.#offsets = offsets;
    this.#weights = weights;
    this.#compareEqual = compareEqual;
    this.#order = numbers.slice();
    this.#isRepeated = new Uint8Array(numbers.length);
    this.#entries = new BigUint64Array(numbers.length);
    this.#halves = new Uint32Array(this.#entries.buffer);
  }

  sorted(): SortedPieces {
    const runs = this.#runs;
    if (this.#order.length > 1) runs.push({ from: 0, to: this.#order.length, equalBytes: 0 });
    for (let run = runs.pop(); run !== undefined; run = runs.pop()) this.#sortByStep(run);
    return { order: this.#order, isRepeated: this.#isRepeated };
  }

  #sortByStep(run: Run): void {
    const common = this.#commonBytes(run);
    if (common === null) {
      this.#sortEqual(run);
      return;
    }
    this.#writeEntries(run, common);
    this.#entries.subarray(run.from, run.to).sort();
    this.#readEntries(run);
    this.#pushRuns(run, common + STEP);
  }

  /**
   * The number of bytes at the beginning of a run that have equal weights, from `equalBytes` to `MAX_COMMON_BYTES` more; null where no piece
   * has more than `equalBytes`.
   */
  #commonBytes({ from, to, equalBytes }: Run): number | null {
    const bytes = this.#bytes;
    const offsets = this.#offsets;
    const weights = this.#weights;
    const order = this.#order;
    const start = offsets[order[from]!]!;
    let common = equalBytes + MAX_COMMON_BYTES;
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

  /** Puts the next four weights of each piece above its number; those behind its end count as 0. */
  #writeEntries({ from, to }: Run, common: number): void {
    const bytes = this.#bytes;
    const offsets = this.#offsets;
    const weights = this.#weights;
    const order = this.#order;
    const halves = this.#halves;
    for (let place = from; place < to; place++) {
      const piece = order[place]!;
      const end = offsets[piece + 1]!;
      let step = 0;
      for (let at = offsets[piece]! + common, i = 0; i < STEP; i++, at++)
        step = (step << 8) | (at < end ? weights[bytes[at]!]! : 0);
      halves[2 * place] = piece;
      halves[2 * place + 1] = step;
    }
  }

  #readEntries({ from, to }: Run): void {
    const order = this.#order;
    const halves = this.#halves;
    for (let place = from; place < to; place++) order[place] = halves[2 * place]!;
  }

  /** Leaves each part of a run whose next four weights are equal to be sorted later. */
  #pushRuns({ from, to }: Run, equalBytes: number): void {
    const halves = this.#halves;
    let first = from;
    for (let place = from + 1; place <= to; place++) {
      if (place < to && halves[2 * place + 1] === halves[2 * first + 1]) continue;
      if (place > first + 1) this.#runs.push({ from: first, to: place, equalBytes });
      first = place;
    }
  }

  /** Sorts pieces that differ in their length, or in what `compareEqual` tells; mostly, they are equal. */
  #sortEqual({ from, to, equalBytes }: Run): void {
    if (this.#isUnordered(from, to, equalBytes))
      this.#order.subarray(from, to).sort((a, b) => this.#compare(a, b, equalBytes));
    this.#noteRepeated(from, to, equalBytes);
  }

  /** Whether a piece belongs before the one in front of it. */
  #isUnordered(from: number, to: number, equalBytes: number): boolean {
    const order = this.#order;
    for (let place = from + 1; place < to; place++)
      if (this.#compare(order[place - 1]!, order[place]!, equalBytes) > 0) return true;
    return false;
  }

  #noteRepeated(from: number, to: number, equalBytes: number): void {
    const order = this.#order;
    for (let place = from + 1; place < to; place++)
      if (this.#compare(order[place - 1]!, order[place]!, equalBytes) === 0) this.#isRepeated[place] = 1;
  }

  /** Compares two pieces whose first `equalBytes` have equal weights. */
  #compare(a: number, b: number, equalBytes: number): number {
    const bytes = this.#bytes;
    const offsets = this.#offsets;
    const weights = this.#weights;
    const start = offsets[a]!;
    const otherStart = offsets[b]!;
    const length = offsets[a + 1]! - start;
    const otherLength = offsets[b + 1]! - otherStart;
    const end = length < otherLength ? length : otherLength;
    for (let i = equalBytes; i < end; i++) {
      const difference = weights[bytes[start + i]!]! - weights[bytes[otherStart + i]!]!;
      if (difference !== 0) return difference;
    }
    return length - otherLength || this.#compareEqual(a, b);
  }
}
