/**
 * The OpenAPI 3.1 document, made from the routes, the Valibot schemas of parameters and records, the error catalogue and
 * the served data. A new route or parameter appears in it by itself.
 */
import { type Parameter, reportParameter } from '../../query/parameters.js';
import type { Dataset } from '../../store/dataset.js';
import type { AddressedOperation } from '../api/operations.js';
import type { AppOptions } from '../options.js';
import { JSON_TYPE } from '../response.js';
import { type JsonSchema, reference } from './json-schema.js';
import { operation, operationId, parameter, templateOf, textTypes } from './operations.js';
import { errorComponents, errorReferences, headerComponents, response } from './responses.js';
import { componentSchemas } from './schemas.js';
import type { OpenApiOperation, OpenApiResponse } from './types.js';
import { TYPES_PATH } from './typescript.js';

export type DocumentOptions = Pick<AppOptions, 'envelope' | 'hasAllFields' | 'version'>;

export const OPENAPI_PATH = '/api/openapi.json';
const PLAIN_TEXT = 'text/plain';
export const HEALTH_PATH = '/health';
const INDEX_PATH = '/api';
/** The operations that are about no collection. */
export const servicePaths = [INDEX_PATH, OPENAPI_PATH, TYPES_PATH, HEALTH_PATH];
/** No collection has an upper-case letter in its name. */
const SERVICE_TAG = 'Service';

const DESCRIPTION = `The records of a scrape as JSON: lists with sorting and filters, full-text search, counts, statistics and exports.

The API is read-only, and needs no key. Every operation is a GET. HEAD gives the same headers without a body, OPTIONS the
allowed methods, and any other method is a 405.

Every 200 has an \`ETag\`. A client that sends it back in \`If-None-Match\` gets a 304 without a body if nothing has changed.
Bodies of 1 kB or more are compressed with brotli or gzip if \`Accept-Encoding\` allows it.`;

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

/** The operation of each route by its path, made when it is asked for: its examples are answers to requests. */
export function* operationsByPath(routes: readonly AddressedOperation[], dataset: Dataset) {
  for (const route of routes) yield [templateOf(route.path), { get: operation(route, dataset) }] as const;
}

export function openApiDocument(
  routes: readonly AddressedOperation[],
  options: DocumentOptions,
  dataset: Dataset,
  operations = [...operationsByPath(routes, dataset)],
) {
  const models = [...new Set(routes.map(({ model }) => model))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Scraper Data API',
      version: options.version ?? '0.0.0',
      description: DESCRIPTION,
    },
    tags: [...models.flatMap(({ name, changesOf }) => (changesOf === undefined ? name : [])), SERVICE_TAG].map(
      (name) => ({
        name,
      }),
    ),
    paths: {
      ...Object.fromEntries(operations),
      ...service(INDEX_PATH, 'Index of all operations', { type: 'object' }),
      ...service(OPENAPI_PATH, 'This document, in OpenAPI 3.1', { type: 'object' }),
      ...service(TYPES_PATH, 'TypeScript interfaces of the collections', { type: 'string' }, [], PLAIN_TEXT),
      ...service(HEALTH_PATH, 'Health: loaded data, and on request the report of loading it', { type: 'object' }, [
        reportParameter,
      ]),
    },
    components: {
      schemas: componentSchemas(models, options),
      headers: headerComponents,
      responses: RESPONSES,
    },
  };
}

const RESPONSES: Readonly<Record<string, OpenApiResponse>> = {
  ...errorComponents,
  part: response(
    'The part of a JSON or NDJSON file that `Range` requests: bytes of the file without compression.',
    textTypes(['json', 'ndjson']),
  ),
  not_modified: response('Not modified: the copy that the client has is current.'),
};

/** An operation that is about no collection. */
function service(
  path: string,
  summary: string,
  schema: JsonSchema,
  parameters: readonly Parameter[] = [],
  type = JSON_TYPE,
): Readonly<Record<string, { readonly get: OpenApiOperation }>> {
  const get: OpenApiOperation = {
    operationId: operationId(path),
    summary,
    tags: [SERVICE_TAG],
    ...(parameters.length > 0 && { parameters: parameters.map((each) => parameter(each, 'query', () => null)) }),
    responses: {
      '200': response(`${summary}.`, { [type]: { schema } }),
      '304': reference('responses', 'not_modified'),
      ...errorReferences,
    },
  };
  return { [path]: { get } };
}
