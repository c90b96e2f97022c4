/**
 * Calls the kernels of queries (`kernels/ranking.ts`) with the tables of one index. They work in the memory of the tables, and
 * read postings, positions, bitmaps and dense tables in place. Queries also need a sum, a number and some bits for each row, and a
 * phrase, which are allocated there once.
 */
import { assert } from '../../assert.js';
import { addAll, type Bits, createBits, keepAll } from '../../bits.js';
import { ranking as kernelBytes } from '../../kernels/compiled.js';
import { POSITION_MASK } from '../../kernels/inversion-layout.js';
import { ANY_FIELD, CURSOR_NUMBERS, HEAD_NUMBERS, MAX_DISTANCE, NO_ROW } from '../../kernels/phrases-layout.js';
import { ANY_MASK } from '../../kernels/posting-layout.js';
import { instantiate, type SharedWasmMemory } from '../../wasm.js';
import { MAX_ROWS, MAX_SUM } from '../scoring.js';
import { blockCount, documentFrequency, type PostingTables, type RowTables } from '../tables.js';
import { WorkMemory } from '../work-memory.js';

/** The most terms of a phrase: the kernel reaches back to the first one. */
export const MAX_PHRASE_TERMS = MAX_DISTANCE;
/** The least number of rows that a pass over the sums selects before the best are sorted. */
const MIN_SELECTED_ROWS = 256;

/** A view of numbers in the memory of the tables. */
interface NumbersView<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: SharedArrayBuffer, at: number, length: number): T;
}

/** The exports of `kernels/ranking.ts`. Parameters are addresses, but for counts, bits, weights, masks and rows. */
interface RankingExports {
  addDense(impacts: number, rows: number, weight: number, sums: number): void;
  addPostings(starts: number, blocks: number, blockBits: number, weight: number, sums: number): void;
  markPostings(
    starts: number,
    blocks: number,
    blockBits: number,
    usualMask: number,
    mask: number,
    bitmap: number,
  ): void;
  selectRows(
    set: number,
    words: number,
    from: number,
    sums: number,
    limit: number,
    rows: number,
    space: number,
  ): number;
  clear(at: number, bytes: number): void;
  frequencyIn(phrase: number, terms: number, row: number): number;
  keepWithPhrase(phrase: number, terms: number, field: number, rows: number, words: number): void;
}

/** A term of a phrase, and its position there. */
interface PhraseTerm {
  readonly term: number;
  readonly position: number;
}

export class Kernels {
  private readonly tables: PostingTables & RowTables;
  private readonly kernel: RankingExports;
  /** A sum for each row, all 0 between uses. */
  readonly sums: Uint32Array;
  private readonly selected: Uint32Array;
  /** A bit for each row, all 0 between uses. */
  private readonly marks: Uint32Array;
  /** A set of rows that a kernel is called with. */
  private readonly rows: Uint32Array;
  /** The address of `MAX_PHRASE_TERMS` bitmaps, in which the rows of a phrase's terms are marked. */
  private readonly bitmaps: number;
  /** A head and a cursor for each term, in the order of `phrases-layout.ts`; the kernel writes the last number of a cursor. */
  private readonly phrase: Int32Array;
  private phraseTerms = 0;
  private readonly fieldWeights: number;
  /** Addresses of a bit for each position, and of two arrays of positions: pages that are not written to take no memory. */
  private readonly positions: readonly number[];

  constructor(tables: PostingTables & RowTables) {
    const { memory } = tables;
    const work = new WorkMemory<SharedWasmMemory>(memory, memory.buffer.byteLength);
    const words = (tables.rows + 31) >>> 5;
    const numbers = <T>(View: NumbersView<T>, length: number): T => {
      const at = work.allocate(View.BYTES_PER_ELEMENT * length);
      return new View(memory.buffer, at, length);
    };
    this.tables = tables;
    this.kernel = instantiate<RankingExports>(kernelBytes, memory);
    // The kernels add to 16 rows at a time, and read the sums of 32.
    this.sums = numbers(Uint32Array, 32 * words);
    this.selected = numbers(Uint32Array, 2 * tables.rows + MIN_SELECTED_ROWS);
    this.marks = numbers(Uint32Array, words);
    this.rows = numbers(Uint32Array, words);
    this.bitmaps = work.allocate(4 * words * MAX_PHRASE_TERMS);
    this.phrase = numbers(Int32Array, HEAD_NUMBERS + CURSOR_NUMBERS * MAX_PHRASE_TERMS);
    const positions = POSITION_MASK + 1 + 2 * MAX_DISTANCE;
    this.positions = [positions / 8, 4 * positions, 4 * positions].map((bytes) => work.allocate(bytes));
    this.fieldWeights = work.copy(Uint32Array.from(tables.fieldWeights));
  }

  /** Adds a term's weighted impacts to the rows' sums; the weight is a whole number. */
  addToSums(term: number, weight: number): void {
    assert(() => Number.isInteger(weight) && weight > 0, 'a weight is a whole number of at least 1');
    const { kernel, sums, tables } = this;
    const dense = tables.dense.get(term);
    const blocks = blockCount(tables, term);
    if (dense) kernel.addDense(dense.impacts.byteOffset, dense.impacts.length, weight, sums.byteOffset);
    else kernel.addPostings(this.startsOf(term), blocks, tables.blockBits[term]!, weight, sums.byteOffset);
  }

  /** The `count` best rows of a set, or all if there are fewer, in the order of `bySum`. */
  bestRows(set: Bits, count: number): Uint32Array {
    const { kernel, rows, selected, sums } = this;
    assert(() => sums.every((sum) => sum < 2 * MAX_SUM), 'the sum of a row has at most 29 bits');
    const space = 2 * count + MIN_SELECTED_ROWS;
    rows.set(set);
    let best = new Uint32Array(0);
    for (let word = 0; word < rows.length; ) {
      // Rows ascend, so a later row needs a greater sum than the last of the best.
      const limit = best.length < count ? 0 : sums[best[count - 1]!]! + 1;
      const [at, left] = [selected.byteOffset + 4 * best.length, space - best.length];
      selected.set(best);
      const added = kernel.selectRows(rows.byteOffset, rows.length, word, sums.byteOffset, limit, at, left);
      const end = best.length + added;
      // The kernel stops where the 32 rows of a word might not have room: it goes on behind the last row that it selected.
      const hasStopped = added + 32 > left;
      word = hasStopped ? (selected[end - 1]! >>> 5) + 1 : rows.length;
      best = this.bySum(selected.subarray(0, end)).subarray(0, count);
    }
    return best;
  }

  /** Rows in descending order of their sums, ties by row. */
  bySum(rows: Uint32Array): Uint32Array<ArrayBuffer> {
    const { sums } = this;
    // Sorting numbers takes a third of the time of a comparing sort: a key is a sum and a row as one number.
    const keys = new Float64Array(rows.length);
    for (let i = 0; i < keys.length; i++) keys[i] = rows[i]! - sums[rows[i]!]! * MAX_ROWS;
    keys.sort();
    const sorted = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; i++) {
      const sum = Math.ceil(-keys[i]! / MAX_ROWS);
      sorted[i] = keys[i]! + sum * MAX_ROWS;
    }
    return sorted;
  }

  /** Makes all sums 0. */
  clearSums(): void {
    this.kernel.clear(this.sums.byteOffset, this.sums.byteLength);
  }

  /** The rows that hold one of the terms in a field of the mask. Masks do not narrow dense terms. Callers must not write to the rows. */
  rowsOf(terms: readonly number[], mask = ANY_MASK): Bits {
    const [only] = terms;
    const dense = terms.length === 1 ? this.tables.dense.get(only!) : undefined;
    if (dense !== undefined) return dense.rows;
    this.markRowsOf(terms, mask);
    // Faster than a slice of shared memory.
    const rows = createBits(this.tables.rows);
    rows.set(this.marks);
    this.marks.fill(0);
    return rows;
  }

  /** Removes from `rows` the rows that are not in `rowsOf`. */
  keepRowsOf(terms: readonly number[], rows: Bits, mask = ANY_MASK): void {
    this.markRowsOf(terms, mask, rows);
    keepAll(rows, this.marks);
    this.marks.fill(0);
  }

  /** Sets the phrase that the next two methods look for. Its rarest term leads. */
  setPhrase(terms: readonly PhraseTerm[]): void {
    const { phrase, tables } = this;
    const { fieldStarts, fieldWeights, positionStarts } = tables;
    const frequencyOf = ({ term }: PhraseTerm): number => documentFrequency(tables, term);
    assert(() => terms.length > 0 && terms.length <= MAX_PHRASE_TERMS, 'a phrase has some terms, and not too many');
    assert(() => terms.every((term) => frequencyOf(term) > 0), 'some record holds each term of a phrase');
    const rarestFirst = terms.toSorted((a, b) => frequencyOf(a) - frequencyOf(b));
    const startShift = Math.log2(fieldStarts.BYTES_PER_ELEMENT);
    phrase.set([fieldStarts.byteOffset, startShift, fieldWeights.length, this.fieldWeights, ...this.positions]);
    rarestFirst.forEach(({ term, position }, i) => {
      const cursor = [
        this.bitmapOf(term, i),
        positionStarts.byteOffset + 4 * tables.firstBlocks[term]!,
        tables.blockBits[term]!,
        position - rarestFirst[0]!.position,
        NO_ROW,
      ];
      phrase.set(cursor, HEAD_NUMBERS + CURSOR_NUMBERS * i);
    });
    this.phraseTerms = terms.length;
  }

  /** The occurrences of the phrase in a row, each weighted by its field. */
  frequencyIn(row: number): number {
    return this.kernel.frequencyIn(this.phrase.byteOffset, this.phraseTerms, row);
  }

  /** Removes from `rows` the rows that lack the phrase, or have it in other fields only. */
  keepWithPhrase(rows: Bits, field = ANY_FIELD): void {
    this.rows.set(rows);
    this.kernel.keepWithPhrase(this.phrase.byteOffset, this.phraseTerms, field, this.rows.byteOffset, rows.length);
    rows.set(this.rows);
  }

  /** The address of the bitmap of the rows of a phrase's i-th term. */
  private bitmapOf(term: number, i: number): number {
    const { kernel, marks, tables } = this;
    const dense = tables.dense.get(term);
    if (dense !== undefined) return dense.rows.byteOffset;
    const address = this.bitmaps + i * marks.byteLength;
    kernel.clear(address, marks.byteLength);
    this.markPostings(term, ANY_MASK, address);
    return address;
  }

  /** Marks the rows that have one of the terms. With `rows` it stops once all of these are marked. */
  private markRowsOf(terms: readonly number[], mask: number, rows?: Bits): void {
    const { marks, tables } = this;
    assert(() => marks.every((word) => word === 0), 'no mark is left from an earlier use');
    /** All of the rows in the words of bits before this one are marked. */
    let markedWords = 0;
    for (const term of terms) {
      if (rows !== undefined) {
        while (markedWords < rows.length && (rows[markedWords]! & ~marks[markedWords]!) === 0) markedWords++;
        if (markedWords === rows.length) return;
      }
      const dense = tables.dense.get(term);
      if (dense) addAll(marks, dense.rows);
      else this.markPostings(term, mask, marks.byteOffset);
    }
  }

  /** Sets the bits of the rows whose postings of a term, which is not dense, have a bit of the mask. */
  private markPostings(term: number, mask: number, bitmap: number): void {
    const { kernel, tables } = this;
    const [bits, usual] = [tables.blockBits[term]!, tables.usualMasks[term]!];
    kernel.markPostings(this.startsOf(term), blockCount(tables, term), bits, usual, mask, bitmap);
  }

  /** The address of the entry of `postingStarts` for a term's first block. */
  private startsOf(term: number): number {
    return this.tables.postingStarts.byteOffset + 4 * this.tables.firstBlocks[term]!;
  }
}
