/** Bytes → text. Bytes that are no UTF-8 are read as windows-1252 and counted. */
import { isAscii, isUtf8 } from 'node:buffer';
import { CARRIAGE_RETURN, LINE_FEED } from '../../text.js';

export interface Decoder {
  text(bytes: Buffer): string;
  /** Whole lines in UTF-8. A line in windows-1252 does not change how the others are read. */
  lines(bytes: Buffer): Buffer;
  /** How many texts were read as windows-1252. */
  readonly windows1252Count: () => number;
}

/** The characters of 0x80 to 0x9f, in which windows-1252 differs from ISO 8859-1. TextDecoder of some Node versions confuses the two. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const fromWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 128));

export function createDecoder(): Decoder {
  let count = 0;
  const text = (bytes: Buffer): string => {
    if (isUtf8(bytes)) return bytes.toString();
    count++;
    return fromWindows1252(bytes);
  };
  const line = (bytes: Buffer): Buffer => (isUtf8(bytes) ? bytes : Buffer.from(text(bytes)));
  // Line feeds end the lines of most files; in some, carriage returns alone do.
  const linesIn = (bytes: Buffer): Buffer =>
    isUtf8(bytes) ? bytes : Buffer.concat(split(bytes, CARRIAGE_RETURN).map(line));
  const lines = (bytes: Buffer): Buffer =>
    isUtf8(bytes) ? bytes : Buffer.concat(split(bytes, LINE_FEED).map(linesIn));
  return { text, lines, windows1252Count: () => count };
}

/** The parts of the bytes, each with the sign that ends it. */
function split(bytes: Buffer, sign: number): readonly Buffer[] {
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

export const mayHoldDoubleEncoded = (bytes: Buffer): boolean =>
  !isAscii(bytes) && DOUBLE_ENCODED_INITIALS.some((sign) => bytes.includes(sign));
