/** Streams that are set aside take two bytes an entry, as most terms' numbers are small: see `term-stream.ts`. */

import { wholeWords } from '../memory.js';
import { createMemory } from '../wasm.js';
import { CODE_BYTES, createNarrowStreamKernel, ENTRY_BYTES, MARK_BASE, WIDE } from './narrow-stream-kernel.js';
import { MOST_ENTRIES, RECORD } from './term-stream.js';

/** Of one entry. */
const MOST_CODES = 3;

/** Where in the memories of both what stands: entries, their codes, and of the one that reads these a table behind them. */
const ENTRIES = 0;
const CODES = ENTRIES + MOST_ENTRIES * ENTRY_BYTES;
const TABLE = wholeWords(CODES + MOST_CODES * MOST_ENTRIES * CODE_BYTES);

export class StreamEncoder {
  private readonly memory = createMemory(TABLE);
  private readonly kernel = createNarrowStreamKernel(this.memory);
  private readonly entries = new Int32Array(this.memory.buffer, ENTRIES, MOST_ENTRIES);

  /** The codes of up to `MOST_ENTRIES` entries, in bytes: lent until others are encoded. */
  encode(entries: Int32Array): Uint8Array {
    this.entries.set(entries);
    const end = this.kernel.encode(ENTRIES, ENTRIES + entries.byteLength, CODES);
    return new Uint8Array(this.memory.buffer, CODES, end - CODES);
  }
}

export class StreamDecoder {
  private readonly memory;
  private readonly kernel;
  private readonly codes;

  /** `termOf[i]` is what term i is to be. */
  constructor(termOf: Uint32Array) {
    this.memory = createMemory(TABLE + termOf.byteLength);
    this.kernel = createNarrowStreamKernel(this.memory);
    this.codes = new Uint16Array(this.memory.buffer, CODES, MOST_CODES * MOST_ENTRIES);
    new Uint32Array(this.memory.buffer, TABLE, termOf.length).set(termOf);
  }

  /** The entries that codes stand for which were encoded together: lent until others are decoded. */
  decode(codes: Uint16Array): Int32Array {
    this.codes.set(codes);
    const end = this.kernel.decode(CODES, CODES + codes.byteLength, TABLE, ENTRIES);
    return new Int32Array(this.memory.buffer, ENTRIES, (end - ENTRIES) / ENTRY_BYTES);
  }
}

/** Where among codes the first record begins; -1 if none does. */
export function firstRecord(codes: Uint16Array): number {
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] === RECORD + MARK_BASE) return i;
    if (codes[i] === WIDE) i += 2;
  }
  return -1;
}
