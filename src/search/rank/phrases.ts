/** The rows that hold phrases. Rows that lack a word of the phrase are dropped first; then positions are compared. */
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
  /** The forms of the phrase, each a sequence of terms: a record matches if it has one of them. */
  readonly forms: readonly (readonly number[])[];
  /** The field that holds it, or `ANY_FIELD`. */
  readonly field: number;
}

/** Only the first 64 words of a phrase are compared. */
const MAX_PHRASE_WORDS = 64;

/** At most 7 required and 7 excluded phrases are checked by position; further required ones count as plain words. */
export const MAX_PHRASES = 7;

/** A look-up of one row costs as much as reading the positions of 16 rows in sequence. */
const LOOK_UP_ROWS = 16;

/** Whether a match needs positions: the postings alone do not show it. */
const needsPositions = ({ forms, field }: Phrase): boolean =>
  forms.some((terms) => terms.length > 1) || field !== ANY_FIELD;

/** Distinct phrases as terms. Single words come first, since they are cheap and leave fewer rows; then at most `MAX_PHRASES`. */
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

/** The forms of a phrase, without those that have a word which no record has. */
function formsOf(
  { forms, isBeginning }: QueryPhrase,
  tables: IndexTables,
  termOf: (word: string) => number,
): readonly (readonly number[])[] {
  if (isBeginning) return Array.from(termsWithPrefix(tables, forms[0]![0]!), (term) => [term]);
  const asTerms = forms.map((words) => words.slice(0, MAX_PHRASE_WORDS).map(termOf));
  return asTerms.filter((terms) => !terms.includes(-1));
}

/** Removes from `rows` the rows that lack one of the phrases. */
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

/** Removes from `rows` the rows that hold one of the phrases. */
export function dropWithPhrases(tables: IndexTables, kernels: Kernels, rows: Bits, phrases: readonly Phrase[]): void {
  for (const phrase of phrases) {
    const holders = rows.slice();
    keepWithPhrases(tables, kernels, holders, [phrase]);
    dropAll(rows, holders);
  }
}

/** A disjunction: a row matches if it has one of the terms in the field, which may be `ANY_FIELD`. */
export interface AnyTerm {
  readonly terms: readonly number[];
  readonly field: number;
}

/** A look-up of one row in a term's postings takes as long as reading 64 postings in sequence. */
const LOOK_UP_POSTINGS = 64;

/**
 * Removes from `rows` the rows that lack one of the words. The rarest words come first. After a few of them hardly a row is
 * left, and the remaining words are looked up for those rows only.
 */
export function keepWithAll(tables: IndexTables, kernels: Kernels, rows: Bits, words: readonly AnyTerm[]): void {
  const frequencyOf = ({ terms }: AnyTerm): number =>
    terms.reduce((sum, term) => sum + tables.documentFrequencies[term]!, 0);
  let rowCount = countBits(rows);
  for (const word of words.toSorted((a, b) => frequencyOf(a) - frequencyOf(b))) {
    if (rowCount === 0) return;
    if (rowCount * word.terms.length * LOOK_UP_POSTINGS < frequencyOf(word)) {
      const cursors = word.terms.map((term) => new PositionCursor(tables, term));
      const holds = (row: number): boolean =>
        cursors.some((cursor) => cursor.read(row) && (word.field === ANY_FIELD || cursor.isIn(word.field)));
      for (const row of membersAt(rows, 0, rowCount)) if (!holds(row)) clearBit(rows, row);
    } else keepAll(rows, rowsWithAny(tables, kernels, rows, word.terms, word.field));
    rowCount = countBits(rows);
  }
}

/** The rows that hold one of the terms in a field, or in any. If the field shares its mask bit, only rows of `rows`. */
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

/** Removes from `rows` the rows that lack the sequence of terms. */
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

/** Whether one pass over all positions of a phrase's words is cheaper than to look up each row. */
function areMany(tables: IndexTables, rows: Bits, terms: readonly number[]): boolean {
  const maxFrequency = Math.max(...terms.map((term) => tables.documentFrequencies[term]!));
  return terms.every((term) => tables.bitmapOfTerm[term]! >= 0) && countBits(rows) * LOOK_UP_ROWS > maxFrequency;
}

/** Looks for a sequence of terms in single rows, beginning at the positions of the rarest term. */
class SequenceReader {
  private readonly tables: IndexTables;
  /** The cursors of the terms, the rarest term first. */
  private readonly cursors: readonly PositionCursor[];
  /** The distance of each term from the rarest one, in positions. */
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
    // The index that each cursor has reached: positions only ascend.
    const reached = new Uint32Array(cursors.length);
    for (let i = 0; i < count; i++) {
      const position = positions[i]!;
      if (field !== ANY_FIELD && !isInField(this.tables, row, field, position)) continue;
      let word = 1;
      for (; word < cursors.length; word++) {
        const target = position + distances[word]!;
        reached[word] = cursors[word]!.positionFrom(reached[word]!, target);
        if (!cursors[word]!.isAt(reached[word]!, target)) break;
      }
      if (word === cursors.length) return true;
    }
    return false;
  }
}
