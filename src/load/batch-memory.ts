/**
 * A batch whose bytes stand in memory of WebAssembly, where the JSON kernel (`kernels/json.ts`) reads them. One memory serves all files
 * of a load, one after the other: it begins with the bytes that a reader has fed, behind which values are written that are spelt anew.
 */
import { BATCH_RECORDS, type RecordBatch } from '../batch.js';
import { json } from '../kernels/compiled.js';
import { BYTES, IS_CANONICAL, VALUE } from '../kernels/json-layout.js';
import { createMemory, growMemory, instantiate, MEMORY_PAGE_BYTES, type WasmMemory } from '../wasm.js';

/** What `kernels/json.ts` exports. Positions count from the first of the batch's bytes; 0 for no end is none. */
interface JsonKernel {
  members(from: number, end: number, first: number): number;
  any(from: number, end: number): number;
  list(from: number, end: number): number;
  number(from: number, end: number): number;
  holds(byte: number, from: number, end: number): number;
  writeEscaped(from: number, end: number, target: number): number;
}

/** The kernel reads and writes as many bytes behind those that count. */
const SLACK_BYTES = 32;

export class BatchMemory implements RecordBatch {
  size = 0;
  bytes: Buffer = Buffer.alloc(0);
  /** All of the memory, as integers of 32 bits and as doubles. */
  words = new Int32Array(0);
  doubles = new Float64Array(0);
  kinds = new Uint8Array(0);
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  numbers = new Float64Array(0);
  /** On which lines of the source records begin. */
  readonly lines = new Int32Array(BATCH_RECORDS);
  readonly kernel: JsonKernel;
  readonly #memory: WasmMemory;

  constructor() {
    this.#memory = createMemory(BYTES + SLACK_BYTES);
    this.kernel = instantiate(json, this.#memory);
    this.#view();
  }

  /** Empties the batch, which has so many columns from now on. */
  useColumns(count: number): void {
    this.size = 0;
    const cells = count * BATCH_RECORDS;
    if (this.kinds.length === cells) return;
    this.kinds = new Uint8Array(cells);
    this.starts = new Int32Array(cells);
    this.ends = new Int32Array(cells);
    this.numbers = new Float64Array(cells);
  }

  /** Makes room for so many bytes. Whoever holds `bytes` must take it anew: the old one is empty then. */
  reserve(bytes: number): void {
    if (bytes <= this.bytes.length) return;
    const missing = Math.max(bytes, 2 * this.bytes.length) - this.bytes.length;
    const pages = Math.ceil(missing / MEMORY_PAGE_BYTES);
    const least = Math.ceil((bytes - this.bytes.length) / MEMORY_PAGE_BYTES);
    if (growMemory(this.#memory, pages) === undefined && growMemory(this.#memory, least) === undefined)
      throw new RangeError('Array buffer allocation failed');
    this.#view();
  }

  /** The number whose canonical spelling is `bytes[from … end)`; NaN where those bytes are none. */
  canonicalNumber(from: number, end: number): number {
    const isNumber = end > from && this.kernel.number(from, end) === end;
    return isNumber && this.words[IS_CANONICAL / 4] === 1 ? this.doubles[VALUE / 8]! : Number.NaN;
  }

  #view(): void {
    const { buffer } = this.#memory;
    this.bytes = Buffer.from(buffer, BYTES, buffer.byteLength - BYTES - SLACK_BYTES);
    this.words = new Int32Array(buffer, 0, buffer.byteLength >>> 2);
    this.doubles = new Float64Array(buffer, 0, buffer.byteLength >>> 3);
  }
}
