/** Long texts as a whole, of which no index holds any: the search finds the records that have all of the words, and these are read. */
import { type Field, fieldIndex } from '../model.js';
import { RowSet } from '../row-set.js';
import type { Collection } from '../store/collection.js';
import { Members } from '../store/members.js';
import { recordJson } from '../store/record-text.js';
import { fold } from '../text.js';

/** Upper bound of a text's bytes as JSON, in bytes of its folded form: marks and escapes are lost when it is folded. */
const MAX_SHRINKAGE = 8;
/** The folded form of a text has at most twice its bytes as JSON. */
const MAX_GROWTH_OF_FOLDED = 2;

/**
 * Words that stand between spaces, whatever stands beside them the index has them: `tea` and `pot` of `tea (pot), C++ for 4.1%`. `C++`, `4.1`
 * and `co.uk` are words by rules of their own. More than three signs before a word would be read once for each of them.
 */
const PLAIN_WORD = /(?<=(?:^|\s)["(]{0,3}|[、。])[\p{L}\p{M}\p{N}]+(?=[.,;:!?)"]*(?:\s|$)|[、。])/gu;

/** The rows whose long text is this one, case and accents aside. */
export function rowsOfLongText(collection: Collection, field: Field, text: string): RowSet {
  const { model, size, search, text: records } = collection;
  const folded = fold(text);
  const bytes = Buffer.byteLength(folded);
  const words = text.match(PLAIN_WORD) ?? [];
  const candidates =
    words.length === 0
      ? Uint32Array.from({ length: size }, (_, row) => row)
      : search.matching(words.join(' '), { match: 'all', fuzzy: false, prefix: false }).rows;
  const members = new Members(model);
  const at = fieldIndex(model, field.name);
  const rows = candidates.filter((row) => {
    const length = members.read(recordJson(records, row, 'whole'), at).length(at);
    // A text of another length is told apart without being read.
    const mayBeText = length >= bytes / MAX_GROWTH_OF_FOLDED && length <= MAX_SHRINKAGE * bytes + '""'.length;
    if (!mayBeText) return false;
    const value = members.value(at);
    return typeof value === 'string' && fold(value) === folded;
  });
  return RowSet.ofRows(rows, size);
}
