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

/** A text whose words count `weight` times. */
export interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

/** The words of a part of a record's text, and whether the search matches one of them. */
export interface PartMatch {
  readonly words: number;
  /** Whether any of the words is one that the search looks for. */
  readonly isFound: boolean;
}

/** Finds a search's words in parts of records' texts, in every form that matches: stems, completions, near spellings. */
export interface WordFinder {
  look(part: string): PartMatch;
  /** Whether a word that begins with this folded unit may match; false is certain. */
  mayBegin(unit: number): boolean;
}

/** Conditions of a query besides its text. Results are cached by the key: equal keys, equal rows. */
export interface RowFilter {
  readonly key: string;
  readonly rows: () => RowSet;
}

/** The rows of the records that have a code, case aside, ascending; no rows where none has it. */
export type RowsOfCode = (code: string) => Uint32Array;

/** The greatest factor of a boost; the least is 1. */
export const MAX_BOOST = 1.5;

/** The factor of each row's score. Results are cached by the key: equal keys, equal factors. */
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
  /** Whether unknown words also match their nearest spellings, and rare words far more frequent spellings. */
  readonly fuzzy: boolean;
  /** Whether the last word also matches as a prefix. */
  readonly prefix: boolean;
}

export const USUAL: TextOptions = { match: 'any', fuzzy: true, prefix: true };

/** The engines: our own index (BM25F), and MiniSearch, to which phrases and exclusions are plain words. */
export const ENGINES = ['bm25f', 'minisearch'] as const;
export type Engine = (typeof ENGINES)[number];

export interface SearchIndex {
  readonly engine: Engine;
  /** The language by which the records' texts are stemmed. */
  readonly language: Language;
  /** The best `limit` rows for `text`, best first, ties by row; `total` counts every match. MiniSearch takes no boost. */
  search(text: string, limit: number, options?: TextOptions, filter?: RowFilter, boost?: Boost): Hits;
  /** Every row that matches. */
  matching(text: string, options?: TextOptions): RowSet;
  /**
   * The rows with words in a field of which the words of `part` are parts, in any form of these words: `rain` finds training, trained.
   * A part stands for at most 1,000 words, those that most records hold.
   */
  withPartOfWord(field: string, part: string): RowSet;
  /** The best `limit` rows for texts that are no queries: "more like this" (Lucene). Best first, ties by row. */
  similar(texts: readonly WeightedText[], limit: number): ArrayLike<number>;
  finder(text: string, options?: TextOptions): WordFinder;
  /** The text with corrected spellings, null where no word was corrected. The function is null if the engine has none. */
  readonly suggestion: ((text: string, options?: TextOptions) => string | null) | null;
}

export interface SearchField {
  readonly name: string;
  /** A word found in this field counts this many times. */
  readonly weight: number;
  /** A second name of the field in query texts: `tag:maps` for the field `tags`. */
  readonly alias?: string;
}
