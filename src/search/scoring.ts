/**
 * How records are scored: BM25F (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"). A
 * record's score is the sum, over the query's terms, of
 *
 *     idf · (k1 + 1) · f / (f + norm)        norm = k1 · (1 - b + b · length / mean length)
 *
 * f is how often the record has the term, and length how many words it has, each counted as often as its field weighs
 * (`searchWeight` in `model.ts`). The impact of a posting is f / (f + norm) in 255 steps. It is computed where postings are
 * written (`impactOf` in `kernels/posting-layout.ts`). A pair adds the same formula with its own f and weight. To change the
 * shape of saturation, change `impactOf`, and its definition in the tests.
 */
import { IMPACT_STEPS } from '../kernels/posting-layout.js';
import type { IndexTables, RankingParameters, RowLengths } from './tables.js';

/** Within the book's bounds (section 3.4: b from 0.5 to 0.8, k1 from 1.2 to 2), chosen by `npm run bench -- relevance`. */
export const DEFAULT_RANKING: RankingParameters = { k1: 1.5, b: 0.6 };

/** The weight of a completion, and of a correction, as a share of the weight of the word itself. */
export const PREFIX_WEIGHT = 0.5;
export const SPELLING_WEIGHT = 0.25;
/** The weight of a pair, as a share of the weight of its more frequent word. */
export const PAIR_WEIGHT = 0.3;

/** The idf ln(1 + (N - n + 1/2) / (n + 1/2)): section 3.3, with Lucene's "1 +", by which it is never negative. */
export const inverseDocumentFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));

/** The weight of a term, idf · (k1 + 1), by its document frequency. */
export const termWeight = ({ documents, k1 }: IndexTables, frequency: number): number =>
  inverseDocumentFrequency(documents, frequency) * (k1 + 1);

export const normOf = ({ k1, b, meanLength }: RowLengths, length: number): number =>
  k1 * (1 - b + (b * length) / meanLength);

/** The greatest sum of weighted impacts. With pairs and boosts it is less than twice as great: 29 bits. */
export const MAX_SUM = 2 ** 28;
/** The most rows of an index: 24 bits, which with the bits of a sum are the 53 bits of a number. */
export const MAX_ROWS = 2 ** 24;

/** The power of 2 by which weights are multiplied, so that sums of weighted impacts are whole numbers up to `MAX_SUM`. */
export const impactScale = (weights: readonly number[]): number =>
  2 ** Math.floor(Math.log2(MAX_SUM / IMPACT_STEPS / Math.max(1, fieldSum(weights))));

/** A weight as a whole number of at least 1. */
export const scaledWeight = (weight: number, scale: number): number => Math.max(1, Math.round(weight * scale));

const fieldSum = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
