/** What the kernel of phrases and its caller agree on. */

/** There is a mark for each of so many positions; those of longer records share them. */
export const MARKS: u32 = 1 << 14;

/**
 * A word of a phrase, 4 bytes each: where its bitmap goes on, where its positions do, what is added to one of them to get
 * the phrase's place, and room for the kernel.
 */
export const PHRASE_WORD_NUMBERS = 4;
export const BITMAP = 0;
export const POSITIONS = 1;
export const SHIFT = 2;
