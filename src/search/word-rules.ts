/** What a word is to a search in a language: its stem, and whether it says anything. */
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { type Language, stopWordsOf } from '../languages.js';
import { fold } from '../text.js';
import { stem as english } from './stem.js';

export interface WordRules {
  /** The stem of a folded word, which begins as the word does; a word that is not all letters from a to z is its own stem. */
  stem(word: string): string;
  isStopWord(word: string): boolean;
}

type Stemmer = (word: string) => string;

const LETTERS = /^[a-z]+$/;

/** Replaces the ending of a word by another. */
type Ending = readonly [ending: RegExp, other: string];

/**
 * Snowball's stemmers know endings by their accents, which words have lost here. Endings that are hardly ever written without
 * one have it put back, and two plurals in -is and -oes become singulars: `informacoes` is `informação`.
 */
const frenchEndings: readonly Ending[] = [
  [/ee(s?)$/, 'ée$1'],
  [/ite(s?)$/, 'ité$1'],
  [/iere(s?)$/, 'ière$1'],
];
const spanishEndings: readonly Ending[] = [[/([au]c)ion$/, '$1ión']];
const portugueseEndings: readonly Ending[] = [
  [/oes$/, 'ao'],
  [/cao$/, 'ção'],
  [/encia(s?)$/, 'ência$1'],
  [/([ai])veis$/, '$1vel'],
  [/avel$/, 'ável'],
  [/ivel$/, 'ível'],
  [/(...)ais$/, '$1al'],
];
/** Of stems: a Dutch word ends in the voiceless consonant of its plural (`huizen`, `huis`; `brieven`, `brief`). */
const dutchStemEndings: readonly Ending[] = [
  [/(.)z$/, '$1s'],
  [/(.)v$/, '$1f'],
];

const replaced = (word: string, endings: readonly Ending[]): string =>
  endings.reduce((text, [ending, other]) => text.replace(ending, other), word);

/** A stemmer of folded words. */
const folded =
  (stemmer: Stemmer, endings: readonly Ending[] = [], stemEndings: readonly Ending[] = []): Stemmer =>
  (word) =>
    LETTERS.test(word) ? fold(replaced(stemmer(replaced(word, endings)), stemEndings)) : word;

const stemmers: Readonly<Record<Language, Stemmer>> = {
  english,
  german: folded(german),
  french: folded(french, frenchEndings),
  spanish: folded(spanish, spanishEndings),
  italian: folded(italian),
  portuguese: folded(portuguese, portugueseEndings),
  dutch: folded(dutch, [], dutchStemEndings),
};

export function wordRules(language: Language): WordRules {
  const stopWords = stopWordsOf(language);
  return { stem: stemmers[language], isStopWord: (word) => stopWords.has(word) };
}
