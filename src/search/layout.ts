/**
 * Postings as queries read them. A term's rows are cut into ranges of equal length, a power of two that gives a range
 * about `RANGE_BYTES` of positions, so that the postings of a row are found without a search; each range has a bound on
 * what its postings can add to a score. A term that most records hold has its frequencies as one byte a row instead, and
 * no postings.
 */

import { type Bits, createBits, setAll } from '../bits.js';
import { type Narrow, uint8, uint32, withRoom } from '../growable.js';
import { Pool } from '../memory.js';
import { bucketsFor, type SortedWords } from './buckets.js';
import type { Inversion } from './inverter.js';
import { MOST_POSTING_BYTES, writePosting } from './posting-code.js';
import { normsByLength } from './rows.js';
import { NO_WORDS, sortBucket } from './sorted-bucket.js';
import { type PostingTables, type RowLengths, SATURATION_STEPS } from './tables.js';
import { TermPostings } from './term-postings.js';

/** A range has at least so many bytes of positions in the mean, and less than twice as many. */
const RANGE_BYTES = 32;
/** A term that more than one record in this many holds gets its rows as bits too. */
const FREQUENT_SHARE = 16;
/** A term that more than one record in this many holds gets a byte a row, if that holds its frequencies. */
const DENSE_SHARE = 2;
const MOST_DENSE_FREQUENCY = 255;

/** The postings of some terms that follow one another, laid out by themselves: `firstRanges` and all starts count from 0. */
export interface TermBlock extends Omit<PostingTables, 'bitsOfTerm' | 'frequentBits' | 'denseOfTerm' | 'dense'> {
  /** Number i belongs to the i-th of the terms. */
  readonly frequentBits: ReadonlyMap<number, Bits>;
  readonly dense: ReadonlyMap<number, Uint8Array>;
}

/** The blocks of buckets, by the buckets' numbers. */
export type Blocks = ReadonlyMap<number, TermBlock>;

/** Lays out buckets: number by number, as `claim` gives them, until there is no such bucket. */
export function layOutBuckets(inversion: Inversion, known: RowLengths, claim: () => number): Blocks {
  const { parts, terms } = inversion;
  const layout = new Layout(inversion, known);
  const blocks = new Map<number, TermBlock>();
  const buckets = bucketsFor(terms);
  let sorted = NO_WORDS;
  for (let bucket = claim(); bucket < buckets; bucket = claim()) {
    sorted = sortBucket(parts, bucket, terms, sorted);
    blocks.set(bucket, layout.layOut(sorted));
  }
  return blocks;
}

/** Lays out one block of terms after the other. */
class Layout {
  /** By row; */
  private readonly lengths: Narrow;
  /** and by length. */
  private readonly norms: Float64Array;
  private readonly term: TermPostings;

  private readonly pool = new Pool();
  private ranges = 0;
  private postingStarts = new Uint32Array(1 << 12);
  private positionStarts = new Uint32Array(1 << 12);
  private rangeMost = new Uint8Array(1 << 12);
  private mostInRange = 0;
  private mostPositions = 0;
  private postings = new Uint8Array(1 << 16);
  private postingBytes = 0;
  private positions = new Uint8Array(1 << 16);
  private positionBytes = 0;

  constructor({ weights, rowOf }: Inversion, known: RowLengths) {
    this.lengths = known.lengths;
    this.norms = normsByLength(known);
    this.term = new TermPostings(weights, rowOf);
  }

  layOut(bucket: SortedWords): TermBlock {
    const terms = bucket.starts.length - 1;
    const block = {
      documentFrequencies: new Uint32Array(terms),
      mostSaturation: new Float32Array(terms),
      rangeBits: new Uint8Array(terms),
      firstRanges: new Uint32Array(terms),
      frequentBits: new Map<number, Bits>(),
      dense: new Map<number, Uint8Array>(),
    };
    this.ranges = 0;
    this.mostInRange = 0;
    this.mostPositions = 0;
    this.postingBytes = 0;
    this.positionBytes = 0;
    for (let i = 0; i < terms; i++) {
      this.term.read(bucket, i);
      this.add(i, block);
    }
    return {
      ...block,
      postingStarts: this.pool.numbers(this.postingStarts.subarray(0, this.ranges)),
      positionStarts: this.pool.numbers(this.positionStarts.subarray(0, this.ranges)),
      rangeMost: this.pool.bytes(this.rangeMost.subarray(0, this.ranges)),
      mostInRange: this.mostInRange,
      mostPositions: this.mostPositions,
      postings: this.pool.bytes(this.postings.subarray(0, this.postingBytes)),
      positions: this.pool.bytes(this.positions.subarray(0, this.positionBytes)),
    };
  }

  /** Adds the term that was read as the block's i-th. */
  private add(i: number, block: TermEntries): void {
    const { count, ends, mostFrequency, mostPositions } = this.term;
    const rows = this.lengths.length;
    block.documentFrequencies[i] = count;
    block.firstRanges[i] = this.ranges;
    if (count === 0) return;
    const isDense = count * DENSE_SHARE > rows && mostFrequency <= MOST_DENSE_FREQUENCY;
    if (count * FREQUENT_SHARE > rows) block.frequentBits.set(i, this.bits());
    if (isDense) block.dense.set(i, this.denseFrequencies());
    const bits = this.bitsFor(ends[count - 1]!);
    block.rangeBits[i] = bits;
    block.mostSaturation[i] = this.addRanges(bits, isDense) * (1 + 1e-6);
    if (mostPositions > this.mostPositions) this.mostPositions = mostPositions;
  }

  private bits(): Bits {
    const bits = createBits(this.lengths.length);
    setAll(bits, this.term.rows.subarray(0, this.term.count));
    return bits;
  }

  private denseFrequencies(): Uint8Array {
    const { rows, frequencies, count } = this.term;
    const dense = new Uint8Array(this.lengths.length);
    for (let i = 0; i < count; i++) dense[rows[i]!] = frequencies[i]!;
    return dense;
  }

  /** The length of a term's ranges, whose positions take `bytes`, as a power of two. */
  private bitsFor(bytes: number): number {
    const rows = this.lengths.length;
    let bits = 0;
    while (1 << bits < rows && bytes * (1 << bits) < RANGE_BYTES * rows) bits++;
    return bits;
  }

  /** Writes the ranges of the term that was read; returns the greatest saturation. */
  private addRanges(bits: number, isDense: boolean): number {
    const { lengths, norms } = this;
    const { rows, frequencies, count, ends } = this.term;
    const positions = this.term.positions.subarray(0, ends[count - 1]!);
    this.reserve(((lengths.length - 1) >>> bits) + 1, count * MOST_POSTING_BYTES, positions.length);
    this.positions.set(positions, this.positionBytes);
    const { postings, postingStarts, positionStarts, rangeMost } = this;
    let end = this.postingBytes;
    let most = 0;
    let i = 0;
    for (let first = 0; first < lengths.length; first += 1 << bits) {
      const from = i;
      const next = first + (1 << bits);
      postingStarts[this.ranges] = end;
      positionStarts[this.ranges] = this.positionBytes + (i === 0 ? 0 : ends[i - 1]!);
      /** The greatest f / norm, with which f / (f + norm) grows. */
      let mostInRange = 0;
      for (let after = first; i < count && rows[i]! < next; i++) {
        const row = rows[i]!;
        const frequency = frequencies[i]!;
        const norm = norms[lengths[row]!]!;
        if (frequency > mostInRange * norm) mostInRange = frequency / norm;
        if (!isDense) end = writePosting(postings, end, row - after, frequency);
        after = row + 1;
      }
      const saturation = mostInRange / (mostInRange + 1);
      rangeMost[this.ranges++] = Math.min(Math.ceil(saturation * (1 + 1e-6) * SATURATION_STEPS), SATURATION_STEPS);
      if (i - from > this.mostInRange) this.mostInRange = i - from;
      if (saturation > most) most = saturation;
    }
    this.postingBytes = end;
    this.positionBytes += positions.length;
    return most;
  }

  private reserve(ranges: number, postingBytes: number, positionBytes: number): void {
    this.postings = withRoom(this.postings, this.postingBytes + postingBytes, uint8);
    this.positions = withRoom(this.positions, this.positionBytes + positionBytes, uint8);
    this.postingStarts = withRoom(this.postingStarts, this.ranges + ranges, uint32);
    this.positionStarts = withRoom(this.positionStarts, this.ranges + ranges, uint32);
    this.rangeMost = withRoom(this.rangeMost, this.ranges + ranges, uint8);
  }
}

type TermEntries = Pick<TermBlock, 'documentFrequencies' | 'mostSaturation' | 'rangeBits' | 'firstRanges'> & {
  readonly frequentBits: Map<number, Bits>;
  readonly dense: Map<number, Uint8Array>;
};
