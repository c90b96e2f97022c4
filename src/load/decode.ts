/**
 * Bytes → text. ASCII and UTF-8 are decoded natively; bytes that are neither are read as windows-1252 and counted.
 * For text outside ASCII `transcode` is four times as fast as `toString`, from some kilobytes on.
 */
import { isAscii, isUtf8, transcode } from 'node:buffer';

export interface Decoder {
  /** The bytes as text; undefined where they are no UTF-8. */
  utf8(bytes: Buffer): string | undefined;
  text(bytes: Buffer): string;
  /** How many texts were read as windows-1252. */
  readonly foreign: () => number;
}

const TRANSCODED_BYTES = 4096;

export function createDecoder(): Decoder {
  const windows1252 = new TextDecoder('windows-1252');
  let foreign = 0;
  const utf8 = (bytes: Buffer): string | undefined => {
    if (isAscii(bytes)) return bytes.toString('latin1');
    if (!isUtf8(bytes)) return undefined;
    return bytes.length < TRANSCODED_BYTES
      ? bytes.toString('utf8')
      : transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
  };
  return {
    utf8,
    text(bytes) {
      const text = utf8(bytes);
      if (text !== undefined) return text;
      foreign++;
      return windows1252.decode(bytes);
    },
    foreign: () => foreign,
  };
}

const SIGNS = ['Â', 'Ã', 'â'].map((sign) => Buffer.from(sign));

/** Whether these bytes, or the escapes of JSON in them, hold a character with which double-encoded text begins. */
export function mayHoldDoubleEncoded(bytes: Buffer): boolean {
  if (!isAscii(bytes) && SIGNS.some((sign) => bytes.includes(sign))) return true;
  return bytes.includes('\\u00');
}
