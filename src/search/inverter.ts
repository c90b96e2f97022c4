/**
 * Records' terms to words by bucket: postings are not put together record by record, but once all records are known.
 *
 * A word is one position after the word before it; fields and separate texts are `BREAK` positions apart, so nothing
 * is adjacent across them. A record's length is the number of its words times the weights of their fields, added up
 * (Robertson & Zaragoza 2009, section 3.6).
 */
import { sharedUint32, withRoom } from '../growable.js';
import type { SharedWasmMemory } from '../wasm.js';
import { type BucketMemories, KeptPieces, memoryOf, reserve } from './bucket-memory.js';
import { type BucketWords, bucketsFor, FREQUENT_TERMS, fieldBitsFor, PIECE_BYTES, PIECE_WORDS } from './buckets.js';
import {
  AT,
  createInverterKernel,
  FREE,
  LAST_START,
  LONGEST,
  RECORD_NUMBER,
  RECORDS,
  ROOM,
  ROOM_END,
  SHORTEST,
  STATE_AT,
  STATE_BYTES,
  TOTAL,
  WEIGHTS,
} from './inverter-kernel.js';
import type { RankingParameters } from './tables.js';
import { RECORD } from './term-stream.js';

/** Records one after the other, as their words by bucket, in memory that threads can share. Records are counted from 0. */
export interface Inverted {
  readonly records: number;
  /** Per record; the greatest, 0 if there are no records, the least, more than any if there are none, and their sum. */
  readonly lengths: Uint32Array;
  readonly longest: number;
  readonly shortest: number;
  readonly total: number;
  /** Per record and field, the position at which the field begins; an empty one where the next one does, or behind all words. */
  readonly fieldStarts: Uint32Array;
  /** The greatest of these. */
  readonly lastStart: number;
  readonly buckets: BucketWords;
}

/** All records, inverted in parts that follow one another: what the tables are made of, on whichever thread. */
export interface Inversion {
  /** What the words by bucket stand in. */
  readonly memories: BucketMemories;
  readonly parts: readonly Inverted[];
  /** How many terms there are. */
  readonly terms: number;
  /** `rowOf[record]` is the record's row, -1 if a later record replaced it. */
  readonly rowOf: Int32Array;
  /** See `isInOrder`. */
  readonly inOrder: boolean;
  /** Of the fields. */
  readonly weights: readonly number[];
  readonly ranking: RankingParameters;
}

/** Whether every record has the row of its number. */
export const isInOrder = (rowOf: Int32Array): boolean => {
  for (let record = 0; record < rowOf.length; record++) if (rowOf[record] !== record) return false;
  return true;
};

/** Entries that are read at once. */
const WINDOW = 1 << 14;
const ENTRY_BYTES = 4;
const START_BUCKETS = 1 << 4;
/** Room is made for so many pieces of frequent terms at once. */
const ROOM_PIECES = 1 << 10;

export class Inverter {
  /** The one of frequent terms' words: what else the kernel needs is dropped together with them. */
  private readonly memory: SharedWasmMemory;
  private readonly kernel;
  private readonly pieces: KeptPieces;
  private readonly fields: number;
  private readonly places;
  private states = 0;
  private buckets = 0;
  // Of the whole memory; others once it has grown.
  private numbers: Uint32Array = new Uint32Array(0);
  private bytes: Uint8Array = new Uint8Array(0);

  private lengths = sharedUint32(1 << 10);
  private fieldStarts = sharedUint32(1 << 12);
  private records = 0;

  constructor(weights: readonly number[], memories: BucketMemories) {
    const memory = memoryOf(memories, 0);
    this.memory = memory;
    this.kernel = createInverterKernel(memory);
    this.pieces = new KeptPieces(memories);
    this.fields = weights.length;
    this.places = placesFor(weights.length, memory);
    this.view();
    this.numbers.set(weights, (this.places.base + WEIGHTS) / ENTRY_BYTES);
    this.set(RECORD_NUMBER, -1);
    this.set(SHORTEST, -1);
    this.addBuckets(START_BUCKETS);
  }

  /** Reads the next entries of a stream whose terms are below `terms`. */
  read(entries: Int32Array, terms: number): void {
    while (this.buckets < bucketsFor(terms)) this.addBuckets(2 * this.buckets);
    for (let from = 0; from < entries.length; from += WINDOW) this.readWindow(entries.subarray(from, from + WINDOW));
  }

  private readWindow(entries: Int32Array): void {
    const { base, stream, lengths, fieldStarts } = this.places;
    const fieldBits = fieldBitsFor(this.fields);
    this.numbers.set(entries, stream / ENTRY_BYTES);
    const end = stream + entries.length * ENTRY_BYTES;
    for (let at = stream; at < end; at = this.get(AT)) {
      if (this.get(ROOM) === this.get(ROOM_END)) this.makeRoom();
      const full = this.kernel.invert(base, at, end, this.states, lengths, fieldStarts, this.fields, fieldBits);
      if (full >= 0) this.setAside(full);
    }
    this.takeRecords();
  }

  /** A number that the kernel keeps. */
  private get(place: number): number {
    return this.numbers[(this.places.base + place) / ENTRY_BYTES]!;
  }

  private set(place: number, value: number): void {
    this.numbers[(this.places.base + place) / ENTRY_BYTES] = value;
  }

  private makeRoom(): void {
    const bytes = ROOM_PIECES * PIECE_BYTES;
    const room = reserve(this.memory, bytes);
    this.view();
    this.set(ROOM, room);
    this.set(ROOM_END, room + bytes);
  }

  private view(): void {
    this.numbers = new Uint32Array(this.memory.buffer);
    this.bytes = new Uint8Array(this.memory.buffer);
  }

  /** Takes what the kernel tells of the records that have ended. */
  private takeRecords(): void {
    const { numbers, fields, places } = this;
    const count = this.get(RECORDS);
    const records = this.records + count;
    const of = (table: number, each: number) =>
      numbers.subarray(table / ENTRY_BYTES, table / ENTRY_BYTES + count * each);
    this.lengths = withRoom(this.lengths, records, sharedUint32);
    this.fieldStarts = withRoom(this.fieldStarts, records * fields, sharedUint32);
    this.lengths.set(of(places.lengths, 1), this.records);
    this.fieldStarts.set(of(places.fieldStarts, fields), this.records * fields);
    this.records = records;
    this.set(RECORDS, 0);
  }

  /** As many buckets: their states move, and each of the new ones gets a piece. */
  private addBuckets(buckets: number): void {
    const before = this.states / ENTRY_BYTES;
    const size = (this.buckets * STATE_BYTES) / ENTRY_BYTES;
    this.states = reserve(this.memory, buckets * STATE_BYTES);
    const pieces = reserve(this.memory, (buckets - this.buckets) * PIECE_BYTES);
    this.view();
    this.numbers.copyWithin(this.states / ENTRY_BYTES, before, before + size);
    this.kernel.beginPieces(this.stateOf(this.buckets), this.stateOf(buckets), pieces);
    this.buckets = buckets;
  }

  /** Where what is known of a bucket stands. */
  private stateOf(bucket: number): number {
    return this.states + bucket * STATE_BYTES;
  }

  /** Keeps the words of a shared bucket's piece, which is empty then. */
  private setAside(bucket: number): void {
    const at = (this.stateOf(bucket) + STATE_AT) / ENTRY_BYTES;
    const to = this.numbers[at]!;
    const from = to - (to % PIECE_BYTES) + PIECE_WORDS;
    if (to > from) this.pieces.keep(bucket, this.bytes.subarray(from, to));
    this.numbers[at] = from;
  }

  /** All that was read; nothing can be read after it. */
  finish(): Inverted {
    // A record ends where another begins.
    this.readWindow(Int32Array.of(RECORD));
    const { records } = this;
    return {
      records,
      lengths: this.lengths.subarray(0, records),
      longest: this.get(LONGEST),
      shortest: this.get(SHORTEST),
      total: this.get(TOTAL) + this.get(TOTAL + 4) * 2 ** 32,
      fieldStarts: this.fieldStarts.subarray(0, records * this.fields),
      lastStart: this.get(LAST_START),
      buckets: this.endBuckets(),
    };
  }

  private endBuckets(): BucketWords {
    const first = new Uint32Array(this.buckets);
    const bytes = new Uint32Array(this.buckets);
    const frequent = Math.min(this.buckets, FREQUENT_TERMS);
    // Where entries were read from there is room for both tables.
    const [firstAt, bytesAt] = [this.places.stream, this.places.stream + frequent * ENTRY_BYTES];
    this.kernel.endPieces(this.stateOf(0), this.stateOf(frequent), firstAt, bytesAt);
    first.set(this.numbers.subarray(firstAt / ENTRY_BYTES, bytesAt / ENTRY_BYTES));
    bytes.set(this.numbers.subarray(bytesAt / ENTRY_BYTES, bytesAt / ENTRY_BYTES + frequent));
    for (let bucket = frequent; bucket < this.buckets; bucket++) {
      this.setAside(bucket);
      first[bucket] = this.pieces.firstOf(bucket);
      bytes[bucket] = this.pieces.bytesOf(bucket);
    }
    return { first, bytes };
  }
}

/** Where in the memory what stands. */
function placesFor(fields: number, memory: SharedWasmMemory) {
  const stream = (FREE + 7) & -8;
  const lengths = stream + WINDOW * ENTRY_BYTES;
  const fieldStarts = lengths + WINDOW * ENTRY_BYTES;
  const base = reserve(memory, fieldStarts + WINDOW * fields * ENTRY_BYTES);
  return { base, stream: base + stream, lengths: base + lengths, fieldStarts: base + fieldStarts };
}
