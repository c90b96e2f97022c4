/** Where the kernel of inversion finds what: in two tables of addresses, 4 bytes each, by these numbers. */

/** What threads share: tables with an entry for each token, record, field, term, row or length; */
export const TERM_OF_TOKEN = 0;
export const TERM_LISTS = 1;
export const ROW_OF_RECORD = 2;
export const WEIGHT_OF_FIELD = 3;
export const COUNT_OF_TERM = 4;
export const RECORD_OF_ROW = 5;
export const LENGTH_OF_ROW = 6;
export const FIELDS_OF_ROW = 7;
export const NORM_OF_LENGTH = 8;
/** and, in place of addresses, how many rows and fields there are, and the bits of a mask. */
export const ROWS = 9;
export const FIELDS = 10;
export const MASK_BITS = 11;
export const SHARED_NUMBERS = 12;

/** A thread's room: sorted tokens, 8 bytes each; */
export const SORTED = 0;
/** where the next token of each term goes, and where the term's tokens end afterwards; */
export const NEXT_TOKENS = 1;
/** of the term that was read: row, impact and mask, and where positions end, of each posting; */
export const POSTING_ROWS = 2;
export const IMPACTS = 3;
export const POSITION_ENDS = 4;
/** an impact a row and a mask a row, each padded to 16; */
export const ROW_BYTES = 5;
/** of each term that is written, and of each block, what `PostingTables` has; */
export const DOCUMENT_FREQUENCIES = 6;
export const BLOCK_BITS = 7;
export const FIRST_BLOCKS = 8;
export const POSTING_STARTS = 9;
export const POSITION_STARTS = 10;
/** and their bytes. */
export const POSTINGS = 11;
export const POSITIONS = 12;
export const ROOM_NUMBERS = 13;

/** A sorted token: its row, and its position with the field in the highest 8 bits, 4 bytes each. */
export const TOKEN_BYTES: usize = 8;
export const FIELD_SHIFT: u32 = 24;
export const POSITION_MASK: u32 = (1 << FIELD_SHIFT) - 1;
/** In the word of a posting's impact, its mask stands from this bit on. */
export const MASK_SHIFT: u32 = 8;
