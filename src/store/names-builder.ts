/**
 * Numbers the distinct values of a field as they first occur: see `names.ts`. A value that was seen before costs a hash over
 * its bytes and one probe, and no string is made of it while it is ASCII, whose letters are folded one by one. Texts are
 * read by a kernel, many at a time where they come in batches; what it leaves is read here, out of the same tables.
 */
import { isAscii } from 'node:buffer';
import { fold } from '../text.js';
import { createMemory, MEMORY_PAGE_BYTES } from '../wasm.js';
import type { BatchTexts } from './batch-cells.js';
import { hashOf, type Names, textOfBytes } from './names.js';
import {
  BYTES,
  CODES,
  createNamesKernel,
  FREE,
  HASHES,
  IS_ASCII,
  MASK,
  MOST_TEXTS,
  OFFSETS,
  SIZE,
  SLACK_BYTES,
  SLOTS,
  STARTS,
  TEXTS,
  TEXTS_BYTES,
  USED,
} from './names-kernel.js';

/** Spellings outside ASCII whose codes are remembered. */
const MAX_SPELLINGS = 1 << 14;

/** A value whose ASCII letters may be in either case: its bytes, and what it is folded if it is not all ASCII. */
interface Key {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly folded: string | null;
}

export class NamesBuilder {
  readonly #memory = createMemory(FREE);
  readonly #kernel = createNamesKernel(this.#memory);
  #numbers = new Int32Array(this.#memory.buffer);
  #bytes = new Uint8Array(this.#memory.buffer);
  /** How many names there is room for, of half as many slots, and how many bytes of them. */
  #mostNames = 0;
  #mostBytes = 0;
  readonly #spellings = new Map<string, number>();

  constructor() {
    this.#makeRoom(MOST_TEXTS, TEXTS_BYTES);
  }

  /** How many names there are. */
  get size(): number {
    return this.#get(SIZE);
  }

  codeOf(value: string): number {
    const bytes = Buffer.from(value);
    return this.codeOfBytes(bytes, 0, bytes.length);
  }

  codeOfBytes(bytes: Uint8Array, from: number, to: number): number {
    if (!isAsciiAt(bytes, from, to)) return this.#codeOfSpelling(textOfBytes(bytes, from, to));
    return this.#find({ bytes, from, to, folded: null }, null);
  }

  /** Writes the codes of many names, which are texts of a batch, to `codes` from `at` on. */
  codesOfTexts(texts: BatchTexts, codes: Uint32Array, at: number): void {
    for (let i = 0; i < texts.count; ) {
      const { count, bytes, starts } = texts.gather(i, Math.min(texts.count - i, MOST_TEXTS), TEXTS_BYTES);
      if (count === 0) {
        codes[at + i] = this.codeOfBytes(texts.bytes, texts.from(i), texts.to(i));
        i++;
        continue;
      }
      this.#makeRoom(count, bytes.length);
      this.#bytes.set(bytes, TEXTS);
      this.#numbers.set(starts, STARTS / 4);
      this.#read(count);
      codes.set(this.#numbers.subarray(CODES / 4, CODES / 4 + count), at + i);
      i += count;
    }
  }

  finish(): Names {
    const { size } = this;
    let slots = LEAST_SLOTS;
    while (size > slots * MOST_FULL) slots *= 2;
    const at = this.#get(SLOTS);
    this.#bytes.fill(0, at, at + 4 * slots);
    this.#set(MASK, slots - 1);
    this.#kernel.fill(0);
    const offsets = this.#get(OFFSETS);
    const bytes = this.#get(BYTES);
    // Copies: this memory can't move to another thread.
    return {
      bytes: this.#bytes.slice(bytes, bytes + this.#get(USED)),
      offsets: new Uint32Array(this.#memory.buffer, offsets, size + 1).slice(),
      slots: new Int32Array(this.#memory.buffer, at, slots).slice(),
    };
  }

  /** Finds the codes of so many texts, which are loaded; there is room for them. */
  #read(count: number): void {
    this.#kernel.hash(count);
    let next = this.#kernel.find(0, count);
    while (next < count) {
      const from = TEXTS + this.#get(STARTS + 4 * next);
      const to = TEXTS + this.#get(STARTS + 4 * (next + 1));
      // A copy in either case, for the memory may grow meanwhile.
      const code =
        this.#bytes[IS_ASCII + next] === 0
          ? this.#codeOfSpelling(textOfBytes(this.#bytes, from, to))
          : this.codeOfBytes(this.#bytes.slice(from, to), 0, to - from);
      this.#set(CODES + 4 * next, code);
      next = this.#kernel.find(next + 1, count);
    }
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
    this.#makeRoom(1, name?.length ?? to - from);
    const hash = hashOf(bytes, from, to);
    const slots = this.#get(SLOTS) / 4;
    const mask = this.#get(MASK);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#numbers[slots + slot]!;
      if (entry === 0) return this.#add(hash, slots + slot, name ?? bytes.subarray(from, to));
      if (((entry ^ hash) & ~mask) !== 0) continue;
      const code = (entry & mask) - 1;
      if (this.#isNameOf(code, key)) return code;
    }
  }

  /** Most bits of the hashes are equal, so it nearly always is. */
  #isNameOf(code: number, { bytes, from, to, folded }: Key): boolean {
    const names = this.#bytes;
    const offset = this.#get(OFFSETS) + 4 * code;
    const start = this.#get(BYTES) + this.#get(offset);
    const end = this.#get(BYTES) + this.#get(offset + 4);
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
    const code = this.size;
    const end = this.#get(USED) + name.length;
    this.#numbers[slot] = (hash & ~this.#get(MASK)) | (code + 1);
    this.#set(this.#get(HASHES) + 4 * code, hash);
    this.#bytes.set(name, this.#get(BYTES) + this.#get(USED));
    this.#set(this.#get(OFFSETS) + 4 * (code + 1), end);
    this.#set(USED, end);
    this.#set(SIZE, code + 1);
    return code;
  }

  /** Makes room for so many more names of so many bytes. */
  #makeRoom(names: number, bytes: number): void {
    const wantedNames = this.size + names;
    const wantedBytes = this.#get(USED) + bytes;
    if (wantedNames <= this.#mostNames && wantedBytes <= this.#mostBytes) return;
    const before = {
      names: this.#mostNames,
      hashes: this.#get(HASHES),
      offsets: this.#get(OFFSETS),
      bytes: this.#get(BYTES),
    };
    while (this.#mostNames < wantedNames) this.#mostNames = Math.max(MOST_TEXTS, 2 * this.#mostNames);
    while (this.#mostBytes < wantedBytes) this.#mostBytes = Math.max(TEXTS_BYTES, 2 * this.#mostBytes);
    const slots = FREE;
    const hashes = slots + SLOT_BYTES_EACH * this.#mostNames;
    const offsets = hashes + 4 * this.#mostNames;
    const start = offsets + 4 * (this.#mostNames + 1);
    const end = start + this.#mostBytes + SLACK_BYTES;
    const missing = end - this.#bytes.length;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / MEMORY_PAGE_BYTES));
    this.#numbers = new Int32Array(this.#memory.buffer);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#set(SLOTS, slots);
    this.#set(HASHES, hashes);
    this.#set(OFFSETS, offsets);
    this.#set(BYTES, start);
    this.#set(MASK, (SLOT_BYTES_EACH / 4) * this.#mostNames - 1);
    if (this.#mostNames === before.names) return;
    // Each goes further back than all before it, so the last is moved first.
    this.#bytes.copyWithin(start, before.bytes, before.bytes + this.#get(USED));
    this.#bytes.copyWithin(offsets, before.offsets, before.offsets + 4 * (this.size + 1));
    this.#bytes.copyWithin(hashes, before.hashes, before.hashes + 4 * this.size);
    this.#bytes.fill(0, slots, hashes);
    this.#kernel.fill(~this.#get(MASK));
  }

  #get(address: number): number {
    return this.#numbers[address / 4]!;
  }

  #set(address: number, value: number): void {
    this.#numbers[address / 4] = value;
  }
}

/** Half of the slots are free. */
const SLOT_BYTES_EACH = 8;

/** At most so full a finished table is: names are looked up rarely, a few steps more in half the memory. */
const MOST_FULL = 0.9;
const LEAST_SLOTS = 512;

function isAsciiAt(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! > 127) return false;
  return true;
}

const lower = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);
