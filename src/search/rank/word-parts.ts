/** Words by a part of them: one pass over the dictionary. */
import { type Bits, createBits } from '../../bits.js';
import { fold } from '../../text.js';
import { wordAt } from '../dictionary.js';
import { documentFrequency, type IndexTables } from '../tables.js';
import { MAX_EXPANSIONS } from './expansion.js';
import { keepWithAll } from './phrases.js';
import type { SearchContext } from './plan.js';

/** The letters and digits of a text, by which its words are told apart. */
export const wordParts = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The rows that hold, in a field, a word with each of the parts. */
export function rowsWithParts({ tables, kernels }: SearchContext, field: number, part: string): Bits {
  const parts = wordParts(part).map((one) => ({ terms: termsWith(tables, one), field }));
  const [first] = parts;
  if (first === undefined || parts.some(({ terms }) => terms.length === 0)) return createBits(tables.rows);
  const rows = kernels.rowsOf(first.terms).slice();
  keepWithAll(tables, kernels, rows, parts);
  return rows;
}

/** The terms of the words that have a part: at most `MAX_EXPANSIONS`, those that most records hold. */
function termsWith(tables: IndexTables, part: string): readonly number[] {
  const { words } = tables;
  const { units, offsets, terms } = words;
  const matchingTerms = new Set<number>();
  const first = part.charCodeAt(0);
  for (let word = 0; word + 1 < offsets.length; word++) {
    const last = offsets[word + 1]! - part.length;
    for (let at = offsets[word]!; at <= last; at++) {
      if (units[at] !== first) continue;
      if (!wordAt(words, word).includes(part)) continue;
      matchingTerms.add(terms[word]!);
      break;
    }
  }
  const frequency = (term: number): number => documentFrequency(tables, term);
  return [...matchingTerms].sort((a, b) => frequency(b) - frequency(a) || a - b).slice(0, MAX_EXPANSIONS);
}
