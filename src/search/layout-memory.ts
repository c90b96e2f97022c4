/** The memory in which buckets are laid out: what is known of rows and records, the words of a bucket, and what is made of them. */
import { bytesFor, narrowIn } from '../growable.js';
import { grouped } from '../text.js';
import { allocator, createMemory } from '../wasm.js';
import {
  CODE_BYTES,
  fieldBitsFor,
  firstTermOf,
  MOST_TERMS_IN_BUCKET,
  PIECE_BYTES,
  piecesOf,
  termBitsOf,
} from './buckets.js';
import type { Inversion } from './inverter.js';
import {
  createLayoutKernel,
  FREE,
  type LayoutKernel,
  POSITION_BYTES,
  POSTING_BYTES,
  RANGE_BYTES,
  RANGES,
  WEIGHTS,
  WORD_BYTES,
} from './layout-kernel.js';
import { IndexLimitError } from './limits.js';
import { MOST_POSITION_BYTES, MOST_POSTING_BYTES } from './posting-code.js';
import { normsByLength } from './rows.js';
import type { RowLengths } from './tables.js';

/** What a memory of this kind can have. */
const MOST_BYTES = 2 ** 32;

export class LayoutMemory {
  readonly kernel: LayoutKernel;
  /** How many words a block's only term may have. */
  readonly capacity: number;
  private readonly inversion: Inversion;
  private readonly places;
  private readonly buffer: ArrayBuffer;
  /** Of the whole memory. */
  private readonly numbers: Uint32Array;
  private readonly piece: Uint8Array;

  /** Several terms of a block have `together` words at most. */
  constructor(inversion: Inversion, known: RowLengths, together: number, capacity = together) {
    const norms = normsByLength(known);
    const places = placesFor(inversion, known, norms.length, together, capacity);
    if (places.end > MOST_BYTES)
      throw new IndexLimitError(`a word occurs ${grouped(capacity)} times, which is more than can be searched for`);
    const memory = createMemory(places.end);
    const { buffer } = memory;
    this.inversion = inversion;
    this.capacity = capacity;
    this.places = places;
    this.buffer = buffer;
    this.numbers = new Uint32Array(buffer);
    this.piece = this.bytesAt(places.piece, PIECE_BYTES);
    narrowIn(buffer, places.lengths, places.lengthBytes, places.rows).set(known.lengths);
    new Float64Array(buffer, places.norms, norms.length).set(norms);
    this.numbersAt(WEIGHTS, inversion.weights.length).set(inversion.weights);
    this.kernel = createLayoutKernel(places, memory);
  }

  /** A number that the kernel keeps. */
  get(address: number): number {
    return this.numbers[address / 4]!;
  }

  set(address: number, value: number): void {
    this.numbers[address / 4] = value;
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
    return new Float32Array(this.buffer, this.places.mostSaturation, count);
  }

  /** How many words each of a bucket's terms has. */
  count(bucket: number): Uint32Array {
    const { inversion, places, kernel } = this;
    const terms = Math.min(firstTermOf(bucket + 1), inversion.terms) - firstTermOf(bucket);
    const counts = this.numbersAt(places.counts, terms).fill(0);
    for (const { buckets } of inversion.parts) {
      for (const piece of piecesOf(buckets, bucket)) kernel.count(places.piece, this.load(piece), termBitsOf(bucket));
    }
    return counts.slice();
  }

  /** Begins a block with the words of a bucket's terms from `from` to `to`, sorted by term, of which there are so many. */
  sort(bucket: number, from: number, to: number, counts: Uint32Array): void {
    const { inversion, places, kernel } = this;
    const bits = termBitsOf(bucket);
    const terms = to - from;
    this.numbersAt(0, WEIGHTS / 4).fill(0);
    const starts = this.numbersAt(places.termStarts, terms + 1);
    starts[0] = places.words;
    for (let i = 0; i < terms; i++) starts[i + 1] = starts[i]! + WORD_BYTES * counts[from + i]!;
    this.numbersAt(places.next, terms).set(starts.subarray(0, terms));
    let first = 0;
    for (const { buckets, records } of inversion.parts) {
      let record = first;
      for (const piece of piecesOf(buckets, bucket)) {
        record = kernel.place(places.piece, this.load(piece), bits, from, terms, record);
      }
      first += records;
    }
  }

  /** Puts words where the kernel reads them; returns where they end. */
  private load(piece: Uint8Array): number {
    this.piece.set(piece);
    return this.places.piece + piece.length;
  }

  private numbersAt(address: number, count: number): Uint32Array {
    return this.numbers.subarray(address / 4, address / 4 + count);
  }

  private bytesAt(address: number, count: number): Uint8Array {
    return new Uint8Array(this.buffer, address, count);
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
  const ofOneTerm = Math.min(
    capacity,
    parts.reduce((sum, part) => sum + part.records, 0),
  );
  const postings = Math.max(together, ofOneTerm);
  const ranges = Math.ceil((capacity * MOST_POSITION_BYTES) / RANGE_BYTES) + MOST_TERMS_IN_BUCKET;
  const place = allocator(16);
  return {
    kept: place(FREE),
    rows: lengths.length,
    fieldBits: fieldBitsFor(weights.length),
    lengths: place(lengths.byteLength),
    lengthBytes: bytesFor(longest + 1),
    norms: place(8 * norms),
    piece: place(PIECE_BYTES + CODE_BYTES),
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
