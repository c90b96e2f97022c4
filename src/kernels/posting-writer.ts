/** Sorted tokens → postings and positions in blocks (`posting-layout.ts`). */
import { entryOf, numberIn, placeIn } from './entries.js';
import { impactOf } from './impact.js';
import * as places from './inversion-layout.js';
import { BLOCK_POSITION_BYTES, MAX_INLINE_DISTANCE } from './posting-layout.js';

/** The number of postings of the term read last. */
export let postings: u32 = 0;
/** The ends of the postings and positions written so far, and the number of blocks. */
export let postingAt: usize = 0;
export let positionAt: usize = 0;
export let blocks: u32 = 0;
/** The beginning of the positions of the term read last. */
let positionBegin: usize = 0;

/** Begins to write the terms of a partition, the first of which is term 0. */
export function beginTerms(room: usize): void {
  postingAt = placeIn(room, places.POSTINGS);
  positionAt = placeIn(room, places.POSITIONS);
  blocks = 0;
}

/**
 * Writes the terms from `term` to `terms`, whose tokens are sorted. Stops after it has read a term of more than `maxPostings`
 * postings, and returns that term.
 */
export function writeTerms(shared: usize, room: usize, term: u32, terms: u32, maxPostings: u32): u32 {
  const ends = placeIn(room, places.NEXT_TOKENS);
  for (; term < terms; term++) {
    readTerm(shared, room, term === 0 ? placeIn(room, places.SORTED) : placeIn(ends, term - 1), placeIn(ends, term));
    if (postings > maxPostings) return term;
    writeTerm(shared, room, term, false);
  }
  return terms;
}

/** Collects the postings of a term from its sorted tokens, and writes their positions. */
function readTerm(shared: usize, room: usize, from: usize, to: usize): void {
  const weightOf = placeIn(shared, places.WEIGHT_OF_FIELD);
  const postingRows = placeIn(room, places.POSTING_ROWS);
  const impacts = placeIn(room, places.IMPACTS);
  const lengths = placeIn(shared, places.LENGTH_OF_ROW);
  const norms = placeIn(shared, places.NORM_OF_LENGTH);
  const lastBit = numberIn(shared, places.MASK_BITS) - 1;
  const positionEnds = placeIn(room, places.POSITION_ENDS);
  let posting: usize = 0;
  let out = positionAt;
  positionBegin = out;
  while (from < to) {
    const row = load<u32>(from);
    let frequency: u32 = 0;
    let mask: u32 = 0;
    let before: u32 = 0;
    let isLast: u32 = 0;
    do {
      const place = load<u32>(from, 4);
      const at = place & places.POSITION_MASK;
      const field = place >> places.FIELD_SHIFT;
      frequency += numberIn(weightOf, field);
      mask |= (<u32>1) << min(field, lastBit);
      from += places.TOKEN_BYTES;
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
    store<u32>(postingRows + posting, row);
    const impact = impactOf(frequency, load<f64>(norms + (placeIn(lengths, row) << 3)));
    store<u32>(impacts + posting, impact | (mask << places.MASK_SHIFT));
    store<u32>(positionEnds + posting, <u32>out);
    posting += 4;
  }
  positionAt = out;
  postings = <u32>(posting >> 2);
}

/** Sets the bits of the rows of the term read last, in `ROW_BYTES`, which must be zeroed. */
export function writeBitmap(room: usize): void {
  const postingRows = placeIn(room, places.POSTING_ROWS);
  const bitmap = placeIn(room, places.ROW_BYTES);
  for (let posting: u32 = 0; posting < postings; posting++) {
    const row = numberIn(postingRows, posting);
    const word = entryOf(bitmap, row >> 5);
    store<u32>(word, load<u32>(word) | (1 << (row & 31)));
  }
}

/** Writes the impacts of the term read last, and its masks `rows` bytes behind them, to `ROW_BYTES`, which must be zeroed. */
export function writeDense(room: usize, rows: usize): void {
  const postingRows = placeIn(room, places.POSTING_ROWS);
  const impacts = placeIn(room, places.IMPACTS);
  const bytes = placeIn(room, places.ROW_BYTES);
  for (let posting: u32 = 0; posting < postings; posting++) {
    const at = bytes + placeIn(postingRows, posting);
    const impact = numberIn(impacts, posting);
    store<u8>(at, <u8>impact);
    store<u8>(at + rows, <u8>(impact >> places.MASK_SHIFT));
  }
}

function writeNumber(out: usize, number: u32): usize {
  for (; number > 127; number >>= 7) store<u8>(out++, number | 128);
  store<u8>(out++, number);
  return out;
}

/** Writes the term read last; a dense term has positions only. */
export function writeTerm(shared: usize, room: usize, term: u32, isDense: bool): void {
  const rows = numberIn(shared, places.ROWS);
  const bytes = <u64>(positionAt - positionBegin);
  let bits: u32 = 0;
  store<u32>(entryOf(placeIn(room, places.DOCUMENT_FREQUENCIES), term), postings);
  store<u32>(entryOf(placeIn(room, places.FIRST_BLOCKS), term), blocks);
  if (postings > 0) {
    while ((<u32>1) << bits < rows && bytes << bits < BLOCK_POSITION_BYTES * rows) bits++;
    writeBlocks(shared, room, bits, isDense);
  }
  store<u8>(placeIn(room, places.BLOCK_BITS) + <usize>term, <u8>bits);
}

/** Writes the blocks of the term, of 2^`bits` rows each. */
function writeBlocks(shared: usize, room: usize, bits: u32, isDense: bool): void {
  const rows = numberIn(shared, places.ROWS);
  const postingRows = placeIn(room, places.POSTING_ROWS);
  const impacts = placeIn(room, places.IMPACTS);
  const positionEnds = placeIn(room, places.POSITION_ENDS);
  const postingStarts = placeIn(room, places.POSTING_STARTS);
  const positionStarts = placeIn(room, places.POSITION_STARTS);
  const end = postings;
  let posting: u32 = 0;
  let out = postingAt;
  let positionStart = positionBegin;
  for (let first: u32 = 0; first < rows; first += 1 << bits) {
    const nextFirst = first + (1 << bits);
    const from = posting;
    let after = first;
    let mask: u32 = 0;
    store<u32>(entryOf(postingStarts, blocks), <u32>out);
    store<u32>(entryOf(positionStarts, blocks), <u32>positionStart);
    for (; posting < end; posting++) {
      const row = numberIn(postingRows, posting);
      if (row >= nextFirst) break;
      if (!isDense) {
        const impact = numberIn(impacts, posting);
        out = writePosting(out, row - after, impact, mask);
        mask = impact >> places.MASK_SHIFT;
      }
      after = row + 1;
    }
    if (posting > from) positionStart = placeIn(positionEnds, posting - 1);
    blocks++;
  }
  postingAt = out;
}

/** `impact` is an entry of `IMPACTS`; `before` is the mask of the posting before. */
/* @inline */ function writePosting(out: usize, gap: u32, impact: u32, before: u32): usize {
  const mask = impact >> places.MASK_SHIFT;
  out = writeNumber(out, (gap << 1) | u32(mask !== before));
  if (mask !== before) store<u8>(out++, <u8>mask);
  store<u8>(out, <u8>impact);
  return out + 1;
}
