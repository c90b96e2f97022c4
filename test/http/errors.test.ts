/** Every row of the error table, with exact bodies. */
import SearchableMap from 'minisearch/SearchableMap';
import { describe, expect, test, vi } from 'vitest';
import { type ErrorCode, errorStatus } from '../../src/errors.js';
import { operationOf } from '../../src/http/api/lacks.js';
import { createRoutes } from '../../src/http/app.js';
import { type CollectionModel, collections } from '../../src/model.js';
import { LACKS } from '../../src/postgres/engine.js';
import { parseParameters } from '../../src/query/parse.js';
import { appOf, datasetOf } from '../support/api.js';

const served = datasetOf({
  articles: [{ id: 1, title: 'One' }],
  products: [{ id: 7, title: 'Seven', category: 'Food & Drink' }],
});
const app = appOf(served, { maxLimit: 50 });

interface Case {
  readonly request: string;
  readonly method?: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** One for the error itself, or one per faulty parameter. */
  readonly message: string | readonly (readonly [parameter: string, message: string])[];
  /** The end of the error's message, which belongs to no parameter. */
  readonly note?: string;
}

const listNames =
  'page, limit, sort, order, id, title, url, site, score, minScore, maxScore, comments, minComments, maxComments, author, date, from, to, content, tags, tag, tagMatch, missing, fields, q, match, fuzzy, prefix, boost, highlight, suggest';
const q = '"q" is required: a text of 1 to 4,096 characters.';

const cases: readonly Case[] = [
  { request: '/api/articles/search', status: 400, code: 'invalid_request', message: [['q', q]] },
  {
    request: '/api/articles/search?q=',
    status: 400,
    code: 'invalid_request',
    message: [['q', '"q" must not be empty.']],
  },
  {
    request: '/api/products/search?q=%20%09+',
    status: 400,
    code: 'invalid_request',
    message: [['q', '"q" must not be empty.']],
  },
  {
    request: '/api/articles/search?page=0',
    status: 400,
    code: 'invalid_request',
    message: [
      ['q', q],
      ['page', '"page" must be an integer of at least 1, received "0".'],
    ],
  },
  {
    request: '/api/articles/search?q=%FF',
    status: 400,
    code: 'invalid_request',
    message: [['q', '"q=%FF" is not valid percent-encoded UTF-8; a literal % is written %25.']],
  },
  {
    request: '/api/articles?sort=100%',
    status: 400,
    code: 'invalid_request',
    message: [['sort', '"sort=100%" is not valid percent-encoded UTF-8; a literal % is written %25.']],
  },
  {
    request: '/api/products/category/%E2%82',
    status: 400,
    code: 'invalid_request',
    message: [['category', '"%E2%82" is not valid percent-encoded UTF-8; a literal % is written %25.']],
  },
  ...['0', '-1', 'abc', '1.5', '1e3', '', '+2', '99999999999999999999'].map((page) => ({
    request: `/api/articles?page=${page}`,
    status: 422,
    code: 'validation_error' as const,
    message: [['page', `"page" must be an integer of at least 1, received "${page.replace('+', ' ')}".`]] as const,
  })),
  ...['0', '51', 'ten'].map((limit) => ({
    request: `/api/products?limit=${limit}`,
    status: 422,
    code: 'validation_error' as const,
    message: [['limit', `"limit" must be an integer from 1 to 50, received "${limit}".`]] as const,
  })),
  {
    request: '/api/articles?sort=price',
    status: 422,
    code: 'validation_error',
    message: [['sort', '"sort" must be one of id, title, url, score, comments, author, date, received "price".']],
  },
  {
    request: '/api/products?sort=score&order=DESC',
    status: 422,
    code: 'validation_error',
    message: [
      ['sort', '"sort" must be one of id, title, author, price, imageUrl, rating, category, received "score".'],
      ['order', '"order" must be one of asc, desc, received "DESC". Write order=desc.'],
    ],
  },
  {
    request: '/api/export/products?format=xml',
    status: 422,
    code: 'validation_error',
    message: [['format', '"format" must be one of json, csv, ndjson, atom, jsonfeed, received "xml".']],
  },
  {
    request: '/api/articles/1.0',
    status: 422,
    code: 'validation_error',
    message: [['id', '"id" must be an integer, received "1.0".']],
  },
  {
    request: '/api/articles/abc?lmit=3',
    status: 422,
    code: 'validation_error',
    message: [
      ['id', '"id" must be an integer, received "abc".'],
      ['lmit', 'Unknown parameter "lmit".'],
    ],
    note: 'Known here: fields.',
  },
  {
    request: '/api/articles?lmit=3&page=1&page=2&__proto__=1',
    status: 422,
    code: 'validation_error',
    message: [
      ['lmit', 'Unknown parameter "lmit". Did you mean "limit"?'],
      ['page', '"page" is given more than once.'],
      ['__proto__', 'Unknown parameter "__proto__".'],
    ],
    note: `Known here: ${listNames}; behind a field's name also _ne, _gte, _gt, _lte, _lt, _like, _in_last.`,
  },
  {
    request: `/api/articles/search?q=${'x'.repeat(4097)}`,
    status: 422,
    code: 'validation_error',
    message: [['q', `"q" must be a text of 1 to 4,096 characters, received "${'x'.repeat(57)}…".`]],
  },
  { request: '/api/articles/2', status: 404, code: 'not_found', message: 'Article with id 2 not found.' },
  { request: '/api/products/-7', status: 404, code: 'not_found', message: 'Product with id -7 not found.' },
  {
    request: '/api/products/99999999999999999999',
    status: 404,
    code: 'not_found',
    message: 'Product with id 99999999999999999999 not found.',
  },
  {
    request: '/api/products/category/Food%20and%20Drink',
    status: 404,
    code: 'not_found',
    message: 'Category "Food and Drink" not found. Did you mean "Food & Drink"?',
  },
  {
    request: '/api/artcles',
    status: 404,
    code: 'not_found',
    message: 'There is no path /api/artcles. Did you mean "/api/articles"?',
  },
  {
    request: '/api/articles/2/',
    status: 404,
    code: 'not_found',
    message: 'There is no path /api/articles/2/. Did you mean "/api/articles/2"?',
  },
  {
    request: '/api/unknown',
    status: 404,
    code: 'not_found',
    message: 'There is no path /api/unknown. The paths of the API are listed at /api.',
  },
  {
    request: '/api/articles',
    method: 'POST',
    status: 405,
    code: 'method_not_allowed',
    message: 'POST is not allowed here: this API is read-only. Allowed: GET, HEAD, OPTIONS.',
  },
  {
    request: '/health',
    method: 'DELETE',
    status: 405,
    code: 'method_not_allowed',
    message: 'DELETE is not allowed here: this API is read-only. Allowed: GET, HEAD, OPTIONS.',
  },
];

describe('errors', () => {
  test.each(cases)('$status $code: $method $request', async ({ request, method, status, code, message, note }) => {
    const response = await app.request(request, { method: method ?? 'GET' });
    const details =
      typeof message === 'string' ? undefined : message.map(([parameter, text]) => ({ parameter, message: text }));
    const texts = typeof message === 'string' ? [message] : message.map(([, part]) => part);
    const text = [...texts, ...(note === undefined ? [] : [note])].join(' ');
    expect(await response.json()).toEqual({ error: { code, message: text, ...(details && { details }) } });
    expect(response.status).toBe(status);
    expect(errorStatus[code]).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Allow')).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : null);
  });

  test.each<readonly [string, string, readonly (readonly [string, string])[]]>([
    ['unknown', '/api/articles?lmit=1&lmit=2&lmit=3', [['lmit', 'Unknown parameter "lmit". Did you mean "limit"?']]],
    ['given too often', '/api/articles?page=1&page=2&page=3', [['page', '"page" is given more than once.']]],
    [
      'wrong twice',
      '/api/articles?page=0&page=0',
      [['page', '"page" must be an integer of at least 1, received "0".']],
    ],
    ['blank, then given', '/api/articles/search?q=&q=a', [['q', '"q" must not be empty.']]],
  ])('a faulty name is reported once: %s', async (_name, request, faults) => {
    const { error } = JSON.parse(await (await app.request(request)).text());
    expect(error.details).toEqual(faults.map(([parameter, message]) => ({ parameter, message })));
  });

  describe('however many parameters are at fault', () => {
    const names: Readonly<Record<string, (i: number) => string>> = {
      short: (i) => `n${i}`,
      long: (i) => `${i}${'x'.repeat(500)}`,
      'of quotes': (i) => `${i}${'%22'.repeat(60)}`,
      'of apostrophes': (i) => `${i}${"'".repeat(60)}`,
      'of backslashes': (i) => `${i}${'%5C'.repeat(60)}`,
      'of control characters': (i) => `${i}${'%01'.repeat(60)}`,
      'of Chinese': (i) => `${i}${'%E4%B8%AD'.repeat(60)}`,
      'of emoji': (i) => `${i}${'%F0%9F%A6%80'.repeat(60)}`,
    };
    const paths = ['/api/articles', '/api/products/search', '/articles', '/products/7'];
    test.each(paths.flatMap((path) => Object.keys(names).map((name) => [path, name] as const)))(
      '%s, names %s: ten are described, the rest counted, in less than 8 kB',
      async (path, name) => {
        const response = await app.request(
          `${path}?${Array.from({ length: 100 }, (_, i) => `${names[name]?.(i)}=1`).join('&')}`,
        );
        const text = await response.text();
        expect(Buffer.byteLength(text)).toBeLessThan(8000);
        if (!path.startsWith('/api')) return expect(text).toContain('And 90 more.');
        const { error } = JSON.parse(text);
        expect(error.details).toHaveLength(10);
        expect(error.message).toMatch(path.endsWith('search') ? / And 91 more\.$/ : / And 90 more\.$/);
      },
    );

    test.each(['/api/articles', '/articles'])('ten of them are compared with the known ones at %s', async (path) => {
      const compared = vi.spyOn(SearchableMap, 'from');
      await app.request(`${path}?${Array.from({ length: 8000 }, (_, i) => `n${i}=1`).join('&')}`);
      expect(compared).toHaveBeenCalledTimes(10);
      compared.mockRestore();
    });

    test('wrong values of all parameters at once', async () => {
      const wrong = listNames.split(', ').map((name) => `${name}=${'%E4%B8%AD'.repeat(90)}'%22`);
      for (const path of ['/api/articles', '/articles']) {
        const text = await (await app.request(`${path}?${wrong.join('&')}`)).text();
        expect(Buffer.byteLength(text)).toBeLessThan(8000);
      }
    });

    test.each(['/api/', '/', '/articles/', '/api/articles/', '/api/products/category/'])(
      'a path of 30 kB under %s',
      async (path) => {
        for (const Accept of ['*/*', 'text/html']) {
          const response = await app.request(`${path}${'%22'.repeat(10_000)}`, { headers: { Accept } });
          expect((await response.text()).length).toBeLessThan(8000);
        }
      },
    );
  });

  test('an unknown category is compared with at most a thousand known ones', async () => {
    for (const [categories, hint] of [
      [1000, ' Did you mean "Shelf 17"?'],
      [1001, ''],
    ] as const) {
      const products = Array.from({ length: categories }, (_, i) => ({ id: i, title: 'T', category: `Shelf ${i}` }));
      const response = await appOf(datasetOf({ products })).request('/api/products/category/Shelff%2017');
      const { error } = JSON.parse(await response.text());
      expect(error.message).toBe(`Category "Shelff 17" not found.${hint}`);
    }
  });

  test('429 rate_limit_exceeded', async () => {
    const limited = appOf(served, { rateLimit: 1, now: () => 0 });
    expect((await limited.request('/api/articles')).status).toBe(200);
    const response = await limited.request('/api/articles');
    expect(response.status).toBe(429);
    expect(response.headers.get('Retry-After')).toBe('60');
    const message =
      'The limit of 1 requests a minute is reached; try again in 60 s. Whoever runs the server lifts it with --rate-limit 0.';
    expect(await response.json()).toEqual({ error: { code: 'rate_limit_exceeded', message } });
  });

  test('500 internal_error tells the log everything and the client nothing', async () => {
    const told: unknown[] = [];
    const broken = appOf(served, {
      served: () => {
        throw new Error('secret');
      },
      onError: (error, request) => told.push([String(error), request.url]),
    });
    const response = await broken.request('/api/articles');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { code: 'internal_error', message: 'An unexpected error occurred; the server log has the details.' },
    });
    expect(told).toEqual([['Error: secret', '/api/articles']]);
  });

  test('412 precondition_failed', async () => {
    const response = await app.request('/api/articles', { headers: { 'If-Match': '"other"' } });
    expect(response.status).toBe(412);
    const tag = (await app.request('/api/articles')).headers.get('ETag');
    const message = `If-Match does not hold: the current ETag is ${tag}. Leave If-Match out to get the response.`;
    expect(await response.json()).toEqual({ error: { code: 'precondition_failed', message } });
    const since = { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' };
    const late = await app.request('/api/articles', { headers: since });
    expect(await late.text()).toMatch(
      /If-Unmodified-Since does not hold: the current Last-Modified is \w{3}, .* GMT\./,
    );
  });

  test('416 range_not_satisfiable', async () => {
    const response = await app.request('/api/export/articles', { headers: { Range: 'bytes=1000-' } });
    expect(response.status).toBe(416);
    const bytes = (await (await app.request('/api/export/articles')).text()).length;
    const message = `The file has ${bytes} bytes, none of them in Range "bytes=1000-".`;
    expect(await response.json()).toEqual({ error: { code: 'range_not_satisfiable', message } });
    expect(response.headers.get('Content-Range')).toBe(`bytes */${bytes}`);
  });

  test('every code of the catalogue is covered here', () => {
    // Of another Host or site: doors.test.ts; while a first load runs: program.test.ts; of a database: postgres.test.ts.
    const special = [
      'not_implemented',
      'cross_site_request',
      'misdirected_request',
      'unavailable',
      'rate_limit_exceeded',
      'internal_error',
      'precondition_failed',
      'range_not_satisfiable',
    ];
    const covered = new Set<string>([...cases.map(({ code }) => code), ...special]);
    expect([...covered].sort()).toEqual(Object.keys(errorStatus).sort());
  });
});

test.each<readonly [name: string, query: string, isTaken: boolean]>([
  ['count', 'count=5', true],
  ['count', 'count_gte=5', true],
  ['count', 'count=estimate', false],
  ['amount', 'count=estimate', true],
  ['amount', 'count=5', false],
])('of a database, the parameter count is that of a field called so: %s, %s', (name, query, isTaken) => {
  const [, products] = collections;
  const model: CollectionModel = {
    ...products,
    fields: [...products.fields, { name, kind: 'integer', description: '' }],
  };
  const options = { maxLimit: 50, envelope: 'pagination', hasAllFields: false } as const;
  for (const route of createRoutes(options, [model]).filter(
    ({ answers, model: { changesOf } }) => answers === 'search' && changesOf === undefined,
  )) {
    const { parameters } = operationOf(route, { lacks: LACKS, answersLater: true });
    expect(parameters.filter((one) => one.name === 'count')).toHaveLength(1);
    const text = route.path.includes('/search') ? 'q=tea&' : '';
    expect(parseParameters(`${text}${query}`, parameters).ok).toBe(isTaken);
  }
});
