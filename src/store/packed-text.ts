/**
 * Short records without what all of them repeat. A record's JSON text is the fields' names and the values between them; packed
 * it is a byte for each name, which no JSON text holds, and the value as it stands. What the texts of a field nearly all begin and
 * end with, as addresses do, goes with the name. The byte END stands for the closing brace.
 */
import type { CollectionModel, Field } from '../model.js';
import { ABSENT, NUMBER, PLAIN_TEXT, type RawBatch, RESPELT_NUMBER, respelt } from '../raw.js';
import { createMemory, type WasmMemory } from '../wasm.js';
import { cellsBytes } from './batch-cells.js';
import {
  COLUMN,
  createPackKernel,
  END,
  IS_DETAIL,
  IS_LIST,
  MOST_PREFIX_BYTES,
  MOST_SUFFIX_BYTES,
  type PackKernel,
  PREFIX,
  PREFIX_BYTES,
  PREFIX_MASKS,
  RESULT_BYTES,
  SHORT_BYTES,
  SHORT_CODE,
  STEP_BYTES,
  SUFFIX,
  SUFFIX_BYTES,
  SUFFIX_MASK,
  WHOLE_BYTES,
  WHOLE_CODE,
} from './pack-kernel.js';
import {
  AFTER,
  AFTER_LENGTH,
  BEFORE,
  BEFORE_LENGTH,
  createUnpackKernel,
  MOST_BEFORE_BYTES,
  PIECE_BYTES,
  type UnpackKernel,
} from './unpack-kernel.js';

/** What the codes stand for. Field f has the codes 2f, before a value of any kind, and 2f + 1, before a text without its affixes. */
export interface Pieces {
  readonly bytes: Uint8Array;
  /** Before the value of code c goes `bytes[bounds[3c] … bounds[3c + 1])`, behind it `bytes[bounds[3c + 1] … bounds[3c + 2])`. */
  readonly bounds: Uint16Array;
  /** Codes from here on are not of the list item. */
  readonly detailFrom: number;
}

interface Affixes {
  readonly prefix: Buffer;
  readonly suffix: Buffer;
}

const FIRST_VALUE = 0x20;
const QUOTE = 0x22;

export const isPacked = (firstByte: number): boolean => firstByte < FIRST_VALUE;

/**
 * Writes the record that is packed in `chunk` from `offset` on, up to the first code from `endCode` on and without a closing
 * brace; returns where it ends. It is what `Unpacker` is measured and checked against, and takes records of any length.
 */
export function unpack(
  { bytes, bounds }: Pieces,
  chunk: Uint8Array,
  offset: number,
  endCode: number,
  target: Uint8Array,
  to: number,
): number {
  let from = offset;
  let at = to;
  for (let code = chunk[from]!; code < endCode; code = chunk[from]!) {
    let piece = bounds[3 * code]!;
    const value = bounds[3 * code + 1]!;
    const end = bounds[3 * code + 2]!;
    while (piece < value) target[at++] = bytes[piece++]!;
    for (let byte = chunk[++from]!; byte >= FIRST_VALUE; byte = chunk[++from]!) target[at++] = byte;
    while (piece < end) target[at++] = bytes[piece++]!;
  }
  return at;
}

/** What goes behind a record or list item, its closing brace first. */
export interface Ending {
  readonly word: number;
  readonly length: number;
}

export const ending = (text: string): Ending => ({
  word: Buffer.from(text.padEnd(4)).readInt32LE(),
  length: text.length,
});

/** Longer records are not worth a copy to where the kernel sees them. */
export const MOST_UNPACKED_BYTES = 1 << 12;
const MOST_AT_ONCE = 256;
const UNPACKED_BYTES = 1 << 16;
const STARTS = 32 * PIECE_BYTES;
const LOADED = STARTS + MOST_AT_ONCE * 4;
const UNPACKED = LOADED + UNPACKED_BYTES;
/** The kernel reads and writes some more than it needs. */
const SLACK_BYTES = 128;

/** Unpacks many short records at once: at a third of the time of the loop above. */
export class Unpacker {
  readonly #kernel: UnpackKernel;
  readonly #bytes: Buffer;
  readonly #starts: Int32Array;
  #records = 0;
  #end = LOADED;

  constructor({ bytes, bounds }: Pieces) {
    const memory = createMemory(UNPACKED + UNPACKED_BYTES + 4 * MOST_AT_ONCE + SLACK_BYTES);
    this.#kernel = createUnpackKernel(memory);
    this.#bytes = Buffer.from(memory.buffer);
    this.#starts = new Int32Array(memory.buffer, STARTS, MOST_AT_ONCE);
    for (let code = 0; 3 * code < bounds.length; code++) {
      const [before, after, end] = bounds.subarray(3 * code, 3 * code + 3);
      const at = code * PIECE_BYTES;
      this.#bytes.writeUInt32LE(after! - before!, at + BEFORE_LENGTH);
      this.#bytes.writeUInt32LE(end! - after!, at + AFTER_LENGTH);
      this.#bytes.set(bytes.subarray(before, after), at + BEFORE);
      this.#bytes.set(bytes.subarray(after, end), at + AFTER);
    }
  }

  /** Whether there is no room for another record of so many bytes. */
  isFull(length: number): boolean {
    return this.#records === MOST_AT_ONCE || this.#end + length > UNPACKED;
  }

  /** Lets the record that is packed in `chunk` from `offset` on, which is at most `length` long, wait. */
  load(chunk: Uint8Array, offset: number, length: number): void {
    this.#bytes.set(chunk.subarray(offset, offset + length), this.#end);
    this.#starts[this.#records++] = this.#end;
    this.#end += length;
  }

  /**
   * Lets records wait that stand one behind the other in `chunk`, from that of `from` on as many as there is room for, but none
   * from `to` on; returns the one after the last. Record i is where `offsetOf` tells, and at most `lengths[i]` long. None
   * may be waiting yet.
   */
  loadRun(
    chunk: Uint8Array,
    offsetOf: (i: number) => number,
    lengths: ArrayLike<number>,
    from: number,
    to: number,
  ): number {
    const first = offsetOf(from);
    let last = first;
    // What they unpack to must fit as well.
    let bytes = 0;
    let i = from;
    for (; i < to && this.#records < MOST_AT_ONCE && bytes + lengths[i]! <= UNPACKED_BYTES; i++) {
      const offset = offsetOf(i);
      if (offset + lengths[i]! - first > UNPACKED_BYTES) break;
      this.#starts[this.#records++] = LOADED + offset - first;
      last = offset + lengths[i]!;
      bytes += lengths[i]!;
    }
    this.#bytes.set(chunk.subarray(first, last), LOADED);
    return i;
  }

  /** Writes the records that wait to `target`, each with its ending; returns where they end. */
  flush(endCode: number, { word, length }: Ending, target: Buffer, at: number): number {
    if (this.#records === 0) return at;
    const end = this.#kernel.unpack(STARTS, this.#records, endCode, word, length, UNPACKED);
    this.#records = 0;
    this.#end = LOADED;
    return at + this.#bytes.copy(target, at, UNPACKED, end);
  }
}

/** The JSON text of a field's value, which is there. */
export function packedValue({ bytes, bounds }: Pieces, chunk: Uint8Array, offset: number, field: number): string {
  let at = offset;
  while (chunk[at]! >> 1 !== field) at = valueEnd(chunk, at + 1);
  const code = chunk[at]!;
  const value = chunk.subarray(at + 1, valueEnd(chunk, at + 1));
  if (code % 2 === 0) return Buffer.from(value).toString();
  const name = bounds[3 * (code - 1) + 1]! - bounds[3 * (code - 1)]!;
  const before = bytes.subarray(bounds[3 * code]! + name, bounds[3 * code + 1]!);
  const after = bytes.subarray(bounds[3 * code + 1]!, bounds[3 * code + 2]!);
  return Buffer.concat([before, value, after]).toString();
}

function valueEnd(chunk: Uint8Array, from: number): number {
  let at = from;
  while (chunk[at]! >= FIRST_VALUE) at++;
  return at;
}

/** Records that affixes are learnt from: of fewer than the lesser number too much is common by chance. */
export const LEAST_LEARNT_FROM = 16;
const MOST_LEARNT_FROM = 256;
/** Records with more bytes than this in the mean are not worth packing: names are a small part of them. */
export const MOST_PACKED_BYTES = 256;

/** In the memory that a batch leaves to its taker: steps, results, spelt numbers, and what is packed. */
const RESULTS = 16 * STEP_BYTES;

/** Packs batches of one collection. */
export class BatchPacker {
  readonly pieces: Pieces;
  readonly #fields: readonly Field[];
  /** What the kernel does for each field. */
  readonly #steps: Uint8Array;
  #memory: WasmMemory | undefined;
  #kernel: PackKernel | undefined;
  /** What was packed last, and of each of its records the end in it, the bytes of its list item without the brace, and of all. */
  packed: Uint8Array = new Uint8Array(0);
  results: Uint32Array = new Uint32Array(0);

  constructor({ fields }: CollectionModel, batch: RawBatch) {
    if (fields.length > END >> 1) throw new RangeError('a collection has too many fields');
    this.#fields = fields;
    const affixes = fields.map((field, i) => (isText(field) ? affixesOf(batch, i) : { prefix: NONE, suffix: NONE }));
    this.pieces = piecesOf(fields, affixes);
    this.#steps = Buffer.concat(
      fields.map((field, i) => stepOf(i, field, batch.columns[i]!, affixes[i]!, this.pieces)),
    );
  }

  pack(batch: RawBatch): void {
    const { memory, size, kinds, starts, ends } = batch;
    const kernel = this.#kernelOver(batch);
    const free = freeOf(batch);
    const results = free + RESULTS;
    const spelt = results + size * RESULT_BYTES;
    const out = this.#spell(batch, spelt);
    const stepsEnd = free + this.#steps.length;
    // Others have used the memory since the batch before.
    new Uint8Array(memory.buffer, free, this.#steps.length).set(this.#steps);
    const [kindsAt, startsAt, endsAt] = [kinds.byteOffset, starts.byteOffset, ends.byteOffset];
    const end = kernel.pack(size, free, stepsEnd, kindsAt, startsAt, endsAt, out, results);
    this.packed = new Uint8Array(memory.buffer, out, end - out);
    this.results = new Uint32Array(memory.buffer, results, (size * RESULT_BYTES) / 4);
    for (let i = 0; i < size; i++) this.results[3 * i]! -= out;
  }

  #kernelOver(batch: RawBatch): PackKernel {
    if (this.#memory !== batch.memory || this.#kernel === undefined) {
      this.#memory = batch.memory;
      this.#kernel = createPackKernel(batch.memory);
    }
    return this.#kernel;
  }

  /** Writes what the source lacks or spells otherwise, from `spelt` on; returns where it ends. */
  #spell(batch: RawBatch, spelt: number): number {
    const { bytes, kinds, starts, ends, columns, size } = batch;
    let at = spelt + bytes.write('null', spelt);
    for (let field = 0; field < this.#fields.length; field++) {
      const first = columns[field]!;
      for (let cell = first; cell < first + size; cell++) {
        if (kinds[cell] === ABSENT) {
          starts[cell] = spelt;
          ends[cell] = spelt + 4;
        } else if (kinds[cell]! >= RESPELT_NUMBER) {
          const text = respelt(batch, cell);
          starts[cell] = at;
          at += bytes.write(text, at);
          ends[cell] = at;
          kinds[cell] = NUMBER;
        }
      }
    }
    return at;
  }
}

function stepOf(i: number, field: Field, column: number, { prefix, suffix }: Affixes, { bounds }: Pieces): Buffer {
  const step = Buffer.alloc(STEP_BYTES);
  const standsFor = (code: number): number => bounds[3 * code + 2]! - bounds[3 * code]!;
  const set = (offset: number, value: number): void => void step.writeUInt32LE(value, offset);
  set(COLUMN, column);
  set(WHOLE_CODE, 2 * i);
  set(WHOLE_BYTES, standsFor(2 * i));
  set(SHORT_CODE, 2 * i + 1);
  set(SHORT_BYTES, standsFor(2 * i + 1));
  set(PREFIX_MASKS, 2 ** Math.min(16, prefix.length) - 1);
  set(PREFIX_MASKS + 4, 2 ** Math.max(0, prefix.length - 16) - 1);
  set(SUFFIX_MASK, 0x10000 - 2 ** (16 - suffix.length));
  set(PREFIX_BYTES, prefix.length);
  set(SUFFIX_BYTES, suffix.length);
  set(IS_LIST, field.kind === 'tags' ? 1 : 0);
  set(IS_DETAIL, field.detailOnly ? 1 : 0);
  prefix.copy(step, PREFIX);
  suffix.copy(step, SUFFIX + 16 - suffix.length);
  return step;
}

/** Before it stand the numbers of the batch's cells. */
const freeOf = (batch: RawBatch): number => batch.free + cellsBytes(batch);

const NONE = Buffer.alloc(0);
const isText = ({ kind }: Field): boolean => kind === 'text' || kind === 'url' || kind === 'date';

/** What the first texts of a field all begin and end with. */
function affixesOf({ bytes, kinds, starts, ends, columns, size }: RawBatch, field: number): Affixes {
  let prefix: Buffer | undefined;
  let suffix: Buffer | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  const first = columns[field]!;
  for (let cell = first; cell < first + Math.min(size, MOST_LEARNT_FROM); cell++) {
    if (kinds[cell] !== PLAIN_TEXT) continue;
    const text = bytes.subarray(starts[cell]! + 1, ends[cell]! - 1);
    shortest = Math.min(shortest, text.length);
    prefix = prefix === undefined ? text.subarray(0, MOST_PREFIX_BYTES) : prefix.subarray(0, common(prefix, text));
    suffix =
      suffix === undefined
        ? text.subarray(-MOST_SUFFIX_BYTES)
        : suffix.subarray(suffix.length - commonEnd(suffix, text));
  }
  if (prefix === undefined || suffix === undefined) return { prefix: NONE, suffix: NONE };
  const kept = suffix.subarray(Math.max(0, suffix.length + prefix.length - shortest));
  return { prefix: Buffer.from(prefix), suffix: Buffer.from(kept) };
}

function common(a: Uint8Array, b: Uint8Array): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function commonEnd(a: Uint8Array, b: Uint8Array): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}

function piecesOf(fields: readonly Field[], affixes: readonly Affixes[]): Pieces {
  const parts: Uint8Array[] = [];
  const bounds: number[] = [];
  let length = 0;
  const add = (bytes: Uint8Array): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [i, { name }] of fields.entries()) {
    const before = Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    const { prefix, suffix } = affixes[i]!;
    for (const [start, end] of [
      [before, NONE],
      [Buffer.concat([before, Buffer.of(QUOTE), prefix]), Buffer.concat([suffix, Buffer.of(QUOTE)])],
    ] as const) {
      if (start.length > MOST_BEFORE_BYTES) throw new RangeError(`the name ${name} is too long`);
      bounds.push(length);
      add(start);
      bounds.push(length);
      add(end);
      bounds.push(length);
    }
  }
  const detail = fields.findIndex(({ detailOnly }) => detailOnly);
  return {
    bytes: Uint8Array.from(Buffer.concat(parts)),
    bounds: Uint16Array.from(bounds),
    detailFrom: detail < 0 ? END : 2 * detail,
  };
}
