/**
 * What the operations under /api have in common. Each is one value for each collection: its parameters, and the handler of a
 * checked request. A handler is synchronous, reads one dataset and returns a representation as a value.
 */
import { type ApiError, type Fault, faultOf, MAX_DETAILS, parameterError } from '../../errors.js';
import { type CollectionModel, hasTextValues } from '../../model.js';
import { meantBy } from '../../query/foreign.js';
import { filterParameters, like, operatorParameters } from '../../query/operators.js';
import { ALL_FIELDS, fieldsParameter, orderParameter, type Parameter, sortParameter } from '../../query/parameters.js';
import type { ParameterValues } from '../../query/query.js';
import { numberParameter } from '../../query/request.js';
import { changesModel, historyFields } from '../../store/changes/changes.js';
import type { Collection } from '../../store/collection.js';
import { type Dataset, historyKey } from '../../store/dataset.js';
import { existingValues } from '../../store/named-rows.js';
import { quoted } from '../../text.js';
import type { AppOptions } from '../options.js';
import type { Resource } from '../resource.js';
import type { Representation } from '../response.js';
import { namePath } from '../semantics/percent.js';

/** A resource of the API, with its description for the OpenAPI document. */
export interface Operation extends Resource {
  readonly summary: string;
  readonly model: CollectionModel;
  /** The kind of the body that a 200 has. */
  readonly answers: 'search' | 'record' | 'file' | 'similar' | 'facets' | 'stats' | 'statsFile';
  readonly parameters: readonly Parameter[];
  /** Whether its engine lacks some parameters that memory has. */
  readonly mayLack?: true;
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

export const exportPath = (model: CollectionModel): string => `/api/export/${namePath(model.name)}`;

/** An operation of the changes of a collection, which are a collection too. */
export const ofChanges =
  (operationOf: (model: CollectionModel, options: OperationOptions) => Operation) =>
  (model: CollectionModel, options: OperationOptions): Operation =>
    operationOf(changesModel(model.name), options);

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

/** The error for parameters that the search engine does not support, and for values that are spelt as in other APIs. */
export function collectionFault(collection: Collection, values: ParameterValues): ApiError | null {
  const { engine, suggestion } = collection.search;
  const faults: Fault[] = [...foreignValues(collection, values)];
  if (numberParameter(values, 'suggest') === 1 && suggestion === null)
    faults.push(faultOf('suggest', `must be 0: --engine ${engine} does not tell spellings.`));
  if (values.has('boost') && engine !== 'bm25f')
    faults.push(faultOf('boost', `must be left out: --engine ${engine} ranks by the text alone.`));
  return faults.length === 0 ? null : parameterError('validation_error', faults.slice(0, MAX_DETAILS));
}

/** Values that no record has, while all that they stand for elsewhere is there: `eq.Art`, `Hamburg,Oslo`, `*burg*`. */
function foreignValues(collection: Collection, values: ParameterValues): readonly Fault[] {
  return operatorParameters(collection.model).flatMap(({ field, operator, parameter: { name } }) => {
    if (!hasTextValues(field) || field.kind === 'url' || operator.suffix !== '') return [];
    const readValues = (values.get(name) ?? []).map(String).flatMap((value) => {
      const meaning = meantBy(value);
      return meaning === null ? [] : [{ value, meaning }];
    });
    if (readValues.length === 0) return [];
    const existing = existingValues(
      collection,
      field,
      readValues.flatMap(({ value, meaning }) => [value, ...meaning.values]),
    );
    return readValues.flatMap(({ value, meaning }) => {
      if (existing.has(value)) return [];
      // A part takes a look at each text, so only the first value of a field may stand for one.
      const isThere =
        meaning.suffix === like.suffix
          ? meaning === readValues[0]?.meaning && like.rows(collection, field, meaning.values, 'any').count > 0
          : meaning.values.every((one) => existing.has(one));
      if (!isThere) return [];
      const written = meaning.values.map((one) => `${name}${meaning.suffix}=${one}`).join('&');
      return [faultOf(name, 'has no value ', quoted(value), `. Write ${written}.`)];
    });
  });
}

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
