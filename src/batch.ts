/**
 * In which form are records handed from loading to whatever is built of them?
 * Takes: up to `BATCH_RECORDS` valid records.
 * Gives: columns of cells over bytes. Every batch is canonical: a cell's bytes are the JSON text that `JSON.stringify` gives for its
 * value, whatever the dump had in its place. A batch is lent: its taker copies what it needs, writes to nothing, and keeps nothing
 * once it has returned.
 * Skip: how strings are cut out of lists (`endOfString`, `contentsAt`).
 */
import { BACKSLASH, QUOTE, SPACE } from './kernels/ascii.js';
import { BOOLEAN, ESCAPED_TEXT, LIST, NULL, NUMBER, TEXT } from './kernels/json-layout.js';

/** No batch has more records. The cell of field f in record i is `f * BATCH_RECORDS + i`. */
export const BATCH_RECORDS = 1024;

export { BOOLEAN, ESCAPED_TEXT, LIST, NULL, NUMBER, TEXT };

/**
 * Kinds of cells are those of values in JSON (`json-layout.ts`), and two more. A text's cell is its contents between the quotes, a list's
 * has its brackets. The record has no such field; kinds up to `NULL` have no value.
 */
export const ABSENT = 0;
/** A value in the JSON of its source, without spaces around tokens. */
export const RAW = 6;

/** The byte behind a text is part of no other cell: readers of a copy may write there what ends its last word. */
export interface RecordBatch {
  readonly size: number;
  /** Valid UTF-8 wherever a cell points to. */
  readonly bytes: Buffer;
  /** Per cell: its kind, and where its JSON text begins and ends in `bytes`: of a list with its brackets, of a text without its quotes. */
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Per cell: its number, of a date the milliseconds since 1970; NaN where it has none. */
  readonly numbers: Float64Array;
}

export const cellOf = (field: number, record: number): number => field * BATCH_RECORDS + record;

export const hasText = (kind: number): boolean => kind === TEXT || kind === ESCAPED_TEXT;

/** The text of a cell that has one, else null. */
export function textOf({ bytes, kinds, starts, ends }: RecordBatch, cell: number): string | null {
  const kind = kinds[cell]!;
  return hasText(kind) ? contentsAt(bytes, starts[cell]!, ends[cell]!, kind === ESCAPED_TEXT) : null;
}

/** Whether a cell has no value, or a text of nothing but white space. Most texts are told by their first byte. */
export function isBlank({ bytes, kinds, starts, ends }: RecordBatch, cell: number): boolean {
  const kind = kinds[cell]!;
  if (kind <= NULL || !hasText(kind)) return kind <= NULL;
  const start = starts[cell]!;
  const end = ends[cell]!;
  if (end === start) return true;
  const first = bytes[start]!;
  // A backslash may begin an escaped line break, a byte beyond ASCII a wide space.
  const mayBeBlank = first <= SPACE || first === BACKSLASH || first >= 0x80;
  return mayBeBlank && contentsAt(bytes, start, end, kind === ESCAPED_TEXT).trim() === '';
}

/**
 * Where the string ends whose opening quote stands at `start`. The strings of a list begin behind its bracket, and each
 * further one behind a comma.
 */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at + 1;
}

/** The string whose JSON text is `bytes[start … end)`. */
export const stringAt = (bytes: Buffer, start: number, end: number): string => contentsAt(bytes, start + 1, end - 1);

/** The string between whose quotes `bytes[start … end)` stand. */
export function contentsAt(
  bytes: Buffer,
  start: number,
  end: number,
  isEscaped: boolean = bytes.subarray(start, end).includes(BACKSLASH),
): string {
  const text = bytes.toString('utf8', start, end);
  return isEscaped ? String(JSON.parse(`"${text}"`)) : text;
}

/** Collects one field of the records of batches; the result is a part of their collection. */
export interface ColumnBuilder<Part> {
  /**
   * Sets the value of `rows[i]` to that of cell `firstCell` + i. Each row is an earlier row or the next one; `size` is the number
   * of rows afterwards.
   */
  setAll(rows: Int32Array, size: number, batch: RecordBatch, firstCell: number): void;
  /** Ends the builder. */
  finish(size: number): Part;
}
