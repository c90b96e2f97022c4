/** The rows in which a phrase occurs: rows that hold all its words, then a look at the words' positions there. */
import { allMembers, type Bits, createBits, keepAll, setBit } from '../bits.js';
import { addTermRows } from './postings.js';
import type { ProximityReader } from './proximity.js';
import type { IndexTables } from './tables.js';

/** Of a longer phrase, so many words are looked at. */
export const MAX_PHRASE_WORDS = 64;

/** `phrase` in its order; -1 stands for a word that the index lacks. */
export function rowsWithPhrase(tables: IndexTables, reader: ProximityReader, phrase: readonly number[]): Bits {
  const found = createBits(tables.rows);
  const words = phrase.slice(0, MAX_PHRASE_WORDS);
  if (words.some((term) => term < 0)) return found;
  const candidates = rowsWithAll(tables, new Set(words));
  if (words.length < 2) return candidates;
  for (const row of allMembers(candidates)) if (reader.holdsPhrase(row, words)) setBit(found, row);
  return found;
}

function rowsWithAll(tables: IndexTables, terms: ReadonlySet<number>): Bits {
  const all = createBits(tables.rows).fill(0xffffffff);
  for (const term of terms) {
    const rows = createBits(tables.rows);
    addTermRows(tables, rows, term);
    keepAll(all, rows);
  }
  return all;
}
