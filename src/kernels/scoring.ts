/**
 * The loops over postings (`posting-layout.ts`), which are read where they stand. Rows count from the first of the index. Sums
 * are 4 bytes a row.
 */

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
    let at = <usize>load<u32>(starts);
    const end = <usize>load<u32>(starts, 4);
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
        const sum = rowTable + ((<usize>row) << 2);
        store<u32>(sum, load<u32>(sum) + weightOrMask * impact);
      } else {
        const word = rowTable + ((<usize>(row >> 5)) << 2);
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

/** A bit for each of the 16 rows whose sums begin at `sums`: whether its sum is at least the limit. Sums have 29 bits. */
/* @inline */ function sumsFrom(sums: usize, limits: v128): u32 {
  const low = i16x8.narrow_i32x4_s(i32x4.ge_s(v128.load(sums), limits), i32x4.ge_s(v128.load(sums, 16), limits));
  const high = i16x8.narrow_i32x4_s(i32x4.ge_s(v128.load(sums, 32), limits), i32x4.ge_s(v128.load(sums, 48), limits));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

/**
 * Collects the keys of the `count` best rows of a set, `words` words of bits, in `heap`, a binary heap whose least key is the first;
 * returns their number. A key is a sum (29 bits) and a row (24 bits) as one number: the greater sum is greater, then the lower row.
 * The sums are zeroed.
 */
export function selectBest(accept: usize, words: u32, sums: usize, count: u32, heap: usize): u32 {
  let size: u32 = 0;
  // Rows ascend, so a later row needs a greater sum than the least key.
  let limits = i32x4.splat(0);
  for (let word: u32 = 0; word < words; word++) {
    let candidates = load<u32>(accept + ((<usize>word) << 2));
    if (candidates === 0) continue;
    const sumsOfWord = sums + ((<usize>word) << 7);
    if (size === count) candidates &= sumsFrom(sumsOfWord, limits) | (sumsFrom(sumsOfWord + 64, limits) << 16);
    for (; candidates !== 0; candidates &= candidates - 1) {
      const bit: u32 = ctz(candidates);
      const sum = load<u32>(sumsOfWord + ((<usize>bit) << 2));
      const key = <f64>(((<u64>sum) << ROW_BITS) | <u64>(MAX_ROW - ((word << 5) | bit)));
      if (size < count) siftUp(heap, size++, key);
      else if (key > load<f64>(heap)) siftDown(heap, size, key);
      if (size === count) limits = i32x4.splat(<i32>(<u64>load<f64>(heap) >> ROW_BITS) + 1);
    }
  }
  memory.fill(sums, 0, (<usize>words) << 7);
  return size;
}

const ROW_BITS: u64 = 24;
const MAX_ROW: u32 = (1 << 24) - 1;

/* @inline */ function keyAt(heap: usize, i: u32): usize {
  return heap + ((<usize>i) << 3);
}

/** Puts a key in the free place `at`, or above it. */
function siftUp(heap: usize, at: u32, key: f64): void {
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const parentKey = load<f64>(keyAt(heap, parent));
    if (parentKey <= key) break;
    store<f64>(keyAt(heap, at), parentKey);
    at = parent;
  }
  store<f64>(keyAt(heap, at), key);
}

/** Replaces the least key. */
function siftDown(heap: usize, size: u32, key: f64): void {
  let at: u32 = 0;
  for (let child: u32 = 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && load<f64>(keyAt(heap, child + 1)) < load<f64>(keyAt(heap, child))) child++;
    const childKey = load<f64>(keyAt(heap, child));
    if (childKey >= key) break;
    store<f64>(keyAt(heap, at), childKey);
    at = child;
  }
  store<f64>(keyAt(heap, at), key);
}
