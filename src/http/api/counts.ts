/** The operations that count: the values of a field, statistics of numbers and dates, and those of groups. */
import * as v from 'valibot';
import { type ApiError, faultOf, notFound, parameterError } from '../../errors.js';
import { type CollectionModel, type Field, hasField, recordsOf } from '../../model.js';
import { didYouMean } from '../../nearest.js';
import { type Answer, whenAnswered } from '../../query/engine.js';
import type { GroupedStats } from '../../query/groups.js';
import { fieldNamed, filterParameters } from '../../query/operators.js';
import {
  facetLimitParameter,
  oneOf,
  type Parameter,
  someOf,
  startsWithParameter,
  textParameters,
} from '../../query/parameters.js';
import { fieldsOf, numberParameter, queryOf, textParameter } from '../../query/request.js';
import { historyKey } from '../../store/dataset.js';
import { listed, quote, quoted } from '../../text.js';
import { capitalised } from '../markup/format.js';
import type { ResourceRequest } from '../resource.js';
import { errorResponse, JSON_TYPE, type Representation } from '../response.js';
import { type Operation, type OperationOptions, unlessFaulty } from './operations.js';
import { groupedStatsJson, statsJson } from './stats.js';

/** The default `limit` of a field's counted values, and of groups by them. */
export const DEFAULT_VALUES = 100;

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
  parameters: valuesParameters(model, maxLimit, field.name, field.facetLimit),
  handle: (request) => valueCounts(model, field.name, request, field.facetLimit),
});

/** `field` is the one whose values examples have. */
const valuesParameters = (model: CollectionModel, maxLimit: number, field: string, fallback: number | undefined) => [
  facetLimitParameter(maxLimit, fallback),
  startsWithParameter(field),
  ...textParameters,
  ...filterParameters(model),
];

export const values = (model: CollectionModel, { maxLimit }: OperationOptions): Operation => ({
  summary: `Values of a field of ${recordsOf(model)} with their counts`,
  model,
  answers: 'facets',
  pathParameter: valuesField(model),
  parameters: valuesParameters(model, maxLimit, exampleField(model), DEFAULT_VALUES),
  handle(request) {
    const name = textParameter(request.values, countedName(model)) ?? '';
    const fault = countedFault(model, name);
    return fault === null ? valueCounts(model, name, request, DEFAULT_VALUES) : errorResponse(fault);
  },
});

/** The fields whose values are counted: texts, codes, lists of them, and booleans. */
const fieldsByValue = ({ fields }: CollectionModel): readonly string[] =>
  fields.flatMap(({ name, filter }) => (filter?.kind === 'value' ? [name] : []));

/** The field that examples use: the first that has a path for its values, else the first that is counted. */
const exampleField = (model: CollectionModel): string =>
  model.fields.find(({ facet }) => facet !== undefined)?.name ?? fieldsByValue(model)[0] ?? '';

/** Changes have a field named `field`, by which they are narrowed. */
const countedName = ({ changesOf }: CollectionModel): string => (changesOf === undefined ? 'field' : 'countedField');

const valuesField = (model: CollectionModel): Parameter => ({
  name: countedName(model),
  description: 'the field whose values are counted',
  expected: `one of ${listed(fieldsByValue(model))}`,
  schema: v.string(),
  required: true,
  notBlank: true,
  example: exampleField(model),
});

/** Why the values of a field are not counted. */
function countedFault(model: CollectionModel, name: string): ApiError | null {
  const counted = fieldsByValue(model);
  if (!hasField(model, name))
    return notFound(`${capitalised(recordsOf(model))} have no field ${quote(name)}.${didYouMean(name, counted)}`);
  if (counted.includes(name)) return null;
  const says =
    counted.length > 0
      ? [`must have values to count, as ${listed(counted)} have; `, quoted(name), ' has none.']
      : [`must have values to count, and no field of ${recordsOf(model)} has any; `, quoted(name), ' has none either.'];
  return parameterError('validation_error', [faultOf(countedName(model), ...says)]);
}

/** The values of a field with their counts: at most `defaultLimit` of them where no `limit` is given, all where that is undefined. */
function valueCounts(
  model: CollectionModel,
  name: string,
  request: ResourceRequest,
  defaultLimit = Number.POSITIVE_INFINITY,
): Representation {
  const { engine, values } = request;
  const beginning = textParameter(values, 'startsWith') ?? '';
  const limit = numberParameter(values, 'limit') ?? defaultLimit;
  return jsonAnswer(model, request, () =>
    whenAnswered(
      engine.values(model, fieldNamed(model, name), queryOf(model, values), { beginning, limit }),
      (data) => ({ data }),
    ),
  );
}

export const stats = (model: CollectionModel, { maxLimit }: OperationOptions): Operation => ({
  summary: `Count, range, mean and histogram of the numbers and dates of ${recordsOf(model)}, or of each group of them`,
  model,
  answers: 'stats',
  parameters: [...groupParameters(model, maxLimit), ...textParameters, ...filterParameters(model)],
  handle(request) {
    const { engine, values } = request;
    const by = textParameter(values, 'by');
    return jsonAnswer(model, request, () =>
      by === null
        ? whenAnswered(engine.stats(model, queryOf(model, values)), (all) => statsJson(model, all))
        : whenAnswered(groupsBy(by, model, request), (groups) => groupedStatsJson(model, by, groups)),
    );
  },
});

/** The groups of a field's values that a request asks for. */
export function groupsBy(
  by: string,
  model: CollectionModel,
  { engine, values }: ResourceRequest,
): Answer<GroupedStats> {
  const limit = numberParameter(values, 'limit') ?? DEFAULT_VALUES;
  return engine.groups(model, queryOf(model, values), fieldNamed(model, by), fieldsOf(model, values), limit);
}

/** `by`, and what needs it; none where no field has values to count. */
export function groupParameters(model: CollectionModel, maxLimit: number): readonly Parameter[] {
  const names = fieldsByValue(model);
  if (names.length === 0) return [];
  const description = 'statistics of each group of records with a value of this field, the largest groups first';
  return [
    { ...oneOf('by', description, names), example: exampleField(model) },
    ...groupFieldsParameter(model),
    { ...facetLimitParameter(maxLimit, DEFAULT_VALUES, 'groups'), needs: { parameter: 'by' } },
  ];
}

/** The numbers and dates of which groups have statistics. */
function groupFieldsParameter({ fields }: CollectionModel): readonly Parameter[] {
  const names = fields.flatMap(({ name, role, filter }) => (filter?.kind === 'range' && role !== 'id' ? [name] : []));
  const [example] = names;
  if (example === undefined) return [];
  const description = 'statistics of these numbers and dates only, comma-separated';
  return [{ name: 'fields', description, ...someOf(names), example, needs: { parameter: 'by' } }];
}

/** A JSON representation, computed only if it has to be sent. */
const jsonAnswer = (
  model: CollectionModel,
  request: ResourceRequest,
  compute: () => Answer<unknown>,
): Representation => ({
  type: JSON_TYPE,
  key: historyKey(request.dataset, model),
  render: () =>
    unlessFaulty(model, request, () => whenAnswered(compute(), (value) => ({ body: JSON.stringify(value) }))),
});
