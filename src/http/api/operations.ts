/**
 * The operations under /api, one value for each collection: its parameters, and the handler of a checked request. A
 * handler is synchronous, reads one dataset and returns a representation as a value.
 */
import * as v from 'valibot';
import { type ApiError, type Fault, faultOf, MAX_DETAILS, notFound, parameterError } from '../../errors.js';
import { type CollectionModel, type Field, hasField, hasTextValues, recordsOf } from '../../model.js';
import { didYouMean } from '../../nearest.js';
import { Conditions } from '../../query/conditions.js';
import { execute, executeWhole } from '../../query/execute.js';
import { facetsOf } from '../../query/facets.js';
import { meantBy } from '../../query/foreign.js';
import { groupedStats } from '../../query/groups.js';
import { filterParameters, like, operatorParameters } from '../../query/operators.js';
import {
  ALL_FIELDS,
  boostParameters,
  csvParameters,
  DEFAULT_FEED_ITEMS,
  DEFAULT_SIMILAR,
  exportLimitParameter,
  facetLimitParameter,
  fieldsParameter,
  fileFormatParameter,
  formatParameter,
  limitParameter,
  oneOf,
  orderParameter,
  type Parameter,
  pageParameter,
  pathValueParameter,
  recordParameter,
  searchExtraParameters,
  searchTextParameter,
  similarLimitParameter,
  sortParameter,
  startsWithParameter,
  textParameters,
  wordParameters,
} from '../../query/parameters.js';
import type { ParameterValues, Query } from '../../query/query.js';
import {
  csvFormOf,
  feedFormatOf,
  fieldsOf,
  formatOf,
  numberParameter,
  pagingOf,
  queryOf,
  textParameter,
} from '../../query/request.js';
import { similarTo } from '../../query/similar.js';
import { statsOf } from '../../query/stats.js';
import { changesModel, historyFields } from '../../store/changes/changes.js';
import { type Collection, existingValues, rowNamed } from '../../store/collection.js';
import { collectionIn, type Dataset, historyKey } from '../../store/dataset.js';
import { idOfRow } from '../../store/ids.js';
import { recordJson } from '../../store/record-text.js';
import { allValues, codesOfValue, valueCount } from '../../store/value-index.js';
import { listed, quote, quoted } from '../../text.js';
import { createHighlighter } from '../highlight/highlight.js';
import { capitalised } from '../markup/format.js';
import type { AppOptions } from '../options.js';
import { noRecord, type Resource, type ResourceRequest, recordPath } from '../resource.js';
import { errorResponse, JSON_TYPE, type PlainResponse, type Representation, redirect } from '../response.js';
import { namePath, percentEncode } from '../semantics/percent.js';
import { recordsDownload } from './export/export.js';
import { feedRepresentation } from './export/feed.js';
import { feedItems } from './export/feed-items.js';
import { formats } from './export/formats.js';
import { groupsDownload } from './export/groups.js';
import { pageLinks } from './link.js';
import { isWholeRecord, itemsBody, pageBody, projectRecord } from './list.js';
import type { SearchExtras } from './search-page.js';
import { groupedStatsJson, statsJson } from './stats.js';

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

/** Names that an unknown one is compared with, some milliseconds; 200,000 would block the event loop for a second. */
const MAX_COMPARED_NAMES = 1000;

/** The default `limit` of a field's counted values. */
export const DEFAULT_VALUES = 100;

/** The default `limit` of groups. */
export const DEFAULT_GROUPS = DEFAULT_VALUES;

export interface OperationOptions extends Pick<AppOptions, 'maxLimit' | 'envelope' | 'hasAllFields'> {
  /** When the newest file of the served dump was modified. */
  readonly dumpDate?: () => Date;
}

export const exportPath = (model: CollectionModel): string => `/api/export/${namePath(model.name)}`;

/** RFC 6266: a name that is no ASCII is given in its encoding. */
export function attachment(name: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(name);
  return isAscii ? `attachment; filename="${name}"` : `attachment; filename*=UTF-8''${percentEncode(name)}`;
}

/** The parameters that filter and sort a view, and choose its fields. */
const selectionParameters = (model: CollectionModel, { hasAllFields }: OperationOptions): readonly Parameter[] => [
  sortParameter(model),
  orderParameter(model),
  ...filterParameters(model),
  fieldsParameter(model, hasAllFields),
];

const pagingParameters = (model: CollectionModel, options: OperationOptions): readonly Parameter[] => [
  pageParameter,
  limitParameter(options.maxLimit),
  ...selectionParameters(model, options),
];

/** The parameters of a list, which may be searched. */
const listParameters = (model: CollectionModel, options: OperationOptions): readonly Parameter[] => [
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
function listAnswer(
  model: CollectionModel,
  request: ResourceRequest,
  options: OperationOptions,
  exportPair: string,
): Representation | PlainResponse {
  const collection = collectionIn(request.dataset, model);
  const { search } = collection;
  const { values } = request;
  const [suggests, highlights] = [numberParameter(values, 'suggest') === 1, numberParameter(values, 'highlight') === 1];
  const fault = collectionFault(collection, values);
  if (fault !== null) return errorResponse(fault);
  if (!suggests && !highlights) return pageAnswer(model, request, options, exportPair);
  return pageAnswer(model, request, options, exportPair, (query) => ({
    highlighter: highlights ? createHighlighter(search, query) : null,
    suggestion: suggests ? (search.suggestion?.(query.text ?? '', query.textOptions) ?? null) : undefined,
  }));
}

/** The error for parameters that the search engine does not support, and for values that are spelt as in other APIs. */
function collectionFault(collection: Collection, values: ParameterValues): ApiError | null {
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

/** Lists of the records that have a value of the field in the path: `/api/products/category/Books`. */
export const listsByValue = (model: CollectionModel, options: OperationOptions): readonly Operation[] =>
  model.fields.flatMap(({ name, listedByPath }) => (listedByPath ? listOfValue(model, name, options) : []));

/** Whether a parameter narrows by a field: of a list of one category, no other category is asked for. */
const isOfField = (model: CollectionModel, field: string, parameter: Parameter): boolean =>
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

/** Counted values of the fields that have a plural name: `/api/products/categories`. */
export const facets = (model: CollectionModel, options: OperationOptions): readonly Operation[] =>
  model.fields.flatMap((field) => (field.facet === undefined ? [] : facetsOfField(model, field, field.facet, options)));

const facetsOfField = (
  model: CollectionModel,
  field: Field,
  facet: string,
  { maxLimit }: OperationOptions,
): Operation => ({
  name: facet,
  summary: `${capitalised(facet)} of ${model.name} with their counts`,
  model,
  answers: 'facets',
  parameters: [
    facetLimitParameter(maxLimit, field.facetLimit),
    startsWithParameter(field.name),
    ...textParameters,
    ...filterParameters(model),
  ],
  handle: (request) => valueCounts(model, field.name, request, field.facetLimit),
});

/** The values of a field with their counts: at most `defaultLimit` of them where no `limit` is given, all where that is undefined. */
function valueCounts(
  model: CollectionModel,
  field: string,
  { dataset, values }: ResourceRequest,
  defaultLimit = Number.POSITIVE_INFINITY,
): Representation | PlainResponse {
  const collection = collectionIn(dataset, model);
  const beginning = textParameter(values, 'startsWith') ?? '';
  const limit = numberParameter(values, 'limit') ?? defaultLimit;
  const fault = collectionFault(collection, values);
  if (fault !== null) return errorResponse(fault);
  return jsonAnswer(historyKey(dataset, model), () => {
    const { all } = new Conditions(collection, queryOf(model, values));
    return { data: facetsOf(collection, field, all, { beginning, limit }) };
  });
}

/** The fields whose values are counted: texts, codes, lists of them, and booleans. */
const fieldsByValue = ({ fields }: CollectionModel): readonly string[] =>
  fields.flatMap(({ name, filter }) => (filter?.kind === 'value' ? [name] : []));

/** The field that examples use: the first that has a path for its values, else the first that is counted. */
const exampleField = (model: CollectionModel): string =>
  model.fields.find(({ facet }) => facet !== undefined)?.name ?? fieldsByValue(model)[0] ?? '';

/** Changes have a field named `field`, by which they are narrowed. */
const countedName = ({ changesOf }: CollectionModel): string => (changesOf === undefined ? 'field' : 'counted');

const valuesField = (model: CollectionModel): Parameter => ({
  name: countedName(model),
  description: 'the field whose values are counted',
  expected: `one of ${listed(fieldsByValue(model))}`,
  schema: v.string(),
  required: true,
  notBlank: true,
  example: exampleField(model),
});

export const values = (model: CollectionModel, { maxLimit }: OperationOptions): Operation => ({
  summary: `Values of a field of ${recordsOf(model)} with their counts`,
  model,
  answers: 'facets',
  pathParameter: valuesField(model),
  parameters: [
    facetLimitParameter(maxLimit, DEFAULT_VALUES),
    startsWithParameter(exampleField(model)),
    ...textParameters,
    ...filterParameters(model),
  ],
  handle(request) {
    const name = textParameter(request.values, countedName(model)) ?? '';
    const fault = countedFault(model, name);
    return fault === null ? valueCounts(model, name, request, DEFAULT_VALUES) : errorResponse(fault);
  },
});

/** Why the values of a field are not counted. */
export function countedFault(model: CollectionModel, name: string): ApiError | null {
  const counted = fieldsByValue(model);
  if (!hasField(model, name))
    return notFound(`${capitalised(recordsOf(model))} have no field ${quote(name)}.${didYouMean(name, counted)}`);
  if (counted.includes(name)) return null;
  const says =
    counted.length > 0
      ? [`must have values to count, as ${listed(counted)} have; `, quoted(name), ' has none.']
      : [`must have values to count, and no field of ${recordsOf(model)} has any; `, quoted(name), ' has none either.'];
  return parameterError('validation_error', [faultOf('field', ...says)]);
}

/** The numbers and dates of which groups have statistics. */
function groupFieldsParameter({ fields }: CollectionModel): readonly Parameter[] {
  const names = fields.flatMap(({ name, role, filter }) => (filter?.kind === 'range' && role !== 'id' ? [name] : []));
  const [example] = names;
  if (example === undefined) return [];
  return [
    {
      name: 'fields',
      description: 'statistics of these numbers and dates only, comma-separated',
      expected: `a comma-separated list of ${listed(names)}`,
      schema: v.pipe(
        v.string(),
        v.check((text) => text.split(',').every((name) => names.includes(name))),
      ),
      example,
      needs: { parameter: 'by' },
    },
  ];
}

/** `by`, and what needs it; none where no field has values to count. */
export function groupParameters(model: CollectionModel, maxLimit: number): readonly Parameter[] {
  const names = fieldsByValue(model);
  if (names.length === 0) return [];
  const description = 'statistics of each group of records with a value of this field, the largest groups first';
  return [
    { ...oneOf('by', description, names), example: exampleField(model) },
    ...groupFieldsParameter(model),
    {
      ...facetLimitParameter(maxLimit, DEFAULT_VALUES),
      description: `greatest number of groups; ${DEFAULT_VALUES} if not given`,
      needs: { parameter: 'by' },
    },
  ];
}

export const stats = (model: CollectionModel, { maxLimit }: OperationOptions): Operation => ({
  summary: `Count, range, mean and histogram of the numbers and dates of ${recordsOf(model)}, or of each group of them`,
  model,
  answers: 'stats',
  parameters: [...groupParameters(model, maxLimit), ...textParameters, ...filterParameters(model)],
  handle({ dataset, values }) {
    const collection = collectionIn(dataset, model);
    const fault = collectionFault(collection, values);
    if (fault !== null) return errorResponse(fault);
    const key = historyKey(dataset, model);
    const by = textParameter(values, 'by');
    if (by === null) return jsonAnswer(key, () => statsJson(model, statsOf(collection, queryOf(model, values))));
    const limit = numberParameter(values, 'limit') ?? DEFAULT_VALUES;
    return jsonAnswer(key, () =>
      groupedStatsJson(model, by, groupedStats(collection, queryOf(model, values), by, fieldsOf(model, values), limit)),
    );
  },
});

/** Groups as a file: none for a collection in which no field has values to group by. */
export const exportStats = (model: CollectionModel, { maxLimit }: OperationOptions): readonly Operation[] => {
  const [by, ...others] = groupParameters(model, maxLimit);
  if (by === undefined) return [];
  const parameters = [{ ...by, required: true as const }, ...others, fileFormatParameter, ...csvParameters];
  return [
    {
      summary: `Export count, range, mean and median of the numbers and dates of each group of ${model.name}`,
      model,
      answers: 'statsFile',
      parameters: [...parameters, ...textParameters, ...filterParameters(model)],
      isDeferred: true,
      handle({ dataset, values }) {
        const collection = collectionIn(dataset, model);
        const fault = collectionFault(collection, values);
        if (fault !== null) return errorResponse(fault);
        const key = historyKey(dataset, model);
        const format = formatOf(values);
        const by = textParameter(values, 'by') ?? '';
        const limit = numberParameter(values, 'limit') ?? DEFAULT_VALUES;
        return {
          type: formats[format].type,
          ...(key === '' ? { isOfSnapshot: true as const } : { key }),
          headers: { 'Content-Disposition': attachment(`${model.name}-by-${by}.${format}`) },
          async open(nextTurn) {
            await nextTurn();
            const grouped = groupedStats(collection, queryOf(model, values), by, fieldsOf(model, values), limit);
            return groupsDownload(model, by, grouped, format, csvFormOf(values));
          },
        };
      },
    },
  ];
};

export const record = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `One ${model.singular.toLowerCase()} by id`,
  model,
  answers: 'record',
  pathParameter: recordParameter(model),
  parameters: [fieldsParameter(model, options.hasAllFields)],
  handle: (request) => {
    const fields = fieldsOf(model, request.values, options.hasAllFields);
    return recordAnswer(model, request, options, ({ text }, row) => {
      if (fields === null) return recordJson(text, row, 'default');
      const record = recordJson(text, row, 'whole');
      return isWholeRecord(model, fields) ? record : projectRecord(model, record, fields);
    });
  },
});

export const similar = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `${capitalised(model.name)} like one, by the words that tell most of it`,
  model,
  answers: 'similar',
  pathParameter: recordParameter(model),
  parameters: [similarLimitParameter(options.maxLimit)],
  handle(request) {
    const limit = numberParameter(request.values, 'limit') ?? DEFAULT_SIMILAR;
    return recordAnswer(model, request, options, (collection, row) =>
      itemsBody(collection, similarTo(collection, row, limit), ']}'),
    );
  },
});

export const exportAll = (model: CollectionModel, options: OperationOptions): Operation => ({
  summary: `Export all ${recordsOf(model)}, or those that a query finds`,
  model,
  answers: 'file',
  parameters: [
    formatParameter,
    exportLimitParameter(options.maxLimit),
    ...csvParameters,
    ...textParameters,
    ...boostParameters(model),
    ...selectionParameters(model, options),
  ],
  isDeferred: true,
  handle({ dataset, values, path, query: search }) {
    const collection = collectionIn(dataset, model);
    const fault = collectionFault(collection, values);
    if (fault !== null) return errorResponse(fault);
    const query = queryOf(model, values);
    const format = formatOf(values);
    const feedFormat = feedFormatOf(values);
    const name = model.name.replace('/', '-');
    if (feedFormat !== undefined) {
      const updated = dumpDateOf(options);
      return feedRepresentation(feedFormat, name, `${updated} ${historyKey(dataset, model)}`, () => ({
        title: capitalised(recordsOf(model)),
        self: `${path}?${search}`,
        page: `/${namePath(model.name)}`,
        updated,
        items: feedItems(dataset, model, query, { limit: feedLimitOf(options, values), dumpDate: updated }),
      }));
    }
    return {
      type: formats[format].type,
      ...shownState(dataset, model, values, options),
      headers: { 'Content-Disposition': attachment(`${name}.${format}`) },
      open(nextTurn) {
        const rows = exportedRows(collection, query, numberParameter(values, 'limit'));
        const exported = { collection, rows, fields: fieldsOf(model, values, options.hasAllFields) };
        return recordsDownload(exported, format, csvFormOf(values), nextTurn);
      },
    };
  },
});

/** An operation of the changes of a collection, which are a collection too. */
export const ofChanges =
  (operationOf: (model: CollectionModel, options: OperationOptions) => Operation) =>
  (model: CollectionModel, options: OperationOptions): Operation =>
    operationOf(changesModel(model.name), options);

/** The changes of one record, the newest first: the path's parameter is the filter `record`. */
export const history = (model: CollectionModel, options: OperationOptions): Operation => {
  const changes = changesModel(model.name);
  return {
    summary: `The changes of one ${model.singular.toLowerCase()}, the newest first`,
    model: changes,
    answers: 'search',
    pathParameter: { ...recordParameter(model), name: 'record' },
    parameters: listParameters(changes, options).filter((parameter) => !isOfField(changes, 'record', parameter)),
    handle: (request) =>
      withRecord(model, 'record', request, (_, id) => listAnswer(changes, request, options, `record=${id}`)),
  };
};

const feedLimitOf = ({ maxLimit }: OperationOptions, values: ParameterValues): number =>
  numberParameter(values, 'limit') ?? Math.min(DEFAULT_FEED_ITEMS, maxLimit);

const dumpDateOf = ({ dumpDate }: OperationOptions): string => (dumpDate?.() ?? new Date(0)).toISOString();

/** The rows of a file; null for every record in snapshot order. */
function exportedRows(collection: Collection, query: Query, limit: number | null): Uint32Array | null {
  if (limit !== null) return Uint32Array.from(execute(collection, query, { page: 1, limit }).rows);
  return isWhole(query) ? null : executeWhole(collection, query);
}

/** Whether a query asks for every record in snapshot order. */
const isWhole = ({ text, filters, sort }: Query): boolean => text === null && filters.length === 0 && sort === null;

/** The representation of the record that has the id, a redirect to the one that has the key, or the 404 response. */
const recordAnswer = (
  model: CollectionModel,
  request: ResourceRequest,
  options: OperationOptions,
  bodyOf: (collection: Collection, row: number) => Uint8Array<ArrayBuffer>,
): Representation | PlainResponse =>
  withRecord(model, 'id', request, (row) => ({
    type: JSON_TYPE,
    ...shownState(request.dataset, model, request.values, options),
    render: () => ({ body: bodyOf(collectionIn(request.dataset, model), row) }),
  }));

/** `parameter`: the path's parameter that names the record. */
function withRecord(
  model: CollectionModel,
  parameter: string,
  { dataset, values, path, query }: ResourceRequest,
  answerOf: (row: number, id: number) => Representation | PlainResponse,
): Representation | PlainResponse {
  const collection = collectionIn(dataset, model);
  const segment = textParameter(values, parameter) ?? '';
  const named = rowNamed(collection, segment);
  if (named === undefined) return errorResponse(noRecord(model, segment));
  const { row, isByKey } = named;
  const id = idOfRow(collection.ids, row);
  return isByKey ? redirect(recordPath(path, 3, id, query)) : answerOf(row, id);
}

/**
 * What tells two states of a response apart besides the records: the history, where it shows any of that. `lastChanged` may be a
 * field that is sent, filtered or sorted by.
 */
function shownState(
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

function pageAnswer(
  model: CollectionModel,
  { dataset, values, path, query }: ResourceRequest,
  options: OperationOptions,
  exportPair: string,
  extrasOf?: (query: Query) => SearchExtras,
): Representation | PlainResponse {
  const collection: Collection = collectionIn(dataset, model);
  const render = () => {
    const paging = pagingOf(values);
    const viewQuery = queryOf(model, values);
    const page = execute(collection, viewQuery, paging);
    const view = { path, query, exportPath: exportPath(model), exportPair };
    const body = pageBody(
      collection,
      page,
      paging,
      options.envelope,
      fieldsOf(model, values, options.hasAllFields),
      extrasOf?.(viewQuery),
    );
    return { body, headers: { ...pageLinks(view, paging, page.total), 'X-Total-Count': String(page.total) } };
  };
  return { type: JSON_TYPE, ...shownState(dataset, model, values, options), render };
}

/** A JSON representation, computed only if it has to be sent. */
const jsonAnswer = (key: string, compute: () => unknown): Representation => ({
  type: JSON_TYPE,
  key,
  render: () => ({ body: JSON.stringify(compute()) }),
});
