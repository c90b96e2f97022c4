/**
 * The token stream of all records, 4 bytes a token, in memory that kernels work in and threads share. Once all records are
 * read, it is measured: tokens become terms, and what remains to be done is to invert it (`inversion.ts`).
 */
import { inversion as kernelBytes } from '../../kernels/compiled.js';
import { MAX_FIELDS, RECORD } from '../../kernels/stream-layout.js';
import { createSharedMemory, instantiate, type SharedWasmMemory } from '../../wasm.js';
import type { RankingParameters, RowTables } from '../tables.js';
import { WorkMemory } from '../work-memory.js';
import type { InversionKernel } from './inversion-kernel.js';
import { type Inversion, MIN_PARTITION_TOKENS, partitionsOf, roomsFor } from './inversion-plan.js';
import { normsByLength, rowTables } from './row-tables.js';
import type { TokenTerms } from './token-terms.js';

/** Of the stream that the kernel is given at once. */
const PIECE_BYTES = 1 << 16;
/** Nothing stands at address 0. */
const RESERVED_BYTES = 4;

export class TokenStream {
  readonly #work = new WorkMemory<SharedWasmMemory>(createSharedMemory(), RESERVED_BYTES);
  readonly #start = this.#work.allocate(0, 4);
  #end = this.#start;

  /** Adds entries. */
  add(entries: Int32Array): void {
    const at = this.#work.allocate(entries.byteLength, 4);
    new Int32Array(this.#work.memory.buffer, at, entries.length).set(entries);
    this.#end = at + entries.byteLength;
  }

  /** Measures the stream, which so many threads are to invert. To be called once. */
  measure(
    rowOf: Int32Array,
    { terms, termOf, lists }: TokenTerms,
    weights: readonly number[],
    ranking: RankingParameters,
    threads: number,
    minPartitionTokens = MIN_PARTITION_TOKENS,
  ): { readonly rows: RowTables; readonly inversion: Inversion } {
    const work = this.#work;
    const kernel = instantiate<InversionKernel>(kernelBytes, work.memory);
    const end = this.#end;
    this.add(Int32Array.of(RECORD));
    const rows = rowOf.reduce((last, row) => Math.max(last, row), -1) + 1;
    const fields = weights.length;
    const places = {
      lists: this.#copy(lists),
      weights: this.#copy(Uint32Array.from({ length: MAX_FIELDS }, (_, field) => weights[field] ?? 0)),
      recordStarts: work.allocate(4 * rows),
      lengths: work.allocate(4 * rows),
    };
    const { recordStarts, lengths } = places;
    const countsAt = work.allocate(4 * terms);
    const fieldStarts = work.allocate(4 * rows * fields);
    const [termsAt, rowsAt] = [this.#copy(termOf), this.#copy(rowOf)];
    for (let at = this.#start; at < end; at += PIECE_BYTES) {
      const to = Math.min(at + PIECE_BYTES, end);
      kernel.measure(
        at,
        to,
        termsAt,
        places.lists,
        rowsAt,
        places.weights,
        fields,
        countsAt,
        recordStarts,
        lengths,
        fieldStarts,
      );
    }
    kernel.endMeasure(fields, lengths, fieldStarts);
    const known = rowTables(
      this.#numbers(recordStarts, rows),
      this.#numbers(lengths, rows),
      this.#numbers(fieldStarts, rows * fields),
      weights,
      ranking,
    );
    const counts = this.#numbers(countsAt, terms).slice();
    const inverseNorms = this.#copy(normsByLength(known).map((norm) => 1 / norm));
    const partitions = partitionsOf(counts, minPartitionTokens);
    const rooms = roomsFor(work, partitions, counts, rows, kernel.maxStacked.value, threads);
    const tables = createSharedMemory();
    return {
      rows: known,
      inversion: { ...places, inverseNorms, memory: work.memory, tables, rows, counts, partitions, rooms },
    };
  }

  #numbers(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#work.memory.buffer, at, length);
  }

  #copy(numbers: Int32Array | Uint32Array | Float64Array): number {
    const at = this.#work.allocate(numbers.byteLength);
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    new Uint8Array(this.#work.memory.buffer, at, numbers.byteLength).set(bytes);
    return at;
  }
}
