/** The OpenAPI document is valid, complete and true: held against routes, parameters, errors and answers both ways. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { errorStatus } from '../../src/errors.js';
import type { AppOptions } from '../../src/http/app.js';
import { createRoutes } from '../../src/http/app.js';
import type { OpenApiDocument } from '../../src/http/openapi/document.js';
import { modelsOf } from '../../src/store/dataset.js';
import { type App, appOf, comparedSample, datasetOf, getJson } from '../support/api.js';
import { type Checker, createChecker } from '../support/described.js';
import type { Json } from '../support/json.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Json;
  readonly example?: unknown;
}
interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly parameters?: readonly Parameter[]; readonly responses: Json } }>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Json>>; readonly schemas: Json };
}

const served = await comparedSample();
const options = { maxLimit: 1000, envelope: 'pagination' } as const;
const models = modelsOf(served.dataset);
const routes = createRoutes(options, models);
const limited = { rateLimit: 1_000_000 };

const documentOf = (app: App): Promise<Json> => getJson<Json>(app, '/api/openapi.json');

/** Holds an answer against the document that is served, downloads included. */
async function described(app: App, checker: Checker, path: string, init: RequestInit = {}) {
  const response = await app.request(path, init);
  const { status, headers } = response;
  const body = headers.has('Content-Encoding') ? '' : await response.text();
  checker.check({ method: init.method ?? 'GET', path, status, headers, body });
  return { status, body };
}

describe.each(['pagination', 'meta'] as const)('the document, envelope %s', async (envelope) => {
  const app = appOf({ ...served, modifiedAt: new Date(1.7e12) }, { envelope, ...limited });
  const checker = createChecker(await documentOf(app));
  const document = checker.document as unknown as Document;
  const templated = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(result).toEqual({ valid: true });
  });

  test('has every path, and no other', () => {
    const own = ['/api', '/api/openapi.json', '/api/types.d.ts', '/health'];
    expect(Object.keys(document.paths).sort()).toEqual([...routes.map(({ path }) => templated(path)), ...own].sort());
  });

  test.each(routes)('$path has every parameter, and no other', ({ path, parameters, pathParameter }) => {
    const names = document.paths[templated(path)]?.get.parameters?.map(
      (parameter) => `${parameter.in} ${parameter.name}`,
    );
    const expected = parameters.map(({ name }) => `query ${name}`);
    expect(names?.sort()).toEqual([...(pathParameter ? [`path ${pathParameter.name}`] : []), ...expected].sort());
  });

  test('has every error code, and no other', () => {
    const { part: _part, not_modified: _notModified, ...errors } = document.components.responses;
    expect(Object.keys(errors).sort()).toEqual(Object.keys(errorStatus).sort());
  });

  test('has feeds of records and changes, and none of groups', async () => {
    const { paths } = await getJson<OpenApiDocument>(app, '/api/openapi.json');
    const typesOf = (path: string): readonly string[] => {
      const response = paths[path]?.get.responses['200'];
      return Object.keys(response !== undefined && 'content' in response ? (response.content ?? {}) : {});
    };
    const files = ['application/json', 'text/csv', 'application/x-ndjson'];
    const feeds = ['application/atom+xml', 'application/feed+json'];
    expect(typesOf('/api/export/products')).toEqual([...files, ...feeds]);
    expect(typesOf('/api/export/products/changes')).toEqual([...files, ...feeds]);
    expect(typesOf('/api/export/products/stats')).toEqual(files);
  });

  test('every example matches its schema', () => {
    let examples = 0;
    const walk = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('schema' in value && 'example' in value) {
        examples++;
        checker.matches(value.schema as Json, value.example, place);
        return;
      }
      for (const [key, part] of Object.entries(value)) walk(part, `${place}/${key}`);
    };
    walk(document, '');
    expect(examples).toBeGreaterThan(100);
  });

  test.each(routes)('$path: every example finds something, as described', async ({ path }) => {
    const operation = document.paths[templated(path)]?.get;
    const value = (parameter: Parameter): string => encodeURIComponent(String([parameter.example].flat()[0]));
    const parameters = operation?.parameters ?? [];
    const url = parameters
      .filter((each) => each.in === 'path')
      .reduce((all, each) => all.replace(`{${each.name}}`, value(each)), templated(path));
    const needed = parameters
      .filter((each) => each.in === 'query')
      .filter(
        ({ name }) => (name === 'q' && path.endsWith('/search')) || (name === 'by' && path.startsWith('/api/export/')),
      );
    const ways = [
      needed,
      // What a record lacks, its values are no example of.
      ...parameters
        .filter((each) => each.in === 'query' && each.name !== 'missing' && each.example !== undefined)
        .map((each) => {
          const isOfGroups = path.endsWith('/stats') && ['fields', 'limit'].includes(each.name);
          const need = each.name === 'boost' ? 'q' : isOfGroups ? 'by' : '';
          const searched = parameters.filter(({ name }) => name === need);
          return [...new Set([...needed, ...searched, each])];
        }),
    ];
    for (const way of ways) {
      const query = way.map((each) => `${each.name}=${value(each)}`).join('&');
      const { status, body } = await described(app, checker, `${url}${query && `?${query}`}`);
      expect(status).toBe(200);
      expect(body).not.toMatch(/"data":\[\]|^\{"count":0,|"value":[^,]*,"count":0,/);
    }
  });
});

describe('answers', async () => {
  const app = appOf({ ...served, modifiedAt: new Date(1.7e12) }, limited);
  const checker = createChecker(await documentOf(app));
  const requests: readonly [path: string, init?: RequestInit, status?: number][] = [
    ['/health'],
    ['/api'],
    ['/api/openapi.json'],
    ['/api/articles', { method: 'HEAD' }],
    ['/api/articles', { headers: { 'Accept-Encoding': 'br' } }],
    ['/api/articles', { headers: { 'If-None-Match': '*' } }, 304],
    ['/api/articles/1', {}, 404],
    ['/api/products/category/nothing', {}, 404],
    ['/api/articles/x', {}, 422],
    ['/api/articles?page=0', {}, 422],
    ['/api/articles?page=%', {}, 400],
    ['/api/articles/search', {}, 400],
    ['/api/nothing', {}, 404],
    ['/api/articles', { method: 'DELETE' }, 405],
    ['/api/articles', { headers: { 'If-Match': '"x"' } }, 412],
    ['/api/export/articles', { headers: { Range: 'bytes=2-9' } }, 206],
    ['/api/export/articles', { headers: { Range: 'bytes=99999999-' } }, 416],
    ['/api/export/products?format=csv&bom=1'],
    ['/api/export/articles?fields=id,tags'],
    ['/api/products/changes?kind=changed&limit=1000'],
    ['/api/articles/changes?field=content&field=tags'],
    ['/api/articles/changes?sort=percent'],
    ['/api/articles/changes/search?q=the&highlight=1'],
    ['/api/products/changes/stats'],
    ['/api/products/changes/values/field'],
    ['/api/articles/changes?sort=author', {}, 422],
    ['/api/export/articles/changes?format=ndjson'],
  ];
  test.each(requests)('%s %o', async (path, init = {}, status = 200) => {
    expect((await described(app, checker, path, init)).status).toBe(status);
  });

  test('429', async () => {
    const strict = appOf(served, { rateLimit: 1, now: () => 0 });
    const first = createChecker(await documentOf(strict));
    expect((await described(strict, first, '/api/articles')).status).toBe(429);
  });

  test('500', async () => {
    const broken = appOf(served, {
      served: () => {
        throw new Error('x');
      },
      onError: () => {},
    });
    expect((await described(broken, checker, '/api/articles')).status).toBe(500);
  });
});

test('an empty dataset has a valid document too', async () => {
  const document = await documentOf(appOf(datasetOf({})));
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
});

test('record schemas have the fields of the model, in order', async () => {
  const document = await documentOf(appOf(served));
  const { schemas } = (document as unknown as { components: { schemas: Record<string, { properties: Json }> } })
    .components;
  for (const { singular, fields } of models) {
    expect(Object.keys(schemas[singular]?.properties ?? {})).toEqual(fields.map(({ name }) => name));
  }
});

describe('what a flag changes in the document, and nothing else', () => {
  const standard = { envelope: 'pagination', maxLimit: 1000, rateLimit: 100, corsOrigin: '*' } as const;
  const fixed = { ...served, modifiedAt: new Date(1.7e12) };
  const document = (options: Partial<AppOptions> = {}) => documentOf(appOf(fixed, { ...standard, ...options }));

  /** Where two documents differ: the keys on the way, joined by spaces. */
  function* differences(a: unknown, b: unknown, place = ''): Iterable<string> {
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      if (a !== b) yield place;
      return;
    }
    const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
    for (const key of new Set([...left.keys(), ...right.keys()]))
      yield* differences(left.get(key), right.get(key), `${place} ${key}`);
  }

  const limits = /^ paths \S+ get parameters \d+ (?:schema maximum|description)$/;
  const envelopes =
    /^ (?:components schemas \w+Page (?:properties|required)|paths \S+ get responses 200 content \S+ example) ?.*$/;
  const nothing = /^never$/;
  test.each([
    ['--max-limit 7', { maxLimit: 7 }, limits],
    ['--envelope meta', { envelope: 'meta' }, envelopes],
    ['--rate-limit 5', { rateLimit: 5 }, nothing],
    ['--rate-limit 0', { rateLimit: 0 }, nothing],
    ['--cors http://localhost:5173', { corsOrigin: 'http://localhost:5173' }, nothing],
    ['--cors off', { corsOrigin: null }, nothing],
    ['--trust-proxy', { trustProxy: true }, nothing],
  ] as const)('%s', async (_flag, options, expected) => {
    const found = [...differences(await document(), await document(options))];
    expect(found.length > 0).toBe(expected !== nothing);
    expect(found.filter((place) => !expected.test(place))).toEqual([]);
  });

  test('and the server answers as it says', async () => {
    const limitsOf = (described: Json): unknown[] =>
      Object.values((described as unknown as Document).paths).flatMap(({ get }) =>
        (get.parameters ?? []).filter(({ name }) => name === 'limit').map(({ schema }) => schema.maximum),
      );
    const app = appOf(fixed, { ...standard, maxLimit: 7, rateLimit: 50, corsOrigin: 'http://localhost:5173' });
    expect(new Set(limitsOf(await documentOf(app)))).toEqual(new Set([7]));
    expect((await app.request('/api/articles?limit=7')).status).toBe(200);
    expect((await app.request('/api/articles?limit=8')).status).toBe(422);
    // Every answer is held against the document; this one would not match that of another flag.
    const other = createChecker(await document({ envelope: 'meta' }));
    await expect(described(app, other, '/api/articles')).rejects.toThrow(/must/);
  });
});
