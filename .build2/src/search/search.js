/**
 * What the store asks of full-text search. Documents are numbered 0, 1, 2 … in the order in which they were added;
 * they become rows when the index is finished. A finished index is immutable and keeps no record text.
 */
/** What ranks: our own index (BM25F), or MiniSearch, which takes phrases and exclusions for plain words. */
export const ENGINES = ['bm25f', 'minisearch'];
