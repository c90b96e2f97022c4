/**
 * The kernels over one index (`kernels/ranking.ts`), and what they are asked in terms of its tables. They work in the memory
 * that the tables stand in: postings, positions, bitmaps and dense impacts are read in place. Queries need a sum and a bit a row
 * besides, which are allocated there once.
 */
import { addAll, type Bits } from '../../bits.js';
import { ranking as kernelBytes } from '../../kernels/compiled.js';
import { BITMAP, MARKS, PHRASE_WORD_NUMBERS, POSITIONS, SHIFT } from '../../kernels/phrases-layout.js';
import { instantiate, type SharedWasmMemory } from '../../wasm.js';
import { blockCount } from '../posting-format.js';
import type { IndexTables } from '../tables.js';
import { WorkMemory } from '../work-memory.js';

/** Rows whose sums are looked at together: each time the least that is wanted has risen. */
const WINDOW_BITS = 12;
export const WINDOW_ROWS = 1 << WINDOW_BITS;

/** Words of a phrase that are looked at together: hardly a row holds so many in sequence and lacks the others. */
const MAX_PHRASE_KERNEL_WORDS = 4;

/** A mask that any posting has a bit of. */
export const ANY_MASK = 0xff;

/** What `kernels/ranking.ts` exports; all but numbers of rows, bits, weights and masks are addresses. */
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
  /** A sum a row, all 0 between uses. */
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
    // The kernel writes an entry more than it keeps.
    this.selected = numbers(WINDOW_ROWS + 1);
    this.bitmap = numbers(rows / 32).subarray(0, (tables.rows + 31) >>> 5);
    this.windowBits = numbers(WINDOW_ROWS / 32);
    this.words = numbers(PHRASE_WORD_NUMBERS * MAX_PHRASE_KERNEL_WORDS);
    this.marks = numbers(MARKS);
  }

  impactOf(frequency: number, norm: number): number {
    return this.kernel.impactOf(frequency, norm);
  }

  /** Adds what a term of this weight, a whole number, adds to the rows' sums. */
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
   * Takes the rows out of `among` in which `phrase` does not occur, two terms at least that all have a bitmap; all of
   * `among` hold all of them. Returns whether rows may be left in that should not be: of a long phrase, only the rarest
   * words are looked at.
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
    // Below as many unused ones as the window has rows, times the words.
    const mark = 1 + base * words.length;
    const marks = this.marks.byteOffset;
    const seen = this.kernel.keepWithPhrase(windowBits.byteOffset, rows.length, first, end, marks, mark);
    rows.set(windowBits.subarray(0, rows.length));
    return seen >>> 0 < MARKS;
  }

  /** The rows that hold any of some terms in a field of the mask, not to be written to. */
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

  /** Where the index says where the first block of a term begins. */
  private startsOf(term: number): number {
    return this.tables.postingStarts.byteOffset + 4 * this.tables.firstBlocks[term]!;
  }
}
