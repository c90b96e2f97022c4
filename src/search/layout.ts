/**
 * Postings as queries read them. A term's rows are cut into ranges of equal length, a power of two that gives a range
 * about `RANGE_BYTES` of positions, so that the postings of a row are found without a search; each range has a bound on
 * what its postings can add to a score. A term that most records hold has its frequencies as one byte a row instead, and
 * no postings.
 */

import { type Bits, createBits, setAll } from '../bits.js';
import { uint8, uint32, withRoom } from '../growable.js';
import { Pool } from '../memory.js';
import { bucketsFor } from './buckets.js';
import type { Inversion } from './inverter.js';
import { MOST_POSTING_BYTES, skipPositions, writePosting } from './posting-code.js';
import { normsOf, recordsByRow } from './rows.js';
import { NO_BUCKET, type SortedBucket, sortBucket } from './sorted-bucket.js';
import { type PostingTables, SATURATION_STEPS } from './tables.js';

/** A range has at least so many bytes of positions in the mean, and less than twice as many. */
const RANGE_BYTES = 32;
/** A term that more than one record in this many holds gets its rows as bits too. */
const FREQUENT_SHARE = 16;
/** A term that more than one record in this many holds gets a byte a row, if that holds its frequencies. */
const DENSE_SHARE = 2;
const MOST_DENSE_FREQUENCY = 255;

/** The row of a record that was replaced, as an unsigned number. */
const NO_ROW = 0xffffffff;

/** The postings of some terms that follow one another, laid out by themselves: `firstRanges` and all starts count from 0. */
export interface TermBlock
  extends Omit<PostingTables, 'mostPositions' | 'bitsOfTerm' | 'frequentBits' | 'denseOfTerm' | 'dense'> {
  /** Number i belongs to the i-th of the terms. */
  readonly frequentBits: ReadonlyMap<number, Bits>;
  readonly dense: ReadonlyMap<number, Uint8Array>;
}

/** The blocks of buckets, by the buckets' numbers. */
export type Blocks = ReadonlyMap<number, TermBlock>;

/** Lays out buckets: number by number, as `claim` gives them, until there is no such bucket. */
export function layOutBuckets(inversion: Inversion, claim: () => number): Blocks {
  const { parts, terms, rowOf } = inversion;
  const layout = new Layout(rowOf, normsOf(inversion, recordsByRow(rowOf)));
  const blocks = new Map<number, TermBlock>();
  const buckets = bucketsFor(terms);
  let sorted = NO_BUCKET;
  for (let bucket = claim(); bucket < buckets; bucket = claim()) {
    sorted = sortBucket(parts, bucket, terms, sorted);
    blocks.set(bucket, layout.layOut(sorted));
  }
  return blocks;
}

/** Lays out one block of terms after the other. `rowOf[record]` is the record's row, -1 if it was replaced; `norms` has one entry a row. */
class Layout {
  private readonly rowOf: Int32Array;
  private readonly norms: Float64Array;
  /** Every record has the row of its number. */
  private readonly inOrder: boolean;

  private readonly pool = new Pool();
  private ranges = 0;
  private postingStarts = new Uint32Array(1 << 12);
  private positionStarts = new Uint32Array(1 << 12);
  private rangeMost = new Uint8Array(1 << 12);
  private mostInRange = 0;
  private postings = new Uint8Array(1 << 16);
  private postingBytes = 0;
  private positions = new Uint8Array(1 << 16);
  private positionBytes = 0;

  constructor(rowOf: Int32Array, norms: Float64Array) {
    this.rowOf = rowOf;
    this.norms = norms;
    this.inOrder = rowOf.every((row, record) => row === record);
  }

  layOut(bucket: SortedBucket): TermBlock {
    const terms = bucket.postings.length - 1;
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
    this.postingBytes = 0;
    this.positionBytes = 0;
    for (let i = 0; i < terms; i++) this.add(bucket, i, block);
    return {
      ...block,
      postingStarts: this.pool.numbers(this.postingStarts.subarray(0, this.ranges)),
      positionStarts: this.pool.numbers(this.positionStarts.subarray(0, this.ranges)),
      rangeMost: this.pool.bytes(this.rangeMost.subarray(0, this.ranges)),
      mostInRange: this.mostInRange,
      postings: this.pool.bytes(this.postings.subarray(0, this.postingBytes)),
      positions: this.pool.bytes(this.positions.subarray(0, this.positionBytes)),
    };
  }

  /** Adds the i-th term of a bucket. */
  private add(bucket: SortedBucket, i: number, block: TermEntries): void {
    const postings = this.byRow(bucket, i);
    const { rows, frequencies, positions } = postings;
    block.documentFrequencies[i] = rows.length;
    block.firstRanges[i] = this.ranges;
    if (rows.length === 0) return;
    const isFrequent = rows.length * FREQUENT_SHARE > this.norms.length;
    const isDense = rows.length * DENSE_SHARE > this.norms.length && isSmall(frequencies);
    if (isFrequent) block.frequentBits.set(i, this.bitsOf(rows));
    if (isDense) block.dense.set(i, this.denseFrequencies(rows, frequencies));
    const bits = this.bitsFor(positions.length);
    block.rangeBits[i] = bits;
    block.mostSaturation[i] = this.addRanges(bits, postings, isDense) * (1 + 1e-6);
  }

  /** The postings of a term in the order of their rows. */
  private byRow(bucket: SortedBucket, i: number): TermPostings {
    const from = bucket.postings[i]!;
    const to = bucket.postings[i + 1]!;
    const records = bucket.records.subarray(from, to);
    const frequencies = bucket.frequencies.subarray(from, to);
    const positions = bucket.positions.subarray(bucket.positionStarts[i]!, bucket.positionStarts[i + 1]!);
    if (this.inOrder) return { rows: records, frequencies, positions };
    return sortedByRow({ rows: this.rowsOf(records), frequencies, positions });
  }

  private rowsOf(records: Uint32Array): Uint32Array {
    const rows = new Uint32Array(records.length);
    for (let i = 0; i < rows.length; i++) rows[i] = this.rowOf[records[i]!]!;
    return rows;
  }

  private bitsOf(rows: Uint32Array): Bits {
    const bits = createBits(this.norms.length);
    setAll(bits, rows);
    return bits;
  }

  private denseFrequencies(rows: Uint32Array, frequencies: Uint32Array): Uint8Array {
    const dense = new Uint8Array(this.norms.length);
    for (let i = 0; i < rows.length; i++) dense[rows[i]!] = frequencies[i]!;
    return dense;
  }

  /** The length of a term's ranges, whose positions take `bytes`, as a power of two. */
  private bitsFor(bytes: number): number {
    const rows = this.norms.length;
    let bits = 0;
    while (1 << bits < rows && bytes * (1 << bits) < RANGE_BYTES * rows) bits++;
    return bits;
  }

  /** Writes the ranges of a term; returns the greatest saturation. */
  private addRanges(bits: number, { rows, frequencies, positions }: TermPostings, isDense: boolean): number {
    const { norms } = this;
    this.reserve(((norms.length - 1) >>> bits) + 1, rows.length * MOST_POSTING_BYTES, positions.length);
    this.positions.set(positions, this.positionBytes);
    const { postings, postingStarts, positionStarts, rangeMost } = this;
    let end = this.postingBytes;
    let most = 0;
    let i = 0;
    let at = 0;
    for (let first = 0; first < norms.length; first += 1 << bits) {
      const from = i;
      const next = first + (1 << bits);
      postingStarts[this.ranges] = end;
      positionStarts[this.ranges] = this.positionBytes + at;
      /** The greatest f / norm, with which f / (f + norm) grows. */
      let mostInRange = 0;
      for (let after = first; i < rows.length && rows[i]! < next; i++) {
        const row = rows[i]!;
        const frequency = frequencies[i]!;
        if (frequency > mostInRange * norms[row]!) mostInRange = frequency / norms[row]!;
        if (!isDense) end = writePosting(postings, end, row - after, frequency);
        after = row + 1;
        at = skipPositions(positions, at);
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

/** A term's postings by ascending row, and their positions one after the other. */
interface TermPostings {
  readonly rows: Uint32Array;
  readonly frequencies: Uint32Array;
  readonly positions: Uint8Array;
}

const isSmall = (frequencies: Uint32Array): boolean => frequencies.every((one) => one <= MOST_DENSE_FREQUENCY);

/** Puts postings in the order of their rows; those below 0, which have none, are left out. */
function sortedByRow({ rows, frequencies, positions }: TermPostings): TermPostings {
  const starts = new Uint32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) starts[i + 1] = skipPositions(positions, starts[i]!);
  const order = Uint32Array.from(rows.keys())
    .filter((i) => rows[i] !== NO_ROW)
    .sort((a, b) => rows[a]! - rows[b]!);
  const sorted = new Uint8Array(positions.length);
  let size = 0;
  for (const i of order) {
    sorted.set(positions.subarray(starts[i]!, starts[i + 1]!), size);
    size += starts[i + 1]! - starts[i]!;
  }
  return {
    rows: order.map((i) => rows[i]!),
    frequencies: order.map((i) => frequencies[i]!),
    positions: sorted.subarray(0, size),
  };
}
