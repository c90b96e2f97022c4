/**
 * The loops over postings that the slowest queries go through. They read the index where it stands. Rows count from the
 * first of the window or of the index, as the addresses of norms, sums and bits do. Scores are computed as
 * `search/scoring.ts` computes them, which a test holds them to.
 */
import { FREQUENCY_BITS, INLINE_FREQUENCIES } from './posting-layout.js';

/** Added and subtracted, it rounds a score to a multiple of 2^-32. */
const ROUNDING: f64 = 1.5 * 1048576;

/** What a term of this weight adds to the score of a row that has it so often. */
/* @inline */ function score(weight: f64, frequency: f64, norm: f64): f64 {
  return (weight * frequency) / (frequency + norm) + ROUNDING - ROUNDING;
}

export function scoreOf(weight: f64, frequency: f64, norm: f64): f64 {
  return score(weight, frequency, norm);
}

/** The same for two rows; 0 where the frequency is 0, whatever the norm: that of an empty record may be 0. */
/* @inline */ function twoScores(weight: v128, frequencies: v128, norms: v128): v128 {
  const divisors = f64x2.max(f64x2.add(frequencies, norms), f64x2.splat(f64.MIN_VALUE));
  const scores = f64x2.div(f64x2.mul(frequencies, weight), divisors);
  return f64x2.sub(f64x2.add(scores, f64x2.splat(ROUNDING)), f64x2.splat(ROUNDING));
}

/* @inline */ function addTwoScores(sums: usize, norms: usize, weight: v128, frequencies: v128): void {
  v128.store(sums, f64x2.add(v128.load(sums), twoScores(weight, frequencies, v128.load(norms))));
}

/** Adds to the `sums` of `rows` rows, a multiple of 8, what a term adds of which they have a frequency each, a byte a row. */
export function addDense(dense: usize, rows: usize, weight: f64, norms: usize, sums: usize): void {
  const weights = f64x2.splat(weight);
  const end = dense + rows;
  for (; dense < end; dense += 8) {
    const eight = i16x8.extend_low_i8x16_u(v128.load_zero<u64>(dense));
    const low = i32x4.extend_low_i16x8_u(eight);
    const high = i32x4.extend_high_i16x8_u(eight);
    addTwoScores(sums, norms, weights, f64x2.convert_low_i32x4_u(low));
    addTwoScores(sums + 16, norms + 16, weights, f64x2.convert_low_i32x4_u(v128.shuffle<u64>(low, low, 1, 0)));
    addTwoScores(sums + 32, norms + 32, weights, f64x2.convert_low_i32x4_u(high));
    addTwoScores(sums + 48, norms + 48, weights, f64x2.convert_low_i32x4_u(v128.shuffle<u64>(high, high, 1, 0)));
    norms += 64;
    sums += 64;
  }
}

/** What is done with each posting of some blocks. */
const SCORE: u32 = 0;
const BLEND: u32 = 1;
const MARK: u32 = 2;

/**
 * Reads the postings of `blocks` blocks of 2^`bits` rows; `starts` is where the index says where they begin. `rowTable` is what a row has an entry of, `limit` the greatest frequency of a blend.
 */
/* @inline */ function forEachPosting(
  use: u32,
  starts: usize,
  blocks: u32,
  bits: u32,
  rowTable: usize,
  weight: f64,
  norms: usize,
  limit: u32,
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
      row += (number >> FREQUENCY_BITS) + 1;
      let frequency = (number & (INLINE_FREQUENCIES - 1)) + 1;
      if (frequency === INLINE_FREQUENCIES) {
        let shift: u32 = 0;
        let byte: u32 = 0;
        do {
          byte = <u32>load<u8>(at++);
          frequency += (byte & 127) << shift;
          shift += 7;
        } while (byte > 127);
      }
      if (use === SCORE) {
        const sum = rowTable + ((<usize>row) << 3);
        store<f64>(sum, load<f64>(sum) + score(weight, <f64>frequency, load<f64>(norms + ((<usize>row) << 3))));
      } else if (use === BLEND) {
        const blended = rowTable + <usize>row;
        store<u8>(blended, min(<u32>load<u8>(blended) + frequency, limit));
      } else {
        const word = rowTable + ((<usize>(row >> 5)) << 2);
        store<u32>(word, load<u32>(word) | (1 << (row & 31)));
      }
    }
    first += 1 << bits;
    starts += 4;
  }
}

/** Adds to `sums` what postings add. */
export function addPostings(starts: usize, blocks: u32, bits: u32, weight: f64, norms: usize, sums: usize): void {
  forEachPosting(SCORE, starts, blocks, bits, sums, weight, norms, 0);
}

/** Adds the frequencies of postings to a byte a row, up to `limit`. */
export function blendPostings(starts: usize, blocks: u32, bits: u32, frequencies: usize, limit: u32): void {
  forEachPosting(BLEND, starts, blocks, bits, frequencies, 0, 0, limit);
}

/** Sets the bits of the rows of postings. */
export function markRows(starts: usize, blocks: u32, bits: u32, bitmap: usize): void {
  forEachPosting(MARK, starts, blocks, bits, bitmap, 0, 0, 0);
}

/** Adds the frequencies of `rows` rows, a multiple of 16, to a byte a row, up to `limit`. */
export function blendDense(dense: usize, rows: usize, frequencies: usize, limit: u32): void {
  const limits = i8x16.splat(<i8>limit);
  const end = dense + rows;
  for (; dense < end; dense += 16) {
    const sums = i8x16.add_sat_u(v128.load(frequencies), v128.load(dense));
    v128.store(frequencies, i8x16.min_u(sums, limits));
    frequencies += 16;
  }
}

/** Writes a bit for each of `length` bytes, a multiple of 16: whether it is not 0. */
export function writeNonZero(bytes: usize, length: usize, into: usize): void {
  for (const end = bytes + length; bytes < end; bytes += 16) {
    store<u16>(into, ~i8x16.bitmask(i8x16.eq(v128.load(bytes), i8x16.splat(0))));
    into += 2;
  }
}

/** The greatest of `length` bytes, a multiple of 16. */
export function maxByte(bytes: usize, length: usize): u32 {
  let greatest = i8x16.splat(0);
  for (const end = bytes + length; bytes < end; bytes += 16) greatest = i8x16.max_u(greatest, v128.load(bytes));
  let most: u32 = 0;
  while (most < 255 && v128.any_true(i8x16.gt_u(greatest, i8x16.splat(<i8>most)))) most++;
  return most;
}

/** Writes the rows of a set of `words` words of bits whose sums reach `least`; returns how many. */
export function selectRows(accept: usize, words: u32, sums: usize, least: f64, into: usize): u32 {
  const begin = into;
  const end = accept + ((<usize>words) << 2);
  for (let first: u32 = 0; accept < end; accept += 4) {
    for (let rest = load<u32>(accept); rest !== 0; rest &= rest - 1) {
      const row = first + ctz(rest);
      store<u32>(into, row);
      // Added, not jumped over: which rows pass cannot be foreseen.
      into += usize(load<f64>(sums + ((<usize>row) << 3)) >= least) << 2;
    }
    first += 32;
  }
  return <u32>((into - begin) >> 2);
}
