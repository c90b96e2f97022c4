/**
 * The token stream → postings and positions in blocks (`posting-layout.ts`): the stream is measured; the tokens of a partition of the
 * terms are sorted by term; then they are written here, in two passes over each term.
 */
import { entryOf, numberIn } from './entries.js';
import type { TokenTables, Workspace } from './inversion-layout.js';
import { denseBytes, FIELD_SHIFT, impactBytes, POSITION_MASK, TOKEN_BYTES } from './inversion-layout.js';
import { BLOCK_POSITIONS, impactOf, MAX_INLINE_DISTANCE } from './posting-layout.js';

export { maxPosition, measure } from './measuring.js';
export { sort } from './sorting.js';

/** The ends of the postings and positions written last, the number of blocks, and that of dense terms. */
export let postingAt: usize = 0;
export let positionAt: usize = 0;
export let blocks: u32 = 0;
export let denseTerms: u32 = 0;
/** The term counted last: the number of its postings, and the mask that most of them have. */
let postings: u32 = 0;
let usualMask: u32 = 0;

/** A term that more than one row in 2 holds is dense. */
const DENSE_SHARE: u32 = 2;

/** Writes the `terms` terms of a partition, whose tokens are sorted. */
export function writeTerms(tables: TokenTables, work: Workspace, terms: u32): void {
  postingAt = work.postings;
  positionAt = work.positions;
  blocks = 0;
  denseTerms = 0;
  let from = work.sorted;
  for (let term: u32 = 0; term < terms; term++) {
    const to = <usize>numberIn(work.nextTokens, term);
    countPostings(tables, from, to);
    const bits = blockBitsOf(tables.rows, (to - from) / TOKEN_BYTES);
    store<u32>(entryOf(work.documentFrequencies, term), postings);
    store<u8>(work.usualMasks + <usize>term, <u8>usualMask);
    store<u8>(work.blockBits + <usize>term, <u8>bits);
    store<u32>(entryOf(work.firstBlocks, term), blocks);
    if (postings > 0) writeTerm(tables, work, term, bits, from, to);
    from = to;
  }
}

/**
 * The n of blocks of 2^n rows, by which a term's blocks have the mean number of positions that `posting-layout.ts` says: 1000 tokens in
 * 100,000 rows are 256 or more in 2^15 rows. A term of fewer has one block.
 */
function blockBitsOf(rows: u32, tokens: u64): u32 {
  const positions = <u64>BLOCK_POSITIONS * rows;
  let bits: u32 = 0;
  while ((<u32>1) << bits < rows && tokens << bits < positions) bits++;
  return bits;
}

/** The first pass over the sorted tokens of a term: counts its postings, and finds the mask that most of them have. */
function countPostings(tables: TokenTables, from: usize, to: usize): void {
  const lastBit = tables.maskBits - 1;
  // A mask that most postings have outlives a vote of each posting against the others (Boyer & Moore 1991).
  let votes: u32 = 0;
  postings = 0;
  while (from < to) {
    const row = load<u32>(from);
    let mask: u32 = 0;
    do {
      const field = load<u32>(from, 4) >> FIELD_SHIFT;
      mask |= (<u32>1) << min(field, lastBit);
      from += TOKEN_BYTES;
    } while (from < to && load<u32>(from) === row);
    if (votes === 0) usualMask = mask;
    votes += mask === usualMask ? 1 : -1;
    postings++;
  }
}

/** The second pass: writes the blocks of a term, of 2^`bits` rows each. A dense term has impacts and a bitmap in place of postings. */
function writeTerm(tables: TokenTables, work: Workspace, term: u32, bits: u32, from: usize, to: usize): void {
  const weightOf = tables.weightOfField;
  const lengths = tables.lengthOfRow;
  const norms = work.normOfLength;
  const lastBit = tables.maskBits - 1;
  const isDense = postings > tables.rows / DENSE_SHARE;
  const impacts = isDense ? beginDense(tables, work, term) : 0;
  const bitmap = impacts + <usize>impactBytes(tables.rows);
  let out = positionAt;
  let postingOut = postingAt;
  let nextBlock: u32 = 0;
  let rowBefore: u32 = 0;
  while (from < to) {
    const row = load<u32>(from);
    if (row >= nextBlock) {
      nextBlock = beginBlocks(work, nextBlock, row, bits, postingOut, out);
      // The first gap of a block counts from the row before the block.
      rowBefore = nextBlock - (1 << bits) - 1;
    }
    let frequency: u32 = 0;
    let mask: u32 = 0;
    let before: u32 = 0;
    let isLast: u32 = 0;
    do {
      const token = load<u32>(from, 4);
      const at = token & POSITION_MASK;
      const field = token >> FIELD_SHIFT;
      frequency += numberIn(weightOf, field);
      mask |= (<u32>1) << min(field, lastBit);
      from += TOKEN_BYTES;
      // Behind the last token there is a readable entry, whose value does not matter: `from === to` holds there.
      isLast = u32(load<u32>(from) !== row) | u32(from === to);
      const distance = at - before;
      before = at;
      store<u8>(out++, (min(distance, MAX_INLINE_DISTANCE) << 1) | isLast);
      if (distance >= MAX_INLINE_DISTANCE) out = writeNumber(out, distance - MAX_INLINE_DISTANCE);
    } while (!isLast);
    const impact = impactOf(frequency, load<f64>(norms + ((<usize>numberIn(lengths, row)) << 3)));
    if (isDense) {
      const word = entryOf(bitmap, row >> 5);
      store<u8>(impacts + <usize>row, <u8>impact);
      store<u32>(word, load<u32>(word) | (1 << (row & 31)));
    } else postingOut = writePosting(postingOut, row - rowBefore - 1, mask, impact);
    rowBefore = row;
  }
  beginBlocks(work, nextBlock, tables.rows - 1, bits, postingOut, out);
  postingAt = postingOut;
  positionAt = out;
}

/**
 * Begins the blocks of 2^`bits` rows from the one that begins at `first` to that of `row`; returns the first row behind them. Those
 * before the last one stay empty: they begin where it does.
 */
function beginBlocks(work: Workspace, first: u32, row: u32, bits: u32, postingStart: usize, positionStart: usize): u32 {
  for (; first <= row; first += 1 << bits) {
    store<u32>(entryOf(work.postingStarts, blocks), <u32>postingStart);
    store<u32>(entryOf(work.positionStarts, blocks), <u32>positionStart);
    blocks++;
  }
  return first;
}

/** The address of the impacts of a further dense term, all 0; its bitmap stands behind them (`denseBytes`). */
function beginDense(tables: TokenTables, work: Workspace, term: u32): usize {
  const bytes = denseBytes(tables.rows);
  const impacts = work.dense + <usize>denseTerms * bytes;
  memory.fill(impacts, 0, bytes);
  store<u32>(entryOf(work.termsOfDense, denseTerms++), term);
  return impacts;
}

/** Writes a posting `gap` rows behind the one before it; returns where it ends. */
/* @inline */ function writePosting(out: usize, gap: u32, mask: u32, impact: u32): usize {
  out = writeNumber(out, (gap << 1) | u32(mask !== usualMask));
  if (mask !== usualMask) store<u8>(out++, <u8>mask);
  store<u8>(out, <u8>impact);
  return out + 1;
}

/** Writes a number, 7 bits a byte, the lowest first (`posting-layout.ts`); returns where it ends. */
function writeNumber(out: usize, number: u32): usize {
  for (; number > 127; number >>= 7) store<u8>(out++, number | 128);
  store<u8>(out++, number);
  return out;
}
