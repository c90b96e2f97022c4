/**
 * How records are scored: BM25F (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"). A
 * record's score is the sum, over the query's terms, of
 *
 *     idf · (k1 + 1) · f / (f + norm)        norm = k1 · (1 - b + b · length / mean length)
 *
 * f is how often the record has the term, and length how many words it has, each counted as often as its field weighs
 * (`searchWeight` in `model.ts`). Two words that stand as in the query add the same with their own f and weight. The formula
 * stands here and nowhere else; `kernels/scoring.ts` and `kernels/posting-writer.ts` mirror `score` and `saturation`, which
 * tests hold them to. To change the shape of saturation: change `score` and `saturation` here and their
 * mirrors there; they must grow with f and fall with norm.
 */
import type { IndexTables, RankingParameters, RowLengths } from './tables.js';

/** Within the book's bounds (section 3.4: b from 0.5 to 0.8, k1 from 1.2 to 2), chosen by `npm run bench:relevance`. */
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

/** Writes the norm of every row, Infinity where a row has no record. */
export function writeNorms(known: RowLengths, norms: Float64Array): void {
  const { lengths, longest } = known;
  for (let row = 0; row < lengths.length; row++) {
    const length = lengths[row]!;
    norms[row] = length > longest ? Number.POSITIVE_INFINITY : normOf(known, length);
  }
}

/** Scores are whole multiples of 2^-32, so that sums are exact in any order and equal scores are equal numbers. */
const ROUNDING = 1.5 * 2 ** 20;
export const SCORE_STEP = 2 ** -32;

/** What a term of this weight adds to a record that has it so often. */
export const score = (weight: number, frequency: number, norm: number): number =>
  saturation(weight, frequency, norm) + ROUNDING - ROUNDING;

/** The same before it is rounded, which changes it by less than `SCORE_STEP`. */
export const saturation = (weight: number, frequency: number, norm: number): number =>
  (weight * frequency) / (frequency + norm);

/** An upper bound of `score`; 0 where the frequency is 0, whatever the norm. */
export const scoreBound = (weight: number, frequency: number, norm: number): number =>
  frequency === 0 ? 0 : saturation(weight, frequency, norm) + SCORE_STEP;
