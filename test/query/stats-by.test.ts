/** Statistics of groups, against plain objects. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appOf, datasetIn, datasetOf, getJson, isMiniSearch } from '../support/api.js';
import { full, type PlainRecord } from '../support/oracle.js';
import { withFolder } from '../support/program.js';

interface Grouped {
  readonly by: string;
  readonly data: readonly {
    readonly value: unknown;
    readonly count: number;
    readonly fields: Record<string, unknown>;
  }[];
  readonly total: number;
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

function numbersOf(records: readonly PlainRecord[], field: string) {
  const isDate = field === 'date';
  const values = records
    .flatMap((record) =>
      record[field] === null ? [] : [isDate ? Date.parse(String(record[field])) : Number(record[field])],
    )
    .sort((a, b) => a - b);
  if (values.length === 0) return { count: 0, min: null, max: null, mean: null, median: null };
  const middle = [values[Math.ceil(values.length / 2) - 1]!, values[Math.floor(values.length / 2)]!];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const shown = (value: number): unknown =>
    isDate ? new Date(Math.round(value)).toISOString().replace('.000Z', 'Z') : expect.closeTo(value, 9);
  const median = (middle[0]! + middle[1]!) / 2;
  return {
    count: values.length,
    min: shown(values[0]!),
    max: shown(values.at(-1)!),
    mean: shown(mean),
    median: shown(median),
  };
}

/** Groups by a field, of one value or a list. */
function grouped(records: readonly PlainRecord[], by: string, fields: readonly string[], limit: number): Grouped {
  const groups = new Map<string | null, { value: unknown; records: PlainRecord[] }>();
  for (const record of records) {
    const values = [record[by] ?? []].flat().filter((value) => String(value).trim() !== '');
    const keys = new Map(values.map((value) => [fold(String(value)), value]));
    for (const [key, value] of keys.size === 0 ? [[null, null] as const] : keys) {
      const group = groups.get(key) ?? { value, records: [] };
      groups.set(key, { ...group, records: [...group.records, record] });
    }
  }
  const order = [...groups].sort(
    ([a, one], [b, other]) =>
      other.records.length - one.records.length ||
      Number(a === null) - Number(b === null) ||
      Buffer.compare(Buffer.from(a ?? ''), Buffer.from(b ?? '')),
  );
  const data = order.slice(0, limit).map(([, { value, records: inGroup }]) => ({
    value,
    count: inGroup.length,
    fields: Object.fromEntries(fields.map((field) => [field, numbersOf(inGroup, field)])),
  }));
  return { by, data, total: order.length };
}

const value = fc.constantFrom(null, 'Tea', 'Salt', 'Oil', 'Food & Drink');
const product = fc.record({
  category: value,
  author: value,
  price: fc.option(fc.integer({ min: -50, max: 50 }).map((cents) => cents / 4)),
  rating: fc.option(fc.integer({ min: 0, max: 5 })),
});
const article = fc.record({
  tags: fc.uniqueArray(fc.constantFrom('maps', 'tea', 'salt'), { maxLength: 3 }),
  score: fc.option(fc.nat(9)),
  comments: fc.option(fc.nat(9)),
  date: fc.option(
    fc.integer({ min: 0, max: 99 }).map((days) => new Date(days * 86_400_000).toISOString().replace('.000Z', 'Z')),
  ),
});

describe('stats?by= equals the oracle', () => {
  test('of products, by one value', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(product, { maxLength: 30 }),
        fc.constantFrom('category', 'author'),
        async (some, by) => {
          const products = some.map((each, i) => full('products', { id: i + 1, title: `T ${i % 3}`, ...each }));
          const app = appOf(datasetOf({ products }));
          const path = `/api/products/stats?by=${by}`;
          expect(await getJson(app, path)).toEqual(grouped(products, by, ['price', 'rating'], 100));
          expect(await getJson(app, `${path}&fields=price&limit=2`)).toEqual(grouped(products, by, ['price'], 2));
          const cheap = products.filter(({ price }) => price !== null && Number(price) <= 5);
          expect(await getJson(app, `${path}&maxPrice=5`)).toEqual(grouped(cheap, by, ['price', 'rating'], 100));
        },
      ),
      { numRuns: 40 },
    ));

  test('of articles, by each value of a list; dates are dates', () =>
    fc.assert(
      fc.asyncProperty(fc.array(article, { maxLength: 30 }), async (some) => {
        const articles = some.map((each, i) => full('articles', { id: i + 1, title: `T ${i}`, ...each }));
        const app = appOf(datasetOf({ articles }));
        const fields = ['score', 'comments', 'date'];
        expect(await getJson(app, '/api/articles/stats?by=tags')).toEqual(grouped(articles, 'tags', fields, 100));
      }),
      { numRuns: 40 },
    ));
});

const shoes = ['A shoe', 'B shoe', 'C boot'].map((title, i) => ({
  title,
  price: i + 1,
  brand: ['Acme', 'acme', 'Bolt'][i],
  isNew: i === 0,
}));

test('found fields, booleans, search texts and engines alike', () =>
  withFolder({ 'products.json': JSON.stringify(shoes) }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    const brands = await getJson<Grouped>(app, '/api/products/stats?by=brand&q=shoe&prefix=0&fields=price');
    expect(brands).toEqual({
      by: 'brand',
      data: [{ value: 'Acme', count: 2, fields: { price: { count: 2, min: 1, max: 2, mean: 1.5, median: 1.5 } } }],
      total: 1,
    });
    const { data } = await getJson<Grouped>(app, '/api/products/stats?by=isNew&fields=price');
    expect(data.map(({ value, count }) => [value, count])).toEqual([
      [false, 2],
      [true, 1],
    ]);
    expect((await app.request('/api/products/stats?by=price')).status).toBe(422);
    expect((await app.request('/api/products/stats?by=nothing')).status).toBe(422);
    // A wrong `by` is given, so nothing that needs it lacks it.
    const wrongGroup = await app.request('/api/products/stats?by=nothing&fields=price&limit=2');
    expect(JSON.parse(await wrongGroup.text()).error.details).toMatchObject([{ parameter: 'by' }]);
    expect((await app.request('/api/products/stats?limit=3')).status).toBe(422);
    expect((await app.request('/api/products/stats?by=brand&fields=title')).status).toBe(422);
  }));

test.skipIf(isMiniSearch)('a search for a code counts its record', () =>
  withFolder(
    { 'products.json': JSON.stringify(shoes.map((shoe, i) => ({ ...shoe, sku: `SH-${i}X` }))) },
    async (dir) => {
      const app = appOf(await datasetIn(dir));
      const { data } = await getJson<Grouped>(app, '/api/products/stats?by=brand&q=SH-2X');
      expect(data.map(({ value, count }) => [value, count])).toEqual([['Bolt', 1]]);
    },
  ),
);

test('the median of more numbers than are counted one by one', () => {
  const prices = Array.from({ length: 9000 }, (_, i) => ((i * 7919) % 9973) / 100);
  const products = prices.map((price, i) =>
    full('products', { id: i + 1, title: 'T', category: `C${i % 999}`, price, rating: null }),
  );
  return getJson(appOf(datasetOf({ products })), '/api/products/stats?by=category&fields=price&limit=1000').then(
    (served) => expect(served).toEqual(grouped(products, 'category', ['price'], 1000)),
  );
});
