/** Sorted tokens → postings and positions in blocks (`posting-layout.ts`). */
import { entryOf, numberIn } from './entries.js';
import { impactOf } from './impact.js';
import { denseBytes, FIELD_SHIFT, impactBytes, MASK_SHIFT, POSITION_MASK, TOKEN_BYTES } from './inversion-layout.js';
import type { TokenTables, Workspace } from './inversion-tables.js';
import { BLOCK_POSITION_BYTES, MAX_INLINE_DISTANCE } from './posting-layout.js';

/** The ends of the postings and positions written last, the number of blocks, and that of dense terms. */
export let postingAt: usize = 0;
export let positionAt: usize = 0;
export let blocks: u32 = 0;
export let denseTerms: u32 = 0;
/** The term read last: the number of its postings, the mask that most of them have, and the beginning of its positions. */
let postings: u32 = 0;
let usualMask: u32 = 0;
let positionBegin: usize = 0;

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
    readTerm(tables, work, from, to);
    const isDense = postings > tables.rows / DENSE_SHARE;
    if (isDense) writeDense(tables, work, term);
    writeTerm(tables, work, term, isDense);
    from = to;
  }
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

/** Writes the impacts and the bitmap of the term read last (`denseBytes` in `inversion-layout.ts`). */
function writeDense(tables: TokenTables, work: Workspace, term: u32): void {
  const bytes = denseBytes(tables.rows);
  const impacts = work.dense + <usize>denseTerms * bytes;
  const bitmap = impacts + <usize>impactBytes(tables.rows);
  memory.fill(impacts, 0, bytes);
  store<u32>(entryOf(work.termsOfDense, denseTerms++), term);
  for (let posting: u32 = 0; posting < postings; posting++) {
    const row = numberIn(work.postingRows, posting);
    const word = entryOf(bitmap, row >> 5);
    store<u8>(impacts + <usize>row, <u8>numberIn(work.impacts, posting));
    store<u32>(word, load<u32>(word) | (1 << (row & 31)));
  }
}

function writeNumber(out: usize, number: u32): usize {
  for (; number > 127; number >>= 7) store<u8>(out++, number | 128);
  store<u8>(out++, number);
  return out;
}

/** Writes the term read last; a dense term has positions only. */
function writeTerm(tables: TokenTables, work: Workspace, term: u32, isDense: bool): void {
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
