/**
 * The token stream of all records, 4 bytes a token, in memory that threads and kernels share. Once all records are read, the
 * stream is measured: tokens become terms. The result goes to `inversion.ts`.
 */
import { inversion as kernelBytes } from '../../kernels/compiled.js';
import * as places from '../../kernels/inversion-layout.js';
import { RECORD } from '../../kernels/stream-layout.js';
import { count } from '../../text.js';
import { createSharedMemory, instantiate, type SharedWasmMemory } from '../../wasm.js';
import { IndexLimitError } from '../limits.js';
import { maskBitsOf, type RankingParameters, type RowTables } from '../tables.js';
import { WorkMemory } from '../work-memory.js';
import type { InversionKernel } from './inversion-kernel.js';
import { createRoom, type Inversion, MIN_PARTITION_TOKENS, partitionsOf, roomSize } from './inversion-plan.js';
import { normsByLength, rowTables } from './row-tables.js';
import type { TokenTerms } from './token-terms.js';

/** The kernel measures this many bytes of the stream in one call. */
const PIECE_BYTES = 1 << 16;
/** Address 0 stands for "no record", so the stream begins behind it. */
const RESERVED_BYTES = 4;

export class TokenStream {
  readonly #work: WorkMemory<SharedWasmMemory>;
  readonly #firstAddress: number;
  readonly #start: number;
  #end: number;

  /** `firstAddress` is the lowest address of the stream and of the tables. */
  constructor(firstAddress = 0) {
    this.#firstAddress = firstAddress;
    this.#work = new WorkMemory(createSharedMemory(), Math.max(firstAddress, RESERVED_BYTES));
    this.#start = this.#work.allocate(0, 4);
    this.#end = this.#start;
  }

  /** Appends entries to the stream. */
  add(entries: Int32Array): void {
    const at = this.#work.allocate(entries.byteLength, 4);
    new Int32Array(this.#work.memory.buffer, at, entries.length).set(entries);
    this.#end = at + entries.byteLength;
  }

  /** Measures the stream; called once. */
  measure(
    rowOf: Int32Array,
    tokenTerms: TokenTerms,
    weights: readonly number[],
    ranking: RankingParameters,
    minPartitionTokens = MIN_PARTITION_TOKENS,
  ): { readonly rows: RowTables; readonly inversion: Inversion } {
    const { memory } = this.#work;
    const kernel = instantiate<InversionKernel>(kernelBytes, memory);
    const end = this.#end;
    this.add(Int32Array.of(RECORD));
    const rows = rowOf.reduce((last, row) => Math.max(last, row), -1) + 1;
    const { terms } = tokenTerms;
    const addresses = this.#tables(rowOf, rows, tokenTerms, weights);
    const shared = this.#work.copy(addresses);
    for (let at = this.#start; at < end; at += PIECE_BYTES) kernel.measure(shared, at, Math.min(at + PIECE_BYTES, end));
    kernel.endMeasure(shared);
    if (kernel.maxPosition.value > places.POSITION_MASK)
      throw new IndexLimitError(
        `expected at most ${count(places.POSITION_MASK, 'word')} in a record, found one with more`,
      );
    const numbers = (place: number, length: number) => new Uint32Array(memory.buffer, addresses[place], length);
    const counts = numbers(places.COUNT_OF_TERM, terms).slice();
    const tables = createSharedMemory(this.#firstAddress);
    const finishedRows = rowTables(
      numbers(places.RECORD_OF_ROW, rows),
      numbers(places.LENGTH_OF_ROW, rows),
      numbers(places.FIELDS_OF_ROW, rows * weights.length),
      weights,
      ranking,
      tables,
    );
    new Uint32Array(memory.buffer, shared)[places.NORM_OF_LENGTH] = this.#work.copy(normsByLength(finishedRows));
    const partitions = partitionsOf(counts, minPartitionTokens);
    const room = createRoom(this.#work, roomSize(partitions, counts, rows));
    return { rows: finishedRows, inversion: { memory, tables, rows, counts, partitions, shared, room } };
  }

  /** The table of addresses that threads share (`kernels/inversion-layout.ts`). */
  #tables(
    rowOf: Int32Array,
    rows: number,
    { terms, termOf, lists }: TokenTerms,
    weights: readonly number[],
  ): Uint32Array {
    const work = this.#work;
    const addresses = new Uint32Array(places.SHARED_NUMBERS);
    addresses[places.TERM_OF_TOKEN] = work.copy(termOf);
    addresses[places.TERM_LISTS] = work.copy(lists);
    addresses[places.ROW_OF_RECORD] = work.copy(rowOf);
    addresses[places.WEIGHT_OF_FIELD] = work.copy(Uint32Array.from(weights));
    addresses[places.COUNT_OF_TERM] = work.allocate(4 * terms);
    addresses[places.RECORD_OF_ROW] = work.allocate(4 * rows);
    addresses[places.LENGTH_OF_ROW] = work.allocate(4 * rows);
    addresses[places.FIELDS_OF_ROW] = work.allocate(4 * rows * weights.length);
    addresses[places.ROWS] = rows;
    addresses[places.FIELDS] = weights.length;
    addresses[places.MASK_BITS] = maskBitsOf(weights.length);
    return addresses;
  }
}
