/**
 * The token stream, 4 bytes an entry: what records hold, in the order of their texts. Entries from 0 on are tokens, which
 * `measure` replaces by terms. A reference is an even or odd number below `REFERENCE`:
 *
 *     REFERENCE - 2 x        a token of several terms: x is where its list stands
 *     REFERENCE - 2 x - 1    token or term x without position increment: it has the position of the word before it, the
 *                            last that it is made of, and lengthens nothing
 *
 * A list of terms, 4 bytes each: how many there are, and each term << 1 | whether it is without position increment. In
 * `e-mail servers` the terms `e`, `mail`, `email` and `server` have the positions 0, 1, 1 and 2.
 */

/** A mark: a record begins. */
export const RECORD = -1;
/** A mark: a text ends, and another one of the same field follows. */
export const GAP = -2;
/** The mark `FIELD` - f: field f begins. */
export const FIELD = -4;
export const MAX_FIELDS = 256;
/** Entries from here downwards are references: at an even distance to a list of terms, at an odd one a term without position increment. */
export const REFERENCE = -264;

/** Positions between fields and between separate texts: nothing is adjacent across them (`MAX_PAIR_DISTANCE` is less). */
export const POSITION_GAP: u32 = 5;
