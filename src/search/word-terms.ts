/** The words of texts and the terms that they are given when they are new. */
import { stem } from './stem.js';
import { sortedTable, stringTable } from './string-table.js';
import type { StringTable } from './tables.js';
import type { Dictionary } from './tables-of.js';

/** Takes each word once, and gives it its term. */
export interface WordTerms {
  add(word: string): number;
}

/** Words of one stem share a term. */
export class StemmedWords implements WordTerms {
  private readonly words: string[] = [];
  private readonly termsOfWords: number[] = [];
  private readonly termOfStem = new Map<string, number>();

  /** How many terms there are. */
  get terms(): number {
    return this.termOfStem.size;
  }

  add(word: string): number {
    const stemmed = stem(word);
    const term = this.termOfStem.get(stemmed) ?? this.termOfStem.size;
    this.termOfStem.set(stemmed, term);
    this.words.push(word);
    this.termsOfWords.push(term);
    return term;
  }

  /** All words, and all stems, each with its term. */
  dictionary(): Dictionary {
    return {
      words: sortedTable(this.words, this.termsOfWords),
      stems: sortedTable([...this.termOfStem.keys()], [...this.termOfStem.values()]),
    };
  }
}

/** Each word is a term of its own, until others know better: words are numbered in the order in which they come. */
export class NumberedWords implements WordTerms {
  private readonly words: string[] = [];

  add(word: string): number {
    return this.words.push(word) - 1;
  }

  /** All of them, by number. */
  inOrder(): StringTable {
    return stringTable(this.words);
  }
}
