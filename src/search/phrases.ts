/** The rows in which phrases occur: rows that hold all their words, then a look at the words' positions there. */
import { addAll, type Bits, clearBit, createBits, dropAll, forEachMember, hasBit, keepAll } from '../bits.js';
import { cursorsOf } from './positions.js';
import { addTermRows } from './postings.js';
import { PhraseReader } from './proximity.js';
import type { IndexTables } from './tables.js';

/** Terms one after the other; -1 stands for a word that the index lacks. */
export type Phrase = readonly number[];

/** Of a longer phrase, so many words are looked at. */
export const MAX_PHRASE_WORDS = 64;

/** Takes the rows out of `rows` that lack a phrase. */
export function keepWithPhrase(tables: IndexTables, rows: Bits, phrase: Phrase): void {
  keepAll(rows, rowsWithAll(tables, rows, phrase));
  if (phrase.length < 2) return;
  const reader = new PhraseReader(tables, phrase, cursorsOf(tables, phrase));
  forEachMember(rows, (row) => {
    if (!reader.isIn(row)) clearBit(rows, row);
  });
}

/** Takes the rows out of `rows` that hold any of the phrases. */
export function dropWithPhrases(tables: IndexTables, rows: Bits, phrases: readonly Phrase[]): void {
  for (const phrase of phrases) if (phrase.length === 1) dropAll(rows, rowsWithAll(tables, rows, phrase));
  for (const related of relatedPhrases(phrases.filter(({ length }) => length > 1))) dropWithAny(tables, rows, related);
}

/** Phrases in groups between which no word is shared. */
function relatedPhrases(phrases: readonly Phrase[]): Phrase[][] {
  let groups: Phrase[][] = [];
  for (const phrase of phrases) {
    const isRelated = (group: readonly Phrase[]): boolean => group.flat().some((term) => phrase.includes(term));
    groups = [...groups.filter((group) => !isRelated(group)), [...groups.filter(isRelated).flat(), phrase]];
  }
  return groups;
}

/** Goes row by row, so that words which the phrases share are read once and a row is left at the first phrase found. */
function dropWithAny(tables: IndexTables, rows: Bits, phrases: readonly Phrase[]): void {
  const cursors = cursorsOf(tables, phrases.flat());
  const sought = phrases.map((phrase) => ({
    reader: new PhraseReader(tables, phrase, cursors),
    candidates: rowsWithAll(tables, rows, phrase),
  }));
  const candidates = createBits(tables.rows);
  for (const one of sought) addAll(candidates, one.candidates);
  forEachMember(candidates, (row) => {
    for (let i = 0; i < sought.length; i++) {
      const { reader, candidates } = sought[i]!;
      if (!hasBit(candidates, row) || !reader.isIn(row)) continue;
      clearBit(rows, row);
      return;
    }
  });
}

/** The rows of `within` that hold all of some terms. */
function rowsWithAll(tables: IndexTables, within: Bits, terms: readonly number[]): Bits {
  const all = within.slice();
  for (const term of new Set(terms)) {
    const rows = createBits(tables.rows);
    if (term >= 0) addTermRows(tables, rows, term);
    keepAll(all, rows);
  }
  return all;
}
