/**
 * Working memory of one index, used by one query at a time and left clean by each: allocated once, because what a
 * query allocates costs more than what it computes.
 */
import { BestScores } from './best.js';
import { Candidates } from './candidates.js';
import type { PostingBuffer } from './posting-code.js';
import { createPostingBuffer } from './postings.js';
import type { IndexTables } from './tables.js';

/** Rows that are read and scored together: their sums stay in the nearest cache. */
export const WINDOW_BITS = 12;
export const WINDOW = 1 << WINDOW_BITS;

export interface Scratch {
  /** One sum a row of the window, all 0 between uses. */
  readonly sums: Float64Array;
  /** One bit a row of the window, all 0 between uses. */
  readonly marks: Uint32Array;
  /** One frequency a row, all 0 between uses. */
  readonly frequencies: Uint8Array;
  /** The same frequencies, four rows a number. */
  readonly fourFrequencies: Uint32Array;
  /** The postings of a window of rows, and those of a range. */
  readonly window: PostingBuffer;
  readonly range: PostingBuffer;
  readonly candidates: Candidates;
  readonly best: BestScores;
  readonly seeds: BestScores;
}

export function createScratch({ rows, mostInRange }: IndexTables): Scratch {
  const fourFrequencies = new Uint32Array((rows + 3) >>> 2);
  return {
    sums: new Float64Array(WINDOW),
    marks: new Uint32Array(WINDOW >>> 5),
    frequencies: new Uint8Array(fourFrequencies.buffer),
    fourFrequencies,
    window: createPostingBuffer(WINDOW),
    range: createPostingBuffer(mostInRange),
    candidates: new Candidates(),
    best: new BestScores(),
    seeds: new BestScores(),
  };
}
