/** One operation of the document for each route: its parameters and everything it answers. */
import type { ErrorCode } from '../../errors.js';
import type { Parameter } from '../../query/parameters.js';
import type { Dataset } from '../../store/dataset.js';
import type { AddressedOperation } from '../api/operations.js';
import { capitalised } from '../markup/format.js';
import { JSON_TYPE, NDJSON_TYPE } from '../response.js';
import { errorResponses } from './errors.js';
import { exampleAnswer, exampleChange, exampleRecord, exampleValue } from './examples.js';
import type { OpenApiHeaders } from './headers.js';
import { type JsonSchema, jsonSchema, reference } from './json-schema.js';
import { namesOf } from './schemas.js';

export const CSV_TYPE = 'text/csv';

/** `/api/articles/:id` → `/api/articles/{id}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** `/api/articles/:id` → `getArticlesById`. */
export const operationId = (path: string): string =>
  `get${path
    .replace(/^\/api\//, '')
    .split(/[^\w:]+/)
    .map((word) => word.replace(/^:(\w)/, (_, initial: string) => `By${initial.toUpperCase()}`))
    .map(capitalised)
    .join('')}`;

/** What holds for every operation of one server. */
export interface Common {
  readonly headers: OpenApiHeaders;
  readonly isLimited: boolean;
}

export function operation(route: AddressedOperation, dataset: Dataset, common: Common): JsonSchema {
  const { model } = route;
  const isOfChanges = route.answers === 'changes' || route.answers === 'changesFile';
  const record = isOfChanges ? exampleChange(dataset, model) : exampleRecord(dataset, model);
  const exampleOf = (parameter: Parameter) => (record === null ? null : exampleValue(parameter, model, record));
  const path = route.pathParameter ? [parameter(route.pathParameter, 'path', exampleOf)] : [];
  return {
    operationId: operationId(route.path),
    summary: route.summary,
    tags: [model.name],
    parameters: [...path, ...route.parameters.map((each) => parameter(each, 'query', exampleOf))],
    responses: {
      '200': found(route, dataset, common),
      ...(route.answers === 'file' && { '206': reference('responses', 'part') }),
      '304': reference('responses', 'not_modified'),
      ...errorResponses(errorsOf(route, common)),
    },
  };
}

function parameter(
  given: Parameter,
  place: 'path' | 'query',
  exampleOf: (parameter: Parameter) => string | null,
): JsonSchema {
  const { name, description, expected, schema, repeatable, required, notBlank, fallback } = given;
  const one = typedSchema({ ...(notBlank && { minLength: 1 }), ...jsonSchema(schema) });
  const typed = (text: string): unknown => (one.type === 'integer' || one.type === 'number' ? Number(text) : text);
  const example = exampleOf(given);
  return {
    name,
    in: place,
    description: `${capitalised(description)}: ${expected}.`,
    ...((required || place === 'path') && { required: true }),
    schema: repeatable
      ? { type: 'array', items: one }
      : { ...one, ...(fallback !== undefined && { default: typed(fallback) }) },
    ...(repeatable && { style: 'form', explode: true }),
    ...(example !== null && { example: repeatable ? [example] : typed(example) }),
  };
}

const INTEGER_PATTERN = '^-?\\d+$';

/** Digits are numbers to a client, though they are read as text: `highlight: 1` compiles, and an id is what records have. */
function typedSchema(schema: JsonSchema): JsonSchema {
  if (schema.pattern === INTEGER_PATTERN) return { type: 'integer' };
  const { enum: values } = schema;
  const isSwitch = Array.isArray(values) && values.every((value) => value === '0' || value === '1');
  return isSwitch ? { type: 'integer', enum: values.map(Number) } : schema;
}

/** What every route with parameters may answer, and what only some do. */
const errorsOf = ({ answers, pathParameter }: AddressedOperation, { isLimited }: Common): readonly ErrorCode[] => [
  'invalid_request',
  ...(pathParameter ? (['not_found'] as const) : []),
  'precondition_failed',
  'misdirected_request',
  ...(answers === 'file' ? (['range_not_satisfiable'] as const) : []),
  'validation_error',
  ...(isLimited ? (['rate_limit_exceeded'] as const) : []),
  'internal_error',
  'unavailable',
];

const isPaged = ({ answers }: AddressedOperation): boolean => ['list', 'search', 'changes'].includes(answers);

/** A download in each of its formats; `record` is what a line of it holds as JSON. */
const download = (description: string, record: JsonSchema, { headers }: Common): JsonSchema => ({
  description,
  headers: headers.of('found', 'file', 'limited'),
  content: {
    [JSON_TYPE]: { schema: { type: 'array', items: record } },
    [CSV_TYPE]: { schema: { type: 'string' } },
    [NDJSON_TYPE]: { schema: { type: 'string' } },
  },
});

const CHANGES_DOWNLOAD =
  'The download: JSON and NDJSON as the operation for pages tells it, a record a line; CSV has a line for each changed field, of `content` with numbers of words, of `tags` with the names that are gone and those that are new.';
const DOWNLOAD =
  'The download. Records are whole, unless `fields` names some; JSON has one record a line, CSV is RFC 4180.';

function found(route: AddressedOperation, dataset: Dataset, common: Common): JsonSchema {
  const names = namesOf(route.model);
  const shapeOf = (name: string): JsonSchema => reference('schemas', name);
  if (route.answers === 'changesFile') return download(CHANGES_DOWNLOAD, shapeOf(names.change), common);
  if (route.answers === 'file') return download(DOWNLOAD, shapeOf(names.record), common);
  const example = exampleAnswer(route, dataset);
  return {
    description: route.summary,
    headers: common.headers.of('found', 'limited', ...(isPaged(route) ? (['page'] as const) : [])),
    content: { [JSON_TYPE]: { schema: shapeOf(names[route.answers]), ...(example !== null && { example }) } },
  };
}
