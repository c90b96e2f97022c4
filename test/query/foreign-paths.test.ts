/** Paths as people know them from other APIs, and those of files that were taken for another collection. */
import { expect, test } from 'vitest';
import { appOf, datasetIn } from '../support/api.js';
import { withFolder } from '../support/program.js';

const flats = '[{"title":"Flat A","price":900,"city":"Graz"},{"title":"Flat B","price":950,"city":"Wels"}]';
const jobs = '[{"sku":"J-1","role":"Baker"},{"sku":"count","role":"Cook"}]';

const serving = <T>(files: Readonly<Record<string, string>>, run: (app: ReturnType<typeof appOf>) => Promise<T>) =>
  withFolder(files, async (dir) => run(appOf(await datasetIn(dir))));
const messageOf = async (app: ReturnType<typeof appOf>, path: string) => {
  const response = await app.request(path);
  const { error } = (await response.json()) as { error?: { message: string } };
  return [response.status, error?.message];
};

test('a file that was taken for products is found again, by the name that its collection would have', () =>
  serving({ 'flats-2026.json': flats }, async (app) => {
    const message =
      'There is no collection flats: flats-2026.json was taken for products. Start the server with --as flats to serve it as flats.';
    for (const path of ['/api/flats', '/api/flats/1', '/api/flats?city=Graz', '/api/export/flats', '/flats'])
      expect([path, ...(await messageOf(app, path))]).toEqual([path, 404, message]);
    const page = await app.request('/flats', { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('--as flats')]);
    // Any other name is no collection either, and of no file.
    expect((await messageOf(app, '/api/houses'))[1]).toBe(
      'There is no path /api/houses. The paths of the API are listed at /api.',
    );
  }));

test.each([
  ['facets', '/api/products/values/author', 'Values with their counts are at'],
  ['Filters', '/api/products/stats?by=author', 'Values with their counts are at'],
  ['count', '/api/products?limit=1', 'The total of a list'],
  ['total', '/api/products?limit=1', 'The total of a list'],
  ['all', '/api/export/products', 'lists the records page by page'],
  ['download', '/api/export/products?format=json', 'A file of all records'],
  ['schema', '/api', 'Collections and their fields'],
  ['values', '/api/products/values/author', 'Values with their counts are at'],
  ['latest', '/api/products?limit=1', 'One record is at'],
  ['summary', '/api/products/stats', 'Counts, ranges and means'],
  ['find', '/api/products?q=tea', 'for a search'],
  ['csv', '/api/export/products?format=csv', 'A file of all records'],
  ['.csv', '/api/export/products?format=csv', 'A file of all records'],
  ['.jsonl', '/api/export/products?format=ndjson', 'A file of all records'],
  ['.xlsx', '/api/export/products?format=csv', 'A file of all records'],
])('%s: the 404 has the line %s, which works', (word, works, says) =>
  serving({ 'products.json': flats }, async (app) => {
    const [status, message] = await messageOf(app, `/api/products${word.startsWith('.') ? '' : '/'}${word}`);
    expect([status, message]).toEqual([404, expect.stringContaining(says)]);
    expect(message).toContain(works);
    expect((await app.request(works)).status).toBe(200);
  }),
);

test.each([
  ['any', '/api/export/products.csv', '/api/export/products?format=csv'],
  ['any', '/api/export/products/search', '/api/products?q=tea'],
  ['Elasticsearch', '/api/products/_search?q=tea', '/api/products?q=tea'],
  ['Elasticsearch', '/api/products/_count', '/api/products?limit=1'],
  ['Elasticsearch', '/elastic/products/_doc/1', '/api/products'],
  ['OData', '/api/products(1)', '/api/products'],
  ['OData', '/api/products/$count', '/api/products?limit=1'],
  ['OData', '/odata/products', '/api/products'],
  ['Supabase', '/rest/v1/products?select=id', '/api/products'],
  ['Directus', '/items/products', '/api/products'],
  ['Rails', '/products.json', '/api/export/products?format=json'],
  ['any', '/api/v1/products', '/api/products'],
  ['any', '/api/v1/products/1', '/api/products'],
  ['FastAPI', '/api/docs', '/docs'],
  ['Swagger', '/swagger.json', '/api/openapi.json'],
  ['Spring', '/swagger-ui/index.html', '/api'],
  ['Kubernetes', '/healthz', '/health'],
  ['GraphQL', '/graphql', '/api'],
])('%s: the 404 of %s names %s, which works', (_, path, works) =>
  serving({ 'products.json': flats }, async (app) => {
    const [status, message] = await messageOf(app, path);
    expect([status, message]).toEqual([404, expect.stringContaining(works)]);
    expect((await app.request(works)).status).toBe(200);
  }),
);

test('several ids, or an id with an ending, in the place of one', () =>
  serving({ 'products.json': flats, 'jobs.json': jobs }, async (app) => {
    expect(await messageOf(app, '/api/products/1,2')).toEqual([422, expect.stringContaining('?id=1&id=2.')]);
    expect(await messageOf(app, '/api/jobs/1,2')).toEqual([404, expect.stringContaining('/api/jobs?id=1&id=2.')]);
    expect(await messageOf(app, '/api/jobs/1.json')).toEqual([404, expect.stringContaining('/api/jobs/1,')]);
    // A path below the collection's own is no other place of it.
    expect(await messageOf(app, '/api/products/1/similr')).toEqual([404, expect.stringContaining('/similar"?')]);
  }));

test('a word that a record has as its key leads to it; any other segment is an id as before', () =>
  serving({ 'jobs.json': jobs }, async (app) => {
    expect((await app.request('/api/jobs/count')).headers.get('location')).toBe('/api/jobs/2');
    expect(await messageOf(app, '/api/jobs/total')).toEqual([404, expect.stringContaining('/api/jobs?limit=1')]);
    expect(await messageOf(app, '/api/jobs/nobody')).toEqual([404, 'Job with sku "nobody" not found.']);
    expect((await app.request('/api/products/abc')).status).toBe(422);
  }));
