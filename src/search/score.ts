/** Scores are whole multiples of 2^-32, so that sums are exact in any order and equal scores are equal numbers. */
export const ROUNDING = 1.5 * 2 ** 20;
export const SCORE_STEP = 2 ** -32;
export const rounded = (score: number): number => score + ROUNDING - ROUNDING;
