/** Holds answers against the OpenAPI document: status, type, body and headers, and nothing that it does not describe. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { assemble } from '../../src/build/build.js';
import { createWholeBuilder } from '../../src/build/parts.js';
import { operationOf, type SiteOperation } from '../../src/http/api/lacks.js';
import type { OperationOptions } from '../../src/http/api/operations.js';
import { createRoutes } from '../../src/http/app.js';
import { type DocumentOptions, openApiDocument } from '../../src/http/openapi/document.js';
import { type CollectionModel, collections } from '../../src/model.js';
import type { QueryEngine } from '../../src/query/engine.js';
import type { Dataset } from '../../src/store/dataset.js';
import { at, isObject, type Json, listOf } from './json.js';

/** HTTP's own, which the document leaves to the RFCs. */
const OF_HTTP = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding', 'vary', 'allow'],
  ...['content-encoding', 'cache-control', 'content-disposition', 'accept-ranges', 'content-range'],
  ...['x-content-type-options', 'cross-origin-resource-policy'],
  ...['access-control-allow-origin', 'access-control-expose-headers'],
]);

function fail(message: string): never {
  throw new Error(message);
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface Checker {
  readonly document: Json;
  /** Fails the test that calls it where the answer is not as described. */
  check(received: Received): void;
  /** Likewise for what cannot be read as a request: it is refused as any path may refuse one. */
  checkUnread(headers: Headers, body: string): void;
  /** Fails where the value does not match the schema. */
  matches(schema: Json, value: unknown, what: string): void;
}

export function createChecker(document: Json): Checker {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addKeyword('components');
  ajv.addSchema({ $id: 'document', components: document.components });
  const compiled = new WeakMap<Json, ValidateFunction>();
  /** One schema for each reference, so that each is compiled once. */
  const references = new Map<string, Json>();

  const resolve = (part: unknown): unknown => {
    const reference = at(part, '$ref');
    return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : part;
  };
  function compile(schema: Json): ValidateFunction {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
    const validate = ajv.compile(absolute);
    compiled.set(schema, validate);
    return validate;
  }
  const matches = (schema: Json, value: unknown, what: string): void => {
    const validate = compile(schema);
    if (!validate(value)) fail(`${what}: ${ajv.errorsText(validate.errors)}`);
  };

  function check({ method, path, status, headers, body }: Received): void {
    const response = responseOf(document, method, path, status);
    const what = `${method} ${path}: ${status}`;
    if (response === undefined) fail(`${what} is not described`);
    const names = new URL(path, 'http://localhost').searchParams;
    // Statistics are no records: their one schema holds whatever fields are named.
    const isOfRecords = !/\/stats(?:\?|$)/.test(path);
    const namesFields = status === 200 && isOfRecords && names.has('fields');
    const kind = status === 206 ? 'part' : namesFields ? 'some fields' : undefined;
    checkAs(response, headers, method === 'HEAD' ? '' : body, what, kind);
  }

  function checkAs(
    response: unknown,
    headers: Headers,
    body: string,
    what: string,
    kind?: 'part' | 'some fields',
  ): void {
    const described = resolve(response);
    checkHeaders(described, headers, what);
    const type = headers.get('Content-Type')?.split(';')[0] ?? '';
    if (body === '') return;
    const schema = at(described, 'content', type, 'schema');
    if (!isObject(schema)) fail(`${what} as ${type} is not described`);
    const isJson = type === 'application/json' || type?.endsWith('+json') === true;
    const value: unknown = isJson && kind !== 'part' ? JSON.parse(body) : body;
    const isFeed = type === 'application/feed+json';
    if (isObject(value) && kind === 'some fields' && !isFeed) checkSomeFields(schema, value, what);
    else matches(schema, value, what);
  }

  /** Records of which the request names the fields have a schema of their own, which the document names in words. */
  function checkSomeFields(schema: Json, value: unknown, what: string): void {
    const list = Array.isArray(value) ? schema : at(resolve(schema), 'properties', 'data');
    if (list === undefined) {
      matches(fieldsOf(schema), value, what);
      return;
    }
    const records = Array.isArray(value) ? value : listOf(at(value, 'data'));
    matches(schema, Array.isArray(value) ? [] : { ...(isObject(value) && value), data: [] }, what);
    for (const record of records) matches(fieldsOf(at(list, 'items')), record, what);
  }

  /** `#/components/schemas/ArticleItem` → `#/components/schemas/ArticleFields`; of other collections `Jobs_Record` → `Jobs_Fields`. */
  function fieldsOf(whole: unknown): Json {
    const $ref = String(at(whole, '$ref')).replace(/(?:Item|(?<=_)Record)?$/, 'Fields');
    const schema = references.get($ref) ?? { $ref };
    references.set($ref, schema);
    return schema;
  }

  function checkHeaders(described: unknown, headers: Headers, what: string): void {
    const known = at(described, 'headers');
    const names = new Map(Object.keys(isObject(known) ? known : {}).map((name) => [name.toLowerCase(), name]));
    for (const [name, value] of headers) {
      if (OF_HTTP.has(name)) continue;
      if (!names.has(name)) fail(`${what} has ${name}, which is not described`);
      const schema = at(resolve(at(known, names.get(name) ?? '')), 'schema');
      if (isObject(schema)) matches(schema, value, `${what}, ${name}`);
    }
    for (const [name, original] of names) {
      const required = at(resolve(at(known, original)), 'required') === true;
      if (required && !headers.has(name)) fail(`${what} lacks ${original}`);
    }
  }

  function checkUnread(headers: Headers, body: string): void {
    if (body !== '') checkAs(at(document, 'components', 'responses', 'invalid_request'), headers, body, 'unread');
  }

  return { document, check, checkUnread, matches };
}

/** The description of an answer: of its operation, or of an error that any path may have. */
function responseOf(document: Json, method: string, path: string, status: number): unknown {
  if (status === 405) return at(document, 'components', 'responses', 'method_not_allowed');
  if (status === 421) return at(document, 'components', 'responses', 'misdirected_request');
  const plain = decoded(path.split('?')[0] ?? '');
  const paths = at(document, 'paths');
  const templates = Object.keys(isObject(paths) ? paths : {});
  const template =
    templates.find((candidate) => candidate === plain) ??
    templates.find((candidate) => new RegExp(`^${candidate.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain));
  if (template === undefined) return status === 404 ? at(document, 'components', 'responses', 'not_found') : undefined;
  return method === 'GET' || method === 'HEAD' ? at(paths, template, 'get', 'responses', String(status)) : undefined;
}

/** Escapes may stand for any character of a path's name. */
const decoded = (path: string): string =>
  path.replace(/%[2-7][0-9a-f]/gi, (code) => (/%2f/i.test(code) ? code : decodeURIComponent(code)));

function nothingOf(models: readonly CollectionModel[]): Dataset {
  const builder = createWholeBuilder();
  for (const model of models) builder.openCollection(model, 'english');
  const report = { files: [], ignored: [], findings: [] };
  return assemble({ ok: true, ...builder.finish(), report, modifiedAt: new Date(0), signature: '' }).dataset;
}

const checkers = new Map<string, Checker>();

/** What answers must be like under these options; that does not depend on the records. */
export function checkerOf(
  { envelope, maxLimit, hasAllFields = false }: DocumentOptions & OperationOptions,
  models: readonly CollectionModel[] = collections,
  engine: Pick<QueryEngine, 'name' | 'lacks'> = {},
): Checker {
  const key = JSON.stringify([envelope, maxLimit, hasAllFields, models, engine.name]);
  const options = { envelope, maxLimit, hasAllFields };
  const operations = () =>
    createRoutes(options, models)
      .map((operation): SiteOperation => operationOf(operation, engine))
      .filter(({ isLacking }) => isLacking !== true);
  const describe = () => openApiDocument(operations(), options, nothingOf(models));
  const checker = checkers.get(key) ?? createChecker(JSON.parse(JSON.stringify(describe())));
  checkers.set(key, checker);
  return checker;
}

/** Whether the document is about this request: pages and the answers to OPTIONS are none of the API's resources. */
export const isDescribed = (method: string, path: string): boolean =>
  method !== 'OPTIONS' && /^\/(?:api(?:\/|$)|health(?:$|\?))/.test(path);

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync };

/** A body as text, whatever its coding. */
export const decodedText = (bytes: Buffer, coding: string | null | undefined): string =>
  (bytes.length > 0 ? (DECODERS[coding ?? '']?.(bytes) ?? bytes) : bytes).toString();

/**
 * Holds a response against the document, whatever its coding. One that came over a connection (it has a URL) is decoded
 * already; a download on its way there is left to the test that reads it.
 */
export async function checkResponse(checker: Checker, method: string, url: string, response: Response): Promise<void> {
  const { pathname, search } = new URL(url, 'http://localhost');
  const path = pathname + search;
  if (!isDescribed(method, path)) return;
  const { status, headers, ok } = response;
  const isReceived = response.url !== '';
  const isOnItsWay = isReceived && ok && pathname.startsWith('/api/export/');
  const bytes = isOnItsWay ? Buffer.alloc(0) : Buffer.from(await response.clone().arrayBuffer());
  const body = decodedText(bytes, isReceived ? null : headers.get('Content-Encoding'));
  checker.check({ method, path, status, headers, body });
}
