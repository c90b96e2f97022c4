/**
 * What the store asks of full-text search. Documents are numbered 0, 1, 2 … in the order in which they were added;
 * they become rows when the index is finished. A finished index is immutable and keeps no record text.
 */

/** A searched field of one document: a text, a list of separate texts, or nothing. */
export type FieldText = string | readonly string[] | null;

/** Matching rows and how many records match in all. */
export interface Hits {
  readonly rows: ArrayLike<number>;
  readonly total: number;
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

/** Every row that matches, as a bit for each row, not to be written to; and how many they are. */
export interface Matching {
  readonly bits: Uint32Array;
  readonly count: number;
}

/** The rows that conditions other than the text let pass. What is found among them is kept by the key: equal keys, equal rows. */
export interface Among {
  readonly key: string;
  /** Those among the rows that match the text, as bits that are nobody else's. */
  readonly keep: (rows: Uint32Array) => Matching;
}

/** What ranks: our own index (BM25F), or MiniSearch, which takes phrases and exclusions for plain words. */
export const ENGINES = ['bm25f', 'minisearch'] as const;
export type Engine = (typeof ENGINES)[number];

export interface SearchIndex {
  readonly engine: Engine;
  /** The best `limit` rows for `text`, best first, ties by row; `total` counts every match. */
  search(text: string, limit: number, among?: Among): Hits;
  matching(text: string, among?: Among): Matching;
  /** Every row that matches `text`, ascending. */
  match(text: string): Uint32Array;
  finder(text: string): WordFinder;
}

export interface SearchIndexBuilder {
  /** Adds the next document; `texts[i]` belongs to the i-th of the builder's fields. */
  add(texts: readonly FieldText[]): void;
  /** Ends the build. `rowOf[document]` is the document's row, or -1 where a later document replaced it. */
  finish(rowOf: Int32Array): SearchIndex;
}

export interface SearchField {
  readonly name: string;
  /** A word found in this field counts this many times. */
  readonly weight: number;
}
