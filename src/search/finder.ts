/**
 * Which words of a record a query found it by: those of the terms that it was planned with, whatever form they have
 * there. Text is read as it was when it was indexed. A look-up per word; words seen before cost a hash access.
 */
import { exactTerm } from './expand.js';
import type { Found } from './search.js';
import type { IndexTables } from './tables.js';
import type { Tokenizer, TokenSink } from './tokenize.js';

export function createFinder(
  tables: IndexTables,
  tokenizer: Tokenizer,
  terms: ReadonlySet<number>,
): (part: string) => Found {
  const known = new Map<string, boolean>();
  let words = 0;
  let isFound = false;
  const look = (units: Uint16Array, length: number): void => {
    if (isFound) return;
    const word = String.fromCharCode(...units.subarray(0, length));
    isFound = known.get(word) ?? terms.has(exactTerm(tables, word));
    known.set(word, isFound);
  };
  const sink: TokenSink = {
    word(units, length) {
      words++;
      look(units, length);
    },
    compound: look,
    tail: look,
  };
  return (part) => {
    words = 0;
    isFound = false;
    tokenizer.tokenize(part, sink);
    return { words, isFound };
  };
}
