/**
 * The loops of queries over postings (`posting-layout.ts`), which are read where they stand in the memory of an index. Rows count
 * from the first of the index. Sums are 4 bytes a row.
 */
import { entriesBelow, entryOf, numberIn, STEP_ENTRIES } from './entries.js';

export { frequencyIn, keepWithPhrase } from './phrases.js';

/** The two uses of `forEachPosting`: add impacts to sums, or mark rows in a bitmap. */
const ADD: u32 = 0;
const MARK: u32 = 1;

/**
 * Reads the postings of `blocks` blocks of 2^`blockBits` rows; `starts` is the address of their entries in `postingStarts`.
 * `rowTable` has the sum, or the bit, of each row.
 */
/* @inline */ function forEachPosting(
  use: u32,
  starts: usize,
  blocks: u32,
  blockBits: u32,
  rowTable: usize,
  weightOrMask: u32,
  usualMask: u32,
): void {
  for (let first: u32 = 0; blocks > 0; blocks--) {
    let at = <usize>numberIn(starts, 0);
    const end = <usize>numberIn(starts, 1);
    let row = first - 1;
    while (at < end) {
      let number = <u32>load<u8>(at++);
      if (number > 127) {
        number &= 127;
        let shift: u32 = 7;
        let byte: u32 = 0;
        do {
          byte = <u32>load<u8>(at++);
          number |= (byte & 127) << shift;
          shift += 7;
        } while (byte > 127);
      }
      row += (number >> 1) + 1;
      const mask = (number & 1) !== 0 ? <u32>load<u8>(at++) : usualMask;
      const impact = <u32>load<u8>(at++);
      if (use === ADD) {
        const sum = entryOf(rowTable, row);
        store<u32>(sum, load<u32>(sum) + weightOrMask * impact);
      } else {
        const word = entryOf(rowTable, row >> 5);
        const isMarked = u32((mask & weightOrMask) !== 0);
        store<u32>(word, load<u32>(word) | (isMarked << (row & 31)));
      }
    }
    first += 1 << blockBits;
    starts += 4;
  }
}

/** Adds the weighted impacts of postings to the rows' sums. */
export function addPostings(starts: usize, blocks: u32, blockBits: u32, weight: u32, sums: usize): void {
  forEachPosting(ADD, starts, blocks, blockBits, sums, weight, 0);
}

/** Sets the bits of the rows whose postings have a bit in common with `mask`. */
export function markPostings(
  starts: usize,
  blocks: u32,
  blockBits: u32,
  usualMask: u32,
  mask: u32,
  bitmap: usize,
): void {
  forEachPosting(MARK, starts, blocks, blockBits, bitmap, mask, usualMask);
}

/** Adds the weighted impacts of `rows` rows, a multiple of 16, to their sums. */
export function addDense(impacts: usize, rows: usize, weight: u32, sums: usize): void {
  const weights = i32x4.splat(weight);
  for (const end = impacts + rows; impacts < end; impacts += 16) {
    const sixteen = v128.load(impacts);
    const low = i16x8.extend_low_i8x16_u(sixteen);
    const high = i16x8.extend_high_i8x16_u(sixteen);
    addFour(sums, i32x4.extend_low_i16x8_u(low), weights);
    addFour(sums + 16, i32x4.extend_high_i16x8_u(low), weights);
    addFour(sums + 32, i32x4.extend_low_i16x8_u(high), weights);
    addFour(sums + 48, i32x4.extend_high_i16x8_u(high), weights);
    sums += 64;
  }
}

/* @inline */ function addFour(sums: usize, impacts: v128, weights: v128): void {
  v128.store(sums, i32x4.add(v128.load(sums), i32x4.mul(impacts, weights)));
}

/**
 * Writes the rows of a set, `words` words of bits, whose sums are at least `limit`, in ascending order. Begins with the word
 * `from`, and stops where less than 32 of `space` numbers are left. Returns how many rows it has written.
 */
export function selectRows(set: usize, words: u32, from: u32, sums: usize, limit: u32, rows: usize, space: u32): u32 {
  let count: u32 = 0;
  for (let word = from; word < words && count + 32 <= space; word++) {
    let selected = numberIn(set, word);
    if (selected === 0) continue;
    const first = word << 5;
    const low = entriesBelow(entryOf(sums, first), limit);
    selected &= ~(low | (entriesBelow(entryOf(sums, first + STEP_ENTRIES), limit) << STEP_ENTRIES));
    // The lowest bit is taken out in each turn.
    for (; selected !== 0; selected &= selected - 1) store<u32>(entryOf(rows, count++), first + <u32>ctz(selected));
  }
  return count;
}

/** Makes `bytes` bytes 0. */
export function clear(at: usize, bytes: usize): void {
  memory.fill(at, 0, bytes);
}
