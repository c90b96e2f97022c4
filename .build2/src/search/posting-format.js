/** Reading postings and positions, whose bytes `kernels/posting-layout.ts` describes, out of the tables. */
import { addAll } from '../bits.js';
import { uint32, withRoom } from '../growable.js';
import { FREQUENCY_BITS, INLINE_FREQUENCIES, MAX_INLINE_DISTANCE } from '../kernels/posting-layout.js';
function readNumber(bytes, from) {
    let number = 0;
    let at = from;
    for (let shift = 0;; shift += 7) {
        const byte = bytes[at++];
        number |= (byte & 127) << shift;
        if (byte < 128)
            return number;
    }
}
/** Where the number that begins at `from` ends. */
function skipNumber(bytes, from) {
    let at = from;
    while (bytes[at++] > 127)
        ;
    return at;
}
/**
 * Reads the postings of `bytes[from .. to)`, which begin at row `first`, into `into` from entry `count` on, but for
 * those whose frequency is below `least`; returns where they end there. Queries spend
 * much of their time here.
 */
export function readPostings(bytes, from, to, first, least, into, count) {
    const { rows, frequencies } = into;
    let next = count;
    let row = first - 1;
    for (let at = from; at < to;) {
        let number = bytes[at++];
        if (number > 127) {
            const second = bytes[at];
            if (second < 128) {
                number = (number & 127) | (second << 7);
                at++;
            }
            else {
                number = readNumber(bytes, at - 1);
                at = skipNumber(bytes, at);
            }
        }
        row += (number >>> FREQUENCY_BITS) + 1;
        let frequency = (number & (INLINE_FREQUENCIES - 1)) + 1;
        if (frequency === INLINE_FREQUENCIES) {
            const rest = bytes[at];
            frequency += rest < 128 ? rest : readNumber(bytes, at);
            at = rest < 128 ? at + 1 : skipNumber(bytes, at);
        }
        if (frequency < least)
            continue;
        rows[next] = row;
        frequencies[next++] = frequency;
    }
    return next;
}
/** Adds the rows of such postings to `bits`. */
function addPostings(bytes, from, to, first, bits) {
    let row = first - 1;
    for (let at = from; at < to;) {
        let number = bytes[at++];
        if (number > 127) {
            const second = bytes[at];
            if (second < 128)
                number = (number & 127) | (second << 7);
            else
                number = readNumber(bytes, at - 1);
            at = second < 128 ? at + 1 : skipNumber(bytes, at);
        }
        row += (number >>> FREQUENCY_BITS) + 1;
        if ((number & (INLINE_FREQUENCIES - 1)) === INLINE_FREQUENCIES - 1)
            at = skipNumber(bytes, at);
        bits[row >>> 5] |= 1 << (row & 31);
    }
}
/** Where the positions of `count` postings end that begin at `from`. */
export function skipManyPositions(bytes, from, count) {
    let at = from;
    for (let left = count; left > 0;) {
        const byte = bytes[at++];
        if (byte >>> 1 === MAX_INLINE_DISTANCE)
            at = skipNumber(bytes, at);
        left -= byte & 1;
    }
    return at;
}
/** Reads a posting's positions, which begin at `from`; returns where they end. */
export function readPositions(bytes, from, into) {
    let { positions } = into;
    let position = 0;
    let count = 0;
    let at = from;
    for (;;) {
        const byte = bytes[at++];
        let difference = byte >>> 1;
        if (difference === MAX_INLINE_DISTANCE) {
            const rest = bytes[at];
            difference += rest < 128 ? rest : readNumber(bytes, at);
            at = rest < 128 ? at + 1 : skipNumber(bytes, at);
        }
        position += difference;
        if (count === positions.length)
            positions = lengthened(into);
        positions[count++] = position;
        if ((byte & 1) === 1)
            break;
    }
    into.count = count;
    return at;
}
function lengthened(buffer) {
    buffer.positions = withRoom(buffer.positions, 2 * buffer.positions.length, uint32);
    return buffer.positions;
}
export const createPostingBuffer = (size) => ({
    rows: new Uint32Array(size),
    frequencies: new Uint32Array(size),
});
/** How many ranges a term's rows are cut into. */
export const blockCount = (tables, term) => tables.rows === 0 ? 0 : ((tables.rows - 1) >>> tables.blockBits[term]) + 1;
/** Reads the postings of a term's i-th range, ascending, to the beginning of `into`; returns how many there are. */
export function readBlock(tables, term, i, into) {
    const dense = tables.denseOfTerm[term];
    const first = i << tables.blockBits[term];
    if (dense >= 0)
        return readDense(tables.dense[dense], first, first + (1 << tables.blockBits[term]), 1, into);
    const range = tables.firstBlocks[term] + i;
    const { bytes: postings, postingStarts } = tables;
    return readPostings(postings, postingStarts[range], postingStarts[range + 1], first, 1, into, 0);
}
/** The rows `from .. to` whose frequency is at least `least`. */
function readDense(dense, from, to, least, into) {
    const { rows, frequencies } = into;
    const end = Math.min(to, dense.length);
    let count = 0;
    for (let row = from; row < end; row++) {
        const frequency = dense[row];
        rows[count] = row;
        frequencies[count] = frequency;
        // Added, not jumped over: which rows pass can't be foreseen.
        count += frequency >= least ? 1 : 0;
    }
    return count;
}
/** All postings of a term that has them. */
export function readTerm(tables, term) {
    const { bytes: postings, postingStarts } = tables;
    const first = tables.firstBlocks[term];
    const ranges = blockCount(tables, term);
    const all = createPostingBuffer(tables.documentFrequencies[term]);
    let count = 0;
    for (let i = 0; i < ranges; i++) {
        const row = i << tables.blockBits[term];
        count = readPostings(postings, postingStarts[first + i], postingStarts[first + i + 1], row, 1, all, count);
    }
    return all;
}
/** Adds the rows that hold a term to `bits`. */
export function addTermRows(tables, bits, term) {
    const own = tables.bitmapOfTerm[term];
    if (own >= 0) {
        addAll(bits, tables.bitmaps[own]);
        return;
    }
    const { bytes: postings, postingStarts } = tables;
    const first = tables.firstBlocks[term];
    const ranges = blockCount(tables, term);
    for (let i = 0; i < ranges; i++) {
        const row = i << tables.blockBits[term];
        addPostings(postings, postingStarts[first + i], postingStarts[first + i + 1], row, bits);
    }
}
