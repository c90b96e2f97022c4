/** Different strings, numbered in the order in which they come. */
import { int32, uint16, uint32, withRoom } from '../../arrays.js';
import type { StringTable } from '../tables.js';

/** Strings as code units side by side. */
class UnitStrings {
  size = 0;
  private units = uint16(1 << 12);
  private offsets = uint32(1 << 10);

  /** Adds a copy of `units[0 .. length)`; returns its number. */
  push(units: Uint16Array, length: number): number {
    const start = this.offsets[this.size]!;
    this.units = withRoom(this.units, start + length, uint16);
    for (let i = 0; i < length; i++) this.units[start + i] = units[i]!;
    this.offsets = withRoom(this.offsets, this.size + 2, uint32);
    this.offsets[++this.size] = start + length;
    return this.size - 1;
  }

  /** Whether a string is `units[0 .. length)`. */
  is(number: number, units: Uint16Array, length: number): boolean {
    const start = this.offsets[number]!;
    if (this.offsets[number + 1]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.units[start + i] !== units[i]) return false;
    return true;
  }

  /** A string, which is not to be written to. */
  at(number: number): Uint16Array {
    return this.units.subarray(this.offsets[number]!, this.offsets[number + 1]!);
  }

  /** The strings by number. */
  table(): StringTable {
    return {
      units: this.units.slice(0, this.offsets[this.size]!),
      offsets: this.offsets.slice(0, this.size + 1),
    };
  }
}

const START_SLOTS = 1 << 12;

/** Different strings: an open-addressing hash table finds their numbers. */
export class NumberedStrings {
  private readonly strings = new UnitStrings();
  private hashes = int32(1 << 10);
  /** Numbers, counted from 1; 0 is a free slot. */
  private slots = int32(START_SLOTS);

  get size(): number {
    return this.strings.size;
  }

  /** The number of `units[0 .. length)`, which is added if it is new. */
  numberOf(units: Uint16Array, length: number): number {
    const hash = hashUnits(units, length);
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot]! - 1;
      if (number < 0) return this.add(slot, hash, units, length);
      if (this.hashes[number] === hash && this.strings.is(number, units, length)) return number;
    }
  }

  at(number: number): Uint16Array {
    return this.strings.at(number);
  }

  table(): StringTable {
    return this.strings.table();
  }

  private add(slot: number, hash: number, units: Uint16Array, length: number): number {
    const number = this.strings.push(units, length);
    this.hashes = withRoom(this.hashes, number + 1, int32);
    this.hashes[number] = hash;
    this.slots[slot] = number + 1;
    if (this.size * 2 > this.slots.length) this.rehash();
    return number;
  }

  private rehash(): void {
    const slots = int32(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = this.hashes[number]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }
}

/** FNV-1a over code units. */
function hashUnits(units: Uint16Array, length: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ units[i]!, 0x01000193);
  return hash;
}
