/** The operations that answer with lists of records: all of a collection, a search, those of a value. */
import { notFound } from '../../errors.js';
import { type CollectionModel, recordsOf } from '../../model.js';
import { didYouMean } from '../../nearest.js';
import { execute } from '../../query/execute.js';
import { operatorParameters } from '../../query/operators.js';
import {
  boostParameters,
  limitParameter,
  type Parameter,
  pageParameter,
  pathValueParameter,
  searchExtraParameters,
  searchTextParameter,
  textParameters,
  wordParameters,
} from '../../query/parameters.js';
import type { ParameterValues, Query } from '../../query/query.js';
import { fieldsOf, numberParameter, pagingOf, queryOf, textParameter } from '../../query/request.js';
import type { Collection } from '../../store/collection.js';
import { collectionIn } from '../../store/dataset.js';
import { allValues, codesOfValue, valueCount } from '../../store/value-index.js';
import { quote } from '../../text.js';
import { createHighlighter } from '../highlight/highlight.js';
import { capitalised } from '../markup/format.js';
import type { ResourceRequest } from '../resource.js';
import { errorResponse, JSON_TYPE, type PlainResponse, type Representation } from '../response.js';
import { percentEncode } from '../semantics/percent.js';
import { pageLinks } from './link.js';
import { pageBody } from './list.js';
import {
  collectionFault,
  exportPath,
  type Operation,
  type OperationOptions,
  selectionParameters,
  shownState,
} from './operations.js';
import type { SearchExtras } from './search-page.js';

const pagingParameters = (model: CollectionModel, options: OperationOptions): readonly Parameter[] => [
  pageParameter,
  limitParameter(options.maxLimit),
  ...selectionParameters(model, options),
];

/** The parameters of a list, which may be searched. */
export const listParameters = (model: CollectionModel, options: OperationOptions): readonly Parameter[] => [
  ...pagingParameters(model, options),
  ...textParameters,
  ...boostParameters(model),
  ...searchExtraParameters,
];

export const listOperation = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `List ${recordsOf(model)}`,
  model,
  answers: 'search',
  parameters: listParameters(model, options),
  handle: (request) => listAnswer(model, request, options, ''),
});

export const search = (model: CollectionModel, options: OperationOptions): Operation => ({
  ...listOperation(model, options),
  summary: `Search ${recordsOf(model)}`,
  parameters: [
    searchTextParameter,
    ...wordParameters,
    ...boostParameters(model),
    ...pagingParameters(model, options),
    ...searchExtraParameters,
  ],
});

/** The page of a list; of a search with its highlights and suggestion. */
export function listAnswer(
  model: CollectionModel,
  { dataset, values, path, query }: ResourceRequest,
  options: OperationOptions,
  exportPair: string,
): Representation | PlainResponse {
  const collection = collectionIn(dataset, model);
  const fault = collectionFault(collection, values);
  if (fault !== null) return errorResponse(fault);
  const render = () => {
    const paging = pagingOf(values);
    const viewQuery = queryOf(model, values);
    const page = execute(collection, viewQuery, paging);
    const fields = fieldsOf(model, values, options.hasAllFields);
    const extras = extrasOf(collection, viewQuery, values);
    const body = pageBody(collection, page, paging, options.envelope, fields, extras);
    const view = { path, query, exportPath: exportPath(model), exportPair };
    return { body, headers: { ...pageLinks(view, paging, page.total), 'X-Total-Count': String(page.total) } };
  };
  return { type: JSON_TYPE, ...shownState(dataset, model, values, options), render };
}

const extrasOf = ({ search }: Collection, query: Query, values: ParameterValues): SearchExtras => ({
  highlighter: numberParameter(values, 'highlight') === 1 ? createHighlighter(search, query) : null,
  suggestion:
    numberParameter(values, 'suggest') === 1
      ? (search.suggestion?.(query.text ?? '', query.textOptions) ?? null)
      : undefined,
});

/** Names that an unknown one is compared with, some milliseconds; 200,000 would block the event loop for a second. */
const MAX_COMPARED_NAMES = 1000;

/** Lists of the records that have a value of the field in the path: `/api/products/category/Books`. */
export const listsByValue = (model: CollectionModel, options: OperationOptions): readonly Operation[] =>
  model.fields.flatMap(({ name, listedByPath }) => (listedByPath ? listOfValue(model, name, options) : []));

/** Whether a parameter narrows by a field: of a list of one category, no other category is asked for. */
export const isOfField = (model: CollectionModel, field: string, parameter: Parameter): boolean =>
  operatorParameters(model).some((one) => one.parameter === parameter && one.field.name === field);

const listOfValue = (model: CollectionModel, field: string, options: OperationOptions): Operation => ({
  name: field,
  summary: `List ${model.name} of a ${field}`,
  model,
  answers: 'search',
  pathParameter: pathValueParameter(field),
  parameters: listParameters(model, options).filter((parameter) => !isOfField(model, field, parameter)),
  handle(request) {
    const value = textParameter(request.values, field) ?? '';
    const valueIndex = collectionIn(request.dataset, model).values.get(field);
    if (valueIndex !== undefined && codesOfValue(valueIndex, value).length > 0) {
      return listAnswer(model, request, options, `${field}=${percentEncode(value)}`);
    }
    const names = valueIndex === undefined || valueCount(valueIndex) > MAX_COMPARED_NAMES ? [] : allValues(valueIndex);
    return errorResponse(notFound(`${capitalised(field)} ${quote(value)} not found.${didYouMean(value, names)}`));
  },
});
