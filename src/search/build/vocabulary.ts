/**
 * Words and their terms: the stems of words of the language, and every other word itself. A word is stemmed once; terms are
 * numbered in the order in which they first occur.
 */
import { int32, withRoom } from '../../arrays.js';
import type { Language } from '../../languages.js';
import { GROUP_UNITS } from '../dictionary.js';
import type { StringTable, TermTable, WordTables } from '../tables.js';
import { MAX_WORD_UNITS, textOf } from '../tokenizer.js';
import { type WordRules, wordRules } from '../word-rules.js';
import { NumberedStrings } from './numbered-strings.js';
import { sortedTable } from './string-table.js';

export class Vocabulary {
  readonly #words = new NumberedStrings();
  readonly #stems = new NumberedStrings();
  #termOfWord = int32(1 << 10);
  readonly #stem = new Uint16Array(MAX_WORD_UNITS);
  readonly #language: Language;
  readonly #rules: WordRules;

  constructor(language: Language) {
    this.#language = language;
    this.#rules = wordRules(language);
  }

  /** How many terms there are. */
  get terms(): number {
    return this.#stems.size;
  }

  /** The number of a word, which is added if it is new. */
  wordOf(units: Uint16Array, length: number): number {
    const before = this.#words.size;
    const word = this.#words.numberOf(units, length);
    if (word === before) {
      this.#termOfWord = withRoom(this.#termOfWord, word + 1, int32);
      this.#termOfWord[word] = this.#stemOf(units, length);
    }
    return word;
  }

  /** The term of a word. */
  termOf(word: number): number {
    return this.#termOfWord[word]!;
  }

  #stemOf(units: Uint16Array, length: number): number {
    const stemmed = this.#rules.stem(textOf(units, length));
    for (let i = 0; i < stemmed.length; i++) this.#stem[i] = stemmed.charCodeAt(i);
    return this.#stems.numberOf(this.#stem, stemmed.length);
  }

  /** The dictionary of the words whose terms some records hold; `frequencies` are the terms' document frequencies. */
  dictionary(frequencies: Uint32Array): WordTables {
    const terms = numbersBelow(this.terms);
    const wordsInUse = numbersBelow(this.#words.size).filter((word) => frequencies[this.#termOfWord[word]!]! > 0);
    const termsInUse = terms.filter((term) => frequencies[term]! > 0);
    const words = sortedTable(this.#words.table(), wordsInUse, this.#termOfWord);
    const stems = sortedTable(this.#stems.table(), termsInUse, terms);
    const commonUnits = commonUnitsOf(words);
    const groupStarts = numbersBelow(commonUnits.length).filter((word) => commonUnits[word]! < GROUP_UNITS);
    return {
      language: this.#language,
      words,
      stems,
      commonUnits,
      groupStarts,
      groupFrequencies: groupFrequencies(words, groupStarts, frequencies),
      wordsByFrequency: byFrequency(words, frequencies),
    };
  }
}

/** The length of the prefix that each sorted string shares with the string before it, in units. */
function commonUnitsOf({ units, offsets }: StringTable): Uint8Array {
  const common = new Uint8Array(offsets.length - 1);
  for (let i = 1; i < common.length; i++) {
    const before = offsets[i - 1]!;
    const start = offsets[i]!;
    const maxLength = Math.min(start - before, offsets[i + 1]! - start);
    let length = 0;
    while (length < maxLength && units[before + length] === units[start + length]) length++;
    common[i] = length;
  }
  return common;
}

function groupFrequencies({ terms }: TermTable, groupStarts: Uint32Array, frequencies: Uint32Array): Uint32Array {
  return groupStarts.map((start, group) => {
    let greatest = 0;
    for (const term of terms.subarray(start, groupStarts[group + 1])) greatest = Math.max(greatest, frequencies[term]!);
    return greatest;
  });
}

/** Words in descending order of their terms' document frequencies. */
function byFrequency({ terms }: TermTable, frequencies: Uint32Array): Uint32Array {
  const size = terms.length;
  // Sorting numbers takes a third of the time of a comparing sort. A key modulo `size` is its word.
  const keys = Float64Array.from(terms, (term, word) => word - frequencies[term]! * size).sort();
  return Uint32Array.from(keys, (key) => ((key % size) + size) % size);
}

const numbersBelow = (count: number): Uint32Array => new Uint32Array(count).map((_, i) => i);
