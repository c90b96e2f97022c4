/**
 * The bytes of an index, which the kernels write and read. Numbers take 7 bits a byte, the lowest first, the highest bit of a byte
 * set where the number goes on (LEB128).
 *
 *     posting     number: rows since the posting before << 1 | m      m: 1 where the mask is not the usual one of the term
 *                 byte: mask                                          only where m is 1; bit f: field f holds the term
 *                 byte: impact
 *     position    byte: distance from the position before << 1 | l    l: 1 at the posting's last position
 *                 number: distance - 127                              only where the byte's distance is 127
 *
 * If there are more than 8 fields, the last ones share bit 7; positions tell them apart. A dense term has no postings, but a bitmap of
 * its rows, and an impact for each row, 0 where the record lacks it; its fields are told by positions.
 */

export const MAX_MASK_BITS: u32 = 8;
/** A mask that any posting has a bit of. */
export const ANY_MASK: u32 = 0xff;
/** A distance of 127 or more is written as a byte and a number. */
export const MAX_INLINE_DISTANCE: u32 = 127;
/** The most bytes of a posting: 4 of a number below 2^25, since rows are below 2^24, a mask and an impact. */
export const MAX_POSTING_BYTES = 6;
/** The most bytes of a position: one, and 5 of a number. */
export const MAX_POSITION_BYTES = 6;

/** The mean number of a block's positions is from 256 to less than twice that. */
export const BLOCK_POSITIONS: u32 = 256;

/** The greatest impact is the greatest byte. */
export const IMPACT_STEPS: f64 = 255;

/** The impact of a posting: BM25's saturation, f / (f + norm), in steps from 1 to 255. No other place computes it. */
export function impactOf(frequency: u32, norm: f64): u32 {
  return Math.max(Math.floor((IMPACT_STEPS * frequency) / (frequency + norm) + 0.5), 1) as u32;
}
