/**
 * Records → batches of them. The bytes of a chunk are copied to where the kernel sees them; what it writes of up to
 * `BATCH` records is lent out as it stands. Made once for all files of a collection: that takes a millisecond or two.
 */
import type { CollectionModel, Field } from '../model.js';
import { ABSENT, type RawBatch, RESPELT_NUMBER } from '../raw.js';
import { createMemory, type WasmMemory } from '../wasm.js';
import type { Columns } from './columns.js';
import { CHUNK_BYTES } from './read-blocks.js';
import {
  BATCH,
  BOUNDS,
  createRecordKernel,
  DECIMAL,
  ENDS,
  INTEGER,
  KINDS,
  MOST_BOUNDS,
  MOST_FIELDS,
  MOST_NAME_BYTES,
  MOST_NAMES,
  NAME_BYTES,
  NAMES,
  NUMBERS,
  REQUIRED,
  type RecordKernel,
  SKIPPED,
  STARTS,
  TEXT,
  WINDOW,
  writeName,
} from './record-kernel.js';

/** A chunk and what is left of the one before; larger values are left to others. */
const MOST_BYTES = 2 * CHUNK_BYTES;
/** What a taker can need: as much as the records have, and for each value some numbers, and two spellings of one. */
const FREE_BYTES = MOST_BYTES + 96 * BATCH * MOST_FIELDS;
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
  readonly columns: Int32Array;
  readonly #fields: readonly Field[];
  readonly memory: WasmMemory;
  readonly free = (WINDOW + MOST_BYTES + SENTINEL.length + 15) & -16;
  readonly #kernel: RecordKernel;
  readonly #bounds: Int32Array;
  #boundsEnd = BOUNDS;
  #namesEnd = NAMES;

  constructor({ fields }: CollectionModel) {
    if (fields.length > MOST_FIELDS) throw new RangeError('a collection has too many fields');
    this.#fields = fields;
    this.memory = createMemory(this.free + FREE_BYTES);
    this.#kernel = createRecordKernel(this.memory);
    const { buffer } = this.memory;
    this.bytes = Buffer.from(buffer);
    this.kinds = new Uint8Array(buffer, KINDS, fields.length * BATCH);
    this.starts = new Int32Array(buffer, STARTS, fields.length * BATCH);
    this.ends = new Int32Array(buffer, ENDS, fields.length * BATCH);
    this.numbers = new Float64Array(buffer, NUMBERS, fields.length * BATCH);
    this.columns = Int32Array.from(fields, (_, field) => field * BATCH);
    this.#bounds = new Int32Array(buffer, BOUNDS, MOST_BOUNDS * 2);
  }

  /** The objects `bytes[starts[i] … ends[i])` are to be read. */
  over(bytes: Uint8Array, isAscii: boolean, starts: readonly number[], ends: readonly number[]): void {
    const from = starts[0] ?? 0;
    const to = ends.at(-1) ?? 0;
    this.#boundsEnd = BOUNDS;
    if (to - from > MOST_BYTES || starts.length > MOST_BOUNDS) return;
    this.isAscii = isAscii;
    this.bytes.set(bytes.subarray(from, to), WINDOW);
    this.bytes.set(SENTINEL, WINDOW + to - from);
    const bounds = this.#bounds;
    const moved = WINDOW - from;
    for (let i = 0; i < starts.length; i++) {
      bounds[2 * i] = starts[i]! + moved;
      bounds[2 * i + 1] = ends[i]! + moved;
    }
    this.#boundsEnd = BOUNDS + starts.length * 8;
  }

  /** Reads as many objects as can be, from the i-th on: `size` of them. */
  read(i: number): number {
    const bounds = BOUNDS + i * 8;
    this.size = bounds < this.#boundsEnd ? this.#kernel.read(bounds, this.#boundsEnd, NAMES, this.#namesEnd) : 0;
    return this.size;
  }

  /** Sets the ids of what was read. */
  giveIds(first: number): void {
    this.kinds.fill(RESPELT_NUMBER, 0, this.size);
    for (let i = 0; i < this.size; i++) this.numbers[i] = first + i;
  }

  /** Reads records with such names from now on, which are readable. `idIsGiven`: the loader sets every record's id itself. */
  expect({ names, positions }: Columns, idIsGiven: boolean): void {
    this.kinds.fill(ABSENT);
    this.numbers.fill(Number.NaN);
    for (const [i, name] of names.entries()) {
      const field = positions.indexOf(i);
      writeName(this.memory, i, quoted(name), field, codeOf(this.#fields[field], field === 0 && idIsGiven));
    }
    this.#namesEnd = NAMES + names.length * NAME_BYTES;
  }
}

/** Dates and lists have spellings that are looked at elsewhere. */
const VALUE_CODES = { integer: INTEGER, number: DECIMAL, text: TEXT, url: TEXT, date: SKIPPED, tags: SKIPPED } as const;

function codeOf(field: Field | undefined, isGiven: boolean): number {
  return field === undefined || isGiven ? SKIPPED : VALUE_CODES[field.kind] + (field.required ? REQUIRED : 0);
}

const quoted = (name: string): Buffer => Buffer.from(JSON.stringify(name));

/** Whether the kernel can read records with such names. */
export const isReadable = ({ fields }: CollectionModel, { names, positions }: Columns): boolean =>
  names.length <= MOST_NAMES &&
  names.every((name) => quoted(name).length <= MOST_NAME_BYTES) &&
  fields.every(({ kind }, field) => positions[field] === -1 || VALUE_CODES[kind] !== SKIPPED);
