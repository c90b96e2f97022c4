/** Bins of numbers. A bin holds the numbers from its lower edge, included, to the next edge, excluded. */

/**
 * The sum of each bin: `counts` says how often each number is there, and ascending numbers are read in one pass. `starts` are the lower
 * edges of the bins, ascending; the last bin has no upper one.
 */
export function countInBins(
  starts: ArrayLike<number>,
  numbers: ArrayLike<number>,
  counts: ArrayLike<number>,
): Uint32Array {
  const sums = new Uint32Array(starts.length);
  /** No number reaches the last edge, and reads of typed arrays stay within these. */
  const edges = new Float64Array(starts.length + 1).fill(Number.POSITIVE_INFINITY);
  edges.set(starts);
  let bin = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!;
    if (number < edges[bin]!) bin = 0;
    while (number >= edges[bin + 1]!) bin++;
    sums[bin]! += counts[i]!;
  }
  return sums;
}
