/**
 * Where in the memory of the words' kernel what stands, and how keys are written: for the kernel's loops, and for who calls
 * them.
 */
import { STEM_MARGIN } from './stem-kernel.js';
import { MAX_WORD_UNITS } from './tokenize.js';

/** The class of a letter is 1 to 26. Others: not for this loop; */
export const OTHER = 0;
/** separators: one that ties nothing to the word before it, one that does not if another separator follows, and any other. */
export const ENDS = 64;
export const ENDS_BEFORE_SEPARATOR = 65;
export const SEPARATES = 66;
export const LETTER_COUNT = 26;

/** Addresses: the class of each code unit, a byte; and where the text was read to, and the end of its keys. */
export const CLASSES = 0;
const CLASSES_BYTES = 1 << 16;
export const AT = CLASSES_BYTES;
export const KEYS_END = AT + 4;
const WORDS_FREE = AT + 8;

/**
 * A key is a number, and its letters the last of its bits. Of the bits before them one tells that this is no word's key but
 * a mark, whose number is the last 32 bits, another that a cluster follows, so many bytes as they stand in JSON and zeros up
 * to the next number, and the last that the word's other letters follow as a second number.
 */
export const KEY_BYTES = 8;
export const MARK_BIT = 63;
export const CLUSTER_BIT = 61;
export const GOES_ON_BIT = 60;
/** The second number of a key. */
export const SECOND = KEY_BYTES;

export const UNIT_BYTES = 2;
export const LETTER_BITS = 5;
/** Letters to a number of the key. */
export const PART_LETTERS = 12;
export const MOST_LETTERS = 2 * PART_LETTERS;

/** Addresses: how far keys were looked up, and the end of the terms; how many terms there are; whether words have the terms of their stems; */
export const NEXT_KEY = WORDS_FREE;
export const TERMS_END = WORDS_FREE + 4;
export const TERMS = WORDS_FREE + 8;
export const STEMS = WORDS_FREE + 12;
/** of each table its address, how many entries there are in it, less one, and how many of them are taken. */
export const SHORT_TABLE = WORDS_FREE + 16;
export const LONG_TABLE = WORDS_FREE + 28;
export const LONGEST_TABLE = WORDS_FREE + 40;
export const STEM_TABLE = WORDS_FREE + 52;
export const CLUSTER_TABLE = WORDS_FREE + 64;
/** Of the cluster that was looked for last: what it stands for, and its entry, or the one where it belongs. */
export const FOUND = WORDS_FREE + 76;
export const FOUND_ENTRY = WORDS_FREE + 80;
export const FOUND_HASH = WORDS_FREE + 84;
/** Whether something is to be added behind the field that is being read. */
export const STOPS_BEHIND_FIELD = WORDS_FREE + 88;
export const MASK = 4;
export const TAKEN = 8;
/** The letters of a word, of which a stem is made. Everything else has its place behind them. */
export const LETTERS = WORDS_FREE + 92 + STEM_MARGIN;
export const FREE = (LETTERS + MAX_WORD_UNITS + STEM_MARGIN + 7) & -8;

/**
 * Entries of tables: of keys of one number, and of two whose second takes up to 4 bytes, as that of six letters does. Four
 * stand in a cache line, and none reaches into another;
 */
export const SHORT_BYTES = 16;
export const LONG_BYTES = 16;
/** of all other keys, and of those of stems, however short. */
export const LONGEST_BYTES = 24;

/**
 * Of the table of clusters: where a cluster's bytes stand, 0 if the entry is free; what it stands for, a term or, below
 * `UNKNOWN`, what others know; its hash and how many bytes it has, 4 bytes each.
 */
export const CLUSTER_ENTRY_BYTES = 16;
export const STANDS_FOR = 4;
export const HASH = 8;
export const CLUSTER_LENGTH = 12;
export const UNKNOWN = -1;

/** Of a list: a key of two numbers, however long the word is, as `lookUp` takes it too. */
export const LISTED_BYTES = 2 * KEY_BYTES;
export const TERM_BYTES = 4;
/** An entry of `key-sort.ts`: its row, and its key, the less significant number first. */
export const SORT_BYTES = 20;

/** Why keys are looked up no further: they are at their end, or of the next a part stands behind it; */
export const AT_END = 0;
/** one of the tables is full, and a word is new; */
export const IS_FULL = 1;
/** a cluster is unknown, or not one term; a field has ended of which more is to be said. */
export const AT_CLUSTER = 2;
export const BEHIND_FIELD = 3;
