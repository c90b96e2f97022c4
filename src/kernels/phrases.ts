/**
 * Phrases in single rows: terms whose positions have given distances; a single term is a phrase as well. Bitmaps say which rows hold
 * the terms. Positions (`posting-layout.ts`) are read where they stand: rows in ascending order cost one pass over those of each term.
 */
import { entryOf, numberIn } from './entries.js';
import type { Cursor, Phrase } from './phrases-layout.js';
import { ANY_FIELD, CURSOR_NUMBERS, HEAD_NUMBERS, MAX_DISTANCE } from './phrases-layout.js';
import { MAX_INLINE_DISTANCE } from './posting-layout.js';

const ALL_BITS: u32 = 0xffffffff;
const HEAD_BYTES: usize = 4 * HEAD_NUMBERS;
const CURSOR_BYTES: usize = 4 * CURSOR_NUMBERS;

/* @inline */ function cursorAt(phrase: usize, i: u32): Cursor {
  return changetype<Cursor>(phrase + HEAD_BYTES + <usize>i * CURSOR_BYTES);
}

/** The distance that is coded at `at`. */
/* @inline */ function distanceAt(at: usize): u32 {
  let distance = <u32>load<u8>(at) >> 1;
  if (distance === MAX_INLINE_DISTANCE) {
    let byte: u32 = 0;
    let shift: u32 = 0;
    do {
      byte = <u32>load<u8>(++at);
      distance += (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
  }
  return distance;
}

/** The end of the distance that is coded at `at`. */
/* @inline */ function behindDistance(at: usize): usize {
  let end = at + 1;
  if (<u32>load<u8>(at) >> 1 === MAX_INLINE_DISTANCE) while (load<u8>(end++) > 127);
  return end;
}

/** Whether the distance that is coded at `at` is the last of its posting: 1 or 0. */
/* @inline */ function isLastAt(at: usize): u32 {
  return <u32>load<u8>(at) & 1;
}

/** The end of the positions of `postings` postings, which begin at `at`. */
/* @inline */ function behindPostings(at: usize, postings: u32): usize {
  while (postings > 0) {
    postings -= isLastAt(at);
    at = behindDistance(at);
  }
  return at;
}

/** The number of rows of a bitmap from `from` to `to`, the latter excluded: of its first word the bits from `from` on, of its last those before `to`. */
/* @inline */ function membersBetween(bitmap: usize, from: u32, to: u32): u32 {
  let word = entryOf(bitmap, from >> 5);
  let bits = load<u32>(word) & (ALL_BITS << (from & 31));
  let count: u32 = 0;
  for (const last = entryOf(bitmap, to >> 5); word < last; bits = load<u32>(word)) {
    count += popcnt(bits);
    word += 4;
  }
  return count + popcnt(bits & ~(ALL_BITS << (to & 31)));
}

/** Goes to a row; returns whether it holds the term. */
/* @inline */ function seekRow(cursor: Cursor, row: u32): bool {
  const bitmap = cursor.bitmap;
  const blockBits = cursor.blockBits;
  if (((numberIn(bitmap, row >> 5) >> (row & 31)) & 1) === 0) return false;
  const block = row >> blockBits;
  if (row < cursor.row || cursor.row >> blockBits !== block) {
    cursor.row = block << blockBits;
    cursor.positions = <usize>numberIn(cursor.positionStarts, block);
  }
  cursor.positions = behindPostings(cursor.positions, membersBetween(bitmap, cursor.row, row));
  cursor.row = row;
  return true;
}

/** The position at which a field of a row begins. */
/* @inline */ function fieldStart(phrase: Phrase, row: u32, field: u32): u32 {
  const at = phrase.fieldStarts + ((<usize>(row * phrase.fields + field)) << phrase.startShift);
  return phrase.startShift === 0 ? <u32>load<u8>(at) : phrase.startShift === 1 ? <u32>load<u16>(at) : load<u32>(at);
}

/** The weight of the field that a position lies in. An empty field begins where the next does. */
function weightAt(phrase: Phrase, row: u32, position: u32): u32 {
  let field: u32 = 0;
  while (field + 1 < phrase.fields && fieldStart(phrase, row, field + 1) <= position) field++;
  return numberIn(phrase.fieldWeights, field);
}

/** Inverts the bits of `count` positions in `bits`. */
/* @inline */ function invertBits(bits: usize, positions: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const position = numberIn(positions, i);
    const word = entryOf(bits, position >> 5);
    store<u32>(word, load<u32>(word) ^ ((<u32>1) << (position & 31)));
  }
}

/**
 * Reads the positions of a cursor's row, and passes it. The phrase would start at the term's distance before each position. The starts
 * that have a bit in `bits` are written to `starts`, or all if `isFirst`; returns their number.
 */
/* @inline */ function readStarts(cursor: Cursor, bits: usize, starts: usize, isFirst: bool): u32 {
  // Bits begin at `MAX_DISTANCE`, so that no start is negative.
  let start: u32 = MAX_DISTANCE - cursor.distance;
  let at = cursor.positions;
  let count: u32 = 0;
  let isLast: u32 = 0;
  do {
    start += distanceAt(at);
    isLast = isLastAt(at);
    at = behindDistance(at);
    store<u32>(entryOf(starts, count), start);
    // An addition in place of a branch, which the processor could not predict.
    count += isFirst ? 1 : (numberIn(bits, start >> 5) >> (start & 31)) & 1;
  } while (isLast === 0);
  cursor.positions = at;
  cursor.row++;
  return count;
}

/**
 * Writes the positions of the first cursor's term at which a row holds a phrase of `terms` terms to `starts` of the phrase, ascending;
 * returns their number. The term of the first cursor should be the rarest. The other terms are looked for only while all before them
 * match.
 */
function findStarts(phrase: usize, terms: u32, row: u32): u32 {
  const head = changetype<Phrase>(phrase);
  const first = cursorAt(phrase, 0);
  if (!seekRow(first, row)) return 0;
  const bits = head.bits;
  let count = readStarts(first, bits, head.starts, true);
  for (let i: u32 = 1; i < terms && count > 0; i++) {
    const cursor = cursorAt(phrase, i);
    if (!seekRow(cursor, row)) return 0;
    const starts = head.starts;
    invertBits(bits, starts, count);
    const matching = readStarts(cursor, bits, head.nextStarts, false);
    invertBits(bits, starts, count);
    head.starts = head.nextStarts;
    head.nextStarts = starts;
    count = matching;
  }
  return count;
}

/** The occurrences of a phrase in a row, each weighted by its field. */
export function frequencyIn(phrase: usize, terms: u32, row: u32): u32 {
  const head = changetype<Phrase>(phrase);
  const count = findStarts(phrase, terms, row);
  let frequency: u32 = 0;
  for (let i: u32 = 0; i < count; i++) frequency += weightAt(head, row, numberIn(head.starts, i) - MAX_DISTANCE);
  return frequency;
}

/** Whether a row holds a phrase in a field, which may be `ANY_FIELD`. */
function holdsPhrase(phrase: usize, terms: u32, row: u32, field: i32): bool {
  const head = changetype<Phrase>(phrase);
  const count = findStarts(phrase, terms, row);
  if (field === ANY_FIELD || count === 0) return count > 0;
  // Starts ascend, and are kept MAX_DISTANCE above positions. The first one behind the field's beginning decides: it stands before
  // the next field, or none does. The last field has no next one.
  const from = fieldStart(head, row, field) + MAX_DISTANCE;
  let i: u32 = 0;
  while (i < count && numberIn(head.starts, i) < from) i++;
  if (i === count || <u32>field + 1 === head.fields) return i < count;
  return numberIn(head.starts, i) < fieldStart(head, row, field + 1) + MAX_DISTANCE;
}

/** Removes from `rows`, `words` words of bits, the rows that lack the phrase in a field, which may be `ANY_FIELD`. */
export function keepWithPhrase(phrase: usize, terms: u32, field: i32, rows: usize, words: u32): void {
  for (let word: u32 = 0; word < words; word++) {
    const at = entryOf(rows, word);
    let withPhrase = load<u32>(at);
    // The lowest bit is taken out in each turn.
    for (let rest = withPhrase; rest !== 0; rest &= rest - 1) {
      const bit: u32 = ctz(rest);
      if (!holdsPhrase(phrase, terms, (word << 5) + bit, field)) withPhrase ^= (<u32>1) << bit;
    }
    store<u32>(at, withPhrase);
  }
}
