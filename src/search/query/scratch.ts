/**
 * Working memory of one index, used by one query at a time and left clean by each: allocated once, because what a
 * query allocates costs more than what it computes.
 */
import { type Bits, createBits } from '../../bits.js';
import type { IndexTables } from '../tables.js';
import { Candidates } from './candidates.js';
import { Kernels } from './kernels.js';
import { BestScores } from './top-k.js';

export interface Scratch {
  readonly kernels: Kernels;
  /** The kernels' frequencies, four rows a number. */
  readonly fourFrequencies: Uint32Array;
  /** The rows that a ranking accepts, where no set is that; written before. */
  readonly accepted: Bits;
  readonly candidates: Candidates;
  readonly best: BestScores;
}

export function createScratch(tables: IndexTables): Scratch {
  const kernels = new Kernels(tables);
  const { buffer, byteOffset, length } = kernels.frequencies;
  return {
    kernels,
    fourFrequencies: new Uint32Array(buffer, byteOffset, length >>> 2),
    accepted: createBits(tables.rows),
    candidates: new Candidates(),
    best: new BestScores(),
  };
}
