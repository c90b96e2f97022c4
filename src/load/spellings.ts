/**
 * What short texts come to, found again without making a string of them: the same prices and ratings come again and again. A hash
 * table (open addressing, linear probing) leads to entries side by side, so that a text costs two or three cache misses:
 *
 *     bytes 0-3    the length of the text, the length of its canonical JSON, that one's kind of cell, and the finding that goes with it
 *     bytes 8-15   its number
 *     behind       the text, then the JSON
 */
import type { RecordBatch } from '../batch.js';

/** When the table holds this many, it is emptied: a table in the cache is worth more than a complete one. */
const MAX_ENTRIES = 1 << 14;
const SLOTS = 2 * MAX_ENTRIES;
const HEAD_BYTES = 16;
/** Longer texts, and those that become longer, are not remembered. */
export const MAX_TEXT_BYTES = 48;
const MAX_ENTRY_BYTES = HEAD_BYTES + 2 * MAX_TEXT_BYTES;

export class Spellings {
  /** Where an entry begins + 1; 0 is free. */
  #slots = new Int32Array(0);
  #bytes = new Uint8Array(0);
  #numbers = new Float64Array(0);
  #size = 0;
  #used = 0;

  /** Where the entry of `bytes[from … to)` begins, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number {
    return this.#size === 0 || to - from > MAX_TEXT_BYTES ? -1 : this.#slots[this.#slotOf(bytes, from, to)]! - 1;
  }

  /** Remembers that a batch's `bytes[from … to)` come to a cell of it, and a small number, unless either is too long. */
  add(
    { bytes, kinds, starts, ends, numbers }: RecordBatch,
    from: number,
    to: number,
    cell: number,
    finding: number,
  ): void {
    const [start, end] = [starts[cell]!, ends[cell]!];
    if (Math.max(to - from, end - start) > MAX_TEXT_BYTES) return;
    if (this.#size === 0 || this.#size === MAX_ENTRIES) this.#empty();
    const entry = this.#used;
    this.#slots[this.#slotOf(bytes, from, to)] = entry + 1;
    this.#bytes.set([to - from, end - start, kinds[cell]!, finding], entry);
    this.#numbers[entry / 8 + 1] = numbers[cell]!;
    this.#bytes.set(bytes.subarray(from, to), entry + HEAD_BYTES);
    this.#bytes.set(bytes.subarray(start, end), entry + HEAD_BYTES + to - from);
    this.#size++;
    this.#used = entry + Math.ceil((HEAD_BYTES + to - from + end - start) / 8) * 8;
  }

  kindAt(entry: number): number {
    return this.#bytes[entry + 2]!;
  }

  numberAt(entry: number): number {
    return this.#numbers[entry / 8 + 1]!;
  }

  findingAt(entry: number): number {
    return this.#bytes[entry + 3]!;
  }

  /** Writes an entry's JSON to `target`, which has room for `MAX_TEXT_BYTES`; returns where it ends. */
  write(entry: number, target: Uint8Array, at: number): number {
    const bytes = this.#bytes;
    const length = bytes[entry + 1]!;
    const from = entry + HEAD_BYTES + bytes[entry]!;
    for (let i = 0; i < length; i++) target[at + i] = bytes[from + i]!;
    return at + length;
  }

  #empty(): void {
    const buffer = new ArrayBuffer(MAX_ENTRIES * MAX_ENTRY_BYTES);
    this.#slots = new Int32Array(SLOTS);
    this.#bytes = new Uint8Array(buffer);
    this.#numbers = new Float64Array(buffer);
    this.#size = 0;
    this.#used = 0;
  }

  /** The slot of those bytes, or the free one where they belong. */
  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    const slots = this.#slots;
    let slot = hashOf(bytes, from, to) & (SLOTS - 1);
    while (slots[slot] !== 0 && !this.#isText(slots[slot]! - 1, bytes, from, to)) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  }

  #isText(entry: number, bytes: Uint8Array, from: number, to: number): boolean {
    const known = this.#bytes;
    if (known[entry] !== to - from) return false;
    const text = entry + HEAD_BYTES;
    for (let i = from; i < to; i++) if (known[text + i - from] !== bytes[i]) return false;
    return true;
  }
}

/** FNV-1a (Fowler, Noll & Vo; RFC 9923), its halves folded together. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash ^ (hash >>> 16);
}
