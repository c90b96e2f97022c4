/** RFC 9110, sections 8, 13 and 14, sentence by sentence: validators, preconditions, ranges. */
import { describe, expect, test } from 'vitest';
import type { Served } from '../../src/http/app.js';
import { parseHttpDate } from '../../src/http/semantics/preconditions.js';
import { byteRange } from '../../src/http/semantics/range.js';
import { appOf, comparedSample, datasetOf } from '../support/api.js';

const articles = Array.from({ length: 700 }, (_, i) => ({
  id: i + 1,
  title: `Title ${i} é`,
  content: 'x'.repeat(i % 90),
}));
const newest = new Date('2024-05-06T07:08:09.876Z');
const LAST_MODIFIED = 'Mon, 06 May 2024 07:08:09 GMT';
const make = (options = {}) => appOf({ ...datasetOf({ articles }), modifiedAt: newest }, options);
const app = make();
/** Lists, records, searches and exports: as old as the newest file. */
const dated = [
  '/api/articles',
  '/api/articles?sort=title',
  '/api/articles/7',
  '/api/articles/search?q=title',
  '/api/export/articles',
  '/api/export/articles?format=csv',
];
const paths = [
  ...dated,
  '/api',
  '/api/articles/stats',
  '/api/articles/changes',
  '/api/openapi.json',
  '/health',
  '/docs',
  '/',
  '/articles',
];
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(path, { method, headers });
const etagOf = async (path: string, headers: Record<string, string> = {}) =>
  (await get(path, headers)).headers.get('ETag') ?? '';

describe.each(paths)('%s', (path) => {
  test('carries a strong ETag, and Last-Modified where the records alone decide (8.8.2, 8.8.3)', async () => {
    const { headers } = await get(path);
    expect(headers.get('ETag')).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(headers.get('Last-Modified')).toBe(dated.includes(path) ? LAST_MODIFIED : null);
  });

  test('two replicas agree on both, and on the bytes', async () => {
    const other = make();
    const [a, b] = await Promise.all([get(path), other.request(path)]);
    expect(b.headers.get('ETag')).toBe(a.headers.get('ETag'));
    expect(await b.text()).toBe(await a.text());
  });

  test.each(['GET', 'HEAD'])(
    '%s: 304 with what a 200 would have sent of the named fields, and no body (15.4.5)',
    async (method) => {
      const full = await get(path, {}, method);
      const answer = await get(path, { 'If-None-Match': full.headers.get('ETag') ?? '' }, method);
      expect(answer.status).toBe(304);
      expect(await answer.text()).toBe('');
      for (const name of ['ETag', 'Cache-Control', 'Vary', 'Last-Modified', 'Content-Location', 'Expires']) {
        expect(answer.headers.get(name), name).toBe(full.headers.get(name));
      }
      expect(answer.headers.get('Content-Length')).toBeNull();
    },
  );

  test('each coding has its own tag (8.8.3.3)', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map((coding) => etagOf(path, { 'Accept-Encoding': coding })),
    );
    expect(new Set(tags).size).toBe(3);
    const [identity = ''] = tags;
    expect((await get(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': identity })).status).toBe(200);
    expect((await get(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': tags.join(', ') })).status).toBe(304);
  });
});

describe('preconditions (13.1, 13.2.2)', async () => {
  const tag = await etagOf('/api/articles');
  const cases: readonly [fields: Record<string, string>, status: number][] = [
    [{ 'If-None-Match': '*' }, 304],
    [{ 'If-None-Match': `W/${tag}` }, 304],
    [{ 'If-None-Match': `"a", ${tag} , "b"` }, 304],
    [{ 'If-None-Match': `"a,${tag.slice(1)}` }, 200],
    [{ 'If-None-Match': tag.slice(1, -1) }, 200],
    [{ 'If-None-Match': '"other"' }, 200],
    [{ 'If-None-Match': '' }, 200],
    [{ 'If-Modified-Since': LAST_MODIFIED }, 304],
    [{ 'If-Modified-Since': 'Mon, 06 May 2024 07:08:08 GMT' }, 200],
    [{ 'If-Modified-Since': 'Tue, 07 May 2024 00:00:00 GMT' }, 304],
    [{ 'If-Modified-Since': 'Monday, 06-May-24 07:08:09 GMT' }, 304],
    [{ 'If-Modified-Since': 'Mon May  6 07:08:09 2024' }, 304],
    [{ 'If-Modified-Since': '2024-05-06' }, 200],
    [{ 'If-None-Match': '"other"', 'If-Modified-Since': LAST_MODIFIED }, 200],
    [{ 'If-Match': '*' }, 200],
    [{ 'If-Match': `"a", ${tag}` }, 200],
    [{ 'If-Match': `W/${tag}` }, 412],
    [{ 'If-Match': '"other"' }, 412],
    [{ 'If-Match': '"other"', 'If-None-Match': tag }, 412],
    [{ 'If-Match': tag, 'If-None-Match': tag }, 304],
    [{ 'If-Unmodified-Since': LAST_MODIFIED }, 200],
    [{ 'If-Unmodified-Since': 'Mon, 06 May 2024 07:08:08 GMT' }, 412],
    [{ 'If-Unmodified-Since': 'yesterday' }, 200],
    [{ 'If-Match': tag, 'If-Unmodified-Since': 'Mon, 06 May 2024 07:08:08 GMT' }, 200],
  ];
  // Once before the page is kept, and once after.
  test.each(cases)('%o: %i', async (fields, status) => {
    const fresh = make();
    for (let time = 0; time < 2; time++) {
      expect((await fresh.request('/api/articles', { headers: fields })).status).toBe(status);
      await (await fresh.request('/api/articles')).text();
    }
  });

  test.each(['/api/articles/9999', '/api/articles?page=0', '/api/products/category/x', '/api/nothing'])(
    '%s is not a 2xx without them, so they are ignored (13.2.1)',
    async (path) => {
      const { status } = await get(path);
      expect((await get(path, { 'If-None-Match': '*' })).status).toBe(status);
      expect((await get(path, { 'If-Match': '"x"' })).status).toBe(status);
    },
  );

  test('a 304 runs no query', async () => {
    const served = datasetOf({ articles });
    const collection = served.dataset.collections.get('articles');
    let searches = 0;
    const counting = {
      ...collection,
      search: {
        search: () => {
          searches++;
          return { rows: [], total: 0 };
        },
        match: () => new Uint32Array(0),
      },
    };
    const dataset = {
      ...served.dataset,
      collections: new Map([['articles', counting]]),
    } as unknown as typeof served.dataset;
    const counted = appOf({ ...served, dataset });
    const path = '/api/articles/search?q=title';
    const tag = (await counted.request(path)).headers.get('ETag') ?? '';
    expect(searches).toBe(1);
    const again = appOf({ ...served, dataset });
    expect((await again.request(path, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    expect(searches).toBe(1);
    // Whether there is anything at all is known only once it was looked for.
    expect((await again.request(path, { headers: { 'If-None-Match': '*' } })).status).toBe(304);
    expect(searches).toBe(2);
  });

  test.each(['/api/articles', '/api/openapi.json', '/docs'])(
    '%s has another tag with any other setting',
    async (path) => {
      const settings = [
        {},
        { envelope: 'meta' },
        { version: '2' },
        { maxLimit: 7 },
        { rateLimit: 9 },
        { corsOrigin: null },
      ];
      const tags = await Promise.all(
        settings.map(async (options) => (await make(options).request(path)).headers.get('ETag')),
      );
      expect(new Set(tags).size).toBe(settings.length);
    },
  );

  test.each(['/api/openapi.json', '/docs'])('%s has another tag where it shows what changed', async (path) => {
    const compared = await comparedSample();
    const { dataset } = compared;
    const plain = { ...compared, dataset: { ...dataset, comparisons: new Map() } };
    const answers = await Promise.all([compared, plain].map((served) => appOf(served).request(path)));
    const [before, after] = await Promise.all(answers.map((answer) => answer.text()));
    expect(before).not.toBe(after);
    expect(answers[0]?.headers.get('ETag')).not.toBe(answers[1]?.headers.get('ETag'));
  });

  test('a failed reload is news to a client that asks by date only', async () => {
    let current: Served = { ...datasetOf({ articles }), modifiedAt: newest };
    const changing = appOf(current, { served: () => current });
    const Since = new Date(Date.now() + 1e9).toUTCString();
    const status = async () => (await changing.request('/health', { headers: { 'If-Modified-Since': Since } })).status;
    expect(await status()).toBe(200);
    current = { ...current, reloadFault: { file: 'a.json', message: 'broken', at: new Date(0).toISOString() } };
    expect(await status()).toBe(200);
  });
});

describe('ranges (14)', async () => {
  const path = '/api/export/articles';
  const whole = Buffer.from(await (await get(path)).arrayBuffer());
  const part = async (fields: Record<string, string>) => {
    const response = await get(path, fields);
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  test('the whole says its length and that parts can be asked for', async () => {
    const { headers } = await get(path);
    expect(headers.get('Content-Length')).toBe(String(whole.length));
    expect(headers.get('Accept-Ranges')).toBe('bytes');
    expect(JSON.parse(whole.toString())).toHaveLength(700);
  });

  const size = whole.length;
  const ranges: readonly [field: string, from: number, to: number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=0-99', 0, 100],
    ['bytes=50000-', 50000, size],
    ['bytes=-10', size - 10, size],
    ['bytes=-99999999', 0, size],
    [`bytes=7-${size * 2}`, 7, size],
    [`bytes=${size - 1}-`, size - 1, size],
    ['BYTES=1-2', 1, 3],
  ];
  test.each(ranges)('%s', async (field, from, to) => {
    const { status, headers, bytes } = await part({ Range: field });
    expect(status).toBe(206);
    expect(headers.get('Content-Range')).toBe(`bytes ${from}-${to - 1}/${size}`);
    expect(headers.get('Content-Length')).toBe(String(to - from));
    expect(headers.get('ETag')).toBe(await etagOf(path));
    expect(bytes.equals(whole.subarray(from, to))).toBe(true);
  });

  test('pieces of any length add up to the whole', async () => {
    for (const step of [9973, 65_536, 30_011]) {
      const pieces: Buffer[] = [];
      for (let from = 0; from < size; from += step)
        pieces.push((await part({ Range: `bytes=${from}-${from + step - 1}` })).bytes);
      expect(Buffer.concat(pieces).equals(whole)).toBe(true);
    }
  });

  test.each(['bytes=5-2', 'bytes=0-1,4-5', 'items=0-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes 0-1'])(
    '%s is ignored (14.2)',
    async (field) => {
      expect((await part({ Range: field })).status).toBe(200);
    },
  );

  test.each([`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, 'bytes=-0'])('%s: 416 (15.5.17)', async (field) => {
    const { status, headers } = await part({ Range: field });
    expect(status).toBe(416);
    expect(headers.get('Content-Range')).toBe(`bytes */${size}`);
  });

  const Range = 'bytes=1-2';
  test('If-Range (13.1.5)', async () => {
    const tag = await etagOf(path);
    const status = async (condition: string) => (await part({ Range, 'If-Range': condition })).status;
    expect(await status(tag)).toBe(206);
    expect(await status(`W/${tag}`)).toBe(200);
    expect(await status('"other"')).toBe(200);
    expect(await status(LAST_MODIFIED)).toBe(206);
    expect(await status('Tue, 07 May 2024 00:00:00 GMT')).toBe(200);
  });

  test('preconditions come first, HEAD has no ranges, parts are never coded', async () => {
    expect((await part({ Range, 'If-None-Match': await etagOf(path) })).status).toBe(304);
    expect((await get(path, { Range }, 'HEAD')).status).toBe(200);
    const { headers, bytes } = await part({ Range, 'Accept-Encoding': 'gzip, br' });
    expect(headers.get('Content-Encoding')).toBeNull();
    expect(bytes.length).toBe(2);
  });

  test.each(['?format=csv', '?format=csv&fields=id'])('%s has no length, so no parts', async (query) => {
    const response = await get(path + query, { Range });
    expect(response.status).toBe(200);
    expect(response.headers.get('Accept-Ranges')).toBeNull();
  });

  test('a filtered export has parts of its own', async () => {
    const filtered = `${path}?sort=title&order=desc`;
    const all = Buffer.from(await (await get(filtered)).arrayBuffer());
    const piece = Buffer.from(await (await get(filtered, { Range: 'bytes=70000-' })).arrayBuffer());
    expect(piece.equals(all.subarray(70000))).toBe(true);
  });

  test('records that took the place of others, in an export and in its parts', async () => {
    const twice = [...articles, { id: 3, title: 'New 3' }, { id: 700, title: 'New 700' }, { id: 1, title: 'New 1' }];
    const replaced = appOf(datasetOf({ articles: twice }));
    const all = Buffer.from(await (await replaced.request(path)).arrayBuffer());
    const records = JSON.parse(all.toString()) as { id: number; title: string }[];
    expect(records.map(({ id }) => id)).toEqual(articles.map(({ id }) => id));
    expect([0, 2, 699].map((row) => records[row]?.title)).toEqual(['New 1', 'New 3', 'New 700']);
    for (const from of [0, 1, 2, 3, 100, 300, 60_000, all.length - 4, all.length - 1]) {
      const rest = await replaced.request(path, { headers: { Range: `bytes=${from}-` } });
      expect(Buffer.from(await rest.arrayBuffer()).equals(all.subarray(from))).toBe(true);
    }
  });

  test.each(['', '&sort=title&order=desc', '&q=title', '&tag=none'])(
    'NDJSON%s is read by URL as other tools do: its length first, then parts in any order',
    async (query) => {
      const url = `${path}?format=ndjson${query}`;
      const head = await get(url, {}, 'HEAD');
      expect(head.headers.get('Accept-Ranges')).toBe('bytes');
      const length = Number(head.headers.get('Content-Length'));
      const json = await (await get(`${path}?format=json${query}`)).json();
      const parts: string[] = [];
      for (let to = length; to > 0; to -= 7919) {
        const from = Math.max(0, to - 7919);
        const response = await get(url, {
          Range: `bytes=${from}-${to - 1}`,
          'If-Range': head.headers.get('ETag') ?? '',
        });
        expect([response.status, response.headers.get('Content-Range')]).toEqual([
          206,
          `bytes ${from}-${to - 1}/${length}`,
        ]);
        parts.unshift(Buffer.from(await response.arrayBuffer()).toString('latin1'));
      }
      const text = Buffer.from(parts.join(''), 'latin1').toString();
      expect(text).toBe(await (await get(url)).text());
      expect(text).toBe((json as unknown[]).map((record) => `${JSON.stringify(record)}\n`).join(''));
    },
  );

  test('an empty export', async () => {
    const empty = appOf(datasetOf({}));
    const text = await (await empty.request(path)).text();
    expect(text).toBe('[\n]\n');
    expect((await empty.request(path)).headers.get('Content-Length')).toBe(String(text.length));
    expect(await (await empty.request(path, { headers: { Range: 'bytes=2-' } })).text()).toBe(']\n');
  });
});

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', 784111777000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 784111777000],
  ['Sun Nov  6 08:49:37 1994', 784111777000],
  ['Sun, 06 Nov 1994 08:49:37 UTC', null],
  ['784111777', null],
])('date %s', (text, expected) => expect(parseHttpDate(text)).toBe(expected));

test('a range of nothing', () => expect(byteRange('bytes=0-', 0)).toBe('unsatisfiable'));
