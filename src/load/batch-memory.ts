/** A batch in memory of WebAssembly, in which the kernel that reads records (`kernels/records.ts`) finds its bytes and its columns. */
import { BATCH_RECORDS, type RecordBatch } from '../batch.js';
import { records } from '../kernels/compiled.js';
import {
  BYTES,
  ENDS,
  IS_KEPT,
  KINDS,
  LINES,
  MAX_COLUMNS,
  NUMBERS,
  STARTS,
  TEXT_ENDS,
  TEXT_STARTS,
  VALUE,
} from '../kernels/records-layout.js';
import { createMemory, instantiate } from '../wasm.js';

/** What `kernels/records.ts` exports. Positions count from the first of the batch's bytes; 0 for no end is none. */
interface RecordsKernel {
  read(
    table: number,
    from: number,
    end: number,
    separator: number,
    firstRow: number,
    room: number,
    columns: number,
    required: number,
  ): number;
  countAbsent(table: number): void;
  any(from: number, end: number): number;
  skip(from: number, end: number): number;
  string(from: number, end: number): number;
  list(from: number, end: number): number;
  number(from: number, end: number): number;
  date(from: number, end: number): number;
}

/** The kernel reads as many bytes behind those that count. */
const SLACK_BYTES = 16;

interface Room {
  readonly buffer: ArrayBuffer;
  readonly kernel: RecordsKernel;
}

/** The memories of a load: to make one takes as long as to read a small file, which needs three, one after the other. */
export class BatchRooms {
  readonly #free: Room[] = [];

  take(bytes: number): Room {
    const found = this.#free.findIndex(({ buffer }) => buffer.byteLength >= bytes);
    const [room] = found === -1 ? [] : this.#free.splice(found, 1);
    if (room) return room;
    const memory = createMemory(bytes);
    return { buffer: memory.buffer, kernel: instantiate(records, memory) };
  }

  giveBack(room: Room): void {
    this.#free.push(room);
  }
}

export class BatchMemory implements RecordBatch {
  size = 0;
  readonly kernel: RecordsKernel;
  readonly bytes: Buffer;
  /** All of the memory, as integers of 32 bits. */
  readonly words: Int32Array;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly numbers: Float64Array;
  /** On which lines of the source records begin. */
  readonly lines: Int32Array;
  readonly textStarts: Int32Array;
  readonly textEnds: Int32Array;
  readonly #rooms: BatchRooms;
  readonly #room: Room;
  readonly #number: Float64Array;
  readonly #columns: number;

  /** Room for so many bytes and columns. */
  constructor(rooms: BatchRooms, bytes: number, columns: number) {
    if (columns > MAX_COLUMNS) throw new RangeError(`a batch has at most ${MAX_COLUMNS} columns, not ${columns}`);
    this.#rooms = rooms;
    this.#room = rooms.take(BYTES + bytes + SLACK_BYTES);
    const { buffer, kernel } = this.#room;
    const cells = columns * BATCH_RECORDS;
    this.kernel = kernel;
    this.bytes = Buffer.from(buffer, BYTES, buffer.byteLength - BYTES - SLACK_BYTES);
    this.words = new Int32Array(buffer);
    this.kinds = new Uint8Array(buffer, KINDS, cells);
    this.starts = new Int32Array(buffer, STARTS, cells);
    this.ends = new Int32Array(buffer, ENDS, cells);
    this.numbers = new Float64Array(buffer, NUMBERS, cells);
    this.lines = new Int32Array(buffer, LINES, BATCH_RECORDS);
    this.textStarts = new Int32Array(buffer, TEXT_STARTS, BATCH_RECORDS);
    this.textEnds = new Int32Array(buffer, TEXT_ENDS, BATCH_RECORDS);
    this.#number = new Float64Array(buffer, VALUE, 1);
    this.#columns = columns;
  }

  /** A memory with the same contents, and room for more bytes. What was read of this one stays as it is. */
  grown(bytes: number): BatchMemory {
    const larger = new BatchMemory(this.#rooms, bytes, this.#columns);
    larger.size = this.size;
    larger.words.set(this.words.subarray(0, KINDS / 4));
    for (const column of ['kinds', 'starts', 'ends', 'numbers'] as const) larger[column].set(this[column]);
    this.bytes.copy(larger.bytes);
    return larger;
  }

  /** Lets another batch have the memory: this one must not be used any more. */
  release(): void {
    this.#rooms.giveBack(this.#room);
  }

  /** The number whose canonical spelling is `bytes[from … end)`; NaN where those bytes are none. */
  canonicalNumber(from: number, end: number): number {
    const isNumber = this.kernel.number(from, end) === end && end > from;
    return isNumber && this.words[IS_KEPT / 4] === 1 ? this.#number[0]! : Number.NaN;
  }
}
