/** Memory that kernels and their callers share. An allocation is zeroed, never moves, and is freed with the whole memory. */
import { growMemory, MAX_MEMORY_PAGES, MEMORY_PAGE_BYTES, type SharedWasmMemory, type WasmMemory } from '../wasm.js';

/** The records exceed a limit of the index: an expected failure of the input, no bug. */
export class IndexLimitError extends Error {
  override readonly name = 'IndexLimitError';
}
/** An error goes from thread to thread with its name, without its class. */
export const isIndexLimit = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'IndexLimitError';

/** Kernels load 16 bytes at a time, and may read up to `MEMORY_SLACK_BYTES` behind an allocation. */
const ALIGNMENT = 16;
const MEMORY_SLACK_BYTES = 64;

/** An address that a kernel hands over: WebAssembly makes it a signed number, which is negative from 2 GiB on. */
export const addressOf = (number: number): number => number >>> 0;
export const addressIn = ({ value }: { readonly value: number }): number => addressOf(value);

export class WorkMemory<Memory extends WasmMemory | SharedWasmMemory = WasmMemory> {
  readonly memory: Memory;
  readonly #growth: number;
  #end: number;

  /** The first `reservedBytes` are never allocated. The memory grows by a share of its size, or by what is missing if that is more. */
  constructor(memory: Memory, reservedBytes: number, growth = 1 / 4) {
    this.memory = memory;
    this.#end = reservedBytes;
    this.#growth = growth;
  }

  /** Allocates bytes; returns their address. If memory that threads do not share grows, earlier views of it become empty. */
  allocate(bytes: number, alignment = ALIGNMENT): number {
    const at = Math.ceil(this.#end / alignment) * alignment;
    this.#end = at + bytes;
    const has = this.memory.buffer.byteLength;
    const missing = this.#end + MEMORY_SLACK_BYTES - has;
    if (missing <= 0) return at;
    const pages = Math.ceil(missing / MEMORY_PAGE_BYTES);
    // Pages that are never written to take no physical memory.
    const more = Math.max(pages, Math.ceil((has * this.#growth) / MEMORY_PAGE_BYTES));
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

/** The error of a memory that cannot grow: the index has reached its limit, or the system has no memory left. */
const noRoomFor = (pages: number, bytes: number): Error =>
  bytes / MEMORY_PAGE_BYTES + pages > MAX_MEMORY_PAGES
    ? new IndexLimitError('there are more words in the records than an index holds')
    : new RangeError('Array buffer allocation failed');
