/** The suggestion for a text: each corrected word is replaced by its likeliest correction. */
import { wordAt } from '../dictionary.js';
import { documentFrequency } from '../tables.js';
import { wordsIn } from '../tokenizer.js';
import type { Expansion } from './expansion.js';
import type { SearchContext } from './plan.js';

/** Runs of letters and digits; a number has marks between digits: 3.14. */
const RUNS = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}\p{M}]+/gu;

/** The text with corrected words; null if no word has a correction. */
export function suggestionOf(context: SearchContext, text: string, expansions: readonly Expansion[]): string | null {
  const spellings = new Map(
    expansions.flatMap((expansion) => {
      const best = bestSpelling(context, expansion);
      return best === null ? [] : [[expansion.text, best] as const];
    }),
  );
  const corrected = text.replace(RUNS, (run) => spellings.get(foldedWord(context, run) ?? '') ?? run);
  return corrected === text ? null : corrected;
}

/** The most frequent correction; one that differs only by doubled letters before others: `hary` is rather `harry` than `mary`. */
function bestSpelling({ tables }: SearchContext, { spellings, text }: Expansion): string | null {
  if (spellings === null || spellings.length === 0) return null;
  const sameLetters = spellings.filter((word) => singleLetters(wordAt(tables.words, word)) === singleLetters(text));
  const frequencyOf = (word: number): number => documentFrequency(tables, tables.words.terms[word]!);
  const best = (sameLetters.length > 0 ? sameLetters : spellings).reduce((one, other) =>
    frequencyOf(other) > frequencyOf(one) ? other : one,
  );
  return wordAt(tables.words, best);
}

/** `hary` of `harry`. */
const singleLetters = (word: string): string => word.replace(/(\p{L})\1+/gu, '$1');

/** A run as the tokeniser's word; null if it is several words. */
function foldedWord({ tokenizer }: SearchContext, run: string): string | null {
  const [word = null, ...others] = wordsIn(tokenizer, run);
  return others.length === 0 ? word : null;
}
