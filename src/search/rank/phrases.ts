/** The rows that hold phrases. Rows that lack a word of the phrase are dropped first; then positions are compared. */
import { addAll, type Bits, createBits, dropAll, intersect, isEmpty, keepAll, writeDifference } from '../../bits.js';
import { ANY_FIELD } from '../../kernels/phrases-layout.js';
import { documentFrequency, hasOwnBit, type IndexTables, maskOf } from '../tables.js';
import { termsWithPrefix } from './expansion.js';
import type { QueryPhrase } from './parser.js';
import { type Kernels, MAX_PHRASE_TERMS } from './ranking-kernel.js';

export interface TermPhrase {
  /** The forms of the phrase, each a sequence of terms: a record matches if it has one of them. */
  readonly forms: readonly (readonly number[])[];
  /** The field that holds it, or `ANY_FIELD`. */
  readonly field: number;
}

/** At most 7 required and 7 excluded phrases are checked by position; further required ones count as plain words. */
export const MAX_PHRASES = 7;

/** Whether a match needs positions: the postings alone do not show it. */
const needsPositions = ({ forms, field }: QueryPhrase): boolean =>
  forms.some((words) => words.length > 1) || field !== ANY_FIELD;

/** Distinct phrases. Single words come first, since they are cheap and leave fewer rows; then at most `MAX_PHRASES`. */
export function distinctPhrases(phrases: readonly QueryPhrase[]): readonly QueryPhrase[] {
  const distinct = [...new Map(phrases.map((each) => [JSON.stringify([each.field, each.forms]), each])).values()];
  const withPositions = distinct.filter(needsPositions);
  return [...distinct.filter((phrase) => !needsPositions(phrase)), ...withPositions.slice(0, MAX_PHRASES)];
}

/** Distinct phrases as terms, without the forms that have a word which no record has. */
export const phrasesOfTerms = (
  phrases: readonly QueryPhrase[],
  tables: IndexTables,
  termOf: (word: string) => number,
): readonly TermPhrase[] =>
  distinctPhrases(phrases).map(({ forms, isBeginning, field }) => {
    if (isBeginning) return { forms: Array.from(termsWithPrefix(tables, forms[0]![0]!), (term) => [term]), field };
    const asTerms = forms.map((words) => words.slice(0, MAX_PHRASE_TERMS).map(termOf));
    return { forms: asTerms.filter((terms) => !terms.includes(-1)), field };
  });

/** Removes from `rows` the rows that lack one of the phrases. */
export function keepWithPhrases(
  tables: IndexTables,
  kernels: Kernels,
  rows: Bits,
  phrases: readonly TermPhrase[],
): void {
  for (const { forms, field } of phrases) keepWithForms(tables, kernels, rows, forms, field);
}

/** Removes from `rows` the rows that hold one of the phrases. */
export function dropWithPhrases(
  tables: IndexTables,
  kernels: Kernels,
  rows: Bits,
  phrases: readonly TermPhrase[],
): void {
  for (const phrase of phrases) {
    const holders = rows.slice();
    keepWithPhrases(tables, kernels, holders, [phrase]);
    dropAll(rows, holders);
  }
}

/** A disjunction: a row matches if it has one of the terms in the field, which may be `ANY_FIELD`, or is one of the rows. */
export interface AnyTerm {
  readonly terms: readonly number[];
  readonly rows?: readonly Bits[];
  readonly field: number;
}

/** Removes from `rows` the rows that lack one of the words. The rarest words come first: after a few of them hardly a row is left. */
export function keepWithAll(tables: IndexTables, kernels: Kernels, rows: Bits, words: readonly AnyTerm[]): void {
  const frequencyOf = ({ terms }: AnyTerm): number =>
    terms.reduce((sum, term) => sum + documentFrequency(tables, term), 0);
  for (const { terms, rows: otherRows = [], field } of words.toSorted((a, b) => frequencyOf(a) - frequencyOf(b))) {
    if (isEmpty(rows)) return;
    const forms = terms.map((term) => [term]);
    const before = otherRows.length === 0 ? null : rows.slice();
    keepWithForms(tables, kernels, rows, forms, field);
    if (before !== null) for (const each of otherRows) addAll(rows, intersect(before, each));
  }
}

/** Removes from `rows` the rows that hold none of the forms, each a sequence of terms, in the field. */
function keepWithForms(
  tables: IndexTables,
  kernels: Kernels,
  rows: Bits,
  forms: readonly (readonly number[])[],
  field: number,
): void {
  const mask = maskOf(tables, field);
  const isInMasks = (form: readonly number[]): boolean => form.length === 1 && maskTells(tables, form[0]!, field);
  const single = forms.filter(isInMasks).flat();
  const sequences = forms.filter((form) => !isInMasks(form));
  if (sequences.length === 0) {
    kernels.keepRowsOf(single, rows, mask);
    return;
  }
  const holding = rows.slice();
  kernels.keepRowsOf(single, holding, mask);
  for (const terms of sequences) {
    const holders = createBits(tables.rows);
    writeDifference(rows, holding, holders);
    if (isEmpty(holders)) return;
    keepWithSequence(tables, kernels, holders, terms, field);
    addAll(holding, holders);
  }
  keepAll(rows, holding);
}

/** Whether masks tell in which rows a term is in the field; else positions do. */
const maskTells = (tables: IndexTables, term: number, field: number): boolean =>
  field === ANY_FIELD || (hasOwnBit(tables, field) && !tables.dense.has(term));

/** Removes from `rows` the rows that lack the sequence of terms. */
function keepWithSequence(
  tables: IndexTables,
  kernels: Kernels,
  rows: Bits,
  terms: readonly number[],
  field: number,
): void {
  for (const term of new Set(terms)) kernels.keepRowsOf([term], rows, maskOf(tables, field));
  const sequence = terms.map((term, position) => ({ term, position }));
  kernels.setPhrase(sequence);
  kernels.keepWithPhrase(rows, field);
}
