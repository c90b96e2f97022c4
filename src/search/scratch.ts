/**
 * Working memory of one index, used by one query at a time and left clean by each: allocated once, because what a
 * query allocates costs more than what it computes.
 */
import { BestScores } from './best.js';
import { Candidates } from './candidates.js';

/** Rows that are scored together: their sums stay in the nearest cache. */
export const WINDOW = 4096;

export interface Scratch {
  /** One sum a row of the window, all 0 between uses. */
  readonly sums: Float64Array;
  /** One bit a row of the window, all 0 between uses. */
  readonly marks: Uint32Array;
  /** One frequency a row, all 0 between uses. */
  readonly frequencies: Uint8Array;
  /** The same frequencies, four rows a number. */
  readonly fourFrequencies: Uint32Array;
  readonly candidates: Candidates;
  readonly best: BestScores;
  readonly seeds: BestScores;
}

export function createScratch(rows: number): Scratch {
  const fourFrequencies = new Uint32Array((rows + 3) >>> 2);
  return {
    sums: new Float64Array(WINDOW),
    marks: new Uint32Array(WINDOW >>> 5),
    frequencies: new Uint8Array(fourFrequencies.buffer),
    fourFrequencies,
    candidates: new Candidates(),
    best: new BestScores(),
    seeds: new BestScores(),
  };
}
