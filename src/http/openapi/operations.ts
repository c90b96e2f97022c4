/** The OpenAPI operation of a route: its parameters and responses. */
import { type ExportFormat, exportFormats, namedKeys, type Parameter } from '../../query/parameters.js';
import type { Dataset } from '../../store/dataset.js';
import { feedMediaType } from '../api/export/feed.js';
import { mediaTypeOf } from '../api/export/formats.js';
import type { AddressedOperation } from '../api/operations.js';
import { capitalised } from '../markup/format.js';
import { JSON_TYPE } from '../response.js';
import { percentDecode } from '../semantics/percent.js';
import { exampleAnswer, exampleRecord, exampleValue } from './examples.js';
import { type JsonSchema, jsonSchema, reference } from './json-schema.js';
import { errorReferences, response } from './responses.js';
import { identifierOf, schemaNames } from './schemas.js';
import type { OpenApiContent, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './types.js';

/** `/api/articles/:id` → `/api/articles/{id}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** `/api/articles/:id` → `getArticlesById`. */
export const operationId = (path: string, collection = ''): string =>
  `get${path
    .replace(/^\/api\//, '')
    .split('/')
    .flatMap((segment) => (percentDecode(segment) === collection ? identifierOf(collection) : segment.split(/[^\w:]+/)))
    .map((word) => word.replace(/^:(\w)/, (_, initial: string) => `By${initial.toUpperCase()}`))
    .map(capitalised)
    .join('')}`;

export function operation(route: AddressedOperation, dataset: Dataset): OpenApiOperation {
  const { model } = route;
  const record = exampleRecord(dataset, model);
  const records = model.changesOf ?? model.name;
  const exampleOf = (parameter: Parameter) => (record === null ? null : exampleValue(parameter, model, record));
  const path = route.pathParameter ? [parameter(route.pathParameter, 'path', exampleOf)] : [];
  return {
    operationId: operationId(route.path, records),
    summary: route.summary,
    tags: [records],
    parameters: [...path, ...route.parameters.map((each) => parameter(each, 'query', exampleOf))],
    responses: {
      '200': okResponse(route, dataset),
      ...(route.answers === 'file' && { '206': reference('responses', 'part') }),
      '304': reference('responses', 'not_modified'),
      ...(route.pathParameter?.name === 'id' &&
        model.keys && { '307': response(`The record that has this ${namedKeys(model.keys)}.`) }),
      ...errorReferences,
    },
  };
}

export function parameter(
  source: Parameter,
  place: 'path' | 'query',
  exampleOf: (parameter: Parameter) => string | null,
): OpenApiParameter {
  const { name, description, expected, schema, repeatable, required, notBlank, fallback } = source;
  const itemSchema = typedSchema({ ...(notBlank && { minLength: 1 }), ...jsonSchema(schema) });
  const typed = (text: string): unknown =>
    itemSchema.type === 'integer' || itemSchema.type === 'number' ? Number(text) : text;
  const example = exampleOf(source);
  return {
    name,
    in: place,
    description: `${capitalised(description)}.${itemSchema.enum === undefined ? ` ${capitalised(expected)}.` : ''}`,
    ...((required || place === 'path') && { required: true }),
    schema: repeatable
      ? { type: 'array', items: itemSchema }
      : { ...itemSchema, ...(fallback !== undefined && { default: typed(fallback) }) },
    ...(example !== null && { example: repeatable ? [typed(example)] : typed(example) }),
  };
}

const INTEGER_PATTERN = '^-?\\d+$';

/** Parameters of digits are integers in the document, so that typed clients accept `highlight: 1` and an id from a record. */
function typedSchema(schema: JsonSchema): JsonSchema {
  if (schema.pattern === INTEGER_PATTERN) return { type: 'integer' };
  const { enum: values } = schema;
  const isSwitch = Array.isArray(values) && values.every((value) => value === '0' || value === '1');
  return isSwitch ? { type: 'integer', enum: values.map(Number) } : schema;
}

/** The content of a file in some formats, as text. */
export const textTypes = (names: readonly ExportFormat[]): OpenApiContent =>
  Object.fromEntries(names.map((format) => [mediaTypeOf(format), { schema: { type: 'string' } }]));

/** The content of a file in each of its formats; `item` is the schema of a record or a group. */
const fileTypes = (item: JsonSchema) => ({
  ...textTypes(exportFormats),
  [mediaTypeOf('json')]: { schema: { type: 'array', items: item } },
});

const FEEDS = {
  [feedMediaType('atom')]: { schema: { type: 'string' } },
  [feedMediaType('jsonfeed')]: { schema: { type: 'object' } },
};

function okResponse(route: AddressedOperation, dataset: Dataset): OpenApiResponse {
  const names = schemaNames(route.model);
  const shapeOf = (name: string) => reference('schemas', name);
  const description = `${route.summary}.`;
  if (route.answers === 'statsFile') return response(description, fileTypes(shapeOf(names.group)));
  if (route.answers === 'file') return response(description, { ...fileTypes(shapeOf(names.record)), ...FEEDS });
  const example = exampleAnswer(route, dataset);
  const schema = shapeOf(names[route.answers]);
  return response(description, { [JSON_TYPE]: { schema, ...(example !== null && { example }) } });
}
