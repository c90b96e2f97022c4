/** Bytes → text. Bytes that are no UTF-8 are read as windows-1252 and counted, and so are those that this misreads. */

import { isAscii, isUtf8 } from 'node:buffer';
import { CARRIAGE_RETURN, LINE_FEED } from '../../kernels/ascii.js';
import { isContinuation } from '../../text.js';

export interface Decoder {
  text(bytes: Buffer): string;
  /** Whole lines in UTF-8. A line in windows-1252 does not change how the others are read. */
  lines(bytes: Buffer): Buffer;
  /** Counts of the texts that are no UTF-8, with an example. */
  readonly foreignTexts: () => ForeignTexts;
}

export interface ForeignTexts {
  /** Texts that were read as windows-1252. */
  readonly count: number;
  /** The number of those texts that are not in windows-1252 either. */
  readonly misread: number;
  /** The first of the misread ones, else of all. */
  readonly example: Buffer | null;
}

/** The characters of 0x80 to 0x9f, in which windows-1252 differs from ISO 8859-1. TextDecoder of some Node versions confuses the two. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The same text with the characters of windows-1252 in place of controls: `d’Estournel` for `d\u0092Estournel`. */
export const withoutControls = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 128));

const fromWindows1252 = (bytes: Buffer): string => withoutControls(bytes.toString('latin1'));

/** Bytes that windows-1252 leaves undefined, and words of other alphabets: `Ïðèâåò` is `Привет` in windows-1251. */
const MISREAD = /[\u0081\u008d\u008f\u0090\u009d]|(?:(?!\p{ASCII})\p{L}){3}/u;

/** Whether windows-1252 misreads bytes beyond ASCII that stand side by side. Those that are UTF-8 were read well before. */
const isMisread = (bytes: Buffer): boolean =>
  (bytes.toString('latin1').match(/[\u0080-\u00ff]+/g) ?? []).some((run) => {
    const runBytes = Buffer.from(run, 'latin1');
    return !isUtf8(runBytes) && MISREAD.test(fromWindows1252(runBytes));
  });

const MAX_FOREIGN_EXAMPLE_BYTES = 200;

export function createDecoder(): Decoder {
  let count = 0;
  let misread = 0;
  let example: Buffer | null = null;
  const text = (bytes: Buffer): string => {
    if (isUtf8(bytes)) return bytes.toString();
    count++;
    const isWrong = isMisread(bytes);
    if (example === null || (isWrong && misread === 0)) example = exampleOf(bytes);
    if (isWrong) misread++;
    return fromWindows1252(bytes);
  };
  const line = (bytes: Buffer): Buffer => (isUtf8(bytes) ? bytes : Buffer.from(text(bytes)));
  // Line feeds end the lines of most files; in some, carriage returns alone do.
  const linesIn = (bytes: Buffer): Buffer =>
    isUtf8(bytes) ? bytes : Buffer.concat(partsEndedBy(bytes, CARRIAGE_RETURN).map(line));
  const lines = (bytes: Buffer): Buffer =>
    isUtf8(bytes) ? bytes : Buffer.concat(partsEndedBy(bytes, LINE_FEED).map(linesIn));
  return { text, lines, foreignTexts: () => ({ count, misread, example }) };
}

/** The texts in the beginning of a file that are no UTF-8. A character that the beginning cuts off does not count. */
export function foreignIn(beginning: Buffer): ForeignTexts {
  const decoder = createDecoder();
  decoder.lines(isUtf8(beginning) ? beginning : beginning.subarray(0, startOfLastCharacter(beginning)));
  return decoder.foreignTexts();
}

/** Where the last character of UTF-8 begins: at most three bytes stand behind its first one. */
function startOfLastCharacter(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start]!)) start--;
  return Math.max(0, start);
}

/** The surroundings of the first byte beyond ASCII. */
function exampleOf(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, first - MAX_FOREIGN_EXAMPLE_BYTES / 10);
  return Buffer.from(bytes.subarray(start, start + MAX_FOREIGN_EXAMPLE_BYTES));
}

/** The parts of the bytes, each with the sign that ends it. */
function partsEndedBy(bytes: Buffer, sign: number): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(sign, at) + 1 || bytes.length;
    parts.push(bytes.subarray(at, end));
    at = end;
  }
  return parts;
}

/** The characters with which double-encoded text begins. */
const DOUBLE_ENCODED_INITIALS = [...'ÂÃâÐÑ'].map((sign) => Buffer.from(sign));

/** Whether UTF-8 may hold texts that were decoded by a wrong encoding before: double-encoded ones, or controls. */
export const mayBeMisdecoded = (bytes: Buffer): boolean =>
  !isAscii(bytes) && (DOUBLE_ENCODED_INITIALS.some((sign) => bytes.includes(sign)) || holdsControls(bytes));

/** The first byte of U+0080 to U+00BF in UTF-8; the second one is the character's number. */
const FIRST_OF_LATIN_1 = 0xc2;

/** Whether UTF-8 holds U+0080 to U+009F: no writing has these, and windows-1252 has its dashes and quotes there. */
function holdsControls(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(FIRST_OF_LATIN_1); at !== -1; at = bytes.indexOf(FIRST_OF_LATIN_1, at + 1))
    if (bytes[at + 1]! < 0xa0) return true;
  return false;
}

/** The encodings that the error for a wrong name lists; `TextDecoder` knows further names for them (Encoding Standard). */
export const ENCODINGS: readonly string[] = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'windows-874', 'iso-8859-2', 'iso-8859-5'],
  ...['iso-8859-7', 'iso-8859-15', 'koi8-r', 'koi8-u', 'macintosh', 'ibm866', 'shift_jis', 'euc-jp', 'iso-2022-jp'],
  ...['gbk', 'gb18030', 'big5', 'euc-kr'],
];

export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}
