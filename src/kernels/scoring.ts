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
): void {
  for (let first: u32 = 0; blocks > 0; blocks--) {
    let at = <usize>load<u32>(starts);
    const end = <usize>load<u32>(starts, 4);
    let row = first - 1;
    let mask: u32 = 0;
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
      if ((number & 1) !== 0) mask = load<u8>(at++);
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
  forEachPosting(ADD, starts, blocks, blockBits, sums, weight);
}

/** Sets the bits of the rows whose postings have a bit in common with `mask`. */
export function markPostings(starts: usize, blocks: u32, blockBits: u32, mask: u32, bitmap: usize): void {
  forEachPosting(MARK, starts, blocks, blockBits, bitmap, mask);
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

/** Sets the bits of the rows, a multiple of 16, whose masks have a bit in common with `mask`. */
export function markDense(masks: usize, rows: usize, mask: u32, bitmap: usize): void {
  const fieldMask = i8x16.splat(<i8>mask);
  const zeros = i8x16.splat(0);
  for (const end = masks + rows; masks < end; masks += 16) {
    const lacks = i8x16.bitmask(i8x16.eq(v128.and(v128.load(masks), fieldMask), zeros));
    store<u16>(bitmap, <u32>load<u16>(bitmap) | (~lacks & 0xffff));
    bitmap += 2;
  }
}

/**
 * Writes the rows of a set whose sums are at least `least`; returns their number. The set is `words` words of bits for the rows
 * from `first` on, and so are `sums`. One entry behind the last row is overwritten.
 */
export function selectRows(accept: usize, words: u32, first: u32, sums: usize, least: u32, into: usize): u32 {
  const begin = into;
  for (const end = accept + ((<usize>words) << 2); accept < end; accept += 4) {
    for (let rest = load<u32>(accept); rest !== 0; rest &= rest - 1) {
      const bit: u32 = ctz(rest);
      store<u32>(into, first + bit);
      // An addition in place of a branch, which the processor could not predict.
      into += usize(load<u32>(sums + ((<usize>bit) << 2)) >= least) << 2;
    }
    first += 32;
    sums += 128;
  }
  return <u32>((into - begin) >> 2);
}
