/** Reading a term's postings out of the tables. */
import { addAll, type Bits } from '../bits.js';
import { addPostings, type PostingBuffer, readPostings } from './posting-code.js';
import type { PostingTables, RowTables } from './tables.js';

/** All that is read of an index here. */
type Postings = PostingTables & RowTables;

export const createPostingBuffer = (size: number): PostingBuffer => ({
  rows: new Uint32Array(size),
  frequencies: new Uint32Array(size),
});

/** How many ranges a term's rows are cut into. */
export const blockCount = (tables: Postings, term: number): number =>
  tables.rows === 0 ? 0 : ((tables.rows - 1) >>> tables.blockBits[term]!) + 1;

/** Reads the postings of a term's i-th range, ascending, to the beginning of `into`; returns how many there are. */
export function readBlock(tables: Postings, term: number, i: number, into: PostingBuffer): number {
  const dense = tables.denseOfTerm[term]!;
  const first = i << tables.blockBits[term]!;
  if (dense >= 0) return readDense(tables.dense[dense]!, first, first + (1 << tables.blockBits[term]!), 1, into);
  const range = tables.firstBlocks[term]! + i;
  const { bytes: postings, postingStarts } = tables;
  return readPostings(postings, postingStarts[range]!, postingStarts[range + 1]!, first, 1, into, 0);
}

/** The rows `from .. to` whose frequency is at least `least`. */
function readDense(dense: Uint8Array, from: number, to: number, least: number, into: PostingBuffer): number {
  const { rows, frequencies } = into;
  const end = Math.min(to, dense.length);
  let count = 0;
  for (let row = from; row < end; row++) {
    const frequency = dense[row]!;
    rows[count] = row;
    frequencies[count] = frequency;
    // Added, not jumped over: which rows pass can't be foreseen.
    count += frequency >= least ? 1 : 0;
  }
  return count;
}

/** All postings of a term that has them. */
export function readTerm(tables: Postings, term: number): PostingBuffer {
  const { bytes: postings, postingStarts } = tables;
  const first = tables.firstBlocks[term]!;
  const ranges = blockCount(tables, term);
  const all = createPostingBuffer(tables.documentFrequencies[term]!);
  let count = 0;
  for (let i = 0; i < ranges; i++) {
    const row = i << tables.blockBits[term]!;
    count = readPostings(postings, postingStarts[first + i]!, postingStarts[first + i + 1]!, row, 1, all, count);
  }
  return all;
}

/** Adds the rows that hold a term to `bits`. */
export function addTermRows(tables: Postings, bits: Bits, term: number): void {
  const own = tables.bitmapOfTerm[term]!;
  if (own >= 0) {
    addAll(bits, tables.bitmaps[own]!);
    return;
  }
  const { bytes: postings, postingStarts } = tables;
  const first = tables.firstBlocks[term]!;
  const ranges = blockCount(tables, term);
  for (let i = 0; i < ranges; i++) {
    const row = i << tables.blockBits[term]!;
    addPostings(postings, postingStarts[first + i]!, postingStarts[first + i + 1]!, row, bits);
  }
}
