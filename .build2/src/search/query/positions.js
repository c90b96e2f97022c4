/**
 * A term's positions, row by row. A row is reached from the beginning of its range, or from the row before it there that
 * was asked for last: rows in ascending order cost one pass over the term's bytes. The row asked for last is kept.
 */
import { hasBit } from '../../bits.js';
import { int32, withRoom } from '../../growable.js';
import { createPostingBuffer, readBlock, readPositions, skipManyPositions, } from '../posting-format.js';
/** Room for a word's positions and for all positions of a record of some length; longer ones get more. */
const START_POSITIONS = 64;
const START_MARKS = 1024;
export class PositionCursor {
    /** Where the term stands in the row asked for last, ascending. */
    positions = new Uint32Array(START_POSITIONS);
    count = 0;
    /** Its frequency there. */
    frequency = 0;
    tables;
    term;
    blockBits;
    dense;
    bits;
    /** The postings of the range, unless the term is dense, and the first that may be of a later row. */
    held;
    heldCount = 0;
    heldAt = 0;
    row = -1;
    range = -1;
    /** No posting before this row is left; where the positions of the next one begin. */
    next = 0;
    positionAt;
    marks = new Int32Array(START_MARKS);
    markedRow = -1;
    constructor(tables, term) {
        const dense = tables.denseOfTerm[term];
        const bits = tables.bitmapOfTerm[term];
        this.tables = tables;
        this.term = term;
        this.blockBits = tables.blockBits[term];
        this.dense = dense < 0 ? null : tables.dense[dense];
        this.bits = bits < 0 ? null : tables.bitmaps[bits];
        this.positionAt = tables.positionStarts[tables.firstBlocks[term]];
        this.held = createPostingBuffer(this.dense ? 0 : tables.maxInBlock);
    }
    /** Reads the positions in a row; false where it lacks the term. */
    read(row) {
        if (row === this.row)
            return this.count > 0;
        this.row = row;
        this.count = 0;
        this.frequency = this.goTo(row);
        if (this.frequency === 0)
            return false;
        this.positionAt = readPositions(this.tables.bytes, this.positionAt, this);
        return true;
    }
    /** The row plus 1 at each position where the term stands in the row read last, and other numbers elsewhere. */
    marked() {
        const { positions, count, row } = this;
        if (this.markedRow === row)
            return this.marks;
        this.markedRow = row;
        const last = count === 0 ? 0 : positions[count - 1];
        if (last >= this.marks.length)
            this.marks = withRoom(this.marks, last + 1, int32);
        const { marks } = this;
        for (let i = 0; i < count; i++)
            marks[positions[i]] = row + 1;
        return marks;
    }
    /** Goes to a row's positions; returns its frequency, 0 where it lacks the term. */
    goTo(row) {
        const { dense } = this;
        if (dense ? dense[row] === 0 : this.bits && !hasBit(this.bits, row))
            return 0;
        // A dense term's next range goes on where the one before ends.
        const isNear = dense ? row - this.next < 1 << this.blockBits : row >>> this.blockBits === this.range;
        if (!isNear || row < this.next)
            this.beginRange(row >>> this.blockBits);
        const passed = dense ? this.passedDense(dense, row) : this.passHeld(row);
        if (passed > 0)
            this.positionAt = skipManyPositions(this.tables.bytes, this.positionAt, passed);
        this.next = row + 1;
        return dense ? dense[row] : this.takeHeld(row);
    }
    beginRange(range) {
        const { tables, term } = this;
        this.range = range;
        this.next = range << this.blockBits;
        this.positionAt = tables.positionStarts[tables.firstBlocks[term] + range];
        this.heldAt = 0;
        if (!this.dense)
            this.heldCount = readBlock(tables, term, range, this.held);
    }
    /** How many postings are left before a row. */
    passedDense(dense, row) {
        let passed = 0;
        for (let other = this.next; other < row; other++)
            passed += dense[other] > 0 ? 1 : 0;
        return passed;
    }
    passHeld(row) {
        const { rows } = this.held;
        const { heldAt, heldCount } = this;
        let at = heldAt;
        while (at < heldCount && rows[at] < row)
            at++;
        this.heldAt = at;
        return at - heldAt;
    }
    takeHeld(row) {
        const at = this.heldAt;
        if (at === this.heldCount || this.held.rows[at] !== row)
            return 0;
        this.heldAt = at + 1;
        return this.held.frequencies[at];
    }
}
/** Cursors of terms, one each. */
export function cursorsOf(tables, terms) {
    const cursors = new Map();
    for (const term of terms)
        if (!cursors.has(term))
            cursors.set(term, new PositionCursor(tables, term));
    return cursors;
}
