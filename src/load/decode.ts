/**
 * Bytes → text. A batch of values is judged at once: ASCII and UTF-8 are decoded natively; only in a batch that holds
 * anything else is each value judged, and read as windows-1252 where its bytes are no UTF-8.
 */
import { isAscii, isUtf8 } from 'node:buffer';

export interface Decoder {
  /** Judges the bytes of which `text` will be asked. */
  begin(bytes: Buffer, start: number, end: number): void;
  text(start: number, end: number): string;
  /** Values read as windows-1252 so far. */
  readonly foreign: () => number;
}

export function createDecoder(): Decoder {
  const windows1252 = new TextDecoder('windows-1252');
  let bytes: Buffer = Buffer.alloc(0);
  let encoding: 'latin1' | 'utf8' | undefined;
  let foreign = 0;
  return {
    begin(batch, start, end) {
      bytes = batch;
      const judged = batch.subarray(start, end);
      encoding = isAscii(judged) ? 'latin1' : isUtf8(judged) ? 'utf8' : undefined;
    },
    text(start, end) {
      if (encoding !== undefined) return bytes.toString(encoding, start, end);
      const value = bytes.subarray(start, end);
      if (isUtf8(value)) return value.toString('utf8');
      foreign++;
      return windows1252.decode(value);
    },
    foreign: () => foreign,
  };
}
