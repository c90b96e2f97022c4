/**
 * Texts side by side in memory, and the search for those that have a part. A piece of the memory is searched at a time, as one string of
 * its bytes, by the search of the JavaScript engine. A million titles of 30 bytes take some thirty milliseconds.
 */
import { firstWhere, uint8 } from '../arrays.js';
import { BEYOND_ASCII, fold } from '../text.js';
import type { PieceBytes } from './byte-order.js';

/** Plain values, so that they can move to another thread. Text t is piece t, in UTF-8. */
export interface Texts extends PieceBytes {
  /** The texts with other characters than ASCII, ascending. */
  readonly others: Uint32Array;
  /** The folded forms of these, in the same order. */
  readonly foldedOthers: PieceBytes;
}

/** The texts that have a part, case and accents aside, ascending. An empty text has none. */
export function textsWithPart(texts: Texts, part: string): Uint32Array {
  const { offsets, others, foldedOthers } = texts;
  const folded = fold(part);
  const partBytes = Buffer.from(folded).toString('latin1');
  const hasPart = uint8(offsets.length - 1);
  // Marks alone are folded to nothing, which is a part of any text.
  if (folded === '') return textsWhere(hasPart.length, (text) => offsets[text] !== offsets[text + 1]);
  if (!BEYOND_ASCII.test(folded)) markPieces(texts, partBytes, hasPart, true);
  const othersHavePart = uint8(others.length);
  markPieces(foldedOthers, partBytes, othersHavePart, false);
  for (let i = 0; i < others.length; i++) hasPart[others[i]!] = othersHavePart[i]!;
  return textsWhere(hasPart.length, (text) => hasPart[text] === 1);
}

function textsWhere(count: number, holds: (text: number) => boolean): Uint32Array {
  const matches = new Uint32Array(count);
  let size = 0;
  for (let text = 0; text < count; text++) if (holds(text)) matches[size++] = text;
  return matches.subarray(0, size);
}

/** Bytes that are searched at once, of one piece at least. */
const SEARCHED_BYTES = 1 << 16;

/**
 * Marks the pieces that have a part. The part is folded, and has a character for each of its bytes. With `hasCapitals` the pieces
 * are not folded, and the part is ASCII.
 */
function markPieces({ bytes, offsets }: PieceBytes, part: string, hasPart: Uint8Array, hasCapitals: boolean): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let piece = 0; piece < hasPart.length; ) {
    const start = offsets[piece]!;
    const behind = firstWhere(piece + 2, offsets.length, (i) => offsets[i]! > start + SEARCHED_BYTES) - 1;
    const raw = buffer.toString('latin1', start, offsets[behind]);
    const text = hasCapitals ? raw.toLowerCase() : raw;
    for (let at = text.indexOf(part); at >= 0; ) {
      while (offsets[piece + 1]! <= start + at) piece++;
      const last = offsets[piece + 1]! - start - part.length;
      // What is behind the last place reaches into the next piece.
      const isMatch = at <= last;
      if (isMatch) hasPart[piece] = 1;
      at = text.indexOf(part, isMatch ? last + part.length : at + 1);
    }
    piece = behind;
  }
}
