/** Everything that was made of the records → the tables of an index. */
import { lettersOf } from './dictionary.js';
import { type LaidOut, type PostingRoom, postingTables } from './posting-room.js';
import type { RowTables } from './rows.js';
import type { IndexTables, TermTable, WordTables } from './tables.js';
import { MAX_WORD_UNITS } from './tokenize.js';
import type { Dictionary } from './vocabulary.js';

export function tablesOf(
  rows: RowTables,
  room: PostingRoom,
  laidOut: readonly LaidOut[],
  { words, stems }: Dictionary,
): IndexTables {
  const postings = postingTables(room, laidOut);
  const used = inUse(words, postings.documentFrequencies);
  return { ...rows, ...postings, words: used, stems, ...bySize(used) };
}

/** The words that some record still has. */
function inUse(table: TermTable, documentFrequencies: Uint32Array): TermTable {
  const { units, offsets, terms } = table;
  let count = 0;
  for (let word = 0; word < terms.length; word++) if (documentFrequencies[terms[word]!]! > 0) count++;
  if (count === terms.length) return table;
  const used = Uint32Array.from(terms.keys()).filter((word) => documentFrequencies[terms[word]!]! > 0);
  const kept = new Uint16Array(used.reduce((sum, word) => sum + offsets[word + 1]! - offsets[word]!, 0));
  const keptOffsets = new Uint32Array(used.length + 1);
  used.forEach((word, i) => {
    const of = units.subarray(offsets[word]!, offsets[word + 1]!);
    kept.set(of, keptOffsets[i]!);
    keptOffsets[i + 1] = keptOffsets[i]! + of.length;
  });
  return { units: kept, offsets: keptOffsets, terms: used.map((word) => terms[word]!) };
}

/** The words in the order of their lengths, for the spelling search. */
function bySize(words: TermTable): Pick<WordTables, 'wordsBySize' | 'sizeStarts' | 'letters'> {
  const { units, offsets } = words;
  const count = offsets.length - 1;
  const sizeStarts = new Uint32Array(MAX_WORD_UNITS + 2);
  const sizeOf = (word: number): number => offsets[word + 1]! - offsets[word]!;
  for (let word = 0; word < count; word++) sizeStarts[sizeOf(word) + 1]!++;
  for (let size = 1; size < sizeStarts.length; size++) sizeStarts[size]! += sizeStarts[size - 1]!;
  const next = sizeStarts.slice();
  const wordsBySize = new Uint32Array(count);
  const letters = new Uint32Array(count);
  for (let word = 0; word < count; word++) {
    const at = next[sizeOf(word)]!++;
    wordsBySize[at] = word;
    letters[at] = lettersOf(units, offsets[word]!, offsets[word + 1]!);
  }
  return { wordsBySize, sizeStarts, letters };
}
