/** Sorted tokens → postings and positions in blocks (`posting-layout.ts`). */
import { entryOf, numberIn } from './entries.js';
import { impactOf } from './impact.js';
import { FIELD_SHIFT, MASK_SHIFT, POSITION_MASK, TOKEN_BYTES } from './inversion-layout.js';
import type { TokenTables, Workspace } from './inversion-tables.js';
import { BLOCK_POSITION_BYTES, MAX_INLINE_DISTANCE } from './posting-layout.js';

/** The number of postings of the term read last, and the mask that most of them have. */
export let postings: u32 = 0;
let usualMask: u32 = 0;
/** The ends of the postings and positions written so far, and the number of blocks. */
export let postingAt: usize = 0;
export let positionAt: usize = 0;
export let blocks: u32 = 0;
/** The beginning of the positions of the term read last. */
let positionBegin: usize = 0;

/** Begins to write the terms of a partition, the first of which is term 0. */
export function beginTerms(work: Workspace): void {
  postingAt = work.postings;
  positionAt = work.positions;
  blocks = 0;
}

/**
 * Writes the terms from `term` to `terms`, whose tokens are sorted. Stops after it has read a term of more than `maxPostings`
 * postings, and returns that term.
 */
export function writeTerms(tables: TokenTables, work: Workspace, term: u32, terms: u32, maxPostings: u32): u32 {
  for (; term < terms; term++) {
    const from = term === 0 ? work.sorted : <usize>numberIn(work.nextTokens, term - 1);
    readTerm(tables, work, from, <usize>numberIn(work.nextTokens, term));
    if (postings > maxPostings) return term;
    writeTerm(tables, work, term, false);
  }
  return terms;
}

/** Collects the postings of a term from its sorted tokens, and writes their positions. */
function readTerm(tables: TokenTables, work: Workspace, from: usize, to: usize): void {
  const weightOf = tables.weightOfField;
  const lengths = tables.lengthOfRow;
  const norms = work.normOfLength;
  const lastBit = tables.maskBits - 1;
  const postingRows = work.postingRows;
  const impacts = work.impacts;
  const positionEnds = work.positionEnds;
  let posting: u32 = 0;
  let out = positionAt;
  // A mask that most postings have outlives a vote of each posting against the others (Boyer & Moore 1991).
  let votes: u32 = 0;
  positionBegin = out;
  while (from < to) {
    const row = load<u32>(from);
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
      if (distance < MAX_INLINE_DISTANCE + 128) {
        const isFar = u32(distance >= MAX_INLINE_DISTANCE);
        store<u8>(out, ((isFar ? MAX_INLINE_DISTANCE : distance) << 1) | isLast);
        store<u8>(out, distance - MAX_INLINE_DISTANCE, 1);
        out += 1 + <usize>isFar;
      } else {
        store<u8>(out, (MAX_INLINE_DISTANCE << 1) | isLast);
        out = writeNumber(out + 1, distance - MAX_INLINE_DISTANCE);
      }
    } while (!isLast);
    if (votes === 0) usualMask = mask;
    votes += mask === usualMask ? 1 : -1;
    const impact = impactOf(frequency, load<f64>(norms + ((<usize>numberIn(lengths, row)) << 3)));
    store<u32>(entryOf(postingRows, posting), row);
    store<u32>(entryOf(impacts, posting), impact | (mask << MASK_SHIFT));
    store<u32>(entryOf(positionEnds, posting), <u32>out);
    posting++;
  }
  positionAt = out;
  postings = posting;
}

/** Writes the impacts and the bitmap of the term read last; the memory for both must be zeroed. */
export function writeDense(work: Workspace): void {
  for (let posting: u32 = 0; posting < postings; posting++) {
    const row = numberIn(work.postingRows, posting);
    const word = entryOf(work.denseBitmap, row >> 5);
    store<u8>(work.denseImpacts + <usize>row, <u8>numberIn(work.impacts, posting));
    store<u32>(word, load<u32>(word) | (1 << (row & 31)));
  }
}

function writeNumber(out: usize, number: u32): usize {
  for (; number > 127; number >>= 7) store<u8>(out++, number | 128);
  store<u8>(out++, number);
  return out;
}

/** Writes the term read last; a dense term has positions only. */
export function writeTerm(tables: TokenTables, work: Workspace, term: u32, isDense: bool): void {
  const bytes = <u64>(positionAt - positionBegin);
  let bits: u32 = 0;
  store<u32>(entryOf(work.documentFrequencies, term), postings);
  store<u32>(entryOf(work.firstBlocks, term), blocks);
  store<u8>(work.usualMasks + <usize>term, <u8>usualMask);
  if (postings > 0) {
    while ((<u32>1) << bits < tables.rows && bytes << bits < BLOCK_POSITION_BYTES * tables.rows) bits++;
    writeBlocks(tables, work, bits, isDense);
  }
  store<u8>(work.blockBits + <usize>term, <u8>bits);
}

/** Writes the blocks of the term, of 2^`bits` rows each. */
function writeBlocks(tables: TokenTables, work: Workspace, bits: u32, isDense: bool): void {
  const end = postings;
  const postingRows = work.postingRows;
  const impacts = work.impacts;
  let posting: u32 = 0;
  let out = postingAt;
  let positionStart = positionBegin;
  for (let first: u32 = 0; first < tables.rows; first += 1 << bits) {
    const nextFirst = first + (1 << bits);
    const from = posting;
    let after = first;
    store<u32>(entryOf(work.postingStarts, blocks), <u32>out);
    store<u32>(entryOf(work.positionStarts, blocks), <u32>positionStart);
    for (; posting < end; posting++) {
      const row = numberIn(postingRows, posting);
      if (row >= nextFirst) break;
      if (!isDense) out = writePosting(out, row - after, numberIn(impacts, posting));
      after = row + 1;
    }
    if (posting > from) positionStart = <usize>numberIn(work.positionEnds, posting - 1);
    blocks++;
  }
  postingAt = out;
}

/** `impact` is an entry of `impacts`. */
/* @inline */ function writePosting(out: usize, gap: u32, impact: u32): usize {
  const mask = impact >> MASK_SHIFT;
  out = writeNumber(out, (gap << 1) | u32(mask !== usualMask));
  if (mask !== usualMask) store<u8>(out++, <u8>mask);
  store<u8>(out, <u8>impact);
  return out + 1;
}
