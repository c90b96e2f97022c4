/** Memory that kernels and their callers share: what is allocated is zeros, never moves, and goes with the whole memory. */
import { growMemory, MAX_MEMORY_PAGES, MEMORY_PAGE_BYTES, type SharedWasmMemory, type WasmMemory } from '../wasm.js';
import { IndexLimitError } from './limits.js';

/** Kernels load 16 bytes at a time, and so may read behind the end. */
const ALIGNMENT = 16;
const SLACK_BYTES = 64;

/** An address that a kernel exports: WebAssembly hands it over as a signed number, which is negative from 2 GiB on. */
export const addressIn = ({ value }: { readonly value: number }): number => value >>> 0;

export class WorkMemory<Memory extends WasmMemory | SharedWasmMemory = WasmMemory> {
  readonly memory: Memory;
  #end: number;

  /** The first bytes are not given away. */
  constructor(memory: Memory, reservedBytes: number) {
    this.memory = memory;
    this.#end = reservedBytes;
  }

  /** The address of so many bytes. Where the memory grows and is no threads' common one, views made before are empty. */
  allocate(bytes: number, alignment = ALIGNMENT): number {
    const at = Math.ceil(this.#end / alignment) * alignment;
    this.#end = at + bytes;
    const has = this.memory.buffer.byteLength;
    const missing = this.#end + SLACK_BYTES - has;
    if (missing <= 0) return at;
    const pages = Math.ceil(missing / MEMORY_PAGE_BYTES);
    // Pages that are never written to take no room.
    const more = Math.max(pages, Math.ceil(has / 4 / MEMORY_PAGE_BYTES));
    if ((growMemory(this.memory, more) ?? growMemory(this.memory, pages)) === undefined) throw noRoomFor(pages, has);
    return at;
  }

  /** The address of a copy. */
  copy(numbers: ArrayBufferView): number {
    const at = this.allocate(numbers.byteLength);
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    new Uint8Array(this.memory.buffer, at, numbers.byteLength).set(bytes);
    return at;
  }
}

/**
 * Copies parts behind all that a memory holds; returns their addresses. Threads can do so at the same time: each gets pages of
 * its own.
 */
export function append(memory: SharedWasmMemory, parts: readonly Uint8Array[]): readonly number[] {
  let bytes = 0;
  const places = parts.map(({ length }) => {
    const place = bytes;
    bytes += Math.ceil(length / ALIGNMENT) * ALIGNMENT;
    return place;
  });
  const pages = Math.ceil((bytes + SLACK_BYTES) / MEMORY_PAGE_BYTES);
  const before = growMemory(memory, pages);
  if (before === undefined) throw noRoomFor(pages, memory.buffer.byteLength);
  const start = before * MEMORY_PAGE_BYTES;
  const all = new Uint8Array(memory.buffer, start, bytes);
  parts.forEach((part, i) => {
    all.set(part, places[i]!);
  });
  return places.map((place) => start + place);
}

/** Why a memory of so many bytes cannot have more pages: it could never have them, or the system has none. */
const noRoomFor = (pages: number, bytes: number): Error =>
  bytes / MEMORY_PAGE_BYTES + pages > MAX_MEMORY_PAGES
    ? new IndexLimitError('there are more words in the records than an index holds')
    : new RangeError('Array buffer allocation failed');
