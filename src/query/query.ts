/** A query of a collection as plain data: parsed once at the edge, never checked again inside. */

import { type Match, type TextOptions, USUAL } from '../search/search.js';

/** By name of a parameter in the request: its values; several only if it is repeatable. */
export type ParameterValues = ReadonlyMap<string, readonly (string | number)[]>;

/** From one number to another, both included; dates are milliseconds since 1970. */
export interface Interval {
  readonly min: number;
  readonly max: number;
}

/** `MISSING` stands in place of an operator's suffix: the filter is the parameter `missing`. */
export const MISSING = 'missing';

/** Narrows records by a field: an operator of `operators.ts`, by its suffix, with some values; or `MISSING` without any. */
export interface QueryFilter {
  readonly field: string;
  readonly operator: string;
  /** As the request has them, checked. */
  readonly values: readonly string[];
  /** Whether a record must have any or all of the values. */
  readonly match: Match;
}

/** A filter of which any of the values is enough. */
export const filterOf = (field: string, operator: string, values: readonly string[]): QueryFilter => ({
  field,
  operator,
  values,
  match: 'any',
});

export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

export interface Query {
  /** Search text, or null for a list. */
  readonly text: string | null;
  readonly textOptions: TextOptions;
  /** A record must meet all of them. */
  readonly filters: readonly QueryFilter[];
  /** A sortable field, or null: relevance where there is a text, else snapshot order. */
  readonly sort: string | null;
  /** The direction of `sort`; without effect if `sort` is null. */
  readonly descending: boolean;
  /** Further keys, by which records of equal values of the one before are sorted. */
  readonly thenBy: readonly SortKey[];
  /** The number or date by which records score more, if relevance is the order. */
  readonly boost: string | null;
}

/** Every record, in snapshot order. */
export const EVERYTHING: Query = {
  text: null,
  textOptions: USUAL,
  filters: [],
  sort: null,
  descending: false,
  thenBy: [],
  boost: null,
};

export interface Paging {
  /** The number of the page; the first page is 1. */
  readonly page: number;
  readonly limit: number;
}

/** The rows of one page and how many rows match in all. */
export interface Page {
  readonly rows: ArrayLike<number>;
  readonly total: number;
}
