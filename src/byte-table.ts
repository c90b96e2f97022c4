/**
 * Distinct pieces of bytes, numbered as they first occur: side by side, and an open-addressing table over them with linear
 * probing at a load of at most one half. A piece that was seen before costs a hash over its bytes and one probe.
 */
import { int32, uint8, uint32, withRoom } from './arrays.js';

/** A field of a file has two tables, and most of them stay small. */
const MIN_BYTE_SLOTS = 64;

/** Places in the bytes of a table take 32 bits. */
const MAX_TABLE_BYTES = 2 ** 32 - 1;

/** Bytes in which pieces are looked up. */
export interface PieceSource {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export class ByteTable {
  /** Piece c is `bytes[offsets[c] … offsets[c + 1])`. */
  bytes = uint8(1 << 9);
  offsets = uint32(MIN_BYTE_SLOTS + 1);
  size = 0;
  /** Two numbers a slot, which are one cache miss: the hash of a piece, and its code + 1, where 0 is free. */
  #slots = int32(2 * MIN_BYTE_SLOTS);

  /** The code of a piece: that which it has, or the next one, which is then its own. */
  codeOf(source: PieceSource, from: number, to: number): number {
    const hash = pieceHash(source.view, from, to);
    const at = this.#slotOf(hash, source.bytes, from, to);
    const entry = this.#slots[at + 1]!;
    if (entry !== 0) return entry - 1;
    this.#slots[at] = hash;
    this.#slots[at + 1] = this.size + 1;
    if (4 * (this.size + 1) > this.#slots.length) this.#grow();
    return this.add(source.bytes, from, to);
  }

  /** The code of a piece; -1 where it has none. */
  find({ view, bytes }: PieceSource, from: number, to: number): number {
    return this.#slots[this.#slotOf(pieceHash(view, from, to), bytes, from, to) + 1]! - 1;
  }

  /** Where a piece stands among the slots, or the free place where it belongs. */
  #slotOf(hash: number, bytes: Uint8Array, from: number, to: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = (2 * hash) & mask;
    for (let entry = slots[at + 1]!; entry !== 0; entry = slots[at + 1]!) {
      if (slots[at] === hash && this.#isAt(entry - 1, bytes, from, to)) break;
      at = (at + 2) & mask;
    }
    return at;
  }

  #isAt(code: number, bytes: Uint8Array, from: number, to: number): boolean {
    const { bytes: pieces, offsets } = this;
    let i = offsets[code]!;
    if (offsets[code + 1]! - i !== to - from) return false;
    for (let j = from; j < to; j++) if (pieces[i++] !== bytes[j]) return false;
    return true;
  }

  /** Adds a piece that is not looked up: there may be another like it. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const code = this.size++;
    const start = this.offsets[code]!;
    const end = start + to - from;
    if (end > MAX_TABLE_BYTES) throw new RangeError('out of memory: distinct values take more than 4 GB');
    this.bytes = withRoom(this.bytes, end, uint8);
    this.offsets = withRoom(this.offsets, code + 2, uint32);
    const pieces = this.bytes;
    for (let i = start, j = from; i < end; i++, j++) pieces[i] = bytes[j]!;
    this.offsets[code + 1] = end;
    return code;
  }

  #grow(): void {
    const slots = this.#slots;
    const larger = int32(2 * slots.length);
    for (let from = 0; from < slots.length; from += 2) {
      if (slots[from + 1] === 0) continue;
      let at = (2 * slots[from]!) & (larger.length - 1);
      while (larger[at + 1] !== 0) at = (at + 2) & (larger.length - 1);
      larger[at] = slots[from]!;
      larger[at + 1] = slots[from + 1]!;
    }
    this.#slots = larger;
  }
}

/** MurmurHash3 (Appleby 2011) over four bytes at a time. Bits that are set in `ignored`, of four bytes, do not count. */
export function pieceHash(bytes: DataView, from: number, to: number, ignored = 0): number {
  let hash = to - from;
  let at = from;
  for (; at + 4 <= to; at += 4) hash = mixedHash(hash, bytes.getInt32(at, true) | ignored);
  let tail = 0;
  for (; at < to; at++) tail = (tail << 8) | bytes.getUint8(at);
  hash = mixedHash(hash, tail | ignored);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

function mixedHash(hash: number, word: number): number {
  const spread = Math.imul(word, 0xcc9e_2d51);
  const next = hash ^ Math.imul((spread << 15) | (spread >>> 17), 0x1b87_3593);
  return Math.imul((next << 13) | (next >>> 19), 5) + 0xe654_6b64;
}
