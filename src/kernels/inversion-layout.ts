/**
 * What the kernel of inversion and its caller share. The structs are numbers of 4 bytes, addresses of tables and counts, which the
 * caller writes in this order (`search/build/token-stream.ts`, `search/build/inversion.ts`).
 */

/** A sorted token: its row, and its position with the field in the highest 8 bits, 4 bytes each. */
export const TOKEN_BYTES: usize = 8;
export const FIELD_SHIFT: u32 = 24;
export const POSITION_MASK: u32 = (1 << FIELD_SHIFT) - 1;

/** The bytes of a dense term's impacts, one for each row: kernels read 16 at a time. Its bitmap stands behind them. */
export function impactBytes(rows: u32): u32 {
  return (rows + 31) & ~31;
}
/** The bytes of a dense term: impacts and bitmap. */
export function denseBytes(rows: u32): u32 {
  return impactBytes(rows) + (impactBytes(rows) >> 3);
}

/** The tables of tokens and rows. */
/* @unmanaged */ export class TokenTables {
  /** By token: its term, or the complement of where its list of terms stands in `termLists` (`stream-layout.ts`). */
  termOfToken!: usize;
  termLists!: usize;
  weightOfField!: usize;
  /** By term: the number of its tokens. */
  countOfTerm!: usize;
  /** By row: where its record begins in the stream, or 0; how long the record is; where each of its fields begins. */
  recordOfRow!: usize;
  lengthOfRow!: usize;
  fieldStarts!: usize;
  rows!: u32;
  fields!: u32;
  /** The number of bits of a mask. */
  maskBits!: u32;
}

/** The work space of a partition of the terms. */
/* @unmanaged */ export class Workspace {
  /** By length: the norm of records of that length, 8 bytes each. */
  normOfLength!: usize;
  /** The tokens of the partition, sorted by term, `TOKEN_BYTES` each. */
  sorted!: usize;
  /** By term: the address of its next sorted token; after sorting, the end of its tokens. */
  nextTokens!: usize;
  /** The dense terms of the partition, and their impacts and bitmaps, `denseBytes` each. */
  termsOfDense!: usize;
  dense!: usize;
  /** By term, and by block: the tables of the same names in `PostingTables`. */
  documentFrequencies!: usize;
  usualMasks!: usize;
  blockBits!: usize;
  firstBlocks!: usize;
  postingStarts!: usize;
  positionStarts!: usize;
  /** The bytes of postings and positions. */
  postings!: usize;
  positions!: usize;
}
