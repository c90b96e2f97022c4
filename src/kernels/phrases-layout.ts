/**
 * A phrase in memory, numbers of 4 bytes: a head, then a cursor for each of its terms. The caller writes all numbers; the kernel
 * (`phrases.ts`) names them, and changes those from `block` on.
 *
 *     head      field, address of the starts of fields, their size as a shift, fields a row, addresses of the fields' weights,
 *               of a bit for each position, and of space for as many positions, twice
 *     cursor    bitmap, postingStarts, positionStarts, blockBits, distance, block, 4 more
 */

export const HEAD_NUMBERS = 8;
export const CURSOR_NUMBERS = 10;
/** The field of a phrase that may stand in any field. */
export const ANY_FIELD = -1;
/** The number of no block. */
export const NO_BLOCK: u32 = 0xffffffff;
/** The greatest distance of two terms of a phrase. */
export const MAX_DISTANCE: u32 = 64;
