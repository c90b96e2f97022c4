/**
 * Words so frequent in English that they say nothing about what a text is about: pronouns, auxiliary verbs, articles,
 * prepositions, conjunctions. They are indexed like any other word, and left out of a query only where it has others.
 */
import { ANY_FIELD, type QueryWord } from './parser.js';

const WORDS =
  'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself ' +
  'it its itself they them their theirs themselves what which who whom this that these those am is are was were be ' +
  'been being have has had having do does did doing would should could ought a an the and but if or because as ' +
  'until while of at by for with about against between into through during before after above below to from up down ' +
  'in out on off over under again further then once here there when where why how all any both each few more most ' +
  'other some such no nor not only own same so than too very s t can will just don dont shouldnt now';

const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(' '));

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** The words that tell something: all but unquoted stop words in no field, or all where there are no others. */
export function withoutStopWords(words: readonly QueryWord[]): readonly QueryWord[] {
  const telling = words.filter(({ text, quoted, field }) => quoted || field !== ANY_FIELD || !isStopWord(text));
  return telling.length > 0 ? telling : words;
}
