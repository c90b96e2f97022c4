/**
 * The best rows of some posting lists. Every list is added to the rows' sums, which are whole numbers, so that they are the
 * same in any order. The rows that match are then looked at, a window at a time, and a heap keeps the best. The first 256 of
 * them are put in order once more with what their pairs of neighbouring words add: pairs only add, so these rows stay before all
 * others, and a page is the same however deep the ranking went. A posting costs some 2 ns, a row that matches 1 ns.
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
  /** What multiplies the sums of rows, with those of pairs. */
  readonly boost?: Boost | undefined;
}

/** So many rows, the best by their words, are put in order by words and pairs. */
export const PAIRED_ROWS = 256;

export const NO_ROWS: Ranked = { rows: new Uint32Array(0), scores: new Float64Array(0) };

/** The best k rows of a plan: those that hold a word itself come first, then those that only expansions bring up. */
export function rankPlan(context: SearchContext, plan: Plan, k: number): Ranked {
  const { lists, expansionLists, furtherLists, pairs, rows, exactRows, isFiltered, boost } = plan;
  const exact = isFiltered ? inAll([exactRows, rows], context.tables.rows) : exactRows;
  const first = rank({ context, lists: [...lists, ...expansionLists], pairs, accept: exact, boost }, k);
  if (first.rows.length === k) return first;
  const others = createBits(context.tables.rows);
  writeDifference(rows.bits, exactRows.bits, others);
  const accept = RowSet.ofBits(others);
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
    // A row comes after all that were looked at before it, so it has to surpass the least of the best.
    const least = best.isFull ? sumOfKey(best.least) + 1 : 0;
    const selected = kernels.selectRows(accept.bits, base, boost === undefined ? least : Math.floor(least / MAX_BOOST));
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
 * The first k of keys in descending order, once the first `PAIRED_ROWS` are put in order with what pairs add. Where a row's words
 * and all that pairs can add do not reach the k-th best, those of the rows after it do not either.
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

/** A whole number again, of 29 bits at most. */
const boosted = (sum: number, row: number, boost: Boost | undefined): number =>
  boost === undefined ? sum : Math.round(sum * boost.factorOf(row));
