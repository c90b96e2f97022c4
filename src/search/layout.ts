/**
 * Postings as queries read them. A term's rows are cut into ranges of equal length, a power of two that gives a range
 * about `RANGE_BYTES` of positions, so that the postings of a row are found without a search; each range has a bound on
 * what its postings can add to a score. A term that most records hold has its frequencies as one byte a row instead, and
 * no postings.
 */

import { type Bits, createBits, setAll } from '../bits.js';
import { uint8, uint32, withRoom } from '../growable.js';
import { BUCKET_BITS, BUCKET_TERMS, NO_BUCKET, type SortedBucket } from './buckets.js';
import type { Inverter } from './inverter.js';
import { MOST_POSTING_BYTES, skipPositions, writePosting } from './posting-code.js';
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

/** `rowOf[record]` is the record's row, -1 if it was replaced; `norms` has one entry a row. */
export function layOut(inverter: Inverter, terms: number, rowOf: Int32Array, norms: Float64Array): PostingTables {
  const layout = new Layout(inverter, terms, rowOf, norms);
  let sorted = NO_BUCKET;
  for (let bucket = 0; bucket << BUCKET_BITS < terms; bucket++) {
    sorted = inverter.take(bucket, sorted);
    const first = bucket << BUCKET_BITS;
    for (let i = 0; i < BUCKET_TERMS && first + i < terms; i++) layout.add(first + i, sorted, i);
  }
  return layout.finish();
}

class Layout {
  private readonly mostPositions: number;
  private readonly rowOf: Int32Array;
  private readonly norms: Float64Array;
  /** Every record has the row of its number. */
  private readonly inOrder: boolean;

  private readonly documentFrequencies: Uint32Array;
  private readonly mostSaturation: Float32Array;
  private readonly rangeBits: Uint8Array;
  private readonly firstRanges: Uint32Array;
  private readonly bitsOfTerm: Int32Array;
  private readonly denseOfTerm: Int32Array;
  private readonly frequentBits: Bits[] = [];
  private readonly dense: Uint8Array[] = [];

  private ranges = 0;
  private postingStarts = new Uint32Array(1 << 12);
  private positionStarts = new Uint32Array(1 << 12);
  private rangeMost = new Uint8Array(1 << 12);
  private mostInRange = 0;
  private postings = new Uint8Array(1 << 16);
  private postingBytes = 0;
  private readonly positions: Uint8Array;
  private positionBytes = 0;

  constructor(inverter: Inverter, terms: number, rowOf: Int32Array, norms: Float64Array) {
    this.mostPositions = inverter.mostPositions;
    this.rowOf = rowOf;
    this.norms = norms;
    this.inOrder = rowOf.every((row, record) => row === record);
    this.documentFrequencies = new Uint32Array(terms);
    this.mostSaturation = new Float32Array(terms);
    this.rangeBits = new Uint8Array(terms);
    this.firstRanges = new Uint32Array(terms);
    this.bitsOfTerm = new Int32Array(terms).fill(-1);
    this.denseOfTerm = new Int32Array(terms).fill(-1);
    this.positions = new Uint8Array(inverter.positionBytes);
  }

  /** Adds a term, the i-th of its bucket. */
  add(term: number, bucket: SortedBucket, i: number): void {
    const postings = this.byRow(bucket, i);
    const { rows, frequencies, positions } = postings;
    this.documentFrequencies[term] = rows.length;
    this.firstRanges[term] = this.ranges;
    if (rows.length === 0) return;
    const isFrequent = rows.length * FREQUENT_SHARE > this.norms.length;
    const isDense = rows.length * DENSE_SHARE > this.norms.length && isSmall(frequencies);
    if (isFrequent) this.bitsOfTerm[term] = this.frequentBits.push(this.bitsOf(rows)) - 1;
    if (isDense) this.denseOfTerm[term] = this.dense.push(this.denseFrequencies(rows, frequencies)) - 1;
    this.rangeBits[term] = this.bitsFor(positions.length);
    this.mostSaturation[term] = this.addRanges(this.rangeBits[term]!, postings, isDense) * (1 + 1e-6);
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
    this.reserve(((norms.length - 1) >>> bits) + 1, rows.length * MOST_POSTING_BYTES);
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

  private reserve(ranges: number, bytes: number): void {
    this.postings = withRoom(this.postings, this.postingBytes + bytes, uint8);
    this.postingStarts = withRoom(this.postingStarts, this.ranges + ranges + 1, uint32);
    this.positionStarts = withRoom(this.positionStarts, this.ranges + ranges + 1, uint32);
    this.rangeMost = withRoom(this.rangeMost, this.ranges + ranges, uint8);
  }

  finish(): PostingTables {
    const { ranges } = this;
    this.postingStarts[ranges] = this.postingBytes;
    this.positionStarts[ranges] = this.positionBytes;
    return {
      documentFrequencies: this.documentFrequencies,
      mostSaturation: this.mostSaturation,
      rangeBits: this.rangeBits,
      firstRanges: this.firstRanges,
      postingStarts: this.postingStarts.slice(0, ranges + 1),
      positionStarts: this.positionStarts.slice(0, ranges + 1),
      rangeMost: this.rangeMost.slice(0, ranges),
      postings: this.postings.slice(0, this.postingBytes),
      positions:
        this.positionBytes === this.positions.length ? this.positions : this.positions.slice(0, this.positionBytes),
      mostInRange: this.mostInRange,
      mostPositions: this.mostPositions,
      bitsOfTerm: this.bitsOfTerm,
      frequentBits: this.frequentBits,
      denseOfTerm: this.denseOfTerm,
      dense: this.dense,
    };
  }
}

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
