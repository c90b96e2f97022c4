/**
 * Which words of a record a query found it by: those of the terms that it was planned with, whatever form they have
 * there. Text is read as it was when it was indexed. A look-up per word; words seen before cost a hash access, and as texts
 * share most of their words, they are remembered from one query to the next.
 */
import { exactTerm } from './expand.js';
import type { Found } from './search.js';
import type { IndexTables } from './tables.js';
import type { Tokenizer, TokenSink } from './tokenize.js';

/** Words remembered, some 100 bytes each; past it all are dropped. */
const MAX_WORDS = 16_384;

/** The exact term of a word, or -1. */
export function createTermLookUp(tables: IndexTables): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    const term = exactTerm(tables, word);
    if (known.size >= MAX_WORDS) known.clear();
    known.set(word, term);
    return term;
  };
}

export function createFinder(
  termOf: (word: string) => number,
  tokenizer: Tokenizer,
  terms: ReadonlySet<number>,
): (part: string) => Found {
  let words = 0;
  let isFound = false;
  const look = (units: Uint16Array, length: number): void => {
    if (!isFound) isFound = terms.has(termOf(wordOf(units, length)));
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

/** A fifth of the time of spreading the units. */
function wordOf(units: Uint16Array, length: number): string {
  let word = '';
  for (let i = 0; i < length; i++) word += String.fromCharCode(units[i]!);
  return word;
}
