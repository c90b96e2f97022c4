/**
 * Full-text search over one collection. `build/` builds tables while records stream past, perhaps on another thread.
 * `openIndex` makes an index of them, which never changes, and gets the kernels their memory. A query costs a plan (look-ups, and the exact set of matching rows) and a ranking of the best rows; both are
 * cached for the queries asked last, each with the filter that it was asked under, so that paging scores nothing again.
 *
 * Words of this folder (Manning, Raghavan & Schütze, "Introduction to Information Retrieval", unless said otherwise):
 *
 *     record, row      a record as it is added; its place in the collection, which a record that replaces another takes
 *     token            what stands between separators that never tie words together: one word, or several (`e-mail`)
 *     raw token        a token that is no ASCII word: the tokenizer reads it, once
 *     word             what the tokenizer makes of a text, folded: without case and accents
 *     stacked word     a word without position increment (Lucene): it can be found, but lengthens nothing
 *     term             the stem of words; what postings are of
 *     dictionary       all words, sorted, each with its term
 *     posting          a row that holds a term, in which fields, and its impact there
 *     impact           f / (f + norm) in 255 steps; f: occurrences, each as often as its field weighs
 *     position         where in a record a word stands; positions of fields are `POSITION_GAP` apart
 *     block            a run of rows of a term
 *     bitmap           a bit for each row
 *     dense            of terms that most rows hold: an impact and a mask for each row in place of postings
 *     norm             how much a record's length holds its scores back
 *     expansion        a term in the place of a word: a near spelling, or a completion of a beginning
 *     pair             two words of a query that stand together; they add to a row where they stand so too
 *     plan             what a text comes to: lists of postings, pairs, and the set of rows that match
 *     window           4,096 rows whose sums are looked at together
 *     filter           conditions of a query besides its text
 *     row set          rows of a collection, and how many (`row-set.ts`)
 */
import { inAll } from '../row-set.js';
import { Finder } from './rank/finder.js';
import { fieldNames } from './rank/parser.js';
import { type Plan, planSearch, type SearchContext } from './rank/plan.js';
import { type Ranked, rankPlan } from './rank/ranker.js';
import { Kernels } from './rank/ranking-kernel.js';
import { type CachedSearch, SearchCache } from './rank/search-cache.js';
import { rankSimilar } from './rank/similar.js';
import { suggestionOf } from './rank/suggestion.js';
import { type Boost, type Filter, type SearchField, type SearchIndex, type TextOptions, USUAL } from './search.js';
import type { IndexTables } from './tables.js';
import { Tokenizer } from './tokenizer.js';
import { wordRules } from './word-rules.js';

export interface ScoredHits extends Ranked {
  readonly total: number;
}

export interface OpenIndex extends SearchIndex {
  readonly tables: IndexTables;
  suggestion(text: string, options?: TextOptions): string | null;
  search(text: string, limit: number, options?: TextOptions, filter?: Filter, boost?: Boost): ScoredHits;
}

/** `fields` are those of the tables, in their order: so are they called in texts. */
export function openIndex(tables: IndexTables, fields: readonly Pick<SearchField, 'name' | 'alias'>[] = []): OpenIndex {
  const context: SearchContext = {
    tables,
    tokenizer: new Tokenizer(),
    kernels: new Kernels(tables),
    rules: wordRules(tables.language),
    fields: fieldNames(fields),
  };
  const cache = new SearchCache();

  const recall = (text: string, options: TextOptions, filter?: Filter, boost?: Boost): CachedSearch =>
    cache.recall(JSON.stringify([filter?.key, boost?.key, options, text]), () => {
      if (boost !== undefined) return { ...recall(text, options, filter).plan, boost };
      if (filter !== undefined) return narrowed(recall(text, options).plan, filter);
      return planSearch(context, text, options);
    });

  const narrowed = (plan: Plan, filter: Filter): Plan => ({
    ...plan,
    rows: inAll([plan.rows, filter.rows()], tables.rows),
    isFiltered: true,
  });

  return {
    engine: 'bm25f',
    language: tables.language,
    tables,
    search(text, limit, options = USUAL, filter, boost) {
      const asked = recall(text, options, filter, boost);
      const { plan } = asked;
      const total = plan.rows.count;
      const wanted = Math.min(limit, total);
      // Four times more than last time, so that paging on ranks few times.
      const depth = Math.min(total, Math.max(wanted, 4 * asked.ranked.rows.length));
      if (asked.ranked.rows.length < wanted) asked.ranked = rankPlan(context, plan, depth);
      const { rows, scores } = asked.ranked;
      return { rows: rows.subarray(0, wanted), scores: scores.subarray(0, wanted), total };
    },
    matching: (text, options = USUAL) => recall(text, options).plan.rows,
    similar: (texts, limit) => rankSimilar(context, texts, limit),
    finder: (text, options = USUAL) => new Finder(context, recall(text, options).plan),
    suggestion: (text, options = USUAL) => suggestionOf(context, text, recall(text, options).plan.expansions),
  };
}
