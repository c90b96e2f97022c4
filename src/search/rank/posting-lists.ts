/**
 * Posting lists as scoring reads them: a term's own postings as the index holds them, or those of the terms that a word
 * expands to, blended into one list that behaves like a single term's. A list is read a window of rows at a time, and asked
 * about single rows.
 */
import { firstWhere } from '../../binary-search.js';
import { type Bits, countBits, hasBit, membersAt } from '../../bits.js';
import { SATURATION_STEPS } from '../../kernels/posting-layout.js';
import {
  blockCount,
  createBlockBuffer,
  type PostingBuffer,
  readBlock,
  readDense,
  readPostings,
  readTerm,
} from '../posting-format.js';
import { SCORE_STEP, score, scoreBound, termWeight } from '../scoring.js';
import type { IndexTables } from '../tables.js';
import { type Kernels, WINDOW_BITS, WINDOW_ROWS } from './ranking-kernel.js';

export abstract class PostingList {
  /** Times f / (f + norm) gives what a posting adds to its record's score. */
  readonly weight: number;
  /** No posting adds more than this. */
  readonly upperBound: number;
  /** Of the word itself; else of what it expands to. */
  readonly exact: boolean;
  /** The term; -1 for a blend of several. */
  readonly term: number;
  /** How many postings there are. */
  readonly size: number;
  /** The rows as bits, where the index has them, and of a blend. */
  readonly bits: Bits | null;

  /** A frequency a row, where the list has it. */
  readonly dense: Uint8Array | null = null;

  constructor(properties: ListProperties) {
    this.weight = properties.weight;
    this.upperBound = properties.upperBound;
    this.exact = properties.exact;
    this.term = properties.term;
    this.size = properties.size;
    this.bits = properties.bits;
  }

  /** How many postings and words of bits the list keeps in memory of its own. */
  get ownPostings(): number {
    return 0;
  }

  /** Begins again: windows and rows are asked for in ascending order until the next call. */
  abstract rewind(): void;
  /** A row's frequency, 0 if the list lacks it. */
  abstract frequencyAt(row: number): number;
  /**
   * Reads postings of the window that begins at row `base` to the beginning of the kernels' `window`; returns how many.
   * Blocks in which no f / (f + norm) reaches `saturation` may be left out.
   */
  abstract readWindow(base: number, saturation: number, kernels: Kernels): number;

  /** Adds what the list adds to the rows of the window that begins at row `base` to the kernels' sums. */
  abstract addScores(base: number, kernels: Kernels): void;
}

type ListProperties = Pick<PostingList, 'weight' | 'upperBound' | 'exact' | 'term' | 'size' | 'bits'>;

/** Few postings, side by side in memory. */
class FlatList extends PostingList {
  private readonly postings: PostingBuffer;
  private readAt = 0;
  private askedAt = 0;

  constructor(properties: ListProperties, postings: PostingBuffer) {
    super(properties);
    this.postings = postings;
  }

  override get ownPostings(): number {
    return this.size + (this.bits?.length ?? 0);
  }

  rewind(): void {
    this.readAt = 0;
    this.askedAt = 0;
  }

  frequencyAt(row: number): number {
    const { rows } = this.postings;
    if (this.bits && !hasBit(this.bits, row)) return 0;
    this.askedAt = seek(rows, this.askedAt, this.size, row);
    return this.askedAt < this.size && rows[this.askedAt] === row ? this.postings.frequencies[this.askedAt]! : 0;
  }

  readWindow(base: number, _saturation: number, { window }: Kernels): number {
    const { rows, frequencies } = this.postings;
    const end = base + WINDOW_ROWS;
    let at = seek(rows, this.readAt, this.size, base);
    let count = 0;
    for (; at < this.size && rows[at]! < end; at++) {
      window.rows[count] = rows[at]!;
      window.frequencies[count++] = frequencies[at]!;
    }
    this.readAt = at;
    return count;
  }

  addScores(base: number, { sums, norms }: Kernels): void {
    const { rows, frequencies } = this.postings;
    const { weight } = this;
    const end = base + WINDOW_ROWS;
    let at = seek(rows, this.readAt, this.size, base);
    for (; at < this.size && rows[at]! < end; at++) {
      const row = rows[at]!;
      sums[row - base]! += score(weight, frequencies[at]!, norms[row]!);
    }
    this.readAt = at;
  }
}

/** The postings of a term, read from the tables block by block; a window holds whole blocks. */
class BlockedList extends PostingList {
  private readonly tables: IndexTables;
  private readonly blockBits: number;
  private readonly blocks: number;
  private readonly postings: PostingBuffer;
  private block = -1;
  private count = 0;
  private at = 0;

  constructor(properties: ListProperties, tables: IndexTables) {
    super(properties);
    this.tables = tables;
    this.blockBits = tables.blockBits[this.term]!;
    this.blocks = blockCount(tables, this.term);
    this.postings = createBlockBuffer(tables, this.term);
  }

  rewind(): void {
    this.at = 0;
    this.block = -1;
  }

  frequencyAt(row: number): number {
    if (this.bits && !hasBit(this.bits, row)) return 0;
    const block = row >>> this.blockBits;
    if (block !== this.block) {
      this.count = readBlock(this.tables, this.term, block, this.postings);
      this.block = block;
      this.at = 0;
    }
    const { rows, frequencies } = this.postings;
    let at = this.at;
    while (at < this.count && rows[at]! < row) at++;
    this.at = at;
    return at < this.count && rows[at] === row ? frequencies[at]! : 0;
  }

  readWindow(base: number, saturation: number, kernels: Kernels): number {
    const { bytes, postingStarts, blockBounds, firstBlocks } = this.tables;
    const firstBlock = firstBlocks[this.term]!;
    const first = base >>> this.blockBits;
    const end = Math.min(first + (WINDOW_ROWS >>> this.blockBits), this.blocks);
    const enough = saturation * SATURATION_STEPS;
    let count = 0;
    for (let block = first; block < end; block++) {
      const i = firstBlock + block;
      if (blockBounds[i]! < enough) continue;
      const row = block << this.blockBits;
      count = readPostings(bytes, postingStarts[i]!, postingStarts[i + 1]!, row, kernels.window, count);
    }
    return count;
  }

  addScores(base: number, kernels: Kernels): void {
    kernels.addPostings(this.term, base, this.weight);
  }
}

/** Many postings: a frequency a row. */
class DenseList extends PostingList {
  override readonly dense: Uint8Array;

  constructor(properties: ListProperties, dense: Uint8Array) {
    super(properties);
    this.dense = dense;
  }

  /** What postings side by side take is 8 bytes. */
  override get ownPostings(): number {
    return this.term < 0 ? (this.dense.length >>> 3) + (this.bits?.length ?? 0) : 0;
  }

  rewind(): void {}

  frequencyAt(row: number): number {
    return this.dense[row]!;
  }

  readWindow(base: number, _saturation: number, { window }: Kernels): number {
    return readDense(this.dense, base, base + WINDOW_ROWS, window);
  }

  addScores(base: number, kernels: Kernels): void {
    kernels.addDense(this.dense, base, this.weight);
  }
}

export const documentFrequency = (tables: IndexTables, term: number): number => tables.documentFrequencies[term]!;

/** The list of a word itself, which the query says so many times. */
export const termList = (tables: IndexTables, term: number, times: number): PostingList =>
  listOf(tables, term, times, true);

function listOf(tables: IndexTables, term: number, share: number, exact: boolean): PostingList {
  const size = documentFrequency(tables, term);
  const weight = termWeight(tables, size) * share;
  const bits = tables.bitmapOfTerm[term]!;
  const properties: ListProperties = {
    weight,
    upperBound: weight * tables.maxSaturations[term]! + SCORE_STEP,
    exact,
    term,
    size,
    bits: bits < 0 ? null : tables.bitmaps[bits]!,
  };
  if (tables.denseOfTerm[term]! >= 0) return new DenseList(properties, tables.dense[tables.denseOfTerm[term]!]!);
  if (tables.blockBits[term]! <= WINDOW_BITS) return new BlockedList(properties, tables);
  return new FlatList(properties, readTerm(tables, term));
}

/** Frequencies of a blend are bytes. */
const MAX_BLENDED_FREQUENCY = 254;
/** A blend that a larger share of the rows is in is kept as a byte a row. */
const MIN_DENSE_SHARE = 1 / 16;

/**
 * The list of what a word expands to: the rows that hold any of `terms`, with the terms' frequencies added up; `share` of
 * a word's weight.
 */
export function expansionList(
  tables: IndexTables,
  kernels: Kernels,
  terms: readonly number[],
  share: number,
): PostingList {
  if (terms.length === 1) return listOf(tables, terms[0]!, share, false);
  for (const term of terms) kernels.blend(term, MAX_BLENDED_FREQUENCY);
  const { bits, maxFrequency } = kernels.measureBlend();
  const size = countBits(bits);
  const weight = share * termWeight(tables, size);
  const upperBound = scoreBound(weight, maxFrequency, tables.leastNorm);
  const properties = { weight, upperBound, exact: false, term: -1, size, bits };
  return size > tables.rows * MIN_DENSE_SHARE
    ? new DenseList(properties, kernels.takeDenseBlend())
    : new FlatList(properties, kernels.takeBlend(membersAt(bits, 0, size)));
}

/** The first entry from `from` on that is at least `row`: doubling steps, then halving. */
function seek(rows: Uint32Array, from: number, to: number, row: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && rows[low + step]! < row) {
    low += step;
    step <<= 1;
  }
  return firstWhere(low, Math.min(low + step, to), (i) => rows[i]! >= row);
}
