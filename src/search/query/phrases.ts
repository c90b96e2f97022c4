/** The rows in which phrases occur: rows that hold all their words, then a look at the words' positions there. */
import {
  type Bits,
  clearBit,
  countBits,
  createBits,
  dropAll,
  forEachMember,
  hasBit,
  keepAll,
  membersAt,
  setAll,
} from '../../bits.js';
import { readTerm } from '../posting-format.js';
import type { IndexTables } from '../tables.js';
import type { Kernels } from './kernels.js';
import { ANY_FIELD, type QueryPhrase } from './parser.js';
import { cursorsOf, PositionCursor } from './positions.js';
import { PhraseReader } from './proximity.js';

export interface Phrase {
  /** One after the other; -1 stands for a word that the index lacks. */
  readonly terms: readonly number[];
  /** The field that holds it, or `ANY_FIELD`. */
  readonly field: number;
}

/** Of a longer phrase, so many words are looked at. */
const MAX_PHRASE_WORDS = 64;

/** So many different phrases of two words or more, or in a field, must occur, and so many must not: of more the rest are only words. */
export const MAX_PHRASES = 7;

/** Looking a row up costs as much as reading the positions of so many rows in sequence. */
const LOOK_UP_ROWS = 16;

/** Whether only positions tell where it occurs. */
const needsPositions = ({ terms, field }: Phrase): boolean => terms.length > 1 || field !== ANY_FIELD;

/** Phrases as terms, each once: single words first, which leave fewer rows to look into, then so many others. */
export function distinctPhrases(phrases: readonly QueryPhrase[], termOf: (word: string) => number): readonly Phrase[] {
  const distinct = new Map<string, Phrase>();
  for (const { words, field } of phrases) {
    const terms = words.slice(0, MAX_PHRASE_WORDS).map(termOf);
    distinct.set(`${field}:${terms.join(' ')}`, { terms, field });
  }
  const all = [...distinct.values()];
  return [...all.filter((phrase) => !needsPositions(phrase)), ...all.filter(needsPositions).slice(0, MAX_PHRASES)];
}

/** Takes the rows out of `rows` that lack any of the phrases. */
export function keepWithPhrases(tables: IndexTables, kernels: Kernels, rows: Bits, phrases: readonly Phrase[]): void {
  for (const term of new Set(phrases.flatMap(({ terms }) => terms)))
    keepWithAny(tables, kernels, rows, term < 0 ? [] : [term], ANY_FIELD);
  for (const phrase of phrases) keepWithPhrase(tables, kernels, rows, phrase);
}

/** Takes the rows out of `rows` that hold any of the phrases. */
export function dropWithPhrases(tables: IndexTables, kernels: Kernels, rows: Bits, phrases: readonly Phrase[]): void {
  for (const phrase of phrases) {
    const found = rows.slice();
    keepWithPhrases(tables, kernels, found, [phrase]);
    dropAll(rows, found);
  }
}

/** Takes the rows out of `rows` that hold none of some terms, in a field or in any. */
export function keepWithAny(
  tables: IndexTables,
  kernels: Kernels,
  rows: Bits,
  terms: readonly number[],
  field: number,
): void {
  if (field === ANY_FIELD) {
    keepAll(rows, kernels.rowsOf(terms));
    return;
  }
  const found = createBits(tables.rows);
  for (const term of terms) setAll(found, rowsWithin(tables, rows, term, field));
  keepAll(rows, found);
}

/** Takes the rows out of `rows`, which hold all words of a phrase, that lack the phrase. */
function keepWithPhrase(tables: IndexTables, kernels: Kernels, rows: Bits, phrase: Phrase): void {
  const { terms, field } = phrase;
  if (!needsPositions(phrase) || terms.includes(-1)) return;
  if (terms.length === 1) {
    keepWithAny(tables, kernels, rows, terms, field);
    return;
  }
  const isSure = areMany(tables, rows, terms) && !kernels.keepWithPhrase(terms, rows);
  if (isSure && field === ANY_FIELD) return;
  const reader = new PhraseReader(tables, terms, cursorsOf(tables, terms));
  forEachMember(rows, (row) => {
    if (!reader.isIn(row, field)) clearBit(rows, row);
  });
}

/** Those of `rows` that hold a term in a field. */
function rowsWithin(tables: IndexTables, rows: Bits, term: number, field: number): Uint32Array {
  const cursor = new PositionCursor(tables, term);
  const bitmap = tables.bitmapOfTerm[term]!;
  const holding =
    bitmap < 0 ? readTerm(tables, term).rows : membersAt(tables.bitmaps[bitmap]!, 0, tables.documentFrequencies[term]!);
  return holding.filter((row) => hasBit(rows, row) && cursor.read(row) && cursor.isIn(field));
}

/** Whether to go through all positions of a phrase's words, not only through those in some rows. */
function areMany(tables: IndexTables, rows: Bits, terms: readonly number[]): boolean {
  const maxFrequency = Math.max(...terms.map((term) => tables.documentFrequencies[term]!));
  return terms.every((term) => tables.bitmapOfTerm[term]! >= 0) && countBits(rows) * LOOK_UP_ROWS > maxFrequency;
}
