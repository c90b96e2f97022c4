/** The rows in which a phrase occurs: rows that hold all its words, then a look at the words' positions there. */
import { allMembers, type Bits, createBits, keepAll } from '../bits.js';
import { addRows, seek, termList } from './lists.js';
import type { ProximityReader } from './proximity.js';
import type { IndexTables } from './tables.js';

/** Of a longer phrase, so many words are looked at. */
export const MAX_PHRASE_WORDS = 64;

/** `phrase` in its order; -1 stands for a word that the index lacks. */
export function rowsWithPhrase(tables: IndexTables, reader: ProximityReader, phrase: readonly number[]): Bits {
  const found = createBits(tables.rows);
  const words = phrase.slice(0, MAX_PHRASE_WORDS);
  if (words.some((term) => term < 0)) return found;
  const terms = [...new Set(words)];
  const candidates = rowsWithAll(tables, terms);
  if (words.length < 2) return candidates;
  const { offsets, postings } = tables;
  const cursors = Uint32Array.from(terms, (term) => offsets[term]!);
  const order = Uint32Array.from(words, (term) => terms.indexOf(term));
  for (const row of allMembers(candidates)) {
    for (let i = 0; i < terms.length; i++) cursors[i] = seek(postings, cursors[i]!, offsets[terms[i]! + 1]!, row);
    if (reader.holdsPhrase(cursors, order)) found[row >>> 5]! |= 1 << (row & 31);
  }
  return found;
}

function rowsWithAll(tables: IndexTables, terms: readonly number[]): Bits {
  const [rarest, ...others] = terms.map((term) => rowsWithTerm(tables, term));
  for (const other of others) keepAll(rarest!, other);
  return rarest!;
}

function rowsWithTerm(tables: IndexTables, term: number): Bits {
  const rows = createBits(tables.rows);
  addRows(rows, termList(tables, term, 1));
  return rows;
}
