/** Everything that was made of the records → the tables of an index. */
import { type LaidOut, type PostingRoom, postingTables } from './posting-room.js';
import type { RowTables } from './rows.js';
import type { IndexTables, TermTable, WordTables } from './tables.js';
import { bySize } from './words-by-size.js';

export function tablesOf(
  rows: RowTables,
  room: PostingRoom,
  laidOut: readonly LaidOut[],
  dictionary: WordTables,
): IndexTables {
  const postings = postingTables(room, laidOut);
  const words = inUse(dictionary.words, postings.documentFrequencies);
  const isWhole = words === dictionary.words;
  return { ...rows, ...postings, ...dictionary, ...(!isWhole && { words, ...bySize(words) }) };
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
