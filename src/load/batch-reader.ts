/**
 * Records → batches of them. The bytes of a chunk are copied to where the kernel sees them; what it writes of up to
 * `BATCH` records is lent out as it stands. Making one takes a millisecond or two: there is one for all files of a
 * collection.
 */
import type { CollectionModel, Field } from '../model.js';
import { ABSENT, type Lease, type RawBatch, RESPELT_NUMBER, RESPELT_TEXT } from '../raw.js';
import { createMemory, type WasmMemory } from '../wasm.js';
import { type Columns, ownNames } from './columns.js';
import { CHUNK_BYTES } from './read-blocks.js';
import type { Following, Passed, RawBytes } from './reading.js';
import {
  ABSENT_NAMES,
  BATCH,
  createRecordKernel,
  DATE,
  DECIMAL,
  ELEMENTS,
  ELEMENTS_FROM,
  ELEMENTS_TO,
  ENDS,
  FIXED,
  INTEGER,
  KINDS,
  LINES,
  MOST_ELEMENTS,
  MOST_FIELDS,
  MOST_NAME_BYTES,
  MOST_NAMES,
  MOST_RECORDS,
  NAME_BYTES,
  NAMES,
  NUMBERS,
  RECORD_ENDS,
  RECORD_STARTS,
  REQUIRED,
  type RecordKernel,
  SKIPPED,
  STARTS,
  TAGS,
  TEXT,
  WINDOW,
} from './record-kernel.js';
import { writeName, writePowers } from './record-shape.js';

/** A chunk and what is left of the one before; larger values are left to others. */
const MOST_BYTES = 2 * CHUNK_BYTES;
/** What a taker can need: twice as much as the records have, and for each value some numbers, and two spellings of one. */
const FREE_BYTES = 2 * MOST_BYTES + 96 * BATCH * MOST_FIELDS;
/** Where the bytes end, so that strings do: more than the kernel looks ahead. */
const SENTINEL = Buffer.alloc(64, '"');

export class BatchReader implements RawBatch {
  size = 0;
  readonly most = BATCH;
  isAscii = true;
  readonly bytes: Buffer;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly numbers: Float64Array;
  readonly elements: Int32Array;
  readonly elementsFrom: Int32Array;
  readonly elementsTo: Int32Array;
  readonly columns: Int32Array;
  recordStarts: Int32Array = new Int32Array(0);
  recordEnds: Int32Array = new Int32Array(0);
  isOwnName: Uint8Array;
  lease: Lease | undefined;
  leaseShift = 0;
  limit = 0;
  readonly #model: CollectionModel;
  readonly memory: WasmMemory;
  readonly free = (WINDOW + MOST_BYTES + SENTINEL.length + 15) & -16;
  readonly #kernel: RecordKernel;
  readonly #absentNames: Uint32Array;
  readonly #recordStarts: Int32Array;
  readonly #recordEnds: Int32Array;
  readonly #lines: Int32Array;
  #records = 0;
  /** Behind the last record of those that follow one another, and what stands before the next and between each two. */
  #at = 0;
  #before = 0;
  #between = 0;
  #namesEnd = NAMES;

  constructor(model: CollectionModel) {
    const { fields } = model;
    if (fields.length > MOST_FIELDS) throw new RangeError('a collection has too many fields');
    this.#model = model;
    this.memory = createMemory(this.free + FREE_BYTES);
    this.#kernel = createRecordKernel(this.memory);
    writePowers(this.memory);
    const { buffer } = this.memory;
    const cells = fields.length * BATCH;
    this.bytes = Buffer.from(buffer);
    this.kinds = new Uint8Array(buffer, KINDS, cells);
    this.starts = new Int32Array(buffer, STARTS, cells);
    this.ends = new Int32Array(buffer, ENDS, cells);
    this.numbers = new Float64Array(buffer, NUMBERS, cells);
    this.elements = new Int32Array(buffer, ELEMENTS, 2 * MOST_ELEMENTS);
    this.elementsFrom = new Int32Array(buffer, ELEMENTS_FROM, cells);
    this.elementsTo = new Int32Array(buffer, ELEMENTS_TO, cells);
    this.columns = Int32Array.from(fields, (_, field) => field * BATCH);
    this.isOwnName = new Uint8Array(fields.length);
    this.#absentNames = new Uint32Array(buffer, ABSENT_NAMES, 2 * BATCH);
    this.#recordStarts = new Int32Array(buffer, RECORD_STARTS, MOST_RECORDS);
    this.#recordEnds = new Int32Array(buffer, RECORD_ENDS, MOST_RECORDS);
    this.#lines = new Int32Array(buffer, LINES, 1);
  }

  /** The objects `bytes[starts[i] … ends[i])` are to be read. */
  over(bytes: RawBytes, starts: readonly number[], ends: readonly number[]): void {
    this.#records = 0;
    if (starts.length > MOST_RECORDS || !this.#take(bytes, starts[0] ?? 0, ends.at(-1) ?? 0)) return;
    for (let i = 0; i < starts.length; i++) {
      this.#recordStarts[i] = starts[i]! - this.leaseShift;
      this.#recordEnds[i] = ends[i]! - this.leaseShift;
    }
    this.#records = starts.length;
  }

  /** Objects that follow one another are to be read; returns whether they can be. */
  follow(bytes: RawBytes, { from, to, before, between }: Following): boolean {
    if (!this.#take(bytes, from, to)) return false;
    this.#at = WINDOW;
    this.#before = before;
    this.#between = between;
    this.#lines[0] = 0;
    return true;
  }

  /** Copies `bytes[from … to)` to where the kernel sees them, if there is room. */
  #take({ bytes, isAscii, limit, lease }: RawBytes, from: number, to: number): boolean {
    if (to - from > MOST_BYTES) return false;
    this.isAscii = isAscii;
    this.lease = lease;
    this.leaseShift = from - WINDOW;
    this.limit = limit;
    this.bytes.set(bytes.subarray(from, to), WINDOW);
    this.bytes.set(SENTINEL, WINDOW + to - from);
    return true;
  }

  /** Reads as many objects as can be, from the i-th on: `size` of them. */
  read(i: number): number {
    const [records, recordsEnd] = [RECORD_STARTS + i * 4, RECORD_STARTS + this.#records * 4];
    this.#read(i, records < recordsEnd ? this.#kernel.read(records, recordsEnd, this.#namesEnd) : 0);
    return this.size;
  }

  /** Reads as many of the objects that follow one another as can be: `size` of them. */
  readNext(): number {
    this.#read(0, this.#kernel.follow(this.#at, this.#before, this.#namesEnd, this.#between));
    if (this.size === 0) return 0;
    this.#at = this.#recordEnds[this.size - 1]!;
    this.#before = this.#between;
    return this.size;
  }

  /** How far objects that follow one another were read. */
  get passed(): Passed {
    return { at: this.#at + this.leaseShift, lines: this.#lines[0]! };
  }

  #read(from: number, size: number): void {
    this.size = size;
    this.recordStarts = this.#recordStarts.subarray(from, from + size);
    this.recordEnds = this.#recordEnds.subarray(from, from + size);
  }

  /** Whether an escape may stand for a character outside ASCII. */
  mayBeRespelt(): boolean {
    return this.columns.some((cell) => this.kinds.subarray(cell, cell + this.size).includes(RESPELT_TEXT));
  }

  /** Sets the ids of what was read. */
  giveIds(first: number): void {
    this.kinds.fill(RESPELT_NUMBER, 0, this.size);
    for (let i = 0; i < this.size; i++) this.numbers[i] = first + i;
  }

  /** Counts what names the records that were read lack. */
  countAbsent(absent: number[]): void {
    for (let i = 0; i < this.size; i++) {
      for (let word = 0; word < 2; word++) {
        for (let bits = this.#absentNames[2 * i + word]!; bits !== 0; bits &= bits - 1)
          absent[32 * word + 31 - Math.clz32(bits & -bits)]!++;
      }
    }
  }

  /**
   * Reads records with such names from now on, which are readable. A record may lack some of them where the others are
   * then read as before. `idIsGiven`: the loader sets every record's id itself.
   */
  expect(columns: Columns, idIsGiven: boolean): void {
    const { names, positions, passedOver } = columns;
    const fixed = passedOver.length > 0 ? FIXED : 0;
    this.kinds.fill(ABSENT);
    this.numbers.fill(Number.NaN);
    for (const [i, name] of names.entries()) {
      const field = positions.indexOf(i);
      writeName(
        this.memory,
        i,
        quoted(name),
        field,
        codeOf(this.#model.fields[field], field === 0 && idIsGiven) | fixed,
      );
    }
    this.isOwnName = ownNames(this.#model, columns);
    this.#namesEnd = NAMES + names.length * NAME_BYTES;
  }
}

const VALUE_CODES = { integer: INTEGER, number: DECIMAL, text: TEXT, url: TEXT, date: DATE, tags: TAGS } as const;

function codeOf(field: Field | undefined, isGiven: boolean): number {
  return field === undefined || isGiven ? SKIPPED : VALUE_CODES[field.kind] + (field.required ? REQUIRED : 0);
}

const quoted = (name: string): Buffer => Buffer.from(JSON.stringify(name));

/** Whether the kernel can read records with such names. */
export const isReadable = ({ names }: Pick<Columns, 'names'>): boolean =>
  names.length <= MOST_NAMES && names.every((name) => quoted(name).length <= MOST_NAME_BYTES);
