/** The edges of bins of numbers, as people would choose them: at round steps, or growing by orders of magnitude. */

/** The lowest and the highest number, and that up to which nearly all numbers lie. */
interface Spread {
  readonly lowest: number;
  readonly high: number;
  readonly highest: number;
}

/**
 * Edges at round steps across a spread, of up to `maxBins` bins, one more since the first begins at a step, and an open one where some
 * numbers lie far above nearly all others. Where 0 lies near, that has numbers of one sign: falls of 30% to 10% and one rise of 25% are not
 * `-10% and more`. Where it lies far (-122.7 to -122.5, and one 10.5), bins up to 0 would leave nearly all numbers in one.
 */
export function roundEdges(spread: Spread, smallestStep: number, maxBins: number): readonly number[] {
  const { lowest, highest } = spread;
  const high = highest > 0 && spread.high > lowest - spread.high ? Math.max(spread.high, 0) : spread.high;
  const usualSpan = high - lowest;
  const isOpenAbove = usualSpan > 0 && highest - high > usualSpan;
  const end = isOpenAbove ? high : highest;
  const step = roundStep((end - lowest) / maxBins, smallestStep);
  const first = Math.floor(lowest / step + ROUNDING_ERROR);
  const last = Math.floor(end / step + ROUNDING_ERROR) + 1;
  const edges = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  // Rounding may put a number next to an edge outside it.
  edges[0] = Math.min(edges[0]!, lowest);
  if (isOpenAbove || edges.at(-1)! <= highest) edges.push(Number.POSITIVE_INFINITY);
  return edges;
}

/** Quotients and logarithms miss a whole number by less than this: 0.3 / 0.1 is 2.9999999999999996. */
const ROUNDING_ERROR = 1e-9;

/** The smallest of 1, 2, 5 or 10 times a power of ten that is at least as large as both. */
function roundStep(least: number, smallest: number): number {
  const minStep = Math.max(least, smallest);
  const power = 10 ** Math.floor(Math.log10(minStep) + ROUNDING_ERROR);
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= minStep * (1 - ROUNDING_ERROR)) ?? 10;
  return factor * power;
}

/** Steps within a power of ten. */
const GROWING_STEPS = [1, 2, 5];
const FINER_STEPS = [1, 2, 3, 5, 7];
/** With fewer growing bins, finer steps are used. */
const MIN_GROWING_BINS = 12;
/** With more growing bins, edges are powers of ten, or every few of them. */
const MAX_GROWING_BINS = 36;

/**
 * Edges 0, 1, 2, 5, 10, 20, 50 …, from the last one up to `lowest`, which is not negative, to the first above `highest`; finer
 * where they are few, powers of ten, or every few of them, where they are many.
 */
export function growingEdges(lowest: number, highest: number): readonly number[] {
  const edges = steppedEdges(lowest, highest, GROWING_STEPS);
  if (edges.length <= MIN_GROWING_BINS) return steppedEdges(lowest, highest, FINER_STEPS);
  const powers = Math.ceil((edges.length - 1) / GROWING_STEPS.length);
  return edges.length - 1 > MAX_GROWING_BINS
    ? steppedEdges(lowest, highest, [1], Math.ceil(powers / (MAX_GROWING_BINS - 1)))
    : edges;
}

/**
 * Edges 0, and each step times every power of ten, or every `stride`-th one: 0, 1, 2, 5, 10, 20, 50 … for the steps 1, 2 and 5, or with a
 * stride of 2 and the step 1: 0, 1, 100, 10000 … The last edge may be infinite.
 */
function steppedEdges(lowest: number, highest: number, steps: readonly number[], stride = 1): readonly number[] {
  const edges = [0];
  for (let power = 0; (edges.at(-1) ?? 0) <= highest; power += stride)
    edges.push(...steps.map((step) => Number(`${step}e${power}`)));
  return edges.slice(
    edges.findLastIndex((edge) => edge <= lowest),
    edges.findIndex((edge) => edge > highest) + 1,
  );
}
