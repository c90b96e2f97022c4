/**
 * Valid records that are not taken apart: where in the source's bytes their values stand. Loading lends one such view for
 * record after record, or for many at once; what takes it copies what it needs and keeps nothing. Bytes are valid UTF-8
 * throughout.
 */

import type { WasmMemory } from './wasm.js';

/** What stands in the source for a field's value; kinds below `PLAIN_TEXT` have none. */
export const ABSENT = 0;
/** Nothing, though the field is named. */
export const NULL = 1;
/** JSON text that is kept as it stands: a string without escapes, … */
export const PLAIN_TEXT = 2;
/** … a string with escapes, all of them as `JSON.stringify` writes them, … */
export const ESCAPED_TEXT = 3;
/** … a number, … */
export const NUMBER = 4;
/** … or a list of strings without spaces between them. */
export const LIST = 5;
/** A number that is spelt otherwise, or given by the loader: its text is made of `numbers`. */
export const RESPELT_NUMBER = 6;
/** A list of strings that is spelt otherwise than `JSON.stringify` does, as with spaces between them. */
export const RESPELT_LIST = 7;
/** A string that is spelt otherwise, as with `\\u00e9` for `é`. */
export const RESPELT_TEXT = 8;

/** No memory that records can stay in is larger. */
export const MAX_LEASE_BYTES = (1 << 26) - 1;

/**
 * Lets records stay in the memory in which they stand, or further to its front: a record's taker may write to all before
 * its end, as the last thing that is done with the record.
 */
export interface Lease {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Tells that so many of the bytes stay: the memory is not used for anything else then. */
  stay(bytes: number): void;
}

/** What stands for values in the source. */
export interface RawCells {
  readonly bytes: Buffer;
  readonly isAscii: boolean;
  /** Per cell: one of the above, where its JSON text stands, quotes included, and its number. */
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** A date's are milliseconds since 1970; NaN where there is none. */
  readonly numbers: Float64Array;
  /** A list's strings, quotes included: from `elements[2i]` to `elements[2i + 1]`, i from the cell's `elementsFrom` to its `elementsTo`. */
  readonly elements: Int32Array;
  readonly elementsFrom: Int32Array;
  readonly elementsTo: Int32Array;
}

export interface RawRecords extends RawCells {
  readonly size: number;
  /** The cell of field f in record i is `columns[f] + i`. */
  readonly columns: Int32Array;
  /** The object of record i, braces included, is `bytes[recordStarts[i] … recordEnds[i])`. */
  readonly recordStarts: Int32Array;
  readonly recordEnds: Int32Array;
  /** Whether a field goes by its own name. */
  readonly isOwnName: Uint8Array;
  /** Undefined where what is needed of the bytes has to be copied. */
  readonly lease: Lease | undefined;
  /** How much further on the records stand in the lease's memory than in `bytes`; */
  readonly leaseShift: number;
  /** what is behind here in that memory may not have been read yet. */
  readonly limit: number;
}

/**
 * Many records in the memory of kernels; the strings in their lists have no escapes. Until the next batch its last taker may write to all of it but what tells that a
 * cell is absent.
 */
export interface RawBatch extends RawRecords {
  /** No batch in this memory has more records. */
  readonly most: number;
  /** The memory behind all this; from `free` on it is the taker's, until the next batch. */
  readonly memory: WasmMemory;
  readonly free: number;
}

export const isList = (kind: number): boolean => kind === LIST || kind === RESPELT_LIST;

export const hasText = (kind: number): boolean => kind === PLAIN_TEXT || kind === ESCAPED_TEXT || kind === RESPELT_TEXT;

const BACKSLASH = 0x5c;

/** The string whose JSON text is `bytes[start … end)`. */
export function stringAt({ bytes, isAscii }: RawCells, start: number, end: number, isEscaped: boolean): string {
  const encoding = isAscii ? 'latin1' : 'utf8';
  if (isEscaped) return String(JSON.parse(bytes.toString(encoding, start, end)));
  return bytes.toString(encoding, start + 1, end - 1);
}

/** The text of a cell that has one, else null. */
export function textOf(raw: RawCells, cell: number): string | null {
  const kind = raw.kinds[cell]!;
  return hasText(kind) ? stringAt(raw, raw.starts[cell]!, raw.ends[cell]!, kind !== PLAIN_TEXT) : null;
}

/** The strings of a cell that is a list. */
export function listOf(raw: RawCells, cell: number): string[] {
  const { bytes, elements } = raw;
  const list: string[] = [];
  for (let i = raw.elementsFrom[cell]!; i < raw.elementsTo[cell]!; i++) {
    const start = elements[2 * i]!;
    const end = elements[2 * i + 1]!;
    list.push(stringAt(raw, start, end, hasByte(bytes, BACKSLASH, start, end)));
  }
  return list;
}

/** The JSON text of a cell that is spelt otherwise in the source. */
export function respelt(raw: RawCells, cell: number): string {
  const kind = raw.kinds[cell]!;
  if (kind === RESPELT_LIST) return JSON.stringify(listOf(raw, cell));
  return JSON.stringify(kind === RESPELT_TEXT ? textOf(raw, cell) : raw.numbers[cell]);
}

function hasByte(bytes: Uint8Array, byte: number, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] === byte) return true;
  return false;
}
