/**
 * The token stream of all records → postings. The stream stands in the kernel's memory (`kernels/inversion.ts`) from the
 * first record on, 4 bytes a token. Once all are read, tokens are sorted by term, a quarter of them at a time, for that many
 * have room without being felt beside the stream; each quarter is encoded and copied to the memory of the finished tables.
 */
import { inversion as inversionBytes } from '../../kernels/compiled.js';
import { MAX_FIELDS, RECORD } from '../../kernels/stream-layout.js';
import { createMemory, instantiate } from '../../wasm.js';
import type { PostingTables, RankingParameters, RowTables } from '../tables.js';
import { WorkMemory } from '../work-memory.js';
import type { InversionKernel } from './inversion-kernel.js';
import { PostingsWriter } from './postings-writer.js';
import { normsByLength, rowTables } from './row-tables.js';
import type { TokenTerms } from './token-terms.js';

/** Tokens are sorted by term in at most so many partitions, none but the last of which has fewer. */
const MAX_PARTITIONS = 4;
const MIN_PARTITION_TOKENS = 1 << 22;
const TOKEN_BYTES = 8;
/** Of the stream, and of records, that the kernel is given at once. */
const PIECE_BYTES = 1 << 16;
const PIECE_ROWS = 1 << 9;
const MEMORY_BYTES = 1 << 16;

/** The terms from `first` to `end`, which have so many tokens. */
interface Partition {
  readonly first: number;
  readonly end: number;
  readonly tokens: number;
}

function partitionsOf(counts: Uint32Array): readonly Partition[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const least = Math.max(MIN_PARTITION_TOKENS, Math.ceil(all / MAX_PARTITIONS));
  const partitions: Partition[] = [];
  for (let end = 0; end < counts.length; ) {
    const first = end;
    let tokens = 0;
    while (end < counts.length && tokens < least) tokens += counts[end++]!;
    partitions.push({ first, end, tokens });
  }
  return partitions;
}

/** Where in the kernel's memory what stands. */
interface Places {
  readonly lists: number;
  readonly weights: number;
  readonly counts: number;
  readonly recordStarts: number;
  readonly lengths: number;
  readonly fieldStarts: number;
}

export class Inverter {
  readonly #work = new WorkMemory(createMemory(MEMORY_BYTES), 4);
  readonly #kernel = instantiate<InversionKernel>(inversionBytes, this.#work.memory);
  readonly #stream: number;
  #end: number;

  constructor() {
    this.#stream = this.#work.allocate(0, 4);
    this.#end = this.#stream;
  }

  /** Adds entries to the stream. */
  add(entries: Int32Array): void {
    const at = this.#work.allocate(entries.byteLength, 4);
    new Int32Array(this.#work.memory.buffer, at, entries.length).set(entries);
    this.#end = at + entries.byteLength;
  }

  /** Everything of an index but its dictionary. To be called once. */
  finish(
    rowOf: Int32Array,
    { terms, termOf, lists }: TokenTerms,
    weights: readonly number[],
    ranking: RankingParameters,
  ): RowTables & PostingTables {
    const end = this.#end;
    this.add(Int32Array.of(RECORD));
    const rows = rowOf.reduce((last, row) => Math.max(last, row), -1) + 1;
    const fields = weights.length;
    const places: Places = {
      lists: this.#copy(lists),
      weights: this.#copy(Uint32Array.from({ length: MAX_FIELDS }, (_, field) => weights[field] ?? 0)),
      counts: this.#work.allocate(4 * terms),
      recordStarts: this.#work.allocate(4 * rows),
      lengths: this.#work.allocate(4 * rows),
      fieldStarts: this.#work.allocate(4 * rows * fields),
    };
    const { counts, recordStarts, lengths, fieldStarts } = places;
    const [termsAt, rowsAt] = [this.#copy(termOf), this.#copy(rowOf)];
    for (let at = this.#stream; at < end; at += PIECE_BYTES) {
      const to = Math.min(at + PIECE_BYTES, end);
      this.#kernel.measure(
        at,
        to,
        termsAt,
        places.lists,
        rowsAt,
        places.weights,
        fields,
        counts,
        recordStarts,
        lengths,
        fieldStarts,
      );
    }
    this.#kernel.endMeasure(fields, lengths, fieldStarts);
    const known = rowTables(
      this.#numbers(recordStarts, rows),
      this.#numbers(lengths, rows),
      this.#numbers(fieldStarts, rows * fields),
      weights,
      ranking,
    );
    return { ...known, ...this.#invert(known, places, terms) };
  }

  #invert(known: RowTables, places: Places, terms: number): PostingTables {
    const counts = this.#numbers(places.counts, terms).slice();
    const { lengths, recordStarts, lists, weights } = places;
    const partitions = partitionsOf(counts);
    const mostTokens = partitions.reduce((most, { tokens }) => Math.max(most, tokens), 0);
    const mostOfTerm = counts.reduce((most, count) => Math.max(most, count), 0);
    const inverseNorms = this.#copy(normsByLength(known).map((norm) => 1 / norm));
    const room = (): number => this.#work.allocate(4 * mostOfTerm);
    this.#kernel.useRows(known.rows, lengths, inverseNorms, weights, room(), room(), room());
    const writer = new PostingsWriter(this.#work, this.#kernel, known.rows, terms, mostTokens);
    const waiting = this.#work.allocate(4 * this.#kernel.maxStacked.value);
    const at = this.#work.allocate(TOKEN_BYTES * (mostTokens + 1));
    const next = this.#work.allocate(4 * terms);
    for (const { first, end } of partitions) {
      const starts = this.#numbers(next, end - first);
      let start = at;
      for (let term = first; term < end; term++) {
        starts[term - first] = start;
        start += TOKEN_BYTES * counts[term]!;
      }
      for (let row = 0; row < known.rows; row += PIECE_ROWS) {
        const to = Math.min(row + PIECE_ROWS, known.rows);
        this.#kernel.sort(row, to, recordStarts, lists, first, end, next, waiting);
      }
      writer.write(first, end - first, at, next);
    }
    return writer.finish();
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
