/** The book's middle values (section 3.4: b from 0.5 to 0.8, k1 from 1.2 to 2). */
export const DEFAULT_RANKING = { k1: 1.5, b: 0.75 };
/** What expansions weigh, of what their records would get for the word itself. */
export const PREFIX_WEIGHT = 0.5;
export const SPELLING_WEIGHT = 0.25;
/** What two words that stand as in the query weigh, of what the more frequent one weighs by itself. */
export const PAIR_WEIGHT = 0.3;
/** ln(1 + (N - n + 1/2) / (n + 1/2)): never negative (section 3.3, with Lucene's 1 +). */
export const inverseDocumentFrequency = (documents, frequency) => Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
/** What a term weighs that so many records hold. */
export const termWeight = ({ documents, k1 }, frequency) => inverseDocumentFrequency(documents, frequency) * (k1 + 1);
export const normOf = ({ k1, b, meanLength }, length) => k1 * (1 - b + (b * length) / meanLength);
/** Writes the norm of every row, Infinity where a row has no record. */
export function writeNorms(known, norms) {
    const { lengths, longest } = known;
    for (let row = 0; row < lengths.length; row++) {
        const length = lengths[row];
        norms[row] = length > longest ? Number.POSITIVE_INFINITY : normOf(known, length);
    }
}
/** Scores are whole multiples of 2^-32, so that sums are exact in any order and equal scores are equal numbers. */
const ROUNDING = 1.5 * 2 ** 20;
export const SCORE_STEP = 2 ** -32;
/** What a term of this weight adds to a record that has it so often. */
export const score = (weight, frequency, norm) => saturation(weight, frequency, norm) + ROUNDING - ROUNDING;
/** The same before it is rounded, which changes it by less than `SCORE_STEP`. */
export const saturation = (weight, frequency, norm) => (weight * frequency) / (frequency + norm);
/** An upper bound of `score`; 0 where the frequency is 0, whatever the norm. */
export const scoreBound = (weight, frequency, norm) => frequency === 0 ? 0 : saturation(weight, frequency, norm) + SCORE_STEP;
export function saturationFloor(leastNorm, least) {
    const normShare = least <= 0 ? Number.POSITIVE_INFINITY : (1 / least - 1) * (1 + 1e-9);
    const frequency = normShare <= 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(leastNorm / normShare - 1e-6));
    return { normShare, frequency };
}
