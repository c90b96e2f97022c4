/** Memory that kernels and their callers share. An allocation is zeroed, never moves, and is freed with the whole memory. */
import { growMemory, MAX_MEMORY_PAGES, MEMORY_PAGE_BYTES, type SharedWasmMemory, type WasmMemory } from '../wasm.js';
import { IndexLimitError } from './limits.js';

/** Kernels load 16 bytes at a time, and may read up to `SLACK_BYTES` behind an allocation. */
const ALIGNMENT = 16;
const SLACK_BYTES = 64;

/** An address that a kernel exports: WebAssembly hands it over as a signed number, which is negative from 2 GiB on. */
export const addressIn = ({ value }: { readonly value: number }): number => value >>> 0;

export class WorkMemory<Memory extends WasmMemory | SharedWasmMemory = WasmMemory> {
  readonly memory: Memory;
  #end: number;

  /** The first `reservedBytes` are never allocated. */
  constructor(memory: Memory, reservedBytes: number) {
    this.memory = memory;
    this.#end = reservedBytes;
  }

  /** Allocates bytes; returns their address. If memory that threads do not share grows, earlier views of it become empty. */
  allocate(bytes: number, alignment = ALIGNMENT): number {
    const at = Math.ceil(this.#end / alignment) * alignment;
    this.#end = at + bytes;
    const has = this.memory.buffer.byteLength;
    const missing = this.#end + SLACK_BYTES - has;
    if (missing <= 0) return at;
    const pages = Math.ceil(missing / MEMORY_PAGE_BYTES);
    // Pages that are never written to take no physical memory.
    const more = Math.max(pages, Math.ceil(has / 4 / MEMORY_PAGE_BYTES));
    if ((growMemory(this.memory, more) ?? growMemory(this.memory, pages)) === undefined) throw noRoomFor(pages, has);
    return at;
  }

  /** Allocates a copy of an array; returns its address. */
  copy(numbers: ArrayBufferView): number {
    const at = this.allocate(numbers.byteLength);
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    new Uint8Array(this.memory.buffer, at, numbers.byteLength).set(bytes);
    return at;
  }
}

/**
 * Appends copies of parts to a memory; returns their addresses. Threads may append at the same time: each adds pages of its
 * own.
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

/** The error of a memory that cannot grow: the index has reached its limit, or the system has no memory left. */
const noRoomFor = (pages: number, bytes: number): Error =>
  bytes / MEMORY_PAGE_BYTES + pages > MAX_MEMORY_PAGES
    ? new IndexLimitError('there are more words in the records than an index holds')
    : new RangeError('Array buffer allocation failed');
