/**
 * A term's positions, row by row. A row is reached from the beginning of its block, or from the row before it there that
 * was asked for last: rows in ascending order cost one pass over the term's bytes. The row asked for last is kept.
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

/** Room for a word's positions; more is made where a record has more. */
const POSITION_CAPACITY = 64;

export class PositionCursor implements PositionBuffer {
  /** Where the term stands in the row asked for last, ascending. */
  positions: Uint32Array = new Uint32Array(POSITION_CAPACITY);
  count = 0;

  private readonly tables: IndexTables;
  private readonly term: number;
  private readonly blockBits: number;
  private readonly bits: Bits | null;
  private readonly dense: Uint8Array | null;
  /** The postings of the block, unless the term is dense, and the first that may be of a later row. */
  private readonly postings: PostingBuffer;
  private postingCount = 0;
  private postingAt = 0;

  private row = -1;
  private block = -1;
  /** No posting before this row is left; where the positions of the next one begin. */
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

  /** Among the positions in the row read last the first, from the `from`-th on, that is not before `position`. */
  positionFrom(from: number, position: number): number {
    let at = from;
    while (at < this.count && this.positions[at]! < position) at++;
    return at;
  }

  /** Whether the `at`-th position in the row read last is this one. */
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

  /** How many postings are left before a row. */
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

  /** Whether the next posting is of a row; it is passed then. */
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
