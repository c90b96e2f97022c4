/** The two tables of addresses, 4 bytes each, that the kernel of inversion gets: the indexes of their entries. */

/** The shared table. Entries 0 to 8 are addresses of tables with an entry for each token, record, field, term, row or length. */
export const TERM_OF_TOKEN = 0;
export const TERM_LISTS = 1;
export const ROW_OF_RECORD = 2;
export const WEIGHT_OF_FIELD = 3;
export const COUNT_OF_TERM = 4;
export const RECORD_OF_ROW = 5;
export const LENGTH_OF_ROW = 6;
export const FIELDS_OF_ROW = 7;
export const NORM_OF_LENGTH = 8;
/** Entries 9 to 11 are counts: of rows, of fields, and of the bits of a mask. */
export const ROWS = 9;
export const FIELDS = 10;
export const MASK_BITS = 11;
export const SHARED_NUMBERS = 12;

/** The table of the work space. Entry 0: the sorted tokens, `TOKEN_BYTES` each. */
export const SORTED = 0;
/** By term: the address of its next sorted token; after sorting, the end of its tokens. */
export const NEXT_TOKENS = 1;
/** By posting of the term read last: row; impact and mask; end of positions. */
export const POSTING_ROWS = 2;
export const IMPACTS = 3;
export const POSITION_ENDS = 4;
/** A byte for each row, twice: impacts and masks of a dense term. The bitmap of a term is made here as well. */
export const ROW_BYTES = 5;
/** By term written, and by block: the tables of the same names in `PostingTables`. */
export const DOCUMENT_FREQUENCIES = 6;
export const BLOCK_BITS = 7;
export const FIRST_BLOCKS = 8;
export const POSTING_STARTS = 9;
export const POSITION_STARTS = 10;
/** The bytes of postings and positions. */
export const POSTINGS = 11;
export const POSITIONS = 12;
export const ROOM_NUMBERS = 13;

/** A sorted token: its row, and its position with the field in the highest 8 bits, 4 bytes each. */
export const TOKEN_BYTES: usize = 8;
export const FIELD_SHIFT: u32 = 24;
export const POSITION_MASK: u32 = (1 << FIELD_SHIFT) - 1;
/** An entry of `IMPACTS` is impact | mask << `MASK_SHIFT`. */
export const MASK_SHIFT: u32 = 8;
