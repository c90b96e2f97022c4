/**
 * How is a list or a search answered?
 * Takes: checked parameters of a request (`ResourceRequest`).
 * Gives: a representation, whose body is a page of records. It is made only if it is sent.
 * Skip: parameters (`query/parameters.ts`), links between pages, highlights; the envelope around the records (`list.ts`).
 */
import type { ApiError } from '../../errors.js';
import { type CollectionModel, recordsOf } from '../../model.js';
import { type Answer, whenAnswered } from '../../query/engine.js';
import {
  boostParameters,
  limitParameter,
  type Parameter,
  pageParameter,
  searchExtraParameters,
  searchTextParameter,
  textParameters,
} from '../../query/parameters.js';
import type { ParameterValues, Query } from '../../query/query.js';
import { fieldsOf, numberParameter, pagingOf, queryOf, textParameter } from '../../query/request.js';
import type { SearchIndex } from '../../search/search.js';
import { createHighlighter } from '../highlight/highlight.js';
import type { ResourceRequest } from '../resource.js';
import { errorResponse, JSON_TYPE, type PlainResponse, type Rendered, type Representation } from '../response.js';
import { pageLinks } from './link.js';
import { pageBody, shownRecords } from './list.js';
import {
  countParameter,
  exportPath,
  hasEstimates,
  type Operation,
  type OperationOptions,
  selectionParameters,
  shownState,
  unlessFaulty,
} from './operations.js';

/** The parameters of a list, which may be searched. */
export const listParameters = (model: CollectionModel, options: OperationOptions): readonly Parameter[] => [
  pageParameter,
  limitParameter(options.maxLimit),
  ...selectionParameters(model, options),
  ...textParameters,
  ...boostParameters(model),
  ...searchExtraParameters,
];

export const listOperation = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `List ${recordsOf(model)}`,
  model,
  answers: 'search',
  parameters: listParameters(model, options),
  handle: (request) => listAnswer(model, request, options),
});

export const search = (model: CollectionModel, options: OperationOptions): Operation => ({
  ...listOperation(model, options),
  summary: `Search ${recordsOf(model)}`,
  parameters: [searchTextParameter, ...listParameters(model, options).filter(({ name }) => name !== 'q')],
});

/** The condition in the path of a list. */
interface PathCondition {
  /** As a `name=value` pair. */
  readonly pair: string;
  /** The error where nothing is found, since no record has the path's value; null where one has it. */
  readonly faultOf: () => Answer<ApiError | null>;
}

export const listAnswer = (
  model: CollectionModel,
  request: ResourceRequest,
  options: OperationOptions,
  condition?: PathCondition,
): Representation => ({
  type: JSON_TYPE,
  ...shownState(request.dataset, model, request.values, options),
  render: () => unlessFaulty(model, request, () => listBody(model, request, options, condition)),
});

/** The page of a list; of a search with its highlights and suggestion. */
export function listBody(
  model: CollectionModel,
  request: ResourceRequest,
  options: OperationOptions,
  condition?: PathCondition,
): Answer<Rendered | PlainResponse> {
  const { engine, values, path, query } = request;
  const paging = pagingOf(values);
  const viewQuery = queryOf(model, values);
  const { highlighter, suggestion } = extrasOf(engine.index?.(model), viewQuery, values);
  const { extent, shape } = shownRecords(model, fieldsOf(model, values, options.hasAllFields), 'item', highlighter);
  const isEstimated = hasEstimates(model) && textParameter(values, countParameter.name) === 'estimate';
  return whenAnswered(engine.page(model, viewQuery, paging, extent, isEstimated), (page) =>
    whenAnswered(page.total > 0 ? null : (condition?.faultOf() ?? null), (fault): Rendered | PlainResponse => {
      if (fault !== null) return errorResponse(fault);
      const view = { path, query, exportPath: exportPath(model), exportPair: condition?.pair ?? '' };
      return {
        body: pageBody(page, paging, options.envelope, shape, suggestion),
        headers: { ...pageLinks(view, paging, page.total), 'X-Total-Count': String(page.total) },
      };
    }),
  );
}

function extrasOf(index: SearchIndex | undefined, query: Query, values: ParameterValues) {
  const isAsked = (name: string): boolean => numberParameter(values, name) === 1;
  return {
    highlighter: index && isAsked('highlight') ? createHighlighter(index, query) : null,
    suggestion:
      index && isAsked('suggest') ? (index.suggestion?.(query.text ?? '', query.textOptions) ?? null) : undefined,
  };
}
