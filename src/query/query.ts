/** What a request asks of a collection, as plain data: parsed once at the edge, never checked again inside. */

export interface Query {
  /** Search text, or null for a list. */
  readonly text: string | null;
  /** The field and value by which records are listed, or null for all. */
  readonly value: { readonly field: string; readonly is: string } | null;
  /** A sortable field, or null: relevance where there is a text, else snapshot order. */
  readonly sort: string | null;
  readonly descending: boolean;
}

export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

/** The rows of one page and how many rows match in all. */
export interface Page {
  readonly rows: ArrayLike<number>;
  readonly total: number;
}
