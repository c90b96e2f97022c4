/**
 * A batch whose bytes stand in memory of WebAssembly, where the JSON kernel (`kernels/json.ts`) reads them. One memory serves all files
 * of a load, one after the other. It begins with the reader's bytes; the cell writer spells other values behind them.
 */
import { BATCH_RECORDS, type RecordBatch } from '../../batch.js';
import { json } from '../../kernels/compiled.js';
import { BYTES, COUNT, IS_CANONICAL, IS_TOO_DEEP, LINES, STOPPED, VALUE } from '../../kernels/json-layout.js';
import { createMemory, growMemory, instantiate, MEMORY_PAGE_BYTES, type WasmMemory } from '../../wasm.js';

/** The exports of `kernels/json.ts`. Positions count from the batch's first byte; an end of 0 says that there is no such token. */
interface JsonKernel {
  members(from: number, end: number, first: number): number;
  any(from: number, end: number): number;
  list(from: number, end: number): number;
  number(from: number, end: number): number;
  holds(byte: number, from: number, end: number): number;
  writeEscaped(from: number, end: number, target: number): number;
}

/** The kernel may read and write this far behind the last byte of the batch. */
const KERNEL_SLACK_BYTES = 32;

export class BatchMemory implements RecordBatch {
  size = 0;
  bytes: Buffer = Buffer.alloc(0);
  view = new DataView(new ArrayBuffer(0));
  /** All of the memory, as integers of 32 bits and as doubles. */
  words = new Int32Array(0);
  doubles = new Float64Array(0);
  kinds = new Uint8Array(0);
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  numbers = new Float64Array(0);
  /** Per record the line of the source on which it begins. */
  readonly lines = new Int32Array(BATCH_RECORDS);
  readonly kernel: JsonKernel;
  readonly #memory: WasmMemory;

  constructor() {
    this.#memory = createMemory(BYTES + KERNEL_SLACK_BYTES);
    this.kernel = instantiate(json, this.#memory);
    this.#viewMemory();
  }

  /** Empties the batch and gives it `count` columns. */
  useColumns(count: number): void {
    this.size = 0;
    const cells = count * BATCH_RECORDS;
    if (this.kinds.length === cells) return;
    this.kinds = new Uint8Array(cells);
    this.starts = new Int32Array(cells);
    this.ends = new Int32Array(cells);
    this.numbers = new Float64Array(cells);
  }

  /** Grows `bytes` to at least `minBytes`. The former buffer is empty afterwards: callers must read `bytes` again. */
  reserve(minBytes: number): void {
    if (minBytes <= this.bytes.length) return;
    const doubled = Math.max(minBytes, 2 * this.bytes.length);
    const pagesTo = (size: number): number => Math.ceil((size - this.bytes.length) / MEMORY_PAGE_BYTES);
    if (
      growMemory(this.#memory, pagesTo(doubled)) === undefined &&
      growMemory(this.#memory, pagesTo(minBytes)) === undefined
    )
      throw new RangeError('Array buffer allocation failed');
    this.#viewMemory();
  }

  /** The byte at which the kernel's last call failed; at the end of the bytes or behind it, bytes are missing. */
  get stoppedAt(): number {
    return this.words[STOPPED / 4]!;
  }

  /** Whether the kernel's last call failed because a value has too many levels. `any` leaves it as it was. */
  get isTooDeep(): boolean {
    return this.words[IS_TOO_DEEP / 4] === 1;
  }

  set isTooDeep(isTooDeep: boolean) {
    this.words[IS_TOO_DEEP / 4] = Number(isTooDeep);
  }

  /** The line breaks that the kernel has passed since this was set to 0. */
  get lineBreaks(): number {
    return this.words[LINES / 4]!;
  }

  set lineBreaks(lineBreaks: number) {
    this.words[LINES / 4] = lineBreaks;
  }

  /** The members of the object or row that the kernel has read last. */
  get memberCount(): number {
    return this.words[COUNT / 4]!;
  }

  /** The number whose canonical spelling is `bytes[from … end)`; NaN for any other bytes. */
  canonicalNumber(from: number, end: number): number {
    const isNumber = end > from && this.kernel.number(from, end) === end;
    return isNumber && this.words[IS_CANONICAL / 4] === 1 ? this.doubles[VALUE / 8]! : Number.NaN;
  }

  #viewMemory(): void {
    const { buffer } = this.#memory;
    this.bytes = Buffer.from(buffer, BYTES, buffer.byteLength - BYTES - KERNEL_SLACK_BYTES);
    this.view = new DataView(buffer, BYTES, this.bytes.length);
    this.words = new Int32Array(buffer, 0, buffer.byteLength >>> 2);
    this.doubles = new Float64Array(buffer, 0, buffer.byteLength >>> 3);
  }
}
