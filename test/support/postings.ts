/** Postings and positions, read byte by byte: the slow truth of the kernels. `kernels/posting-layout.ts` describes the bytes. */
import { MAX_INLINE_DISTANCE } from '../../src/kernels/posting-layout.js';
import type { PostingTables, RowTables } from '../../src/search/tables.js';

/** The tables of an index that these readers need. */
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

/** Postings side by side: row, impact and mask of each. */
export interface PostingBuffer {
  readonly rows: Uint32Array;
  readonly impacts: Uint8Array;
  readonly masks: Uint8Array;
}

/** Reads the i-th block of a term that is not dense, rows ascending, into the buffer; returns its number of postings. */
export function readBlock(tables: Postings, term: number, i: number, { rows, impacts, masks }: PostingBuffer): number {
  const { bytes, postingStarts } = tables;
  const block = tables.firstBlocks[term]! + i;
  const end = postingStarts[block + 1]!;
  let row = (i << tables.blockBits[term]!) - 1;
  let count = 0;
  for (let at = postingStarts[block]!; at < end; ) {
    const number = readNumber(bytes, at);
    at = skipNumber(bytes, at);
    row += (number >>> 1) + 1;
    rows[count] = row;
    masks[count] = (number & 1) === 1 ? bytes[at++]! : tables.usualMasks[term]!;
    impacts[count++] = bytes[at++]!;
  }
  return count;
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
      const firstByte = bytes[at]!;
      difference += firstByte < 128 ? firstByte : readNumber(bytes, at);
      at = firstByte < 128 ? at + 1 : skipNumber(bytes, at);
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

/** A buffer as large as the largest block of a term. */
export function createBlockBuffer({ blockBits, documentFrequencies }: Postings, term: number): PostingBuffer {
  const size = Math.min(1 << blockBits[term]!, documentFrequencies[term]!);
  return { rows: new Uint32Array(size), impacts: new Uint8Array(size), masks: new Uint8Array(size) };
}
