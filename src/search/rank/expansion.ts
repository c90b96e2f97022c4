/** A word of a query to terms: its own, and those that it expands to, by spelling or as a beginning. */
import { editsAllowed, find, nearestWords, wordAt, wordsWithPrefix } from '../dictionary.js';
import type { TextOptions } from '../search.js';
import { documentFrequency, type IndexTables } from '../tables.js';
import type { WordRules } from '../word-rules.js';
import type { QueryWord } from './parser.js';

/** A prefix stands for at most this many words, those that most records hold. */
export const MAX_EXPANSIONS = 1000;
/** So many words that the dictionary lacks are looked up by their spelling, and as many that few records have. */
export const MAX_SPELLINGS = 8;
/** A word is taken for another's misspelling where that one occurs in so many times more records: `recieve`, `receive`. */
export const MISSPELLING_RATIO = 50;
/** Shorter words have too many neighbours that are words as well: `bear`, `year`. */
export const MIN_MISSPELLING_UNITS = 5;
/** So many words are taken for the beginnings of others: the last ones. */
const MAX_BEGINNINGS = 8;

/** The words that records have, and what words are in their language. */
export interface WordContext {
  readonly tables: IndexTables;
  readonly rules: WordRules;
}

export interface QueryTerm {
  readonly word: QueryWord;
  /** -1 if no record has the word. */
  readonly term: number;
}

/** What a word of a query expands to. */
export interface Expansion {
  /** The word. */
  readonly text: string;
  /** The word's own term; -1 if no record has it. */
  readonly term: number;
  readonly terms: readonly number[];
  /** The near spellings whose terms they are, as words of the dictionary; null where the terms begin with the word. */
  readonly spellings: readonly number[] | null;
}

/** The expansions of words: at most one as a beginning and one by spelling for each. Words that records have, but that are not scored, have none. */
export function expansionsOf(
  context: WordContext,
  words: readonly QueryTerm[],
  scored: ReadonlyMap<number, number>,
  { fuzzy }: TextOptions,
): readonly Expansion[] {
  const { tables } = context;
  const expansions: Expansion[] = [];
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key).size > 0;
  const beginnings = new Set(words.flatMap(({ word }) => (word.prefix ? [word.text] : [])).slice(-MAX_BEGINNINGS));
  let unknownWords = 0;
  let rareWords = 0;
  const add = ({ word: { text }, term }: QueryTerm, spellings: readonly number[]): void => {
    const terms = [...new Set(spellings.map((word) => tables.words.terms[word]!))];
    expansions.push({ text, term, terms, spellings });
  };
  for (const each of words) {
    const { word, term } = each;
    const { text, prefix, quoted } = word;
    if ((quoted && !prefix) || (term >= 0 && !scored.has(term))) continue;
    const begun = prefix && beginnings.has(text) && isNew(`${text}*`) ? prefixTerms(tables, text, term) : [];
    if (begun.length > 0) expansions.push({ text, term, terms: begun, spellings: null });
    // A word that others begin with is being typed, not misspelt: only this one is looked up by its spelling.
    else if (!fuzzy || !isNew(text)) continue;
    else if (term < 0 && unknownWords++ < MAX_SPELLINGS)
      add(each, nearestWords(tables, text, editsAllowed(text.length)));
    else if (term >= 0 && rareWords < MAX_SPELLINGS && mayBeMisspelt(tables, each)) {
      rareWords++;
      const spellings = commonerSpellings(context, each);
      if (spellings.length > 0) add(each, spellings);
    }
  }
  return expansions;
}

const mayBeMisspelt = (tables: IndexTables, { word, term }: QueryTerm): boolean =>
  word.text.length >= MIN_MISSPELLING_UNITS && MISSPELLING_RATIO * documentFrequency(tables, term) <= tables.documents;

/** The words one edit from a word that many times more records have, stop words aside: `form` is none of `from`. */
const commonerSpellings = ({ tables, rules }: WordContext, { word, term }: QueryTerm): readonly number[] =>
  nearestWords(tables, word.text, 1, MISSPELLING_RATIO * documentFrequency(tables, term)).filter(
    (spelling) => !rules.isStopWord(wordAt(tables.words, spelling)),
  );

/** The term of a word in just this form, or of its stem; -1 if no record has it. */
export const exactTerm = ({ tables: { words, stems }, rules }: WordContext, word: string): number =>
  words.terms[find(words, word)] ?? stems.terms[find(stems, rules.stem(word))] ?? -1;

/** The terms of words that begin with `prefix`, but for `except`; the most frequent ones if there are too many. */
function prefixTerms(tables: IndexTables, prefix: string, except: number): number[] {
  const { words, wordsByFrequency } = tables;
  const { from, to } = wordsWithPrefix(words, prefix);
  if (to - from <= MAX_EXPANSIONS)
    return [...new Set(words.terms.subarray(from, to))].filter((term) => term !== except);
  const terms = new Set<number>();
  for (let i = 0; i < wordsByFrequency.length && terms.size < MAX_EXPANSIONS; i++) {
    const word = wordsByFrequency[i]!;
    const term = words.terms[word]!;
    if (word >= from && word < to && term !== except) terms.add(term);
  }
  return [...terms];
}

/** The terms of all words that begin with `prefix`. */
export function termsWithPrefix({ words }: IndexTables, prefix: string): Set<number> {
  const { from, to } = wordsWithPrefix(words, prefix);
  return new Set(words.terms.subarray(from, to));
}

export const hasPrefix = (tables: IndexTables, prefix: string): boolean => {
  const { from, to } = wordsWithPrefix(tables.words, prefix);
  return to > from;
};
