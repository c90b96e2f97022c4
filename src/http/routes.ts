/**
 * Every operation under /api, described once per collection of the model: path, parameters, and how a checked request
 * is answered. A handler is synchronous, reads one dataset and returns an answer as a value.
 */
import { notFound } from '../errors.js';
import { type CollectionModel, type CollectionName, collections } from '../model.js';
import { execute } from '../query/execute.js';
import { didYouMean } from '../query/nearest.js';
import {
  formatParameter,
  idParameter,
  limitParameter,
  orderParameter,
  type Parameter,
  pageParameter,
  searchTextParameter,
  sortParameter,
  valueParameter,
} from '../query/parameters.js';
import type { Query } from '../query/query.js';
import { formatOf, numberOf, type ParameterValues, pagingOf, queryOf, textOf } from '../query/request.js';
import type { Collection } from '../store/collection.js';
import { collectionOf, type Dataset } from '../store/dataset.js';
import { rowOfId } from '../store/ids.js';
import { recordView } from '../store/record-text.js';
import { rowsOfValue } from '../store/value-index.js';
import { quote } from '../text.js';
import { type Answer, errorAnswer, JSON_TYPE } from './answer.js';
import { exportCsv, exportJson } from './export.js';
import { pageLinks } from './link.js';
import { type Envelope, pageBody } from './page.js';

/** A request whose parameters have been checked. */
export interface RouteRequest {
  readonly dataset: Dataset;
  readonly values: ParameterValues;
  /** Path and query string as the client wrote them. */
  readonly path: string;
  readonly query: string;
}

export interface Route {
  /** A Hono pattern; the path parameter, if there is one, is its last segment. */
  readonly path: string;
  readonly summary: string;
  readonly pathParameter: Parameter | null;
  readonly parameters: readonly Parameter[];
  readonly handle: (request: RouteRequest) => Answer;
}

export interface RouteOptions {
  readonly maxLimit: number;
  readonly envelope: Envelope;
}

type Model = CollectionModel & { readonly name: CollectionName };

export const createRoutes = (options: RouteOptions): readonly Route[] =>
  collections.flatMap((model: Model) => [
    listRoute(model, options),
    searchRoute(model, options),
    ...model.fields.filter((field) => field.listedByPath).map((field) => valueRoute(model, field.name, options)),
    detailRoute(model),
    exportRoute(model),
  ]);

const listParameters = (model: Model, { maxLimit }: RouteOptions): readonly Parameter[] => [
  pageParameter,
  limitParameter(maxLimit),
  sortParameter(model),
  orderParameter,
];

const listRoute = (model: Model, options: RouteOptions): Route => ({
  path: `/api/${model.name}`,
  summary: `List ${model.name}`,
  pathParameter: null,
  parameters: listParameters(model, options),
  handle: (request) => pageAnswer(collectionOf(request.dataset.collections, model.name), request, null, options),
});

const searchRoute = (model: Model, options: RouteOptions): Route => ({
  path: `/api/${model.name}/search`,
  summary: `Search ${model.name}`,
  pathParameter: null,
  parameters: [searchTextParameter, ...listParameters(model, options)],
  handle: (request) => pageAnswer(collectionOf(request.dataset.collections, model.name), request, null, options),
});

const valueRoute = (model: Model, field: string, options: RouteOptions): Route => ({
  path: `/api/${model.name}/${field}/:${field}`,
  summary: `List ${model.name} of a ${field}`,
  pathParameter: valueParameter(field),
  parameters: listParameters(model, options),
  handle(request) {
    const collection = collectionOf(request.dataset.collections, model.name);
    const value = textOf(request.values, field) ?? '';
    const known = collection.values.get(field);
    if (known !== undefined && rowsOfValue(known, value) !== null) {
      return pageAnswer(collection, request, { field, is: value }, options);
    }
    const name = `${capitalised(field)} ${quote(value)}`;
    return errorAnswer(notFound(`${name} not found.${didYouMean(value, known?.names ?? [])}`));
  },
});

const detailRoute = (model: Model): Route => ({
  path: `/api/${model.name}/:id`,
  summary: `One ${model.singular.toLowerCase()} by id`,
  pathParameter: idParameter,
  parameters: [],
  handle({ dataset, values }) {
    const { ids, text } = collectionOf(dataset.collections, model.name);
    const row = rowOfId(ids, numberOf(values, 'id', Number.NaN));
    if (row < 0) return errorAnswer(notFound(`${model.singular} with id ${textOf(values, 'id')} not found.`));
    return { status: 200, type: JSON_TYPE, body: recordView(text, row) };
  },
});

const exportRoute = (model: Model): Route => ({
  path: `/api/export/${model.name}`,
  summary: `Export all ${model.name}`,
  pathParameter: null,
  parameters: [formatParameter],
  handle({ dataset, values }) {
    const format = formatOf(values);
    const { type, write } = exports[format];
    return {
      status: 200,
      type,
      body: write(collectionOf(dataset.collections, model.name)),
      headers: { 'Content-Disposition': `attachment; filename="${model.name}.${format}"` },
    };
  },
});

const exports = {
  json: { type: JSON_TYPE, write: exportJson },
  csv: { type: 'text/csv; charset=utf-8; header=present', write: exportCsv },
} as const;

function pageAnswer(
  collection: Collection,
  { values, path, query }: RouteRequest,
  value: Query['value'],
  { envelope }: RouteOptions,
): Answer {
  const paging = pagingOf(values);
  const page = execute(collection, queryOf(values, value), paging);
  const links = pageLinks(path, query, paging, page.total);
  return {
    status: 200,
    type: JSON_TYPE,
    body: pageBody(collection.text, page, paging, envelope),
    headers: links === null ? {} : { Link: links },
  };
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
