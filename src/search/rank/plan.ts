/**
 * A parsed query, worked out against one index: which posting lists add to a record's score, which pairs of words are
 * worth more together, and which rows may match at all. What a query matches is settled here; ranking only orders it.
 */
import { addAll, type Bits, countBits } from '../../bits.js';
import { RowSet } from '../../row-set.js';
import { initialAt } from '../dictionary.js';
import { PREFIX_WEIGHT, SPELLING_WEIGHT, termWeight } from '../scoring.js';
import type { Boost, Match, TextOptions } from '../search.js';
import { documentFrequency, type IndexTables } from '../tables.js';
import type { WordRules } from '../word-rules.js';
import { type Expansion, exactTerm, expansionsOf, hasPrefix, type QueryTerm, type WordContext } from './expansion.js';
import { type Pair, pairsOf } from './pairs.js';
import { ANY_FIELD, type ParsedQuery, type ParserContext, parseQuery } from './parser.js';
import {
  type AnyTerm,
  distinctPhrases,
  dropWithPhrases,
  keepWithAll,
  keepWithPhrases,
  MAX_PHRASES,
  type Phrase,
} from './phrases.js';
import type { Kernels } from './ranking-kernel.js';
import { withoutStopWords } from './stop-words.js';

/** A query keeps this many words: those that fewest records hold, which tell the most. */
export const MAX_SCORED_WORDS = 32;

/** What queries are worked out with: the index, and what reads it. */
export interface SearchContext extends ParserContext {
  readonly tables: IndexTables;
  readonly kernels: Kernels;
  readonly rules: WordRules;
}

/** A term whose postings add to scores; times an impact's share of all steps, the weight is what it adds to a record's. */
export interface WeightedTerm {
  readonly term: number;
  readonly weight: number;
}

export interface Plan {
  /** The words themselves, in the order of the query. */
  readonly lists: readonly WeightedTerm[];
  /** What stands in place of words that no record has. */
  readonly expansionLists: readonly WeightedTerm[];
  /**
   * What words that themselves occur expand to, as beginnings or as rare spellings of others: these terms bring up rows,
   * below all that hold a word itself, and add nothing there. So a word ranks the same whether or not it might go on.
   */
  readonly furtherLists: readonly WeightedTerm[];
  readonly pairs: readonly Pair[];
  readonly expansions: readonly Expansion[];
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
  readonly boost?: Boost;
}

export function planSearch(context: SearchContext, text: string, options: TextOptions): Plan {
  const { tables } = context;
  const termOf = rememberTerms(context);
  const knows = (word: string, asPrefix: boolean): boolean =>
    termOf(word) >= 0 || (asPrefix && hasPrefix(tables, word));
  const parsed = parseQuery(text, context, knows, options.prefix);
  const words = withoutStopWords(parsed.words, context.rules).map((word) => ({ word, term: termOf(word.text) }));
  const times = scoredTerms(tables, words);
  const expansions = expansionsOf(context, words, times, options);
  const found = expansions.filter(({ terms }) => terms.length > 0).map((expansion) => listsOf(context, expansion));
  const demands = demandsOf(tables, parsed, words, expansions, options.match, termOf);
  return {
    ...matching(
      context,
      [...times.keys()],
      found.map(({ rows }) => rows),
      demands,
    ),
    lists: Array.from(times, ([term, count]) => ({
      term,
      weight: termWeight(tables, documentFrequency(tables, term)) * count,
    })),
    expansionLists: found.flatMap(({ isFurther, lists }) => (isFurther ? [] : lists)),
    furtherLists: found.flatMap(({ isFurther, lists }) => (isFurther ? lists : [])),
    expansions,
    terms: new Set([...times.keys(), ...expansions.flatMap(({ terms }) => terms)]),
    initials: new Set([
      ...words.map(({ word }) => word.text.charCodeAt(0)),
      ...expansions.flatMap(({ spellings }) => spellings ?? []).map((word) => initialAt(tables.words, word)),
    ]),
    pairs: pairsOf(tables, words, new Set(times.keys())),
  };
}

/** Look-ups of exact terms, each made once. */
export function rememberTerms(context: WordContext): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const term = known.get(word) ?? exactTerm(context, word);
    known.set(word, term);
    return term;
  };
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

/** Of what a word expands to, so many terms are scored, those that most records hold; all of them count. */
export const MAX_SCORED_EXPANSIONS = 64;

/** The rows that hold what a word expands to, and the lists of these terms: each weighs as one term of all these rows would. */
function listsOf({ kernels, tables }: SearchContext, { term, terms, spellings }: Expansion) {
  const rows = kernels.rowsOf(terms);
  const share = spellings === null ? PREFIX_WEIGHT : SPELLING_WEIGHT;
  const weight = share * termWeight(tables, countBits(rows));
  const likeliest = terms.toSorted((a, b) => documentFrequency(tables, b) - documentFrequency(tables, a) || a - b);
  return {
    isFurther: term >= 0,
    rows,
    lists: likeliest.slice(0, MAX_SCORED_EXPANSIONS).map((one): WeightedTerm => ({ term: one, weight })),
  };
}

/** What a row must hold, and what it must not. */
interface Demands {
  readonly words: readonly AnyTerm[];
  readonly phrases: readonly Phrase[];
  readonly excluded: readonly Phrase[];
}

/** Words in a field must occur there, and every word must somewhere where all are asked for: itself or what it expands to. */
function demandsOf(
  tables: IndexTables,
  { phrases, excluded }: ParsedQuery,
  words: readonly QueryTerm[],
  expansions: readonly Expansion[],
  match: Match,
  termOf: (word: string) => number,
): Demands {
  const unquoted = words.filter(({ word }) => !word.quoted);
  const inField = unquoted.filter(({ word }) => word.field !== ANY_FIELD).slice(0, MAX_PHRASES);
  const others = match === 'all' ? unquoted.filter(({ word }) => word.field === ANY_FIELD) : [];
  const termsOf = ({ word, term }: QueryTerm): readonly number[] => [
    ...(term < 0 ? [] : [term]),
    ...expansions.filter(({ text }) => text === word.text).flatMap(({ terms }) => terms),
  ];
  const distinct = new Map([...others, ...inField].map((each) => [`${each.word.field}:${each.word.text}`, each]));
  return {
    words: Array.from(distinct.values(), (each) => ({ terms: termsOf(each), field: each.word.field })),
    phrases: distinctPhrases(phrases, tables, termOf),
    excluded: distinctPhrases(excluded, tables, termOf),
  };
}

/** The rows that match: those of any exact term or expansion that meet the demands. */
function matching(
  context: SearchContext,
  exact: readonly number[],
  ofExpansions: readonly Bits[],
  { words, phrases, excluded }: Demands,
): Pick<Plan, 'exactRows' | 'rows' | 'isFiltered'> {
  const { tables, kernels } = context;
  const isFiltered = words.length + phrases.length + excluded.length > 0;
  const exactRows = RowSet.ofBits(kernels.rowsOf(exact));
  if (!isFiltered && ofExpansions.length === 0) return { exactRows, rows: exactRows, isFiltered };
  const rows = exactRows.bits.slice();
  for (const others of ofExpansions) addAll(rows, others);
  keepWithAll(tables, kernels, rows, words);
  keepWithPhrases(tables, kernels, rows, phrases);
  dropWithPhrases(tables, kernels, rows, excluded);
  return { exactRows, rows: RowSet.ofBits(rows), isFiltered };
}
