/**
 * Words and their terms: the stems of words of the language, and every other word itself. A word is stemmed once; terms are
 * numbered in the order in which they first occur.
 */
import type { Language } from '../../languages.js';
import type { StringTable, TermTable, WordTables } from '../tables.js';
import { type WordRules, wordRules } from '../word-rules.js';

export class Vocabulary {
  readonly #termOfWord = new Map<string, number>();
  readonly #termOfStem = new Map<string, number>();
  readonly #language: Language;
  readonly #rules: WordRules;

  constructor(language: Language) {
    this.#language = language;
    this.#rules = wordRules(language);
  }

  /** How many terms there are. */
  get terms(): number {
    return this.#termOfStem.size;
  }

  /** The term of a word, which is added if it is new. */
  termOf(word: string): number {
    const knownTerm = this.#termOfWord.get(word);
    if (knownTerm !== undefined) return knownTerm;
    const stem = this.#rules.stem(word);
    const term = this.#termOfStem.get(stem) ?? this.terms;
    this.#termOfStem.set(stem, term);
    this.#termOfWord.set(word, term);
    return term;
  }

  /** The dictionary of the words whose terms some records hold; `frequencies` are the terms' document frequencies. */
  dictionary(frequencies: Uint32Array): WordTables {
    const words = termTable(this.#termOfWord, frequencies);
    return {
      language: this.#language,
      words,
      stems: termTable(this.#termOfStem, frequencies),
      commonUnits: commonUnitsOf(words),
      wordsByFrequency: byFrequency(words, frequencies),
    };
  }
}

/** The strings whose terms some records hold, sorted by code units, each with its term. */
function termTable(termOf: ReadonlyMap<string, number>, frequencies: Uint32Array): TermTable {
  const strings: string[] = [];
  for (const [string, term] of termOf) if (frequencies[term]! > 0) strings.push(string);
  strings.sort();
  const offsets = new Uint32Array(strings.length + 1);
  strings.forEach((string, i) => {
    offsets[i + 1] = offsets[i]! + string.length;
  });
  const units = new Uint16Array(offsets.at(-1)!);
  let at = 0;
  for (const string of strings) for (let i = 0; i < string.length; i++) units[at++] = string.charCodeAt(i);
  return { units, offsets, terms: Uint32Array.from(strings, (string) => termOf.get(string)!) };
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

/** Words in descending order of their terms' document frequencies. */
function byFrequency({ terms }: TermTable, frequencies: Uint32Array): Uint32Array {
  const size = terms.length;
  // Sorting numbers takes a third of the time of a comparing sort. A key modulo `size` is its word: of 3 words, word 2 with the
  // frequency 5 has the key 2 - 5 · 3 = -13, which is 2 modulo 3.
  const keys = Float64Array.from(terms, (term, word) => word - frequencies[term]! * size).sort();
  return Uint32Array.from(keys, (key) => ((key % size) + size) % size);
}
