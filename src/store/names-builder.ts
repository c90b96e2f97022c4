/**
 * Numbers the distinct values of a field as they first occur: see `names.ts`. A value that was seen before costs a hash over
 * its bytes and one probe, and no string is made of it while it is ASCII, whose letters are folded one by one.
 */
import { isAscii } from 'node:buffer';
import { lowerCase } from '../ascii.js';
import { BATCH_RECORDS, ESCAPED_TEXT, isBlank, type RecordBatch, TEXT, textOf } from '../batch.js';
import { int32, uint8, uint32, withRoom } from '../growable.js';
import { fold } from '../text.js';
import { hashIn, type Names, textOfBytes, viewOf } from './names.js';

/** In place of the code of a cell that is no text, or a blank one: a blank name would be none to choose. */
export const NO_CODE = -1;

/** Spellings outside ASCII whose codes are remembered. */
const MAX_SPELLINGS = 1 << 14;
/** A finished table is filled at most so far: names are looked up rarely, a few steps more in half the memory. */
const MAX_LOAD = 0.9;
const MIN_SLOTS = 512;
/** A table that is more than half full is replaced by one with this many times the slots. */
const GROWTH = 2;

export class NamesBuilder {
  /** Name c is `#bytes[#offsets[c] … #offsets[c + 1])`, as it was first written. */
  #bytes = uint8(1 << 12);
  #offsets = uint32(MIN_SLOTS + 1);
  /** Two numbers a slot, which are one cache miss: the hash of a name's key, and the name's code + 1, where 0 is free. */
  #slots = int32(2 * MIN_SLOTS);
  #size = 0;
  readonly #spellings = new Map<string, number>();
  /** The bytes of the last value: most values stand in the same bytes as the one before. */
  #source: Uint8Array = this.#bytes;
  #view = viewOf(this.#bytes);
  /** Per cell of a batch, if it is a text: the hash of its bytes, and whether they are ASCII. */
  readonly #hashes = new Int32Array(BATCH_RECORDS);
  readonly #isAscii = new Uint8Array(BATCH_RECORDS);
  /** Written to so that reading ahead is not optimised away. */
  readonly #ahead = new Int32Array(BATCH_RECORDS);

  /** How many names there are. */
  get size(): number {
    return this.#size;
  }

  codeOf(value: string): number {
    const bytes = Buffer.from(value);
    return this.codeOfBytes(bytes, 0, bytes.length);
  }

  codeOfBytes(bytes: Uint8Array, from: number, to: number): number {
    if (bytes !== this.#source) {
      this.#source = bytes;
      this.#view = viewOf(bytes);
    }
    const view = this.#view;
    return isAsciiIn(view, from, to)
      ? this.#codeOfAscii(hashIn(view, from, to), bytes, from, to)
      : this.#codeOfSpelling(textOfBytes(bytes, from, to));
  }

  /** Writes the codes of the cells from `firstCell` on, `NO_CODE` of one that is no text or a blank one. */
  codesOf(batch: RecordBatch, firstCell: number, codes: Int32Array): void {
    const { bytes, kinds, starts, ends } = batch;
    const view = viewOf(bytes);
    const hashes = this.#hashes;
    const isAscii = this.#isAscii;
    for (let i = 0; i < codes.length; i++) {
      if (kinds[firstCell + i] !== TEXT) continue;
      const from = starts[firstCell + i]!;
      const to = ends[firstCell + i]!;
      isAscii[i] = isAsciiIn(view, from, to) ? 1 : 0;
      hashes[i] = hashIn(view, from, to);
    }
    this.#readAhead(codes.length);
    for (let i = 0; i < codes.length; i++) {
      const cell = firstCell + i;
      const kind = kinds[cell];
      const from = starts[cell]!;
      const to = ends[cell]!;
      if (isBlank(batch, cell)) codes[i] = NO_CODE;
      else if (kind === ESCAPED_TEXT) codes[i] = this.codeOf(textOf(batch, cell) ?? '');
      else if (kind !== TEXT) codes[i] = NO_CODE;
      else if (isAscii[i] === 0) codes[i] = this.#codeOfSpelling(textOfBytes(bytes, from, to));
      else codes[i] = this.#codeOfAscii(hashes[i]!, bytes, from, to);
    }
  }

  /** Reads the slots where the probing for the hashes begins: many reads at a time, where each probe would wait for its own. */
  #readAhead(count: number): void {
    const slots = this.#slots;
    for (let i = 0; i < count; i++) this.#ahead[i] = slots[firstSlot(this.#hashes[i]!, slots)]!;
  }

  #codeOfAscii(hash: number, bytes: Uint8Array, from: number, to: number): number {
    const slots = this.#slots;
    let at = firstSlot(hash, slots);
    for (let entry = slots[at + 1]!; entry !== 0; entry = slots[at + 1]!) {
      if (slots[at] === hash && this.#isNameOf(entry - 1, bytes, from, to)) return entry - 1;
      at = nextSlot(at, slots);
    }
    return this.#add(hash, at, bytes, from, to);
  }

  finish(): Names {
    const size = this.#size;
    let length = MIN_SLOTS;
    while (size > length * MAX_LOAD) length *= 2;
    return {
      bytes: this.#bytes.subarray(0, this.#offsets[size]),
      offsets: this.#offsets.subarray(0, size + 1),
      slots: codesIn(this.#slots, length),
    };
  }

  /** The code of a value outside ASCII, which is folded by the rules of Unicode. */
  #codeOfSpelling(spelling: string): number {
    const known = this.#spellings.get(spelling);
    if (known !== undefined) return known;
    const code = this.#codeOfKey(fold(spelling), spelling);
    if (this.#spellings.size === MAX_SPELLINGS) this.#spellings.clear();
    this.#spellings.set(spelling, code);
    return code;
  }

  #codeOfKey(key: string, spelling: string): number {
    const keyBytes = Buffer.from(key);
    const hash = hashIn(viewOf(keyBytes), 0, keyBytes.length);
    const slots = this.#slots;
    let at = firstSlot(hash, slots);
    for (let entry = slots[at + 1]!; entry !== 0; entry = slots[at + 1]!) {
      if (slots[at] === hash && fold(this.#nameAt(entry - 1)) === key) return entry - 1;
      at = nextSlot(at, slots);
    }
    const name = Buffer.from(spelling);
    return this.#add(hash, at, name, 0, name.length);
  }

  #nameAt(code: number): string {
    return textOfBytes(this.#bytes, this.#offsets[code]!, this.#offsets[code + 1]!);
  }

  /** Whether a value in ASCII is a spelling of a name. */
  #isNameOf(code: number, bytes: Uint8Array, from: number, to: number): boolean {
    const names = this.#bytes;
    const start = this.#offsets[code]!;
    const end = this.#offsets[code + 1]!;
    if (end - start === to - from) {
      let i = start;
      for (let j = from; i < end && isSameLetter(names[i]!, bytes[j]!); i++) j++;
      if (i === end) return true;
    }
    // A name outside ASCII may have a key in ASCII.
    if (isAscii(names.subarray(start, end))) return false;
    return fold(this.#nameAt(code)) === fold(textOfBytes(bytes, from, to));
  }

  #add(hash: number, at: number, bytes: Uint8Array, from: number, to: number): number {
    const code = this.#size++;
    const start = this.#offsets[code]!;
    const end = start + to - from;
    this.#bytes = withRoom(this.#bytes, end, uint8);
    this.#offsets = withRoom(this.#offsets, code + 2, uint32);
    const names = this.#bytes;
    for (let i = start, j = from; i < end; i++, j++) names[i] = bytes[j]!;
    this.#offsets[code + 1] = end;
    this.#slots[at] = hash;
    this.#slots[at + 1] = code + 1;
    if (4 * this.#size > this.#slots.length) this.#slots = grown(this.#slots);
    return code;
  }
}

/** Where in a table of pairs the probing for a hash begins. */
const firstSlot = (hash: number, slots: Int32Array): number => (2 * hash) & (slots.length - 1);

const nextSlot = (at: number, slots: Int32Array): number => (at + 2) & (slots.length - 1);

function grown(slots: Int32Array): Int32Array<ArrayBuffer> {
  const larger = int32(GROWTH * slots.length);
  for (let from = 0; from < slots.length; from += 2) {
    if (slots[from + 1] === 0) continue;
    let at = firstSlot(slots[from]!, larger);
    while (larger[at + 1] !== 0) at = nextSlot(at, larger);
    larger[at] = slots[from]!;
    larger[at + 1] = slots[from + 1]!;
  }
  return larger;
}

/** The codes + 1 of a table of pairs in a table of `length` slots, a power of two, without the hashes. */
function codesIn(slots: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const codes = int32(length);
  const mask = length - 1;
  for (let from = 0; from < slots.length; from += 2) {
    if (slots[from + 1] === 0) continue;
    let slot = slots[from]! & mask;
    while (codes[slot] !== 0) slot = (slot + 1) & mask;
    codes[slot] = slots[from + 1]!;
  }
  return codes;
}

const HIGH_BITS = 0x8080_8080 | 0;

function isAsciiIn(view: DataView, from: number, to: number): boolean {
  let all = 0;
  let at = from;
  for (; at + 4 <= to; at += 4) all |= view.getInt32(at, true);
  for (; at < to; at++) all |= view.getInt8(at);
  return (all & HIGH_BITS) === 0;
}

/** Whether two bytes are the same, or the two cases of a letter of ASCII. */
const isSameLetter = (a: number, b: number): boolean => a === b || (a < 128 && lowerCase(a) === lowerCase(b));
