/**
 * What a page shows: the parameters of the API, parsed as the API parses them, and one more for the layout. Forms
 * also send the fields that were left empty; such an address is not parsed but cleaned, so that the one in the address
 * bar is always the API's.
 */
import * as v from 'valibot';
import type { ApiError } from '../../../errors.js';
import { type CollectionModel, collectionOf } from '../../../model.js';
import {
  boostParameters,
  fieldsParameter,
  filterParameters,
  limitParameter,
  orderParameter,
  type Parameter,
  pageParameter,
  sortParameter,
  textParameters,
  wordParameters,
} from '../../../query/parameters.js';
import { parseParameters } from '../../../query/parse.js';
import type { Paging, Query } from '../../../query/query.js';
import { fieldsOf, type ParameterValues, pagingOf, queryOf, textOf } from '../../../query/request.js';
import type { Collection } from '../../../store/collection.js';
import type { Dataset } from '../../../store/dataset.js';
import { address, type Pair, type Pairs, without } from '../frame/address.js';

export type Layout = 'table' | 'grid';

export interface View {
  readonly model: CollectionModel;
  readonly collection: Collection;
  readonly query: Query;
  readonly paging: Paging;
  readonly layout: Layout;
  /** The fields to show, or null for those of a list. */
  readonly fields: readonly string[] | null;
  /** The parameters as they were given. */
  readonly pairs: Pairs;
}

/** Another address to go to, or what is wrong with this one. */
export type NoView =
  | { readonly kind: 'elsewhere'; readonly address: string }
  | { readonly kind: 'fault'; readonly error: ApiError; readonly faulty: ReadonlySet<string> };

export type ViewParser<Shown> = (
  dataset: Dataset,
  path: string,
  queryString: string,
) => { readonly kind: 'view'; readonly view: Shown } | NoView;

const layouts: readonly Layout[] = ['table', 'grid'];
const layoutParameter: Parameter = {
  name: 'view',
  description: 'layout of the list, table if not given',
  expected: `one of ${layouts.join(', ')}`,
  schema: v.picklist(layouts),
};

/** A range whose bounds are the wrong way round is a view, too: without records, and with both bounds to be mended. */
export const viewParameters = (model: CollectionModel, maxLimit: number): readonly Parameter[] => [
  ...textParameters,
  pageParameter,
  limitParameter(maxLimit),
  sortParameter(model),
  orderParameter,
  ...boostParameters(model),
  ...filterParameters(model).map(({ upTo: _, ...parameter }) => parameter),
  fieldsParameter(model),
  layoutParameter,
];

/** The parser of a collection's views. */
export const createViewParser = (model: CollectionModel, maxLimit: number): ViewParser<View> =>
  createParser(viewParameters(model, maxLimit), settledView(model), ({ collections }, values, pairs) => ({
    model,
    collection: collectionOf(collections, model.name),
    query: queryOf(model, values),
    paging: shownPaging(values),
    layout: textOf(values, 'view') === 'grid' ? 'grid' : 'table',
    fields: fieldsOf(model, values),
    pairs,
  }));

/** The most records that a page shows; the API gives more at a time. */
export const MAX_SHOWN_RECORDS = 200;

/** A larger limit is one of the API: the page shows fewer, and says so. */
export function shownPaging(values: ParameterValues): Paging {
  const { page, limit } = pagingOf(values);
  return { page, limit: Math.min(limit, MAX_SHOWN_RECORDS) };
}

/** What the menu of orders has as `sort` for relevance with a boost. */
export const BOOST_PREFIX = 'relevance-';

/** A boost from the menu of orders gets its own name. How words are taken, and a boost, say nothing where there are none. */
const settledView =
  (model: CollectionModel) =>
  (pairs: Pairs, { collections }: Dataset): Pairs => {
    const isSearch = pairs.some(([name]) => name === 'q');
    const canBoost = isSearch && collectionOf(collections, model.name).search.engine === 'bm25f';
    const named = pairs.map((pair): Pair => {
      const [name, value] = pair;
      const isBoost = name === 'sort' && value.startsWith(BOOST_PREFIX);
      return isBoost ? ['boost', value.slice(BOOST_PREFIX.length)] : pair;
    });
    const idle = [...(isSearch ? [] : wordParameters.map(({ name }) => name)), ...(canBoost ? [] : ['boost'])];
    return without(named, ...idle);
  };

/** `settle` adds or takes away pairs of which others need it; `show` makes a view of the checked ones. */
export const createParser =
  <Shown>(
    parameters: readonly Parameter[],
    settle: (filled: Pairs, dataset: Dataset) => Pairs,
    show: (dataset: Dataset, values: ParameterValues, pairs: Pairs) => Shown,
  ): ViewParser<Shown> =>
  (dataset, path, queryString) => {
    const given: Pairs = [...new URLSearchParams(queryString)];
    const filled = given.filter(([, value]) => value.trim() !== '');
    const pairs = settle(filled, dataset);
    const isSettled = pairs.length === filled.length && pairs.every((pair, i) => pair === filled[i]);
    // As it was sent, where that can be: decoding hides what is no UTF-8.
    const asked = isSettled ? withoutBlanks(queryString) : address('', pairs).slice(1);
    const parsed = parseParameters(asked, parameters);
    if (!parsed.ok) return { kind: 'fault', error: parsed.error, faulty: parsed.faulty };
    if (!isSettled || filled.length < given.length) return { kind: 'elsewhere', address: address(path, pairs) };
    return { kind: 'view', view: show(dataset, parsed.values, pairs) };
  };

const withoutBlanks = (query: string): string =>
  query
    .split('&')
    .filter((pair) => !/^[^=]*=(?:\+|%20)*$/i.test(pair))
    .join('&');

/** The parameters that can stay when the faulty ones are taken out. */
export const soundPairs = (queryString: string, faulty: ReadonlySet<string>): Pairs =>
  [...new URLSearchParams(queryString)].filter(([name, value]) => value.trim() !== '' && !faulty.has(name));
