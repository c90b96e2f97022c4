/** Bins of numbers. A bin holds the numbers from its lower edge, included, to the next edge, excluded. */
import type { NumberColumn } from '../store/number-column.js';

/**
 * The count of each bin. `starts` are the lower edges of the bins, ascending; the last bin has no upper one. With `weights`,
 * each number counts as often as its weight says. Ascending numbers are counted in one pass.
 */
export function countInBins(
  starts: ArrayLike<number>,
  numbers: ArrayLike<number>,
  weights?: ArrayLike<number>,
): Uint32Array {
  const counts = new Uint32Array(starts.length);
  let bin = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!;
    if (number < starts[bin]!) bin = 0;
    while (number >= starts[bin + 1]!) bin++;
    counts[bin]! += weights === undefined ? 1 : weights[i]!;
  }
  return counts;
}

/** By distinct number of a column: the count of the rows that have it; null stands for every row. */
export function rowsByNumber({ values, order: { keys } }: NumberColumn, rows: Uint32Array | null): Uint32Array {
  const counts = new Uint32Array(values.length);
  if (rows === null) for (let row = 0; row < keys.length; row++) counts[keys[row]!]!++;
  else for (let i = 0; i < rows.length; i++) counts[keys[rows[i]!]!]!++;
  return counts;
}
