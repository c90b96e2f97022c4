/** A dump that holds neither articles nor products, loaded as the collection that `--as` names. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.js';
import { ownCollection } from '../../src/load/fields/own-collection.js';
import { appOf, appOptions, datasetIn, getJson } from '../support/api.js';
import { withFolder } from '../support/program.js';

const flats = [
  {
    title: 'Two rooms by the river',
    rent: '€ 900',
    rooms: 2,
    city: 'Graz',
    balcony: true,
    author: 'Ada Moor',
    description: 'Bright.',
    photos: [{ href: 'a.jpg' }],
  },
  {
    title: 'Attic',
    rent: '€ 450',
    rooms: 1,
    city: 'graz',
    balcony: false,
    author: null,
    description: 'Under the roof.',
    photos: [],
  },
  {
    title: 'House with a garden',
    rent: '€ 1,800',
    rooms: 5,
    city: 'Wels',
    balcony: true,
    author: 'Ben Iss',
    description: 'Green.',
    photos: [],
  },
];

const serving = <T>(run: (app: ReturnType<typeof appOf>) => Promise<T>): Promise<T> =>
  withFolder({ 'dump.json': JSON.stringify(flats) }, async (dir) =>
    run(appOf(await datasetIn(dir, { paths: [`${dir}/dump.json`], as: 'flats' }))),
  );

const attic = {
  id: 2,
  title: 'Attic',
  author: null,
  rent: 450,
  rooms: 1,
  city: 'graz',
  balcony: false,
  description: 'Under the roof.',
  photos: [],
};

test('its answers have all of its fields: documented ones by their names, the dump’s own behind them', async () => {
  await serving(async (app) => {
    expect(await getJson(app, '/api/flats/2')).toEqual(attic);
    expect(await getJson(app, '/api/flats?sort=rent&limit=1')).toMatchObject({
      data: [attic],
      pagination: { total: 3, totalPages: 3 },
    });
  });
});

const queries = [
  { query: 'flats?city=GRAZ&balcony=true', ids: [1] },
  { query: 'flats?rooms_gte=2&sort=rooms&order=desc', ids: [3, 1] },
  { query: 'flats?rent=450&rent=1800', ids: [2, 3] },
  { query: 'flats?missing=author', ids: [2] },
  { query: 'flats/search?q=city:wels', ids: [3] },
  { query: 'flats/search?q=roof', ids: [2] },
];
test.each(queries)('$query', async ({ query, ids }) => {
  await serving(async (app) => {
    const { data } = await getJson<{ data: readonly { id: number }[] }>(app, `/api/${query}`);
    expect(data.map(({ id }) => id)).toEqual(ids);
  });
});

test('counts, statistics, exports, pages and the document know it', async () => {
  await serving(async (app) => {
    expect(await getJson(app, '/api/flats/values/city')).toEqual({
      data: [
        { name: 'Graz', count: 2 },
        { name: 'Wels', count: 1 },
      ],
    });
    expect(await getJson(app, '/api/flats/stats')).toMatchObject({ fields: { rent: { min: 450, max: 1800 } } });
    const csv = await (await app.request('/api/export/flats?format=csv')).text();
    expect(csv.split('\r\n')[0]).toBe('id,title,author,rent,rooms,city,balcony,description,photos');
    for (const path of ['/', '/flats', '/flats/2', '/docs']) {
      const page = await app.request(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(await page.text()).toMatch(/flats/i);
    }
    const document = await getJson<{ paths: object }>(app, '/api/openapi.json');
    expect(Object.keys(document.paths)).toContain('/api/flats/values/{field}');
  });
});

test('articles and products are named nowhere where a dump has collections and none of them; they answer all the same', async () => {
  await serving(async (app) => {
    const { collections, operations } = await getJson<{
      collections: readonly { name: string }[];
      operations: readonly { path: string }[];
    }>(app, '/api');
    expect(collections.map(({ name }) => name)).toEqual(['flats']);
    expect(operations.filter(({ path }) => !/^\/api\/(?:export\/)?flats/.test(path))).toEqual([]);
    const document = await getJson<{ paths: object; tags: readonly { name: string }[] }>(app, '/api/openapi.json');
    expect(Object.keys(document.paths).filter((path) => /articles|products/.test(path))).toEqual([]);
    expect(document.tags.map(({ name }) => name)).not.toContain('products');
    const asHtml = { headers: { accept: 'text/html' } };
    for (const path of ['/', '/flats', '/nothing'])
      expect([path, await (await app.request(path, asHtml)).text()]).not.toEqual([
        path,
        expect.stringMatching(/href="\/(?:articles|products)/),
      ]);
    expect(await (await app.request('/docs')).text()).not.toContain('<code>/api/products</code>');
    for (const path of ['/api/articles', '/api/products/search?q=tea', '/api/export/articles', '/api/products/stats'])
      expect([path, (await app.request(path)).status]).toEqual([path, 200]);
    expect((await app.request('/api/articles/1')).status).toBe(404);
    expect((await app.request('/api/products?page=0')).status).toBe(422);
  });
  // Beside records of one of them both are named, and where a dump has no other collection.
  await withFolder(
    { 'products.json': '[{"title":"Tea","price":2}]', 'jobs.json': '[{"role":"Cook"}]' },
    async (dir) => {
      const { collections } = await getJson<{ collections: readonly { name: string }[] }>(
        appOf(await datasetIn(dir)),
        '/api',
      );
      expect(collections.map(({ name }) => name)).toEqual(['articles', 'products', 'jobs']);
    },
  );
});

test('the documented collections answer beside it, empty', async () => {
  await serving(async (app) => {
    expect(await getJson(app, '/api/products')).toMatchObject({ data: [], pagination: { total: 0 } });
    const unknown = await app.request('/api/flat');
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: { code: 'not_found', message: 'There is no path /api/flat. Did you mean "/api/flats"?' } },
    ]);
  });
});

test('a name of any script is an address, a file name, and a part of the document', async () => {
  const files = {
    'Flüge 2026.json': JSON.stringify([{ von: 'Graz', nach: 'Zürich', gesellschaft: 'Alpen Air', über: 'München' }]),
  };
  await withFolder(files, async (dir) => {
    const app = appOf(await datasetIn(dir));
    const flight = { id: 1, von: 'Graz', nach: 'Zürich', gesellschaft: 'Alpen Air', über: 'München' };
    expect(await getJson(app, '/api/fl%C3%BCge/1')).toEqual(flight);
    const list = await app.request('/api/fl%C3%BCge?limit=1');
    expect(list.headers.get('link')).toContain('</api/export/fl%C3%BCge?format=json>');
    const file = await app.request('/api/export/fl%C3%BCge?format=csv');
    expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''fl%C3%BCge.csv");
    const { paths } = await getJson<{ paths: object }>(app, '/api/openapi.json');
    expect(Object.keys(paths)).toContain('/api/fl%C3%BCge/search');
    for (const path of ['/', '/fl%C3%BCge', '/fl%C3%BCge/1', '/fl%C3%BCge?q=', '/docs', '/fl%C3%BCge/changes'])
      expect([path, (await app.request(path)).status]).toEqual([path, path.endsWith('q=') ? 303 : 200]);
    expect((await app.request('/fl%C3%BCge?q=')).headers.get('location')).toBe('/fl%C3%BCge');
    expect(await getJson(app, '/fl%C3%BCge/complete/%C3%BCber?startsWith=m')).toEqual({
      data: [{ name: 'München', count: 1 }],
    });
  });
});

/** Names that are parts of the server's addresses, of other collections' addresses, or members of every object. */
const AWKWARD = 'changes values stats similar category complete service errors constructor jobs jobs-search'.split(' ');
const TAKEN = 'api assets docs export health openapi search'.split(' ');

test('a collection may have any name: its addresses and its operations are its own', async () => {
  const names = [...AWKWARD, ...TAKEN, 'export_', 'jobs_search', 'été'];
  const files = names.map((name) => [`${name}/${name}.json`, JSON.stringify([{ city: name, rooms: 2 }])] as const);
  await withFolder({}, async (dir) => {
    for (const [file, dump] of files) {
      mkdirSync(join(dir, dirname(file)));
      writeFileSync(join(dir, file), dump);
    }
    // The name of an address gets an underscore; `export.json` and `export_.json` are one collection.
    const nameOf = (name: string) => (TAKEN.includes(name) ? `${name}_` : name);
    const paths = files.map(([file]) => join(dir, file));
    const app = appOf(await datasetIn(dir, { paths }));
    const { paths: described, tags } = await getJson<{
      paths: Readonly<Record<string, { get: { operationId: string } }>>;
      tags: readonly { name: string }[];
    }>(app, '/api/openapi.json');
    const operationIds = Object.values(described).map(({ get }) => get.operationId);
    expect(new Set(operationIds).size).toBe(operationIds.length);
    expect(operationIds).toContain('getJobsSearch');
    expect(new Set(tags.map(({ name }) => name)).size).toBe(tags.length);
    for (const name of names) {
      const segment = encodeURIComponent(nameOf(name));
      const { data } = await getJson<{ data: readonly unknown[] }>(app, `/api/${segment}`);
      expect([name, data]).toEqual([name, expect.arrayContaining([expect.objectContaining({ city: name, rooms: 2 })])]);
      for (const path of ['/1', '/search?q=rooms', '/stats', '/changes', '/values/city', '/1/similar'])
        expect([path, (await app.request(`/api/${segment}${path}`)).status]).toEqual([path, 200]);
      for (const path of ['', '/changes'])
        expect([path, (await app.request(`/api/export/${segment}${path}`)).status]).toEqual([path, 200]);
      for (const path of ['', '/1', '/changes'])
        expect([path, (await app.request(`/${segment}${path}`)).status]).toEqual([path, 200]);
    }
    for (const path of ['/', '/docs', '/docs.md', '/health', '/api', '/api/export/articles'])
      expect([path, (await app.request(path)).status]).toEqual([path, 200]);
  });
});

test('a reload may bring and take collections; an address of one that is gone is no path', async () => {
  await withFolder({ 'jobs.json': '[{"role":"Cook"}]', 'flats.json': '[{"rooms":2}]' }, async (dir) => {
    let served = await datasetIn(dir, { paths: [`${dir}/jobs.json`] });
    const app = createApp({ ...appOptions, served: () => served });
    const statusOf = async (path: string) => (await app.request(path)).status;
    expect(await Promise.all(['/api/jobs', '/jobs', '/api/flats'].map(statusOf))).toEqual([200, 200, 404]);
    served = await datasetIn(dir, { paths: [`${dir}/flats.json`] });
    expect(await Promise.all(['/api/flats', '/flats', '/api/articles'].map(statusOf))).toEqual([200, 200, 200]);
    for (const path of ['/api/jobs', '/api/jobs/1', '/api/export/jobs?format=csv', '/jobs', '/jobs/1'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
  });
});

test('its export loads back the same, in any format', async () => {
  await serving(async (app) => {
    const all = await (await app.request('/api/export/flats')).text();
    for (const format of ['json', 'csv', 'ndjson']) {
      const file = await (await app.request(`/api/export/flats?format=${format}`)).text();
      await withFolder({ [`flats.${format}`]: file }, async (dir) => {
        const again = appOf(await datasetIn(dir));
        expect([format, await (await again.request('/api/export/flats')).text()]).toEqual([format, all]);
      });
    }
  });
});

test('so does one whose texts spell lists and entities, and whose paths spell documented names', async () => {
  const dump = ['["tea"]', 'R&amp;D', '{"a":1}'].map((title, i) => ({
    title,
    owner: { author: { name: 'x' }, image: { url: `https://a.example/${i}.jpg` } },
    author: { name: { first: 'Ada' }, id: i },
    book: { id: 100 - i },
    rooms: i,
  }));
  await withFolder({ 'flats.json': JSON.stringify(dump) }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    const all = await getJson<readonly Readonly<Record<string, unknown>>[]>(app, '/api/export/flats');
    expect(all.map(({ title }) => title)).toEqual(['["tea"]', 'R&D', '{"a":1}']);
    expect(Object.keys(all[0] ?? {})).toContain('bookId2');
    for (const format of ['json', 'csv', 'ndjson']) {
      const file = await (await app.request(`/api/export/flats?format=${format}`)).text();
      await withFolder({ [`flats.${format}`]: file }, async (copy) => {
        const again = appOf(await datasetIn(copy));
        expect([format, await getJson(again, '/api/export/flats')]).toEqual([format, all]);
      });
    }
  });
});

test('records without titles go by their first text, under a heading of their own', async () => {
  const jobs = [
    { apply: 'https://a.example/1', position: 'Cook', city: 'Graz', valid_through: '31.12.2026' },
    { apply: 'https://a.example/2', position: 'Cook', city: 'Wels', valid_through: '01.12.2026' },
  ];
  await withFolder({ 'open_jobs.json': JSON.stringify(jobs) }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    const page = await (await app.request('/open_jobs')).text();
    const [row = ''] = /<tbody[\s\S]*?<\/tr>/.exec(page) ?? [];
    expect(page.match(/<th /g)?.length).toBe(row.match(/<td /g)?.length);
    expect(row).toContain('Cook');
    expect(page).toContain('<h1>Open jobs</h1>');
    expect(await (await app.request('/open_jobs/changes')).text()).toContain('>Changes of open jobs</h1>');
    const path = '/api/open_jobs/search?q=city:wels&valid_through=2026-12-01&fields=id,valid_through';
    expect(await getJson(app, path)).toMatchObject({ data: [{ id: 2, valid_through: '2026-12-01T00:00:00Z' }] });
    const inField = await getJson(app, '/api/open_jobs/search?q=-position:cook%20graz');
    expect(inField).toMatchObject({ data: [] });
  });
});

test.each([
  ['jobs', 'Job'],
  ['movies', 'Movie'],
  ['houses', 'House'],
  ...['news', 'series', 'categories', 'boxes', 'status', 'inventory', 'open_jobs', 's'].map((name) => [name, 'Record']),
])('one of %s is called %s', (name = '', singular) => {
  expect(ownCollection(name, () => true).singular).toBe(singular);
});

test('a collection of numbers only has no values to count, and says so in a whole sentence', async () => {
  const rows = Array.from({ length: 9 }, (_, i) => ({ reading: i * 1.5, level: i }));
  await withFolder({ 'sensors.json': JSON.stringify(rows) }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    const response = await app.request('/api/sensors/values/level');
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: {
        message: '"field" must have values to count, and no field of sensors has any; "level" has none either.',
      },
    });
  });
});
