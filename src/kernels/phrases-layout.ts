/** The memory layout that the kernel of phrases and its caller share. */

/** The number of marks, one for each position; positions of longer records share marks. */
export const MARKS: u32 = 1 << 14;

/**
 * A word of a phrase, 4 numbers of 4 bytes: the address in its bitmap, the address in its positions, the shift from one of its
 * positions to that of the phrase, and a number that the kernel uses.
 */
export const PHRASE_WORD_NUMBERS = 4;
export const BITMAP = 0;
export const POSITIONS = 1;
export const SHIFT = 2;
