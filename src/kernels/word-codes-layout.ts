/** The memory layout that the kernel of word codes and its caller share. See `store/word-codes.ts`. */

/** A word in a table: its bytes, zeros behind them, its length in the last byte. */
export const WORD_BYTES: usize = 16;
export const MAX_WORD_LENGTH: usize = 15;

/** First bytes of codes of one byte are below `TWO`, of two bytes below `THREE`, of three below `LITERAL`. */
export const TWO = 0x80;
export const THREE = 0xf0;
/** A literal: this byte, the number of its bytes in the second byte, then the bytes themselves. */
export const LITERAL: u32 = 0xff;
export const MAX_LITERAL_BYTES: u32 = 0xff;
/** The number of words whose codes have one or two bytes. */
export const SHORT_CODES = 28_800;

/** The first addresses: the end of the codes decoded, the number of words learnt, and for each byte whether it is a letter. */
export const POSITION: usize = 0;
export const KNOWN: usize = 4;
export const IS_LETTER: usize = 16;
/** By a word's length, 16 bytes each: the mask that clears the bytes behind it. */
export const MASKS: usize = 272;
/** The hash table of words that are learnt. */
export const TABLE: usize = 528;

/** A slot of the table: the word, and its number of occurrences; later its code and the length of the code. */
export const SLOT_BYTES: usize = 32;
export const COUNT: usize = 16;
export const CODE: usize = 16;
export const CODE_LENGTH: usize = 20;
export const SLOT_BITS = 18;
export const SLOTS: usize = 1 << SLOT_BITS;

/**
 * In a decoder's memory, by the first byte of a code: the code whose other bytes are 0, the shift of the two bytes behind the
 * first, and the length of the code, which is 0 for `LITERAL`.
 */
export const FIRSTS: usize = 16;
export const FIRST_BYTES = 8;
export const FIRST_SHIFT: usize = 4;
export const FIRST_LENGTH: usize = 5;
export const FIRSTS_END = 2064;

/** The bytes behind a text, and behind codes, that may be read or overwritten. */
export const SLACK_BYTES = MAX_LITERAL_BYTES + 1 + WORD_BYTES;
