/**
 * The token stream of all records, 4 bytes a token, in memory that it shares with the kernel. Once all records are read, the
 * stream is measured: tokens become terms. The result goes to `inversion.ts`.
 */
import { inversion as kernelBytes } from '../../kernels/compiled.js';
import { POSITION_MASK } from '../../kernels/inversion-layout.js';
import { RECORD } from '../../kernels/stream-layout.js';
import { count } from '../../text.js';
import { createSharedMemory, instantiate, type SharedWasmMemory } from '../../wasm.js';
import { maskBitsOf, type RankingParameters, type RowTables } from '../tables.js';
import { addressOf, IndexLimitError, WorkMemory } from '../work-memory.js';
import type { InversionKernel, MeasuredStream } from './inversion.js';
import { normsByLength, rowTables } from './row-tables.js';
import type { TokenTerms } from './token-terms.js';

/** The mark that ends the last record. */
const STREAM_END = Int32Array.of(RECORD);
/** Address 0 stands for "no record", so the stream begins behind it. */
const RESERVED_BYTES = 4;

export class TokenStream {
  readonly #work: WorkMemory<SharedWasmMemory>;
  readonly #firstAddress: number;
  readonly #start: number;

  /** `firstAddress` is the lowest address of the stream and of the tables. */
  constructor(firstAddress = 0) {
    this.#firstAddress = firstAddress;
    this.#work = new WorkMemory(createSharedMemory(), Math.max(firstAddress, RESERVED_BYTES));
    this.#start = this.#work.allocate(0, 4);
  }

  /** Appends entries to the stream. */
  add(entries: Int32Array): void {
    const at = this.#work.allocate(entries.byteLength, 4);
    new Int32Array(this.#work.memory.buffer, at, entries.length).set(entries);
  }

  /** Measures the stream; called once. */
  measure(
    rowOf: Int32Array,
    { terms, termOf, lists }: TokenTerms,
    weights: readonly number[],
    ranking: RankingParameters,
  ): { readonly rows: RowTables; readonly stream: MeasuredStream } {
    const work = this.#work;
    const { memory } = work;
    const kernel = instantiate<InversionKernel>(kernelBytes, memory);
    this.add(STREAM_END);
    const rows = rowOf.reduce((last, row) => Math.max(last, row), -1) + 1;
    const fields = weights.length;
    // In the order of `TokenTables` in `kernels/inversion-layout.ts`.
    const addresses = {
      termOfToken: work.copy(termOf),
      termLists: work.copy(lists),
      weightOfField: work.copy(Uint32Array.from(weights)),
      countOfTerm: work.allocate(4 * terms),
      recordOfRow: work.allocate(4 * rows),
      lengthOfRow: work.allocate(4 * rows),
      fieldStarts: work.allocate(4 * rows * fields),
    };
    const tokenTables = work.copy(Uint32Array.of(...Object.values(addresses), rows, fields, maskBitsOf(fields)));
    // A record begins behind its mark.
    let at = this.#start + STREAM_END.byteLength;
    for (const row of rowOf) at = addressOf(kernel.measure(tokenTables, at, row));
    if (kernel.maxPosition.value > POSITION_MASK)
      throw new IndexLimitError(`expected at most ${count(POSITION_MASK, 'word')} in a record, found one with more`);
    const numbers = (at: number, length: number) => new Uint32Array(memory.buffer, at, length);
    const tablesMemory = new WorkMemory(createSharedMemory(this.#firstAddress), this.#firstAddress, 0);
    const finishedRows = rowTables(
      numbers(addresses.recordOfRow, rows),
      numbers(addresses.lengthOfRow, rows),
      numbers(addresses.fieldStarts, rows * fields),
      weights,
      ranking,
      tablesMemory,
    );
    const counts = numbers(addresses.countOfTerm, terms).slice();
    const norms = normsByLength(finishedRows);
    return { rows: finishedRows, stream: { kernel, work, tablesMemory, rows, counts, norms, tokenTables } };
  }
}
