import type { RankingParameters, RowLengths } from './tables.js';

/** Scores are whole multiples of 2^-32, so that sums are exact in any order and equal scores are equal numbers. */
export const ROUNDING = 1.5 * 2 ** 20;
export const SCORE_STEP = 2 ** -32;
export const rounded = (score: number): number => score + ROUNDING - ROUNDING;

/** The book's middle values (Robertson & Zaragoza 2009, section 3.4: b from 0.5 to 0.8, k1 from 1.2 to 2). */
export const DEFAULT_RANKING: RankingParameters = { k1: 1.5, b: 0.75 };

/** k1 · (1 - b + b · length / mean length). */
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
