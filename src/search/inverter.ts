/**
 * Records' terms to words by bucket: postings are not put together record by record, but once all records are known.
 *
 * A word is one position after the word before it; fields and separate texts are `BREAK` positions apart, so nothing
 * is adjacent across them. A record's length is the number of its words times the weights of their fields, added up
 * (Robertson & Zaragoza 2009, section 3.6).
 */
import { sharedUint32, withRoom } from '../growable.js';
import { createMemory, MEMORY_PAGE_BYTES } from '../wasm.js';
import { type BucketWords, bucketsFor, fieldBitsFor, KeptWords, PIECE_BYTES } from './buckets.js';
import {
  AT,
  createInverterKernel,
  FREE,
  LAST_START,
  RECORD_NUMBER,
  RECORDS,
  STATE_BYTES,
  WEIGHTS,
} from './inverter-kernel.js';
import type { RankingParameters } from './tables.js';
import { RECORD } from './term-stream.js';

/** Records one after the other, as their words by bucket, in memory that threads can share. Records are counted from 0. */
export interface Inverted {
  readonly records: number;
  /** Per record. */
  readonly lengths: Uint32Array;
  /** Per record and field, the position at which the field begins; an empty one where the next one does, or behind all words. */
  readonly fieldStarts: Uint32Array;
  /** The greatest of these. */
  readonly lastStart: number;
  readonly buckets: BucketWords;
}

/** All records, inverted in parts that follow one another: what the tables are made of, on whichever thread. */
export interface Inversion {
  readonly parts: readonly Inverted[];
  /** How many terms there are. */
  readonly terms: number;
  /** `rowOf[record]` is the record's row, -1 if a later record replaced it. */
  readonly rowOf: Int32Array;
  /** Of the fields. */
  readonly weights: readonly number[];
  readonly ranking: RankingParameters;
}

/** Entries that are read at once. */
const WINDOW = 1 << 14;
const ENTRY_BYTES = 4;
const START_BUCKETS = 1 << 4;

export class Inverter {
  private readonly fields: number;
  private readonly places;
  private readonly memory;
  private readonly kernel;
  private buckets = START_BUCKETS;
  private numbers: Int32Array;
  private bytes: Uint8Array;

  private lengths = sharedUint32(1 << 10);
  private fieldStarts = sharedUint32(1 << 12);
  private records = 0;
  private readonly words = new KeptWords();

  constructor(weights: readonly number[]) {
    this.fields = weights.length;
    this.places = placesFor(weights.length);
    this.memory = createMemory(this.places.states + START_BUCKETS * BUCKET_BYTES);
    this.kernel = createInverterKernel(this.memory);
    this.numbers = new Int32Array(this.memory.buffer);
    this.bytes = new Uint8Array(this.memory.buffer);
    this.numbers.set(weights, WEIGHTS / ENTRY_BYTES);
    this.numbers[RECORD_NUMBER / ENTRY_BYTES] = -1;
  }

  /** Reads the next entries of a stream whose terms are below `terms`. */
  read(entries: Int32Array, terms: number): void {
    while (this.buckets < bucketsFor(terms)) this.addBuckets();
    for (let from = 0; from < entries.length; from += WINDOW) this.readWindow(entries.subarray(from, from + WINDOW));
  }

  private readWindow(entries: Int32Array): void {
    const { fields, pieces } = this;
    const { stream, states, lengths, fieldStarts } = this.places;
    const fieldBits = fieldBitsFor(fields);
    this.numbers.set(entries, stream / ENTRY_BYTES);
    const end = stream + entries.length * ENTRY_BYTES;
    for (let at = stream; at < end; at = this.numbers[AT / ENTRY_BYTES]!) {
      const full = this.kernel.invert(at, end, states, pieces, lengths, fieldStarts, fields, fieldBits);
      if (full >= 0) this.setAside(full);
    }
    this.takeRecords();
  }

  /** Behind the states of all buckets. */
  private get pieces(): number {
    return this.places.states + this.buckets * STATE_BYTES;
  }

  private setAside(bucket: number): void {
    const state = (this.places.states + bucket * STATE_BYTES) / ENTRY_BYTES;
    const from = this.pieces + bucket * PIECE_BYTES;
    const used = this.numbers[state]!;
    if (used > 0) this.words.keep(bucket, this.bytes.subarray(from, from + used));
    this.numbers[state] = 0;
  }

  /** Takes what the kernel tells of the records that have ended. */
  private takeRecords(): void {
    const { numbers, fields, places } = this;
    const count = numbers[RECORDS / ENTRY_BYTES]!;
    const records = this.records + count;
    const of = (table: number, each: number) =>
      numbers.subarray(table / ENTRY_BYTES, table / ENTRY_BYTES + count * each);
    this.lengths = withRoom(this.lengths, records, sharedUint32);
    this.fieldStarts = withRoom(this.fieldStarts, records * fields, sharedUint32);
    this.lengths.set(of(places.lengths, 1), this.records);
    this.fieldStarts.set(of(places.fieldStarts, fields), this.records * fields);
    this.records = records;
    numbers[RECORDS / ENTRY_BYTES] = 0;
  }

  /** Twice as many: the pieces move behind the states. */
  private addBuckets(): void {
    const { buckets, pieces } = this;
    this.buckets = 2 * buckets;
    this.memory.grow(Math.ceil((buckets * BUCKET_BYTES) / MEMORY_PAGE_BYTES));
    this.numbers = new Int32Array(this.memory.buffer);
    this.bytes = new Uint8Array(this.memory.buffer);
    this.bytes.copyWithin(this.pieces, pieces, pieces + buckets * PIECE_BYTES);
    this.bytes.fill(0, pieces, this.pieces);
  }

  /** All that was read; nothing can be read after it. */
  finish(): Inverted {
    // A record ends where another begins.
    this.readWindow(Int32Array.of(RECORD));
    for (let bucket = 0; bucket < this.buckets; bucket++) this.setAside(bucket);
    const { records } = this;
    return {
      records,
      lengths: this.lengths.subarray(0, records),
      fieldStarts: this.fieldStarts.subarray(0, records * this.fields),
      lastStart: this.numbers[LAST_START / ENTRY_BYTES]!,
      buckets: this.words,
    };
  }
}

const BUCKET_BYTES = STATE_BYTES + PIECE_BYTES;

/** Where in the kernel's memory what stands; behind all others the buckets' states, and then their pieces. */
function placesFor(fields: number) {
  const stream = (FREE + 7) & -8;
  const lengths = stream + WINDOW * ENTRY_BYTES;
  const fieldStarts = lengths + WINDOW * ENTRY_BYTES;
  return { stream, lengths, fieldStarts, states: fieldStarts + WINDOW * fields * ENTRY_BYTES };
}
