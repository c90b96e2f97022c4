/** Records like some texts: the texts' significant terms are the query, without pairs. */
import { RowSet } from '../../row-set.js';
import { termWeight } from '../scoring.js';
import type { WeightedText } from '../search.js';
import { countTerms, significantTerms } from '../significant-terms.js';
import { documentFrequency } from '../tables.js';
import { rememberTerms, type SearchContext } from './plan.js';
import { rank } from './ranker.js';

/** The best `k` rows. */
export function rankSimilar(context: SearchContext, texts: readonly WeightedText[], k: number): Uint32Array {
  const { tables } = context;
  const frequencies = countTerms(texts, context, rememberTerms(context));
  const frequencyOf = (term: number): number => (term < 0 ? 0 : documentFrequency(tables, term));
  const significant = significantTerms(frequencies, frequencyOf, tables.documents);
  const lists = significant.map(({ term, weight }) => ({
    term,
    weight: termWeight(tables, documentFrequency(tables, term)) * weight,
  }));
  const accept = RowSet.ofBits(context.kernels.rowsOf(lists.map(({ term }) => term)));
  return rank({ context, lists, rowLists: [], pairs: [], accept }, Math.min(k, accept.count)).rows;
}
