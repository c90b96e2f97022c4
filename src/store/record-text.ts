/**
 * The JSON text of every record, serialised once at load as UTF-8 bytes. The list item is a prefix of the whole record
 * (the model lists its fields first), so one copy serves both: a record is `{…list fields` + `,…detail fields}`.
 * Bytes stand in chunks that are never moved or copied while they grow; 16 bytes a row address them. Each record is
 * followed by a comma and a line break, so that records which lie side by side are a piece of JSON as they are.
 */
import type { RawRecord } from '../raw.js';
import { float64, uint32, withRoom } from './growable.js';
import type { RawTextWriter } from './raw-text.js';

export interface RecordText {
  readonly chunks: readonly Buffer<ArrayBuffer>[];
  /** Per row: chunk number × `CHUNK_SPAN` + first byte in that chunk. */
  readonly starts: Float64Array;
  /** Per row: bytes of the list item without its closing brace. */
  readonly itemLengths: Uint32Array;
  /** Per row: bytes of the whole record. */
  readonly lengths: Uint32Array;
}

const CHUNK_BYTES = 1 << 22;
/** Addresses per chunk: more than any one record has bytes, so that an oversized record fits a chunk of its own. */
const CHUNK_SPAN = 2 ** 32;
const CLOSING_BRACE = 0x7d;
export const SEPARATOR = ',\n';

/** Bytes of a row's list item. */
export const itemBytes = (text: RecordText, row: number): number => text.itemLengths[row]! + 1;

/** Copies a row's list item to `target` at `at`; returns where it ends. */
export function copyItem(text: RecordText, row: number, target: Buffer, at: number): number {
  const end = copyBytes(text, row, text.itemLengths[row]!, target, at);
  target[end] = CLOSING_BRACE;
  return end + 1;
}

/** Bytes of a row's whole record. */
export const recordBytes = (text: RecordText, row: number): number => text.lengths[row]!;

/** Copies a row's whole record and the separator behind it to `target` at `at`; returns where they end. */
export const copySeparated = (text: RecordText, row: number, target: Buffer, at: number): number =>
  copyBytes(text, row, text.lengths[row]! + SEPARATOR.length, target, at);

/** The row after the last of those that lie side by side from `from` on: before `end`, in `maxBytes` if more than one. */
export function sideBySide({ starts, lengths }: RecordText, from: number, end: number, maxBytes: number): number {
  const first = starts[from]!;
  let next = first + lengths[from]! + SEPARATOR.length;
  let row = from + 1;
  while (row < end && starts[row] === next && next + lengths[row]! - first <= maxBytes) {
    next += lengths[row++]! + SEPARATOR.length;
  }
  return row;
}

/** Rows that lie side by side, `to` excluded, each with its separator, as a view: not to be written to. */
export function separatedView(text: RecordText, from: number, to: number): Buffer<ArrayBuffer> {
  const { chunk, offset } = locate(text, from);
  const bytes = text.starts[to - 1]! - text.starts[from]! + text.lengths[to - 1]! + SEPARATOR.length;
  return chunk.subarray(offset, offset + bytes);
}

/** A row's whole record, as a view of the stored bytes: not to be written to. */
export function recordView(text: RecordText, row: number): Buffer<ArrayBuffer> {
  const { chunk, offset } = locate(text, row);
  return chunk.subarray(offset, offset + text.lengths[row]!);
}

function copyBytes(text: RecordText, row: number, length: number, target: Buffer, at: number): number {
  const { chunk, offset } = locate(text, row);
  chunk.copy(target, at, offset, offset + length);
  return at + length;
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
  /** The same for a record that is copied. */
  copy(row: number, raw: RawRecord, writer: RawTextWriter): void;
  finish(size: number): RecordText;
}

export function createRecordTextBuilder(): RecordTextBuilder {
  const chunks: Buffer<ArrayBuffer>[] = [];
  let chunk: Buffer<ArrayBuffer> = Buffer.alloc(0);
  let used = 0;
  let starts = float64(0);
  let itemLengths = uint32(0);
  let lengths = uint32(0);

  function reserve(bytes: number): void {
    if (used + bytes <= chunk.length) return;
    chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes));
    chunks.push(chunk);
    used = 0;
  }

  function place(row: number, itemLength: number, length: number): void {
    starts = withRoom(starts, row + 1, float64);
    itemLengths = withRoom(itemLengths, row + 1, uint32);
    lengths = withRoom(lengths, row + 1, uint32);
    starts[row] = (chunks.length - 1) * CHUNK_SPAN + used;
    itemLengths[row] = itemLength;
    lengths[row] = length;
    used += length;
    for (let i = 0; i < SEPARATOR.length; i++) chunk[used++] = SEPARATOR.charCodeAt(i);
  }

  return {
    set(row, item, rest) {
      // A UTF-16 unit takes at most three bytes of UTF-8, so this much room always holds the record.
      reserve((item.length + rest.length) * 3 + SEPARATOR.length);
      const itemLength = chunk.write(item, used);
      place(row, itemLength, itemLength + chunk.write(rest, used + itemLength));
    },
    copy(row, raw, writer) {
      reserve(writer.mostBytes(raw) + SEPARATOR.length);
      const length = writer.write(raw, chunk, used) - used;
      place(row, writer.itemLength, length);
    },
    finish: (size) => ({
      chunks,
      starts: starts.slice(0, size),
      itemLengths: itemLengths.slice(0, size),
      lengths: lengths.slice(0, size),
    }),
  };
}
