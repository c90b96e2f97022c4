/** The OpenAPI document is valid, complete and true: held against routes, parameters, errors and answers both ways. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { errorStatus } from '../src/errors.js';
import { createRoutes } from '../src/http/routes.js';
import { collections } from '../src/model.js';
import { appOf, datasetIn, datasetOf, sampleDir } from './support/api.js';
import { createChecker, described } from './support/described.js';

type Json = Readonly<Record<string, unknown>>;
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

const served = await datasetIn(sampleDir);
const options = { maxLimit: 1000, envelope: 'pagination' } as const;
const routes = createRoutes(options);
const limited = { rateLimit: 1_000_000 };

describe.each(['pagination', 'meta'] as const)('the document, envelope %s', async (envelope) => {
  const app = appOf({ ...served, modifiedAt: new Date(1.7e12) }, { envelope, ...limited });
  const checker = await createChecker(app);
  const document = checker.document as unknown as Document;
  const templated = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(result).toEqual({ valid: true });
  });

  test('has every path, and no other', () => {
    const own = ['/api/openapi.json', '/health'];
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
      .filter((each) => each.name === 'q' && each.in === 'query')
      .slice(0, path.endsWith('/search') ? 1 : 0);
    const ways = [
      needed,
      ...parameters.filter((each) => each.in === 'query').map((each) => [...new Set([...needed, each])]),
    ];
    for (const way of ways) {
      const query = way.map((each) => `${each.name}=${value(each)}`).join('&');
      const { status, body } = await described(app, checker, `${url}${query && `?${query}`}`);
      expect(status).toBe(200);
      expect(body).not.toMatch(/"data":\[\]|"count":0,/);
    }
  });
});

describe('answers', async () => {
  const app = appOf({ ...served, modifiedAt: new Date(1.7e12) }, limited);
  const checker = await createChecker(app);
  const requests: readonly [path: string, init?: RequestInit, status?: number][] = [
    ['/health'],
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
  ];
  test.each(requests)('%s %o', async (path, init = {}, status = 200) => {
    expect((await described(app, checker, path, init)).status).toBe(status);
  });

  test('429', async () => {
    const strict = appOf(served, { rateLimit: 1, now: () => 0 });
    const first = await createChecker(strict);
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
  const { document } = await createChecker(appOf(datasetOf({})));
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
});

test('record schemas have the fields of the model, in order', async () => {
  const { document } = await createChecker(appOf(served));
  const { schemas } = (document as unknown as { components: { schemas: Record<string, { properties: Json }> } })
    .components;
  for (const { singular, fields } of collections) {
    expect(Object.keys(schemas[singular]?.properties ?? {})).toEqual(fields.map(({ name }) => name));
  }
});
