/**
 * The natural order of codes: runs of digits compare as the numbers that they are, `1.9` before `1.10`, `a9` before `a10`. A run is
 * written as a digit, its length without leading zeros, and its digits: bytes that sort as the numbers do.
 */
import { uint8, uint32, withRoom } from '../arrays.js';
import { DIGIT_ZERO } from '../kernels/ascii.js';
import { isDigit } from '../text.js';
import { type PieceBytes, sortPieces } from './byte-order.js';

/** Longer numbers compare by their digits alone. */
const MAX_LENGTH = 255;
/** Upper bound of the bytes of a key, in bytes of its code: each digit may be a run of its own. */
const MAX_GROWTH = 3;

/**
 * By code: its place in the natural order, where that differs from the order of the codes themselves; else null. `textOfCode` says by code
 * which of the folded texts it has.
 */
export function naturalPlaces(folded: PieceBytes, textOfCode: Uint32Array): Uint32Array | null {
  const size = textOfCode.length;
  let bytes = uint8(0);
  const offsets = uint32(size + 1);
  for (let code = 0; code < size; code++) {
    const from = folded.offsets[textOfCode[code]!]!;
    const to = folded.offsets[textOfCode[code]! + 1]!;
    bytes = withRoom(bytes, offsets[code]! + MAX_GROWTH * (to - from), uint8);
    offsets[code + 1] = writeNatural(folded.bytes, from, to, bytes, offsets[code]!);
  }
  const codes = uint32(size).map((_, code) => code);
  const { order } = sortPieces({ bytes, offsets }, codes);
  if (order.every((code, place) => code === place)) return null;
  const places = uint32(size);
  for (let place = 0; place < size; place++) places[order[place]!] = place;
  return places;
}

/** The bytes by which a folded code is ordered. */
export function naturalKey(folded: string): Uint8Array {
  const text = Buffer.from(folded);
  const bytes = uint8(MAX_GROWTH * text.length);
  return bytes.subarray(0, writeNatural(text, 0, text.length, bytes, 0));
}

/** Writes the natural form of `text[from … to)` from `start` on; returns where it ends. */
function writeNatural(text: Uint8Array, from: number, to: number, bytes: Uint8Array, start: number): number {
  let at = start;
  for (let i = from; i < to; ) {
    if (!isDigit(text[i]!)) {
      bytes[at++] = text[i++]!;
      continue;
    }
    while (text[i] === DIGIT_ZERO && i + 1 < to && isDigit(text[i + 1]!)) i++;
    let end = i;
    while (end < to && isDigit(text[end]!)) end++;
    bytes[at++] = DIGIT_ZERO;
    bytes[at++] = Math.min(end - i, MAX_LENGTH);
    while (i < end) bytes[at++] = text[i++]!;
  }
  return at;
}
