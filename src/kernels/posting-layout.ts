/**
 * The bytes of an index, which the kernels write and read; `posting-format.ts` reads them too. Numbers take 7 bits a byte,
 * the lowest first, the highest bit of a byte set where the number goes on (LEB128).
 *
 *     posting     number: rows since the posting before << 2 | f      f: frequency - 1 if that is 0, 1 or 2
 *                 number: frequency - 4                               only where f is 3
 *     position    byte: distance from the position before << 1 | l    l: 1 at the posting's last position
 *                 number: distance - 127                              only where the byte's distance is 127
 */

export const FREQUENCY_BITS: u32 = 2;
/** Frequencies from here on are written in two numbers. */
export const INLINE_FREQUENCIES: u32 = 4;
/** Distances of positions from here on are written in two numbers. */
export const MAX_INLINE_DISTANCE: u32 = 127;
/** A number has at most 32 bits. */
export const MAX_NUMBER_BYTES = 5;
/** The most bytes of a posting without its positions, and of one position. */
export const MAX_POSTING_BYTES = 10;
export const MAX_POSITION_BYTES = 6;

/** A block has at least so many bytes of positions in the mean, and less than twice as many. */
export const BLOCK_POSITION_BYTES: u64 = 32;
/** The scale of blocks' bounds. */
export const SATURATION_STEPS: f64 = 255;
