/** Holds answers against the OpenAPI document: status, type, body and headers, and nothing that it does not describe. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { App } from './api.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), value);

/** Set by the server for the connection, not by the API. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

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
  /** Fails where the value does not match the schema. */
  matches(schema: Json, value: unknown, what: string): void;
}

export async function createChecker(app: App): Promise<Checker> {
  const document = (await (await app.request('/api/openapi.json')).json()) as Json;
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addKeyword('components');
  ajv.addSchema({ $id: 'document', components: document.components });

  const resolve = (part: unknown): unknown => {
    const reference = at(part, '$ref');
    return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : part;
  };
  const matches = (schema: Json, value: unknown, what: string): void => {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
    const validate = ajv.compile(absolute);
    expect(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  };

  function check({ method, path, status, headers, body }: Received): void {
    const response = responseOf(document, method, path, status);
    const what = `${method} ${path}: ${status}`;
    expect(response, `${what} is described`).toBeDefined();
    const described = resolve(response);
    checkHeaders(described, headers, what);
    const type = headers.get('Content-Type')?.split(';')[0] ?? '';
    if (method === 'HEAD' || body === '') return;
    const schema = at(described, 'content', type, 'schema');
    expect(schema, `${what} as ${type} is described`).toBeDefined();
    const isPart = status === 206;
    if (isObject(schema)) matches(schema, type === 'application/json' && !isPart ? JSON.parse(body) : body, what);
  }

  function checkHeaders(described: unknown, headers: Headers, what: string): void {
    const known = at(described, 'headers');
    const names = new Map(Object.keys(isObject(known) ? known : {}).map((name) => [name.toLowerCase(), name]));
    for (const [name, value] of headers) {
      if (OF_THE_CONNECTION.has(name)) continue;
      expect([...names.keys()], `${what} has ${name}`).toContain(name);
      const schema = at(resolve(at(known, names.get(name) ?? '')), 'schema');
      if (isObject(schema)) matches(schema, value, `${what}, ${name}`);
    }
    for (const [name, original] of names) {
      const required = at(resolve(at(known, original)), 'required') === true;
      if (required) expect(headers.has(name), `${what} has ${original}`).toBe(true);
    }
  }

  return { document, check, matches };
}

/** The description of an answer: of its operation, or of an error that any path may have. */
function responseOf(document: Json, method: string, path: string, status: number): unknown {
  if (status === 405) return at(document, 'components', 'responses', 'method_not_allowed');
  const plain = path.split('?')[0] ?? '';
  const paths = at(document, 'paths');
  const templates = Object.keys(isObject(paths) ? paths : {});
  const template =
    templates.find((candidate) => candidate === plain) ??
    templates.find((candidate) => new RegExp(`^${candidate.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain));
  if (template === undefined) return status === 404 ? at(document, 'components', 'responses', 'not_found') : undefined;
  return method === 'GET' || method === 'HEAD' ? at(paths, template, 'get', 'responses', String(status)) : undefined;
}

/** Sends the request and holds what comes back against the document. */
export async function described(app: App, checker: Checker, path: string, init: RequestInit = {}): Promise<Received> {
  const response = await app.request(path, init);
  const { status, headers } = response;
  const coded = headers.has('Content-Encoding');
  const text = coded ? '' : await response.text();
  const received = { method: init.method ?? 'GET', path, status, headers, body: text };
  checker.check(received);
  return received;
}
