/** The suggestion for a text: each corrected word is replaced by the most frequent of its corrections. */
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

function bestSpelling({ tables }: SearchContext, { spellings }: Expansion): string | null {
  if (spellings === null || spellings.length === 0) return null;
  const frequencyOf = (word: number): number => documentFrequency(tables, tables.words.terms[word]!);
  const best = spellings.reduce((one, other) => (frequencyOf(other) > frequencyOf(one) ? other : one));
  return wordAt(tables.words, best);
}

/** A run as the tokeniser's word; null if it is several words. */
function foldedWord({ tokenizer }: SearchContext, run: string): string | null {
  const [word = null, ...others] = wordsIn(tokenizer, run);
  return others.length === 0 ? word : null;
}
