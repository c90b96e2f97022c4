/** Tokens → the terms that they stand for, once all records are read and each token is looked at a single time. */
import { uint32, withRoom } from '../../growable.js';
import { Tokenizer, type TokenSink } from '../tokenizer.js';
import type { Tokens } from './token-reader.js';
import type { Vocabulary } from './vocabulary.js';

export interface TokenTerms {
  /** How many terms there are. */
  readonly terms: number;
  /** By token: its term, or the complement of where its list begins. */
  readonly termOf: Int32Array;
  /** Lists of terms: how many stand in sequence, how many without position increment, and these terms. */
  readonly lists: Uint32Array;
}

export function termsOfTokens(tokens: Tokens, vocabulary: Vocabulary): TokenTerms {
  const tokenizer = new Tokenizer();
  const termOf = new Int32Array(tokens.count);
  let lists = uint32(1 << 10);
  let listsEnd = 0;
  let token = 0;
  let sequence: number[] = [];
  let stacked: number[] = [];
  const stack = (units: Uint16Array, length: number): void => {
    stacked.push(vocabulary.termOf(vocabulary.wordOf(units, length)));
  };
  const sink: TokenSink = {
    word: (units, length) => void sequence.push(vocabulary.termOf(vocabulary.wordOf(units, length))),
    compound: stack,
    tail: stack,
  };
  tokens.forEach({
    word(units, length) {
      termOf[token++] = vocabulary.termOf(vocabulary.wordOf(units, length));
    },
    known(word) {
      termOf[token++] = vocabulary.termOf(word);
    },
    text(text) {
      sequence = [];
      stacked = [];
      tokenizer.tokenize(text, sink);
      if (sequence.length === 1 && stacked.length === 0) termOf[token++] = sequence[0]!;
      else {
        const list = [sequence.length, stacked.length, ...sequence, ...stacked];
        lists = withRoom(lists, listsEnd + list.length, uint32);
        lists.set(list, listsEnd);
        termOf[token++] = ~listsEnd;
        listsEnd += list.length;
      }
    },
  });
  return { terms: vocabulary.terms, termOf, lists: lists.slice(0, listsEnd) };
}
