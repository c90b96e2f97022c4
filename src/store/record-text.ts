/**
 * The JSON text of every record, serialised once at load as UTF-8 bytes. The list item is a prefix of the whole record
 * (the model lists its fields first), so one copy serves both: a record is `{…list fields` + `,…detail fields}`.
 * Bytes stand in chunks that are never moved or copied while they grow; 6 to 16 bytes a row address them. Each record is
 * followed by a comma and a line break, so that records which lie side by side are a piece of JSON as they are. Where a
 * snapshot has them nearly so, the memory that it was read into is the chunk, in which they at most move up a little.
 * Short records are packed (`packed-text.ts`): they begin with a code, the others with a brace.
 */

import { float64, uint32, withRoom } from '../growable.js';
import type { CollectionModel } from '../model.js';
import { type Lease, MAX_LEASE_BYTES, type RawBatch, type RawRecord } from '../raw.js';
import { END } from './pack-kernel.js';
import {
  BatchPacker,
  type Ending,
  ending,
  isPacked,
  MOST_UNPACKED_BYTES,
  type Pieces,
  packedValue,
  Unpacker,
  unpack,
} from './packed-text.js';
import type { RawTextWriter } from './raw-text.js';

export interface RecordText {
  readonly chunks: readonly Buffer<ArrayBuffer>[];
  /** Per row: where it begins, if chunk i stands at i × `CHUNK_SPAN`; integers of 32 bits as far as they suffice. */
  readonly starts: Uint32Array | Float64Array;
  /** Per row: bytes of the list item without its closing brace; null where the list item is the whole record. */
  readonly itemLengths: Uint32Array | null;
  /** Per row: bytes of the whole record. */
  readonly lengths: Uint16Array | Uint32Array;
  /** Null where no record is packed. */
  readonly pieces: Pieces | null;
}

/** Addresses per chunk. One byte of each is left free, so that records in two chunks never seem to lie side by side. */
const CHUNK_SPAN = MAX_LEASE_BYTES + 1;
const CHUNK_BYTES = CHUNK_SPAN - 1;
/** Every further chunk is twice as large, up to the largest. */
const FIRST_CHUNK_BYTES = 1 << 20;
/** A chunk that holds nothing: as many stand behind an oversized one as there are spans that it takes beside its own. */
const NO_CHUNK = Buffer.alloc(0);
const OPENING_BRACE = 0x7b;
export const SEPARATOR = ',\n';
const COMMA = 0x2c;
const LINE_BREAK = 0x0a;

/** Bytes of a row's list item. */
export const itemBytes = (text: RecordText, row: number): number => itemLength(text, row) + 1;

const itemLength = ({ itemLengths, lengths }: RecordText, row: number): number =>
  itemLengths === null ? lengths[row]! - 1 : itemLengths[row]!;

/**
 * Bytes of the rows' list items together. A look at where each begins has memory fetch them side by side, before they
 * are copied one after the other: a fifth off a page of rows that lie far apart.
 */
export function itemsBytes(text: RecordText, rows: ArrayLike<number>): number {
  let bytes = rows.length;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const { chunk, offset } = locate(text, row);
    if (chunk[offset]! > OPENING_BRACE) throw new Error(`row ${row} has no record`);
    bytes += itemLength(text, row);
  }
  return bytes;
}

/** Which part of a record is written, and with what behind it. */
interface Part {
  readonly isItem: boolean;
  readonly ending: Ending;
}

const ITEM: Part = { isItem: true, ending: ending('},') };
const RECORD: Part = { isItem: false, ending: ending(`}${SEPARATOR}`) };

const unpackers = new WeakMap<Pieces, Unpacker>();

function unpackerOf(pieces: Pieces): Unpacker {
  const unpacker = unpackers.get(pieces) ?? new Unpacker(pieces);
  unpackers.set(pieces, unpacker);
  return unpacker;
}

/** Copies the rows' list items to `target` at `at`, a comma behind each; returns where they end. */
export const copyItems = (text: RecordText, rows: ArrayLike<number>, target: Buffer, at: number): number =>
  copyParts(text, rows.length, (i) => rows[i]!, ITEM, target, at);

/** Copies `count` whole records, the i-th that of `rowAt(i)`, to `target` at `at`, a separator behind each; returns where they end. */
export const copySeparated = (
  text: RecordText,
  count: number,
  rowAt: (i: number) => number,
  target: Buffer,
  at: number,
): number => copyParts(text, count, rowAt, RECORD, target, at);

function copyParts(
  text: RecordText,
  count: number,
  rowAt: (i: number) => number,
  part: Part,
  target: Buffer,
  to: number,
): number {
  const { pieces, lengths } = text;
  const unpacker = pieces && unpackerOf(pieces);
  const endCode = pieces && part.isItem ? pieces.detailFrom : END;
  let at = to;
  for (let i = 0; i < count; i++) {
    const row = rowAt(i);
    const { chunk, offset } = locate(text, row);
    const length = lengths[row]!;
    if (unpacker !== null && isPacked(chunk[offset]!) && length <= MOST_UNPACKED_BYTES) {
      if (unpacker.isFull(length)) at = unpacker.flush(endCode, part.ending, target, at);
      unpacker.load(chunk, offset, length);
    } else {
      if (unpacker !== null) at = unpacker.flush(endCode, part.ending, target, at);
      at = copyPart(text, row, part, target, at);
    }
  }
  return unpacker === null ? at : unpacker.flush(endCode, part.ending, target, at);
}

function copyPart(text: RecordText, row: number, { isItem, ending }: Part, target: Buffer, at: number): number {
  const { chunk, offset } = locate(text, row);
  const { pieces } = text;
  const length = isItem ? itemLength(text, row) : text.lengths[row]! - 1;
  if (pieces !== null && isPacked(chunk[offset]!))
    unpack(pieces, chunk, offset, isItem ? pieces.detailFrom : END, target, at);
  else chunk.copy(target, at, offset, offset + length);
  for (let i = 0; i < ending.length; i++) target[at + length + i] = ending.word >>> (8 * i);
  return at + length + ending.length;
}

/** Bytes of a row's whole record. */
export const recordBytes = (text: RecordText, row: number): number => text.lengths[row]!;

/** A row's list item. */
export function itemOf(text: RecordText, row: number): Buffer<ArrayBuffer> {
  const bytes = itemBytes(text, row);
  const item = Buffer.allocUnsafe(bytes + 1);
  copyItems(text, [row], item, 0);
  return item.subarray(0, bytes);
}

/** Packed records are written out as far as this at once. */
const RUN_BYTES = 1 << 16;

/** The row after the last of those that are one piece of bytes from `from` on, before `end`. */
export function sideBySide(text: RecordText, from: number, end: number): number {
  const { starts, lengths } = text;
  if (isPackedAt(text, from)) return packedRun(text, from, end);
  let next = starts[from]! + lengths[from]! + SEPARATOR.length;
  let row = from + 1;
  while (row < end && starts[row] === next) {
    next += lengths[row++]! + SEPARATOR.length;
  }
  return row;
}

function packedRun(text: RecordText, from: number, end: number): number {
  let bytes = 0;
  let row = from;
  while (row < end && bytes < RUN_BYTES && isPackedAt(text, row)) bytes += text.lengths[row++]! + SEPARATOR.length;
  return row;
}

function isPackedAt(text: RecordText, row: number): boolean {
  const { chunk, offset } = locate(text, row);
  return isPacked(chunk[offset]!);
}

/** Rows that are one piece, `to` excluded, each with its separator: not to be written to. */
export function separatedView(text: RecordText, from: number, to: number): Buffer<ArrayBuffer> {
  if (isPackedAt(text, from)) return unpacked(text, from, to);
  const { chunk, offset } = locate(text, from);
  const bytes = text.starts[to - 1]! - text.starts[from]! + text.lengths[to - 1]! + SEPARATOR.length;
  return chunk.subarray(offset, offset + bytes);
}

function unpacked(text: RecordText, from: number, to: number): Buffer<ArrayBuffer> {
  let bytes = 0;
  for (let row = from; row < to; row++) bytes += text.lengths[row]! + SEPARATOR.length;
  const target = Buffer.allocUnsafe(bytes);
  copySeparated(text, to - from, (i) => from + i, target, 0);
  return target;
}

/** A row's whole record: not to be written to. */
export function recordView(text: RecordText, row: number): Buffer<ArrayBuffer> {
  const { chunk, offset } = locate(text, row);
  if (!isPacked(chunk[offset]!)) return chunk.subarray(offset, offset + text.lengths[row]!);
  return unpacked(text, row, row + 1).subarray(0, text.lengths[row]!);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A field whose text is asked for: its place in the model, and its name in quotes and with its colon: so it stands nowhere in a string. */
export interface TextField {
  readonly index: number;
  readonly nameInRecord: Uint8Array;
}

/** The text of a row's field, which has one. */
export function textInRecord(text: RecordText, row: number, { index, nameInRecord }: TextField): string {
  const { chunk, offset } = locate(text, row);
  if (text.pieces !== null && isPacked(chunk[offset]!))
    return String(JSON.parse(packedValue(text.pieces, chunk, offset, index)));
  const start = positionOf(nameInRecord, chunk, offset) + nameInRecord.length;
  let end = start + 1;
  let isEscaped = false;
  for (; chunk[end] !== QUOTE; end++) {
    if (chunk[end] !== BACKSLASH) continue;
    isEscaped = true;
    end++;
  }
  return isEscaped
    ? String(JSON.parse(chunk.toString('utf8', start, end + 1)))
    : chunk.toString('utf8', start + 1, end);
}

/** Where `name`, which is there, stands. It is near: a call of the runtime's search would take longer. */
function positionOf(name: Uint8Array, bytes: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    let i = 0;
    while (i < name.length && bytes[at + i] === name[i]) i++;
    if (i === name.length) return at;
    if (at === bytes.length) throw new RangeError('the record has no such field');
  }
}

function locate(text: RecordText, row: number): { chunk: Buffer<ArrayBuffer>; offset: number } {
  const start = text.starts[row]!;
  const index = Math.floor(start / CHUNK_SPAN);
  const chunk = text.chunks[index];
  if (chunk === undefined) throw new RangeError(`row ${row} is not in the store`);
  return { chunk, offset: start - index * CHUNK_SPAN };
}

export interface RecordTextBuilder {
  /** Sets the text of `row`, one of the rows so far or the next. `item` has no closing brace, `rest` has it. */
  set(row: number, item: string, rest: string): void;
  /** The same for a record that is copied, or let stay where it is. */
  copy(row: number, raw: RawRecord, writer: RawTextWriter): void;
  /** The same for a batch, whose i-th record is that of `rows[i]`. */
  copyBatch(rows: ArrayLike<number>, batch: RawBatch): void;
  finish(size: number): RecordText;
}

/** Whether the separator stands behind the record already. */
const isSeparated = ({ bytes, end, limit }: RawRecord): boolean =>
  end + SEPARATOR.length <= limit && bytes[end] === COMMA && bytes[end + 1] === LINE_BREAK;

export function createRecordTextBuilder(model: CollectionModel): RecordTextBuilder {
  const chunks: Buffer<ArrayBuffer>[] = [];
  let chunk: Buffer<ArrayBuffer> = Buffer.alloc(0);
  let used = 0;
  /** The address of the chunk that is being filled. */
  let start = 0;
  /** Memory in which records were let stay, the last of them, how far it is full, and its address. */
  let leased: Buffer<ArrayBuffer> = Buffer.alloc(0);
  let leasedUsed = 0;
  let leasedStart = 0;
  let starts = float64(0);
  let itemLengths = uint32(0);
  let lengths = uint32(0);
  let hasDetail = false;
  let longest = 0;
  let packer: BatchPacker | undefined;

  /** An oversized record has a chunk of its own, so that every record begins in the span of its chunk's beginning. */
  function reserve(bytes: number): void {
    if (used + bytes <= CHUNK_BYTES && used + bytes <= chunk.length) return;
    const usual = Math.min(CHUNK_BYTES, Math.max(FIRST_CHUNK_BYTES, chunk.length * 2));
    chunk = Buffer.allocUnsafeSlow(Math.max(usual, bytes));
    used = 0;
    start = chunks.length * CHUNK_SPAN;
    chunks.push(chunk);
    for (let span = CHUNK_SPAN; span < bytes; span += CHUNK_SPAN) chunks.push(NO_CHUNK);
  }

  function makeRoom(row: number): void {
    starts = withRoom(starts, row + 1, float64);
    itemLengths = withRoom(itemLengths, row + 1, uint32);
    lengths = withRoom(lengths, row + 1, uint32);
  }

  function address(row: number, at: number, itemLength: number, length: number): void {
    if (row >= starts.length || row >= lengths.length) makeRoom(row);
    starts[row] = at;
    hasDetail ||= itemLength !== length - 1;
    itemLengths[row] = itemLength;
    lengths[row] = length;
    longest = Math.max(longest, length);
  }

  function place(row: number, itemLength: number, length: number): void {
    address(row, start + used, itemLength, length);
    used += length;
    for (let i = 0; i < SEPARATOR.length; i++) chunk[used++] = SEPARATOR.charCodeAt(i);
  }

  function letStay(row: number, raw: RawRecord, lease: Lease, writer: RawTextWriter): boolean {
    const isNew = lease.bytes !== leased;
    const hasSeparator = isSeparated(raw);
    // Without separators behind them records need more room than they have: all that is before the first.
    const at = isNew ? (hasSeparator ? raw.start : 0) : leasedUsed;
    const end = writer.writeInPlace(raw, at, hasSeparator ? raw.end : raw.end - SEPARATOR.length);
    if (end < 0) return false;
    if (isNew) {
      leased = lease.bytes;
      leasedStart = chunks.length * CHUNK_SPAN;
      chunks.push(leased);
    }
    leased[end] = COMMA;
    leased[end + 1] = LINE_BREAK;
    leasedUsed = end + SEPARATOR.length;
    address(row, leasedStart + at, writer.itemLength, end - at);
    lease.stay(leasedUsed - at);
    return true;
  }

  return {
    set(row, item, rest) {
      // A UTF-16 unit takes at most three bytes of UTF-8, so this much room always holds the record.
      reserve((item.length + rest.length) * 3 + SEPARATOR.length);
      const itemLength = chunk.write(item, used);
      place(row, itemLength, itemLength + chunk.write(rest, used + itemLength));
    },
    copy(row, raw, writer) {
      if (raw.lease !== undefined && letStay(row, raw, raw.lease, writer)) return;
      reserve(writer.mostBytes(raw) + SEPARATOR.length);
      const length = writer.write(raw, chunk, used) - used;
      place(row, writer.itemLength, length);
    },
    copyBatch(rows, batch) {
      packer ??= new BatchPacker(model, batch);
      packer.pack(batch);
      const { packed, results } = packer;
      // A byte before them, so that they never seem to lie side by side with a record that is not packed.
      reserve(packed.length + 1);
      used++;
      chunk.set(packed, used);
      const first = start + used;
      let at = first;
      for (let i = 0; i < batch.size; i++) {
        address(rows[i]!, at, results[3 * i + 1]!, results[3 * i + 2]!);
        at = first + results[3 * i]!;
      }
      used += packed.length;
    },
    finish: (size) => ({
      chunks,
      starts:
        chunks.length * CHUNK_SPAN <= 2 ** 32 ? new Uint32Array(starts.subarray(0, size)) : starts.subarray(0, size),
      itemLengths: hasDetail ? itemLengths.subarray(0, size) : null,
      lengths: longest < 2 ** 16 ? new Uint16Array(lengths.subarray(0, size)) : lengths.subarray(0, size),
      pieces: packer?.pieces ?? null,
    }),
  };
}
