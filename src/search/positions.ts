/**
 * A term's positions, row by row. A row is reached from the beginning of its range, or from the row read before it
 * there: rows that are asked for in ascending order cost one pass over the term's bytes.
 */
import { type Bits, hasBit } from '../bits.js';
import { type PostingBuffer, readPositions, skipManyPositions } from './posting-code.js';
import { createPostingBuffer, readRange } from './postings.js';
import type { IndexTables } from './tables.js';

export class PositionCursor {
  /** The term's, in the row asked for last. */
  frequency = 0;

  private readonly tables: IndexTables;
  private readonly term: number;
  private readonly rangeBits: number;
  private readonly dense: Uint8Array | null;
  private readonly bits: Bits | null;
  /** The postings of the range, unless the term is dense, and the first that may be of a later row. */
  private readonly held: PostingBuffer;
  private heldCount = 0;
  private heldAt = 0;

  private range = -1;
  private row = 0;
  /** Where the positions of the first posting begin that is not of a row before `row`. */
  private positionAt = 0;

  constructor(tables: IndexTables, term: number) {
    const dense = tables.denseOfTerm[term]!;
    const bits = tables.bitsOfTerm[term]!;
    this.tables = tables;
    this.term = term;
    this.rangeBits = tables.rangeBits[term]!;
    this.dense = dense < 0 ? null : tables.dense[dense]!;
    this.bits = bits < 0 ? null : tables.frequentBits[bits]!;
    this.held = createPostingBuffer(this.dense ? 0 : tables.mostInRange);
  }

  /** Reads the positions in a row into `out`, ascending; returns how many there are, 0 where the row lacks the term. */
  read(row: number, out: Uint32Array): number {
    this.frequency = 0;
    if (this.bits && !hasBit(this.bits, row)) return 0;
    if (row >>> this.rangeBits !== this.range || row < this.row) this.beginRange(row >>> this.rangeBits);
    const { positions } = this.tables;
    const passed = this.dense ? this.passDense(this.dense, row) : this.passHeld(row);
    this.row = row;
    this.positionAt = skipManyPositions(positions, this.positionAt, passed);
    return this.frequency === 0 ? 0 : readPositions(positions, this.positionAt, out);
  }

  private beginRange(range: number): void {
    const { tables, term } = this;
    this.range = range;
    this.row = range << this.rangeBits;
    this.positionAt = tables.positionStarts[tables.firstRanges[term]! + range]!;
    this.heldAt = 0;
    if (!this.dense) this.heldCount = readRange(tables, term, range, this.held);
  }

  /** Takes a row's frequency; returns how many postings lie between the row asked for before and this one. */
  private passDense(dense: Uint8Array, row: number): number {
    let passed = 0;
    for (let other = this.row; other < row; other++) passed += dense[other]! > 0 ? 1 : 0;
    this.frequency = dense[row]!;
    return passed;
  }

  private passHeld(row: number): number {
    const { rows, frequencies } = this.held;
    const { heldAt, heldCount } = this;
    let at = heldAt;
    while (at < heldCount && rows[at]! < row) at++;
    this.heldAt = at;
    if (at < heldCount && rows[at] === row) this.frequency = frequencies[at]!;
    return at - heldAt;
  }
}
