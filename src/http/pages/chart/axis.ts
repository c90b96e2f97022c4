/**
 * The horizontal axis of a chart. A bar is as wide as its bin on the axis, so that unequal bins look unequal: `2 to 4` is wider
 * than `1` on a logarithmic axis, and February narrower than March. An open bin has no width of its own, and takes the mean of
 * the others'.
 */
import type { Binning } from '../counting/binning.js';

export interface Axis {
  /** The lower edge of each bin, and the upper edge of the last one, as shares of the width. */
  readonly edges: readonly number[];
  /** A value as a share of the width. */
  readonly shareOf: (value: number) => number;
}

export function axisOf({ bins, scale }: Pick<Binning, 'bins' | 'scale'>): Axis {
  const starts = bins.map(({ from }) => from);
  const lengthAlong = scale === 'logarithmic' ? logarithmicLength(starts) : (value: number): number => value;
  const lengths = bins.map(({ from, to }) => lengthAlong(to) - lengthAlong(from));
  const isClosed = (length: number): boolean => length > 0 && Number.isFinite(length);
  const closed = lengths.filter(isClosed);
  const longest = Math.max(...closed);
  const mean = closed.reduce((sum, length) => sum + length / longest, 0) / closed.length || 1;
  const edges = [0];
  for (const length of lengths) edges.push((edges.at(-1) ?? 0) + (isClosed(length) ? length / longest : mean));
  const width = edges.at(-1) ?? 1;
  const shares = edges.map((edge) => edge / width);
  return {
    edges: shares,
    shareOf(value) {
      const index = bins.findIndex(({ to }) => value < to);
      // A value from the last edge on belongs at the end.
      const at = index < 0 ? bins.length - 1 : index;
      const [bin, start = 0, next = 1] = [bins[at], shares[at], shares[at + 1]];
      if (bin === undefined) return 0;
      const length = lengths[at] ?? 0;
      // Within an open bin no place is truer than its middle.
      const within = isClosed(length) ? (lengthAlong(value) - lengthAlong(bin.from)) / length : 0.5;
      return start + (next - start) * Math.min(1, Math.max(0, within));
    },
  };
}

/** Lengths along a logarithmic axis. It has no 0: a bin from 0 to 1 is as wide as the one behind it. */
function logarithmicLength(starts: readonly number[]): (value: number) => number {
  const [first = 1, second = 2] = starts.filter((start) => start > 0);
  const step = Math.log(second / first);
  return (value) => (value < first ? Math.log(first) - step * (1 - value / first) : Math.log(value));
}
