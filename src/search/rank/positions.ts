/**
 * A cursor over a term's positions. It seeks a row from the beginning of its block, or onwards from the row read last: rows
 * in ascending order cost one pass over the term's bytes. To read the same row again is free.
 */
import { type Bits, hasBit } from '../../bits.js';
import {
  createBlockBuffer,
  impactsOf,
  type PositionBuffer,
  type PostingBuffer,
  readBlock,
  readPositions,
  skipManyPositions,
} from '../posting-format.js';
import type { IndexTables } from '../tables.js';

/** The first size of a position buffer, which grows with a record of more positions. */
const POSITION_CAPACITY = 64;

export class PositionCursor implements PositionBuffer {
  /** The term's positions in the row read last, ascending: `count` of them. */
  positions: Uint32Array = new Uint32Array(POSITION_CAPACITY);
  count = 0;

  private readonly tables: IndexTables;
  private readonly term: number;
  private readonly blockBits: number;
  private readonly bits: Bits | null;
  private readonly dense: Uint8Array | null;
  /** The postings of the block, unless the term is dense; `postingAt` is the first that was not passed yet. */
  private readonly postings: PostingBuffer;
  private postingCount = 0;
  private postingAt = 0;

  private row = -1;
  private block = -1;
  /** Every posting before row `next` is passed; the positions of the next posting begin at `positionAt`. */
  private next = 0;
  private positionAt = 0;

  constructor(tables: IndexTables, term: number) {
    const dense = tables.denseOfTerm[term]!;
    const bits = tables.bitmapOfTerm[term]!;
    this.tables = tables;
    this.term = term;
    this.blockBits = tables.blockBits[term]!;
    this.bits = bits < 0 ? null : tables.bitmaps[bits]!;
    this.dense = dense < 0 ? null : impactsOf(tables.dense[dense]!);
    this.postings = createBlockBuffer(tables, term);
  }

  /** Reads the positions in a row; false where it lacks the term. */
  read(row: number): boolean {
    if (row === this.row) return this.count > 0;
    this.row = row;
    this.count = 0;
    if (!this.goTo(row)) return false;
    this.positionAt = readPositions(this.tables.bytes, this.positionAt, this);
    return true;
  }

  /** Whether the term stands in a field of the row read last. */
  isIn(field: number): boolean {
    const { positions, count, row, tables } = this;
    for (let i = 0; i < count; i++) if (isInField(tables, row, field, positions[i]!)) return true;
    return false;
  }

  /** The index of the first position that is at least `position`, from index `from` on, in the row read last. */
  positionFrom(from: number, position: number): number {
    let at = from;
    while (at < this.count && this.positions[at]! < position) at++;
    return at;
  }

  /** Whether the position of index `at` is `position`, in the row read last. */
  isAt(at: number, position: number): boolean {
    return at < this.count && this.positions[at] === position;
  }

  /** Goes to a row's positions; false where it lacks the term. */
  private goTo(row: number): boolean {
    const { dense } = this;
    if (this.bits && !hasBit(this.bits, row)) return false;
    const block = row >>> this.blockBits;
    if (block !== this.block || row < this.next) this.beginBlock(block);
    const passed = dense ? this.passedDense(dense, row) : this.passPostings(row);
    if (passed > 0) this.positionAt = skipManyPositions(this.tables.bytes, this.positionAt, passed);
    this.next = row + 1;
    return dense ? dense[row]! > 0 : this.isPosting(row);
  }

  private beginBlock(block: number): void {
    const { tables, term } = this;
    this.block = block;
    this.next = block << this.blockBits;
    this.positionAt = tables.positionStarts[tables.firstBlocks[term]! + block]!;
    this.postingAt = 0;
    if (!this.dense) this.postingCount = readBlock(tables, term, block, this.postings);
  }

  /** The number of postings of a dense term between `next` and a row. */
  private passedDense(dense: Uint8Array, row: number): number {
    let passed = 0;
    for (let other = this.next; other < row; other++) passed += dense[other]! > 0 ? 1 : 0;
    return passed;
  }

  private passPostings(row: number): number {
    const { rows } = this.postings;
    const { postingAt, postingCount } = this;
    let at = postingAt;
    while (at < postingCount && rows[at]! < row) at++;
    this.postingAt = at;
    return at - postingAt;
  }

  /** Whether the next posting is that of a row; passes it in that case. */
  private isPosting(row: number): boolean {
    const at = this.postingAt;
    if (at === this.postingCount || this.postings.rows[at] !== row) return false;
    this.postingAt = at + 1;
    return true;
  }
}

/** Whether a position of a row lies in a field. */
export function isInField({ fieldStarts, fieldWeights }: IndexTables, row: number, field: number, at: number): boolean {
  const fields = fieldWeights.length;
  const start = row * fields + field;
  return fieldStarts[start]! <= at && (field + 1 === fields || at < fieldStarts[start + 1]!);
}

/** Cursors of terms, one each. */
export function cursorsOf(tables: IndexTables, terms: Iterable<number>): ReadonlyMap<number, PositionCursor> {
  const cursors = new Map<number, PositionCursor>();
  for (const term of terms) if (!cursors.has(term)) cursors.set(term, new PositionCursor(tables, term));
  return cursors;
}
