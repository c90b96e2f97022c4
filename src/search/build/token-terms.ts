/** Tokens → terms, once all records are read: each distinct token is stemmed a single time. */
import { uint32, withRoom } from '../../arrays.js';
import { stringOf, Tokenizer, type TokenSink } from '../tokenizer.js';

import type { Tokens } from './token-reader.js';
import type { Vocabulary } from './vocabulary.js';

export interface TokenTerms {
  /** How many terms there are. */
  readonly terms: number;
  /** By token: its term, or the complement of its list's offset in `lists`. */
  readonly termOf: Int32Array;
  /** Lists of terms (`kernels/stream-layout.ts`). */
  readonly lists: Uint32Array;
}

/**
 * The term of each token. A token of several words, `e-mail`, has a list: of each term its number, doubled, plus 1 where it stands at the
 * position of the one before.
 */
export function termsOfTokens(tokens: Tokens, vocabulary: Vocabulary): TokenTerms {
  const tokenizer = new Tokenizer();
  const termOf = new Int32Array(tokens.count);
  let lists = uint32(1 << 10);
  let listsEnd = 0;
  let token = 0;
  let entries: number[] = [];
  const add = (units: Uint16Array, length: number, isWithoutIncrement: 0 | 1): void => {
    entries.push((vocabulary.termOf(stringOf(units, length)) << 1) | isWithoutIncrement);
  };
  const sink: TokenSink = {
    word: (units, length) => add(units, length, 0),
    compound: (units, length) => add(units, length, 1),
    tail: (units, length) => add(units, length, 1),
  };
  tokens.forEach({
    word(word) {
      termOf[token++] = vocabulary.termOf(word);
    },
    text(text) {
      entries = [];
      tokenizer.tokenize(text, sink);
      if (entries.length === 1) termOf[token++] = entries[0]! >> 1;
      else {
        const list = [entries.length, ...entries];
        lists = withRoom(lists, listsEnd + list.length, uint32);
        lists.set(list, listsEnd);
        termOf[token++] = ~listsEnd;
        listsEnd += list.length;
      }
    },
  });
  return { terms: vocabulary.terms, termOf, lists: lists.slice(0, listsEnd) };
}
