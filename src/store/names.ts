/**
 * The distinct values of a field, numbered as they first occur: their UTF-8 side by side, and an open-addressing table
 * over their folded text. A value that was seen before costs a hash over its bytes and one probe, and no string is made of it
 * while it is ASCII, whose letters are folded one by one. Finished, it is 4 bytes and the text for each value, and 4
 * to 9 bytes of slots.
 */
import { isAscii } from 'node:buffer';
import { int32, roomFor, uint8, uint32, withRoom } from '../growable.js';
import { fold } from '../text.js';
import type { BatchCells } from './batch-cells.js';

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
  text(bytes, offsets[code]!, offsets[code + 1]!);

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

const text = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();

const lower = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);

/** What differs between the two cases of an ASCII letter. */
const CASES = 0x20202020;

/** MurmurHash3 (Appleby 2011) over four bytes at a time, the two cases of ASCII letters alike. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  let i = from;
  for (; i + 4 <= to; i += 4)
    hash = mixed(hash, bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
  let rest = 0;
  for (; i < to; i++) rest = (rest << 8) | bytes[i]!;
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

/** Spellings outside ASCII whose codes are remembered. */
const MAX_SPELLINGS = 1 << 14;

export class NamesBuilder {
  size = 0;
  #bytes = new Uint8Array(1 << 12);
  #used = 0;
  #offsets = new Uint32Array(1 << 10);
  /** By code. */
  #hashes = int32(1 << 10);
  /** Code + 1 in the bits of the mask, and those of the hash in the others; 0 is free. Has room for more than its slots. */
  #slots = int32(1 << 10);
  #mask = (1 << 10) - 1;
  readonly #spellings = new Map<string, number>();
  #found = new Uint32Array(0);
  /** Keeps the look ahead from being optimised away. */
  touched = 0;

  codeOf(value: string): number {
    const bytes = Buffer.from(value);
    return this.codeOfBytes(bytes, 0, bytes.length);
  }

  codeOfBytes(bytes: Uint8Array, from: number, to: number): number {
    if (!isAsciiAt(bytes, from, to)) return this.#codeOfSpelling(text(bytes, from, to));
    return this.#find(hashOf(bytes, from, to), bytes, from, to, bytes, from, to, null);
  }

  /**
   * Writes the codes of many names, which are the texts of a batch from `cell` on, to `codes` from `at` on. Looked for one by
   * one, each slot and name would be waited for: a large table is in no cache. So they are looked at together first.
   */
  codesOfCells(cells: BatchCells, cell: number, codes: Uint32Array, at: number): void {
    const { bytes, starts, ends, size } = cells.batch;
    const { hashes, isAscii } = cells.hash(cell);
    this.#lookAhead(hashes);
    for (let i = 0; i < size; i++) {
      const from = starts[cell + i]! + 1;
      const to = ends[cell + i]! - 1;
      codes[at + i] = isAscii[i]
        ? this.#find(hashes[i]!, bytes, from, to, bytes, from, to, null)
        : this.#codeOfSpelling(text(bytes, from, to));
    }
  }

  /** Has memory fetch the slots of the hashes, and then the names of those that are there already, side by side. */
  #lookAhead(hashes: Int32Array): void {
    const slots = this.#slots;
    const mask = this.#mask;
    const offsets = this.#offsets;
    const bytes = this.#bytes;
    if (this.#found.length < hashes.length) this.#found = new Uint32Array(hashes.length);
    const found = this.#found;
    for (let i = 0; i < hashes.length; i++) {
      const entry = slots[hashes[i]! & mask]!;
      found[i] = ((entry ^ hashes[i]!) & ~mask) === 0 ? entry & mask : 0;
    }
    for (let i = 0; i < hashes.length; i++) found[i] = offsets[Math.max(0, found[i]! - 1)]!;
    let touched = 0;
    for (let i = 0; i < hashes.length; i++) touched ^= bytes[found[i]!]!;
    this.touched = touched;
  }

  #codeOfSpelling(spelling: string): number {
    const known = this.#spellings.get(spelling);
    if (known !== undefined) return known;
    const name = Buffer.from(spelling);
    const folded = fold(spelling);
    const key = Buffer.from(folded);
    const code = this.#find(hashOf(key, 0, key.length), key, 0, key.length, name, 0, name.length, folded);
    if (this.#spellings.size === MAX_SPELLINGS) this.#spellings.clear();
    this.#spellings.set(spelling, code);
    return code;
  }

  /** The code of a key, whose ASCII letters may be in either case; the name is added where it is new. */
  #find(
    hash: number,
    key: Uint8Array,
    keyFrom: number,
    keyTo: number,
    name: Uint8Array,
    nameFrom: number,
    nameTo: number,
    folded: string | null,
  ): number {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]!;
      if (entry === 0) return this.#add(hash, slot, name, nameFrom, nameTo);
      if (((entry ^ hash) & ~mask) !== 0) continue;
      const code = (entry & mask) - 1;
      if (this.#isKeyOf(code, key, keyFrom, keyTo, folded)) return code;
    }
  }

  /** Most bits of the hashes are equal, so it nearly always is. */
  #isKeyOf(code: number, key: Uint8Array, from: number, to: number, folded: string | null): boolean {
    const bytes = this.#bytes;
    const start = this.#offsets[code]!;
    const end = this.#offsets[code + 1]!;
    let i = start;
    if (end - start === to - from) {
      const shift = from - start;
      while (i < end && bytes[i] === key[i + shift]) i++;
      while (i < end && bytes[i]! < 128 && lower(bytes[i]!) === lower(key[i + shift]!)) i++;
      if (i === end) return true;
    }
    // Names outside ASCII are folded by the rules of Unicode; their keys may be ASCII.
    if (isAscii(bytes.subarray(start, end))) return false;
    return fold(text(bytes, start, end)) === (folded ?? fold(text(key, from, to)));
  }

  #add(hash: number, slot: number, name: Uint8Array, from: number, to: number): number {
    const code = this.size++;
    this.#slots[slot] = (hash & ~this.#mask) | (code + 1);
    this.#hashes = withRoom(this.#hashes, this.size, int32);
    this.#hashes[code] = hash;
    this.#bytes = withRoom(this.#bytes, this.#used + to - from, uint8);
    const bytes = this.#bytes;
    const start = this.#used;
    for (let i = from; i < to; i++) bytes[start + i - from] = name[i]!;
    this.#used = start + to - from;
    this.#offsets = withRoom(this.#offsets, this.size + 1, uint32);
    this.#offsets[this.size] = this.#used;
    if (this.size * 2 > this.#mask) this.#rehash();
    return code;
  }

  #rehash(): void {
    const mask = this.#mask * 2 + 1;
    this.#slots = int32(roomFor(mask + 1, 4));
    this.#mask = mask;
    fill(this.#slots, mask, this.#hashes, this.size, ~mask);
  }

  #finishedSlots(): number {
    const half = (this.#mask + 1) / 2;
    return this.size <= half * MOST_FULL ? half : half * 2;
  }

  finish(): Names {
    const slots = new Int32Array(this.#finishedSlots());
    fill(slots, slots.length - 1, this.#hashes, this.size, 0);
    return { bytes: this.#bytes.subarray(0, this.#used), offsets: this.#offsets.subarray(0, this.size + 1), slots };
  }
}

/** Puts all codes, each + 1, where probing for their hashes ends, with the bits of the hashes that `kept` tells. */
function fill(slots: Int32Array, mask: number, hashes: Int32Array, size: number, kept: number): void {
  for (let code = 0; code < size; code++) {
    const hash = hashes[code]!;
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = (hash & kept) | (code + 1);
  }
}

/** At most so full a finished table is: names are looked up rarely, a few steps more in half the memory. */
const MOST_FULL = 0.9;

function isAsciiAt(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! > 127) return false;
  return true;
}
