/** The texts of a batch, a column at a time, as `cell-kernel.ts` reads them. What is given back is lent until the next call. */

import { ENTRY_BYTES } from '../key-sort-kernel.js';
import type { RawBatch } from '../raw.js';
import { type CellKernel, createCellKernel } from './cell-kernel.js';

const WEIGHTS_BYTES = 256;
/** Bytes for each text: what it is sorted as, and what is known of it. */
const BYTES_EACH = ENTRY_BYTES + 1;

/** So much of the memory that a batch leaves to its taker is used here. */
export const cellsBytes = ({ most }: RawBatch): number => (WEIGHTS_BYTES + most * BYTES_EACH + 15) & -16;

/** The rows of a batch's records, one for each. */
export interface BatchRows {
  readonly rows: Int32Array;
  /** Whether they are new, and follow one another. */
  readonly areNew: boolean;
}

/** Plain texts of a batch, in a row. */
export interface BatchTexts {
  readonly count: number;
  readonly bytes: Uint8Array;
  /** Where the i-th text begins and ends, quotes excluded. */
  readonly from: (i: number) => number;
  readonly to: (i: number) => number;
  /** Those from the i-th on, as many as there are of `most` that have no more than so many bytes together. */
  gather(i: number, most: number, mostBytes: number): Gathered;
}

/** Texts side by side. */
export interface Gathered {
  readonly count: number;
  readonly bytes: Uint8Array;
  /** Where each begins among the bytes, and the last ends. */
  readonly starts: Int32Array;
}

export interface Ordered {
  /** What each text that is plain is sorted as. */
  readonly entries: Uint32Array;
  readonly outcomes: Uint8Array;
}

export class BatchCells {
  readonly batch: RawBatch;
  readonly #kernel: CellKernel;

  private constructor(batch: RawBatch) {
    this.batch = batch;
    this.#kernel = createCellKernel(batch.memory);
  }

  /** Those of a batch, which its reader fills again and again: `before` if it was the same. */
  static of(batch: RawBatch, before?: BatchCells): BatchCells {
    return before?.batch === batch ? before : new BatchCells(batch);
  }

  /** Those of the cells from one on, which all have one. */
  texts(cell: number): BatchTexts {
    const { starts, ends, size } = this.batch;
    return this.#texts(starts.subarray(cell), ends.subarray(cell), 1, size);
  }

  /** So many strings in lists, from one on. */
  elements(first: number, count: number): BatchTexts {
    const { elements } = this.batch;
    return this.#texts(elements.subarray(2 * first), elements.subarray(2 * first + 1), 2, count);
  }

  #texts(starts: Int32Array, ends: Int32Array, step: number, count: number): BatchTexts {
    return {
      count,
      bytes: this.batch.bytes,
      from: (i) => starts[i * step]! + 1,
      to: (i) => ends[i * step]! - 1,
      gather: (i, most, mostBytes) => {
        const { free, memory } = this.batch;
        const targetStarts = (free + 3) & -4;
        const target = targetStarts + 4 * (most + 1);
        const bytes = step * 4;
        const [startsAt, endsAt] = [starts.byteOffset + i * bytes, ends.byteOffset + i * bytes];
        const many = this.#kernel.gather(startsAt, endsAt, bytes, most, mostBytes, target, targetStarts);
        const gathered = new Int32Array(memory.buffer, targetStarts, many + 1);
        return { count: many, bytes: new Uint8Array(memory.buffer, target, gathered[many]!), starts: gathered };
      },
    };
  }

  /** Those from `cell` on as texts of `row` and the rows after it. `base` is more than the greatest weight. */
  order(cell: number, weights: Uint8Array, base: number, row: number): Ordered {
    const { free, memory, size, starts, ends, kinds } = this.batch;
    const entries = free + WEIGHTS_BYTES;
    const outcomes = entries + size * ENTRY_BYTES;
    new Uint8Array(memory.buffer, free, WEIGHTS_BYTES).set(weights);
    const [startsAt, endsAt] = [starts.byteOffset + cell * 4, ends.byteOffset + cell * 4];
    this.#kernel.order(startsAt, endsAt, kinds.byteOffset + cell, size, free, base, row, entries, outcomes);
    return {
      entries: new Uint32Array(memory.buffer, entries, (size * ENTRY_BYTES) / 4),
      outcomes: new Uint8Array(memory.buffer, outcomes, size),
    };
  }
}
