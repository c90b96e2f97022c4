/**
 * The JSON text of every record, serialised once at load as UTF-8 bytes. The list item is a prefix of the record that
 * answers have by default, and that one of the whole (the model lists fields in this order), so one copy serves all three:
 * a record is `{…list fields` + `,…detail fields` + `,…fields on request}`.
 * Bytes stand in chunks that are never moved or copied while they grow; 6 to 16 bytes a row address them. Each record is
 * followed by a comma and a line break, so that records which lie side by side are a piece of JSON as they are. After
 * the start, texts may be kept as codes of their words (`compact.ts`), row after row, each with its separator.
 */
import { CLOSE_OBJECT, COMMA } from '../ascii.js';
import { endOfString, stringAt } from '../batch.js';
import type { Narrow } from '../growable.js';
import { CHUNK_SPAN, type Chunk } from './chunks.js';
import { WordDecoder, type Words } from './word-codes.js';

export interface RecordText {
  readonly chunks: readonly Chunk[];
  /** Per row: where it begins, if chunk i stands at i × `CHUNK_SPAN`; integers of 32 bits as far as they suffice. */
  readonly starts: Uint32Array | Float64Array;
  /** Per row: bytes of the list item without its closing brace. */
  readonly itemLengths: Narrow;
  /** Per row: bytes of what answers have by default, without its closing brace; null where that is the whole record. */
  readonly defaultLengths: Narrow | null;
  /** Per row: bytes of the whole record. */
  readonly lengths: Narrow;
  /** What the codes of words stand for, where the chunks hold such. Null where they hold the text itself. */
  readonly words: Words | null;
}

export const SEPARATOR = ',\n';

/** Bytes of a row's list item. */
export const itemBytes = ({ itemLengths }: RecordText, row: number): number => itemLengths[row]! + 1;

/** Bytes of the rows' list items together, with a comma behind each. */
export function itemsBytes(text: RecordText, rows: ArrayLike<number>): number {
  let bytes = rows.length;
  for (let i = 0; i < rows.length; i++) bytes += itemBytes(text, rows[i]!);
  return bytes;
}

/** The first bytes of a row's record. */
export function recordStart(text: RecordText, row: number, bytes: number): Buffer<ArrayBuffer> {
  const start = Buffer.allocUnsafe(Math.min(bytes, text.lengths[row]!));
  copyStart(text, row, start.length, start, 0);
  return start;
}

/** One decoder for each table of words, as long as that is there. */
const decoders = new WeakMap<Words, WordDecoder>();

function decoderOf(words: Words): WordDecoder {
  const decoder = decoders.get(words) ?? new WordDecoder(words);
  decoders.set(words, decoder);
  return decoder;
}

/** Copies the rows' list items to `target` at `at`, a comma behind each; returns where they end. */
export function copyItems(text: RecordText, rows: ArrayLike<number>, target: Buffer, at: number): number {
  let end = at;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    end = copyStart(text, row, text.itemLengths[row]!, target, end);
    target[end++] = CLOSE_OBJECT;
    target[end++] = COMMA;
  }
  return end;
}

/** Copies `count` records as answers have them by default, the i-th that of `rowAt(i)`, to `target` at `at`, a separator behind each; returns where they end. */
export function copySeparated(
  text: RecordText,
  count: number,
  rowAt: (i: number) => number,
  target: Buffer,
  at: number,
): number {
  let end = at;
  for (let i = 0; i < count; i++) {
    const row = rowAt(i);
    if (text.defaultLengths === null) end = copyStart(text, row, text.lengths[row]! + SEPARATOR.length, target, end);
    else {
      end = copyStart(text, row, text.defaultLengths[row]!, target, end);
      end += target.write(`}${SEPARATOR}`, end);
    }
  }
  return end;
}

/** Copies the first bytes of a row's record and the separator behind it; returns where they end. */
function copyStart(text: RecordText, row: number, length: number, target: Buffer, at: number): number {
  const { chunk, offset } = locate(text, row);
  if (text.words !== null) decoderOf(text.words).decode(codesOf(text, row, row + 1), length, target, at);
  else chunk.copy(target, at, offset, offset + length);
  return at + length;
}

/** The codes of rows in one chunk, `to` excluded; behind those of its last row there may be more. */
function codesOf(text: RecordText, from: number, to: number): Chunk {
  const { chunk, offset } = locate(text, from);
  const next = to < text.starts.length ? locate(text, to) : null;
  return chunk.subarray(offset, next?.chunk === chunk ? next.offset : chunk.length);
}

/** Bytes of a row's record as answers have it by default. */
export const defaultBytes = ({ defaultLengths, lengths }: RecordText, row: number): number =>
  defaultLengths === null ? lengths[row]! : defaultLengths[row]! + 1;

/** That record: not to be written to. */
export function defaultView(text: RecordText, row: number): Buffer<ArrayBuffer> {
  if (text.defaultLengths === null) return recordView(text, row);
  const bytes = defaultBytes(text, row);
  const record = Buffer.allocUnsafe(bytes + SEPARATOR.length);
  copySeparated(text, 1, () => row, record, 0);
  return record.subarray(0, bytes);
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

/** Compact records are written out as far as this at once, and to the end of the last. */
export const RUN_BYTES = 1 << 16;
const NO_ROOM = Buffer.alloc(0);

/** The row after the last of those that are one piece of bytes from `from` on, before `end`. */
export function sideBySide(text: RecordText, from: number, end: number): number {
  if (text.words !== null) return runToDecode(text, from, end);
  const { starts, lengths } = text;
  let next = starts[from]! + lengths[from]! + SEPARATOR.length;
  let row = from + 1;
  while (row < end && starts[row] === next) next += lengths[row++]! + SEPARATOR.length;
  return row;
}

/** Codes that are read at once stand in one chunk. */
function runToDecode(text: RecordText, from: number, end: number): number {
  const { chunk } = locate(text, from);
  let bytes = 0;
  let row = from;
  while (row < end && bytes < RUN_BYTES && locate(text, row).chunk === chunk)
    bytes += text.lengths[row++]! + SEPARATOR.length;
  return row;
}

/**
 * Rows that are one piece, `to` excluded, each with its separator: not to be written to. Compact records are written to
 * `room` if there is enough of it.
 */
export function separatedView(text: RecordText, from: number, to: number, room = NO_ROOM): Buffer<ArrayBuffer> {
  if (text.words !== null) return decoded(text, text.words, from, to, room);
  const { chunk, offset } = locate(text, from);
  const bytes = text.starts[to - 1]! - text.starts[from]! + text.lengths[to - 1]! + SEPARATOR.length;
  return chunk.subarray(offset, offset + bytes);
}

function decoded(text: RecordText, words: Words, from: number, to: number, room: Buffer<ArrayBuffer>) {
  let bytes = 0;
  for (let row = from; row < to; row++) bytes += text.lengths[row]! + SEPARATOR.length;
  const target = bytes <= room.length ? room.subarray(0, bytes) : Buffer.allocUnsafe(bytes);
  decoderOf(words).decode(codesOf(text, from, to), bytes, target, 0);
  return target;
}

/** A row's whole record: not to be written to. */
export const recordView = (text: RecordText, row: number): Buffer<ArrayBuffer> =>
  separatedView(text, row, row + 1).subarray(0, text.lengths[row]!);

/** The text of a row's field, which has one, in a text that is not compact. */
export function textInRecord(text: RecordText, row: number, name: string): string {
  const { chunk, offset } = locate(text, row);
  // In quotes and with its colon a name stands nowhere in a string.
  const nameInRecord = Buffer.from(`${JSON.stringify(name)}:`);
  const start = chunk.indexOf(nameInRecord, offset) + nameInRecord.length;
  return stringAt(chunk, start, endOfString(chunk, start));
}

function locate(text: RecordText, row: number): { chunk: Chunk; offset: number } {
  const start = text.starts[row]!;
  const index = Math.floor(start / CHUNK_SPAN);
  const chunk = text.chunks[index];
  if (chunk === undefined) throw new RangeError(`row ${row} is not in the store`);
  return { chunk, offset: start - index * CHUNK_SPAN };
}
