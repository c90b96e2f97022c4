/**
 * The best rows of some posting lists. Each list is added to the rows' sums; these are whole numbers, so that the order of the
 * lists does not matter. Then one pass over the matching rows selects the best, which are sorted. Where words are pairs, at least the first
 * 256 rows are selected, and these are sorted again with their pairs. Pairs only add, so the first 256 rows stay before all others, and
 * a page is the same however deep the ranking went. A posting costs some 2 ns, a matching row 1 ns.
 */
import { createBits, forEachMember, writeDifference } from '../../bits.js';
import { IMPACT_STEPS } from '../../kernels/posting-layout.js';
import { inAll, RowSet } from '../../row-set.js';
import { impactScale, scaledWeight } from '../scoring.js';
import type { Boost } from '../search.js';
import { pairSums, type WordPair } from './pairs.js';
import type { SearchContext, SearchPlan, WeightedTerm } from './plan.js';
import type { RowList } from './row-lists.js';

export interface Ranked {
  /** Best first, ties by row. */
  readonly rows: Uint32Array;
  readonly scores: Float64Array;
}

interface RankInput {
  readonly context: SearchContext;
  readonly lists: readonly WeightedTerm[];
  readonly rowLists: readonly RowList[];
  readonly pairs: readonly WordPair[];
  /** Only these rows are ranked. */
  readonly accept: RowSet;
  /** The factors of the rows' sums, pairs included. */
  readonly boost?: Boost | undefined;
}

/** The first rows by their words, which are sorted again by words and pairs. */
export const PAIRED_ROWS = 256;

export const NOTHING_RANKED: Ranked = { rows: new Uint32Array(0), scores: new Float64Array(0) };

/** The best k rows of a plan: those that hold a word itself come first, then those that only expansions bring up. */
export function rankPlan(context: SearchContext, plan: SearchPlan, k: number): Ranked {
  const { lists, replacements, additions, rowLists, pairs, wordRows, isFiltered, boost } = plan;
  const accept = isFiltered ? inAll([wordRows, plan.rows], context.tables.rows) : wordRows;
  const byWords = rank({ context, lists: [...lists, ...replacements], rowLists, pairs, accept, boost }, k);
  const count = byWords.rows.length;
  if (count === k) return byWords;
  const expandedRows = createBits(context.tables.rows);
  writeDifference(plan.rows.bits, wordRows.bits, expandedRows);
  const byExpansions = rank(
    {
      context,
      lists: [...replacements, ...additions],
      rowLists: [],
      pairs: [],
      accept: RowSet.ofBits(expandedRows),
      boost,
    },
    k - count,
  );
  const rows = new Uint32Array(count + byExpansions.rows.length);
  const scores = new Float64Array(rows.length);
  rows.set(byWords.rows);
  rows.set(byExpansions.rows, count);
  scores.set(byWords.scores);
  scores.set(byExpansions.scores, count);
  return { rows, scores };
}

/** The best k of the accepted rows. */
export function rank({ context, lists, rowLists, pairs, accept, boost }: RankInput, k: number): Ranked {
  if (k === 0 || accept.count === 0) return NOTHING_RANKED;
  const { kernels } = context;
  const { sums } = kernels;
  const scale = impactScale([...lists, ...rowLists, ...pairs].map(({ weight }) => weight));
  for (const { term, weight } of lists) kernels.addToSums(term, scaledWeight(weight, scale));
  for (const { rows, weight } of rowLists) {
    const sum = scaledWeight(weight, scale) * IMPACT_STEPS;
    forEachMember(rows, (row) => {
      sums[row]! += sum;
    });
  }
  if (boost !== undefined)
    forEachMember(accept.bits, (row) => {
      sums[row] = Math.round(sums[row]! * boost.factorOf(row));
    });
  const best = kernels.bestRows(accept.bits, pairs.length > 0 ? Math.max(k, PAIRED_ROWS) : k);
  if (pairs.length > 0) sortWithPairs({ context, pairs, boost }, scale, best);
  const rows = best.subarray(0, k);
  const scores = Float64Array.from(rows, (row) => sums[row]! / scale / IMPACT_STEPS);
  kernels.clearSums();
  return { rows, scores };
}

/** Sorts the best rows again after the sums of pairs are added to the first `PAIRED_ROWS`. */
function sortWithPairs(
  { context, pairs, boost }: Pick<RankInput, 'context' | 'pairs' | 'boost'>,
  scale: number,
  best: Uint32Array,
): void {
  const { tables, kernels } = context;
  const { sums } = kernels;
  const weights = pairs.map(({ weight }) => scaledWeight(weight, scale));
  const candidates = best.slice(0, PAIRED_ROWS).sort();
  pairSums(tables, kernels, pairs, weights, candidates).forEach((sum, i) => {
    const row = candidates[i]!;
    sums[row]! += Math.round(sum * (boost?.factorOf(row) ?? 1));
  });
  best.set(kernels.bySum(candidates));
}
