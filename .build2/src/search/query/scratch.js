/**
 * Working memory of one index, used by one query at a time and left clean by each: allocated once, because what a
 * query allocates costs more than what it computes.
 */
import { createBits } from '../../bits.js';
import { createPostingBuffer } from '../posting-format.js';
import { Candidates } from './candidates.js';
import { Kernels } from './kernels.js';
import { BestScores } from './top-k.js';
export function createScratch(tables) {
    const kernels = new Kernels(tables);
    const { buffer, byteOffset, length } = kernels.frequencies;
    return {
        kernels,
        fourFrequencies: new Uint32Array(buffer, byteOffset, length >>> 2),
        range: createPostingBuffer(tables.maxInBlock),
        accepted: createBits(tables.rows),
        candidates: new Candidates(),
        best: new BestScores(),
        seeds: new BestScores(),
    };
}
