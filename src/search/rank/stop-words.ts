/** Stop words are indexed like any other word, and left out of a query only where it has others. */
import { ANY_FIELD } from '../../kernels/phrases-layout.js';
import type { WordRules } from '../word-rules.js';
import type { QueryWord } from './parser.js';

/** The words without stop words; a stop word stays if it is quoted or has a field. All words if nothing else is left. */
export function withoutStopWords(
  words: readonly QueryWord[],
  { isStopWord }: Pick<WordRules, 'isStopWord'>,
): readonly QueryWord[] {
  const significant = words.filter(({ text, quoted, field }) => quoted || field !== ANY_FIELD || !isStopWord(text));
  return significant.length > 0 ? significant : words;
}
