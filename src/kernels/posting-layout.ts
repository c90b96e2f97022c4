/**
 * The bytes of an index, which the kernels write and read; `posting-format.ts` reads them too. Numbers take 7 bits a byte,
 * the lowest first, the highest bit of a byte set where the number goes on (LEB128).
 *
 *     posting     number: rows since the posting before << 1 | m      m: 1 where the mask is not that of the posting before
 *                 byte: mask                                          only where m is 1; bit f: field f holds the term
 *                 byte: impact
 *     position    byte: distance from the position before << 1 | l    l: 1 at the posting's last position
 *                 number: distance - 127                              only where the byte's distance is 127
 *
 * The mask before a block is 0. Of more than 8 fields the last ones share bit 7; where in the record they begin tells them apart. In place of postings, a
 * dense term has an impact for each row, and behind these a mask for each row: zeros where the record lacks the term.
 */

export const MAX_MASK_BITS: u32 = 8;
/** Distances of positions from here on are written in two numbers. */
export const MAX_INLINE_DISTANCE: u32 = 127;
/** The most bytes of a posting without its positions, and of one position: a number has at most 32 bits. */
export const MAX_POSTING_BYTES = 6;
export const MAX_POSITION_BYTES = 6;

/** A block has at least so many bytes of positions in the mean, and less than twice as many. */
export const BLOCK_POSITION_BYTES: u64 = 64;
