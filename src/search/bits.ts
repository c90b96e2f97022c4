/**
 * Sets of rows as bits, 32 rows a word: row r is bit `r & 31` of word `r >>> 5`. Set operations cost rows / 32 word
 * operations, whatever the sets hold; for 100,000 rows that is some microseconds.
 */

export type RowBits = Uint32Array;

export const createBits = (rows: number): RowBits => new Uint32Array((rows + 31) >>> 5);

export const hasBit = (bits: RowBits, row: number): boolean => ((bits[row >>> 5]! >>> (row & 31)) & 1) === 1;

/** The set of `rows`, each below `size`. */
export function bitsOfRows(rows: ArrayLike<number>, size: number): RowBits {
  const bits = createBits(size);
  for (let i = 0; i < rows.length; i++) bits[rows[i]! >>> 5]! |= 1 << (rows[i]! & 31);
  return bits;
}

/** Adds every row of `other` to `bits`. */
export function addBits(bits: RowBits, other: RowBits): void {
  for (let i = 0; i < bits.length; i++) bits[i]! |= other[i]!;
}

/** Keeps in `bits` what `other` holds too. */
export function keepBits(bits: RowBits, other: RowBits): void {
  for (let i = 0; i < bits.length; i++) bits[i]! &= other[i]!;
}

/** Takes every row of `other` out of `bits`. */
export function dropBits(bits: RowBits, other: RowBits): void {
  for (let i = 0; i < bits.length; i++) bits[i]! &= ~other[i]!;
}

/** The number of ones in a word, counted in parallel within it (Warren, Hacker's Delight, 5-1). */
function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function countBits(bits: RowBits): number {
  let n = 0;
  for (let i = 0; i < bits.length; i++) n += ones(bits[i]!);
  return n;
}

/** The set's rows, ascending. */
export function rowsOfBits(bits: RowBits): Uint32Array {
  const rows = new Uint32Array(countBits(bits));
  let n = 0;
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i]!; word !== 0; word &= word - 1) rows[n++] = (i << 5) + 31 - Math.clz32(word & -word);
  }
  return rows;
}
