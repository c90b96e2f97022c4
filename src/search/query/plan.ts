/**
 * A parsed query, worked out against one index: which posting lists add to a record's score, which pairs of words are
 * worth more together, and which rows may match at all. What a query matches is settled here; ranking only orders it.
 */
import { type Bits, createBits } from '../../bits.js';
import { RowSet } from '../../row-set.js';
import { addTermRows } from '../posting-format.js';
import { PREFIX_WEIGHT, SPELLING_WEIGHT } from '../scoring.js';
import type { IndexTables } from '../tables.js';
import type { Tokenizer } from '../tokenizer.js';
import { type Expansion, exactTerm, expansionsOf, hasPrefix, type QueryTerm } from './expansion.js';
import type { Kernels } from './kernels.js';
import { pairsOf } from './pairs.js';
import { type ParsedQuery, parseQuery, type QueryWord } from './parser.js';
import { distinctPhrases, dropWithPhrases, keepWithPhrases } from './phrases.js';
import { documentFrequency, expansionList, type PostingList, termList } from './posting-lists.js';
import type { Pair } from './proximity.js';
import { isStopWord } from './stop-words.js';

/** A query keeps this many words: those that fewest records hold, which tell the most. */
export const MAX_SCORED_WORDS = 32;

/** Rows of fewer postings are added one by one in less time than the kernel's bits take to be cleared. */
const MIN_KERNEL_POSTINGS = 1 << 14;

/** What queries are worked out with: the index, and what reads it. */
export interface SearchContext {
  readonly tables: IndexTables;
  readonly tokenizer: Tokenizer;
  readonly kernels: Kernels;
}

export interface Plan {
  /** Exact lists first, in the order of the query. */
  readonly lists: readonly PostingList[];
  readonly pairs: readonly Pair[];
  /**
   * Terms that begin with a word which itself occurs: they bring up rows, below all that hold a word itself, and add
   * nothing there. So a word ranks the same whether or not it might go on.
   */
  readonly completions: readonly (readonly number[])[];
  /** Every term that a row may be found by. */
  readonly terms: ReadonlySet<number>;
  /** The first units of all words of these terms, and perhaps of others. */
  readonly initials: ReadonlySet<number>;
  /** Rows that hold at least one word itself. */
  readonly exactRows: RowSet;
  /** All rows that match. */
  readonly rows: RowSet;
  /** False where every row of a list matches: then nothing need be filtered. */
  readonly isFiltered: boolean;
}

export function planSearch(context: SearchContext, text: string): Plan {
  const { tables, tokenizer } = context;
  const termOf = rememberTerms(tables);
  const parsed = parseQuery(
    text,
    tokenizer,
    (word, asPrefix) => termOf(word) >= 0 || (asPrefix && hasPrefix(tables, word)),
  );
  const words = withoutStopWords(parsed.words).map((word) => ({ word, term: termOf(word.text) }));
  const times = scoredTerms(tables, words);
  const expansions = expansionsOf(tables, words, times);
  const exact = [...times].map(([term, count]) => termList(tables, term, count));
  const inPlace = expansions.filter(({ term, terms }) => term < 0 && terms.length > 0);
  const lists = [...exact, ...inPlace.map((expansion) => listOf(context, expansion))];
  const completions = expansions.filter(({ term }) => term >= 0).map(({ terms }) => terms);
  return {
    ...matching(context, lists, completions, parsed, termOf),
    lists,
    completions,
    terms: new Set([...times.keys(), ...expansions.flatMap(({ terms }) => terms)]),
    initials: new Set([
      ...words.map(({ word }) => word.text.charCodeAt(0)),
      ...expansions.flatMap(({ initials }) => initials),
    ]),
    pairs: pairsOf(tables, words, new Set(times.keys())),
  };
}

/** Look-ups of exact terms, each made once. */
export function rememberTerms(tables: IndexTables): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const term = known.get(word) ?? exactTerm(tables, word);
    known.set(word, term);
    return term;
  };
}

function withoutStopWords(words: readonly QueryWord[]): readonly QueryWord[] {
  const kept = words.filter((word) => word.quoted || !isStopWord(word.text));
  return kept.length > 0 ? kept : words;
}

/** The terms to score, each with how often the query says it. */
function scoredTerms(tables: IndexTables, words: readonly QueryTerm[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const { term } of words) if (term >= 0) times.set(term, (times.get(term) ?? 0) + 1);
  if (times.size <= MAX_SCORED_WORDS) return times;
  const rarest = [...times.keys()]
    .sort((a, b) => documentFrequency(tables, a) - documentFrequency(tables, b) || a - b)
    .slice(0, MAX_SCORED_WORDS);
  return new Map(rarest.map((term) => [term, times.get(term)!]));
}

const listOf = (context: SearchContext, { terms, isSpelling }: Expansion): PostingList =>
  isSpelling ? expansionList(context.tables, context.kernels, terms, SPELLING_WEIGHT) : completionList(context, terms);

/** The list of words that begin with what was typed. */
export const completionList = ({ tables, kernels }: SearchContext, terms: readonly number[]): PostingList =>
  expansionList(tables, kernels, terms, PREFIX_WEIGHT);

/** The rows that match: those of all phrases, or else of any list; without those that are excluded. */
function matching(
  context: SearchContext,
  lists: readonly PostingList[],
  completions: readonly (readonly number[])[],
  { phrases, excluded }: ParsedQuery,
  termOf: (word: string) => number,
): Pick<Plan, 'exactRows' | 'rows' | 'isFiltered'> {
  const { tables, kernels } = context;
  const exact = lists.filter((list) => list.exact);
  const expanded = lists.filter((list) => !list.exact);
  const isFiltered = phrases.length > 0 || excluded.length > 0;
  const exactRows = RowSet.ofBits(rowsOf(tables, exact));
  if (!isFiltered && expanded.length === 0 && completions.length === 0)
    return { exactRows, rows: exactRows, isFiltered };
  const rows = exactRows.bits.slice();
  for (const list of expanded) list.addRows(rows);
  for (const terms of completions) addAllRows(context, terms, rows);
  keepWithPhrases(tables, kernels, rows, distinctPhrases(phrases, termOf));
  const unwanted = excluded.flatMap(({ phrase, words }) => [phrase, ...words.map((word) => [word])]);
  const known = distinctPhrases(unwanted, termOf).filter((phrase) => !phrase.includes(-1));
  dropWithPhrases(tables, kernels, rows, known);
  return { exactRows, rows: RowSet.ofBits(rows), isFiltered };
}

/** The rows of some lists: of a single one those that the index has, for new memory costs more than writing to it. */
export function rowsOf({ rows }: IndexTables, lists: readonly PostingList[]): Bits {
  const [list, ...others] = lists;
  if (list?.bits && others.length === 0) return list.bits;
  const bits = createBits(rows);
  for (const one of lists) one.addRows(bits);
  return bits;
}

function addAllRows({ tables, kernels }: SearchContext, terms: readonly number[], rows: Bits): void {
  const rare = terms.filter((term) => tables.bitmapOfTerm[term]! < 0);
  const postings = rare.reduce((sum, term) => sum + documentFrequency(tables, term), 0);
  const areMany = postings > MIN_KERNEL_POSTINGS;
  if (areMany) kernels.addRows(rare, rows);
  for (const term of terms) if (!areMany || tables.bitmapOfTerm[term]! >= 0) addTermRows(tables, rows, term);
}
