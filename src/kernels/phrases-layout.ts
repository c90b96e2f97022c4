/**
 * A phrase in memory, numbers of 4 bytes: a head, then a cursor for each of its terms. The caller writes all numbers; the kernel
 * (`phrases.ts`) names them, and changes those from `block` on.
 *
 *     head      field, address of the starts of fields, their size as a shift, fields a row, addresses of the fields' weights and of
 *               space for `MAX_STARTS` positions
 *     cursor    bitmap, postingStarts, positionStarts, blockBits, distance, block, 6 more
 */

export const HEAD_NUMBERS = 6;
export const CURSOR_NUMBERS = 12;
/** The field of a phrase that may stand in any field. */
export const ANY_FIELD = -1;
/** The number of no block. */
export const NO_BLOCK: u32 = 0xffffffff;
/** The positions of a phrase's first term that are compared at a time, 4 bytes each. */
export const MAX_STARTS: u32 = 1024;
