/**
 * The kernels over one index: their memory, and what they are asked in terms of the tables. Memory is laid out once: what
 * is known of rows stays there, 9 bytes a row; what a loop reads is copied in before it, a window of rows at a time.
 */
import { addAll, type Bits } from '../bits.js';
import { alignedWith, WORD_BYTES } from '../memory.js';
import { allocator, createMemory } from '../wasm.js';
import { createPhraseKernel, MARKS, type PhraseKernel, POSITIONS, ROWS, SHIFT, WORD_NUMBERS } from './phrase-kernel.js';
import { MOST_POSTING_BYTES, type PostingBuffer } from './posting-code.js';
import { createPostingKernel, type PostingKernel } from './posting-kernel.js';
import { blockCount } from './postings.js';
import { writeNorms } from './scoring.js';
import type { IndexTables } from './tables.js';

/** Rows that are read and scored together: their sums stay in the nearest cache. */
export const WINDOW_BITS = 12;
export const WINDOW = 1 << WINDOW_BITS;

/** So many words of a phrase are looked at together: hardly a row holds them in a row, but lacks the others. */
const MAX_WORDS = 4;

interface PhraseWord {
  readonly term: number;
  readonly shift: number;
}

const INPUT_BYTES = 1 << 18;

export class Kernels {
  /** One sum a row of the window, all 0 between uses. */
  readonly sums: Float64Array;
  /** What rows of the window can reach. */
  readonly bounds: Float64Array;
  /** One frequency a row, all 0 between uses. */
  readonly frequencies: Uint8Array;
  readonly norms: Float64Array;
  /** What `take` found; what `strongDense` did. */
  readonly taken: Uint32Array;
  readonly strong: PostingBuffer;

  private readonly tables: IndexTables;
  private readonly postings: PostingKernel;
  private readonly phrases: PhraseKernel;
  private readonly bytes: Uint8Array;
  /** The whole memory. */
  private readonly numbers: Uint32Array;
  private readonly startsAt: number;
  private readonly rows: Uint32Array;
  private readonly window: Uint32Array;
  private readonly words: Uint32Array;
  private readonly marks: Uint32Array;
  private readonly normsAt: number;
  private readonly input: number;
  private readonly inputBytes: number;
  private lastMark = 0;

  constructor(tables: IndexTables) {
    const rows = Math.ceil(tables.rows / WINDOW) * WINDOW;
    const inputBytes = Math.max(INPUT_BYTES, tables.maxInBlock * MOST_POSTING_BYTES);
    const place = allocator(16);
    const norms = place(8 * rows);
    const sums = place(8 * WINDOW);
    const bounds = place(8 * WINDOW);
    const frequencies = place(rows);
    const bits = place(rows / 8);
    const taken = place(4 * (WINDOW + 1));
    const strong = [0, 1].map(() => place(4 * (WINDOW + 1)));
    const starts = place(4 * (WINDOW + 2));
    const window = place(WINDOW / 8);
    const words = place(4 * WORD_NUMBERS * MAX_WORDS);
    const marks = place(4 * MARKS);
    // A copy may begin anywhere in a word.
    this.input = place(inputBytes + WORD_BYTES);
    this.inputBytes = inputBytes;
    const memory = createMemory(place(0));
    const { buffer } = memory;
    this.tables = tables;
    this.normsAt = norms;
    this.norms = new Float64Array(buffer, norms, tables.rows);
    this.sums = new Float64Array(buffer, sums, WINDOW);
    this.bounds = new Float64Array(buffer, bounds, WINDOW);
    this.frequencies = new Uint8Array(buffer, frequencies, rows);
    this.taken = new Uint32Array(buffer, taken, WINDOW);
    const [strongRows, strongFrequencies] = strong.map((at) => new Uint32Array(buffer, at, WINDOW + 1));
    this.strong = { rows: strongRows!, frequencies: strongFrequencies! };
    this.rows = new Uint32Array(buffer, bits, rows >>> 5);
    this.startsAt = starts;
    this.numbers = new Uint32Array(buffer);
    this.window = new Uint32Array(buffer, window, WINDOW >>> 5);
    this.words = new Uint32Array(buffer, words, WORD_NUMBERS * MAX_WORDS);
    this.marks = new Uint32Array(buffer, marks, MARKS);
    this.bytes = new Uint8Array(buffer);
    new Float64Array(buffer, norms, rows).fill(1, tables.rows);
    writeNorms(tables, this.norms);
    this.postings = createPostingKernel(memory);
    this.phrases = createPhraseKernel(memory);
  }

  /** Adds to `sums` what a frequency a row adds in the window that begins at row `base`. */
  addDense(dense: Uint8Array, base: number, weight: number): void {
    const rows = this.copyDense(dense, base);
    const { input } = this;
    this.postings.addDense(input, input, rows, weight, this.normsAt + 8 * base, this.sums.byteOffset);
  }

  /** Makes `bounds` the sums. */
  beginBounds(): void {
    this.bounds.set(this.sums);
  }

  /** Adds to `bounds` what a pair of two dense terms adds at most: it occurs no more often than either. */
  addPair(first: Uint8Array, second: Uint8Array, base: number, weight: number): void {
    const rows = this.copyDense(first, base);
    const other = this.input + WINDOW;
    this.bytes.copyWithin(other, this.input, this.input + rows);
    this.copyDense(second, base);
    this.postings.addDense(this.input, other, rows, weight, this.normsAt + 8 * base, this.bounds.byteOffset);
  }

  /** Adds to `sums` what a term adds that has postings, and ranges no longer than a window. */
  addPostings(term: number, base: number, weight: number): void {
    const bits = this.tables.blockBits[term]!;
    const first = base >>> bits;
    const ranges = Math.min(WINDOW >>> bits, blockCount(this.tables, term) - first);
    const { starts, shift } = this.copyRanges(term, first, ranges);
    this.postings.addPostings(starts, ranges, shift, bits, 0, weight, this.normsAt + 8 * base, this.sums.byteOffset);
  }

  /**
   * The rows of the window that are in `accept` and whose entries of `sums`, or of `bounds`, reach `least`: so many entries
   * of `taken`, from 0 on.
   */
  take(accept: Bits, base: number, least: number, of: Float64Array): number {
    const { window } = this;
    const words = Math.min(window.length, accept.length - (base >>> 5));
    window.set(accept.subarray(base >>> 5, (base >>> 5) + words));
    return this.postings.take(window.byteOffset, words, of.byteOffset, least, this.taken.byteOffset);
  }

  /**
   * Takes the rows out of `among` in which `phrase` does not occur, two terms at least that all have their rows as bits;
   * all of `among` hold all of them. Returns whether rows may be left in that should not be: of a long phrase, only the
   * rarest words are looked at.
   */
  keepWithPhrase(phrase: readonly number[], among: Bits): boolean {
    const places = [...phrase.keys()].sort((a, b) => this.frequencyOf(phrase[a]!) - this.frequencyOf(phrase[b]!));
    const words = places.slice(0, MAX_WORDS).map((at) => ({ term: phrase[at]!, shift: phrase.length - at }));
    let isUnsure = phrase.length > MAX_WORDS;
    for (let base = 0; base < this.tables.rows; base += WINDOW) {
      if (!this.keepInWindow(base, words, among)) isUnsure = true;
    }
    return isUnsure;
  }

  private keepInWindow(base: number, words: readonly PhraseWord[], among: Bits): boolean {
    const from = base >>> 5;
    const rows = among.subarray(from, from + (WINDOW >>> 5));
    if (rows.every((word) => word === 0)) return true;
    if (!this.copyWords(base, words)) return false;
    const { window, words: wordsAt } = this;
    window.set(rows);
    const first = wordsAt.byteOffset;
    const end = first + 4 * WORD_NUMBERS * words.length;
    const mark = this.nextMarks(words.length);
    const seen = this.phrases.keepWithPhrase(window.byteOffset, rows.length, first, end, this.marks.byteOffset, mark);
    rows.set(window.subarray(0, rows.length));
    return seen >>> 0 < MARKS;
  }

  /** Copies what the kernel reads of a phrase's words in a window; false where it does not fit, as of very long records. */
  private copyWords(base: number, words: readonly PhraseWord[]): boolean {
    const from = base >>> 5;
    let at = this.input;
    for (let i = 0; i < words.length; i++) {
      const { term, shift } = words[i]!;
      const rows = this.bitsOf(term).subarray(from, from + (WINDOW >>> 5));
      const positions = this.positionsIn(term, base);
      const positionsAt = alignedWith(positions.byteOffset, 1, at + WINDOW / 8);
      if (positionsAt + positions.length > this.input + this.inputBytes) return false;
      new Uint32Array(this.bytes.buffer, at, rows.length).set(rows);
      this.words[WORD_NUMBERS * i + ROWS] = at;
      at = positionsAt;
      this.bytes.set(positions, at);
      this.words[WORD_NUMBERS * i + POSITIONS] = at;
      this.words[WORD_NUMBERS * i + SHIFT] = shift;
      at = (at + positions.length + 3) & -4;
    }
    return true;
  }

  /** A mark below as many unused ones as a window has rows, times the words. */
  private nextMarks(words: number): number {
    if (this.lastMark > 2 ** 31) {
      this.marks.fill(0);
      this.lastMark = 0;
    }
    const mark = this.lastMark + 1;
    this.lastMark += WINDOW * words;
    return mark;
  }

  private frequencyOf(term: number): number {
    return this.tables.documentFrequencies[term]!;
  }

  private bitsOf(term: number): Bits {
    return this.tables.bitmaps[this.tables.bitmapOfTerm[term]!]!;
  }

  /** The positions of a term in a window. */
  private positionsIn(term: number, base: number): Uint8Array {
    const { bytes: positions, positionStarts, blockBits, firstBlocks } = this.tables;
    const bits = blockBits[term]!;
    const first = firstBlocks[term]!;
    const end = Math.min((base + WINDOW) >>> bits, blockCount(this.tables, term));
    return positions.subarray(positionStarts[first + (base >>> bits)], positionStarts[first + end]);
  }

  /** The rows of a dense term in a window whose f / (f + norm) may reach `saturation`: so many entries of `strong`. */
  strongDense(dense: Uint8Array, base: number, saturation: number): number {
    const rows = this.copyDense(dense, base);
    const { leastNorm } = this.tables;
    const share = shareOf(saturation);
    const least = leastFrequency(leastNorm, saturation);
    if (least > 255) return 0;
    const { rows: intoRows, frequencies: intoFrequencies } = this.strong;
    return this.postings.strongDense(
      this.input,
      rows,
      base,
      least,
      share,
      this.normsAt + 8 * base,
      intoRows.byteOffset,
      intoFrequencies.byteOffset,
    );
  }

  /** Adds the frequencies of a term to `frequencies`, up to `most`, which is below 255. */
  blend(term: number, most: number): void {
    const { denseOfTerm, dense, blockBits } = this.tables;
    const { frequencies } = this;
    if (denseOfTerm[term]! >= 0) {
      const bytes = dense[denseOfTerm[term]!]!;
      for (let base = 0; base < bytes.length; base += WINDOW) {
        const rows = this.copyDense(bytes, base);
        this.postings.blendDense(this.input, rows, frequencies.byteOffset + base, most);
      }
    } else {
      this.forEachRun(term, (starts, ranges, shift, row) =>
        this.postings.blend(starts, ranges, shift, blockBits[term]!, row, frequencies.byteOffset, most),
      );
    }
  }

  /** Adds the rows of terms that have postings to `bits`. */
  addRows(terms: readonly number[], bits: Bits): void {
    const { rows } = this;
    for (const term of terms) {
      this.forEachRun(term, (starts, ranges, shift, row) =>
        this.postings.addRows(starts, ranges, shift, this.tables.blockBits[term]!, row, rows.byteOffset),
      );
    }
    addAll(bits, rows.subarray(0, bits.length));
    rows.fill(0);
  }

  /** How many rows have a frequency, and the greatest one. */
  measureBlend(): { readonly size: number; readonly most: number } {
    const { byteOffset, length } = this.frequencies;
    if (length === 0) return { size: 0, most: 0 };
    return {
      size: this.postings.countBlended(byteOffset, length),
      most: this.postings.mostBlended(byteOffset, length),
    };
  }

  /** Calls `use` for the postings of a term, as many ranges at a time as there is room for. */
  private forEachRun(term: number, use: (starts: number, ranges: number, shift: number, row: number) => void): void {
    const { postingStarts, firstBlocks, blockBits } = this.tables;
    const first = firstBlocks[term]!;
    const ranges = blockCount(this.tables, term);
    for (let from = 0; from < ranges; ) {
      let to = Math.min(from + WINDOW, ranges);
      while (postingStarts[first + to]! - postingStarts[first + from]! > this.inputBytes) to = (from + to + 1) >>> 1;
      const { starts, shift } = this.copyRanges(term, from, to - from);
      use(starts, to - from, shift, from << blockBits[term]!);
      from = to;
    }
  }

  /** Copies the frequencies of a window, and zeros up to a multiple of 16; returns how many. */
  private copyDense(dense: Uint8Array, base: number): number {
    const count = Math.min(WINDOW, dense.length - base);
    const rows = (count + 15) & -16;
    this.bytes.set(dense.subarray(base, base + count), this.input);
    if (rows > count) this.bytes.fill(0, this.input + count, this.input + rows);
    return rows;
  }

  /** Copies postings of a term and their ranges' starts; returns where these stand, and what is to be added to them. */
  private copyRanges(term: number, first: number, ranges: number) {
    const { bytes: postings, postingStarts, firstBlocks } = this.tables;
    const from = firstBlocks[term]! + first;
    const begin = postingStarts[from]!;
    const starts = alignedWith(from, 4, this.startsAt);
    const input = alignedWith(begin, 1, this.input);
    this.numbers.set(postingStarts.subarray(from, from + ranges + 1), starts >> 2);
    this.bytes.set(postings.subarray(begin, postingStarts[from + ranges]!), input);
    return { starts, shift: input - begin };
  }
}

/** How many times its frequency a posting's norm is at most, if f / (f + norm) reaches `saturation`; a little more. */
const shareOf = (saturation: number): number =>
  saturation <= 0 ? Number.POSITIVE_INFINITY : (1 / saturation - 1) * (1 + 1e-9);

/** The least frequency with which f / (f + norm) may reach `saturation`, whatever the record. */
export const leastFrequency = (leastNorm: number, saturation: number): number => {
  const share = shareOf(saturation);
  return share <= 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(leastNorm / share - 1e-6));
};
