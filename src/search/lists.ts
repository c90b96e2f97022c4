/**
 * Posting lists as scoring reads them: a term's own postings as the index holds them, or those of several tolerated
 * words blended into one list that behaves like a single term's. A list is read a window of rows at a time, and asked
 * about single rows.
 */
import { type Bits, hasBit, setAll } from '../bits.js';
import { type PostingBuffer, readPostings } from './posting-code.js';
import { addTermRows, createPostingBuffer, rangeCount, readDense, readRange, readTerm } from './postings.js';
import { type Scratch, WINDOW, WINDOW_BITS } from './scratch.js';
import { type IndexTables, SATURATION_STEPS } from './tables.js';

export abstract class PostingList {
  /** Times f / (f + norm) gives what a posting adds to its record's score. */
  readonly weight: number;
  /** No posting adds more than this. */
  readonly most: number;
  /** The word itself; a tolerated form of it otherwise. */
  readonly exact: boolean;
  /** The term; -1 for a blend of several. */
  readonly term: number;
  /** How many postings there are. */
  readonly size: number;
  /** The rows as bits where the index has them. */
  readonly bits: Bits | null;

  constructor(properties: ListProperties) {
    this.weight = properties.weight;
    this.most = properties.most;
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
   * Reads postings of the window that begins at row `base` to the beginning of `into`; returns how many. Those whose
   * frequency is below `least` may be left out, and those of which f / (f + norm) is below `saturation`.
   */
  abstract readWindow(base: number, least: number, saturation: number, into: PostingBuffer): number;

  /** Adds the rows to `bits`. */
  abstract addRows(bits: Bits): void;
}

type ListProperties = Pick<PostingList, 'weight' | 'most' | 'exact' | 'term' | 'size' | 'bits'>;

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

  readWindow(base: number, least: number, _saturation: number, into: PostingBuffer): number {
    const { rows, frequencies } = this.postings;
    const end = base + WINDOW;
    if (this.readAt < this.size && rows[this.readAt]! < base) this.readAt = seek(rows, this.readAt, this.size, base);
    let at = this.readAt;
    let count = 0;
    for (; at < this.size && rows[at]! < end; at++) {
      if (frequencies[at]! < least) continue;
      into.rows[count] = rows[at]!;
      into.frequencies[count++] = frequencies[at]!;
    }
    this.readAt = at;
    return count;
  }

  addRows(bits: Bits): void {
    setAll(bits, this.postings.rows);
  }
}

/** The postings of a term, read from the tables range by range; a window holds whole ranges. */
class RangedList extends PostingList {
  private readonly tables: IndexTables;
  private readonly rangeBits: number;
  private readonly ranges: number;
  private readonly held: PostingBuffer;
  private heldRange = -1;
  private heldCount = 0;
  private heldAt = 0;

  constructor(properties: ListProperties, tables: IndexTables) {
    super(properties);
    this.tables = tables;
    this.rangeBits = tables.rangeBits[this.term]!;
    this.ranges = rangeCount(tables, this.term);
    this.held = createPostingBuffer(Math.min(1 << this.rangeBits, this.size));
  }

  rewind(): void {
    this.heldAt = 0;
    this.heldRange = -1;
  }

  frequencyAt(row: number): number {
    if (this.bits && !hasBit(this.bits, row)) return 0;
    const range = row >>> this.rangeBits;
    if (range !== this.heldRange) {
      this.heldCount = readRange(this.tables, this.term, range, this.held);
      this.heldRange = range;
      this.heldAt = 0;
    }
    const { rows, frequencies } = this.held;
    let at = this.heldAt;
    while (at < this.heldCount && rows[at]! < row) at++;
    this.heldAt = at;
    return at < this.heldCount && rows[at] === row ? frequencies[at]! : 0;
  }

  readWindow(base: number, least: number, saturation: number, into: PostingBuffer): number {
    const { postings, postingStarts, rangeMost, firstRanges } = this.tables;
    const first = base >>> this.rangeBits;
    const end = Math.min(first + (WINDOW >>> this.rangeBits), this.ranges);
    const enough = saturation * SATURATION_STEPS;
    let count = 0;
    for (let range = first; range < end; range++) {
      const i = firstRanges[this.term]! + range;
      if (rangeMost[i]! < enough) continue;
      const row = range << this.rangeBits;
      count = readPostings(postings, postingStarts[i]!, postingStarts[i + 1]!, row, least, into, count);
    }
    return count;
  }

  addRows(bits: Bits): void {
    addTermRows(this.tables, bits, this.term);
  }
}

/** A term that most records hold: a frequency a row. */
class DenseList extends PostingList {
  private readonly tables: IndexTables;
  private readonly dense: Uint8Array;

  constructor(properties: ListProperties, tables: IndexTables) {
    super(properties);
    this.tables = tables;
    this.dense = tables.dense[tables.denseOfTerm[this.term]!]!;
  }

  rewind(): void {}

  frequencyAt(row: number): number {
    return this.dense[row]!;
  }

  readWindow(base: number, least: number, _saturation: number, into: PostingBuffer): number {
    return readDense(this.dense, base, base + WINDOW, Math.max(1, least), into);
  }

  addRows(bits: Bits): void {
    addTermRows(this.tables, bits, this.term);
  }
}

/** ln(1 + (N - n + 1/2) / (n + 1/2)): never negative (Robertson & Zaragoza 2009, section 3.3, with Lucene's 1 +). */
export const inverseDocumentFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));

export const documentFrequency = (tables: IndexTables, term: number): number => tables.documentFrequencies[term]!;

/** A term's weight: its inverse document frequency times k1 + 1. */
export const termWeight = (tables: IndexTables, frequency: number): number =>
  inverseDocumentFrequency(tables.documents, frequency) * (tables.k1 + 1);

/** Scores are whole multiples of 2^-32, so that sums are exact in any order and equal scores are equal numbers. */
const ROUNDING = 1.5 * 2 ** 20;
export const SCORE_STEP = 2 ** -32;
export const rounded = (score: number): number => score + ROUNDING - ROUNDING;

/** The list of a word itself, which the query says so many times. */
export const termList = (tables: IndexTables, term: number, times: number): PostingList =>
  weighedList(tables, term, times, true);

function weighedList(tables: IndexTables, term: number, share: number, exact: boolean): PostingList {
  const size = documentFrequency(tables, term);
  const weight = termWeight(tables, size) * share;
  const bits = tables.bitsOfTerm[term]!;
  const properties: ListProperties = {
    weight,
    most: weight * tables.mostSaturation[term]! + SCORE_STEP,
    exact,
    term,
    size,
    bits: bits < 0 ? null : tables.frequentBits[bits]!,
  };
  if (tables.denseOfTerm[term]! >= 0) return new DenseList(properties, tables);
  if (tables.rangeBits[term]! <= WINDOW_BITS) return new RangedList(properties, tables);
  return new FlatList(properties, readTerm(tables, term));
}

/** Frequencies of a blend are bytes. */
const MOST_BLENDED = 254;

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
  const postings = blend(tables, scratch, terms);
  const weight = share * termWeight(tables, postings.rows.length);
  let mostFrequency = 0;
  for (let i = 0; i < postings.frequencies.length; i++) {
    if (postings.frequencies[i]! > mostFrequency) mostFrequency = postings.frequencies[i]!;
  }
  const most = (weight * mostFrequency) / (mostFrequency + tables.leastNorm) + SCORE_STEP;
  const properties = { weight, most, exact: false, term: -1, size: postings.rows.length, bits: null };
  return new FlatList(properties, postings);
}

function blend(
  tables: IndexTables,
  { frequencies, fourFrequencies, range }: Scratch,
  terms: readonly number[],
): PostingBuffer {
  let size = 0;
  for (const term of terms) {
    const ranges = rangeCount(tables, term);
    for (let i = 0; i < ranges; i++) {
      const count = readRange(tables, term, i, range);
      for (let j = 0; j < count; j++) {
        const before = frequencies[range.rows[j]!]!;
        if (before === 0) size++;
        frequencies[range.rows[j]!] = Math.min(before + range.frequencies[j]!, MOST_BLENDED);
      }
    }
  }
  return takeBlended(frequencies, fourFrequencies, size);
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
