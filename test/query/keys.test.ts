/** Ids that are no integers: records have ids by position, and a unique code leads to them. */
import { expect, test } from 'vitest';
import { checkText } from '../../src/load/report/report-text.js';
import { appOf, datasetIn, getJson } from '../support/api.js';
import { withFolder } from '../support/program.js';

const books = [
  { isbn: '978-3-16-148410-0', title: 'Salt', price: 12, shelf: 'A/1' },
  { isbn: '0-19-853453-1', title: 'Tea & more', price: 9, shelf: 'A/2' },
];
const serving = <T>(files: Readonly<Record<string, string>>, run: (app: ReturnType<typeof appOf>) => Promise<T>) =>
  withFolder(files, async (dir) => run(appOf(await datasetIn(dir))));
const answerOf = async (app: ReturnType<typeof appOf>, path: string, accept = 'application/json') => {
  const response = await app.request(path, { headers: { accept } });
  return [response.status, response.headers.get('location')];
};

test('a key leads to its record, with the query string; an unknown one is a 404', async () => {
  await serving({ 'products.json': JSON.stringify(books) }, async (app) => {
    expect(await answerOf(app, '/api/products/978-3-16-148410-0')).toEqual([307, '/api/products/1']);
    expect(await answerOf(app, '/api/products/0-19-853453-1?fields=*')).toEqual([307, '/api/products/2?fields=*']);
    expect(await answerOf(app, '/api/products/0-19-853453-1/similar?limit=3')).toEqual([
      307,
      '/api/products/2/similar?limit=3',
    ]);
    expect(await answerOf(app, '/products/978-3-16-148410-0', 'text/html')).toEqual([307, '/products/1']);
    expect(await answerOf(app, '/products/978-x', 'text/html')).toEqual([404, null]);
    expect(await answerOf(app, '/api/products/2')).toEqual([200, null]);
    for (const [segment, message] of [
      ['978', 'Product with id 978 not found.'],
      ['-3', 'Product with id -3 not found.'],
      ['01', 'Product with isbn "01" not found.'],
      ['978-x', 'Product with isbn "978-x" not found.'],
      ['a%2Fb', 'Product with isbn "a/b" not found.'],
    ])
      expect(await (await app.request(`/api/products/${segment}`)).json()).toEqual({
        error: { code: 'not_found', message },
      });
  });
});

test('`id` is named `key` where its values are no integers, or have leading zeros', async () => {
  for (const [ids, key] of [
    [['a-1', 'b 2/x', 'c-3'], 'a-1'],
    [['0012', '0013', '0140'], '0013'],
    [['tea', 'salt', 'oil'], 'salt'],
  ] as const) {
    const dump = ids.map((id, i) => ({ id, title: `T ${i}`, price: 1 }));
    await serving({ 'products.json': JSON.stringify(dump) }, async (app) => {
      const record = dump.findIndex(({ id }) => id === key) + 1;
      const [status, location] = await answerOf(app, `/api/products/${key}?fields=id,key`);
      expect([key, status, location]).toEqual([key, 307, `/api/products/${record}?fields=id,key`]);
      expect(await getJson(app, String(location))).toEqual({ id: record, key });
    });
  }
});

test.each([
  ['isbn:0-19-853453-1', 'Write isbn=0-19-853453-1.'],
  ['tea -isbn:"0-19-853453-1"', 'Write isbn_ne=0-19-853453-1.'],
  ['Isbn:978*', 'Write isbn_like=978.'],
  ['title:tea', null],
  ['publisher:tea', null],
])('a code in a search text, %s, is a condition', async (text, line) => {
  await serving({ 'products.json': JSON.stringify(books) }, async (app) => {
    const response = await app.request(`/api/products/search?q=${encodeURIComponent(text)}`);
    expect(response.status).toBe(line === null ? 200 : 422);
    if (line !== null) expect(await response.text()).toContain(line);
  });
});

test('codes that several records have are no key', async () => {
  const dump = JSON.stringify([...books, books[0]]);
  await serving({ 'products.json': dump }, async (app) => {
    expect(await answerOf(app, '/api/products/978-3-16-148410-0')).toEqual([422, null]);
    expect(
      (await getJson<{ collections: readonly { keys?: readonly string[] }[] }>(app, '/api')).collections[1],
    ).not.toHaveProperty('keys');
  });
});

test('the key outlives an export; /api and the report tell it', async () => {
  await withFolder(
    { 'products.json': JSON.stringify(books.map(({ isbn, ...rest }) => ({ id: isbn, ...rest }))) },
    async (dir) => {
      const served = await datasetIn(dir);
      expect(checkText(served.report)).toContain(
        '  key: code from id, in 2 records, stands for ids in paths if no two are the same; {"id": null} in products.mapping.json keeps it out',
      );
      const app = appOf(served);
      const { collections } = await getJson<{ collections: readonly object[] }>(app, '/api');
      expect(collections[1]).toMatchObject({ name: 'products', keys: ['key'] });
      expect(collections[1]).toMatchObject({
        fields: expect.arrayContaining([{ name: 'key', kind: 'code', from: 'id' }]),
      });
      for (const format of ['json', 'csv']) {
        const file = await (await app.request(`/api/export/products?fields=*&format=${format}`)).text();
        await serving({ [`products.${format}`]: file }, async (again) => {
          expect([format, ...(await answerOf(again, '/api/products/978-3-16-148410-0'))]).toEqual([
            format,
            307,
            '/api/products/1',
          ]);
        });
      }
    },
  );
});

test('every column of codes with another value in each record is a key; the first in the order of the dump leads', async () => {
  const jobs = [
    { jobId: 'J-1', Objektnr: 'A/7', title: 'Baker', team: 'T-1', opened: '2024-05-01', places: 3 },
    { jobId: 'J-2', Objektnr: 'J-1', title: 'Smith', team: 'T-1', opened: '2024-05-02', places: 4 },
    { jobId: 'J-3', Objektnr: 'A/9', title: 'Cook', team: 'T-2', opened: '2024-05-03', places: 5 },
  ];
  await serving({ 'jobs.json': JSON.stringify(jobs) }, async (app) => {
    const { collections } = await getJson<{ collections: readonly object[] }>(app, '/api');
    expect(collections.find((each) => 'name' in each && each.name === 'jobs')).toMatchObject({
      keys: ['jobId', 'Objektnr'],
    });
    expect(await answerOf(app, '/api/jobs/J-3')).toEqual([307, '/api/jobs/3']);
    expect(await answerOf(app, '/api/jobs/j-3')).toEqual([307, '/api/jobs/3']);
    expect(await answerOf(app, '/api/jobs/a%2F9')).toEqual([307, '/api/jobs/3']);
    expect(await answerOf(app, '/api/jobs/J-1')).toEqual([307, '/api/jobs/1']);
    // Codes that two records have, dates, numbers and texts are no keys.
    for (const segment of ['T-2', '2024-05-03', '3.0', 'Cook'])
      expect([segment, ...(await answerOf(app, `/api/jobs/${segment}`))]).toEqual([segment, 404, null]);
    expect(await answerOf(app, '/api/jobs/5')).toEqual([404, null]);
    expect(await (await app.request('/api/jobs/Cook')).json()).toMatchObject({
      error: { message: 'Job with jobId or Objektnr "Cook" not found.' },
    });
  });
});

test('a key of digits leads to its record where no id is that number', async () => {
  const csv = 'isbn,title,price\n9783161484100,Maps,12\n9780198534532,Tea,3\n2,Salt,4\n';
  await serving({ 'products.csv': csv }, async (app) => {
    expect(await answerOf(app, '/api/products/9783161484100')).toEqual([307, '/api/products/1']);
    // The second record has the id 2, though the isbn of the third is 2.
    expect(await answerOf(app, '/api/products/2')).toEqual([200, null]);
    expect(await answerOf(app, '/api/products/9783161484101')).toEqual([404, null]);
    expect(await answerOf(app, '/products/9783161484100', 'text/html')).toEqual([307, '/products/1']);
  });
  // Numbers of any other name are no keys, and of this name only if all differ.
  const repeated = 'isbn,stock,title,price\n9783161484100,70,Maps,12\n9783161484100,71,Tea,3\n';
  await serving({ 'products.csv': repeated }, async (app) => {
    expect(await answerOf(app, '/api/products/9783161484100')).toEqual([404, null]);
    expect(await answerOf(app, '/api/products/71')).toEqual([404, null]);
  });
});
