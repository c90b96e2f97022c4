/** Reading postings and positions, whose bytes `kernels/posting-layout.ts` describes, out of the tables. */
import { FREQUENCY_BITS, INLINE_FREQUENCIES, MAX_INLINE_DISTANCE } from '../kernels/posting-layout.js';
import type { PostingTables, RowTables } from './tables.js';

/** All that is read of an index here. */
type Postings = PostingTables & RowTables;

function readNumber(bytes: Uint8Array, from: number): number {
  let number = 0;
  let at = from;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    number |= (byte & 127) << shift;
    if (byte < 128) return number;
  }
}

/** Where the number that begins at `from` ends. */
function skipNumber(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at++]! > 127);
  return at;
}

/** Postings side by side: row and frequency of each. */
export interface PostingBuffer {
  readonly rows: Uint32Array;
  readonly frequencies: Uint32Array;
}

/**
 * Reads the postings of `bytes[from .. to)`, which begin at row `first`, into `into` from entry `count` on; returns where
 * they end there. Queries spend much of their time here.
 */
export function readPostings(
  bytes: Uint8Array,
  from: number,
  to: number,
  first: number,
  into: PostingBuffer,
  count: number,
): number {
  const { rows, frequencies } = into;
  let next = count;
  let row = first - 1;
  for (let at = from; at < to; ) {
    let number = bytes[at++]!;
    if (number > 127) {
      const second = bytes[at]!;
      if (second < 128) {
        number = (number & 127) | (second << 7);
        at++;
      } else {
        number = readNumber(bytes, at - 1);
        at = skipNumber(bytes, at);
      }
    }
    row += (number >>> FREQUENCY_BITS) + 1;
    let frequency = (number & (INLINE_FREQUENCIES - 1)) + 1;
    if (frequency === INLINE_FREQUENCIES) {
      const rest = bytes[at]!;
      frequency += rest < 128 ? rest : readNumber(bytes, at);
      at = rest < 128 ? at + 1 : skipNumber(bytes, at);
    }
    rows[next] = row;
    frequencies[next++] = frequency;
  }
  return next;
}

/** Where the positions of `count` postings end that begin at `from`. */
export function skipManyPositions(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; ) {
    const byte = bytes[at++]!;
    if (byte >>> 1 === MAX_INLINE_DISTANCE) at = skipNumber(bytes, at);
    left -= byte & 1;
  }
  return at;
}

/** Positions of a posting, ascending: the first `count` of them. */
export interface PositionBuffer {
  positions: Uint32Array;
  count: number;
}

/** Reads a posting's positions, which begin at `from`; returns where they end. */
export function readPositions(bytes: Uint8Array, from: number, into: PositionBuffer): number {
  let { positions } = into;
  let position = 0;
  let count = 0;
  let at = from;
  for (;;) {
    const byte = bytes[at++]!;
    let difference = byte >>> 1;
    if (difference === MAX_INLINE_DISTANCE) {
      const rest = bytes[at]!;
      difference += rest < 128 ? rest : readNumber(bytes, at);
      at = rest < 128 ? at + 1 : skipNumber(bytes, at);
    }
    position += difference;
    if (count === positions.length) positions = lengthened(into);
    positions[count++] = position;
    if ((byte & 1) === 1) break;
  }
  into.count = count;
  return at;
}

function lengthened(buffer: PositionBuffer): Uint32Array {
  const longer = new Uint32Array(2 * buffer.positions.length);
  longer.set(buffer.positions);
  buffer.positions = longer;
  return longer;
}
export const createPostingBuffer = (size: number): PostingBuffer => ({
  rows: new Uint32Array(size),
  frequencies: new Uint32Array(size),
});

/** How many blocks a term's rows are cut into. */
export const blockCount = (tables: Postings, term: number): number =>
  tables.rows === 0 ? 0 : ((tables.rows - 1) >>> tables.blockBits[term]!) + 1;

/** Room for any block of a term. */
export const createBlockBuffer = ({ blockBits, documentFrequencies }: Postings, term: number): PostingBuffer =>
  createPostingBuffer(Math.min(1 << blockBits[term]!, documentFrequencies[term]!));

/**
 * Reads the i-th block of a term that has postings, ascending, into `into` from entry `count` on; returns where they end
 * there.
 */
export function readBlock(tables: Postings, term: number, i: number, into: PostingBuffer, count = 0): number {
  const { bytes, postingStarts } = tables;
  const block = tables.firstBlocks[term]! + i;
  const row = i << tables.blockBits[term]!;
  return readPostings(bytes, postingStarts[block]!, postingStarts[block + 1]!, row, into, count);
}

/** Reads the rows `from … to` that have a frequency, as far as there are any, to the beginning of `into`; returns how many. */
export function readDense(dense: Uint8Array, from: number, to: number, { rows, frequencies }: PostingBuffer): number {
  const end = Math.min(to, dense.length);
  let count = 0;
  for (let row = from; row < end; row++) {
    const frequency = dense[row]!;
    rows[count] = row;
    frequencies[count] = frequency;
    // Added, not jumped over: which rows pass cannot be foreseen.
    count += frequency > 0 ? 1 : 0;
  }
  return count;
}

/** All postings of a term that has them. */
export function readTerm(tables: Postings, term: number): PostingBuffer {
  const all = createPostingBuffer(tables.documentFrequencies[term]!);
  let count = 0;
  for (let i = 0; i < blockCount(tables, term); i++) count = readBlock(tables, term, i, all, count);
  return all;
}
