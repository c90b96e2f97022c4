/**
 * A parsed query and an index → a plan: the posting lists that add to scores, the pairs, and the exact set of matching rows.
 * Ranking orders this set, and changes nothing of it.
 */
import { addAll, type Bits, countBits, dropAll } from '../../bits.js';
import { ANY_FIELD } from '../../kernels/phrases-layout.js';
import { RowSet } from '../../row-set.js';
import { initialAt } from '../dictionary.js';
import { PREFIX_WEIGHT, SPELLING_WEIGHT, termWeight } from '../scoring.js';
import type { Boost, Match, RowsOfCode, TextOptions } from '../search.js';
import { documentFrequency, type IndexTables } from '../tables.js';
import type { WordRules } from '../word-rules.js';
import { type Expansion, expansionsOf, hasPrefix, type QueryTerm, termOfWord, type WordContext } from './expansion.js';
import { type WordPair, wordPairs } from './pairs.js';
import { MAX_QUERY_UNITS, type ParsedQuery, type ParserContext, parseQuery, withoutStopWords } from './parser.js';
import {
  type AnyTerm,
  dropWithPhrases,
  keepWithAll,
  keepWithPhrases,
  MAX_PHRASES,
  phrasesOfTerms,
  type TermPhrase,
} from './phrases.js';
import type { Kernels } from './ranking-kernel.js';
import { codesIn, partedWords, type RowList } from './row-lists.js';

/** At most this many words of a query are scored: the rarest ones, which are the most significant. */
const MAX_SCORED_WORDS = 32;

/** The tables of an index, and the kernels, language rules and tokeniser that read it. */
export interface SearchContext extends ParserContext {
  readonly tables: IndexTables;
  readonly kernels: Kernels;
  readonly rules: WordRules;
  readonly rowsOfCode: RowsOfCode;
}

/** A term whose postings add to scores: a posting adds weight · impact / `IMPACT_STEPS`. */
export interface WeightedTerm {
  readonly term: number;
  readonly weight: number;
}

export interface SearchPlan {
  /** The query words' own terms, in the order of the query. */
  readonly lists: readonly WeightedTerm[];
  /** The expansions of words that no record has: they stand in place of these. */
  readonly replacements: readonly WeightedTerm[];
  /**
   * The expansions of words that records have. They only score rows without any of the words themselves, and these rows come
   * after all others. So a word ranks the same whether or not it also matches as a prefix.
   */
  readonly additions: readonly WeightedTerm[];
  /** Rows that match by a code, or by the parts of a word: they count as rows that hold a word itself. */
  readonly rowLists: readonly RowList[];
  readonly pairs: readonly WordPair[];
  readonly expansions: readonly Expansion[];
  /** Every term that a row may match by. */
  readonly terms: ReadonlySet<number>;
  /** The first units of the words of these terms: a superset. */
  readonly initials: ReadonlySet<number>;
  /** Rows that hold at least one word itself. */
  readonly wordRows: RowSet;
  /** All rows that match. */
  readonly rows: RowSet;
  /** False if every row of a posting list matches, without any further clause. */
  readonly isFiltered: boolean;
  readonly boost?: Boost;
}

/** Plans a search: codes first, then the words of what is left, then what these stand for where few records have them. */
export function planSearch(context: SearchContext, text: string, options: TextOptions): SearchPlan {
  const { tables } = context;
  const termOf = rememberTerms(context);
  const knows = (word: string, asPrefix: boolean): boolean =>
    termOf(word) >= 0 || (asPrefix && hasPrefix(tables, word));
  const codes = codesIn(context, text.slice(0, MAX_QUERY_UNITS), (word) => knows(word, false));
  const parsed = parseQuery(codes.text, context, knows, options.prefix);
  const words = withoutStopWords(parsed.words, context.rules).map((word) => ({ word, term: termOf(word.text) }));
  const queryFrequencies = scoredTerms(tables, words);
  const scored = [...queryFrequencies.keys()];
  const rowLists = [...codes.lists, ...partedWords(context, words, termOf)];
  const matchedWords = new Set(rowLists.flatMap((list) => list.words));
  // A word that rows match by other means is no misspelling.
  const expandedWords = words.filter(({ word, term }) => term >= 0 || word.prefix || !matchedWords.has(word.text));
  const expansions = expansionsOf(context, expandedWords, queryFrequencies, options);
  const matchingExpansions = expansions
    .filter(({ terms }) => terms.length > 0)
    .map((expansion) => listsOf(context, expansion));
  const clauses = clausesOf(tables, parsed, words, expansions, rowLists, codes.excluded, options.match, termOf);
  return {
    ...matchingTerms(
      context,
      scored,
      matchingExpansions.map(({ rows }) => rows),
      rowLists.map(({ rows }) => rows),
      clauses,
    ),
    rowLists,
    lists: Array.from(queryFrequencies, ([term, frequency]) => ({
      term,
      weight: termWeight(tables, documentFrequency(tables, term)) * frequency,
    })),
    replacements: matchingExpansions.flatMap(({ isReplacement, lists }) => (isReplacement ? lists : [])),
    additions: matchingExpansions.flatMap(({ isReplacement, lists }) => (isReplacement ? [] : lists)),
    expansions,
    terms: new Set([
      ...scored,
      ...expansions.flatMap(({ terms }) => terms),
      ...rowLists.flatMap(({ parts }) => parts.map(termOf)),
    ]),
    initials: new Set([
      ...words.map(({ word }) => word.text.charCodeAt(0)),
      ...expansions.flatMap(({ spellings }) => spellings ?? []).map((word) => initialAt(tables.words, word)),
      ...rowLists.flatMap(({ parts }) => parts).map((part) => part.charCodeAt(0)),
    ]),
    pairs: wordPairs(tables, words, new Set(scored)),
  };
}

/** `termOfWord` with a memo. */
export function rememberTerms(context: WordContext): (word: string) => number {
  const termOf = new Map<string, number>();
  return (word) => {
    const term = termOf.get(word) ?? termOfWord(context, word);
    termOf.set(word, term);
    return term;
  };
}

/** The terms to score, each with its frequency in the query. */
function scoredTerms(tables: IndexTables, words: readonly QueryTerm[]): Map<number, number> {
  const frequencies = new Map<number, number>();
  for (const { term } of words) if (term >= 0) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  if (frequencies.size <= MAX_SCORED_WORDS) return frequencies;
  const rarest = [...frequencies.keys()]
    .sort((a, b) => documentFrequency(tables, a) - documentFrequency(tables, b) || a - b)
    .slice(0, MAX_SCORED_WORDS);
  return new Map(rarest.map((term) => [term, frequencies.get(term)!]));
}

/** At most 64 terms of an expansion are scored, the most frequent ones; all of them match. */
const MAX_SCORED_EXPANSIONS = 64;

/** The rows and the posting lists of an expansion: each list has the weight of one term that all these rows hold. */
function listsOf({ kernels, tables }: SearchContext, { term, terms, spellings }: Expansion) {
  const rows = kernels.rowsOf(terms);
  const share = spellings === null ? PREFIX_WEIGHT : SPELLING_WEIGHT;
  const weight = share * termWeight(tables, countBits(rows));
  const likeliest = terms.toSorted((a, b) => documentFrequency(tables, b) - documentFrequency(tables, a) || a - b);
  return {
    isReplacement: term < 0,
    rows,
    lists: likeliest.slice(0, MAX_SCORED_EXPANSIONS).map((one): WeightedTerm => ({ term: one, weight })),
  };
}

/** The clauses of a query: a row must hold the words and phrases, and none of the excluded phrases. */
interface Clauses {
  readonly words: readonly AnyTerm[];
  readonly phrases: readonly TermPhrase[];
  readonly excluded: readonly TermPhrase[];
  readonly excludedRows: readonly Bits[];
}

/**
 * A word with a field must occur in it, itself or as an expansion: at most `MAX_PHRASES` of them. With `match: all` every other word
 * must occur as well.
 */
function clausesOf(
  tables: IndexTables,
  { phrases, excluded }: ParsedQuery,
  words: readonly QueryTerm[],
  expansions: readonly Expansion[],
  rowLists: readonly RowList[],
  excludedRows: readonly Bits[],
  match: Match,
  termOf: (word: string) => number,
): Clauses {
  const unquoted = words.filter(({ word }) => !word.quoted);
  const inField = unquoted.filter(({ word }) => word.field !== ANY_FIELD).slice(0, MAX_PHRASES);
  const withoutField = match === 'all' ? unquoted.filter(({ word }) => word.field === ANY_FIELD) : [];
  const termsOf = ({ word, term }: QueryTerm): readonly number[] => [
    ...(term < 0 ? [] : [term]),
    ...expansions.filter(({ text }) => text === word.text).flatMap(({ terms }) => terms),
  ];
  const rowsOf = ({ word }: QueryTerm): readonly Bits[] =>
    rowLists.filter(({ words: ofList }) => ofList.includes(word.text)).map(({ rows }) => rows);
  const codes = match === 'all' ? rowLists.filter(({ words: ofList }) => ofList.length === 0) : [];
  const distinct = new Map([...withoutField, ...inField].map((each) => [`${each.word.field}:${each.word.text}`, each]));
  return {
    words: [
      ...codes.map(({ rows }) => ({ terms: [], rows: [rows], field: ANY_FIELD })),
      ...Array.from(distinct.values(), (each) => ({
        terms: termsOf(each),
        rows: rowsOf(each),
        field: each.word.field,
      })),
    ],
    phrases: phrasesOfTerms(phrases, tables, termOf),
    excluded: phrasesOfTerms(excluded, tables, termOf),
    excludedRows,
  };
}

/** The rows that hold one of the words' terms or an expansion or are in a list, and meet the clauses. */
function matchingTerms(
  context: SearchContext,
  terms: readonly number[],
  expansionRows: readonly Bits[],
  listedRows: readonly Bits[],
  { words, phrases, excluded, excludedRows }: Clauses,
): Pick<SearchPlan, 'wordRows' | 'rows' | 'isFiltered'> {
  const { tables, kernels } = context;
  const isFiltered = words.length + phrases.length + excluded.length + excludedRows.length > 0;
  const termRows = kernels.rowsOf(terms);
  const wordRows = RowSet.ofBits(listedRows.length === 0 ? termRows : unionOf([termRows, ...listedRows]));
  if (!isFiltered && expansionRows.length === 0) return { wordRows, rows: wordRows, isFiltered };
  const rows = wordRows.bits.slice();
  for (const ofExpansion of expansionRows) addAll(rows, ofExpansion);
  keepWithAll(tables, kernels, rows, words);
  keepWithPhrases(tables, kernels, rows, phrases);
  dropWithPhrases(tables, kernels, rows, excluded);
  for (const ofCode of excludedRows) dropAll(rows, ofCode);
  return { wordRows, rows: RowSet.ofBits(rows), isFiltered };
}

function unionOf([first = new Uint32Array(0), ...others]: readonly Bits[]): Bits {
  const union = first.slice();
  for (const each of others) addAll(union, each);
  return union;
}
