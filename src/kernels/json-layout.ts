/**
 * What the JSON kernel and its callers agree on. Their memory, by addresses:
 *
 *     STOPPED, …     what the last call found
 *     OPEN_BRACKETS  a byte for each bracket around a nested value
 *     TAPE           the members of objects and rows, an entry each
 *     BYTES          the bytes in which all positions are counted
 *
 * An entry of the tape is 32 bytes: where the member's name begins and ends (integers of 32 bits), the kind of its value, where that
 * begins and ends, nothing, and its number (a double). Names and strings are without their quotes; a row's members have no names.
 */

/** Where the last token failed. At the end of the bytes or behind it, bytes are missing; else they are no JSON. */
export const STOPPED = 0;
/** Not 0: it failed since a member's value has too many levels. */
export const IS_TOO_DEEP = 4;
/** Line breaks between tokens since this was set to 0. */
export const LINES = 8;
/** Members of the last object or row. */
export const COUNT = 12;
/** The last number, 8 bytes, and whether it is spelt as `JSON.stringify` spells it. */
export const VALUE = 16;
export const IS_CANONICAL = 24;

export const OPEN_BRACKETS = 64;
/** No value has more levels. */
export const MAX_DEPTH = 1 << 20;
/** No value of a member has more. */
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
/** Its number is NaN where `JSON.stringify` spells it otherwise, or no double holds it. */
export const NUMBER = 4;
/** An array of such strings, at least one, without white space. */
export const LIST = 5;
/** `true` or `false`, whose number is 1 or 0. */
export const BOOLEAN = 7;
/** A string with other escapes: `\u00e9`, `\/`. */
export const RESPELT_TEXT = 8;
export const ARRAY = 9;
export const OBJECT = 10;
