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
/** The offset of the kernel's own number: a bit for each of 32 rows that hold the word and were not passed yet. */
const LEFT_AT: usize = 12;

/** The end of the position that begins at `at`. */
/* @inline */ function behindDistance(at: usize): usize {
  let next = at + 1;
  if (<u32>load<u8>(at) >> 1 === MAX_INLINE_DISTANCE) while (load<u8>(next++) > 127);
  return next;
}

/** The end of the positions of `postings` postings, which begin at `at`. */
/* @inline */ function behindPostings(at: usize, postings: u32): usize {
  while (postings > 0) {
    postings -= <u32>load<u8>(at) & 1;
    at = behindDistance(at);
  }
  return at;
}

/**
 * Removes from `among`, `length` words of bits, the rows without the phrase of the words from address `first` to `end`. There
 * are at least two words, and each row has all of them. `marks` are `MARKS` numbers, all of them unequal to the numbers from
 * `mark` to `mark` + rows · words. Returns the bitwise or of all phrase positions: if it is `MARKS` or more, positions may
 * have shared a mark, and rows without the phrase may be left.
 */
export function keepWithPhrase(among: usize, length: u32, first: usize, end: usize, marks: usize, mark: u32): u32 {
  let phrasePositions: u32 = 0;
  for (const amongEnd = among + ((<usize>length) << 2); among < amongEnd; among += 4) {
    let rowsWithPhrase = load<u32>(among);
    for (let word = first; word < end; word += WORD_BYTES) {
      const bitmap = <usize>load<u32>(word, BITMAP_AT);
      store<u32>(word, load<u32>(bitmap), LEFT_AT);
      store<u32>(word, <u32>(bitmap + 4), BITMAP_AT);
    }
    for (let rest = rowsWithPhrase; rest !== 0; rest &= rest - 1) {
      const row = rest & (0 - rest);
      // A word raises the marks of the phrase positions that all words before it have marked.
      let isFound: u32 = 1;
      for (let word = first; word < end && isFound !== 0; word += WORD_BYTES) {
        const unpassedRows = load<u32>(word, LEFT_AT);
        let at = behindPostings(<usize>load<u32>(word, POSITIONS_AT), popcnt(unpassedRows & (row - 1)));
        store<u32>(word, unpassedRows & ~(row | (row - 1)), LEFT_AT);
        let phrasePosition = load<u32>(word, SHIFT_AT);
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
          phrasePosition += distance;
          phrasePositions |= phrasePosition;
          const markAt = marks + ((<usize>(phrasePosition & (MARKS - 1))) << 2);
          if (isFirst !== 0) store<u32>(markAt, mark);
          else {
            const before = load<u32>(markAt);
            const isMarked = u32(before === mark);
            store<u32>(markAt, before + isMarked);
            isFound |= isMarked;
          }
        } while (isLast === 0);
        store<u32>(word, <u32>at, POSITIONS_AT);
        // The next word looks for the mark that this word has set.
        if (isFirst === 0) mark++;
      }
      mark++;
      if (isFound === 0) rowsWithPhrase ^= row;
    }
    for (let word = first; word < end; word += WORD_BYTES) {
      const at = behindPostings(<usize>load<u32>(word, POSITIONS_AT), popcnt(load<u32>(word, LEFT_AT)));
      store<u32>(word, <u32>at, POSITIONS_AT);
    }
    store<u32>(among, rowsWithPhrase);
  }
  return phrasePositions;
}
