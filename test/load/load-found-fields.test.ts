/** A dump's own columns from file to answer: which fields they become, what is told of them, and that exports of them load back. */
import { describe, expect, it, test } from 'vitest';
import { createRoutes } from '../../src/http/app.js';
import { checkText, warningLines } from '../../src/load/report/report-text.js';
import { type CollectionModel, collections } from '../../src/model.js';
import { OPERATOR_SUFFIX, RESERVED_NAMES } from '../../src/names.js';
import { changesModel } from '../../src/store/changes/changes.js';
import { appOf, datasetIn, getJson } from '../support/api.js';
import { decisionsIn, linesOf, loadFiles, mistakesIn } from '../support/load.js';
import { withFolder } from '../support/program.js';

const shop = [
  {
    product_name: 'Salt mill',
    price: '£12.50',
    brand: 'Acme',
    'list-price': '£15.00',
    sku: 'SM-01',
    stock: 3,
    inStock: true,
    added: '2024-03-05',
    labels: ['new', 'wood'],
    page: 7,
    price_gte: 1,
    dimensions: { width: 5, height: 20 },
    reviews: [{ by: 'Ann', stars: 5 }],
    empty: null,
  },
  {
    product_name: 'Tea pot',
    price: '£20.00',
    brand: 'Élan "Paris"',
    'list-price': null,
    sku: 'TP-02',
    stock: 0,
    inStock: false,
    added: '2024-03-06',
    labels: [],
    page: 8,
    price_gte: 2,
    dimensions: { width: 15, height: 12 },
    reviews: [],
    empty: null,
  },
  {
    product_name: '=Kettle',
    price: '£30.00',
    brand: '=Acme',
    'list-price': '£31.00',
    sku: '0049',
    stock: 9,
    inStock: true,
    added: '2024-03-07',
    labels: ['wood'],
    page: 9,
    price_gte: 3,
    dimensions: { width: 25, height: 22 },
    reviews: [],
    empty: null,
  },
];

const files = { 'products.json': JSON.stringify(shop) };
const documented = ['id', 'title', 'author', 'price', 'imageUrl', 'rating', 'category'];
const serving = <T>(options: object, run: (served: Awaited<ReturnType<typeof datasetIn>>) => Promise<T>): Promise<T> =>
  withFolder(files, async (dir) => run(await datasetIn(dir, options)));

test('columns that feed no documented field become fields of the kinds of their values', async () => {
  await serving({}, async ({ dataset }) => {
    const { fields } = dataset.collections.get('products')!.model;
    expect(fields.slice(documented.length).map(({ name, kind }) => [name, kind])).toEqual([
      ['brand', 'text'],
      ['listPrice', 'number'],
      ['sku', 'code'],
      ['stock', 'integer'],
      ['inStock', 'boolean'],
      ['added', 'date'],
      ['labels', 'texts'],
      ['page2', 'integer'],
      ['priceGte', 'integer'],
      ['dimensionsWidth', 'integer'],
      ['dimensionsHeight', 'integer'],
      ['reviews', 'json'],
    ]);
  });
});

const found = {
  brand: 'Acme',
  listPrice: 15,
  sku: 'SM-01',
  stock: 3,
  inStock: true,
  added: '2024-03-05T00:00:00Z',
  labels: ['new', 'wood'],
  page2: 7,
  priceGte: 1,
  dimensionsWidth: 5,
  dimensionsHeight: 20,
  reviews: [{ by: 'Ann', stars: 5 }],
};
const mill = { id: 1, title: 'Salt mill', author: null, price: 12.5, imageUrl: null, rating: null, category: null };

test('answers have them where fields asks', async () => {
  await serving({}, async (served) => {
    const app = appOf(served);
    expect(await getJson(app, '/api/products/1')).toEqual(mill);
    expect(await getJson(app, '/api/products/1?fields=*')).toEqual({ ...mill, ...found });
    expect(await getJson(app, '/api/products/search?q=acme&sort=stock&fields=id,sku')).toMatchObject({
      data: [
        { id: 1, sku: 'SM-01' },
        { id: 3, sku: '0049' },
      ],
    });
    expect(await getJson(app, '/api/products?stock_gte=1&inStock=true&sort=listPrice&fields=id')).toMatchObject({
      data: [{ id: 1 }, { id: 3 }],
    });
    expect(await getJson(app, '/api/products/values/labels')).toEqual({
      data: [
        { name: 'wood', count: 2 },
        { name: 'new', count: 1 },
      ],
    });
  });
});

test('with --extra lists, details, searches and exports have them by default', async () => {
  await serving({}, async (served) => {
    const [app, extra] = [appOf(served), appOf(served, { hasAllFields: true })];
    for (const path of [
      '/api/products?limit=2&sort=price',
      '/api/products/1',
      '/api/products/search?q=mill&highlight=1',
      '/api/export/products?format=csv',
      '/api/export/products?format=json&sort=price&order=desc',
      '/api/export/products?format=ndjson',
    ]) {
      const asked = await (await app.request(`${path}${path.includes('?') ? '&' : '?'}fields=*`)).text();
      expect([path, await (await extra.request(path)).text()]).toEqual([path, asked]);
    }
    expect(await getJson(extra, '/api/products?limit=1&fields=id,sku')).toMatchObject({
      data: [{ id: 1, sku: 'SM-01' }],
    });
    const part = await extra.request('/api/export/products', { headers: { range: 'bytes=2-5' } });
    expect([part.status, await part.text()]).toEqual([206, '{"id']);
  });
});

test('without them a collection has the documented fields', async () => {
  await serving({ columns: 'documented' }, async ({ dataset }) => {
    expect(dataset.collections.get('products')!.model.fields.map(({ name }) => name)).toEqual(documented);
  });
});

test.each(['json', 'ndjson', 'csv'])('an export of all fields as %s loads back the same', async (format) => {
  await serving({}, async (served) => {
    const exported = await appOf(served).request(`/api/export/products?fields=*&format=${format}`);
    const copy = { [`products.${format}`]: await exported.text() };
    await withFolder(copy, async (dir) => {
      const again = await datasetIn(dir);
      const all = async (one: typeof served) => (await appOf(one).request('/api/export/products?fields=*')).text();
      expect(await all(again)).toEqual(await all(served));
    });
  });
});

test('no found field can have the name of a parameter', () => {
  const models: readonly CollectionModel[] = [...collections, changesModel('products')];
  const own = new Set(
    models.flatMap(({ fields }) =>
      fields.flatMap(({ name, filter }) => [name, ...Object.values(filter ?? {}).map(String)]),
    ),
  );
  // No name of a field ends in an operator's where the rest is a field.
  const isOperated = (name: string): boolean => OPERATOR_SUFFIX.test(name);
  const parameters = createRoutes({ maxLimit: 1000, envelope: 'pagination' }).flatMap(({ parameters }) =>
    parameters.map(({ name }) => name),
  );
  const unreserved = parameters.filter(
    (name) => !isOperated(name) && !own.has(name) && !RESERVED_NAMES.some((known) => known === name),
  );
  expect(unreserved).toEqual([]);
});

test('the report tells each found field: its kind, where it comes from, how many records have it, and how to keep it out', async () => {
  await serving({}, async ({ report }) => {
    const lines = checkText(report);
    for (const line of [
      'brand: text, in 3 records; {"brand": null} in products.mapping.json keeps it out',
      'listPrice: number from list-price, in 2 records; {"list-price": null} in products.mapping.json keeps it out',
      'labels: list of texts, in 2 records; {"labels": null} in products.mapping.json keeps it out',
      'dimensionsWidth: integer from dimensions.width, in 3 records; {"dimensions.width": null} in products.mapping.json keeps it out',
      'reviews: JSON, only shown, in 3 records; {"reviews": null} in products.mapping.json keeps it out',
    ])
      expect(lines).toContain(`  ${line}`);
    expect(lines).toContain('  not kept: empty; {"empty": FIELD} in products.mapping.json reads one as a field');
  });
});

test('a mapping renames a column, or a value inside of one', async () => {
  const mapping = { 'list-price': 'uvp', 'reviews[0].by': 'critic', 'dimensions.width': 'wide', sku: null };
  await withFolder({ ...files, 'products.mapping.json': JSON.stringify(mapping) }, async (dir) => {
    const served = await datasetIn(dir);
    expect(warningLines(served.report)).toEqual([]);
    const record = await getJson<object>(appOf(served), '/api/products/1?fields=*');
    expect(record).toMatchObject({ uvp: 15, critic: 'Ann', wide: 5, dimensionsHeight: 20 });
    for (const name of ['listPrice', 'sku', 'dimensionsWidth']) expect(record).not.toHaveProperty(name);
    expect(checkText(served.report)).toContain(
      '  critic: text from reviews[0].by, in 1 record; {"reviews[0].by": null} in products.mapping.json keeps it out',
    );
  });
});

test.each(['page', 'in stock', 'stock_gte', '', 'minPrice'])('a mapping cannot call a field %j', async (name) => {
  const mapping = JSON.stringify({ brand: name });
  await withFolder({ ...files, 'products.mapping.json': mapping }, async (dir) => {
    await expect(datasetIn(dir)).rejects.toThrow(
      `products.mapping.json: "brand": expected one of the fields id, title, author, price, imageUrl, rating, category, or another name of letters and digits that is no parameter, found ${JSON.stringify(name)}`,
    );
  });
});

test('a bare day and TRUE are ordinary spellings, and a deadline may be in the future', async () => {
  const files = { 'jobs.csv': 'title,deadline,remote\nCook,2031-05-01,TRUE\nBaker,2031-06-01,False\n' };
  await withFolder(files, async (dir) => {
    const { report } = await datasetIn(dir);
    const fields = report.files[0]?.fields.map(({ field, repaired, present }) => [field, repaired, present]);
    expect(fields).toContainEqual(['deadline', 0, 2]);
    expect(fields).toContainEqual(['remote', 0, 2]);
    expect(mistakesIn(report)).toEqual([]);
  });
});

test('an integer that no double holds is a code with all of its digits', async () => {
  const dump = '[{"id":1,"title":"Tea","price":1,"post":1234567890123456789}]';
  await withFolder({ 'products.json': dump }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    expect(await getJson(app, '/api/products/1?fields=post')).toEqual({ post: '1234567890123456789' });
    const { data } = await getJson<{ data: readonly unknown[] }>(app, '/api/products?post=1234567890123456789');
    expect(data.length).toBe(1);
  });
});

test('digits of long integers are kept beside short ones, inside of objects and in lists', async () => {
  const dump =
    '[{"id":1,"title":"Tea","price":1,"gid":9007199254740993,"meta":{"shop":9007199254740995},"ids":[9007199254740993,"9007199254740993",5]},' +
    '{"id":2,"title":"Pot","price":2,"gid":12,"meta":{"shop":7},"ids":[]}]';
  await withFolder({ 'products.json': dump }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    const { data } = await getJson<{ data: readonly unknown[] }>(app, '/api/products?fields=gid,metaShop,ids');
    expect(data).toEqual([
      { gid: '9007199254740993', metaShop: '9007199254740995', ids: ['9007199254740993', '9007199254740993', '5'] },
      { gid: '12', metaShop: '7' },
    ]);
  });
});

test('an object with a long integer beside a text of ten million characters is read', async () => {
  const note = 'say "9007199254740993", \\ or 9007199254740993 \n'.repeat(200_000);
  const prices = [`{"value":5}`, `{"value":6,"ref":9007199254740993,"note":${JSON.stringify(note)}}`];
  const records = prices.map((price, i) => `{"id":${i + 1},"title":"Tea","price":${price}}`);
  await withFolder({ 'products.json': `[${records}]` }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    const { data } = await getJson<{ data: readonly Record<string, unknown>[] }>(app, '/api/products?fields=price');
    expect(data).toEqual([{ price: 5 }, { price: 6 }]);
  });
});

test('ids beyond 2^53 among short ones are codes: no record is refused', async () => {
  const dump = '[{"id":12,"title":"Tea","price":1},{"id":9007199254740993,"title":"Pot","price":2}]';
  await withFolder({ 'products.json': dump }, async (dir) => {
    const served = await datasetIn(dir);
    const { data } = await getJson<{ data: readonly unknown[] }>(appOf(served), '/api/products?fields=id,key');
    expect(data).toEqual([
      { id: 1, key: '12' },
      { id: 2, key: '9007199254740993' },
    ]);
    expect(served.report.files[0]?.refused).toBe(0);
  });
});

test('texts under a documented name are a found field, and another column is the documented one', async () => {
  const csv = 'title,price,rating,stars\nDog walk,1,PG-13,4.5\nSalt water,2,TV-MA,3.5\n';
  await withFolder({ 'products.csv': csv }, async (dir) => {
    const served = await datasetIn(dir);
    const { data } = await getJson<{ data: readonly unknown[] }>(appOf(served), '/api/products?fields=rating,rating2');
    expect(data).toEqual([
      { rating: 4.5, rating2: 'PG-13' },
      { rating: 3.5, rating2: 'TV-MA' },
    ]);
    expect(decisionsIn(served.report)).toContain('rating: not read from "rating": hardly any of its values fits');
  });
});

test('one value that does not fit leaves a documented field what it is', async () => {
  const csv = 'title,price\nDog walk,1\nSalt water,sold out\n';
  await withFolder({ 'products.csv': csv }, async (dir) => {
    const { data } = await getJson<{ data: readonly unknown[] }>(
      appOf(await datasetIn(dir)),
      '/api/products?fields=price',
    );
    expect(data).toEqual([{ price: 1 }, { price: null }]);
  });
});

test('a price of words for no value gives way to another column', async () => {
  const csv = 'title,price,sale_price\nTea,n/a,$15.00\nPot,n/a,$16.00\n';
  await withFolder({ 'products.csv': csv }, async (dir) => {
    const { data } = await getJson<{ data: readonly unknown[] }>(
      appOf(await datasetIn(dir)),
      '/api/products?fields=price',
    );
    expect(data).toEqual([{ price: 15 }, { price: 16 }]);
  });
});

test('white space around found values makes no further value; inside of them it stays', async () => {
  const csv = 'title,price,brand\nTea,1," Acme"\nPot,2,Acme\nCup,3,"Acme "\nBox,4,Acme  Co\n';
  await withFolder({ 'products.csv': csv }, async (dir) => {
    const { data } = await getJson<{ data: readonly unknown[] }>(
      appOf(await datasetIn(dir)),
      '/api/products?fields=brand',
    );
    expect(data).toEqual([{ brand: 'Acme' }, { brand: 'Acme' }, { brand: 'Acme' }, { brand: 'Acme  Co' }]);
  });
});

test('false beside a number is kept as it came, and an export loads back the same', async () => {
  const dump = '[{"id":1,"title":"Tea","price":1,"edited":false},{"id":2,"title":"Pot","price":2,"edited":1192450700}]';
  await withFolder({ 'products.json': dump }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    const path = '/api/export/products?fields=*';
    const records = await getJson<readonly object[]>(app, path);
    expect(records).toMatchObject([{ edited: false }, { edited: 1192450700 }]);
    for (const format of ['json', 'csv']) {
      const text = await (await app.request(`${path}&format=${format}`)).text();
      await withFolder({ [`products.${format}`]: text }, async (copy) => {
        expect(await getJson(appOf(await datasetIn(copy)), path)).toEqual(records);
      });
    }
  });
});

const lastSeen = async (csv: string) =>
  withFolder({ 'products.csv': csv }, async (dir) => {
    const served = await datasetIn(dir);
    const { data } = await getJson<{ data: readonly { last_seen: string | null }[] }>(
      appOf(served),
      '/api/products?fields=last_seen',
    );
    return {
      days: data.map(({ last_seen: day }) => day?.slice(0, 10)),
      told: linesOf(served.report, (kind) => kind === 'date-order'),
    };
  });

test('a found column of dates has one order of day and month, which its own dates prove', async () => {
  const csv = 'name,price,last_seen\nFlood,3,02/01/2024\nRain,4,13/01/2024\nSnow,5,04/01/2024\n';
  expect(await lastSeen(csv)).toEqual({
    days: ['2024-01-02', '2024-01-13', '2024-01-04'],
    told: ['last_seen: read as day/month, as "13/01/2024" shows'],
  });
});

test('without a proof of its own it has the order that another column of the file proves', async () => {
  const csv = 'name,price,last_seen,added\nFlood,3,02/01/2024,25/12/2023\nRain,4,03/01/2024,26/12/2023\n';
  expect((await lastSeen(csv)).days).toEqual(['2024-01-02', '2024-01-03']);
});

test('its own proof goes before that of another column', async () => {
  const csv = 'name,price,last_seen,added\nFlood,3,01/13/2024,25/12/2023\nRain,4,02/01/2024,26/12/2023\n';
  expect((await lastSeen(csv)).days).toEqual(['2024-01-13', '2024-02-01']);
});

test('without any proof the assumption is told for every column', async () => {
  const csv = 'name,price,last_seen,added\nFlood,3,02/01/2024,03/01/2024\nRain,4,03/01/2024,04/01/2024\n';
  const { days, told } = await lastSeen(csv);
  expect(days).toEqual(['2024-02-01', '2024-03-01']);
  const text = 'no date shows whether day or month stands first; read as month/day; ';
  expect(told).toEqual([expect.stringContaining(`last_seen: ${text}`), expect.stringContaining(`added: ${text}`)]);
});

describe('a kind that a mapping gives', () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({
    id: i + 1,
    title: `Tea ${i}`,
    price: 1,
    block: 10_000 + i,
    day: '2024',
  }));
  const loadedWith = (mapping: object) =>
    loadFiles(
      { 'products.json': JSON.stringify(rows), 'products.mapping.json': JSON.stringify(mapping) },
      { columns: 'all' },
    );

  it('holds, whatever the values look like, under the own name or another', async () => {
    for (const [mapping, name] of [
      [{ block: { kind: 'code' } }, 'block'],
      [{ block: { field: 'postcode', kind: 'code' } }, 'postcode'],
    ] as const) {
      const { models, records, warnings } = await loadedWith(mapping);
      const fields = models.get('products')?.fields ?? [];
      const at = fields.findIndex((field) => field.name === name);
      expect([fields[at]?.kind, records[0]?.[at], warnings]).toEqual(['code', '10000', []]);
    }
  });

  it('of values that do not fit leaves null, and counts them', async () => {
    const { models, records, files } = await loadedWith({ title2: null, block: { kind: 'boolean' } });
    const at = models.get('products')?.fields.findIndex(({ name }) => name === 'block') ?? -1;
    expect(records.every((record) => record[at] === null)).toBe(true);
    expect(files[0]?.fields[at]).toMatchObject({ leftNull: 30 });
  });

  it.each([
    [
      { block: { kind: 'zipcode' } },
      '"block": expected one of the kinds integer, number, date, boolean, text, code, texts, codes, found "zipcode"',
    ],
    [{ block: { field: 'price', kind: 'code' } }, '"block": "price" has the kind that the API documents'],
    [{ block: { field: 'page', kind: 'code' } }, '"block": expected one of the fields'],
  ])('%j is refused', async (mapping, message) => {
    expect((await loadedWith(mapping)).fault).toContain(message);
  });

  it('of a column that no record has is told', async () => {
    expect((await loadedWith({ zap: { kind: 'code' } })).warnings.join()).toContain(
      'no record has a value named "zap"',
    );
  });
});
