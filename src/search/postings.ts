/** Reading a term's postings and positions out of the tables. */
import { addAll, type Bits } from '../bits.js';
import { addPostings, type PostingBuffer, readPositions, readPostings, skipPositions } from './posting-code.js';
import type { IndexTables } from './tables.js';

export const createPostingBuffer = (size: number): PostingBuffer => ({
  rows: new Uint32Array(size),
  frequencies: new Uint32Array(size),
});

/** How many ranges a term's rows are cut into. */
export const rangeCount = (tables: IndexTables, term: number): number =>
  tables.rows === 0 ? 0 : ((tables.rows - 1) >>> tables.rangeBits[term]!) + 1;

/** Reads the postings of a term's i-th range, ascending, to the beginning of `into`; returns how many there are. */
export function readRange(tables: IndexTables, term: number, i: number, into: PostingBuffer): number {
  const dense = tables.denseOfTerm[term]!;
  const first = i << tables.rangeBits[term]!;
  if (dense >= 0) return readDense(tables.dense[dense]!, first, first + (1 << tables.rangeBits[term]!), 1, into);
  const range = tables.firstRanges[term]! + i;
  const { postings, postingStarts } = tables;
  return readPostings(postings, postingStarts[range]!, postingStarts[range + 1]!, first, 1, into, 0);
}

/** The rows `from .. to` whose frequency is at least `least`. */
export function readDense(dense: Uint8Array, from: number, to: number, least: number, into: PostingBuffer): number {
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
export function readTerm(tables: IndexTables, term: number): PostingBuffer {
  const { postings, postingStarts } = tables;
  const first = tables.firstRanges[term]!;
  const ranges = rangeCount(tables, term);
  const all = createPostingBuffer(tables.documentFrequencies[term]!);
  let count = 0;
  for (let i = 0; i < ranges; i++) {
    const row = i << tables.rangeBits[term]!;
    count = readPostings(postings, postingStarts[first + i]!, postingStarts[first + i + 1]!, row, 1, all, count);
  }
  return all;
}

/** Adds the rows that hold a term to `bits`. */
export function addTermRows(tables: IndexTables, bits: Bits, term: number): void {
  const own = tables.bitsOfTerm[term]!;
  if (own >= 0) {
    addAll(bits, tables.frequentBits[own]!);
    return;
  }
  const { postings, postingStarts } = tables;
  const first = tables.firstRanges[term]!;
  const ranges = rangeCount(tables, term);
  for (let i = 0; i < ranges; i++) {
    const row = i << tables.rangeBits[term]!;
    addPostings(postings, postingStarts[first + i]!, postingStarts[first + i + 1]!, row, bits);
  }
}

/** Reads a term's positions in a row into `out`, ascending; returns how many there are, 0 where the row lacks it. */
export function positionsIn(
  tables: IndexTables,
  term: number,
  row: number,
  buffer: PostingBuffer,
  out: Uint32Array,
): number {
  const i = row >>> tables.rangeBits[term]!;
  const dense = tables.denseOfTerm[term]!;
  let before =
    dense < 0
      ? postingsBefore(tables, term, row, i, buffer)
      : denseBefore(tables.dense[dense]!, row, i << tables.rangeBits[term]!);
  if (before < 0) return 0;
  let at = tables.positionStarts[tables.firstRanges[term]! + i]!;
  for (; before > 0; before--) at = skipPositions(tables.positions, at);
  return readPositions(tables.positions, at, out);
}

/** How many postings a term's i-th range has before a row; -1 where it lacks the row. */
function postingsBefore(tables: IndexTables, term: number, row: number, i: number, buffer: PostingBuffer): number {
  const { rows } = buffer;
  const read = readRange(tables, term, i, buffer);
  let before = 0;
  while (before < read && rows[before]! < row) before++;
  return before < read && rows[before] === row ? before : -1;
}

function denseBefore(dense: Uint8Array, row: number, first: number): number {
  if (dense[row] === 0) return -1;
  let before = 0;
  for (let other = first; other < row; other++) if (dense[other]! > 0) before++;
  return before;
}
