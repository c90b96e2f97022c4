/** Streams that are set aside take two bytes an entry, as most terms' numbers are small: see `term-stream.ts`. */

import { MAX_FIELDS } from './buckets.js';
import { FIELD, RECORD } from './term-stream.js';

/** The lowest mark. */
const LOWEST = FIELD - MAX_FIELDS + 1;
/** A term from here on takes three codes: this one, and its halves. Marks have the greatest codes. */
const WIDE = 0x10000 + LOWEST - 1;
export const MOST_CODES = 3;

/** Writes the codes of entries, up to `MOST_CODES` of each; returns how many they are. */
export function encode(entries: Int32Array, codes: Uint16Array): number {
  let length = 0;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!;
    if (entry >= WIDE) {
      codes[length++] = WIDE;
      codes[length++] = entry >>> 16;
    }
    codes[length++] = entry;
  }
  return length;
}

/** Writes the entries that codes stand for, of which there are at most as many; returns how many they are. `termOf[i]` is what term i is to be. */
export function decode(codes: Uint16Array, termOf: Uint32Array, entries: Int32Array): number {
  let length = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code < WIDE) entries[length++] = termOf[code]!;
    else if (code > WIDE) entries[length++] = code - 0x10000;
    else {
      entries[length++] = termOf[codes[i + 1]! * 0x10000 + codes[i + 2]!]!;
      i += 2;
    }
  }
  return length;
}

/** Where among codes the first record begins; -1 if none does. */
export function firstRecord(codes: Uint16Array): number {
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] === RECORD + 0x10000) return i;
    if (codes[i] === WIDE) i += 2;
  }
  return -1;
}
