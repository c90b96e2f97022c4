/** The rows in which a phrase occurs: rows that hold all its words, then a look at the words' positions there. */
import { type Bits, clearBit, createBits, forEachMember, keepAll } from '../bits.js';
import { addTermRows } from './postings.js';
import { PhraseReader } from './proximity.js';
import type { PositionBuffers } from './scratch.js';
import type { IndexTables } from './tables.js';

/** Of a longer phrase, so many words are looked at. */
export const MAX_PHRASE_WORDS = 64;

/** The rows of `within` that hold `phrase` in its order; -1 stands for a word that the index lacks. */
export function rowsWithPhrase(
  tables: IndexTables,
  buffers: PositionBuffers,
  phrase: readonly number[],
  within: Bits,
): Bits {
  const words = phrase.slice(0, MAX_PHRASE_WORDS);
  if (words.some((term) => term < 0)) return createBits(tables.rows);
  const found = rowsWithAll(tables, new Set(words), within);
  if (words.length < 2) return found;
  const reader = new PhraseReader(tables, buffers, words);
  forEachMember(found, (row) => {
    if (!reader.isIn(row)) clearBit(found, row);
  });
  return found;
}

function rowsWithAll(tables: IndexTables, terms: ReadonlySet<number>, within: Bits): Bits {
  const all = within.slice();
  for (const term of terms) {
    const rows = createBits(tables.rows);
    addTermRows(tables, rows, term);
    keepAll(all, rows);
  }
  return all;
}
