/**
 * The best rows of some posting lists. Each list is added to the rows' sums; these are whole numbers, so that the order of the
 * lists does not matter. Then one pass over the matching rows collects the best in a heap. The first 256 rows are sorted once
 * more with the sums of their pairs. Pairs only add, so these rows stay before all others, and a page is the same however deep
 * the ranking went. A posting costs some 2 ns, a matching row 1 ns.
 */
import { assert } from '../../assert.js';
import { createBits, writeDifference } from '../../bits.js';
import { inAll, RowSet } from '../../row-set.js';
import { IMPACT_STEPS, MAX_SUM, scaledWeight, scaleOf } from '../scoring.js';
import { type Boost, MAX_BOOST } from '../search.js';
import { type Pair, pairSums } from './pairs.js';
import type { Plan, SearchContext, WeightedTerm } from './plan.js';

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
  const { lists, expansionLists, furtherLists, pairs, wordRows, isFiltered, boost } = plan;
  const accept = isFiltered ? inAll([wordRows, plan.rows], context.tables.rows) : wordRows;
  const first = rank({ context, lists: [...lists, ...expansionLists], pairs, accept, boost }, k);
  if (first.rows.length === k) return first;
  const expandedRows = createBits(context.tables.rows);
  writeDifference(plan.rows.bits, wordRows.bits, expandedRows);
  const second = rank(
    { context, lists: [...expansionLists, ...furtherLists], pairs: [], accept: RowSet.ofBits(expandedRows), boost },
    k - first.rows.length,
  );
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
  const { kernels } = context;
  const scale = scaleOf([...lists, ...pairs].map(({ weight }) => weight));
  for (const { term, weight } of lists) kernels.addToSums(term, scaledWeight(weight, scale));
  if (boost !== undefined) kernels.multiplySums(accept.bits, boost.factorOf);
  const count = Math.min(accept.count, pairs.length > 0 ? Math.max(k, PAIRED_ROWS) : k);
  const keys = kernels.bestKeys(accept.bits, count);
  const ranked = pairs.length > 0 ? withPairs({ context, pairs, scale, boost }, keys, k) : keys;
  return {
    rows: Uint32Array.from(ranked, rowOfKey),
    scores: Float64Array.from(ranked, (key) => sumOfKey(key) / scale / IMPACT_STEPS),
  };
}

interface PairInput extends Pick<RankInput, 'context' | 'pairs' | 'boost'> {
  readonly scale: number;
}

/**
 * The first k of keys in descending order, after the first `PAIRED_ROWS` are sorted again with their pairs. Positions are read of the
 * rows whose words and the upper bound of pairs reach the k-th best sum of words: only these can be among the first k.
 */
function withPairs({ context, pairs, scale, boost }: PairInput, keys: Float64Array, k: number): Float64Array {
  const { tables, kernels } = context;
  assert(() => keys.every((key, i) => i === 0 || key < keys[i - 1]!), 'keys descend');
  const weights = pairs.map(({ weight }) => scaledWeight(weight, scale));
  const maxPairSum = Math.ceil(MAX_BOOST * IMPACT_STEPS * weights.reduce((sum, weight) => sum + weight, 0));
  const paired = keys.subarray(0, PAIRED_ROWS);
  const minSum = sumOfKey(paired[Math.min(k, paired.length) - 1]!) - maxPairSum;
  // Rows before sums in these numbers, so that rows ascend.
  const byRow = paired
    .filter((key) => sumOfKey(key) >= minSum)
    .map((key) => rowOfKey(key) * SUMS + sumOfKey(key))
    .sort();
  const rows = Uint32Array.from(byRow, (number) => number / SUMS);
  const sums = pairSums(tables, kernels, pairs, weights, rows);
  const best = byRow.map((number, i) => {
    const sum = Math.round(sums[i]! * (boost?.factorOf(rows[i]!) ?? 1));
    return keyOf((number % SUMS) + sum, rows[i]!);
  });
  return Float64Array.from([...best.sort().reverse(), ...keys.subarray(PAIRED_ROWS)].slice(0, k));
}

/** A key (`kernels/scoring.ts`) is a sum, below `SUMS`, and a row as one number: the greater sum is greater, then the lower row. */
const ROWS = 2 ** 24;
const SUMS = 2 * MAX_SUM;

const keyOf = (sum: number, row: number): number => sum * ROWS + (ROWS - 1 - row);
const sumOfKey = (key: number): number => Math.floor(key / ROWS);
const rowOfKey = (key: number): number => ROWS - 1 - (key % ROWS);
