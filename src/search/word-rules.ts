/** The rules of a language: the stem of a word, and whether it is a stop word. */
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
  /** The stem of a folded word; its first letter is that of the word. A word with other characters than a to z is its own stem. */
  stem(word: string): string;
  isStopWord(word: string): boolean;
}

type Stemmer = (word: string) => string;

const WORD_LETTERS = /^[a-z]+$/;

/** Replaces the ending of a word by another. */
type Ending = readonly [ending: RegExp, other: string];

/**
 * Snowball's stemmers recognise some endings by an accent, which folding removes. Before stemming, the accent is put back in
 * endings that are hardly ever written without it. Portuguese plurals in -is and -oes become singulars.
 */
const frenchEndings: readonly Ending[] = [
  [/ee(s?)$/, 'ée$1'],
  [/ite(s?)$/, 'ité$1'],
  [/iere(s?)$/, 'ière$1'],
];
const spanishEndings: readonly Ending[] = [[/([au]c)ion$/, '$1ión']];
const portugueseEndings: readonly Ending[] = [
  [/(?<=.)oes$/, 'ao'],
  [/cao$/, 'ção'],
  [/encia(s?)$/, 'ência$1'],
  [/([ai])veis$/, '$1vel'],
  [/avel$/, 'ável'],
  [/ivel$/, 'ível'],
  [/(...)ais$/, '$1al'],
];
/** Endings of Dutch stems: plurals have z and v where the singular has s and f (`huizen`, `huis`; `brieven`, `brief`). */
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
    WORD_LETTERS.test(word) ? fold(replaced(stemmer(replaced(word, endings)), stemEndings)) : word;

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
