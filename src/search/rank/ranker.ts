/**
 * The best rows of some posting lists. Each list is added to the rows' sums; these are whole numbers, so that the order of the
 * lists does not matter. Then the matching rows are read window by window, and a heap holds the best. The first 256 rows are
 * sorted once more with the sums of their pairs. Pairs only add, so these rows stay before all others, and a page is the same
 * however deep the ranking went. A posting costs some 2 ns, a matching row 1 ns.
 */
import { createBits, writeDifference } from '../../bits.js';
import { inAll, RowSet } from '../../row-set.js';
import { IMPACT_STEPS, scaledWeight, scaleOf } from '../scoring.js';
import { type Boost, MAX_BOOST } from '../search.js';
import { type Pair, PairReader } from './pairs.js';
import type { Plan, SearchContext, WeightedTerm } from './plan.js';
import { WINDOW_ROWS } from './ranking-kernel.js';
import { BestKeys, keyOf, rowOfKey, sumOfKey } from './top-k.js';

export interface Ranked {
  /** Best first, ties by row. */
  readonly rows: Uint32Array;
  readonly scores: Float64Array;
}

interface RankInput {
  readonly context: SearchContext;
  readonly lists: readonly WeightedTerm[];
  readonly pairs: readonly Pair[];
  /** Only these rows are ranked. */
  readonly accept: RowSet;
  /** The factors of the rows' sums, pairs included. */
  readonly boost?: Boost | undefined;
}

/** The first rows by their words, which are sorted again by words and pairs. */
export const PAIRED_ROWS = 256;

export const NO_ROWS: Ranked = { rows: new Uint32Array(0), scores: new Float64Array(0) };

/** The best k rows of a plan: those that hold a word itself come first, then those that only expansions bring up. */
export function rankPlan(context: SearchContext, plan: Plan, k: number): Ranked {
  const { lists, expansionLists, furtherLists, pairs, rows, exactRows, isFiltered, boost } = plan;
  const exact = isFiltered ? inAll([exactRows, rows], context.tables.rows) : exactRows;
  const first = rank({ context, lists: [...lists, ...expansionLists], pairs, accept: exact, boost }, k);
  if (first.rows.length === k) return first;
  const expandedRows = createBits(context.tables.rows);
  writeDifference(rows.bits, exactRows.bits, expandedRows);
  const accept = RowSet.ofBits(expandedRows);
  const second = rank(
    { context, lists: [...expansionLists, ...furtherLists], pairs: [], accept, boost },
    k - first.rows.length,
  );
  return joined(first, second);
}

function joined(first: Ranked, second: Ranked): Ranked {
  const count = first.rows.length;
  const rows = new Uint32Array(count + second.rows.length);
  const scores = new Float64Array(rows.length);
  rows.set(first.rows);
  rows.set(second.rows, count);
  scores.set(first.scores);
  scores.set(second.scores, count);
  return { rows, scores };
}

/** The best k of the accepted rows. */
export function rank({ context, lists, pairs, accept, boost }: RankInput, k: number): Ranked {
  if (k === 0 || accept.count === 0) return NO_ROWS;
  const { kernels, tables } = context;
  const scale = scaleOf([...lists, ...pairs].map(({ weight }) => weight));
  for (const { term, weight } of lists) kernels.addToSums(term, scaledWeight(weight, scale));
  const best = new BestKeys(Math.min(accept.count, pairs.length > 0 ? Math.max(k, PAIRED_ROWS) : k));
  for (let base = 0; base < tables.rows; base += WINDOW_ROWS) {
    // Of equal sums the lower row is better, and rows ascend: a later row needs a greater sum than the worst of the best.
    const minSum = best.isFull ? sumOfKey(best.least) + 1 : 0;
    const selected = kernels.selectRows(
      accept.bits,
      base,
      boost === undefined ? minSum : Math.floor(minSum / MAX_BOOST),
    );
    for (let i = 0; i < selected.length; i++) {
      const row = selected[i]!;
      best.offer(keyOf(boosted(kernels.sumOf(row), row, boost), row));
    }
  }
  kernels.clearSums();
  const keys = best.descending();
  const ranked = pairs.length > 0 ? withPairs({ context, pairs, scale, boost }, keys, k) : keys.subarray(0, k);
  return {
    rows: Uint32Array.from(ranked, rowOfKey),
    scores: Float64Array.from(ranked, (key) => sumOfKey(key) / scale / IMPACT_STEPS),
  };
}

interface PairInput extends Pick<RankInput, 'context' | 'pairs' | 'boost'> {
  readonly scale: number;
}

/**
 * The first k keys in descending order, after the first `PAIRED_ROWS` are sorted again with their pairs. Sums descend: once a
 * row's sum and the upper bound of pairs stay below the k-th best, those of all later rows do as well.
 */
function withPairs({ context, pairs, scale, boost }: PairInput, keys: Float64Array, k: number): Float64Array {
  const reader = new PairReader(context.tables, context.kernels, pairs, scale);
  const maxPairSum = boost === undefined ? reader.maxSum : Math.ceil(reader.maxSum * MAX_BOOST);
  const paired = keys.subarray(0, PAIRED_ROWS);
  const best = new BestKeys(Math.min(k, paired.length));
  for (const key of paired) {
    const sum = sumOfKey(key);
    if (best.isFull && sum + maxPairSum < sumOfKey(best.least)) break;
    const row = rowOfKey(key);
    best.offer(keyOf(sum + boosted(reader.sumAt(row), row, boost), row));
  }
  return Float64Array.from([...best.descending(), ...keys.subarray(PAIRED_ROWS, k)]);
}

/** The product of a sum and the row's factor, rounded: at most 29 bits. */
const boosted = (sum: number, row: number, boost: Boost | undefined): number =>
  boost === undefined ? sum : Math.round(sum * boost.factorOf(row));
