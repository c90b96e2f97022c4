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
export const INVERSE_NORM_OF_LENGTH = 8;
/** and, in place of addresses, how many rows and fields there are. */
export const ROWS = 9;
export const FIELDS = 10;
export const SHARED_NUMBERS = 11;

/** A thread's room: sorted tokens, 8 bytes each; */
export const SORTED = 0;
/** where the next token of each term goes, and where the term's tokens end afterwards; */
export const NEXT_TOKENS = 1;
/** of the term that was read: row, frequency, and where positions end, of each posting; */
export const POSTING_ROWS = 2;
export const FREQUENCIES = 3;
export const POSITION_ENDS = 4;
/** a byte a row, and a word at least; */
export const ROW_BYTES = 5;
/** of each term that is written, and of each block, what `PostingTables` has; */
export const DOCUMENT_FREQUENCIES = 6;
export const MAX_SATURATIONS = 7;
export const BLOCK_BITS = 8;
export const FIRST_BLOCKS = 9;
export const POSTING_STARTS = 10;
export const POSITION_STARTS = 11;
export const BLOCK_BOUNDS = 12;
/** and their bytes. */
export const POSTINGS = 13;
export const POSITIONS = 14;
export const ROOM_NUMBERS = 15;

/** A sorted token: its row, and its position with the field in the highest 3 bits, 4 bytes each. */
export const TOKEN_BYTES: usize = 8;
export const FIELD_SHIFT: u32 = 29;
export const POSITION_MASK: u32 = (1 << FIELD_SHIFT) - 1;
