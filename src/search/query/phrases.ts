/** The rows in which phrases occur: rows that hold all their words, then a look at the words' positions there. */
import { type Bits, clearBit, countBits, createBits, dropAll, forEachMember, keepAll } from '../../bits.js';
import { addTermRows } from '../posting-format.js';
import type { IndexTables } from '../tables.js';
import type { Kernels } from './kernels.js';
import { cursorsOf } from './positions.js';
import { PhraseReader } from './proximity.js';

/** Terms one after the other; -1 stands for a word that the index lacks. */
export type Phrase = readonly number[];

/** Of a longer phrase, so many words are looked at. */
const MAX_PHRASE_WORDS = 64;

/** So many different phrases of two words or more must occur, and so many must not: of more the rest are only words. */
export const MAX_PHRASES = 7;

/** Looking a row up costs as much as reading the positions of so many rows in sequence. */
const LOOK_UP_ROWS = 16;

/** Phrases as terms, each once: single words first, which leave fewer rows to look into, then so many longer ones. */
export function distinctPhrases(
  phrases: readonly (readonly string[])[],
  termOf: (word: string) => number,
): readonly Phrase[] {
  const distinct = new Map<string, Phrase>();
  for (const phrase of phrases) {
    const terms = phrase.slice(0, MAX_PHRASE_WORDS).map(termOf);
    distinct.set(terms.join(' '), terms);
  }
  const all = [...distinct.values()];
  return [
    ...all.filter((phrase) => phrase.length === 1),
    ...all.filter((phrase) => phrase.length > 1).slice(0, MAX_PHRASES),
  ];
}

/** Takes the rows out of `rows` that lack any of the phrases. */
export function keepWithPhrases(tables: IndexTables, kernels: Kernels, rows: Bits, phrases: readonly Phrase[]): void {
  for (const phrase of phrases) keepWithAll(tables, rows, phrase);
  for (const phrase of phrases) keepWithPhrase(tables, kernels, rows, phrase);
}

/** Takes the rows out of `rows` that hold any of the phrases. */
export function dropWithPhrases(tables: IndexTables, kernels: Kernels, rows: Bits, phrases: readonly Phrase[]): void {
  for (const phrase of phrases) {
    const found = rows.slice();
    keepWithAll(tables, found, phrase);
    keepWithPhrase(tables, kernels, found, phrase);
    dropAll(rows, found);
  }
}

/** Takes the rows out of `rows`, which hold all words of a phrase, that lack the phrase. */
function keepWithPhrase(tables: IndexTables, kernels: Kernels, rows: Bits, phrase: Phrase): void {
  if (phrase.length < 2 || phrase.includes(-1)) return;
  if (areMany(tables, rows, phrase) && !kernels.keepWithPhrase(phrase, rows)) return;
  const reader = new PhraseReader(tables, phrase, cursorsOf(tables, phrase));
  forEachMember(rows, (row) => {
    if (!reader.isIn(row)) clearBit(rows, row);
  });
}

/** Whether to go through all positions of a phrase's words, not only through those in some rows. */
function areMany(tables: IndexTables, rows: Bits, phrase: Phrase): boolean {
  const maxFrequency = Math.max(...phrase.map((term) => tables.documentFrequencies[term]!));
  return phrase.every((term) => tables.bitmapOfTerm[term]! >= 0) && countBits(rows) * LOOK_UP_ROWS > maxFrequency;
}

/** Takes the rows out of `rows` that lack any of some terms. */
function keepWithAll(tables: IndexTables, rows: Bits, terms: readonly number[]): void {
  for (const term of new Set(terms)) {
    const bitmap = term < 0 ? -1 : tables.bitmapOfTerm[term]!;
    if (bitmap >= 0) keepAll(rows, tables.bitmaps[bitmap]!);
    else {
      const holding = createBits(tables.rows);
      if (term >= 0) addTermRows(tables, holding, term);
      keepAll(rows, holding);
    }
  }
}
