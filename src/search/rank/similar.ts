/** Records like some texts: the terms that tell most of the texts are the query, as words that stand nowhere together. */
import { RowSet } from '../../row-set.js';
import type { WeightedText } from '../search.js';
import { countTerms, tellingTerms } from '../telling-terms.js';
import { rememberTerms, rowsOf, type SearchContext } from './plan.js';
import { documentFrequency, termList } from './posting-lists.js';
import { rank } from './ranker.js';

/** The best `k` rows. */
export function rankSimilar(context: SearchContext, texts: readonly WeightedText[], k: number): Uint32Array {
  const { tables } = context;
  const times = countTerms(texts, context, rememberTerms(context));
  const frequencyOf = (term: number): number => (term < 0 ? 0 : documentFrequency(tables, term));
  const telling = tellingTerms(times, frequencyOf, tables.documents);
  const lists = telling.map(({ term, weight }) => termList(tables, term, weight));
  const accept = RowSet.ofBits(rowsOf(context, lists));
  return rank({ context, lists, pairs: [], accept }, Math.min(k, accept.count)).rows;
}
