/** The pages as resources: how they are sent, what is escaped, and errors as pages. */
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { percentEncode } from '../../src/http/semantics/percent.js';
import { appOf, datasetIn, datasetOf, sampleDir } from '../support/api.js';
import { hostile } from '../support/hostile.js';
import { withFolder } from '../support/program.js';

const served = await datasetIn(sampleDir);
const app = appOf(served);
const attacked = appOf(datasetOf(hostile));
const textOf = async (path: string, from = app): Promise<string> => (await from.request(path)).text();

test('home says what loading noticed and what to do next, as check does', async () => {
  await withFolder({ 'products.csv': 'name,price,junk\na,£5,1\n' }, async (dir) => {
    const page = await textOf('/', appOf(await datasetIn(dir)));
    expect(page).toContain('<span class="count small">1 repair, 1 note</span>');
    for (const line of ['id: assigned by position', 'price: 1 repaired']) expect(page).toContain(line);
    expect(page).not.toContain('read from name');
  });
});

test.each(['/', '/articles', '/products', '/articles/46607804'])(
  '%s is loaded first by at most 110 kB, before any coding',
  async (path) => {
    const page = await textOf(path);
    const assets = new Set(page.match(/\/assets\/[^"]*/g));
    expect(assets.size).toBe(3);
    const parts = await Promise.all([...assets].map((asset) => textOf(asset)));
    expect([page, ...parts].reduce((bytes, part) => bytes + Buffer.byteLength(part), 0)).toBeLessThan(110_000);
  },
);

test('a text that turns the direction around does so to itself alone', async () => {
  const turn = '\u202e';
  const records = Array.from({ length: 12 }, (_, i) => ({
    name: `${turn}name ${i % 3}`,
    author: `${turn}author ${i % 3}`,
    content: `${turn}body ${i} ${'word '.repeat(20)}`,
    tags: [`${turn}tag ${i % 2}`, 'b'],
    code: `A${turn}-${i}`,
    specs: { a: `${turn}x`, b: [`${turn}y`, { c: `${turn}z` }] },
    [`${turn}column`]: `${turn}value ${i % 2}`,
    price: i,
  }));
  await withFolder({ 'products.json': JSON.stringify(records) }, async (dir) => {
    const turned = appOf(await datasetIn(dir));
    const asked = encodeURIComponent(`${turn}author 1`);
    const inList = [
      '',
      '?fields=*',
      '?q=body',
      `?author=${asked}`,
      `?q=${asked}`,
      '/1',
      '/fields/author',
      '/fields/column',
      '/stats',
      '/none',
    ];
    for (const path of ['/', `/search?q=${asked}`, '/search?q=body', ...inList.map((rest) => `/products${rest}`)])
      expect(turningTexts(await textOf(path, turned), turn), path).toEqual([]);
  });
});

/** The texts that turn what follows them around: those in no element that isolates its direction (HTML standard, 15.3.6). */
function turningTexts(page: string, turn: string): readonly string[] {
  const open: boolean[] = [];
  const texts: string[] = [];
  const parser = new Parser({
    onopentag: (name, { dir }) => void open.push(name === 'bdi' || name === 'option' || dir !== undefined),
    onclosetag: () => void open.pop(),
    ontext: (text) => void (text.includes(turn) && !open.includes(true) && texts.push(text)),
  });
  parser.end(page);
  return texts;
}

test('half a surrogate pair in a record makes no page and no description fail', async () => {
  const half = '\ud83d cut';
  const dataset = datasetOf({
    articles: [
      { id: 1, title: half, url: half, author: half, tags: [half, 'x'], content: half },
      { id: 2, title: 'whole', author: 'A', tags: ['x'] },
    ],
    products: [{ id: 1, title: half, author: half, category: half, imageUrl: half, price: 1 }],
  });
  const of = appOf(dataset);
  const query = new URLSearchParams({ author: half }).toString();
  const paths = ['', '/1', '?q=cut', `?${query}`, `/1?${query}`];
  for (const path of [
    '/',
    '/docs',
    '/api/openapi.json',
    ...['/articles', '/products'].flatMap((name) => paths.map((rest) => name + rest)),
  ]) {
    expect([path, (await of.request(path)).status]).toEqual([path, 200]);
  }
  for (const path of [
    '/api/articles',
    '/api/articles/1',
    '/api/export/products?format=csv',
    '/api/products/categories',
  ]) {
    expect([path, (await of.request(path)).status]).toEqual([path, 200]);
  }
});

test('any text can stand in an address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decodeURIComponent(percentEncode(text))).toBe(Buffer.from(text).toString());
    }),
  );
  expect(percentEncode('a\ud83d\ud83d\ude00\ude00')).toBe('a%EF%BF%BD%F0%9F%98%80%EF%BF%BD');
});

describe('as resources', () => {
  const paths = ['/', '/articles', '/products', '/articles/46607804', '/products/1011'];

  test.each(paths)('%s: type, policy, tag, 304, HEAD', async (path) => {
    const response = await app.request(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' http: https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    const tag = response.headers.get('ETag') ?? '';
    expect((await app.request(path, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    const head = await app.request(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await app.request(path, { method: 'POST' })).status).toBe(405);
  });

  test('no style or script stands in a page', async () => {
    for (const path of paths) {
      const page = await textOf(path);
      expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! type="module" src="\/assets\/)/);
    }
  });

  test('assets are kept for good, under an address that changes with them', async () => {
    const [path = ''] = /\/assets\/[\w-]{10}\/style\.css/.exec(await textOf('/')) ?? [];
    const response = await app.request(path);
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
  });

  test.each(['/articles', '/products', '/articles?q=a%20map%20of%20the%20city'])(
    '%s takes less than 30 kB',
    async (path) => {
      const response = await app.request(path, { headers: { 'Accept-Encoding': 'gzip' } });
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(30_000);
    },
  );

  test('they do not count against the rate limit', async () => {
    const limited = appOf(served, { rateLimit: 2 });
    for (let i = 0; i < 5; i++) expect((await limited.request(`/articles?page=${i + 1}`)).status).toBe(200);
    expect((await limited.request('/api/articles')).headers.get('RateLimit')).toBe('"default";r=1;t=60');
  });

  test('a form’s empty fields are taken out of the address', async () => {
    const response = await app.request('/articles?q=map&minScore=&author=+&tag=maps&tag=');
    expect(response.status).toBe(303);
    expect(response.headers.get('Location')).toBe('/articles?q=map&tag=maps');
  });

  test.each(['.5', '1e3', '-1e22'])('a number that is written as %s is read, as in the API', async (typed) => {
    for (const path of ['/products', '/api/products'])
      expect((await app.request(`${path}?minPrice=${typed}`)).status).toBe(200);
  });
});

test('templates are of one byte a character: only records make a page wider', async () => {
  const plain = [
    { id: 1, title: 'A', content: 'a '.repeat(400), date: '2024-01-01', tags: ['t'] },
    { id: 2, title: 'B' },
  ];
  const from = appOf(datasetOf({ articles: plain }));
  for (const path of [
    '/articles',
    '/articles?q=a&limit=1',
    '/articles?sort=title&limit=1&page=2',
    '/articles/1?limit=1',
  ]) {
    expect(await textOf(path, from)).toMatch(/^[\0-\xff]*$/);
  }
});

describe('errors are pages', () => {
  const wanted = { headers: { Accept: 'text/html,*/*' } };
  test.each([
    ['/articles?page=0&colour=red', 422, '<code><bdi>page</bdi></code> <bdi>must be an integer'],
    ['/articles?page=0&tag=maps', 422, '<a class="button" href="/articles?tag=maps">Go on without it</a>'],
    [
      '/articles?colour=red',
      422,
      '<code><bdi>colour</bdi></code> <bdi>is not known here.</bdi></li></ul><p><bdi>Known here: q, ',
    ],
    ['/products?maxPrice=cheap', 422, 'received </bdi><q><bdi>cheap</bdi></q>'],
    ['/articles?q=%ff', 400, '<code><bdi>q</bdi></code> <q><bdi>q=%ff</bdi></q><bdi> is not valid percent-encoded'],
    [
      '/articles?a%22b=1',
      422,
      '<code><bdi>a&quot;b</bdi></code> <bdi>is not known here.</bdi></li></ul><p><bdi>Known here: q, ',
    ],
    ['/articles?minScore=known+here:+', 422, 'received </bdi><q><bdi>known here: </bdi></q><bdi>.</bdi></li>'],
    [
      `/products?maxPrice=${'x'.repeat(70)}`,
      422,
      `received </bdi><q><bdi>${'x'.repeat(57)}…</bdi></q><bdi>.</bdi></li>`,
    ],
    [`/articles?${'x'.repeat(70)}%22=1&minscore=1`, 422, 'Did you mean </bdi><q><bdi>minScore</bdi></q>'],
    ['/articles/1', 404, 'Article with id 1 not found.'],
    ['/articles/1', 404, '<option value="articles" selected>Articles</option>'],
    ['/products/<b>', 404, 'Product with id &lt;b&gt; not found.'],
    ['/product', 404, 'Did you mean </bdi><q><bdi>/products</bdi></q>'],
    ['/product', 404, '<option value="products">Products</option>'],
  ])('%s', async (path, status, says) => {
    const response = await app.request(path, wanted);
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain(says);
  });

  test('they offer no link twice', async () => {
    const page = await textOf('/articles?colour=red');
    expect([...page.matchAll(/<a class="button" href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      '/articles',
      '/',
    ]);
  });

  test('but not for the API, nor for who asks for no page', async () => {
    for (const [path, accept] of [
      ['/api/nothing', 'text/html'],
      ['/nothing', 'application/json'],
    ] as const) {
      const response = await app.request(path, { headers: { Accept: accept } });
      expect(response.headers.get('Content-Type')).toBe('application/json');
    }
  });
});

describe('hostile records', () => {
  test.each(['/', '/articles', '/articles?q=script', '/articles/1', '/articles/2', '/products/2'])(
    '%s holds none of their markup',
    async (path) => {
      const page = await textOf(path, attacked);
      expect(page).not.toMatch(/<script>|<img src=x|<style>|href="\s*javascript:/i);
    },
  );
});
