/**
 * Numbers the distinct values of a field as they first occur: see `names.ts`. A value that was seen before costs a hash over
 * its bytes and one probe, and no string is made of it while it is ASCII, whose letters are folded one by one.
 */
import { isAscii } from 'node:buffer';
import { int32, uint8, uint32, withRoom } from '../growable.js';
import { fold } from '../text.js';
import { hashOf, type Names, textOfBytes } from './names.js';

/** Spellings outside ASCII whose codes are remembered. */
const MAX_SPELLINGS = 1 << 14;
/** A finished table is filled at most so far: names are looked up rarely, a few steps more in half the memory. */
const MAX_LOAD = 0.9;
const MIN_SLOTS = 512;

/** A value whose ASCII letters may be in either case: its bytes, and what it is folded if it is not all ASCII. */
interface Key {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly folded: string | null;
}

export class NamesBuilder {
  #bytes = uint8(1 << 12);
  /** Name c is `#bytes[#offsets[c] … #offsets[c + 1])`, and this is the hash of its key. */
  #offsets = uint32(MIN_SLOTS + 1);
  #hashes = int32(MIN_SLOTS);
  /** Code + 1, 0 is free; at least half of the slots are free. */
  #slots = int32(2 * MIN_SLOTS);
  #size = 0;
  readonly #spellings = new Map<string, number>();

  /** How many names there are. */
  get size(): number {
    return this.#size;
  }

  codeOf(value: string): number {
    const bytes = Buffer.from(value);
    return this.codeOfBytes(bytes, 0, bytes.length);
  }

  codeOfBytes(bytes: Uint8Array, from: number, to: number): number {
    if (!isAsciiAt(bytes, from, to)) return this.#codeOfSpelling(textOfBytes(bytes, from, to));
    return this.#find({ bytes, from, to, folded: null }, null);
  }

  finish(): Names {
    const size = this.#size;
    let slots = MIN_SLOTS;
    while (size > slots * MAX_LOAD) slots *= 2;
    return {
      bytes: this.#bytes.slice(0, this.#offsets[size]),
      offsets: this.#offsets.slice(0, size + 1),
      slots: filledSlots(this.#hashes, size, slots),
    };
  }

  #codeOfSpelling(spelling: string): number {
    const known = this.#spellings.get(spelling);
    if (known !== undefined) return known;
    const folded = fold(spelling);
    const bytes = Buffer.from(folded);
    const code = this.#find({ bytes, from: 0, to: bytes.length, folded }, Buffer.from(spelling));
    if (this.#spellings.size === MAX_SPELLINGS) this.#spellings.clear();
    this.#spellings.set(spelling, code);
    return code;
  }

  /** The code of a key; where it is new the name is added, which is the key if it is null. */
  #find(key: Key, name: Uint8Array | null): number {
    const { bytes, from, to } = key;
    const hash = hashOf(bytes, from, to);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const code = this.#slots[slot]! - 1;
      if (code < 0) return this.#add(hash, slot, name ?? bytes.subarray(from, to));
      if (this.#hashes[code] === hash && this.#isNameOf(code, key)) return code;
    }
  }

  #isNameOf(code: number, { bytes, from, to, folded }: Key): boolean {
    const names = this.#bytes;
    const start = this.#offsets[code]!;
    const end = this.#offsets[code + 1]!;
    if (end - start === to - from) {
      let i = 0;
      while (start + i < end && names[start + i] === bytes[from + i]) i++;
      while (start + i < end && names[start + i]! < 128 && lower(names[start + i]!) === lower(bytes[from + i]!)) i++;
      if (start + i === end) return true;
    }
    // Names outside ASCII are folded by the rules of Unicode; their keys may be ASCII.
    if (isAscii(names.subarray(start, end))) return false;
    return fold(textOfBytes(names, start, end)) === (folded ?? fold(textOfBytes(bytes, from, to)));
  }

  #add(hash: number, slot: number, name: Uint8Array): number {
    const code = this.#size++;
    const start = this.#offsets[code]!;
    this.#bytes = withRoom(this.#bytes, start + name.length, uint8);
    this.#offsets = withRoom(this.#offsets, code + 2, uint32);
    this.#hashes = withRoom(this.#hashes, code + 1, int32);
    this.#bytes.set(name, start);
    this.#offsets[code + 1] = start + name.length;
    this.#hashes[code] = hash;
    this.#slots[slot] = code + 1;
    if (2 * this.#size > this.#slots.length)
      this.#slots = filledSlots(this.#hashes, this.#size, 2 * this.#slots.length);
    return code;
  }
}

/** A table with so many slots, a power of two, over the first `size` hashes. */
function filledSlots(hashes: Int32Array, size: number, length: number): Int32Array<ArrayBuffer> {
  const slots = int32(length);
  const mask = length - 1;
  for (let code = 0; code < size; code++) {
    let slot = hashes[code]! & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = code + 1;
  }
  return slots;
}

function isAsciiAt(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! > 127) return false;
  return true;
}

const lower = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);
