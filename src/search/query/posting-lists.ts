/**
 * Posting lists as scoring reads them: a term's own postings as the index holds them, or those of several tolerated
 * words blended into one list that behaves like a single term's. A list is read a window of rows at a time, and asked
 * about single rows.
 */
import { addAll, type Bits, hasBit, setAll, setBit } from '../../bits.js';
import { SATURATION_STEPS } from '../../kernels/posting-layout.js';
import {
  addTermRows,
  blockCount,
  createPostingBuffer,
  type PostingBuffer,
  readBlock,
  readPostings,
  readTerm,
} from '../posting-format.js';
import { SCORE_STEP, saturationFloor, score, scoreBound, termWeight } from '../scoring.js';
import type { IndexTables } from '../tables.js';
import { type Kernels, WINDOW_BITS, WINDOW_ROWS } from './kernels.js';
import type { Scratch } from './scratch.js';

export abstract class PostingList {
  /** Times f / (f + norm) gives what a posting adds to its record's score. */
  readonly weight: number;
  /** No posting adds more than this. */
  readonly upperBound: number;
  /** The word itself; a tolerated form of it otherwise. */
  readonly exact: boolean;
  /** The term; -1 for a blend of several. */
  readonly term: number;
  /** How many postings there are. */
  readonly size: number;
  /** The rows as bits where the index has them. */
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

  /** How many postings the list keeps in memory of its own. */
  get ownPostings(): number {
    return 0;
  }

  /** Begins again: windows and rows are asked for in ascending order until the next call. */
  abstract rewind(): void;
  /** A row's frequency, 0 if the list lacks it. */
  abstract frequencyAt(row: number): number;
  /**
   * Reads postings of the window that begins at row `base` to the beginning of the kernels' `strong`; returns how many.
   * Those of which f / (f + norm) is below `saturation` may be left out.
   */
  abstract readWindow(base: number, saturation: number, kernels: Kernels): number;

  /** Adds what the list adds to the rows of the window that begins at row `base` to the kernels' sums. */
  abstract addScores(base: number, kernels: Kernels): void;

  /** Adds the rows to `bits`. */
  abstract addRows(bits: Bits): void;
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
    return this.size;
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

  readWindow(base: number, _saturation: number, { strong }: Kernels): number {
    const { rows, frequencies } = this.postings;
    const end = base + WINDOW_ROWS;
    let at = this.goTo(base);
    let count = 0;
    for (; at < this.size && rows[at]! < end; at++) {
      strong.rows[count] = rows[at]!;
      strong.frequencies[count++] = frequencies[at]!;
    }
    this.readAt = at;
    return count;
  }

  addScores(base: number, { sums, norms }: Kernels): void {
    const { rows, frequencies } = this.postings;
    const { weight } = this;
    const end = base + WINDOW_ROWS;
    let at = this.goTo(base);
    for (; at < this.size && rows[at]! < end; at++) {
      const row = rows[at]!;
      sums[row - base]! += score(weight, frequencies[at]!, norms[row]!);
    }
    this.readAt = at;
  }

  /** Goes to the first posting of a row from `row` on. */
  private goTo(row: number): number {
    const { rows } = this.postings;
    if (this.readAt < this.size && rows[this.readAt]! < row) this.readAt = seek(rows, this.readAt, this.size, row);
    return this.readAt;
  }

  addRows(bits: Bits): void {
    setAll(bits, this.postings.rows);
  }
}

/** The postings of a term, read from the tables range by range; a window holds whole ranges. */
class BlockedList extends PostingList {
  private readonly tables: IndexTables;
  private readonly blockBits: number;
  private readonly ranges: number;
  private readonly held: PostingBuffer;
  private heldRange = -1;
  private heldCount = 0;
  private heldAt = 0;

  constructor(properties: ListProperties, tables: IndexTables) {
    super(properties);
    this.tables = tables;
    this.blockBits = tables.blockBits[this.term]!;
    this.ranges = blockCount(tables, this.term);
    this.held = createPostingBuffer(Math.min(1 << this.blockBits, this.size));
  }

  rewind(): void {
    this.heldAt = 0;
    this.heldRange = -1;
  }

  frequencyAt(row: number): number {
    if (this.bits && !hasBit(this.bits, row)) return 0;
    const range = row >>> this.blockBits;
    if (range !== this.heldRange) {
      this.heldCount = readBlock(this.tables, this.term, range, this.held);
      this.heldRange = range;
      this.heldAt = 0;
    }
    const { rows, frequencies } = this.held;
    let at = this.heldAt;
    while (at < this.heldCount && rows[at]! < row) at++;
    this.heldAt = at;
    return at < this.heldCount && rows[at] === row ? frequencies[at]! : 0;
  }

  readWindow(base: number, saturation: number, kernels: Kernels): number {
    // Most ranges are passed over: copying them into the kernel's memory takes longer than it saves.
    const { bytes: postings, postingStarts, blockBounds, firstBlocks, leastNorm } = this.tables;
    const firstRange = firstBlocks[this.term]!;
    const first = base >>> this.blockBits;
    const end = Math.min(first + (WINDOW_ROWS >>> this.blockBits), this.ranges);
    const enough = saturation * SATURATION_STEPS;
    const { frequency: least } = saturationFloor(leastNorm, saturation);
    let count = 0;
    for (let range = first; range < end; range++) {
      const i = firstRange + range;
      if (blockBounds[i]! < enough) continue;
      const row = range << this.blockBits;
      count = readPostings(postings, postingStarts[i]!, postingStarts[i + 1]!, row, least, kernels.strong, count);
    }
    return count;
  }

  addScores(base: number, kernels: Kernels): void {
    kernels.addPostings(this.term, base, this.weight);
  }

  addRows(bits: Bits): void {
    addTermRows(this.tables, bits, this.term);
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
    return this.term < 0 ? this.dense.length >>> 3 : 0;
  }

  rewind(): void {}

  frequencyAt(row: number): number {
    return this.dense[row]!;
  }

  readWindow(base: number, saturation: number, kernels: Kernels): number {
    return kernels.strongDense(this.dense, base, saturation);
  }

  addScores(base: number, kernels: Kernels): void {
    kernels.addDense(this.dense, base, this.weight);
  }

  addRows(bits: Bits): void {
    const { dense } = this;
    if (this.bits) addAll(bits, this.bits);
    else for (let row = 0; row < dense.length; row++) if (dense[row]! > 0) setBit(bits, row);
  }
}

export const documentFrequency = (tables: IndexTables, term: number): number => tables.documentFrequencies[term]!;

/** The list of a word itself, which the query says so many times. */
export const termList = (tables: IndexTables, term: number, times: number): PostingList =>
  weighedList(tables, term, times, true);

function weighedList(tables: IndexTables, term: number, share: number, exact: boolean): PostingList {
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
const MOST_BLENDED = 254;
/** A blend that more than one row in this many is in is kept as a byte a row. */
const DENSE_SHARE = 16;

/**
 * The list of tolerated forms of a word: the rows that hold any of `terms`, with the terms' frequencies added up;
 * `share` of a word's weight.
 */
export function toleratedList(
  tables: IndexTables,
  scratch: Scratch,
  terms: readonly number[],
  share: number,
): PostingList {
  if (terms.length === 1) return weighedList(tables, terms[0]!, share, false);
  const { kernels } = scratch;
  for (const term of terms) kernels.blend(term, MOST_BLENDED);
  const { size, maxFrequency } = kernels.measureBlend();
  const weight = share * termWeight(tables, size);
  const upperBound = scoreBound(weight, maxFrequency, tables.leastNorm);
  const properties = { weight, upperBound, exact: false, term: -1, size, bits: null };
  if (size * DENSE_SHARE > tables.rows) return new DenseList(properties, takeDense(kernels.frequencies, tables.rows));
  return new FlatList(properties, takeBlended(kernels.frequencies, scratch.fourFrequencies, size));
}

function takeDense(frequencies: Uint8Array, rows: number): Uint8Array {
  const dense = frequencies.slice(0, rows);
  frequencies.fill(0);
  return dense;
}

/** Empties the scratch into postings, four rows at a look. */
function takeBlended(frequencies: Uint8Array, fourFrequencies: Uint32Array, size: number): PostingBuffer {
  const blended = createPostingBuffer(size);
  let count = 0;
  for (let i = 0; count < size; i++) {
    if (fourFrequencies[i] === 0) continue;
    for (let row = 4 * i; row < 4 * i + 4; row++) {
      if (frequencies[row] === 0) continue;
      blended.rows[count] = row;
      blended.frequencies[count++] = frequencies[row]!;
    }
    fourFrequencies[i] = 0;
  }
  return blended;
}

/** The first entry from `from` on that is at least `row`: doubling steps, then halving. */
function seek(rows: Uint32Array, from: number, to: number, row: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && rows[low + step]! < row) {
    low += step;
    step <<= 1;
  }
  let high = Math.min(low + step, to);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
