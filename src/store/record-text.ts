/**
 * The JSON text of every record, serialised once at load as UTF-8 bytes. A record is written in the order of the model: the
 * fields of lists, those of details, those on request. So one copy serves three *extents*, each a prefix of the next but for
 * its closing brace:
 *
 *     {"id":7,"title":"Tea","price":4.2,"content":"A tea.","brand":"Acme"}
 *     ╰────────────── item ───────────╯                  │              │
 *     ╰──────────────────── default ─────────────────────╯              │
 *     ╰──────────────────────────── whole ──────────────────────────────╯
 *
 * The bytes stand in chunks; 6 to 20 bytes for each row address them. A comma and a line break follow each record, so that
 * neighbouring records are JSON as they are. Records that are made of other parts of a collection, as changes are, have no text
 * that is stored: it is *written* when it is read.
 */

import type { Narrow } from '../arrays.js';
import { CLOSE_OBJECT } from '../kernels/ascii.js';
import { CHUNK_SPAN, type Chunk } from './chunks.js';

/** The texts of a dump's records. Plain values, so that they can move to another thread. */
export interface StoredText {
  readonly chunks: readonly Chunk[];
  /** Per row: the address of its record in the chunks (`chunks.ts`), in 32 bits if they suffice. */
  readonly starts: Uint32Array | Float64Array;
  /** Per row: bytes of the list item without its closing brace. */
  readonly itemLengths: Narrow;
  /** Per row: bytes of the default record without its closing brace; null if that is the whole record. */
  readonly defaultLengths: Narrow | null;
  /** Per row: bytes of the whole record. */
  readonly lengths: Narrow;
}

/** Texts that are made when they are read. */
export interface WrittenText {
  /** Bytes of a row's record to an extent. It costs no more than to add up the lengths of its parts. */
  readonly bytesOf: (row: number, extent: Extent) => number;
  /** Writes a row's record to `target` at `at`; returns its end. */
  readonly write: (row: number, extent: Extent, target: Buffer, at: number) => number;
}

export type RecordText = StoredText | WrittenText;

export const isWritten = (text: RecordText): text is WrittenText => 'write' in text;

/** How much of a record: what a list shows, what the record's own address shows, or all fields. */
export type Extent = 'item' | 'default' | 'whole';

export const RECORD_SEPARATOR = ',\n';
export const NULL_TEXT = 'null';

/** Bytes of a row's record to an extent, without its closing brace. */
function unclosedBytes({ itemLengths, defaultLengths, lengths }: StoredText, row: number, extent: Extent): number {
  if (extent === 'item') return itemLengths[row]!;
  return extent === 'default' && defaultLengths !== null ? defaultLengths[row]! : lengths[row]! - 1;
}

/** Bytes of a row's record to an extent. */
export const recordBytes = (text: RecordText, row: number, extent: Extent): number =>
  isWritten(text) ? text.bytesOf(row, extent) : unclosedBytes(text, row, extent) + 1;

/** Copies a row's record to `target` at `at`; returns the end of the copy. */
export function copyRecord(text: RecordText, row: number, extent: Extent, target: Buffer, at: number): number {
  if (isWritten(text)) return text.write(row, extent, target, at);
  const { chunk, offset } = locate(text, row);
  const bytes = unclosedBytes(text, row, extent);
  chunk.copy(target, at, offset, offset + bytes);
  target[at + bytes] = CLOSE_OBJECT;
  return at + bytes + 1;
}

/** A row's record. A whole one may be a view of the store: callers must not write to it. */
export function recordJson(text: RecordText, row: number, extent: Extent): Buffer<ArrayBuffer> {
  const bytes = recordBytes(text, row, extent);
  if (!isWritten(text) && (extent === 'whole' || bytes === text.lengths[row])) return recordStart(text, row, bytes);
  const record = Buffer.allocUnsafe(bytes);
  copyRecord(text, row, extent, record, 0);
  return record;
}

/** The first bytes of a row's record. Callers must not write to them. */
export function recordStart(text: RecordText, row: number, bytes: number): Buffer<ArrayBuffer> {
  if (isWritten(text)) return recordJson(text, row, 'whole').subarray(0, bytes);
  const { chunk, offset } = locate(text, row);
  return chunk.subarray(offset, offset + Math.min(bytes, text.lengths[row]!));
}

/** The bytes of a row's list item, the last of which is a comma where details follow. Callers must not write to them. */
export const unclosedItem = (text: RecordText, row: number): Buffer<ArrayBuffer> =>
  recordStart(text, row, recordBytes(text, row, 'item'));

/** The end of the run of rows from `from` on that are one piece of bytes; at most `end`. */
export function sideBySide(text: StoredText, from: number, end: number): number {
  const { starts, lengths } = text;
  let next = starts[from]! + lengths[from]! + RECORD_SEPARATOR.length;
  let row = from + 1;
  while (row < end && starts[row] === next) next += lengths[row++]! + RECORD_SEPARATOR.length;
  return row;
}

/** The records of a run of rows, `to` excluded, each with its separator. Callers must not write to them. */
export function separatedJson(text: StoredText, from: number, to: number): Buffer<ArrayBuffer> {
  const { chunk, offset } = locate(text, from);
  const bytes = text.starts[to - 1]! - text.starts[from]! + text.lengths[to - 1]! + RECORD_SEPARATOR.length;
  return chunk.subarray(offset, offset + bytes);
}

function locate(text: StoredText, row: number): { chunk: Chunk; offset: number } {
  const start = text.starts[row]!;
  const index = Math.floor(start / CHUNK_SPAN);
  const chunk = text.chunks[index];
  if (chunk === undefined) throw new RangeError(`row ${row} is not in the store`);
  return { chunk, offset: start - index * CHUNK_SPAN };
}
