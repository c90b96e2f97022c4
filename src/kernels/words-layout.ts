/** The memory layout that the kernel of words and its caller share. Addresses 0 to 255 hold the class of each byte. */

/** The class of a letter, or of any other byte of a token. */
export const IN_TOKEN: u32 = 0;
/** The class of a full stop or comma: as the last byte of a token it does not make an ASCII word a raw token. */
export const STOP: u32 = 1;
/** The class of a byte that separates tokens, and of a backslash, which begins an escape: every escape separates tokens. */
export const TOKEN_SEPARATOR: u32 = 2;
export const ESCAPE: u32 = 3;

export const LETTER_BITS: u32 = 5;
export const TOKEN_ENTRY_BYTES: usize = 16;
/** A text: its mark, where it begins, and where it ends, 4 bytes each. */
export const TEXT_BYTES: usize = 12;
/** Longer raw tokens have no entry: they seldom occur again. */
export const MAX_TOKEN_BYTES: usize = 64;

/** Why reading stopped. */
export const READ_ALL: u32 = 0;
export const NEEDS_TABLE: u32 = 1;
export const NEEDS_TOKENIZER: u32 = 2;
