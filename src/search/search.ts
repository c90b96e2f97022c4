/**
 * What the store asks of full-text search. Documents are numbered 0, 1, 2 … in the order in which they were added;
 * they become rows when the index is finished. A finished index is immutable and keeps no record text.
 */

import type { Language } from '../languages.js';
import type { RowSet } from '../row-set.js';

/** A searched field of one document: a text, a list of separate texts, or nothing. */
export type FieldText = string | readonly string[] | null;

/** Matching rows and how many records match in all. */
export interface Hits {
  readonly rows: ArrayLike<number>;
  readonly total: number;
}

/** A text that counts as if it were there so many times. */
export interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

/** What a part of a record's text holds. */
export interface Found {
  readonly words: number;
  /** Whether any of the words is one that the search looks for. */
  readonly isFound: boolean;
}

/** Looks at parts of records' texts for what a search finds them by, in whatever form: stems, beginnings, near spellings. */
export interface WordFinder {
  look(part: string): Found;
  /** Whether it may be a word that begins with this folded unit. */
  mayBegin(unit: number): boolean;
}

/** Conditions of a query besides its text. What is found under them is cached by the key: equal keys, equal rows. */
export interface Filter {
  readonly key: string;
  readonly rows: () => RowSet;
}

/** A boost multiplies by this at most, and by 1 at least. */
export const MAX_BOOST = 1.5;

/** What the score of each row is multiplied by. What is found under it is cached by the key: equal keys, equal factors. */
export interface Boost {
  readonly key: string;
  readonly factorOf: (row: number) => number;
}

export const matches = ['any', 'all'] as const;
export type Match = (typeof matches)[number];

/** How the words of a text are searched. */
export interface TextOptions {
  /** Whether any or every word must occur, stop words aside. */
  readonly match: Match;
  /** Whether words that no record has stand for their nearest spellings, and rare spellings also for far commoner ones. */
  readonly fuzzy: boolean;
  /** Whether the last word may be the beginning of one. */
  readonly prefix: boolean;
}

export const USUAL: TextOptions = { match: 'any', fuzzy: true, prefix: true };

/** What ranks: our own index (BM25F), or MiniSearch, which takes phrases and exclusions for plain words. */
export const ENGINES = ['bm25f', 'minisearch'] as const;
export type Engine = (typeof ENGINES)[number];

export interface SearchIndex {
  readonly engine: Engine;
  /** What the records' texts are taken for. */
  readonly language: Language;
  /** The best `limit` rows for `text`, best first, ties by row; `total` counts every match. MiniSearch takes no boost. */
  search(text: string, limit: number, options?: TextOptions, filter?: Filter, boost?: Boost): Hits;
  /** Every row that matches. */
  matching(text: string, options?: TextOptions): RowSet;
  /** The best `limit` rows for what texts, which are no queries, have in common with records; best first, ties by row. */
  similar(texts: readonly WeightedText[], limit: number): ArrayLike<number>;
  finder(text: string, options?: TextOptions): WordFinder;
  /** The text with the spellings that words of no record, or of few, were searched by; null where there are none, or no engine that tells. */
  readonly suggestion: ((text: string, options?: TextOptions) => string | null) | null;
}

export interface SearchField {
  readonly name: string;
  /** A word found in this field counts this many times. */
  readonly weight: number;
  /** What the field is called in a text besides its name: `tag:maps`. */
  readonly alias?: string;
}
