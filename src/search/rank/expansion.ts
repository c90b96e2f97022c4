/** A word of a query → terms: its own term, and those of its expansions: corrections of its spelling, completions of a prefix. */
import {
  editsAllowed,
  findTerm,
  frequentNeighbours,
  hasDigit,
  nearestWords,
  wordAt,
  wordsWithPrefix,
} from '../dictionary.js';
import type { TextOptions } from '../search.js';
import { documentFrequency, type IndexTables } from '../tables.js';
import type { WordRules } from '../word-rules.js';
import type { QueryWord } from './parser.js';

/** A prefix stands for at most this many words, those that most records hold. */
export const MAX_EXPANSIONS = 1000;
/** At most 8 unknown words of a query are corrected, and at most 8 rare ones. */
export const MAX_SPELLINGS = 8;
/** A word counts as a misspelling if the other spelling is in 50 times more records: `recieve`, `receive`. */
export const MISSPELLING_RATIO = 50;
/** Shorter words have too many neighbours that are words as well: `bear`, `year`. */
export const MIN_MISSPELLING_UNITS = 5;
/** At most this many words of a query are completed: the last ones. */
const MAX_BEGINNINGS = 8;

/** The tables of an index, and the rules of its language. */
export interface WordContext {
  readonly tables: IndexTables;
  readonly rules: WordRules;
}

export interface QueryTerm {
  readonly word: QueryWord;
  /** -1 if no record has the word. */
  readonly term: number;
}

/** The expansion of one word of a query: the terms that match in its place. */
export interface Expansion {
  /** The word. */
  readonly text: string;
  /** The word's own term; -1 if no record has it. */
  readonly term: number;
  readonly terms: readonly number[];
  /** The corrections, as numbers of words in the dictionary; null for completions. Those of a number or code have no `terms`. */
  readonly spellings: readonly number[] | null;
}

/**
 * The expansions of words: at most one of completions and one of corrections for each. A word that records have, but that is not
 * scored, has none.
 */
export function expansionsOf(
  context: WordContext,
  words: readonly QueryTerm[],
  scored: ReadonlyMap<number, number>,
  { fuzzy }: TextOptions,
): readonly Expansion[] {
  const { tables } = context;
  const expansions: Expansion[] = [];
  const usedKeys = new Set<string>();
  const isNew = (key: string): boolean => !usedKeys.has(key) && usedKeys.add(key).size > 0;
  const beginnings = new Set(words.flatMap(({ word }) => (word.prefix ? [word.text] : [])).slice(-MAX_BEGINNINGS));
  let unknownWords = 0;
  let rareWords = 0;
  const add = ({ word: { text }, term }: QueryTerm, spellings: readonly number[]): void => {
    // 2002 does not find 2001, which may only be suggested.
    const terms = hasDigit(text) ? [] : [...new Set(spellings.map((word) => tables.words.terms[word]!))];
    expansions.push({ text, term, terms, spellings });
  };
  for (const each of words) {
    const { word, term } = each;
    const { text, prefix, quoted } = word;
    if ((quoted && !prefix) || (term >= 0 && !scored.has(term))) continue;
    const completions = prefix && beginnings.has(text) && isNew(`${text}*`) ? prefixTerms(tables, text, term) : [];
    if (completions.length > 0) expansions.push({ text, term, terms: completions, spellings: null });
    // A word with completions is being typed, not misspelt: only a word without any is corrected.
    else if (!fuzzy || !isNew(text)) continue;
    else if (term < 0 && unknownWords++ < MAX_SPELLINGS) add(each, nearestWords(tables, text, editsAllowed(text)));
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

/** Spellings one edit away that far more records have. Stop words are none: `form` is not corrected to `from`. */
const commonerSpellings = ({ tables, rules }: WordContext, { word, term }: QueryTerm): readonly number[] =>
  frequentNeighbours(tables, word.text, MISSPELLING_RATIO * documentFrequency(tables, term)).filter(
    (spelling) => !rules.isStopWord(wordAt(tables.words, spelling)),
  );

/** The term of a word in just this form, or of its stem; -1 if no record has it. */
export const termOfWord = ({ tables: { words, stems }, rules }: WordContext, word: string): number =>
  words.terms[findTerm(words, word)] ?? stems.terms[findTerm(stems, rules.stem(word))] ?? -1;

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
