/**
 * Posting lists as scoring reads them: a term's own postings, or those of several tolerated words blended into one
 * list that behaves like a single term's.
 */
import { addAll, type Bits } from '../bits.js';
import { LARGE_FREQUENCY, largeFrequency } from './invert.js';
import type { Scratch } from './scratch.js';
import type { IndexTables } from './tables.js';

export interface PostingList {
  /** Row << 8 | frequency, ascending from `from` to `to`. */
  readonly postings: Uint32Array;
  readonly from: number;
  readonly to: number;
  /** Times f / (f + norm) gives what a posting adds to its record's score. */
  readonly weight: number;
  /** No posting adds more than this. */
  readonly most: number;
  /** The word itself; a tolerated form of it otherwise. */
  readonly exact: boolean;
  /** The rows as bits where the index has them. */
  readonly bits: Bits | null;
  /** The term; -1 for a blend. */
  readonly term: number;
}

/** ln(1 + (N - n + 1/2) / (n + 1/2)): never negative (Robertson & Zaragoza 2009, section 3.3, with Lucene's 1 +). */
export const inverseDocumentFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));

export const documentFrequency = (tables: IndexTables, term: number): number =>
  tables.offsets[term + 1]! - tables.offsets[term]!;

/** A term's weight: its inverse document frequency times k1 + 1. */
export const termWeight = (tables: IndexTables, frequency: number): number =>
  inverseDocumentFrequency(tables.documents, frequency) * (tables.k1 + 1);

/** Scores are whole multiples of 2^-32, so that sums are exact in any order and equal scores are equal numbers. */
const ROUNDING = 1.5 * 2 ** 20;
export const SCORE_STEP = 2 ** -32;
export const rounded = (score: number): number => score + ROUNDING - ROUNDING;

export function termList(tables: IndexTables, term: number, times: number): PostingList {
  const weight = termWeight(tables, documentFrequency(tables, term)) * times;
  const bits = tables.bitsOfTerm[term]!;
  return {
    postings: tables.postings,
    from: tables.offsets[term]!,
    to: tables.offsets[term + 1]!,
    weight,
    most: weight * tables.mostSaturation[term]! + SCORE_STEP,
    exact: true,
    bits: bits < 0 ? null : tables.frequentBits[bits]!,
    term,
  };
}

export interface Blend {
  readonly postings: Uint32Array;
  readonly mostFrequency: number;
}

/** The rows that hold any of `terms`, with the terms' frequencies added up, to at most 254. */
export function blend(tables: IndexTables, scratch: Scratch, terms: readonly number[]): Blend {
  const { frequencies } = scratch;
  const { offsets, postings } = tables;
  let rows = 0;
  let mostFrequency = 0;
  for (let i = 0; i < terms.length; i++) {
    const end = offsets[terms[i]! + 1]!;
    for (let at = offsets[terms[i]!]!; at < end; at++) {
      const posting = postings[at]!;
      const row = posting >>> 8;
      const before = frequencies[row]!;
      if (before === 0) rows++;
      const frequency = Math.min(before + (posting & 255), LARGE_FREQUENCY - 1);
      frequencies[row] = frequency;
      if (frequency > mostFrequency) mostFrequency = frequency;
    }
  }
  return { postings: takeBlended(scratch, rows), mostFrequency };
}

/** Empties the scratch into postings, four rows at a look. */
function takeBlended({ frequencies, fourFrequencies }: Scratch, rows: number): Uint32Array {
  const blended = new Uint32Array(rows);
  let count = 0;
  for (let i = 0; count < rows; i++) {
    if (fourFrequencies[i] === 0) continue;
    for (let row = 4 * i; row < 4 * i + 4; row++) {
      if (frequencies[row]! > 0) blended[count++] = (row << 8) | frequencies[row]!;
    }
    fourFrequencies[i] = 0;
  }
  return blended;
}

export function blendedList(tables: IndexTables, { postings, mostFrequency }: Blend, weight: number): PostingList {
  const most = (weight * mostFrequency) / (mostFrequency + tables.leastNorm) + SCORE_STEP;
  return { postings, from: 0, to: postings.length, weight, most, exact: false, bits: null, term: -1 };
}

/** The exact frequency of a list's posting. */
export function frequencyOf(tables: IndexTables, list: PostingList, at: number): number {
  const frequency = list.postings[at]! & 255;
  return frequency === LARGE_FREQUENCY ? largeFrequency(tables, at) : frequency;
}

export const rowAt = (postings: Uint32Array, at: number): number => postings[at]! >>> 8;

/** The position of the first posting from `from` on whose row is at least `row`: doubling steps, then halving. */
export function seek(postings: Uint32Array, from: number, to: number, row: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && postings[low + step]! >>> 8 < row) {
    low += step;
    step <<= 1;
  }
  let high = Math.min(low + step, to);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (postings[middle]! >>> 8 < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds a list's rows to `bits`. */
export function addRows(bits: Bits, { postings, from, to, bits: own }: PostingList): void {
  if (own) addAll(bits, own);
  else addPostings(bits, postings, from, to);
}

/** Adds the rows that hold a term to `bits`. */
export function addTermRows(
  { postings, offsets, bitsOfTerm, frequentBits }: IndexTables,
  bits: Bits,
  term: number,
): void {
  const own = bitsOfTerm[term]!;
  if (own >= 0) addAll(bits, frequentBits[own]!);
  else addPostings(bits, postings, offsets[term]!, offsets[term + 1]!);
}

function addPostings(bits: Bits, postings: Uint32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const row = postings[at]! >>> 8;
    bits[row >>> 5]! |= 1 << (row & 31);
  }
}
