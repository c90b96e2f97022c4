/** Stop words are indexed like any other word, and left out of a query only where it has others. */
import type { WordRules } from '../word-rules.js';
import { ANY_FIELD, type QueryWord } from './parser.js';

/** The words that tell something: all but unquoted stop words in no field, or all where there are no others. */
export function withoutStopWords(
  words: readonly QueryWord[],
  { isStopWord }: Pick<WordRules, 'isStopWord'>,
): readonly QueryWord[] {
  const telling = words.filter(({ text, quoted, field }) => quoted || field !== ANY_FIELD || !isStopWord(text));
  return telling.length > 0 ? telling : words;
}
