/**
 * Batches on their way to a second thread: buffers, each of which is filled by the thread that reads, moved to the other, and
 * moved back once its batch was taken. A chunk of a file may fill any number of buffers; the next chunk is read when fewer than
 * `MAX_BUFFERS_AWAY` are away, so that what is under way is bounded. No thread is ever blocked: one that ends is noticed.
 * A buffer is laid out so, where n is the number of columns that are handed over:
 *
 *     rows 4 × 1024 │ starts 4 × 1024 n │ ends 4 × 1024 n │ kinds 1024 n │ bytes of the cells, and READ_AHEAD_BYTES
 */
import { BATCH_RECORDS, NULL, type RecordBatch } from '../batch.js';

const MAX_BUFFERS_AWAY = 6;
/** Cells are read four bytes at a time. */
const READ_AHEAD_BYTES = 8;

/** A batch in a buffer of the pool. */
export interface PooledBatch {
  readonly buffer: ArrayBuffer;
  readonly columns: number;
  readonly records: number;
  readonly bytes: number;
}

const headBytes = (columns: number): number => BATCH_RECORDS * (4 + 9 * columns);
const NO_NUMBERS = new Float64Array(0);

/** The side of the thread that reads. */
export class BatchPool {
  readonly #free: ArrayBuffer[] = [];
  #awayCount = 0;
  #failure: unknown;
  #resume: (() => void) | undefined;

  /** Copies the columns of a batch, with the rows of its records, into a buffer, which the caller moves to the other thread. */
  fill(batch: RecordBatch, columns: readonly number[], rows: Int32Array): PooledBatch {
    const { from, to } = bytesOfCells(batch, columns);
    const head = headBytes(columns.length);
    const needed = head + to - from + READ_AHEAD_BYTES;
    const free = this.#free.pop();
    const buffer = free && free.byteLength >= needed ? free : new ArrayBuffer(needed + (needed >> 1));
    const pooled = { buffer, columns: columns.length, records: batch.size, bytes: to - from };
    const copy = batchIn(pooled);
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
    this.#awayCount++;
    return pooled;
  }

  /** A buffer came back. */
  takeBack(buffer: ArrayBuffer): void {
    this.#awayCount--;
    if (this.#free.length < MAX_BUFFERS_AWAY) this.#free.push(buffer);
    this.#resume?.();
  }

  /** The other thread ended: nothing comes back any more. */
  fail(failure: unknown): void {
    this.#failure = failure;
    this.#resume?.();
  }

  /** Waits until the next chunk may be read; throws where the other thread ended. */
  async whenReady(): Promise<void> {
    while (this.#failure === undefined && this.#awayCount >= MAX_BUFFERS_AWAY)
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    if (this.#failure !== undefined) throw this.#failure;
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
