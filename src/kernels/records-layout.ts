/**
 * What the kernel that reads records and its caller agree on. Their memory, by addresses:
 *
 *     STATE          what the last call found
 *     TABLES         the names of records (`load/record-names.ts`)
 *     OPEN_BRACKETS  those around a nested value
 *     LEFT_CELLS     the cells of the last record that the caller has to read
 *     LINES …        per record, then per cell, the columns of a batch (`batch.ts`): cell i of a column is column × 1024 + i
 *     BYTES          the bytes in which all positions are counted
 */

export const RECORDS = 1024;
/** No batch has more columns. */
export const MAX_COLUMNS = 320;
const CELLS = MAX_COLUMNS * RECORDS;

/** Where reading stopped, on which line, how many records were read, and how many cells of the last one are left to the caller. */
export const POSITION = 0;
export const LINE = 4;
export const DONE = 8;
export const LEFT_COUNT = 12;
/** Of the last number: its value, 8 bytes, and whether it is canonical as it stands. */
export const VALUE = 16;
export const IS_KEPT = 24;
/** The number of the last record that was begun: the names that it has are marked with it. */
export const STAMP = 28;

export const TABLES = 64;
export const TABLES_BYTES = 1 << 19;
export const OPEN_BRACKETS = TABLES + TABLES_BYTES;
export const MAX_DEPTH = 1 << 20;
/** A record with a value of more levels is refused. */
export const MAX_VALUE_DEPTH = 512;
export const LEFT_CELLS = OPEN_BRACKETS + MAX_DEPTH;
export const LEFT_CELL_BYTES = 16;
export const MAX_LEFT_CELLS = 1 << 12;
export const LINES = LEFT_CELLS + MAX_LEFT_CELLS * LEFT_CELL_BYTES;
export const TEXT_STARTS = LINES + 4 * RECORDS;
export const TEXT_ENDS = TEXT_STARTS + 4 * RECORDS;
export const KINDS = TEXT_ENDS + 4 * RECORDS;
export const STARTS = KINDS + CELLS;
export const ENDS = STARTS + 4 * CELLS;
export const NUMBERS = ENDS + 4 * CELLS;
export const BYTES = NUMBERS + 8 * CELLS;

/**
 * A table of names: how many there are, whether they are the model's fields in its order (`IS_OWN`), whether one of them feeds a
 * list (`HAS_LIST`), 4 bytes each; then `NAME_BYTES` for each name: where its text stands (`"title":`) and how long it is, what is to be
 * done with its value, the field's column, flags, the table of the names inside its value, which record had it last, and how
 * many records lacked it.
 */
export const TABLE_HEAD_BYTES = 12;
export const IS_OWN = 4;
export const HAS_LIST = 8;
export const NAME_BYTES = 32;
export const NAME_LENGTH = 4;
export const NAME_VALUE = 8;
export const NAME_COLUMN = 12;
export const NAME_FLAGS = 16;
export const NAME_INNER = 20;
export const NAME_SEEN = 24;
export const NAME_ABSENT = 28;

/** What is to be done with a value: it is placed in its column, if it is canonical for a field of this kind; */
export const INTEGER = 0;
export const DECIMAL = 1;
export const TEXTUAL = 2;
export const DATE = 3;
export const TAGS = 4;
/** it is skipped; it is an object, whose members an inner table names; of a list its first element has the first name's place in one; it is left to the caller. */
export const SKIPPED = 5;
export const MEMBERS = 6;
export const FIRST = 7;
export const LEFT = 8;

/** Flags: a record without the field is refused; */
export const REQUIRED = 1;
/** entities in its texts are to be read; its texts are HTML; */
export const HAS_ENTITIES = 2;
export const IS_HTML = 4;
/** the caller has to choose another name where a record lacks this one; */
export const HAS_RIVAL = 8;
/** what stands there is kept besides the fields. */
export const IS_SPARE = 16;
/** A short text may be a word for no value, such as `N/A`: it is left to the caller. */
export const HAS_NULL_WORDS = 32;
/** The longest of these words, in bytes. */
export const MAX_NULL_WORD_BYTES = 4;

/** A cell that is left: the name's address, what is left of it, and where it begins and ends: one value for the name's field; */
export const LEFT_VALUE = 0;
/** all fields that the name feeds; what is kept besides the fields. */
export const LEFT_NAME = 1;
export const LEFT_SPARE = 2;

/** Why reading stopped: what follows is no record of the same form, or the batch is full; */
export const READ = 0;
/** the last record is read but for what is left of it; */
export const UNSETTLED = 1;
/** the first record has to be read by the parser. */
export const UNREAD = 2;
