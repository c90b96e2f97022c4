/**
 * The distinct values of a field, numbered as they first occur: their UTF-8 side by side, and an open-addressing table
 * over their folded text: 4 bytes and the text for each value, and 4 to 9 bytes of slots.
 */
import { lowerCase } from '../ascii.js';
import { fold } from '../text.js';

/** Plain values, so that it can move to another thread. */
export interface Names {
  /** Name c is `bytes[offsets[c] .. offsets[c + 1])`, as it was first written. */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  /** Code + 1 at the slot where probing for a folded name ends; 0 is free. Its length is a power of two. */
  readonly slots: Int32Array;
}

export const nameCount = ({ offsets }: Names): number => offsets.length - 1;

export const nameAt = ({ bytes, offsets }: Names, code: number): string =>
  textOfBytes(bytes, offsets[code]!, offsets[code + 1]!);

export const foldedName = (names: Names, code: number): Buffer => Buffer.from(fold(nameAt(names, code)));

/**
 * How the beginning of a folded name compares with a folded text: below 0, 0 where the name begins with it, or above 0. A name is
 * folded only if it has other characters than ASCII before they differ.
 */
export function compareBeginning(names: Names, code: number, text: Buffer): number {
  const { bytes, offsets } = names;
  const [from, end] = [offsets[code]!, offsets[code + 1]!];
  for (let i = 0; i < text.length; i++) {
    if (from + i === end) return -1;
    const byte = bytes[from + i]!;
    if (byte >= 0x80) return foldedName(names, code).subarray(0, text.length).compare(text);
    const difference = lowerCase(byte) - text[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The code of the name that folds as `value` does, or -1. */
export function codeOfName(names: Names, value: string): number {
  const key = fold(value);
  const keyBytes = Buffer.from(key);
  const { slots } = names;
  const mask = slots.length - 1;
  for (let slot = hashOf(keyBytes, 0, keyBytes.length) & mask; ; slot = (slot + 1) & mask) {
    const code = slots[slot]! - 1;
    if (code < 0) return -1;
    if (fold(nameAt(names, code)) === key) return code;
  }
}

export const textOfBytes = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();

/** What differs between the two cases of an ASCII letter. */
const CASES = 0x20202020;

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

export const hashOf = (bytes: Uint8Array, from: number, to: number): number => hashIn(viewOf(bytes), from, to);

/** MurmurHash3 (Appleby 2011) over four bytes at a time, the two cases of ASCII letters alike. */
export function hashIn(bytes: DataView, from: number, to: number): number {
  let hash = to - from;
  let at = from;
  for (; at + 4 <= to; at += 4) hash = mixed(hash, bytes.getInt32(at, true));
  let rest = 0;
  for (; at < to; at++) rest = (rest << 8) | bytes.getUint8(at);
  hash = mixed(hash, rest);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function mixed(hash: number, word: number): number {
  const spread = Math.imul(word | CASES, 0xcc9e2d51);
  const next = hash ^ Math.imul((spread << 15) | (spread >>> 17), 0x1b873593);
  return Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64;
}
