/**
 * A phrase in memory, numbers of 4 bytes: a head, then a cursor for each of its terms. The caller writes all numbers in
 * this order, except the last of a cursor. `phrases.ts` changes the last two of a cursor, and swaps the last two of a head.
 */

/** The head. */
/* @unmanaged */ export class Phrase {
  /** The positions at which fields begin, `fields` numbers of 1 << `startShift` bytes for each row. */
  fieldStarts!: usize;
  startShift!: u32;
  fields!: u32;
  /** Numbers of 4 bytes. */
  fieldWeights!: usize;
  /** A bit for each position, 0 between uses, and two arrays of positions. */
  bits!: usize;
  starts!: usize;
  nextStarts!: usize;
}

/* @unmanaged */ export class Cursor {
  /** The rows that hold the term. */
  bitmap!: usize;
  /** The address of the entry of its first block. */
  positionStarts!: usize;
  blockBits!: u32;
  /** The distance of the term's positions from those of the phrase's first cursor. */
  distance!: i32;
  /** The row before which the positions of its block are passed, and the positions behind these; at first `NO_ROW`. */
  row!: u32;
  positions!: usize;
}

export const HEAD_NUMBERS = 7;
export const CURSOR_NUMBERS = 6;
/** The field of a phrase that may stand in any field. */
export const ANY_FIELD = -1;
/** More than any row. */
export const NO_ROW: u32 = 0xffffffff;
/** The greatest distance of two terms of a phrase. */
export const MAX_DISTANCE: u32 = 64;
