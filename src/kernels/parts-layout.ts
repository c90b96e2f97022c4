/** The memory layout that the kernel of parts (`parts.ts`) and its caller share. */

/** A number of 4 bytes for each character of two bytes in UTF-8: its folded form. Character c of 0x80 to 0x7ff is at 4 * c. */
export const FOLDS: usize = 0;
export const CHARACTERS: usize = 0x800;
/** The folded form of a character: its bytes, lowest first, and above them their number and `IS_FOLDED`; 0 where it has none of its own. */
export const LENGTH_SHIFT: u32 = 24;
export const IS_FOLDED: u32 = 0x80000000;

/** Bytes that are read or written behind those of a text or part. */
export const SLACK_BYTES: usize = 16;

/** The folded part, and for each of its bytes the bit that tells the cases of a letter apart. */
export const PART: usize = FOLDS + 4 * CHARACTERS;
export const MAX_PART_BYTES: usize = 1 << 17;
export const CASES: usize = PART + MAX_PART_BYTES + SLACK_BYTES;

/** Where texts begin, and behind them where the last one ends: addresses. */
export const STARTS: usize = CASES + MAX_PART_BYTES + SLACK_BYTES;
export const MAX_PART_TEXTS: usize = 1 << 14;
/** The numbers of the texts that have the part, and of those that the kernel cannot fold. */
export const FOUND: usize = STARTS + 4 * (MAX_PART_TEXTS + 1);
export const UNREAD: usize = FOUND + 4 * MAX_PART_TEXTS;

export const TEXTS: usize = UNREAD + 4 * MAX_PART_TEXTS;
export const MAX_TEXT_BYTES: usize = 1 << 18;
/** A text as it is folded: no character grows by more than half. */
export const FOLDED: usize = TEXTS + MAX_TEXT_BYTES + SLACK_BYTES;
export const PART_END: usize = FOLDED + 2 * MAX_TEXT_BYTES + SLACK_BYTES;
