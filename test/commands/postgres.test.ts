/**
 * `serve --from`: PostgreSQL answers as memory does, on one server and on two. Each difference has a name here: near spellings are off,
 * the rank is the database's, and what it lacks is a 501.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { servedFrom } from '../../src/commands/database.js';
import { createApp } from '../../src/http/app.js';
import type { AppOptions } from '../../src/http/options.js';
import type { Served } from '../../src/http/served.js';
import { connect } from '../../src/postgres/connection.js';
import { push } from '../../src/postgres/push.js';
import { createDatabaseReader, type EngineLimits, STATEMENT_LIMITS } from '../../src/postgres/reader.js';
import { type DatabaseSource, openDatabaseSource } from '../../src/postgres/source.js';
import { titleKey } from '../../src/postgres/title-key.js';
import { type App, appOf, appOptions, earlierAt, getJson, memoryOf, sampleDir } from '../support/api.js';
import type { Json } from '../support/json.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { type Files, run, serve, withFolder } from '../support/program.js';
import { newDatabase } from '../support/pushed.js';
import { below, seeded } from '../support/random.js';
import { until } from '../support/until.js';

/** Values of every kind, some of which no index of the database holds as they are. */
const THINGS = [
  {
    ref: 'A-1.10',
    name: 'Café crème',
    size: 3,
    big: 1e15,
    made: '2024-01-31',
    on: true,
    labels: ['x', 'Y', 'é'],
    note: 'long '.repeat(90),
  },
  {
    ref: 'A-1.9',
    name: 'cafe creme',
    size: -2,
    big: 5,
    made: '2024-01-31T12:00:00Z',
    on: false,
    labels: ['y'],
    note: 'x'.repeat(4000),
  },
  { ref: 'a-2', name: 'Zebra', size: null, big: 2.5, made: null, on: null, labels: [], note: 'n\0o\u0001te' },
  { ref: 'B 7', name: 'zebra', size: 3, big: null, made: '1999-12-31', labels: ['x|y', 'z"\\'], note: '' },
  {
    ref: '',
    name: 'über',
    size: 10,
    big: -0.5,
    made: '0099-01-01',
    on: true,
    note: "it's a \\N 100% _ test; DROP TABLE",
  },
  // The year 0 is 1 BC to the database.
  { ref: 'c', name: 'later', made: '0000-05-05' },
  { ref: 'd', name: 'earlier', made: '0000-05-04' },
];
const PARTS = Array.from({ length: 60 }, (_, i) => ({
  id: 60 - i,
  title: `Book ${i % 7}`,
  category: ['Art, Music', 'Art', 'Music', 'Art, Music, Tea', ''][i % 5],
  price: i % 3 === 0 ? null : i / 4,
  rating: i % 4,
  isbn: `978-${i}`,
  author: i % 2 ? 'Ann' : 'bob',
}));
/** Values that are longer than an entry of an index, two of which begin alike. */
const LONG = ['Ann', 'bob', `${'q'.repeat(700)} One`, `${'q'.repeat(700)} two`, `${'q'.repeat(700)} ONE`, 'ann'].map(
  (maker, i) => ({ id: i + 1, maker, marks: [maker, 'x'] }),
);
const DUMPS: Readonly<Record<string, Files>> = {
  things: { 'things.json': JSON.stringify(THINGS) },
  // The first record comes twice, so there is a gap between the rows.
  parts: { 'products.json': JSON.stringify([PARTS[0], ...PARTS]) },
  long: { 'long.json': JSON.stringify(LONG) },
};

/** Requests whose answers are memory's to the byte. */
const SAMPLE = [
  '/api/articles',
  '/api/articles?page=3&limit=7',
  '/api/articles?limit=1000&fields=*',
  '/api/articles?page=99',
  '/api/articles?sort=date&order=desc&limit=40',
  '/api/articles?sort=-score,title&limit=50&page=2',
  '/api/articles?sort=title&limit=336&fields=id,title',
  '/api/articles?sort=-title&limit=336&fields=id,title',
  '/api/articles?sort=url&fields=id,url&limit=100',
  '/api/articles?sort=author&fields=id,author&limit=336',
  '/api/articles?tag=maps&tag=open-source&tagMatch=all',
  '/api/articles?tag=maps&tag=open-source&fields=id,tags',
  '/api/articles?tags_ne=maps&limit=5',
  '/api/articles?site=github.com&fields=id,url',
  '/api/articles?from=2020&to=2024-06&fields=id,date',
  '/api/articles?date=2024&fields=id',
  '/api/articles?date_gt=2024-01-31&fields=id&sort=date',
  '/api/articles?missing=content&missing=tags&fields=id',
  '/api/articles?title_like=The&fields=id',
  '/api/articles?tags_like=map&fields=id',
  '/api/articles?minScore=100&maxScore=200&sort=score&fields=id,score',
  '/api/articles?score_ne=1&limit=3',
  '/api/products?sort=price&limit=353&fields=id,price',
  '/api/products?sort=-price&limit=353&fields=id,price',
  '/api/products?sort=-rating,price,-title&limit=200&fields=id',
  '/api/products?category=fiction&category=ART&fields=id',
  '/api/products?category_ne=Fiction&fields=id&limit=300',
  '/api/products?price=9.99&fields=id,price',
  '/api/products?price_gt=9.99&price_lt=12.5&fields=id,price',
  '/api/products?price_gte=1e3',
  '/api/products/1004',
  '/api/products/1004?fields=title,id',
  '/api/products/999999',
  '/api/products/-1',
  '/api/products/abc',
  '/api/products/123456789012345678901234567890',
  '/api/articles/46351053',
  '/api/products/category/food%20%26%20drink?sort=price&limit=3',
  '/api/products/category/Fiction?limit=2&page=2',
  '/api/products/categories',
  '/api/products/categories?limit=3&startsWith=s',
  '/api/products/authors?limit=20',
  '/api/articles/tags?limit=50',
  '/api/articles/values/tags?startsWith=m',
  '/api/articles/values/url?limit=20',
  '/api/products/values/publisher?minPrice=10',
  '/api/products/values/nope',
  '/api/products/values/price',
  '/api/articles/stats',
  '/api/products/stats?category=Fiction',
  '/api/products/stats?price_gt=100000',
  '/api/articles/stats?by=tags&limit=5&fields=score',
  '/api/products/stats?by=category',
  '/api/products/stats?by=author&limit=3&minPrice=10',
  '/api/export/articles',
  '/api/export/articles?format=ndjson&tag=maps',
  '/api/export/products?format=csv',
  '/api/export/products?format=csv&delimiter=;&bom=1&fields=id,title,price&sort=-price',
  '/api/export/products?limit=3&sort=title',
  '/api/export/products?category=Nothing',
  '/api/articles?page=0',
  '/api/articles?limit=1001',
  '/api/articles/search',
  '/api/articles/search?q=',
  '/api/articles?sort=content',
  '/api/nothing',
] as const;

const OF_DUMPS: Readonly<Record<string, readonly string[]>> = {
  things: [
    '/api/things',
    '/api/things?fields=*&sort=ref',
    '/api/things?fields=*&sort=-ref',
    ...['title', 'size', 'big', 'date', 'made', 'on', 'note'].flatMap((name) => [
      `/api/things?fields=id&sort=${name}`,
      `/api/things?fields=id&sort=-${name}`,
      `/api/things?fields=id&missing=${name}`,
    ]),
    '/api/things?fields=id&title=CAFE%20CREME',
    '/api/things?fields=id&title_ne=zebra',
    '/api/things?fields=id&on=true',
    '/api/things?fields=id&on_ne=true',
    '/api/things?fields=id&size=3',
    '/api/things?fields=id&size_gt=2.5',
    '/api/things?fields=id&big_gte=2.5',
    '/api/things?fields=id&big=1000000000000000',
    '/api/things?fields=id&made=2024',
    '/api/things?fields=id&made_lt=2024',
    '/api/things?fields=id&made=0000-05-04',
    '/api/things?fields=id&made_gt=0000-05-04',
    '/api/things?fields=id&made_lt=0001',
    '/api/things?fields=id&made_lt=0000',
    '/api/things?fields=id&made_gt=9999-12-31',
    '/api/things?fields=id&sort=made&limit=2',
    '/api/things?fields=id&sort=made&limit=2&page=2',
    '/api/things?fields=id&tags=Y',
    '/api/things?fields=id&tags=E',
    '/api/things?fields=id&tags=x%7Cy',
    '/api/things?fields=id&tags=z%22%5C',
    '/api/things?fields=id&tags_like=%22',
    '/api/things?fields=id&tags_ne=y',
    `/api/things?fields=id&note=${'x'.repeat(4000)}`,
    '/api/things?fields=id&note_like=xxx',
    '/api/things?fields=id&note_like=%25',
    '/api/things?fields=id&note=n%00o%01te',
    '/api/things/values/tags',
    '/api/things/values/title',
    '/api/things/values/on',
    '/api/things/stats',
    '/api/things/stats?by=on',
    '/api/things/stats?by=tags',
    '/api/export/things?format=csv',
  ],
  long: [
    ...['maker', 'marks'].flatMap((name) => [
      `/api/long?fields=id&${name}=${'Q'.repeat(700)}%20one`,
      `/api/long?fields=id&${name}=${'q'.repeat(700)}`,
      `/api/long?fields=id&${name}_ne=${'q'.repeat(700)}%20two`,
      `/api/long/values/${name}`,
      `/api/long/stats?by=${name}`,
    ]),
    '/api/long?fields=id&maker_like=q%20ONE',
    '/api/long?fields=id&maker_like=n',
  ],
  parts: [
    '/api/products?limit=60&sort=category',
    '/api/products?category=Art&fields=id,category&limit=60',
    '/api/products?category=Art,%20Music&fields=id,category&limit=60',
    '/api/products/category/Art,%20Music,%20Tea?fields=id',
    '/api/products/category/Tea?fields=id',
    '/api/products/categories',
    '/api/products/stats?by=category',
    '/api/products/978-7',
    '/api/products/978-999',
    '/api/products/7',
    '/api/products?isbn=978-10&fields=id',
    '/api/products?sort=isbn&fields=id&limit=60',
    // A page behind another continues at its last code.
    '/api/products?sort=isbn&fields=id,isbn&limit=20',
    '/api/products?sort=isbn&fields=id,isbn&limit=20&page=2',
    // The second page behind the last one: the first is remembered, and has no row at which the second would go on.
    '/api/products?limit=50&page=3',
    '/api/products?limit=50&page=4',
    '/api/products?sort=price&limit=50&page=3',
    '/api/products?sort=price&limit=50&page=4',
  ],
};

/** Texts that find the same records in both, near spellings aside. */
const TEXTS = [
  'the',
  'maps',
  'open source',
  'open-source maps',
  '"open source"',
  '"open source" -maps',
  '-maps',
  'title:maps',
  'tag:maps show',
  '-tag:maps show',
  'trai',
  'e-mail',
  'node.js',
  'C++',
  "it's",
  'running tests',
  'a the of',
  'zzzz',
  'walks meetings',
  'écran',
  "o'malley",
  'author:warrick',
  // More than seven words, or equal phrases, before the one that excludes.
  'open -za -zb -zc -zd -ze -zf -zg -source',
  `open ${'-"za zb" '.repeat(7)}-"open source"`,
  '"the" "of" "to" "and" "a" "in" "is" "maps"',
  '"one two',
  '3d',
  'Bandes dessinées',
  '!',
  '日本',
];

/** Where two texts differ first. */
function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** The program then writes each module that it loads. */
const HOOK = `export async function load(url, context, next) { process.stderr.write('loads ' + url + '\\n'); return next(url, context); }`;
const dataUrl = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
const TELLING_MODULES = {
  NODE_OPTIONS: `--import ${dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(HOOK))});`)}`,
};
const hasLibrary = (stderr: string): boolean =>
  [...stderr.matchAll(/^loads (file:.*)$/gm)].some(([, url]) =>
    readFileSync(fileURLToPath(url ?? ''), 'utf8').includes('PostgresError'),
  );

const sources: DatabaseSource[] = [];
afterAll(async () => void (await Promise.all(sources.map(({ end }) => end()))));

const memoryApp = async (dir: string): Promise<App> => {
  const served = await memoryOf(dir);
  return createApp({ ...appOptions, served: () => served });
};

/** Pushes a folder; returns the address of its database. */
async function pushedTo(dir: string, partitions = 0): Promise<string> {
  const to = await newDatabase();
  const target = { to, partitions: await Promise.all(Array.from({ length: partitions }, newDatabase)), isCitus: false };
  const pushed = await push({ dir, ...target, modifiedAt: earlierAt });
  if (!pushed.ok) throw new Error('message' in pushed ? pushed.message : pushed.fault.message);
  return to;
}

async function servedAt(address: string, limits: EngineLimits = STATEMENT_LIMITS): Promise<Served> {
  const source = await openDatabaseSource(address, { onDump: () => {}, onFault: () => {} }, limits);
  if (typeof source === 'string') throw new Error(source);
  sources.push(source);
  return servedFrom(source.dump);
}

/** An app over what was pushed, whose every answer is held against its OpenAPI document. */
const appFrom = async (address: string, options: Partial<AppOptions> = {}, limits?: EngineLimits): Promise<App> =>
  appOf(await servedAt(address, limits), options);

describe('PostgreSQL answers as memory does', () => {
  let sample: string;
  beforeAll(async () => {
    sample = await pushedTo(sampleDir);
  });

  async function expectSame(memory: App, database: App, path: string): Promise<void> {
    const [expected, found] = await Promise.all([memory.request(path), database.request(path)]);
    // Sums of fractions depend on their order in the last digits.
    const rounded = (text: string): string =>
      text.replace(/(?<="mean":)[\d.]+/g, (mean) => Number(mean).toPrecision(12));
    const [before, after] = [rounded(await expected.text()), rounded(await found.text())];
    expect.soft(found.status, path).toBe(expected.status);
    const at = firstDifference(before, after);
    expect.soft(after.slice(Math.max(0, at - 60), at + 60), path).toBe(before.slice(Math.max(0, at - 60), at + 60));
    for (const name of ['Content-Type', 'Link', 'X-Total-Count', 'Content-Disposition'])
      expect.soft(found.headers.get(name), `${name} of ${path}`).toBe(expected.headers.get(name));
  }

  describe.each([
    ['on one server', 0],
    ['on two servers', 2],
  ] as const)('%s', (_, partitions) => {
    let memory: App;
    let app: App;
    beforeAll(async () => {
      memory = await memoryApp(sampleDir);
      app = await appFrom(partitions === 0 ? sample : await pushedTo(sampleDir, partitions));
    });

    test.each(SAMPLE)('%s', (path) => expectSame(memory, app, path));
    test.each(TEXTS)('the search text %s', async (text) => {
      for (const collection of ['articles', 'products'])
        for (const options of partitions === 0 ? ['', '&match=all', '&prefix=0'] : [''])
          await expectSame(
            memory,
            app,
            `/api/${collection}?q=${encodeURIComponent(text)}${options}&fuzzy=0&sort=id&fields=id&limit=1000`,
          );
    });
    describe.each(Object.keys(DUMPS))('%s', (name) => {
      let [ofMemory, ofDatabase] = [memory, app];
      beforeAll(() =>
        withFolder(DUMPS[name] ?? {}, async (dir) => {
          ofMemory = await memoryApp(dir);
          ofDatabase = await appFrom(await pushedTo(dir, partitions));
        }),
      );
      test.each(OF_DUMPS[name] ?? [])('%s', (path) => expectSame(ofMemory, ofDatabase, path));
    });
  });

  describe('what it lacks is a 501, and no document lists it', () => {
    let app: App;
    beforeAll(async () => {
      // Of what it lacks no document tells.
      const served = await servedAt(sample);
      app = createApp({ ...appOptions, served: () => served });
    });
    test.each([
      ['/api/articles?q=maps&fuzzy=1', 'fuzzy'],
      ['/api/articles/search?q=maps&suggest=1', 'suggest'],
      ['/api/articles?q=maps&highlight=1', 'highlight'],
      ['/api/articles?q=maps&boost=score', 'boost'],
      ['/api/export/articles?format=atom', 'format'],
      ['/api/articles/46351053/similar', 'similar'],
      ['/api/articles/changes', 'changes'],
      ['/api/export/articles/changes', 'changes'],
      ['/', 'pages'],
      ['/articles', 'pages'],
      ['/articles/46351053', 'pages'],
    ])('%s', async (path, what) => {
      const response = await app.request(path);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect([response.status, error.code]).toEqual([501, 'not_implemented']);
      expect(error.message).toContain(`without ${what}`);
    });
    test('a fault beside it is a 422', async () => {
      expect((await app.request('/api/articles?q=maps&fuzzy=1&page=0')).status).toBe(422);
      expect((await app.request('/api/articles?q=maps&fuzzy=2')).status).toBe(422);
    });
    test('no document lists it', async () => {
      const document = await getJson<Json>(app, '/api/openapi.json');
      const { operations } = await getJson<{ operations: { path: string; parameters: string[] }[] }>(app, '/api');
      const listed = [
        ...Object.keys(document.paths as Json),
        ...operations.flatMap(({ path, parameters }) => [path, ...parameters]),
      ];
      expect(listed.filter((name) => /similar|suggest|highlight|boost|changes/.test(name))).toEqual([]);
    });
    test('documents are there', async () => {
      for (const path of ['/docs', '/docs.md', '/llms.txt', '/api/types.d.ts', '/health'])
        expect((await app.request(path)).status, path).toBe(200);
      expect(await getJson(app, '/health')).toMatchObject({
        search: { engine: 'postgresql' },
        collections: { articles: 336 },
      });
    });
    test('meta, HEAD and limits are those of any engine', async () => {
      const meta = await appFrom(sample, { envelope: 'meta', rateLimit: 2 });
      expect(await getJson(meta, '/api/products?limit=1&fields=id&page=2')).toMatchObject({
        meta: { current_page: 2, per_page: 1, total_items: 353, total_pages: 353 },
      });
      expect((await meta.request('/api/export/products', { method: 'HEAD' })).status).toBe(200);
      expect((await meta.request('/api/products')).status).toBe(429);
    });
  });

  test('an export beside as many as there are sessions is refused, and taken when one of them has ended', async () => {
    const sql = await connect(sample, { connections: 1 });
    const { batches } = createDatabaseReader(sql, sql, STATEMENT_LIMITS);
    const open = () => batches('SELECT generate_series(1, 9)::text', [], 2)[Symbol.asyncIterator]();
    const slow = open();
    expect((await slow.next()).value?.map(String)).toEqual(['1', '2']);
    await expect(open().next()).rejects.toThrow(
      'As many exports as may run at once (1) are being read: try again when one has ended.',
    );
    await slow.return?.();
    expect((await open().next()).done).toBe(false);
    await sql.end({ timeout: 1 });
  });

  test('keys of titles sort as memory sorts titles', () => {
    const parts = [
      'a',
      'A',
      'é',
      'z',
      'ñ',
      'æ',
      '0',
      '9',
      ' ',
      '-',
      '–',
      "'",
      '’',
      '(',
      '$',
      'ж',
      'Я',
      'Ω',
      '中',
      '日',
      '가',
      'か',
      '™',
      '½',
    ];
    const random = seeded(7);
    const titleOf = (): string =>
      Array.from({ length: 1 + below(random, 5) }, () => parts[below(random, parts.length)]).join('');
    const titles = Array.from({ length: 2000 }, titleOf);
    const { compare } = new Intl.Collator('en');
    const [inKeyOrder = '', ...others] = titles
      .map((title) => ({ title, key: Buffer.from(titleKey(title)) }))
      .sort((a, b) => Buffer.compare(a.key, b.key))
      .map(({ title }) => title);
    let before = inKeyOrder;
    for (const title of others) {
      expect(compare(before, title), `${before} before ${title}`).toBeLessThanOrEqual(0);
      before = title;
    }
  });

  test('pages that follow one another are the whole list, in each order', async () => {
    const app = await appFrom(sample);
    for (const sort of [
      '',
      'sort=price',
      'sort=-price',
      'sort=title',
      'sort=-title',
      'sort=-rating,title',
      'sort=-price&minPrice=10',
    ]) {
      const idsAt = async (page: string): Promise<readonly number[]> =>
        (await getJson<{ data: { id: number }[] }>(app, `/api/products?${sort}&fields=id&${page}`)).data.map(
          ({ id }) => id,
        );
      const all = await idsAt('limit=1000');
      const paged: number[] = [];
      for (let page = 1; paged.length < all.length; page++) paged.push(...(await idsAt(`limit=50&page=${page}`)));
      expect(paged, sort).toEqual(all);
      // Without the page before, which is remembered.
      expect(await idsAt('limit=47&page=7'), sort).toEqual(all.slice(282, 329));
    }
  });

  test('a statement that takes too long is a 503; a large total may be an estimate', async () => {
    const app = await appFrom(sample, {}, { statementMs: 200, leastEstimate: 10 });
    const totalOf = async (path: string) =>
      (await getJson<{ pagination: { total: number } }>(app, path)).pagination.total;
    const exact = await totalOf('/api/products?price_gte=10');
    const estimate = await totalOf('/api/products?price_gte=11&count=estimate');
    expect(estimate).toBeGreaterThan(10);
    expect(Math.abs(estimate - exact)).toBeLessThan(exact);
    expect(await totalOf('/api/products?price_gte=10&count=exact')).toBe(exact);
    expect((await app.request('/api/products?count=about')).status).toBe(422);
    const sql = await connect(sample, { connections: 1 });
    await sql.begin(async (other) => {
      const [row] = await other`SELECT schema FROM scraper_data_api.served`;
      await other.unsafe(`LOCK TABLE "${row?.schema}".products IN ACCESS EXCLUSIVE MODE`);
      const response = await app.request('/api/products?limit=3');
      const message = 'The database took longer than 0.2 s for this and was stopped: narrow the request.';
      expect([response.status, await response.json()]).toEqual([503, { error: { code: 'unavailable', message } }]);
    });
    await sql.end();
  });

  test('the best match of a title comes first; equal ranks are in the order of rows', async () => {
    const app = await appFrom(sample);
    const [first] = (await getJson<{ data: { title: string }[] }>(app, '/api/products/search?q=Meetings%20Walks')).data;
    expect(first?.title).toBe('Meetings We Should Have Had as Walks');
  });

  describe('the program', () => {
    // It ends its cluster.
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startPostgres(inject('cluster').template);
    });
    afterAll(() => cluster.end());

    test('loads the library for PostgreSQL, and for nothing else', async () => {
      const pushed = await run(['push', sampleDir, '--to', 'postgres://127.0.0.1:1/shop'], TELLING_MODULES);
      expect(hasLibrary(pushed.stderr)).toBe(true);
      const server = await serve([sampleDir], TELLING_MODULES);
      expect((await server.fetch('/api/articles?limit=1')).status).toBe(200);
      expect((await server.fetch('/docs')).status).toBe(200);
      const { stderr } = await server.end();
      expect(stderr).toContain('loads file:');
      expect(hasLibrary(stderr)).toBe(false);
    });

    test('serves a dump, then the next one from the moment of its push; a tag costs no query; no password is said', async () => {
      const address = cluster.database('shop').replace('reader@', 'reader:secret@');
      const pushed = (dir: string) => run(['push', dir, '--to', address]);
      const fault = await run(['serve'], { SCRAPER_FROM: address, PORT: '0' });
      expect([fault.code, fault.stderr]).toEqual([1, expect.stringContaining('nothing was pushed there yet')]);
      await pushed(sampleDir);
      const server = await serve(['--rate-limit', '0'], { SCRAPER_FROM: address });
      try {
        const response = await server.fetch('/api/products?limit=1');
        const tag = response.headers.get('ETag') ?? '';
        expect(await response.json()).toMatchObject({ pagination: { total: 353 } });
        // More bytes than the connection buffers.
        const many = Array.from({ length: 3000 }, (_, id) => ({
          id,
          title: `T ${id}`,
          price: 1,
          note: 'n'.repeat(5000),
        }));
        await withFolder({ 'products.json': JSON.stringify(many) }, pushed);
        await until(async () =>
          (await (await fetch(`${server.url}/api/products?limit=1`)).text()).includes('"total":3000'),
        );
        const running = await fetch(`${server.url}/api/export/products?fields=*`, {
          headers: { 'Accept-Encoding': 'identity' },
        });
        const reader = running.body?.getReader();
        await reader?.read();
        await withFolder(DUMPS.parts ?? {}, pushed);
        await until(async () =>
          (await (await fetch(`${server.url}/api/products?limit=1`)).text()).includes('"total":60'),
        );
        expect(server.stdout()).toMatch(/another dump was pushed: version \S+\n/);
        expect((await fetch(`${server.url}/api/products?limit=1`, { headers: { 'If-None-Match': tag } })).status).toBe(
          200,
        );
        await cluster.kill();
        // The export that runs has no end, which would say that it is whole.
        await expect(
          (async () => {
            while (!(await reader?.read())?.done);
          })(),
        ).rejects.toThrow();
        const now = (await fetch(`${server.url}/api/products?limit=1`)).headers.get('ETag') ?? '';
        expect((await fetch(`${server.url}/api/products?limit=1`, { headers: { 'If-None-Match': now } })).status).toBe(
          304,
        );
        const away = await fetch(`${server.url}/api/products?limit=2`);
        expect([away.status, away.headers.get('Retry-After')]).toEqual([503, '1']);
        expect(await away.json()).toMatchObject({
          error: { code: 'unavailable', message: 'The database does not answer: try again.' },
        });
        await cluster.start();
        await until(async () => (await fetch(`${server.url}/api/products?limit=3`)).status === 200);
      } finally {
        const { stdout, stderr } = await server.end();
        expect(stdout + stderr + fault.stderr + fault.stdout).not.toContain('secret');
      }
    });
  });
});
