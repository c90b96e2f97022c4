/** The memory in which buckets are laid out: what is known of rows and records, the words of a bucket, and what is made of them. */
import { bytesFor, narrowIn } from '../growable.js';
import { allocator, type SharedWasmMemory } from '../wasm.js';
import { reserve } from './bucket-memory.js';
import { CODE_BYTES, fieldBitsFor, firstTermOf, MOST_TERMS_IN_BUCKET } from './buckets.js';
import type { Inversion } from './inverter.js';
import { createLayoutKernel, type LayoutKernel } from './layout-kernel.js';
import { FREE, POSITION_BYTES, POSTING_BYTES, RANGE_BYTES, RANGES, WEIGHTS, WORD_BYTES } from './layout-places.js';
import { MOST_POSITION_BYTES, MOST_POSTING_BYTES } from './posting-code.js';
import { normsByLength } from './rows.js';
import type { RowLengths } from './tables.js';

export class LayoutMemory {
  private readonly kernel: LayoutKernel;
  /** How many words a block's only term may have. */
  readonly capacity: number;
  private readonly inversion: Inversion;
  private readonly places;
  /** What the places count from. */
  private readonly base: number;
  private readonly buffer: SharedArrayBuffer;
  /** Of the whole memory. */
  private readonly numbers: Uint32Array;

  /** In `memory`; several terms of a block have `together` words at most. */
  constructor(memory: SharedWasmMemory, inversion: Inversion, known: RowLengths, together: number, capacity: number) {
    const norms = normsByLength(known);
    const places = placesFor(inversion, known, norms.length, together, capacity);
    const base = reserve(memory, places.end);
    const { buffer } = memory;
    this.inversion = inversion;
    this.capacity = capacity;
    this.places = places;
    this.base = base;
    this.buffer = buffer;
    this.numbers = new Uint32Array(buffer);
    narrowIn(buffer, base + places.lengths, places.lengthBytes, places.rows).set(known.lengths);
    new Float64Array(buffer, base + places.inverseNorms, norms.length).set(norms.map((norm) => 1 / norm));
    this.numbersAt(WEIGHTS, inversion.weights.length).set(inversion.weights);
    this.kernel = createLayoutKernel(places, memory);
  }

  /** A number that the kernel keeps. */
  get(place: number): number {
    return this.numbers[(this.base + place) / 4]!;
  }

  set(place: number, value: number): void {
    this.numbers[(this.base + place) / 4] = value;
  }

  /** How much the block takes. */
  sizes() {
    return { ranges: this.get(RANGES), postings: this.get(POSTING_BYTES), positions: this.get(POSITION_BYTES) };
  }

  /** The first `count` of a table's entries of 4 bytes; */
  table(name: Numbers, count: number): Uint32Array {
    return this.numbersAt(this.places[name], count);
  }

  /** of 1 byte each. */
  bytes(name: Bytes, count: number): Uint8Array {
    return this.bytesAt(this.places[name], count);
  }

  /** The first `count` of the bounds of terms. */
  mostSaturation(count: number): Float32Array {
    return new Float32Array(this.buffer, this.base + this.places.mostSaturation, count);
  }

  /** Reads all words of a frequent term. */
  read(bucket: number): void {
    // What is known of a term stands before what is known of the block.
    this.numbersAt(0, RANGES / 4).fill(0);
    this.eachPart(bucket, (piece, record) => this.kernel.readOne(this.base, piece, record));
  }

  /** How many words each of a shared bucket's terms has. */
  count(bucket: number): Uint32Array {
    const terms = Math.min(firstTermOf(bucket + 1), this.inversion.terms) - firstTermOf(bucket);
    const counts = this.numbersAt(this.places.counts, terms).fill(0);
    this.eachPart(bucket, (piece) => this.kernel.count(this.base, piece));
    return counts.slice();
  }

  /** Begins a block with the words of a shared bucket's terms from `from` to `to`, sorted by term, of which there are so many. */
  sort(bucket: number, from: number, to: number, counts: Uint32Array): void {
    const { places, kernel, base } = this;
    const terms = to - from;
    this.begin();
    const starts = this.numbersAt(places.termStarts, terms + 1);
    starts[0] = base + places.words;
    for (let i = 0; i < terms; i++) starts[i + 1] = starts[i]! + WORD_BYTES * counts[from + i]!;
    this.numbersAt(places.next, terms).set(starts.subarray(0, terms));
    this.eachPart(bucket, (piece, record) => kernel.place(base, piece, from, terms, record));
  }

  /** Begins a block. */
  begin(): void {
    this.numbersAt(0, WEIGHTS / 4).fill(0);
  }

  /** Does something with a bucket's first piece in each part that has one, and the part's first record. */
  private eachPart(bucket: number, use: (piece: number, record: number) => void): void {
    let record = 0;
    for (const { buckets, records } of this.inversion.parts) {
      const piece = buckets.first[bucket] ?? 0;
      if (piece > 0) use(piece, record);
      record += records;
    }
  }

  /** Lays out the block's terms from `term` to `terms`. Stops once one is read that has more than `most` postings, and returns it. */
  layOut(term: number, terms: number, most: number): number {
    return this.kernel.layOut(this.base, term, terms, most);
  }

  /** Adds the term that was read to the block, as its i-th; its postings are left out if it is dense. */
  add(i: number, isDense: boolean): void {
    this.kernel.add(this.base, i, isDense ? 1 : 0);
  }

  private numbersAt(place: number, count: number): Uint32Array {
    const from = (this.base + place) / 4;
    return this.numbers.subarray(from, from + count);
  }

  private bytesAt(place: number, count: number): Uint8Array {
    return new Uint8Array(this.buffer, this.base + place, count);
  }
}

type Numbers =
  | 'postingRows'
  | 'frequencies'
  | 'ends'
  | 'documentFrequencies'
  | 'firstRanges'
  | 'postingStarts'
  | 'positionStarts';
type Bytes = 'rangeBits' | 'rangeMost' | 'postings' | 'positions';

/** Where what stands. There is room for whatever the words are; what is not used of it is never touched. */
function placesFor(
  { parts, weights }: Inversion,
  { lengths, longest }: RowLengths,
  norms: number,
  together: number,
  capacity: number,
) {
  const ofOneTerm = parts.reduce((sum, part) => sum + part.records, 0);
  const postings = Math.max(together, ofOneTerm);
  const ranges = Math.ceil((capacity * MOST_POSITION_BYTES) / RANGE_BYTES) + MOST_TERMS_IN_BUCKET;
  const place = allocator(16);
  // What the kernel keeps stands before all tables.
  place(FREE);
  return {
    rows: lengths.length,
    fieldBits: fieldBitsFor(weights.length),
    lengths: place(lengths.byteLength),
    lengthBytes: bytesFor(longest + 1),
    inverseNorms: place(8 * norms),
    counts: place(4 * MOST_TERMS_IN_BUCKET),
    next: place(4 * MOST_TERMS_IN_BUCKET),
    termStarts: place(4 * (MOST_TERMS_IN_BUCKET + 1)),
    documentFrequencies: place(4 * MOST_TERMS_IN_BUCKET),
    mostSaturation: place(4 * MOST_TERMS_IN_BUCKET),
    rangeBits: place(MOST_TERMS_IN_BUCKET),
    firstRanges: place(4 * MOST_TERMS_IN_BUCKET),
    postingRows: place(4 * ofOneTerm),
    frequencies: place(4 * ofOneTerm),
    ends: place(4 * ofOneTerm),
    words: place(WORD_BYTES * capacity + CODE_BYTES),
    postingStarts: place(4 * ranges),
    positionStarts: place(4 * ranges),
    rangeMost: place(ranges),
    postings: place(MOST_POSTING_BYTES * postings),
    positions: place(MOST_POSITION_BYTES * capacity + CODE_BYTES),
    end: place(0),
  };
}
