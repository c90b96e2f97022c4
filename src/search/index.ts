/**
 * Full-text search over one collection. `build/` builds tables while records stream past, perhaps on another thread.
 * `openIndex` makes an immutable index of them, and allocates the kernels' memory. A query costs a plan (look-ups, and the
 * exact set of matching rows) and a ranking of the best rows. Both are cached for the latest queries, by text, options, filter
 * and boost, so that paging scores no row twice.
 *
 * Words of this folder (Manning, Raghavan & Schütze, "Introduction to Information Retrieval", unless said otherwise):
 *
 *     record, row      a record as it is added; its number in the collection, which a record that replaces another takes over
 *     token            a run of characters between plain separators: one word, or several (`e-mail`)
 *     raw token        a token that is no ASCII word: the tokenizer reads it, once
 *     word             a unit of text that the tokenizer emits, folded: without case and accents
 *     stacked word     a word without position increment (Lucene): it matches, but does not add to the record's length
 *     term             the stem of words; each term has a postings list
 *     dictionary       all words, sorted, each with its term
 *     posting          a row that holds a term, in which fields, and its impact there
 *     impact           f / (f + norm) in 255 steps; f: occurrences, each as often as its field weighs
 *     position         where in a record a word stands; positions of fields are `POSITION_GAP` apart
 *     block            a run of rows of a term
 *     bitmap           a bit for each row
 *     dense term       a term that most rows hold: it has a bitmap, and an impact for each row, in place of postings
 *     norm             the length normalisation of a record: the longer it is, the lower its scores
 *     expansion        a term in the place of a word: a near spelling, or a completion of a prefix
 *     pair             two neighbouring words of a query; a row in which they are neighbours too scores more
 *     plan             a parsed query worked out: postings lists, pairs, and the set of rows that match
 *     filter           conditions of a query besides its text
 *     row set          rows of a collection, and how many (`row-set.ts`)
 */
import { inAll, RowSet } from '../row-set.js';
import { Finder } from './rank/finder.js';
import { fieldNames } from './rank/parser.js';
import { planSearch, type SearchContext, type SearchPlan } from './rank/plan.js';
import { type Ranked, rankPlan } from './rank/ranker.js';
import { Kernels } from './rank/ranking-kernel.js';
import { NO_CODES } from './rank/row-lists.js';
import { type CachedSearch, SearchCache } from './rank/search-cache.js';
import { rankSimilar } from './rank/similar.js';
import { suggestionOf } from './rank/suggestion.js';
import { rowsWithParts } from './rank/word-parts.js';
import {
  type Boost,
  type RowFilter,
  type RowsOfCode,
  type SearchField,
  type SearchIndex,
  type TextOptions,
  USUAL,
} from './search.js';
import type { IndexTables } from './tables.js';
import { Tokenizer } from './tokenizer.js';
import { wordRules } from './word-rules.js';

interface ScoredHits extends Ranked {
  readonly total: number;
}

export interface OpenIndex extends SearchIndex {
  readonly tables: IndexTables;
  suggestion(text: string, options?: TextOptions): string | null;
  search(text: string, limit: number, options?: TextOptions, filter?: RowFilter, boost?: Boost): ScoredHits;
}

/**
 * `fields` has the names of the tables' fields, in the same order, for `name:word` in query texts. The tables have no codes of
 * records: `rowsOfCode` finds these.
 */
export function openIndex(
  tables: IndexTables,
  fields: readonly Pick<SearchField, 'name' | 'alias'>[] = [],
  rowsOfCode: RowsOfCode = NO_CODES,
): OpenIndex {
  const context: SearchContext = {
    tables,
    tokenizer: new Tokenizer(),
    kernels: new Kernels(tables),
    rules: wordRules(tables.language),
    fields: fieldNames(fields),
    rowsOfCode,
  };
  const cache = new SearchCache();

  const recall = (text: string, options: TextOptions, filter?: RowFilter, boost?: Boost): CachedSearch =>
    cache.recall(JSON.stringify([filter?.key, boost?.key, options, text]), () => {
      if (boost !== undefined) return { ...recall(text, options, filter).plan, boost };
      if (filter !== undefined) return narrowed(recall(text, options).plan, filter);
      return planSearch(context, text, options);
    });

  const narrowed = (plan: SearchPlan, filter: RowFilter): SearchPlan => ({
    ...plan,
    rows: inAll([plan.rows, filter.rows()], tables.rows),
    isFiltered: true,
  });

  return {
    engine: 'bm25f',
    language: tables.language,
    tables,
    search(text, limit, options = USUAL, filter, boost) {
      const cachedSearch = recall(text, options, filter, boost);
      const { plan } = cachedSearch;
      const total = plan.rows.count;
      const count = Math.min(limit, total);
      // A deeper page ranks four times the rows ranked before, so that a reader who pages through ranks few times.
      const depth = Math.min(total, Math.max(count, 4 * cachedSearch.ranked.rows.length));
      if (cachedSearch.ranked.rows.length < count) cachedSearch.ranked = rankPlan(context, plan, depth);
      const { rows, scores } = cachedSearch.ranked;
      return { rows: rows.subarray(0, count), scores: scores.subarray(0, count), total };
    },
    matching: (text, options = USUAL) => recall(text, options).plan.rows,
    withPartOfWord(name, part) {
      const field = fields.findIndex((one) => one.name === name);
      return RowSet.ofBits(rowsWithParts(context, field, part));
    },
    similar: (texts, limit) => rankSimilar(context, texts, limit),
    finder: (text, options = USUAL) => new Finder(context, recall(text, options).plan),
    suggestion: (text, options = USUAL) => suggestionOf(context, text, recall(text, options).plan.expansions),
  };
}
