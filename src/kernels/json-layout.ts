/**
 * The memory that the JSON kernel and its callers share, by addresses:
 *
 *     STOPPED, …     results of the last call
 *     OPEN_BRACKETS  a byte for each bracket around a nested value
 *     TAPE           the members of objects and rows, an entry each
 *     BYTES          the bytes in which all positions are counted
 *
 * An entry of the tape is a member. Names and strings are without their quotes; a row's members have no names.
 *
 *     byte   0           4         8      12           16         20      24
 *            name begin  name end  kind   value begin  value end  unused  number (a double)
 */

/** Where the last token failed. At the end of the bytes or behind it, bytes are missing; else they are no JSON. */
export const STOPPED = 0;
/** This word is not 0 where the last call failed because a member's value has too many levels. */
export const IS_TOO_DEEP = 4;
/** Line breaks between tokens since this was set to 0. */
export const LINES = 8;
/** Members of the last object or row. */
export const COUNT = 12;
/** The last number, 8 bytes, and whether it is spelt as `JSON.stringify` spells it. */
export const VALUE = 16;
export const IS_CANONICAL = 24;

export const OPEN_BRACKETS = 64;
/** Levels of a value. */
export const MAX_DEPTH = 1 << 20;
/** Levels of a member's value. */
export const MAX_VALUE_DEPTH = 512;
export const TAPE = OPEN_BRACKETS + MAX_DEPTH;
export const ENTRY_BYTES = 32;
/** An object with more members is read as one that is no JSON. */
export const MAX_MEMBERS = 1 << 18;
export const BYTES = TAPE + MAX_MEMBERS * ENTRY_BYTES;

/** Kinds of values; those of batches have the same numbers (`batch.ts`). */
export const NULL = 1;
/** A string without escapes, and one whose escapes `JSON.stringify` writes alike. */
export const TEXT = 2;
export const ESCAPED_TEXT = 3;
/** A number; NaN where `JSON.stringify` spells it otherwise, or no double holds it. */
export const NUMBER = 4;
/** An array of at least one string of the two kinds above, without white space. */
export const LIST = 5;
/** `true` or `false`, whose number is 1 or 0. */
export const BOOLEAN = 7;
/** A string with other escapes: `\u00e9`, `\/`. */
export const RESPELT_TEXT = 8;
export const ARRAY = 9;
export const OBJECT = 10;
