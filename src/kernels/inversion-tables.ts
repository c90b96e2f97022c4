/**
 * The numbers that the kernel of inversion gets from its caller, 4 bytes each: addresses of tables, and counts. The caller writes them
 * in this order (`search/build/token-stream.ts`, `search/build/inversion.ts`).
 */

/** The tables of tokens, records and rows. */
/* @unmanaged */ export class TokenTables {
  /** By token: its term, or the complement of where its list of terms stands in `termLists` (`stream-layout.ts`). */
  termOfToken!: usize;
  termLists!: usize;
  /** By record: its row, or -1. */
  rowOfRecord!: usize;
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
  /** By length: the norm of records so long, 8 bytes each. */
  normOfLength!: usize;
  /** The tokens of the partition, sorted by term, `TOKEN_BYTES` each. */
  sorted!: usize;
  /** By term: the address of its next sorted token; after sorting, the end of its tokens. */
  nextTokens!: usize;
  /** By posting of the term read last: row; impact and mask; end of positions. */
  postingRows!: usize;
  impacts!: usize;
  positionEnds!: usize;
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
