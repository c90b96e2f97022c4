/**
 * Rows by the values of a field, case and accents aside, and values by row: a dictionary of the distinct values, sorted by
 * their folded text; postings of rows for each of them, ascending; and the reverse. A look-up halves the dictionary; its
 * rows are a view, never a scan. A cell has one value or several: those of a list, or the parts of one text
 * (`"Fiction, Classics"`).
 */
import { firstWhere, type Narrow } from '../arrays.js';
import { fold, isDigit, isLetter, lowerCase, textOfBytes } from '../text.js';
import type { Texts } from './part-search.js';
import type { SortOrder } from './sort-order.js';

/** Plain values, so that it can move to another thread. */
export interface ValueIndex {
  /** Value c is text c, as it was first written. */
  readonly names: Texts;
  /** The sign between several values in one text: `"A|B"` gives the values A and B. Null where each text is one value. */
  readonly splitBy: string | null;
  /** Rows of code c: `rows[offsets[c]] … rows[offsets[c + 1] - 1]`, ascending. */
  readonly offsets: Uint32Array;
  readonly rows: Uint32Array;
  /** Codes of row r, each once: `rowCodes[rowOffsets[r]] … rowCodes[rowOffsets[r + 1] - 1]`. */
  readonly rowCodes: Narrow;
  /** Null where no row has several: that of row r is `rowCodes[r]`, which is the number of codes where it has none. */
  readonly rowOffsets: Uint32Array | null;
  /** The rows in the order of their texts, case and accents aside, if the field is one that records are sorted by. */
  readonly order: SortOrder | null;
}

/** The code of a value, or -1 where no record has it. */
export function codeOfValue(index: ValueIndex, value: string): number {
  const folded = Buffer.from(fold(value));
  const codes = valueCount(index);
  const code = firstWhere(0, codes, (at) => compareFolded(index, at, folded) >= 0);
  return code < codes && compareFolded(index, code, folded) === 0 ? code : -1;
}

/** Compares the folded text of a value with another one, byte by byte. Most values are ASCII, and no folded copy of them is made. */
function compareFolded(index: ValueIndex, code: number, folded: Buffer): number {
  if (!isAsciiValue(index, code)) return foldedValue(index, code).compare(folded);
  const { bytes, offsets } = index.names;
  const from = offsets[code]!;
  const length = offsets[code + 1]! - from;
  for (let i = 0; i < Math.min(length, folded.length); i++) {
    const difference = lowerCase(bytes[from + i]!) - folded[i]!;
    if (difference !== 0) return difference;
  }
  return length - folded.length;
}

function isAsciiValue({ names: { bytes, offsets } }: ValueIndex, code: number): boolean {
  const end = offsets[code + 1]!;
  for (let at = offsets[code]!; at < end; at++) if (bytes[at]! >= 0x80) return false;
  return true;
}

/**
 * The codes that a record must all have to hold a value: that of the value, or of a whole text of several, `A|B`, those of its
 * parts. None where no record has it.
 */
export function codesOfValue(index: ValueIndex, value: string): readonly number[] {
  const code = codeOfValue(index, value);
  if (code >= 0) return [code];
  const codes = valuesOfText(value, index.splitBy).map((part) => codeOfValue(index, part));
  return codes.length > 0 && codes.every((one) => one >= 0) ? codes : [];
}

/** The values in one text, in its order. Blank ones are none. */
export const valuesOfText = (text: string, splitBy: string | null): readonly string[] =>
  (splitBy === null ? [text] : text.split(splitBy).map((part) => part.trim())).filter((part) => part.trim() !== '');

/** The values that begin with a text, case and accents aside: their first code, and that behind the last. */
export function codesBeginning(index: ValueIndex, beginning: string): readonly [from: number, to: number] {
  const prefix = Buffer.from(fold(beginning));
  const compare = (code: number): number => foldedValue(index, code).subarray(0, prefix.length).compare(prefix);
  const from = firstWhere(0, valueCount(index), (code) => compare(code) >= 0);
  return [from, firstWhere(from, valueCount(index), (code) => compare(code) > 0)];
}

/** Whether a word of a value behind its first begins with a text that is folded: `king` of `Stephen King`. */
export function hasLaterWord(index: ValueIndex, code: number, beginning: Buffer): boolean {
  const { bytes, offsets } = index.names;
  return isAsciiValue(index, code)
    ? hasWordAt(bytes, offsets[code]!, offsets[code + 1]!, beginning)
    : hasWordAt(foldedValue(index, code), 0, Number.POSITIVE_INFINITY, beginning);
}

function hasWordAt(bytes: Uint8Array, from: number, end: number, beginning: Buffer): boolean {
  const last = Math.min(end, bytes.length) - beginning.length;
  for (let at = from + 1; at <= last; at++) {
    if (isWordByte(bytes[at - 1]!)) continue;
    let i = 0;
    while (i < beginning.length && lowerCase(bytes[at + i]!) === beginning[i]) i++;
    if (i === beginning.length) return true;
  }
  return false;
}

const isWordByte = (byte: number): boolean => isDigit(byte) || isLetter(byte) || byte >= 0x80;

/** How many values there are. */
export const valueCount = ({ names }: ValueIndex): number => names.offsets.length - 1;

/** Whether each value is in one record only, and there are any. */
export const isUnique = (index: ValueIndex | undefined): boolean =>
  index !== undefined && index.rows.length > 0 && index.rows.length === valueCount(index);

/** A value as it was first written. */
export const valueAtCode = ({ names: { bytes, offsets } }: ValueIndex, code: number): string =>
  textOfBytes(bytes, offsets[code]!, offsets[code + 1]!);

const foldedValue = (index: ValueIndex, code: number): Buffer => Buffer.from(fold(valueAtCode(index, code)));

/** The values, in the order of their codes; made anew for every caller. */
export const allValues = (index: ValueIndex): readonly string[] =>
  Array.from({ length: valueCount(index) }, (_, code) => valueAtCode(index, code));

/** The rows of a code, ascending. */
export const rowsOfCode = ({ offsets, rows }: ValueIndex, code: number): Uint32Array =>
  rows.subarray(offsets[code]!, offsets[code + 1]!);

/** The codes of a row, in the order in which the record has them. */
export function codesOfRow(index: ValueIndex, row: number): Narrow {
  const { rowCodes, rowOffsets } = index;
  if (rowOffsets !== null) return rowCodes.subarray(rowOffsets[row]!, rowOffsets[row + 1]!);
  const hasValue = rowCodes[row]! < valueCount(index);
  return rowCodes.subarray(row, hasValue ? row + 1 : row);
}

/** The values of a cell, which is a list or the contents of a text, in its order. */
export const valuesOfCell = (cell: string, splitBy: string | null): readonly string[] =>
  valuesIn(cell).flatMap((value) => valuesOfText(value, splitBy));

/** The values of a cell: no text begins as a list does, since a quote in a text is escaped. */
function valuesIn(cell: string): readonly string[] {
  const value: unknown = JSON.parse(cell.startsWith('["') ? cell : `"${cell}"`);
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
