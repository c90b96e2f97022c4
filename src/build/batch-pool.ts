/**
 * Batches on their way to a second thread: a fixed number of shared buffers, each of which is filled by the thread that reads,
 * and free again once the other has taken its batch. The thread that reads waits where all of them are full, so that what is
 * under way is bounded. A buffer is laid out so, where n is the number of columns that are handed over:
 *
 *     rows 4 × 1024 │ starts 4 × 1024 n │ ends 4 × 1024 n │ kinds 1024 n │ bytes of the cells, and READ_AHEAD_BYTES
 */
import { BATCH_RECORDS, NULL, type RecordBatch } from '../batch.js';

const POOL_BUFFERS = 6;
const FREE = 0;
const FULL = 1;
/** Cells are read four bytes at a time. */
const READ_AHEAD_BYTES = 8;
/** A thread that takes no batch for so long has ended. */
const MAX_WAIT_MS = 60_000;

/** A batch in a buffer of the pool. */
export interface PooledBatch {
  readonly slot: number;
  readonly buffer: SharedArrayBuffer;
  readonly columns: number;
  readonly records: number;
  readonly bytes: number;
}

/** The states of the buffers, shared by both threads. */
export const createStates = (): SharedArrayBuffer => new SharedArrayBuffer(4 * POOL_BUFFERS);

const headBytes = (columns: number): number => BATCH_RECORDS * (4 + 9 * columns);
const NO_NUMBERS = new Float64Array(0);

/** The side of the thread that reads. */
export class BatchPool {
  readonly #states: Int32Array;
  readonly #buffers: SharedArrayBuffer[] = Array.from({ length: POOL_BUFFERS }, () => new SharedArrayBuffer(0));
  #next = 0;

  constructor(states: SharedArrayBuffer) {
    this.#states = new Int32Array(states);
  }

  /** Copies the columns of a batch, with the rows of its records, into a free buffer. Waits for one if there is none. */
  fill(batch: RecordBatch, columns: readonly number[], rows: Int32Array): PooledBatch {
    const slot = this.#next;
    this.#next = (slot + 1) % POOL_BUFFERS;
    if (Atomics.wait(this.#states, slot, FULL, MAX_WAIT_MS) === 'timed-out')
      throw new Error('the thread that builds the search tables takes no more records');
    const { from, to } = bytesOfCells(batch, columns);
    const head = headBytes(columns.length);
    const needed = head + to - from + READ_AHEAD_BYTES;
    let buffer = this.#buffers[slot]!;
    if (buffer.byteLength < needed) {
      buffer = new SharedArrayBuffer(needed + (needed >> 1));
      this.#buffers[slot] = buffer;
    }
    const copy = batchIn({ slot, buffer, columns: columns.length, records: batch.size, bytes: to - from });
    copy.rows.set(rows);
    columns.forEach((column, i) => {
      const [source, target] = [column * BATCH_RECORDS, i * BATCH_RECORDS];
      for (let record = 0; record < batch.size; record++) {
        copy.batch.kinds[target + record] = batch.kinds[source + record]!;
        copy.batch.starts[target + record] = batch.starts[source + record]! - from;
        copy.batch.ends[target + record] = batch.ends[source + record]! - from;
      }
    });
    copy.batch.bytes.set(batch.bytes.subarray(from, to));
    Atomics.store(this.#states, slot, FULL);
    return { slot, buffer, columns: columns.length, records: batch.size, bytes: to - from };
  }
}

/** Where the values of the columns begin and end in the bytes of a batch. */
function bytesOfCells({ size, kinds, starts, ends }: RecordBatch, columns: readonly number[]) {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const column of columns) {
    for (let cell = column * BATCH_RECORDS; cell < column * BATCH_RECORDS + size; cell++) {
      if (kinds[cell]! <= NULL) continue;
      from = Math.min(from, starts[cell]!);
      to = Math.max(to, ends[cell]!);
    }
  }
  return { from: Math.min(from, to), to };
}

/** The batch and the rows in a buffer. */
export function batchIn({ buffer, columns, records, bytes }: PooledBatch) {
  const cells = BATCH_RECORDS * columns;
  const rowBytes = 4 * BATCH_RECORDS;
  const batch: RecordBatch = {
    size: records,
    starts: new Int32Array(buffer, rowBytes, cells),
    ends: new Int32Array(buffer, rowBytes + 4 * cells, cells),
    kinds: new Uint8Array(buffer, rowBytes + 8 * cells, cells),
    // No index over texts reads numbers.
    numbers: NO_NUMBERS,
    bytes: Buffer.from(buffer, headBytes(columns), bytes + READ_AHEAD_BYTES),
  };
  return { batch, rows: new Int32Array(buffer, 0, records) };
}

/** Tells the thread that reads that a buffer is free. */
export function release(states: SharedArrayBuffer, slot: number): void {
  const numbers = new Int32Array(states);
  Atomics.store(numbers, slot, FREE);
  Atomics.notify(numbers, slot);
}
