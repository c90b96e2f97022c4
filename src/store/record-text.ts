/**
 * The JSON text of every record, serialised once at load as UTF-8 bytes. A record is `{…list fields` + `,…detail fields` +
 * `,…fields on request}`, in the order of the model. So one copy serves the list item, the default record and the whole
 * record: each is a prefix of the next.
 * The bytes stand in chunks; 6 to 20 bytes for each row address them. A comma and a line break follow each record, so that
 * neighbouring records are JSON as they are.
 */

import type { Narrow } from '../arrays.js';
import { contentsAt, endOfString } from '../batch.js';
import { CLOSE_OBJECT, COMMA } from '../text.js';
import { CHUNK_SPAN, type Chunk } from './chunks.js';

export interface RecordText {
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

export const SEPARATOR = ',\n';

/** Bytes of a row's list item. */
export const itemBytes = ({ itemLengths }: RecordText, row: number): number => itemLengths[row]! + 1;

/** Bytes of the rows' list items together, with a comma behind each. */
export function itemsBytes(text: RecordText, rows: ArrayLike<number>): number {
  let bytes = rows.length;
  for (let i = 0; i < rows.length; i++) bytes += itemBytes(text, rows[i]!);
  return bytes;
}

/** The first bytes of a row's record. Callers must not write to them. */
export function recordStart(text: RecordText, row: number, bytes: number): Buffer<ArrayBuffer> {
  const { chunk, offset } = locate(text, row);
  return chunk.subarray(offset, offset + Math.min(bytes, text.lengths[row]!));
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

/** Copies a row's default record and a separator to `target` at `at`; returns the end of the copy. */
export function copySeparated(text: RecordText, row: number, target: Buffer, at: number): number {
  if (text.defaultLengths === null) return copyStart(text, row, text.lengths[row]! + SEPARATOR.length, target, at);
  const end = copyStart(text, row, text.defaultLengths[row]!, target, at);
  return end + target.write(`}${SEPARATOR}`, end, 'latin1');
}

/** Copies the first `length` bytes of a row's record and separator; returns the end of the copy. */
function copyStart(text: RecordText, row: number, length: number, target: Buffer, at: number): number {
  const { chunk, offset } = locate(text, row);
  chunk.copy(target, at, offset, offset + length);
  return at + length;
}

/** The texts whose default records are the whole ones, by those that have shorter ones. */
const wholeTexts = new WeakMap<RecordText, RecordText>();

/** The same records; their default records are whole. */
export function wholeText(text: RecordText): RecordText {
  if (text.defaultLengths === null) return text;
  const wholeVersion = wholeTexts.get(text) ?? { ...text, defaultLengths: null };
  wholeTexts.set(text, wholeVersion);
  return wholeVersion;
}

/** Bytes of a row's default record. */
export const defaultBytes = ({ defaultLengths, lengths }: RecordText, row: number): number =>
  defaultLengths === null ? lengths[row]! : defaultLengths[row]! + 1;

/** A row's default record. Callers must not write to it. */
export function defaultJson(text: RecordText, row: number): Buffer<ArrayBuffer> {
  if (text.defaultLengths === null) return recordJson(text, row);
  const bytes = defaultBytes(text, row);
  const record = Buffer.allocUnsafe(bytes + SEPARATOR.length);
  copySeparated(text, row, record, 0);
  return record.subarray(0, bytes);
}

/** Bytes of a row's whole record. */
export const recordBytes = (text: RecordText, row: number): number => text.lengths[row]!;

/** The bytes of a row's list item, the last of which is a comma where details follow. Callers must not write to them. */
export const unclosedItem = (text: RecordText, row: number): Buffer<ArrayBuffer> =>
  recordStart(text, row, itemBytes(text, row));

/** A row's list item. */
export function itemOf(text: RecordText, row: number): Buffer<ArrayBuffer> {
  const bytes = itemBytes(text, row);
  const item = Buffer.allocUnsafe(bytes + 1);
  copyItems(text, [row], item, 0);
  return item.subarray(0, bytes);
}

/** The end of the run of rows from `from` on that are one piece of bytes; at most `end`. */
export function sideBySide(text: RecordText, from: number, end: number): number {
  const { starts, lengths } = text;
  let next = starts[from]! + lengths[from]! + SEPARATOR.length;
  let row = from + 1;
  while (row < end && starts[row] === next) next += lengths[row++]! + SEPARATOR.length;
  return row;
}

/** The records of a run of rows, `to` excluded, each with its separator. Callers must not write to them. */
export function separatedJson(text: RecordText, from: number, to: number): Buffer<ArrayBuffer> {
  const { chunk, offset } = locate(text, from);
  const bytes = text.starts[to - 1]! - text.starts[from]! + text.lengths[to - 1]! + SEPARATOR.length;
  return chunk.subarray(offset, offset + bytes);
}

/** A row's whole record. Callers must not write to it. */
export const recordJson = (text: RecordText, row: number): Buffer<ArrayBuffer> =>
  recordStart(text, row, recordBytes(text, row));

const TITLE_NAME = Buffer.from(',"title":"');

/** Where in a record, or in a list item, the contents of its title stand, which is behind the id: `{"id":7,"title":"Tea"`. */
export function titleSpan(record: Buffer): readonly [start: number, end: number] {
  let at = 0;
  while (record[at] !== COMMA && record[at] !== CLOSE_OBJECT) at++;
  for (let i = 0; i < TITLE_NAME.length; i++, at++) if (record[at] !== TITLE_NAME[i]) return [0, 0];
  return [at, endOfString(record, at - 1) - 1];
}

/** The title of a record or of a list item. Empty where it has none. */
export const titleOf = (record: Buffer): string => contentsAt(record, ...titleSpan(record));

function locate(text: RecordText, row: number): { chunk: Chunk; offset: number } {
  const start = text.starts[row]!;
  const index = Math.floor(start / CHUNK_SPAN);
  const chunk = text.chunks[index];
  if (chunk === undefined) throw new RangeError(`row ${row} is not in the store`);
  return { chunk, offset: start - index * CHUNK_SPAN };
}
