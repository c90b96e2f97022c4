/**
 * Phrases of frequent words in many records: one pass through the positions of all words, without a call or a look-up for a
 * record.
 */
import { BITMAP, MARKS, PHRASE_WORD_NUMBERS, POSITIONS, SHIFT } from './phrases-layout.js';
import { MAX_INLINE_DISTANCE } from './posting-layout.js';

const WORD_BYTES: usize = 4 * PHRASE_WORD_NUMBERS;
const BITMAP_AT: usize = 4 * BITMAP;
const POSITIONS_AT: usize = 4 * POSITIONS;
const SHIFT_AT: usize = 4 * SHIFT;
/** The rows of 32 that hold the word and were not passed yet. */
const LEFT_AT: usize = 12;

/** Where the distance that begins at `at` ends. */
/* @inline */ function behindDistance(at: usize): usize {
  let next = at + 1;
  if (<u32>load<u8>(at) >> 1 === MAX_INLINE_DISTANCE) while (load<u8>(next++) > 127);
  return next;
}

/** Where the positions of so many postings end. */
/* @inline */ function behindPostings(at: usize, postings: u32): usize {
  while (postings > 0) {
    postings -= <u32>load<u8>(at) & 1;
    at = behindDistance(at);
  }
  return at;
}

/**
 * Takes the rows out of `among`, `length` words of bits, in which the words from address `first` to `end`, two at least,
 * never stand in one place of a phrase; all rows hold all of them. `marks` are `MARKS` numbers, none of which is `mark` or
 * one of those after it, as many as there are rows times words. Returns the phrases' places looked at, or-ed: rows that
 * should not may have been left in if that is `MARKS` or more.
 */
export function keepWithPhrase(among: usize, length: u32, first: usize, end: usize, marks: usize, mark: u32): u32 {
  let seen: u32 = 0;
  for (const amongEnd = among + ((<usize>length) << 2); among < amongEnd; among += 4) {
    let kept = load<u32>(among);
    for (let word = first; word < end; word += WORD_BYTES) {
      const bitmap = <usize>load<u32>(word, BITMAP_AT);
      store<u32>(word, load<u32>(bitmap), LEFT_AT);
      store<u32>(word, <u32>(bitmap + 4), BITMAP_AT);
    }
    for (let rest = kept; rest !== 0; rest &= rest - 1) {
      const row = rest & (0 - rest);
      // Each word marks the places that all words before it have marked.
      let isFound: u32 = 1;
      for (let word = first; word < end && isFound !== 0; word += WORD_BYTES) {
        const left = load<u32>(word, LEFT_AT);
        let at = behindPostings(<usize>load<u32>(word, POSITIONS_AT), popcnt(left & (row - 1)));
        store<u32>(word, left & ~(row | (row - 1)), LEFT_AT);
        let place = load<u32>(word, SHIFT_AT);
        let isLast: u32 = 0;
        const isFirst = u32(word === first);
        isFound = isFirst;
        do {
          const byte = <u32>load<u8>(at++);
          let distance = byte >> 1;
          isLast = byte & 1;
          if (distance === MAX_INLINE_DISTANCE) {
            let shift: u32 = 0;
            let more: u32 = 0;
            do {
              more = <u32>load<u8>(at++);
              distance += (more & 127) << shift;
              shift += 7;
            } while (more > 127);
          }
          place += distance;
          seen |= place;
          const markAt = marks + ((<usize>(place & (MARKS - 1))) << 2);
          if (isFirst !== 0) store<u32>(markAt, mark);
          else {
            const before = load<u32>(markAt);
            const isMarked = u32(before === mark);
            store<u32>(markAt, before + isMarked);
            isFound |= isMarked;
          }
        } while (isLast === 0);
        store<u32>(word, <u32>at, POSITIONS_AT);
        // The next word looks for the marks of this one.
        if (isFirst === 0) mark++;
      }
      mark++;
      if (isFound === 0) kept ^= row;
    }
    for (let word = first; word < end; word += WORD_BYTES) {
      const at = behindPostings(<usize>load<u32>(word, POSITIONS_AT), popcnt(load<u32>(word, LEFT_AT)));
      store<u32>(word, <u32>at, POSITIONS_AT);
    }
    store<u32>(among, kept);
  }
  return seen;
}
