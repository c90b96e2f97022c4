/** The memory in which buckets are laid out: what is known of rows and records, the words of a bucket, and what is made of them. */
import { bytesFor, narrowIn } from '../growable.js';
import { allocator, createMemory } from '../wasm.js';
import {
  bucketsFor,
  bytesOfBucket,
  CODE_BYTES,
  fieldBitsFor,
  firstTermOf,
  MOST_TERMS_IN_BUCKET,
  PIECE_BYTES,
  piecesOf,
  termBitsOf,
} from './buckets.js';
import type { Inversion, Inverted } from './inverter.js';
import { createLayoutKernel, FREE, type LayoutKernel, RANGE_BYTES, WEIGHTS, WORD_BYTES } from './layout-kernel.js';
import { MOST_POSITION_BYTES, MOST_POSTING_BYTES } from './posting-code.js';
import { normsByLength } from './rows.js';
import type { RowLengths } from './tables.js';

export class LayoutMemory {
  readonly kernel: LayoutKernel;
  private readonly inversion: Inversion;
  private readonly places;
  private readonly buffer: ArrayBuffer;
  /** Of the whole memory. */
  private readonly numbers: Uint32Array;
  private readonly piece: Uint8Array;

  constructor(inversion: Inversion, known: RowLengths) {
    const norms = normsByLength(known);
    const places = placesFor(inversion, known, norms.length);
    const memory = createMemory(places.end);
    const { buffer } = memory;
    this.inversion = inversion;
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
    return this.numbers[address >> 2]!;
  }

  set(address: number, value: number): void {
    this.numbers[address >> 2] = value;
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

  /** Begins a block with a bucket's words, sorted by term; returns how many terms the bucket has. */
  sort(bucket: number): number {
    const { inversion, places, kernel } = this;
    const terms = Math.min(firstTermOf(bucket + 1), inversion.terms) - firstTermOf(bucket);
    const bits = termBitsOf(bucket);
    const counts = this.numbersAt(places.counts, terms);
    counts.fill(0);
    this.numbersAt(0, WEIGHTS >> 2).fill(0);
    for (const part of inversion.parts) {
      for (const piece of piecesOf(part.buckets, bucket)) kernel.count(places.piece, this.load(piece), bits);
    }
    const starts = this.numbersAt(places.termStarts, terms + 1);
    starts[0] = places.words;
    for (let i = 0; i < terms; i++) starts[i + 1] = starts[i]! + WORD_BYTES * counts[i]!;
    this.numbersAt(places.next, terms).set(starts.subarray(0, terms));
    let first = 0;
    for (const { buckets, records } of inversion.parts) {
      let record = first;
      for (const piece of piecesOf(buckets, bucket)) {
        record = kernel.place(places.piece, this.load(piece), bits, record);
      }
      first += records;
    }
    return terms;
  }

  /** Puts words where the kernel reads them; returns where they end. */
  private load(piece: Uint8Array): number {
    this.piece.set(piece);
    return this.places.piece + piece.length;
  }

  private numbersAt(address: number, count: number): Uint32Array {
    return this.numbers.subarray(address >> 2, (address >> 2) + count);
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

/** Where what stands. There is room for the largest bucket whatever its words; what is not used of it is never touched. */
function placesFor({ parts, terms, weights }: Inversion, { lengths, longest }: RowLengths, norms: number) {
  const sum = (of: (part: Inverted) => number): number => parts.reduce((all, part) => all + of(part), 0);
  let words = 0;
  for (let bucket = 0; bucket < bucketsFor(terms); bucket++) {
    words = Math.max(
      words,
      sum((part) => bytesOfBucket(part.buckets, bucket)),
    );
  }
  const postings = Math.min(
    words,
    sum((part) => part.records),
  );
  const ranges = Math.ceil((words * MOST_POSITION_BYTES) / RANGE_BYTES) + MOST_TERMS_IN_BUCKET;
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
    postingRows: place(4 * postings),
    frequencies: place(4 * postings),
    ends: place(4 * postings),
    words: place(WORD_BYTES * words + CODE_BYTES),
    postingStarts: place(4 * ranges),
    positionStarts: place(4 * ranges),
    rangeMost: place(ranges),
    postings: place(MOST_POSTING_BYTES * words),
    positions: place(MOST_POSITION_BYTES * words + CODE_BYTES),
    end: place(0),
  };
}
