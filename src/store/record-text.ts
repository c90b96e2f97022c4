/**
 * The JSON text of every record, serialised once at load as UTF-8 bytes. The list item is a prefix of the whole record
 * (the model lists its fields first), so one copy serves both: a record is `{…list fields` + `,…detail fields}`.
 * Bytes stand in chunks that are never moved or copied while they grow; 6 to 16 bytes a row address them. Each record is
 * followed by a comma and a line break, so that records which lie side by side are a piece of JSON as they are. Where a
 * snapshot has them nearly so, the memory that it was read into is the chunk, in which they at most move up a little.
 * Short records are packed (`packed-text.ts`): they begin with a code, the others with a brace. Texts may be kept as codes
 * of their words (`compact.ts`), row after row, each with its separator.
 */
import { CHUNK_SPAN, type Chunk } from './chunks.js';
import { END } from './pack-kernel.js';
import {
  type Ending,
  ending,
  isPacked,
  MOST_UNPACKED_BYTES,
  type Pieces,
  packedValue,
  Unpacker,
  unpack,
} from './packed-text.js';
import { WordDecoder, type Words } from './word-codes.js';

export interface RecordText {
  readonly chunks: readonly Chunk[];
  /** Per row: where it begins, if chunk i stands at i × `CHUNK_SPAN`; integers of 32 bits as far as they suffice. */
  readonly starts: Uint32Array | Float64Array;
  /** Per row: bytes of the list item without its closing brace; null where the list item is the whole record. */
  readonly itemLengths: Uint32Array | null;
  /** Per row: bytes of the whole record. */
  readonly lengths: Uint16Array | Uint32Array;
  /** Null where no record is packed. */
  readonly pieces: Pieces | null;
  /** What the codes of words stand for, where the chunks hold such: then no record is packed. Null where they hold the text itself. */
  readonly words: Words | null;
}

const OPENING_BRACE = 0x7b;
export const SEPARATOR = ',\n';

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
    if (chunk[offset]! > OPENING_BRACE && text.words === null) throw new Error(`row ${row} has no record`);
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

/** What is made once for each key, as long as this is there. */
function remembered<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, Made>();
  return (key) => {
    const made = known.get(key) ?? make(key);
    known.set(key, made);
    return made;
  };
}

const unpackerOf = remembered((pieces: Pieces) => new Unpacker(pieces));
const decoderOf = remembered((words: Words) => new WordDecoder(words));

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
  const { pieces, words } = text;
  const length = isItem ? itemLength(text, row) : text.lengths[row]! - 1;
  if (words !== null) decoderOf(words).decode(codesOf(text, row, row + 1), length, target, at);
  else if (pieces !== null && isPacked(chunk[offset]!))
    unpack(pieces, chunk, offset, isItem ? pieces.detailFrom : END, target, at);
  else chunk.copy(target, at, offset, offset + length);
  for (let i = 0; i < ending.length; i++) target[at + length + i] = ending.word >>> (8 * i);
  return at + length + ending.length;
}

/** The codes of rows in one chunk, `to` excluded; behind those of its last row there may be more. */
function codesOf(text: RecordText, from: number, to: number): Chunk {
  const { chunk, offset } = locate(text, from);
  const next = to < text.starts.length ? locate(text, to) : null;
  return chunk.subarray(offset, next?.chunk === chunk ? next.offset : chunk.length);
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

/** Records that are not kept as they are read are written out as far as this at once, and to the end of the last. */
export const RUN_BYTES = 1 << 16;
const NO_ROOM = Buffer.alloc(0);

/** The row after the last of those that are one piece of bytes from `from` on, before `end`. */
export function sideBySide(text: RecordText, from: number, end: number): number {
  const { starts, lengths } = text;
  if (!isPlainAt(text, from)) return runToWrite(text, from, end);
  let next = starts[from]! + lengths[from]! + SEPARATOR.length;
  let row = from + 1;
  while (row < end && starts[row] === next) {
    next += lengths[row++]! + SEPARATOR.length;
  }
  return row;
}

/** Codes that are read at once stand in one chunk. */
function runToWrite(text: RecordText, from: number, end: number): number {
  const { chunk } = locate(text, from);
  let bytes = 0;
  let row = from;
  while (row < end && bytes < RUN_BYTES && !isPlainAt(text, row) && locate(text, row).chunk === chunk)
    bytes += text.lengths[row++]! + SEPARATOR.length;
  return row;
}

/** Whether a row's record is kept as it is read. */
function isPlainAt(text: RecordText, row: number): boolean {
  const { chunk, offset } = locate(text, row);
  return text.words === null && !isPacked(chunk[offset]!);
}

/**
 * Rows that are one piece, `to` excluded, each with its separator: not to be written to. What is not kept as it is read is
 * written to `room` if there is enough of it.
 */
export function separatedView(text: RecordText, from: number, to: number, room = NO_ROOM): Buffer<ArrayBuffer> {
  if (!isPlainAt(text, from)) return written(text, from, to, room);
  const { chunk, offset } = locate(text, from);
  const bytes = text.starts[to - 1]! - text.starts[from]! + text.lengths[to - 1]! + SEPARATOR.length;
  return chunk.subarray(offset, offset + bytes);
}

function written(text: RecordText, from: number, to: number, room: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  let bytes = 0;
  for (let row = from; row < to; row++) bytes += text.lengths[row]! + SEPARATOR.length;
  const target = bytes <= room.length ? room.subarray(0, bytes) : Buffer.allocUnsafe(bytes);
  if (text.words !== null) decoderOf(text.words).decode(codesOf(text, from, to), bytes, target, 0);
  else for (let row = from, at = 0; row < to; ) [row, at] = copyPacked(text, row, to, target, at);
  return target;
}

/** Copies some packed records from `from` on; returns the row after the last, and where they end. */
function copyPacked(text: RecordText, from: number, to: number, target: Buffer, at: number): readonly [number, number] {
  const { chunk, offset } = locate(text, from);
  const { pieces, starts, lengths } = text;
  let end = from;
  while (end < to && lengths[end]! <= MOST_UNPACKED_BYTES && follows(text, end, from)) end++;
  if (pieces === null || end === from) return [from + 1, copyPart(text, from, RECORD, target, at)];
  const unpacker = unpackerOf(pieces);
  const base = starts[from]! - offset;
  const next = unpacker.loadRun(chunk, (row) => starts[row]! - base, lengths, from, end);
  return [next, unpacker.flush(END, RECORD.ending, target, at)];
}

/** Whether a row stands behind the one before it, or is the first, in the chunk of the first. */
const follows = ({ starts }: RecordText, row: number, first: number): boolean =>
  row === first ||
  (starts[row]! > starts[row - 1]! &&
    Math.floor(starts[row]! / CHUNK_SPAN) === Math.floor(starts[first]! / CHUNK_SPAN));

/** A row's whole record: not to be written to. */
export function recordView(text: RecordText, row: number): Buffer<ArrayBuffer> {
  if (!isPlainAt(text, row)) return written(text, row, row + 1, NO_ROOM).subarray(0, text.lengths[row]!);
  const { chunk, offset } = locate(text, row);
  return chunk.subarray(offset, offset + text.lengths[row]!);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A field whose text is asked for: its place in the model, and its name in quotes and with its colon: so it stands nowhere in a string. */
export interface TextField {
  readonly index: number;
  readonly nameInRecord: Uint8Array;
}

/** The text of a row's field, which has one, in a text that is not compact. */
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

function locate(text: RecordText, row: number): { chunk: Chunk; offset: number } {
  const start = text.starts[row]!;
  const index = Math.floor(start / CHUNK_SPAN);
  const chunk = text.chunks[index];
  if (chunk === undefined) throw new RangeError(`row ${row} is not in the store`);
  return { chunk, offset: start - index * CHUNK_SPAN };
}
