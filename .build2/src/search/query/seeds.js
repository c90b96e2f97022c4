/** Rows that a long list puts among the best: to know a score that the best rows reach before the list is walked. */
import { SATURATION_STEPS } from '../../kernels/posting-layout.js';
import { blockCount, readBlock } from '../posting-format.js';
/** So many rows are scored in whole, or so many for each that is wanted: the most promising of a pool. */
export const SEEDS = 128;
export const SEEDS_PER_HIT = 3;
const POOL = 256;
/** A list of so many postings is worth choosing seeds from. */
const LEAST_POSTINGS = 4096;
/** The strongest row of each of the strongest ranges of an exact list, ascending; none of a short list. */
export function seedRows(tables, norms, list, buffer) {
    if (list.size < LEAST_POSTINGS || !list.exact)
        return [];
    const first = tables.firstBlocks[list.term];
    const most = tables.blockBounds.subarray(first, first + blockCount(tables, list.term));
    const least = saturationOfMany(most);
    const rows = [];
    for (let i = 0; i < most.length && rows.length < POOL; i++) {
        if (most[i] >= least)
            rows.push(strongest(buffer, readBlock(tables, list.term, i, buffer), norms));
    }
    return rows;
}
/** What enough ranges reach. */
function saturationOfMany(most) {
    const counts = new Uint32Array(SATURATION_STEPS + 1);
    for (let i = 0; i < most.length; i++)
        counts[most[i]]++;
    let least = SATURATION_STEPS;
    for (let many = counts[least]; many < POOL && least > 1; many += counts[least])
        least--;
    return least;
}
/** The row of the greatest f / norm. */
function strongest({ rows, frequencies }, count, norms) {
    let best = 0;
    let most = 0;
    for (let i = 0; i < count; i++) {
        const strength = frequencies[i] / norms[rows[i]];
        if (strength <= most)
            continue;
        most = strength;
        best = rows[i];
    }
    return best;
}
