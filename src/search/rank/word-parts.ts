/** Words by a part of them: one pass over the dictionary, the most frequent words first. */
import { type Bits, complementOf, createBits } from '../../bits.js';
import { fold } from '../../text.js';
import type { IndexTables } from '../tables.js';
import { MAX_EXPANSIONS } from './expansion.js';
import { keepWithAll } from './phrases.js';
import type { SearchContext } from './plan.js';

/** The letters and digits of a text, by which its words are told apart. */
export const wordParts = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The rows that hold, in a field, a word with each of the parts. */
export function rowsWithParts({ tables, kernels }: SearchContext, field: number, part: string): Bits {
  const parts = wordParts(part).map((one) => ({ terms: termsWith(tables, one), field }));
  const none = createBits(tables.rows);
  if (parts.length === 0 || parts.some(({ terms }) => terms.length === 0)) return none;
  const rows = complementOf(none, tables.rows);
  keepWithAll(tables, kernels, rows, parts);
  return rows;
}

/** The terms of the words that have a part: at most `MAX_EXPANSIONS`, those that most records hold. */
function termsWith(
  { words: { units, offsets, terms }, wordsByFrequency }: IndexTables,
  part: string,
): readonly number[] {
  const matchingTerms = new Set<number>();
  const partUnits = Uint16Array.from({ length: part.length }, (_, i) => part.charCodeAt(i));
  for (let i = 0; i < wordsByFrequency.length && matchingTerms.size < MAX_EXPANSIONS; i++) {
    const word = wordsByFrequency[i]!;
    const last = offsets[word + 1]! - partUnits.length;
    for (let at = offsets[word]!; at <= last; at++) {
      let matchedUnits = 0;
      while (matchedUnits < partUnits.length && units[at + matchedUnits] === partUnits[matchedUnits]) matchedUnits++;
      if (matchedUnits < partUnits.length) continue;
      matchingTerms.add(terms[word]!);
      break;
    }
  }
  return [...matchingTerms];
}
