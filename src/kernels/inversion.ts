/**
 * The token stream of all records to postings: a counting sort of tokens by term (Knuth, volume 3, section 5.2), for as
 * many terms at a time as their tokens have room, and the sorted tokens of each term as bytes (`posting-layout.ts`).
 *
 * A sorted token is 8 bytes: its row, and its position with the field in the highest 3 bits.
 */
import {
  BLOCK_POSITION_BYTES as BLOCK_BYTES,
  FREQUENCY_BITS as FREQUENCY,
  INLINE_FREQUENCIES as INLINE,
  MAX_INLINE_DISTANCE as INLINE_DISTANCE,
  SATURATION_STEPS as STEPS,
} from './posting-layout.js';
import {
  FIELD as FIELD_MARK,
  REFERENCE as FIRST_REFERENCE,
  POSITION_GAP as GAP_POSITIONS,
  RECORD as RECORD_MARK,
} from './stream-layout.js';

const RECORD: i32 = RECORD_MARK;
const FIELD: i32 = FIELD_MARK;
const REFERENCE: i32 = FIRST_REFERENCE;
const POSITION_GAP: u32 = GAP_POSITIONS;
const TOKEN_BYTES: usize = 8;
const FIELD_SHIFT: u32 = 29;
const POSITION_MASK: u32 = (1 << FIELD_SHIFT) - 1;
const NOWHERE: u32 = 0xffffffff;
const FREQUENCY_BITS: u32 = FREQUENCY;
const INLINE_FREQUENCIES: u32 = INLINE;
const MAX_INLINE_DISTANCE: u32 = INLINE_DISTANCE;
const BLOCK_POSITION_BYTES: u64 = BLOCK_BYTES;
const SATURATION_STEPS: f64 = STEPS;
/** Bounds are raised by so much, which is more than rounding can take from them. */
const BOUND_MARGIN: f64 = 1 + 1e-6;

/** The most tokens without position increment in a field. */
export let maxStacked: u32 = 0;

/** Of the record that is being measured. */
let record: u32 = 0;
let row: i32 = -1;
let weight: u32 = 0;
let position: u32 = 0;
let length: u32 = 0;
let stacked: u32 = 0;

/**
 * Measures the stream from `stream` to `end`, which goes on where it ended the last time; `endMeasure` ends it. Both, like
 * `sort`, are called for a piece at a time: the engine optimises a function once it is called again, not while it runs.
 *
 * Replaces the tokens of records that have a row by terms, counts how many tokens each term has, and writes where each
 * row's record begins, how long it is, and at which positions its fields begin. `termOf[token]` is the token's term, or
 * less than 0: the complement of where the token's list stands among `lists`, in numbers of 4 bytes.
 */
export function measure(
  stream: usize,
  end: usize,
  termOf: usize,
  lists: usize,
  rowOf: usize,
  weights: usize,
  fields: u32,
  counts: usize,
  recordStarts: usize,
  lengths: usize,
  fieldStarts: usize,
): void {
  let tokens: u32 = 0;
  for (let at = stream; at < end; at += 4) {
    const entry = load<i32>(at);
    if (row < 0 && entry !== RECORD) continue;
    if (entry >= 0) {
      const term = load<i32>(termOf + ((<usize>entry) << 2));
      if (term >= 0) {
        store<i32>(at, term);
        increase(counts, term);
        tokens++;
      } else {
        store<i32>(at, REFERENCE - 2 * ~term);
        const list = lists + ((<usize>~term) << 2);
        const sequence = load<u32>(list);
        countAll(counts, list, sequence + load<u32>(list, 4));
        tokens += sequence;
        stacked += load<u32>(list, 4);
      }
      continue;
    }
    if (entry <= REFERENCE) {
      const term = load<i32>(termOf + ((<usize>((REFERENCE - 1 - entry) >> 1)) << 2));
      store<i32>(at, REFERENCE - 1 - 2 * term);
      increase(counts, term);
      stacked++;
      continue;
    }
    advance(tokens);
    tokens = 0;
    if (entry === RECORD) {
      endMeasure(fields, lengths, fieldStarts);
      row = load<i32>(rowOf + ((<usize>record) << 2));
      record++;
      position = 0;
      length = 0;
      if (row < 0) continue;
      store<u32>(recordStarts + ((<usize>row) << 2), <u32>at + 4);
      const starts = fieldStarts + ((<usize>(<u32>row * fields)) << 2);
      for (let field: usize = 0; field < <usize>fields; field++) store<u32>(starts + (field << 2), NOWHERE);
    } else {
      endField();
      position += POSITION_GAP;
      if (entry <= FIELD) {
        const field = <u32>(FIELD - entry);
        weight = load<u32>(weights + ((<usize>field) << 2));
        store<u32>(fieldStarts + ((<usize>(<u32>row * fields + field)) << 2), position);
      }
    }
  }
  advance(tokens);
}

function advance(tokens: u32): void {
  position += tokens;
  length += weight * tokens;
}

/* @inline */ function increase(counts: usize, term: i32): void {
  const count = counts + ((<usize>term) << 2);
  store<u32>(count, load<u32>(count) + 1);
}

function countAll(counts: usize, list: usize, terms: u32): void {
  for (let i: usize = 0; i < <usize>terms; i++) increase(counts, load<i32>(list + (i << 2), 8));
}

/** Tokens without position increment stand behind their field, each by itself. */
function endField(): void {
  if (stacked > maxStacked) maxStacked = stacked;
  if (stacked > 0) position += POSITION_GAP + stacked * (POSITION_GAP + 1);
  stacked = 0;
}

/** Ends the record that is being measured, if any is. An empty field begins where the next one does. */
export function endMeasure(fields: u32, lengths: usize, fieldStarts: usize): void {
  if (row < 0) return;
  endField();
  store<u32>(lengths + ((<usize>row) << 2), length);
  let next = position;
  for (let field = <i32>fields - 1; field >= 0; field--) {
    const start = fieldStarts + ((<usize>(<u32>row * fields + <u32>field)) << 2);
    if (load<u32>(start) === NOWHERE) store<u32>(start, next);
    else next = load<u32>(start);
  }
}

/** So many entries of the stream are looked at together. */
const STEP_ENTRIES: u32 = 16;

/**
 * Sorts the tokens of the terms from `first` to `end` of the rows `from … to`: term i's go where `next[i - first]` says, which is where
 * they end afterwards. Behind the last record a record mark follows. Most tokens are of other terms, and which are not
 * cannot be foreseen: steps without jumps find them.
 */
export function sort(
  from: u32,
  to: u32,
  recordStarts: usize,
  lists: usize,
  first: u32,
  end: u32,
  next: usize,
  waiting: usize,
): void {
  for (let record = from; record < to; record++) {
    let at = <usize>load<u32>(recordStarts + ((<usize>record) << 2));
    if (at === 0) continue;
    let place: u32 = 0;
    let behind = waiting;
    while (true) {
      const tokens: u32 = ctz(entriesBelow(at, 0) | (1 << STEP_ENTRIES));
      const ours = entriesBelow(at, end) & ~entriesBelow(at, first) & ((1 << tokens) - 1);
      for (let left = ours; left !== 0; left &= left - 1) {
        const i: u32 = ctz(left);
        put(load<u32>(at + ((<usize>i) << 2)) - first, record, place + i, next);
      }
      place += tokens;
      at += (<usize>tokens) << 2;
      if (tokens === STEP_ENTRIES) continue;
      const entry = load<i32>(at);
      at += 4;
      if (entry <= REFERENCE) {
        const reference = <u32>(REFERENCE - entry) >> 1;
        if ((entry & 1) !== (REFERENCE & 1)) {
          store<u32>(behind, reference);
          behind += 4;
        } else {
          let term = lists + ((<usize>reference) << 2);
          const sequence = load<u32>(term);
          const others = load<u32>(term, 4);
          for (let i: u32 = 0; i < sequence; i++) {
            putIfOurs(load<u32>(term, 8), record, place++, first, end, next);
            term += 4;
          }
          for (let i: u32 = 0; i < others; i++) {
            store<u32>(behind, load<u32>(term, 8));
            behind += 4;
            term += 4;
          }
        }
      } else {
        if (behind > waiting) {
          place += POSITION_GAP;
          for (let term = waiting; term < behind; term += 4) {
            place += POSITION_GAP;
            putIfOurs(load<u32>(term), record, place++, first, end, next);
          }
          behind = waiting;
        }
        if (entry === RECORD) break;
        place += POSITION_GAP;
        if (entry <= FIELD) place = (place & POSITION_MASK) | ((<u32>(FIELD - entry)) << FIELD_SHIFT);
      }
    }
  }
}

/** Which of the entries from `at` on are below a limit, a bit each. */
/* @inline */ function entriesBelow(at: usize, limit: u32): u32 {
  const limits = i32x4.splat(limit);
  const low = i16x8.narrow_i32x4_s(i32x4.lt_s(v128.load(at), limits), i32x4.lt_s(v128.load(at, 16), limits));
  const high = i16x8.narrow_i32x4_s(i32x4.lt_s(v128.load(at, 32), limits), i32x4.lt_s(v128.load(at, 48), limits));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

/* @inline */ function put(i: u32, record: u32, place: u32, next: usize): void {
  const to = next + ((<usize>i) << 2);
  const at = <usize>load<u32>(to);
  store<u32>(at, record);
  store<u32>(at, place, 4);
  store<u32>(to, <u32>(at + TOKEN_BYTES));
}

/* @inline */ function putIfOurs(term: u32, record: u32, place: u32, first: u32, end: u32, next: usize): void {
  if (term >= first && term < end) put(term - first, record, place, next);
}

let rows: u32 = 0;
let lengthsAt: usize = 0;
let inverseNorms: usize = 0;
let weightsAt: usize = 0;
/** Of the term read last: rows, frequencies, and where the positions of each posting end, 4 bytes each. */
let postingRows: usize = 0;
let frequencies: usize = 0;
let positionEnds: usize = 0;
/** By term: document frequency, upper bound, how many rows a block has (as a power of two), number of the first block. */
let documentFrequencies: usize = 0;
let maxSaturations: usize = 0;
let blockBits: usize = 0;
let firstBlocks: usize = 0;
/** By block: where postings and positions begin, and the bound. */
let postingStarts: usize = 0;
let positionStarts: usize = 0;
let blockBounds: usize = 0;

/** How many postings the term read last has, and the greatest frequency. */
export let postings: u32 = 0;
export let maxFrequency: u32 = 0;
/** The most positions of its postings, the most of any posting, and the most postings of a block. */
let maxPositionsOfTerm: u32 = 0;
export let maxPositions: u32 = 0;
export let maxInBlock: u32 = 0;
/** Where the postings and positions end that were written, and how many blocks there are. */
export let postingAt: usize = 0;
export let positionAt: usize = 0;
export let blocks: u32 = 0;
let positionBegin: usize = 0;

/** What terms are written with: tables of rows, lengths, and fields; and room for one term. */
export function useRows(
  rowCount: u32,
  lengthsOfRows: usize,
  inverseNormOfLength: usize,
  weightOfField: usize,
  rowsOfTerm: usize,
  frequenciesOfTerm: usize,
  endsOfTerm: usize,
): void {
  rows = rowCount;
  lengthsAt = lengthsOfRows;
  inverseNorms = inverseNormOfLength;
  weightsAt = weightOfField;
  postingRows = rowsOfTerm;
  frequencies = frequenciesOfTerm;
  positionEnds = endsOfTerm;
}

/** Where the next terms are written, the first of which is term 0 there. */
export function useOutput(
  documentFrequencyOfTerm: usize,
  maxSaturationOfTerm: usize,
  blockBitsOfTerm: usize,
  firstBlockOfTerm: usize,
  postingStartOfBlock: usize,
  positionStartOfBlock: usize,
  boundOfBlock: usize,
  postingBytes: usize,
  positionBytes: usize,
): void {
  documentFrequencies = documentFrequencyOfTerm;
  maxSaturations = maxSaturationOfTerm;
  blockBits = blockBitsOfTerm;
  firstBlocks = firstBlockOfTerm;
  postingStarts = postingStartOfBlock;
  positionStarts = positionStartOfBlock;
  blockBounds = boundOfBlock;
  postingAt = postingBytes;
  positionAt = positionBytes;
  blocks = 0;
}

/**
 * Writes the terms from `term` to `terms`, whose sorted tokens end where `ends` says and begin where those of the term
 * before end. Stops at a term of more than `most` postings, which it has read, and returns it.
 */
export function writeTerms(term: u32, terms: u32, sorted: usize, ends: usize, most: u32): u32 {
  for (; term < terms; term++) {
    const from = term === 0 ? sorted : <usize>load<u32>(ends + ((<usize>term - 1) << 2));
    readTerm(from, <usize>load<u32>(ends + ((<usize>term) << 2)));
    if (postings > most) return term;
    writeTerm(term, false);
  }
  return terms;
}

/** Puts the postings of a term together from its sorted tokens, and writes their positions. */
function readTerm(from: usize, to: usize): void {
  let posting: usize = 0;
  let out = positionAt;
  let most: u32 = 0;
  let mostPositions: u32 = 0;
  positionBegin = out;
  while (from < to) {
    const record = load<u32>(from);
    const start = from;
    let frequency: u32 = 0;
    let before: u32 = 0;
    let isLast: u32 = 0;
    do {
      const place = load<u32>(from, 4);
      const at = place & POSITION_MASK;
      frequency += load<u32>(weightsAt + ((<usize>(place >> FIELD_SHIFT)) << 2));
      from += TOKEN_BYTES;
      // What stands behind the last token is some other row, or not looked at.
      isLast = u32(load<u32>(from) !== record) | u32(from === to);
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
    store<u32>(postingRows + posting, record);
    store<u32>(frequencies + posting, frequency);
    store<u32>(positionEnds + posting, <u32>out);
    posting += 4;
    most = max(most, frequency);
    mostPositions = max(mostPositions, <u32>((from - start) >> 3));
  }
  positionAt = out;
  postings = <u32>(posting >> 2);
  maxFrequency = most;
  maxPositionsOfTerm = mostPositions;
}

/** Sets the bits of the rows of the term that was read, in a bitmap of zeros. */
export function writeBitmap(bitmap: usize): void {
  const end = postingRows + ((<usize>postings) << 2);
  for (let posting = postingRows; posting < end; posting += 4) {
    const row = load<u32>(posting);
    const word = bitmap + ((<usize>(row >> 5)) << 2);
    store<u32>(word, load<u32>(word) | (1 << (row & 31)));
  }
}

/** Writes the frequencies of the term that was read to a table of zeros, a byte a row. */
export function writeFrequencies(dense: usize): void {
  const end = (<usize>postings) << 2;
  for (let posting: usize = 0; posting < end; posting += 4)
    store<u8>(dense + <usize>load<u32>(postingRows + posting), load<u8>(frequencies + posting));
}

function writeNumber(out: usize, number: u32): usize {
  for (; number > 127; number >>= 7) store<u8>(out++, number | 128);
  store<u8>(out++, number);
  return out;
}

/** Writes the term that was read; its postings are left out if it is dense. */
export function writeTerm(term: u32, isDense: bool): void {
  const count = postings;
  let bits: u32 = 0;
  let maxRatioOfTerm: f64 = 0;
  store<u32>(documentFrequencies + ((<usize>term) << 2), count);
  store<u32>(firstBlocks + ((<usize>term) << 2), blocks);
  if (count > 0) {
    const bytes = <u64>(positionAt - positionBegin);
    while ((<u32>1) << bits < rows && bytes << bits < BLOCK_POSITION_BYTES * rows) bits++;
    let posting: usize = 0;
    const end = (<usize>count) << 2;
    let out = postingAt;
    let start = positionBegin;
    for (let first: u32 = 0; first < rows; first += 1 << bits) {
      const nextFirst = first + (1 << bits);
      const from = posting;
      let after = first;
      let maxRatio: f64 = 0;
      store<u32>(postingStarts + ((<usize>blocks) << 2), <u32>out);
      store<u32>(positionStarts + ((<usize>blocks) << 2), <u32>start);
      while (posting < end) {
        const row = load<u32>(postingRows + posting);
        if (row >= nextFirst) break;
        const frequency = load<u32>(frequencies + posting);
        const recordLength = load<u32>(lengthsAt + ((<usize>row) << 2));
        // f / (f + norm) grows with f / norm.
        maxRatio = max(maxRatio, <f64>frequency * load<f64>(inverseNorms + ((<usize>recordLength) << 3)));
        if (!isDense) out = writePosting(out, row - after, frequency);
        after = row + 1;
        posting += 4;
      }
      if (posting > from) start = <usize>load<u32>(positionEnds + posting - 4);
      maxInBlock = max(maxInBlock, <u32>((posting - from) >> 2));
      maxRatioOfTerm = max(maxRatioOfTerm, maxRatio);
      store<u8>(blockBounds + <usize>blocks, <u8>boundOf(maxRatio));
      blocks++;
    }
    postingAt = out;
    maxPositions = max(maxPositions, maxPositionsOfTerm);
  }
  store<u8>(blockBits + <usize>term, <u8>bits);
  store<f32>(maxSaturations + ((<usize>term) << 2), <f32>(saturationOf(maxRatioOfTerm) * BOUND_MARGIN));
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
