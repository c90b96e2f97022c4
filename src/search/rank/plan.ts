/**
 * A parsed query, worked out against one index: which posting lists add to a record's score, which pairs of words are
 * worth more together, and which rows may match at all. What a query matches is settled here; ranking only orders it.
 */
import { addAll, type Bits } from '../../bits.js';
import { RowSet } from '../../row-set.js';
import { initialAt } from '../dictionary.js';
import { PREFIX_WEIGHT, SPELLING_WEIGHT } from '../scoring.js';
import type { Match, TextOptions } from '../search.js';
import type { IndexTables } from '../tables.js';
import type { WordRules } from '../word-rules.js';
import { type Expansion, exactTerm, expansionsOf, hasPrefix, type QueryTerm, type WordContext } from './expansion.js';
import { pairsOf } from './pairs.js';
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
import { documentFrequency, expansionList, type PostingList, termList } from './posting-lists.js';
import type { Pair } from './proximity.js';
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

export interface Plan {
  /** Exact lists first, in the order of the query. */
  readonly lists: readonly PostingList[];
  readonly pairs: readonly Pair[];
  /**
   * What words that themselves occur expand to, as beginnings or as rare spellings of others: these terms bring up rows,
   * below all that hold a word itself, and add nothing there. So a word ranks the same whether or not it might go on.
   */
  readonly furtherExpansions: readonly Expansion[];
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
  const exact = [...times].map(([term, count]) => termList(tables, term, count));
  const inPlace = expansions
    .filter(({ term, terms }) => term < 0 && terms.length > 0)
    .map((expansion) => listOfExpansion(context, expansion));
  const lists = [...exact, ...inPlace];
  const furtherExpansions = expansions.filter(({ term }) => term >= 0);
  const demands = demandsOf(tables, parsed, words, expansions, options.match, termOf);
  return {
    ...matching(context, exact, inPlace, furtherExpansions, demands),
    lists,
    furtherExpansions,
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

export const listOfExpansion = ({ tables, kernels }: SearchContext, { terms, spellings }: Expansion): PostingList =>
  expansionList(tables, kernels, terms, spellings === null ? PREFIX_WEIGHT : SPELLING_WEIGHT);

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

/** The rows that match: those of any list or expansion that meet the demands. */
function matching(
  context: SearchContext,
  exact: readonly PostingList[],
  inPlace: readonly PostingList[],
  furtherExpansions: readonly Expansion[],
  { words, phrases, excluded }: Demands,
): Pick<Plan, 'exactRows' | 'rows' | 'isFiltered'> {
  const { tables, kernels } = context;
  const isFiltered = words.length + phrases.length + excluded.length > 0;
  const exactRows = RowSet.ofBits(rowsOf(context, exact));
  if (!isFiltered && inPlace.length + furtherExpansions.length === 0) return { exactRows, rows: exactRows, isFiltered };
  const rows = exactRows.bits.slice();
  for (const list of inPlace) addAll(rows, rowsOf(context, [list]));
  for (const { terms } of furtherExpansions) addAll(rows, kernels.rowsOf(terms));
  keepWithAll(tables, kernels, rows, words);
  keepWithPhrases(tables, kernels, rows, phrases);
  dropWithPhrases(tables, kernels, rows, excluded);
  return { exactRows, rows: RowSet.ofBits(rows), isFiltered };
}

/** The rows of some lists. */
export function rowsOf({ kernels }: SearchContext, lists: readonly PostingList[]): Bits {
  const [list, ...others] = lists;
  return list?.bits && others.length === 0 ? list.bits : kernels.rowsOf(lists.map(({ term }) => term));
}
