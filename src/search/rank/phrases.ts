/** The rows in which phrases occur: rows that hold all their words, then a look at the words' positions there. */
import {
  addAll,
  type Bits,
  clearBit,
  countBits,
  createBits,
  dropAll,
  forEachMember,
  keepAll,
  membersAt,
} from '../../bits.js';
import { documentFrequency, hasOwnBit, type IndexTables, maskOf } from '../tables.js';
import { termsWithPrefix } from './expansion.js';
import { ANY_FIELD, type QueryPhrase } from './parser.js';
import { cursorsOf, isInField, PositionCursor } from './positions.js';
import { ANY_MASK, type Kernels } from './ranking-kernel.js';

export interface Phrase {
  /** Terms one after the other: a record holds the phrase if it holds one of its forms. */
  readonly forms: readonly (readonly number[])[];
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
const needsPositions = ({ forms, field }: Phrase): boolean =>
  forms.some((terms) => terms.length > 1) || field !== ANY_FIELD;

/** Phrases as terms, each once: single words first, which leave fewer rows to look into, then so many others. */
export function distinctPhrases(
  phrases: readonly QueryPhrase[],
  tables: IndexTables,
  termOf: (word: string) => number,
): readonly Phrase[] {
  const distinct = new Map<string, Phrase>();
  for (const phrase of phrases) {
    const { field } = phrase;
    distinct.set(JSON.stringify([field, phrase.forms]), { forms: formsOf(phrase, tables, termOf), field });
  }
  const all = [...distinct.values()];
  return [...all.filter((phrase) => !needsPositions(phrase)), ...all.filter(needsPositions).slice(0, MAX_PHRASES)];
}

/** The forms of a phrase that records can hold: none with a word that the index lacks. */
function formsOf(
  { forms, isBeginning }: QueryPhrase,
  tables: IndexTables,
  termOf: (word: string) => number,
): readonly (readonly number[])[] {
  if (isBeginning) return Array.from(termsWithPrefix(tables, forms[0]![0]!), (term) => [term]);
  const asTerms = forms.map((words) => words.slice(0, MAX_PHRASE_WORDS).map(termOf));
  return asTerms.filter((terms) => !terms.includes(-1));
}

/** Takes the rows out of `rows` that lack any of the phrases. */
export function keepWithPhrases(tables: IndexTables, kernels: Kernels, rows: Bits, phrases: readonly Phrase[]): void {
  for (const { forms, field } of phrases) {
    const single = forms.flatMap((terms) => (terms.length === 1 ? terms : []));
    const several = forms.filter((terms) => terms.length > 1);
    const holding = createBits(tables.rows);
    if (single.length > 0) addAll(holding, rowsWithAny(tables, kernels, rows, single, field));
    for (const terms of several) {
      const holders = rows.slice();
      keepWithSequence(tables, kernels, holders, terms, field);
      addAll(holding, holders);
    }
    keepAll(rows, holding);
  }
}

/** Takes the rows out of `rows` that hold any of the phrases. */
export function dropWithPhrases(tables: IndexTables, kernels: Kernels, rows: Bits, phrases: readonly Phrase[]): void {
  for (const phrase of phrases) {
    const found = rows.slice();
    keepWithPhrases(tables, kernels, found, [phrase]);
    dropAll(rows, found);
  }
}

/** One of some terms, in a field or in any. */
export interface AnyTerm {
  readonly terms: readonly number[];
  readonly field: number;
}

/** Looking a row up in a term's postings takes as long as reading so many of them in sequence. */
const LOOK_UP_POSTINGS = 64;

/**
 * Takes the rows out of `rows` that lack one of some words. The words that fewest records hold come first: of a thousand words
 * they leave hardly a row, which is looked up in the others.
 */
export function keepWithAll(tables: IndexTables, kernels: Kernels, rows: Bits, words: readonly AnyTerm[]): void {
  const frequencyOf = ({ terms }: AnyTerm): number =>
    terms.reduce((sum, term) => sum + tables.documentFrequencies[term]!, 0);
  let left = countBits(rows);
  for (const word of words.toSorted((a, b) => frequencyOf(a) - frequencyOf(b))) {
    if (left === 0) return;
    if (left * word.terms.length * LOOK_UP_POSTINGS < frequencyOf(word)) {
      const cursors = word.terms.map((term) => new PositionCursor(tables, term));
      const holds = (row: number): boolean =>
        cursors.some((cursor) => cursor.read(row) && (word.field === ANY_FIELD || cursor.isIn(word.field)));
      for (const row of membersAt(rows, 0, left)) if (!holds(row)) clearBit(rows, row);
    } else keepAll(rows, rowsWithAny(tables, kernels, rows, word.terms, word.field));
    left = countBits(rows);
  }
}

/** The rows that hold any of some terms, in a field or in any; in a field that shares its bit only those of `rows`. */
function rowsWithAny(tables: IndexTables, kernels: Kernels, rows: Bits, terms: readonly number[], field: number): Bits {
  const fields = tables.fieldWeights.length;
  if (field === ANY_FIELD) return kernels.rowsOf(terms);
  const holding = kernels.rowsOf(terms, maskOf(fields, field));
  if (hasOwnBit(fields, field)) return holding;
  keepAll(holding, rows);
  const cursors = terms.map((term) => new PositionCursor(tables, term));
  forEachMember(holding, (row) => {
    if (!cursors.some((cursor) => cursor.read(row) && cursor.isIn(field))) clearBit(holding, row);
  });
  return holding;
}

/** Takes the rows out of `rows` that lack several terms one after the other. */
function keepWithSequence(
  tables: IndexTables,
  kernels: Kernels,
  rows: Bits,
  terms: readonly number[],
  field: number,
): void {
  const mask = field === ANY_FIELD ? ANY_MASK : maskOf(tables.fieldWeights.length, field);
  for (const term of new Set(terms)) keepAll(rows, kernels.rowsOf([term], mask));
  const isSure = areMany(tables, rows, terms) && !kernels.keepWithPhrase(terms, rows);
  if (isSure && field === ANY_FIELD) return;
  const reader = new SequenceReader(tables, terms);
  forEachMember(rows, (row) => {
    if (!reader.isIn(row, field)) clearBit(rows, row);
  });
}

/** Whether to go through all positions of a phrase's words, not only through those in some rows. */
function areMany(tables: IndexTables, rows: Bits, terms: readonly number[]): boolean {
  const maxFrequency = Math.max(...terms.map((term) => tables.documentFrequencies[term]!));
  return terms.every((term) => tables.bitmapOfTerm[term]! >= 0) && countBits(rows) * LOOK_UP_ROWS > maxFrequency;
}

/** Looks for several terms one after the other in single rows, from the places of the rarest. */
class SequenceReader {
  private readonly tables: IndexTables;
  /** The rarest term's first. */
  private readonly cursors: readonly PositionCursor[];
  /** How far from the rarest term each of them stands. */
  private readonly distances: readonly number[];

  constructor(tables: IndexTables, terms: readonly number[]) {
    const cursors = cursorsOf(tables, terms);
    const frequencyOf = (i: number): number => documentFrequency(tables, terms[i]!);
    const order = [...terms.keys()].sort((a, b) => frequencyOf(a) - frequencyOf(b));
    this.tables = tables;
    this.cursors = order.map((i) => cursors.get(terms[i]!)!);
    this.distances = order.map((i) => i - order[0]!);
  }

  /** `field` may be `ANY_FIELD`. */
  isIn(row: number, field: number): boolean {
    const { cursors, distances } = this;
    if (!cursors.every((cursor) => cursor.read(row))) return false;
    const { positions, count } = cursors[0]!;
    /** Where each word was sought last: positions only go up. */
    const reached = new Uint32Array(cursors.length);
    for (let i = 0; i < count; i++) {
      const position = positions[i]!;
      if (field !== ANY_FIELD && !isInField(this.tables, row, field, position)) continue;
      let word = 1;
      for (; word < cursors.length; word++) {
        const wanted = position + distances[word]!;
        reached[word] = cursors[word]!.positionFrom(reached[word]!, wanted);
        if (!cursors[word]!.isAt(reached[word]!, wanted)) break;
      }
      if (word === cursors.length) return true;
    }
    return false;
  }
}
