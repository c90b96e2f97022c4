/** The sorted tokens of terms as postings and positions, blocks and their bounds (`posting-layout.ts`). */
import { entryOf, numberIn, placeIn } from './entries.js';
import * as places from './inversion-layout.js';
import {
  BLOCK_POSITION_BYTES,
  FREQUENCY_BITS,
  INLINE_FREQUENCIES,
  MAX_INLINE_DISTANCE,
  SATURATION_STEPS,
} from './posting-layout.js';

/** Bounds are raised by so much, which is more than rounding can take from them. */
const BOUND_MARGIN: f64 = 1 + 1e-6;

/** How many postings the term read last has, and the greatest frequency. */
export let postings: u32 = 0;
export let maxFrequency: u32 = 0;
/** Where the postings and positions end that were written, and how many blocks there are. */
export let postingAt: usize = 0;
export let positionAt: usize = 0;
export let blocks: u32 = 0;
/** Where the positions of the term read last begin. */
let positionBegin: usize = 0;

/** Begins to write the terms of a partition, the first of which is term 0. */
export function beginTerms(room: usize): void {
  postingAt = placeIn(room, places.POSTINGS);
  positionAt = placeIn(room, places.POSITIONS);
  blocks = 0;
}

/**
 * Writes the terms from `term` to `terms`, whose tokens are sorted. Stops at a term of more than `most` postings, which it
 * has read, and returns it.
 */
export function writeTerms(shared: usize, room: usize, term: u32, terms: u32, most: u32): u32 {
  const ends = placeIn(room, places.NEXT_TOKENS);
  for (; term < terms; term++) {
    readTerm(shared, room, term === 0 ? placeIn(room, places.SORTED) : placeIn(ends, term - 1), placeIn(ends, term));
    if (postings > most) return term;
    writeTerm(shared, room, term, false);
  }
  return terms;
}

/** Puts the postings of a term together from its sorted tokens, and writes their positions. */
function readTerm(shared: usize, room: usize, from: usize, to: usize): void {
  const weightOf = placeIn(shared, places.WEIGHT_OF_FIELD);
  const postingRows = placeIn(room, places.POSTING_ROWS);
  const frequencies = placeIn(room, places.FREQUENCIES);
  const positionEnds = placeIn(room, places.POSITION_ENDS);
  let posting: usize = 0;
  let out = positionAt;
  let most: u32 = 0;
  positionBegin = out;
  while (from < to) {
    const row = load<u32>(from);
    let frequency: u32 = 0;
    let before: u32 = 0;
    let isLast: u32 = 0;
    do {
      const place = load<u32>(from, 4);
      const at = place & places.POSITION_MASK;
      frequency += numberIn(weightOf, place >> places.FIELD_SHIFT);
      from += places.TOKEN_BYTES;
      // What stands behind the last token is some other row, or not looked at.
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
    store<u32>(frequencies + posting, frequency);
    store<u32>(positionEnds + posting, <u32>out);
    posting += 4;
    most = max(most, frequency);
  }
  positionAt = out;
  postings = <u32>(posting >> 2);
  maxFrequency = most;
}

/** Sets the bits of the rows of the term that was read, where a byte a row is 0. */
export function writeBitmap(room: usize): void {
  const postingRows = placeIn(room, places.POSTING_ROWS);
  const bitmap = placeIn(room, places.ROW_BYTES);
  for (let posting: u32 = 0; posting < postings; posting++) {
    const row = numberIn(postingRows, posting);
    const word = entryOf(bitmap, row >> 5);
    store<u32>(word, load<u32>(word) | (1 << (row & 31)));
  }
}

/** Writes the frequencies of the term that was read, where a byte a row is 0. */
export function writeFrequencies(room: usize): void {
  const postingRows = placeIn(room, places.POSTING_ROWS);
  const frequencies = placeIn(room, places.FREQUENCIES);
  const bytes = placeIn(room, places.ROW_BYTES);
  for (let posting: u32 = 0; posting < postings; posting++)
    store<u8>(bytes + placeIn(postingRows, posting), <u8>numberIn(frequencies, posting));
}

function writeNumber(out: usize, number: u32): usize {
  for (; number > 127; number >>= 7) store<u8>(out++, number | 128);
  store<u8>(out++, number);
  return out;
}

/** Writes the term that was read; its postings are left out if it is dense. */
export function writeTerm(shared: usize, room: usize, term: u32, isDense: bool): void {
  const rows = numberIn(shared, places.ROWS);
  const bytes = <u64>(positionAt - positionBegin);
  let bits: u32 = 0;
  let maxRatio: f64 = 0;
  store<u32>(entryOf(placeIn(room, places.DOCUMENT_FREQUENCIES), term), postings);
  store<u32>(entryOf(placeIn(room, places.FIRST_BLOCKS), term), blocks);
  if (postings > 0) {
    while ((<u32>1) << bits < rows && bytes << bits < BLOCK_POSITION_BYTES * rows) bits++;
    maxRatio = writeBlocks(shared, room, bits, isDense);
  }
  store<u8>(placeIn(room, places.BLOCK_BITS) + <usize>term, <u8>bits);
  store<f32>(entryOf(placeIn(room, places.MAX_SATURATIONS), term), <f32>(saturationOf(maxRatio) * BOUND_MARGIN));
}

/** Writes the blocks of the term, of 2^`bits` rows each; returns the greatest f / norm: f / (f + norm) grows with it. */
function writeBlocks(shared: usize, room: usize, bits: u32, isDense: bool): f64 {
  const rows = numberIn(shared, places.ROWS);
  const lengths = placeIn(shared, places.LENGTH_OF_ROW);
  const inverseNorms = placeIn(shared, places.INVERSE_NORM_OF_LENGTH);
  const postingRows = placeIn(room, places.POSTING_ROWS);
  const frequencies = placeIn(room, places.FREQUENCIES);
  const positionEnds = placeIn(room, places.POSITION_ENDS);
  const postingStarts = placeIn(room, places.POSTING_STARTS);
  const positionStarts = placeIn(room, places.POSITION_STARTS);
  const blockBounds = placeIn(room, places.BLOCK_BOUNDS);
  const end = postings;
  let posting: u32 = 0;
  let out = postingAt;
  let positionStart = positionBegin;
  let maxRatioOfTerm: f64 = 0;
  for (let first: u32 = 0; first < rows; first += 1 << bits) {
    const nextFirst = first + (1 << bits);
    const from = posting;
    let after = first;
    let maxRatio: f64 = 0;
    store<u32>(entryOf(postingStarts, blocks), <u32>out);
    store<u32>(entryOf(positionStarts, blocks), <u32>positionStart);
    for (; posting < end; posting++) {
      const row = numberIn(postingRows, posting);
      if (row >= nextFirst) break;
      const frequency = numberIn(frequencies, posting);
      maxRatio = max(maxRatio, <f64>frequency * load<f64>(inverseNorms + (placeIn(lengths, row) << 3)));
      if (!isDense) out = writePosting(out, row - after, frequency);
      after = row + 1;
    }
    if (posting > from) positionStart = placeIn(positionEnds, posting - 1);
    maxRatioOfTerm = max(maxRatioOfTerm, maxRatio);
    store<u8>(blockBounds + <usize>blocks, <u8>boundOf(maxRatio));
    blocks++;
  }
  postingAt = out;
  return maxRatioOfTerm;
}

/* @inline */ function saturationOf(ratio: f64): f64 {
  return ratio / (ratio + 1);
}

/* @inline */ function boundOf(ratio: f64): f64 {
  return min(ceil(saturationOf(ratio) * BOUND_MARGIN * SATURATION_STEPS), SATURATION_STEPS);
}

/* @inline */ function writePosting(out: usize, gap: u32, frequency: u32): usize {
  if (frequency < INLINE_FREQUENCIES) {
    const number = (gap << FREQUENCY_BITS) | (frequency - 1);
    if (number > 0x3fff) return writeNumber(out, number);
    const isLong = u32(number > 127);
    store<u16>(out, (number & 127) | (isLong << 7) | ((number >> 7) << 8));
    return out + 1 + <usize>isLong;
  }
  out = writeNumber(out, (gap << FREQUENCY_BITS) | (INLINE_FREQUENCIES - 1));
  return writeNumber(out, frequency - INLINE_FREQUENCIES);
}
