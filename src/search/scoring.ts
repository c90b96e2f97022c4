/**
 * How records are scored: BM25F (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"). A
 * record's score is the sum, over the query's terms, of
 *
 *     idf · (k1 + 1) · f / (f + norm)        norm = k1 · (1 - b + b · length / mean length)
 *
 * f is how often the record has the term, and length how many words it has, each counted as often as its field weighs
 * (`searchWeight` in `model.ts`). f / (f + norm) is one of 255 steps, the impact of a posting, which is worked out where
 * postings are written (`kernels/impact.ts`) and nowhere else. Two words that stand as in the query add the same with their
 * own f and weight. To change the shape of saturation, change `impactOf`, and the definition that tests hold it to.
 */
import type { IndexTables, RankingParameters, RowLengths } from './tables.js';

/** Within the book's bounds (section 3.4: b from 0.5 to 0.8, k1 from 1.2 to 2), chosen by `npm run bench -- relevance`. */
export const DEFAULT_RANKING: RankingParameters = { k1: 1.5, b: 0.6 };

/** What expansions weigh, of what their records would get for the word itself. */
export const PREFIX_WEIGHT = 0.5;
export const SPELLING_WEIGHT = 0.25;
/** What two words that stand as in the query weigh, of what the more frequent one weighs by itself. */
export const PAIR_WEIGHT = 0.3;

/** ln(1 + (N - n + 1/2) / (n + 1/2)): never negative (section 3.3, with Lucene's 1 +). */
export const inverseDocumentFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));

/** What a term weighs that so many records hold. */
export const termWeight = ({ documents, k1 }: IndexTables, frequency: number): number =>
  inverseDocumentFrequency(documents, frequency) * (k1 + 1);

export const normOf = ({ k1, b, meanLength }: RowLengths, length: number): number =>
  k1 * (1 - b + (b * length) / meanLength);

/** The steps of an impact. */
export const IMPACT_STEPS = 255;
/** The greatest sum of weighted impacts: with a row's 24 bits it is exact in a number. */
const MAX_SUM = 2 ** 28;

/** What weights are multiplied with, so that sums of weighted impacts are whole numbers up to `MAX_SUM`: a power of 2. */
export const scaleOf = (weights: readonly number[]): number =>
  2 ** Math.floor(Math.log2(MAX_SUM / IMPACT_STEPS / Math.max(1, sumOf(weights))));

/** A weight as a whole number. */
export const scaledWeight = (weight: number, scale: number): number => Math.max(1, Math.round(weight * scale));

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
