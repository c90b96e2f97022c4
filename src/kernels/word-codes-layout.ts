/** What the kernel of word codes and its caller agree on. See `store/word-codes.ts`. */

/** A word as it is kept: its bytes, zeros behind them, its length in the last byte. */
export const WORD_BYTES: usize = 16;
export const MAX_WORD_LENGTH: usize = 15;

/** First bytes of codes of one byte are below `TWO`, of two bytes below `THREE`, of three below `LITERAL`. */
export const TWO = 0x80;
export const THREE = 0xf0;
/** The first byte before as many bytes as the second one tells, which stand for themselves. */
export const LITERAL: u32 = 0xff;
export const MAX_LITERAL_BYTES: u32 = 0xff;
/** Words with a shorter code than those of three bytes have. */
export const SHORT_CODES = 28_800;

/** The first addresses: where decoding stopped, how many words are known, and which bytes are of words. */
export const POSITION: usize = 0;
export const KNOWN: usize = 4;
export const IS_LETTER: usize = 16;
/** By a word's length, 16 bytes each: what its bytes are cut off with. */
export const MASKS: usize = 272;
/** The table of words that are learnt, by their hash. */
export const TABLE: usize = 528;

/** An entry of the table: the word, and how often it occurred; later its code and this one's length. */
export const SLOT_BYTES: usize = 32;
export const COUNT: usize = 16;
export const CODE: usize = 16;
export const CODE_LENGTH: usize = 20;
export const SLOT_BITS = 18;
export const SLOTS: usize = 1 << SLOT_BITS;

/**
 * By the first byte of a code, in a decoder's memory: the code whose other bytes are 0, by how much those are shifted down,
 * and how many bytes it has; none where it is no code.
 */
export const FIRSTS: usize = 16;
export const FIRST_BYTES = 8;
export const FIRST_SHIFT: usize = 4;
export const FIRST_LENGTH: usize = 5;
export const FIRSTS_END = 2064;

/** What may be read behind a text and behind codes, and written behind both. */
export const SLACK_BYTES = MAX_LITERAL_BYTES + 1 + WORD_BYTES;
