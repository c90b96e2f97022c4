/** Headers, methods, paging edges and envelopes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRoutes } from '../../src/http/app.js';
import { appOf, datasetIn, datasetOf, getJson, isMiniSearch, isPostgres, loadedAt } from '../support/api.js';
import { costRatio } from '../support/cost.js';

const articles = [5, 3, 9, 1, 7].map((id) => ({
  id,
  title: `Title ${id}`,
  score: id === 9 ? null : id % 4,
  content: id === 3 ? 'text' : null,
  tags: id === 3 ? ['a', 'b'] : null,
}));
const served = datasetOf({ articles });
const app = appOf(served);
const empty = appOf(datasetOf({}));

const idsAt = async (path: string): Promise<readonly number[]> =>
  (await getJson<{ data: { id: number }[] }>(app, path)).data.map(({ id }) => id);

describe('paging', () => {
  test('past the last page: 200, no data, the true total', async () => {
    expect(await getJson(app, '/api/articles?page=9&limit=2')).toEqual({
      data: [],
      pagination: { total: 5, page: 9, limit: 2, totalPages: 3 },
    });
  });

  test('an empty collection has 0 pages', async () => {
    expect(await getJson(empty, '/api/articles')).toEqual({
      data: [],
      pagination: { total: 0, page: 1, limit: 20, totalPages: 0 },
    });
  });

  test('the largest page number is no trouble', async () => {
    expect(await idsAt(`/api/articles?page=${Number.MAX_SAFE_INTEGER}`)).toEqual([]);
  });

  test('envelope meta: same records, other names', async () => {
    const meta = appOf(served, { envelope: 'meta' });
    const { data } = await getJson<{ data: unknown }>(app, '/api/articles?limit=2&page=2');
    expect(await getJson(meta, '/api/articles?limit=2&page=2')).toEqual({
      data,
      meta: { current_page: 2, per_page: 2, total_items: 5, total_pages: 3 },
    });
  });

  const links = async (path: string) => (await app.request(path)).headers.get('Link');
  test.each([
    ['/api/articles?limit=2', 'first 1, next 2, last 3'],
    ['/api/articles?page=2&limit=2', 'first 1, prev 1, next 3, last 3'],
    ['/api/articles?limit=2&page=3', 'first 1, prev 2, last 3'],
    ['/api/articles?limit=2&page=50', 'first 1, prev 3, last 3'],
    ['/api/articles/search?q=nowhere&limit=2', 'first 1, last 1'],
  ])('Link of %s', async (path, expected) => {
    const header = (await links(path)) ?? '';
    const found = [...header.matchAll(/<([^>]+)>; rel="(first|prev|next|last)"/g)].map(([, url, rel]) => ({
      url: url ?? '',
      rel,
    }));
    expect(found.map(({ url, rel }) => `${rel} ${/[?&]page=(\d+)/.exec(url)?.[1]}`).join(', ')).toBe(expected);
    for (const { url } of found) expect((await app.request(url)).status).toBe(200);
  });

  test('Link is left out where it would be longer than clients take', async () => {
    expect(await links(`/api/articles/search?q=${'x'.repeat(4096)}`)).toBeNull();
  });

  test('Link keeps the other parameters as they were written', async () => {
    const header = await links('/api/articles/search?q=a%20b+c&limit=2');
    expect(header?.split(', ')).toEqual([
      '</api/articles/search?q=a%20b+c&limit=2&page=1>; rel="first"',
      '</api/articles/search?q=a%20b+c&limit=2&page=1>; rel="last"',
      '</api/export/articles?q=a%20b+c&format=json>; rel="alternate"; type="application/json"',
      '</api/export/articles?q=a%20b+c&format=csv>; rel="alternate"; type="text/csv"',
    ]);
  });
});

describe('sorting', () => {
  test('records without a value come last in both directions', async () => {
    expect(await idsAt('/api/articles?sort=score')).toEqual([5, 1, 3, 7, 9]);
    expect(await idsAt('/api/articles?sort=score&order=desc')).toEqual([7, 3, 1, 5, 9]);
  });

  test('a later record takes the place of an earlier one of the same id', async () => {
    const twice = appOf(
      datasetOf({
        articles: [
          { id: 1, title: 'old', score: 1 },
          { id: 2, title: 'other', score: 2 },
          { id: 1, title: 'new', score: 3 },
        ],
      }),
    );
    const { data } = await getJson<{ data: { id: number; title: string }[] }>(twice, '/api/articles');
    expect(data.map(({ id, title }) => `${id} ${title}`)).toEqual(['1 new', '2 other']);
    const search = async (q: string) =>
      (await getJson<{ data: { id: number }[] }>(twice, `/api/articles/search?q=${q}`)).data.map(({ id }) => id);
    expect(await search('old')).toEqual([]);
    expect(await search('new')).toEqual([1]);
    expect(await getJson(twice, '/api/articles?sort=score&order=desc&limit=1')).toMatchObject({ data: [{ id: 1 }] });
  });
});

describe('records', () => {
  test('missing values are null, missing tags are left out', async () => {
    expect(await getJson(app, '/api/articles/5')).toEqual({
      id: 5,
      title: 'Title 5',
      url: null,
      score: 1,
      comments: null,
      author: null,
      date: null,
      content: null,
    });
    expect(await getJson(app, '/api/articles/3')).toMatchObject({ content: 'text', tags: ['a', 'b'] });
  });

  test('long ones are served from where a file was read to', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'long-records-'));
    const long = Array.from({ length: 9 }, (_, i) => ({
      id: i + 1,
      title: `Title ${i}`,
      url: null,
      score: i,
      comments: null,
      author: 'A. Writer',
      date: '2020-10-02T19:49:28Z',
      content: 'a word '.repeat(900 + i),
      tags: ['a'],
    }));
    writeFileSync(join(dir, 'articles.json'), `[\n${long.map((record) => JSON.stringify(record)).join(',\n')}\n]\n`);
    const ofFile = appOf(await datasetIn(dir));
    rmSync(dir, { recursive: true });
    for (const record of long) expect(await getJson(ofFile, `/api/articles/${record.id}`)).toMatchObject(record);
    expect(await getJson(ofFile, '/api/export/articles')).toMatchObject(long);
  });

  test('a category may hold a slash, spaces, & and %', async () => {
    const categories = ['Sci-Fi/Fantasy', 'Food & Drink', '100% Wool', 'C++', '日本', '?#'];
    const shop = appOf(
      datasetOf({ products: categories.map((category, id) => ({ id, title: `Book ${id}`, category })) }),
    );
    for (const [id, category] of categories.entries()) {
      const body = await getJson(shop, `/api/products/category/${encodeURIComponent(category)}`);
      expect(body).toMatchObject({ data: [{ id, category }], pagination: { total: 1 } });
    }
  });
});

test('a category that only a replaced record had is a 404, and is not proposed', async () => {
  const shop = appOf(
    datasetOf({
      products: [
        { id: 1, title: 'A', category: 'Kitchens' },
        { id: 1, title: 'A', category: 'Garden' },
      ],
    }),
  );
  for (const name of ['Kitchens', 'Kitchen']) {
    const response = await shop.request(`/api/products/category/${name}`);
    const message = `Category "${name}" not found.`;
    expect([response.status, await response.json()]).toEqual([404, { error: { code: 'not_found', message } }]);
  }
  expect((await shop.request('/api/products/category/Garden')).status).toBe(200);
});

describe('methods', () => {
  test.each(['/api/articles?limit=2', '/api/articles/3', '/api/export/articles', '/health', '/api/articles/99'])(
    'HEAD %s has the headers of GET and no body',
    async (path) => {
      const get = await app.request(path);
      const head = await app.request(path, { method: 'HEAD' });
      expect(head.status).toBe(get.status);
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
      expect(await head.text()).toBe('');
    },
  );

  test('OPTIONS answers a preflight', async () => {
    const response = await app.request('/api/articles', { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(response.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, OPTIONS');
    expect(await response.text()).toBe('');
  });
});

describe('CORS', () => {
  test.each([
    ['*', '*'],
    ['http://localhost:5173', 'http://localhost:5173'],
    [null, null],
  ])('origin %s', async (corsOrigin, expected) => {
    const response = await appOf(served, { corsOrigin }).request('/api/articles');
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(expected);
    expect(response.headers.get('Access-Control-Expose-Headers') !== null).toBe(expected !== null);
  });
});

describe('exports', () => {
  test.each([
    ['/api/export/articles', 'application/json', 'articles.json', '[\n]\n'],
    [
      '/api/export/articles?format=csv',
      'text/csv; charset=utf-8; header=present',
      'articles.csv',
      'id,title,url,score,comments,author,date,content,tags\r\n',
    ],
  ])('%s of an empty collection', async (path, type, file, body) => {
    const response = await empty.request(path);
    expect(response.headers.get('Content-Type')).toBe(type);
    expect(response.headers.get('Content-Disposition')).toBe(`attachment; filename="${file}"`);
    expect(await response.text()).toBe(body);
  });

  test('CSV guards formulas, keeps numbers, tells empty from missing', async () => {
    const titles = ['=1+1', '-5 degrees', "'=quoted", '\tTab', ' =x\ny', '＝fullwidth', 'a,"b"', "'90s", '🦀'];
    const shop = appOf(
      datasetOf({ products: titles.map((title, id) => ({ id, title, price: -1.5, author: id === 0 ? '' : null })) }),
    );
    const lines = (await (await shop.request('/api/export/products?format=csv')).text()).split('\r\n');
    expect(lines).toEqual([
      'id,title,author,price,imageUrl,rating,category',
      `0,"'=1+1","",-1.5,,,`,
      `1,"'-5 degrees",,-1.5,,,`,
      `2,"''=quoted",,-1.5,,,`,
      `3,"'\tTab",,-1.5,,,`,
      `4,"' =x\ny",,-1.5,,,`,
      `5,"'＝fullwidth",,-1.5,,,`,
      '6,"a,""b""",,-1.5,,,',
      '7,"\'90s",,-1.5,,,',
      '8,🦀,,-1.5,,,',
      '',
    ]);
  });

  test('an export is made only as fast as it is read', async () => {
    const many = Array.from({ length: 2000 }, (_, id) => ({ id, title: 'x'.repeat(1000) }));
    const response = await appOf(datasetOf({ articles: many })).request('/api/export/articles');
    const reader = response.body?.getReader();
    const first = await reader?.read();
    // A batch of a database is larger than a chunk of memory's.
    expect(first?.value?.byteLength).toBeLessThanOrEqual(isPostgres ? 300_000 : 70_000);
    await reader?.cancel();
  });
});

test('health tells what is served', async () => {
  const health = {
    status: 'ok',
    version: served.dataset.version,
    fields: expect.stringMatching(/^[0-9a-f]{12}$/),
    loadedAt: loadedAt.toISOString(),
    collections: { articles: 5, products: 0 },
    search: {
      engine: isPostgres ? 'postgresql' : isMiniSearch ? 'minisearch' : 'bm25f',
      languages: { articles: 'english', products: 'english' },
      phrases: !isMiniSearch,
      exclusions: !isMiniSearch,
      suggestions: !isMiniSearch && !isPostgres,
    },
  };
  expect(await getJson(app, '/health')).toEqual(health);
  expect(await getJson(app, '/health?report=0')).toEqual(health);
  const report = { files: [], ignored: [], findings: [] };
  expect(await getJson(app, '/health?report=1')).toEqual({ ...health, report });
  expect((await app.request('/health?report=yes')).status).toBe(422);
});

test('the version is a hash of the records: equal for equal records, other for any other', () => {
  expect(datasetOf({ articles }).dataset.version).toBe(served.dataset.version);
  const [first, ...rest] = articles;
  expect(datasetOf({ articles: [...rest, first ?? {}] }).dataset.version).not.toBe(served.dataset.version);
  expect(datasetOf({ articles: rest }).dataset.version).not.toBe(served.dataset.version);
});

describe('paths that are nearly right', () => {
  test.each([
    ['/articles/', '/articles'],
    ['/docs/', '/docs'],
    ['/Articles', '/articles'],
    ['/PRODUCTS//?q=a%20b&limit=2', '/products?q=a%20b&limit=2'],
    ['/articles/3/', '/articles/3'],
    ['/Health', '/health'],
    ['//', '/'],
    ['/openapi.json', '/api/openapi.json'],
  ])('%s leads to %s', async (path, meant) => {
    const response = await app.request(`http://localhost${path}`);
    expect([response.status, response.headers.get('Location')]).toEqual([307, meant]);
  });

  test.each(['/articles//3', '/Articles/a/b', '/api/', '//docs.test/articles/', '/api/articles/', '/api/Articles'])(
    '%s leads nowhere',
    async (path) => expect((await app.request(`http://localhost${path}`)).status).toBe(404),
  );

  test('a long run of slashes costs what other long paths cost', async () => {
    const ask = (path: string) => async () => expect((await app.request(`http://localhost/${path}x`)).status).toBe(404);
    expect(await costRatio(ask('/'.repeat(50_000)), ask('a'.repeat(50_000)), 50)).toBeLessThan(50);
  });
});

test('/api is an index: every operation with its parameters', async () => {
  const index = await getJson<{
    documentation: string;
    operations: readonly { path: string; summary: string; parameters: readonly string[] }[];
  }>(app, '/api');
  expect(index.documentation).toBe('/docs');
  // PostgreSQL has neither changes nor similar records, and groups are no file.
  const isLacking = (path: string): boolean =>
    isPostgres && /[/](?:changes|history|similar)|export[/].*stats/.test(path);
  const paths = createRoutes({ maxLimit: 1000, envelope: 'pagination' }).map(({ path }) => path);
  expect(index.operations.map(({ path }) => path)).toEqual(
    paths.filter((path) => !isLacking(path)).map((path) => path.replace(/:(\w+)/, '{$1}')),
  );
  expect(index.operations[0]?.parameters.slice(0, 3)).toEqual(['page', 'limit', 'sort']);
});

test('a document is made once a dataset, whatever its query string', async () => {
  let reads = 0;
  class Counted<K, V> extends Map<K, V> {
    override get(key: K): V | undefined {
      reads++;
      return super.get(key);
    }
  }
  const { dataset } = served;
  const counting = appOf({ ...served, dataset: { ...dataset, collections: new Counted([...dataset.collections]) } });
  const textAt = async (path: string) => (await counting.request(path)).text();
  const [docs, document] = [await textAt('/docs'), await textAt('/api/openapi.json')];
  const readsOnce = reads;
  for (let i = 0; i < 5; i++) {
    expect(await textAt(`/docs?${i}`)).toBe(docs);
    expect(await textAt(`/api/openapi.json?${i}`)).toBe(document);
  }
  expect([readsOnce > 0, reads]).toEqual([true, readsOnce]);
});
