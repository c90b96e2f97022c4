/**
 * Calls the kernels of queries (`kernels/ranking.ts`) with the tables of one index. They work in the memory of the tables, and
 * read postings, positions, bitmaps and dense tables in place. Queries also need a sum and a bit for each row, which are
 * allocated there once.
 */
import { addAll, type Bits } from '../../bits.js';
import { ranking as kernelBytes } from '../../kernels/compiled.js';
import { BITMAP, MARKS, PHRASE_WORD_NUMBERS, POSITIONS, SHIFT } from '../../kernels/phrases-layout.js';
import { instantiate, type SharedWasmMemory } from '../../wasm.js';
import { blockCount } from '../posting-format.js';
import type { IndexTables } from '../tables.js';
import { WorkMemory } from '../work-memory.js';

/** The rows of a window: the bound that a sum must reach rises between windows. */
const WINDOW_BITS = 12;
export const WINDOW_ROWS = 1 << WINDOW_BITS;

/** The words of a phrase that the kernel compares: hardly a row has the four rarest in place and lacks another. */
const MAX_PHRASE_KERNEL_WORDS = 4;

/** A mask that any posting has a bit of. */
export const ANY_MASK = 0xff;

/** The exports of `kernels/ranking.ts`. Parameters are addresses, but for counts, bits, weights, masks and marks. */
interface RankingExports {
  impactOf(frequency: number, norm: number): number;
  addDense(impacts: number, rows: number, weight: number, sums: number): void;
  addPostings(starts: number, blocks: number, blockBits: number, weight: number, sums: number): void;
  markDense(masks: number, rows: number, mask: number, bitmap: number): void;
  markPostings(starts: number, blocks: number, blockBits: number, mask: number, bitmap: number): void;
  selectRows(accept: number, words: number, first: number, sums: number, least: number, into: number): number;
  keepWithPhrase(among: number, length: number, first: number, end: number, marks: number, mark: number): number;
}

interface PhraseWord {
  readonly term: number;
  readonly shift: number;
}

export class Kernels {
  private readonly tables: IndexTables;
  private readonly kernel: RankingExports;
  /** A sum for each row, all 0 between uses. */
  private readonly sums: Uint32Array;
  /** The rows that `selectRows` found. */
  private readonly selected: Uint32Array;
  /** A bit for every row, all 0 between uses. */
  private readonly bitmap: Uint32Array;
  /** Bits of the rows of a window. */
  private readonly windowBits: Uint32Array;
  private readonly words: Uint32Array;
  private readonly marks: Uint32Array;

  constructor(tables: IndexTables) {
    const { memory } = tables;
    const work = new WorkMemory<SharedWasmMemory>(memory, memory.buffer.byteLength);
    const rows = Math.ceil(tables.rows / WINDOW_ROWS) * WINDOW_ROWS;
    const numbers = (length: number): Uint32Array => {
      const at = work.allocate(4 * length);
      return new Uint32Array(memory.buffer, at, length);
    };
    this.tables = tables;
    this.kernel = instantiate<RankingExports>(kernelBytes, memory);
    this.sums = numbers(rows);
    // The kernel writes one entry behind the selected rows.
    this.selected = numbers(WINDOW_ROWS + 1);
    this.bitmap = numbers(rows / 32).subarray(0, (tables.rows + 31) >>> 5);
    this.windowBits = numbers(WINDOW_ROWS / 32);
    this.words = numbers(PHRASE_WORD_NUMBERS * MAX_PHRASE_KERNEL_WORDS);
    this.marks = numbers(MARKS);
  }

  impactOf(frequency: number, norm: number): number {
    return this.kernel.impactOf(frequency, norm);
  }

  /** Adds a term's weighted impacts to the rows' sums; the weight is a whole number. */
  addToSums(term: number, weight: number): void {
    const { kernel, sums, tables } = this;
    const dense = tables.dense[tables.denseOfTerm[term]!];
    if (dense) kernel.addDense(dense.byteOffset, dense.length / 2, weight, sums.byteOffset);
    else {
      const blockBits = tables.blockBits[term]!;
      const blocks = blockCount(tables, term);
      kernel.addPostings(this.startsOf(term), blocks, blockBits, weight, sums.byteOffset);
    }
  }

  sumOf(row: number): number {
    return this.sums[row]!;
  }

  clearSums(): void {
    this.sums.fill(0);
  }

  /** The rows of the window that begins at row `base` which are in `accept` and whose sums are not below `least`, ascending. */
  selectRows(accept: Bits, base: number, least: number): Uint32Array {
    const { kernel, selected, sums, windowBits } = this;
    const words = accept.subarray(base >>> 5, (base + WINDOW_ROWS) >>> 5);
    if (words.every((word) => word === 0)) return selected.subarray(0, 0);
    windowBits.set(words);
    const at = sums.byteOffset + 4 * base;
    const count = kernel.selectRows(windowBits.byteOffset, words.length, base, at, least, selected.byteOffset);
    return selected.subarray(0, count);
  }

  /**
   * Removes from `among` the rows that lack a phrase of at least two terms. Each term has a bitmap, and each row of `among` has
   * every term. Returns true if rows without the phrase may be left: of a long phrase, only the rarest words are compared.
   */
  keepWithPhrase(phrase: readonly number[], among: Bits): boolean {
    const places = [...phrase.keys()].sort((a, b) => this.frequencyOf(phrase[a]!) - this.frequencyOf(phrase[b]!));
    const words = places
      .slice(0, MAX_PHRASE_KERNEL_WORDS)
      .map((at) => ({ term: phrase[at]!, shift: phrase.length - at }));
    let isUnsure = phrase.length > MAX_PHRASE_KERNEL_WORDS;
    this.marks.fill(0);
    for (let base = 0; base < this.tables.rows; base += WINDOW_ROWS) {
      if (!this.keepInWindow(base, words, among)) isUnsure = true;
    }
    return isUnsure;
  }

  private keepInWindow(base: number, words: readonly PhraseWord[], among: Bits): boolean {
    const from = base >>> 5;
    const rows = among.subarray(from, from + (WINDOW_ROWS >>> 5));
    if (rows.every((word) => word === 0)) return true;
    words.forEach(({ term, shift }, i) => {
      const { positionStarts, firstBlocks, blockBits } = this.tables;
      this.words[PHRASE_WORD_NUMBERS * i + BITMAP] = this.bitmapOf(term).byteOffset + (base >>> 3);
      this.words[PHRASE_WORD_NUMBERS * i + POSITIONS] =
        positionStarts[firstBlocks[term]! + (base >>> blockBits[term]!)]!;
      this.words[PHRASE_WORD_NUMBERS * i + SHIFT] = shift;
    });
    const { windowBits } = this;
    windowBits.set(rows);
    const first = this.words.byteOffset;
    const end = first + 4 * PHRASE_WORD_NUMBERS * words.length;
    // Each window has a range of marks of its own: one for each row and word.
    const mark = 1 + base * words.length;
    const marks = this.marks.byteOffset;
    const phrasePositions = this.kernel.keepWithPhrase(windowBits.byteOffset, rows.length, first, end, marks, mark);
    rows.set(windowBits.subarray(0, rows.length));
    return phrasePositions >>> 0 < MARKS;
  }

  /** The rows that hold one of the terms in a field of the mask. Callers must not write to them. */
  rowsOf(terms: readonly number[], mask = ANY_MASK): Bits {
    const { bitmap, kernel, tables } = this;
    const [only] = terms;
    if (terms.length === 1 && mask === ANY_MASK && tables.bitmapOfTerm[only!]! >= 0) return this.bitmapOf(only!);
    for (const term of terms) {
      const dense = tables.dense[tables.denseOfTerm[term]!];
      if (mask === ANY_MASK && tables.bitmapOfTerm[term]! >= 0) addAll(bitmap, this.bitmapOf(term));
      else if (dense) {
        const rows = dense.length / 2;
        kernel.markDense(dense.byteOffset + rows, rows, mask, bitmap.byteOffset);
      } else {
        const blocks = blockCount(tables, term);
        kernel.markPostings(this.startsOf(term), blocks, tables.blockBits[term]!, mask, bitmap.byteOffset);
      }
    }
    const rows = bitmap.slice();
    bitmap.fill(0);
    return rows;
  }

  private frequencyOf(term: number): number {
    return this.tables.documentFrequencies[term]!;
  }

  private bitmapOf(term: number): Bits {
    return this.tables.bitmaps[this.tables.bitmapOfTerm[term]!]!;
  }

  /** The address of the entry of `postingStarts` for a term's first block. */
  private startsOf(term: number): number {
    return this.tables.postingStarts.byteOffset + 4 * this.tables.firstBlocks[term]!;
  }
}
