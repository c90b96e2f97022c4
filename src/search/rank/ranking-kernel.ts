/**
 * The kernels over one index (`kernels/ranking.ts`), and what they are asked in terms of its tables. They work in the memory
 * that the tables stand in: postings, positions, bitmaps and dense frequencies are read in place. What queries need besides
 * is allocated there once, some 9 bytes a row.
 */
import { addAll, type Bits } from '../../bits.js';
import { ranking as kernelBytes } from '../../kernels/compiled.js';
import { BITMAP, MARKS, PHRASE_WORD_NUMBERS, POSITIONS, SHIFT } from '../../kernels/phrases-layout.js';
import { instantiate, type SharedWasmMemory } from '../../wasm.js';
import { blockCount, createPostingBuffer, type PostingBuffer } from '../posting-format.js';
import { writeNorms } from '../scoring.js';
import type { IndexTables } from '../tables.js';
import { WorkMemory } from '../work-memory.js';

/** Rows that are read and scored together: their sums stay in the nearest cache. */
export const WINDOW_BITS = 12;
export const WINDOW_ROWS = 1 << WINDOW_BITS;

/** Words of a phrase that are looked at together: hardly a row holds so many in sequence and lacks the others. */
const MAX_PHRASE_KERNEL_WORDS = 4;

/** What `kernels/ranking.ts` exports; all but numbers of rows and frequencies are addresses. */
interface RankingKernelExports {
  addDense(dense: number, rows: number, weight: number, norms: number, sums: number): void;
  addPostings(starts: number, blocks: number, bits: number, weight: number, norms: number, sums: number): void;
  blendPostings(starts: number, blocks: number, bits: number, frequencies: number, limit: number): void;
  blendDense(dense: number, rows: number, frequencies: number, limit: number): void;
  markRows(starts: number, blocks: number, bits: number, bitmap: number): void;
  writeNonZero(bytes: number, length: number, into: number): void;
  maxByte(bytes: number, length: number): number;
  selectRows(accept: number, words: number, sums: number, least: number, into: number): number;
  keepWithPhrase(among: number, length: number, first: number, end: number, marks: number, mark: number): number;
}

interface PhraseWord {
  readonly term: number;
  readonly shift: number;
}

export class Kernels {
  /** One sum a row of the window, all 0 between uses. */
  readonly sums: Float64Array;
  /** One frequency a row, all 0 between uses. */
  readonly frequencies: Uint8Array;
  readonly norms: Float64Array;
  /** What `take` found. */
  readonly taken: Uint32Array;
  /** Postings of the window, which lists write. */
  readonly window: PostingBuffer = createPostingBuffer(WINDOW_ROWS);

  private readonly tables: IndexTables;
  private readonly kernel: RankingKernelExports;
  /** A bit for every row, all 0 between uses. */
  private readonly bitmap: Uint32Array;
  /** Bits of the rows of a window. */
  private readonly windowBits: Uint32Array;
  private readonly words: Uint32Array;
  private readonly marks: Uint32Array;
  private readonly inPlace: ReadonlySet<Uint8Array>;
  private readonly copy: Uint8Array;

  constructor(tables: IndexTables) {
    const { memory } = tables;
    const work = new WorkMemory<SharedWasmMemory>(memory, memory.buffer.byteLength);
    const rows = Math.ceil(tables.rows / WINDOW_ROWS) * WINDOW_ROWS;
    /** Memory and address of so many bytes. */
    const room = (bytes: number): [SharedArrayBuffer, number] => {
      const at = work.allocate(bytes);
      return [memory.buffer, at];
    };
    this.tables = tables;
    this.kernel = instantiate<RankingKernelExports>(kernelBytes, memory);
    this.norms = new Float64Array(...room(8 * rows), rows).fill(1, tables.rows).subarray(0, tables.rows);
    this.frequencies = new Uint8Array(...room(rows), rows);
    this.bitmap = new Uint32Array(...room(rows / 8), (tables.rows + 31) >>> 5);
    this.sums = new Float64Array(...room(8 * WINDOW_ROWS), WINDOW_ROWS);
    // The kernel writes an entry more than it keeps.
    this.taken = new Uint32Array(...room(4 * (WINDOW_ROWS + 1)), WINDOW_ROWS);
    this.windowBits = new Uint32Array(...room(WINDOW_ROWS / 8), WINDOW_ROWS / 32);
    this.copy = new Uint8Array(...room(WINDOW_ROWS), WINDOW_ROWS);
    const words = PHRASE_WORD_NUMBERS * MAX_PHRASE_KERNEL_WORDS;
    this.words = new Uint32Array(...room(4 * words), words);
    this.marks = new Uint32Array(...room(4 * MARKS), MARKS);
    this.inPlace = new Set(tables.dense);
    writeNorms(tables, this.norms);
  }

  /** Adds to `sums` what a frequency a row adds in the window that begins at row `base`. */
  addDense(frequencies: Uint8Array, base: number, weight: number): void {
    const dense = this.placeOf(frequencies, base);
    this.kernel.addDense(dense, this.rowsFrom(base), weight, this.normsAt(base), this.sums.byteOffset);
  }

  /** Adds to `sums` what a term adds that has postings, and blocks no longer than a window. */
  addPostings(term: number, base: number, weight: number): void {
    const bits = this.tables.blockBits[term]!;
    const first = base >>> bits;
    const blocks = Math.min(WINDOW_ROWS >>> bits, blockCount(this.tables, term) - first);
    const starts = this.startsOf(term, first);
    this.kernel.addPostings(starts, blocks, bits, weight, this.normsAt(base), this.sums.byteOffset);
  }

  /**
   * The rows of the window that are in `accept` and whose entries of `sums` reach `least`: so many entries of `taken`, from
   * 0 on.
   */
  take(accept: Bits, base: number, least: number): number {
    const { windowBits } = this;
    const words = Math.min(windowBits.length, accept.length - (base >>> 5));
    windowBits.set(accept.subarray(base >>> 5, (base >>> 5) + words));
    return this.kernel.selectRows(windowBits.byteOffset, words, this.sums.byteOffset, least, this.taken.byteOffset);
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

  /** Adds the frequencies of a term to `frequencies`, up to `limit`, which is below 255. */
  blend(term: number, limit: number): void {
    const { denseOfTerm, blockBits, rows } = this.tables;
    const at = this.frequencies.byteOffset;
    const dense = this.tables.dense[denseOfTerm[term]!];
    if (dense) this.kernel.blendDense(dense.byteOffset, (rows + 15) & -16, at, limit);
    else {
      const blocks = blockCount(this.tables, term);
      this.kernel.blendPostings(this.startsOf(term, 0), blocks, blockBits[term]!, at, limit);
    }
  }

  /** The rows that hold any of some terms, not to be written to. */
  rowsOf(terms: readonly number[]): Bits {
    const { bitmap, tables } = this;
    const [only] = terms;
    if (terms.length === 1 && tables.bitmapOfTerm[only!]! >= 0) return this.bitmapOf(only!);
    for (const term of terms) {
      const blocks = blockCount(tables, term);
      if (tables.bitmapOfTerm[term]! >= 0) addAll(bitmap, this.bitmapOf(term));
      else this.kernel.markRows(this.startsOf(term, 0), blocks, tables.blockBits[term]!, bitmap.byteOffset);
    }
    return this.takeBits();
  }

  /** Empties `bitmap` into a copy. */
  private takeBits(): Bits {
    const bits = this.bitmap.slice();
    this.bitmap.fill(0);
    return bits;
  }

  /** The rows that have a frequency, and the greatest one. */
  measureBlend(): { readonly bits: Bits; readonly maxFrequency: number } {
    const { byteOffset, length } = this.frequencies;
    this.kernel.writeNonZero(byteOffset, length, this.bitmap.byteOffset);
    return { bits: this.takeBits(), maxFrequency: this.kernel.maxByte(byteOffset, length) };
  }

  /** Empties `frequencies` into a copy. */
  takeDenseBlend(): Uint8Array {
    const dense = this.frequencies.slice(0, this.tables.rows);
    this.frequencies.fill(0);
    return dense;
  }

  /** Empties `frequencies` into postings, those of some rows. */
  takeBlend(rows: Uint32Array): PostingBuffer {
    const { frequencies } = this;
    const blend = { rows, frequencies: new Uint32Array(rows.length) };
    rows.forEach((row, i) => {
      blend.frequencies[i] = frequencies[row]!;
      frequencies[row] = 0;
    });
    return blend;
  }

  private frequencyOf(term: number): number {
    return this.tables.documentFrequencies[term]!;
  }

  private bitmapOf(term: number): Bits {
    return this.tables.bitmaps[this.tables.bitmapOfTerm[term]!]!;
  }

  /** Where the frequencies of a window stand: those of a term in place, those of a blend in a copy. */
  private placeOf(dense: Uint8Array, base: number): number {
    if (this.inPlace.has(dense)) return dense.byteOffset + base;
    const { copy } = this;
    const rows = Math.min(WINDOW_ROWS, dense.length - base);
    copy.set(dense.subarray(base, base + rows));
    copy.fill(0, rows);
    return copy.byteOffset;
  }

  private normsAt(base: number): number {
    return this.norms.byteOffset + 8 * base;
  }

  /** The rows of the window that begins at row `base`, up to a multiple of 16: zeros stand behind dense frequencies. */
  private rowsFrom(base: number): number {
    return Math.min(WINDOW_ROWS, (this.tables.rows - base + 15) & -16);
  }

  /** Where the index says where the i-th block of a term begins. */
  private startsOf(term: number, i: number): number {
    return this.tables.postingStarts.byteOffset + 4 * (this.tables.firstBlocks[term]! + i);
  }
}
