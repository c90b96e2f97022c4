/** Folded texts side by side, which are sorted as bytes. */
import { uint8, uint32, withRoom } from '../arrays.js';
import { BACKSLASH } from '../kernels/ascii.js';
import { lowerCase } from '../text.js';
import type { PieceBytes } from './byte-order.js';

/** The lower case of a byte of ASCII that is no escape; 0 for any other byte. */
const LOWER_CASE = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || byte === BACKSLASH ? 0 : lowerCase(byte),
);

/** A UTF-16 unit takes at most three bytes of UTF-8. */
const MAX_UNIT_BYTES = 3;

export class FoldedTextsBuilder {
  #bytes = uint8(0);
  #offsets = uint32(1);
  size = 0;

  add(folded: string): void {
    const start = this.#reserve(MAX_UNIT_BYTES * folded.length);
    this.#endText(start + Buffer.from(this.#bytes.buffer).write(folded, start));
  }

  /** Adds a text in ASCII without escapes, which is folded byte by byte; returns whether it is one. */
  addPlain(json: Uint8Array, from: number, to: number): boolean {
    let at = this.#reserve(to - from);
    const bytes = this.#bytes;
    for (let i = from; i < to; i++) {
      const byte = LOWER_CASE[json[i]!]!;
      if (byte === 0) return false;
      bytes[at++] = byte;
    }
    this.#endText(at);
    return true;
  }

  /** Makes room for a text of `length` bytes; returns where it begins. */
  #reserve(length: number): number {
    const start = this.#offsets[this.size]!;
    this.#bytes = withRoom(this.#bytes, start + length, uint8);
    return start;
  }

  #endText(end: number): void {
    this.#offsets = withRoom(this.#offsets, ++this.size + 1, uint32);
    this.#offsets[this.size] = end;
  }

  finish(): PieceBytes {
    const offsets = this.#offsets.subarray(0, this.size + 1);
    return { bytes: this.#bytes.subarray(0, offsets[this.size]), offsets };
  }
}
