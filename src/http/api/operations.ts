/**
 * What the operations under /api have in common. Each is one value for each collection: its parameters, and the handler of a
 * checked request. A handler is synchronous and returns a representation as a value, which asks the engine when its body is made.
 */
import { MAX_DETAILS, parameterError } from '../../errors.js';
import type { CollectionModel } from '../../model.js';
import { type Answer, whenAnswered } from '../../query/engine.js';
import { filterParameters } from '../../query/operators.js';
import {
  ALL_FIELDS,
  fieldsParameter,
  oneOf,
  orderParameter,
  type Parameter,
  sortParameter,
} from '../../query/parameters.js';
import type { ParameterValues } from '../../query/query.js';
import { changesModel, historyFields } from '../../store/changes/changes.js';
import { type Dataset, historyKey } from '../../store/dataset.js';
import { memoize } from '../memoize.js';
import type { AppOptions } from '../options.js';
import type { Resource, ResourceRequest } from '../resource.js';
import { errorResponse, type PlainResponse, type Representation } from '../response.js';
import { namePath } from '../semantics/percent.js';
import { parameterFaults } from './foreign-faults.js';

/** A resource of the API, with its description for the OpenAPI document. */
export interface Operation extends Resource {
  readonly summary: string;
  readonly model: CollectionModel;
  /** The kind of the body that a 200 has. */
  readonly answers: 'search' | 'record' | 'file' | 'similar' | 'facets' | 'stats' | 'statsFile';
  readonly parameters: readonly Parameter[];
  /** The `:name` of its path, where that has one. */
  readonly name?: string;
}

/** An operation with the pattern of its route, and with its path in one collection: `/api/articles/:id`. */
export interface AddressedOperation extends Operation {
  readonly pattern: string;
  readonly path: string;
}

export interface OperationOptions extends Pick<AppOptions, 'maxLimit' | 'envelope' | 'hasAllFields'> {
  /** When the newest file of the served dump was modified. */
  readonly dumpDate?: () => Date;
}

export const exportPath = memoize((model: CollectionModel): string => `/api/export/${namePath(model.name)}`);

/** An operation of the changes of a collection, which are a collection too. */
export const ofChanges =
  (operationOf: (model: CollectionModel, options: OperationOptions) => Operation) =>
  (model: CollectionModel, options: OperationOptions): Operation => ({
    ...operationOf(changesModel(model.name), options),
    ...awaitingTexts(changesModel(model.name)),
  });

/** Whether a query searches changes, or narrows or sorts them by their titles. */
const readsTexts = (query: string): boolean =>
  [...new URLSearchParams(query)].some(
    ([name, value]) => name === 'q' || name.startsWith('title') || (name === 'sort' && value.includes('title')),
  );

/** A resource of changes waits, where a query reads their texts, until the index of these is there. */
export const awaitingTexts = ({ changesOf }: CollectionModel): Pick<Resource, 'awaited'> =>
  changesOf === undefined
    ? {}
    : {
        awaited: ({ comparisons }, query) =>
          readsTexts(query) ? (comparisons.get(changesOf)?.indexTexts() ?? null) : null,
      };

/** Whether a request may take an estimate of a large total, of an engine that has estimates. */
export const countParameter: Parameter = {
  ...oneOf('count', 'estimate takes totals above a million from the planner of the database; exact if not given', [
    'exact',
    'estimate',
  ]),
  fallback: 'exact',
};

/** A field that is called so keeps the name: then no request asks for an estimate. */
export const hasEstimates = ({ fields }: CollectionModel): boolean =>
  !fields.some(({ name }) => name === countParameter.name);

/** The parameters that filter and sort a view, and choose its fields. */
export const selectionParameters = (
  model: CollectionModel,
  { hasAllFields }: OperationOptions,
): readonly Parameter[] => [
  sortParameter(model),
  orderParameter(model),
  ...filterParameters(model),
  fieldsParameter(model, hasAllFields),
];

/**
 * What `use` gives, or the error for parameters that the search index does not support, and for values and conditions that are spelt
 * as in other APIs.
 */
export const unlessFaulty = <T>(
  model: CollectionModel,
  { engine, values }: ResourceRequest,
  use: () => Answer<T>,
): Answer<T | PlainResponse> =>
  whenAnswered(
    parameterFaults(model, engine, values),
    (faults): Answer<T | PlainResponse> =>
      faults.length === 0 ? use() : errorResponse(parameterError('validation_error', faults.slice(0, MAX_DETAILS))),
  );

/**
 * What tells two states of a response apart besides the records: the history, where it shows any of that. `lastChanged` may be a
 * field that is sent, filtered or sorted by.
 */
export function shownState(
  dataset: Dataset,
  model: CollectionModel,
  values: ParameterValues,
  { hasAllFields = false }: OperationOptions,
): Pick<Representation, 'key' | 'isOfSnapshot'> {
  const key = historyKey(dataset, model);
  if (key === '') return model.changesOf === undefined ? { isOfSnapshot: true } : {};
  const isShown =
    model.changesOf !== undefined ||
    hasAllFields ||
    values.get('fields')?.[0] === ALL_FIELDS ||
    [...values].some(
      ([name, texts]) => HISTORY_NAME.test(name) || texts.some((text) => HISTORY_NAME.test(String(text))),
    );
  return isShown ? { key } : { isOfSnapshot: true };
}

const HISTORY_NAME = new RegExp(historyFields.map(({ name }) => name).join('|'));
