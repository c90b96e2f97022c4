/**
 * Full-text search over one collection. `createSearchBuilder` takes records as they stream past; `finish` gives a
 * frozen index. `openIndex` makes the same index of tables that another thread built: of these it only works the norms out,
 * some 10 ns a record, and gets the kernels their memory. A query costs a plan (look-ups, and the exact set of
 * matching rows as bits) and a ranking of the best rows; both are kept for the queries asked last, each with the
 * conditions it was asked under, so that paging scores nothing again.
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
 *     posting          a row that holds a term, and its frequency: occurrences, each as often as its field weighs
 *     position         where in a record a word stands; positions of fields are `POSITION_GAP` apart
 *     block            a run of rows of a term, with a bound of what its postings add (block-max index, Ding & Suel 2011)
 *     bitmap           a bit for each row
 *     dense            of terms that most rows hold: a frequency for each row in place of postings
 *     norm             how much a record's length holds its scores back
 *     upper bound      what a list, a block or a pair adds at most
 *     expansion        a term in the place of a word: a near spelling, or a completion of a beginning
 *     pair             two words of a query that stand together; they add to a row where they stand so too
 *     plan             what a text comes to: lists of postings, pairs, and the set of rows that match
 *     window           4,096 rows that are scored together
 *     filter           conditions of a query besides its text
 *     document set     rows that match, as bits, and how many
 */
import { allMembers, writeCommon, writeDifference } from '../bits.js';
import { createTablesBuilder } from './index/builder.js';
import { Finder } from './query/finder.js';
import { type Plan, planQuery, prefixList, type Workbench } from './query/plan.js';
import { NOTHING, type Ranked, type RankInput, rankTop } from './query/ranker.js';
import { createScratch } from './query/scratch.js';
import type { Among, Hits, Matching, SearchField, SearchIndex, SearchIndexBuilder } from './search.js';
import type { IndexTables, RankingParameters } from './tables.js';
import { Tokenizer } from './tokenizer.js';

/** Queries whose plan and ranking are kept. */
const KEPT_QUERIES = 64;
/** Rows, words of bits and postings that kept queries hold together, at most 12 bytes each; the oldest go first. */
const KEPT_ROWS = 1_000_000;

export function createSearchBuilder(fields: readonly SearchField[], ranking?: RankingParameters): SearchIndexBuilder {
  const builder = createTablesBuilder(fields, ranking);
  return {
    add: builder.add,
    finish: (rowOf) => openIndex(builder.finish(rowOf)),
  };
}

interface KeptQuery {
  readonly plan: Plan;
  ranked: Ranked;
}

export interface ScoredHits extends Hits {
  readonly rows: Uint32Array;
  readonly scores: Float64Array;
}

export interface OpenIndex extends SearchIndex {
  readonly tables: IndexTables;
  search(text: string, limit: number, among?: Among): ScoredHits;
}

export function openIndex(tables: IndexTables): OpenIndex {
  const bench: Workbench = {
    tables,
    tokenizer: new Tokenizer(),
    scratch: createScratch(tables),
  };
  const kept = new Map<string, KeptQuery>();

  const recall = (text: string, among?: Among): KeptQuery => {
    const key = `${among?.key ?? ''}\0${text}`;
    const query = kept.get(key) ?? { plan: plan(text, among), ranked: NOTHING };
    kept.delete(key);
    kept.set(key, query);
    dropOldest(kept);
    return query;
  };

  const plan = (text: string, among?: Among): Plan =>
    among === undefined ? planQuery(bench, text) : narrowed(recall(text).plan, among);

  const search = (text: string, limit: number, among?: Among): ScoredHits => {
    const query = recall(text, among);
    const { plan } = query;
    const wanted = Math.min(limit, plan.total);
    if (query.ranked.rows.length < wanted) query.ranked = rankPlan(bench, plan, depth(query, wanted));
    const { rows, scores } = query.ranked;
    return { rows: rows.subarray(0, wanted), scores: scores.subarray(0, wanted), total: plan.total };
  };

  const matching = (text: string, among?: Among): Matching => {
    const { rows, total } = recall(text, among).plan;
    return { bits: rows, count: total };
  };

  return {
    engine: 'bm25f',
    tables,
    search,
    matching,
    match: (text) => allMembers(matching(text).bits),
    finder: (text) => new Finder(tables, bench.tokenizer, recall(text).plan),
  };
}

function narrowed(plan: Plan, among: Among): Plan {
  const { bits, count } = among.keep(plan.rows);
  return { ...plan, rows: bits, isFiltered: true, total: count };
}

/** How many rows to rank: what is wanted, and four times more than last time, so that paging on ranks few times. */
const depth = ({ plan, ranked }: KeptQuery, wanted: number): number =>
  Math.min(plan.total, Math.max(wanted, 4 * ranked.rows.length));

/** What a kept query holds: rows of its ranking, words of its sets of bits, postings of lists with memory of their own. */
const heldRows = ({ ranked, plan }: KeptQuery): number =>
  ranked.rows.length + 2 * plan.rows.length + plan.lists.reduce((sum, list) => sum + list.ownPostings, 0);

function dropOldest(kept: Map<string, KeptQuery>): void {
  let rows = 0;
  for (const query of kept.values()) rows += heldRows(query);
  for (const [text, query] of kept) {
    if (kept.size <= 1 || (kept.size <= KEPT_QUERIES && rows <= KEPT_ROWS)) return;
    rows -= heldRows(query);
    kept.delete(text);
  }
}

/** Rows that hold a word itself come first; then those that only tolerated forms bring up. */
function rankPlan(bench: Workbench, plan: Plan, k: number): Ranked {
  const first = rankExact(bench, plan, k);
  if (first.rows.length === k) return first;
  const lists = [...plan.lists.filter((list) => !list.exact), ...plan.longer.map((terms) => prefixList(bench, terms))];
  const { accepted: accept } = bench.scratch;
  writeDifference(plan.rows, plan.exactRows, accept);
  const input: RankInput = { ...bench, lists, pairs: [], accept };
  return joined(first, rankTop(input, k - first.rows.length));
}

function rankExact(bench: Workbench, { lists, pairs, rows, exactRows, isFiltered }: Plan, k: number): Ranked {
  if (!lists.some((list) => list.exact)) return NOTHING;
  const { accepted } = bench.scratch;
  if (isFiltered) writeCommon(exactRows, rows, accepted);
  return rankTop({ ...bench, lists, pairs, accept: isFiltered ? accepted : exactRows }, k);
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
