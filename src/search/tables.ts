/**
 * A search index as plain values: numbers and typed arrays, no text, no functions. It can be handed to another thread
 * (the buffers move, nothing is copied) or written to a file as it is. Nothing here changes once it is built.
 *
 * For 100,000 records of 200 words: about 2.5 bytes a posting, 1.4 bytes a word of the texts, and little besides.
 */

import type { Narrow } from '../arrays.js';
import type { Bits } from '../bits.js';
import { ANY_FIELD } from '../kernels/phrases-layout.js';
import { ANY_MASK, MAX_MASK_BITS } from '../kernels/posting-layout.js';
import type { Language } from '../languages.js';
import type { SharedWasmMemory } from '../wasm.js';

/** BM25's constants: how soon more of a word stops counting for more, and how far long records are held back. */
export interface RankingParameters {
  readonly k1: number;
  readonly b: number;
}

/** Sorted strings as code units: string i is `units[offsets[i] .. offsets[i + 1])`. */
export interface StringTable {
  readonly units: Uint16Array;
  readonly offsets: Uint32Array;
}

/** A sorted table of strings, each with its term. */
export interface TermTable extends StringTable {
  readonly terms: Uint32Array;
}

/** The dictionary. */
export interface WordTables {
  /** The language of the stems. */
  readonly language: Language;
  /** Every word as it occurs (folded) in records that have a row, for exact look-up, prefixes and spellings. */
  readonly words: TermTable;
  /** The stems of the words, for query words that do not occur in the same form. */
  readonly stems: TermTable;
  /** The length of the prefix that each word shares with the word before it, in units. */
  readonly commonUnits: Uint8Array;
  /** The words in the order of how many records hold their terms, the most frequent first. */
  readonly wordsByFrequency: Uint32Array;
}

/** The numbers from which a row's norm is computed. */
export interface RowLengths extends RankingParameters {
  /** How many records there are: the N of the formulas. */
  readonly documents: number;
  /** The length of each row's record; one more than `longest` where a row has none. */
  readonly lengths: Narrow;
  readonly longest: number;
  readonly meanLength: number;
}

/** The tables of an index that have entries by row. */
export interface RowTables extends RowLengths {
  /** The number of rows: the highest row plus 1. */
  readonly rows: number;
  /** Entry r * fields + f is the position at which field f of row r begins; an empty field begins where the next one does. */
  readonly fieldStarts: Narrow;
  readonly fieldWeights: readonly number[];
}

export interface IndexTables extends WordTables, PostingTables, RowTables {}

/** Which rows hold each term, with which impact, in which fields, and where: see `kernels/posting-layout.ts` for the bytes. */
export interface PostingTables {
  /** The memory of postings, positions, dense tables and starts of fields, in which the kernels of queries work. */
  readonly memory: SharedWasmMemory;
  readonly bytes: Uint8Array;

  /** How many records hold each term. */
  readonly documentFrequencies: Uint32Array;
  /** The mask that most postings of each term have, if there is one. */
  readonly usualMasks: Uint8Array;

  /** Term t's rows are cut into blocks of 2^`blockBits[t]`, the first of which is number `firstBlocks[t]`. */
  readonly blockBits: Uint8Array;
  readonly firstBlocks: Uint32Array;
  /**
   * The postings of block i are the bytes from `postingStarts[i]` to `postingStarts[i + 1]`, its positions likewise. The
   * blocks of a term follow one another; those of the next one may stand elsewhere.
   */
  readonly postingStarts: Uint32Array;
  readonly positionStarts: Uint32Array;

  /** The terms that most rows hold. */
  readonly dense: ReadonlyMap<number, DenseTerm>;
}

/** A dense term: its rows, and an impact for each row of the index, 0 where it lacks the term. */
export interface DenseTerm {
  readonly rows: Bits;
  readonly impacts: Uint8Array;
}

/** How many bits the mask of a posting has: a bit for each field, of which those beyond the eighth share the last. */
export const maskBitsOf = (fields: number): number => Math.min(fields, MAX_MASK_BITS);

/** The mask of postings in a field, which may be `ANY_FIELD`. */
export const maskOf = ({ fieldWeights }: Pick<RowTables, 'fieldWeights'>, field: number): number =>
  field === ANY_FIELD ? ANY_MASK : 1 << Math.min(field, maskBitsOf(fieldWeights.length) - 1);

/**
 * Whether a field has a bit of its own in masks, so that the bit alone proves a word in it. Ten fields share eight bits: the last one
 * stands for the eighth to the tenth, and which of them has the word is found by its positions.
 */
export const hasOwnBit = ({ fieldWeights }: Pick<RowTables, 'fieldWeights'>, field: number): boolean =>
  fieldWeights.length <= MAX_MASK_BITS || field < MAX_MASK_BITS - 1;

/** How many blocks a term's rows are cut into. */
export const blockCount = ({ rows, blockBits }: PostingTables & RowTables, term: number): number =>
  rows === 0 ? 0 : ((rows - 1) >>> blockBits[term]!) + 1;

export const documentFrequency = (tables: PostingTables, term: number): number => tables.documentFrequencies[term]!;
