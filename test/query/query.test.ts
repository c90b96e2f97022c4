/** One query everywhere: every endpoint equals filter, sort, slice on plain objects. */
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { unguardFormula } from '../../src/text.js';
import { type App, appOf, datasetIn, datasetOf, getJson, isMiniSearch, isPostgres } from '../support/api.js';
import {
  beginning,
  facets,
  fieldNames,
  filtered,
  full,
  item,
  type Name,
  names,
  type Parameters,
  type PlainRecord,
  project,
  sorted,
  sortNames,
  stats,
} from '../support/oracle.js';
import { withFolder } from '../support/program.js';

/** Few distinct values and many nulls, so that ties and empty results are common. */
const some = <T>(...values: readonly T[]) => fc.constantFrom<T | null>(null, ...values);
const words = ['red', 'green', 'Blau', 'café', 'Ärger'];
const titles = fc.constantFrom(...words, 'red green', 'café red', 'Zoë', '=1', '東京');

const article = fc.record({
  title: titles,
  url: some('https://a.example/', 'http://www.A.example:80?b', 'https://me@b.example#c', 'b'),
  score: some(-1, 0, 1, 2, 50),
  comments: some(0, 3, 7),
  author: some('Zoë', 'zoe', 'Bo', "O'M", '', ' \n'),
  date: some('2024-01-31T23:59:59Z', '2024-02-01T00:00:00Z', '2023-06-15T12:00:00.500Z', '1969-12-31T00:00:00Z'),
  content: some('', 'red\n"green", café', '-x'),
  tags: some<readonly string[]>(['a'], ['a', 'B'], ['b', 'A', 'c'], ['é']),
});
const product = fc.record({
  title: titles,
  author: some('Zoë', 'zoe', 'Bo', '', '\u3000'),
  price: some(0, 0.1, 0.3, 9.99, 1000),
  imageUrl: some('i'),
  rating: some(1, 4.5, 5),
  category: some('Food & Drink', 'food & drink', 'Sci-Fi/Fantasy', 'Art'),
});

const days = fc.constantFrom('1969-12-31', '2023-06-15', '2024-01-31', '2024-02-01', '2030-01-01');
const ordered = <T>(values: fc.Arbitrary<T>) => fc.tuple(values, values).map(([a, b]) => (a <= b ? [a, b] : [b, a]));
const range = <T>(min: string, max: string, values: fc.Arbitrary<T>) =>
  fc.tuple(fc.boolean(), fc.boolean(), ordered(values)).map(([useMin, useMax, [low, high]]) => ({
    ...(useMin && { [min]: low }),
    ...(useMax && { [max]: high }),
  }));
const maybe = <T>(name: string, values: fc.Arbitrary<T>) =>
  fc.option(values).map((value) => (value === null ? {} : { [name]: value }));
const severally = (...values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
const join = (parts: fc.Arbitrary<readonly object[]>): fc.Arbitrary<Parameters> =>
  parts.map((all) => Object.assign({}, ...all) as Parameters);
/** A filter is there in one of four cases, so that several, one and none all occur often. */
const rarely = (parts: fc.Arbitrary<object>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: parts });

const filters: Readonly<Record<Name, fc.Arbitrary<Parameters>>> = {
  articles: join(
    fc.tuple(
      rarely(range('minScore', 'maxScore', fc.integer({ min: -2, max: 51 }))),
      rarely(range('minComments', 'maxComments', fc.integer({ min: -1, max: 8 }))),
      rarely(range('from', 'to', days)),
      rarely(maybe('author', severally('ZOE', 'bo', "o'm", 'nobody'))),
      rarely(maybe('site', severally('A.example', 'b.example', 'b'))),
      rarely(maybe('tag', severally('a', 'b', 'C', 'e', 'none'))),
      maybe('tagMatch', fc.constantFrom('any', 'all')),
      rarely(maybe('missing', severally('url', 'score', 'author', 'date', 'content', 'tags'))),
    ),
  ),
  products: join(
    fc.tuple(
      rarely(range('minPrice', 'maxPrice', fc.constantFrom(-1, 0, 0.1, 0.2, 0.3, 10, 1000))),
      rarely(range('minRating', 'maxRating', fc.constantFrom(0, 1, 4.5, 5))),
      rarely(maybe('author', severally('ZOE', 'bo'))),
      rarely(maybe('category', severally('food & drink', 'art', 'Sci-Fi/Fantasy', 'x'))),
      rarely(maybe('missing', severally('author', 'price', 'imageUrl', 'rating', 'category'))),
    ),
  ),
};

const view = (name: Name) =>
  fc.record({
    filters: filters[name],
    sort: fc.option(fc.constantFrom(...sortNames[name])),
    order: fc.option(fc.constantFrom('asc', 'desc')),
    fields: fc.option(fc.uniqueArray(fc.constantFrom(...fieldNames[name]), { minLength: 1 })),
    limit: fc.integer({ min: 1, max: 30 }),
    startsWith: beginnings,
  });

type View = ReturnType<typeof view> extends fc.Arbitrary<infer V> ? V : never;

function queryString(parameters: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`),
  );
  return pairs.join('&');
}

async function allPages(
  app: App,
  path: string,
  limit: number,
): Promise<{ total: number; records: readonly PlainRecord[] }> {
  const records: PlainRecord[] = [];
  for (let page = 1; ; page++) {
    const body = await getJson<{ data: PlainRecord[]; pagination: { total: number; totalPages: number } }>(
      app,
      `${path}&limit=${limit}&page=${page}`,
    );
    records.push(...body.data);
    if (page >= body.pagination.totalPages) return { total: body.pagination.total, records };
  }
}

const text = async (app: App, path: string): Promise<string> => (await app.request(path)).text();

const csvRows = (csv: string): readonly (readonly string[])[] =>
  Papa.parse<string[]>(csv.slice(0, -2), { newline: '\r\n' }).data.map((cells) => cells.map(unguardFormula));

const cells = (record: PlainRecord, columns: readonly string[]): readonly string[] =>
  columns.map((column) => {
    const value = record[column] ?? '';
    return Array.isArray(value) ? JSON.stringify(value) : String(value);
  });

const statFields = { articles: ['score', 'comments', 'date'], products: ['price', 'rating'] } as const;

interface ServedStats {
  readonly count: number;
  readonly fields: Readonly<
    Record<
      string,
      { min: unknown; max: unknown; mean: unknown; count: number; histogram: readonly Record<string, unknown>[] }
    >
  >;
}

/** Served statistics with dates as numbers again; a mean date is served to the millisecond. */
function asNumbers(field: string, served: ServedStats['fields'][string] | undefined) {
  const number = (value: unknown) => (field === 'date' && value !== null ? Date.parse(String(value)) : value);
  return {
    ...served,
    min: number(served?.min),
    max: number(served?.max),
    mean: number(served?.mean),
    histogram: served?.histogram.map(({ from, to, count }) => ({ from: number(from), to: number(to), count })),
  };
}

interface ServedBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Whether bins stand side by side at round steps, across all values, each with the count of its own. */
function areRoundBins(bins: readonly ServedBin[], values: readonly number[], field: string): boolean {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  if (values.length === 0) return bins.length === 0;
  if (min === max) return bins.length === 1 && bins[0]?.count === values.length;
  const areSideBySide = bins.every(({ from, to }, i) => from < to && (i === 0 || bins[i - 1]?.to === from));
  const hasAll = (bins[0]?.from ?? Number.NaN) <= min && (bins.at(-1)?.to ?? Number.NaN) >= max;
  const isCounted = bins.every(({ from, to, count }, i) => {
    const inBin = values.filter((value) => value >= from && (value < to || i === bins.length - 1));
    return inBin.length === count;
  });
  const step = bins[0] === undefined ? Number.NaN : bins[0].to - bins[0].from;
  const isRound =
    field === 'date'
      ? bins.every(({ from }) => from % 86_400_000 === 0)
      : bins.length <= 21 && (bins.length < 3 || /^[125]0*(?:\.0*)?$|^0\.0*[125]0*$/.test(step.toFixed(9)));
  return areSideBySide && hasAll && isCounted && isRound;
}

function wantedStats(matching: readonly PlainRecord[], field: string) {
  const { values, ...wanted } = stats(matching, field);
  return {
    ...wanted,
    histogram: expect.toSatisfy((bins: readonly ServedBin[]) => areRoundBins(bins, values, field)),
    mean: wanted.mean === null ? null : field === 'date' ? Math.round(wanted.mean) : expect.closeTo(wanted.mean, 9),
  };
}

/** Beginnings of values and of none, as one types them. */
const beginnings = fc.constantFrom('', 'z', 'ZO', 'zoë', 'zoé', 'b', "o'", 'Food &', 'É', 'sci-fi/fantasy', 'x');

/** A run in PostgreSQL is a push. */
const NUM_RUNS = isPostgres ? 5 : 50;

const facetPaths = { articles: ['tags', 'tags'], products: ['categories', 'category'] } as const;

describe.each(names)('%s', (name) => {
  const recordSets = fc
    .array<PlainRecord>(name === 'articles' ? article : product, { maxLength: 40 })
    .map((records) => records.map((record, i) => full(name, { id: i * 3 - 5, ...record })));

  async function expectEqual(app: App, records: readonly PlainRecord[], asked: View) {
    const { filters: filter, sort, order, fields, limit, startsWith } = asked;
    const matching = filtered(records, filter);
    const inOrder = sort === null ? matching : sorted(matching, sort, order ?? 'asc');
    const shown = queryString({ ...filter, sort, order, fields: fields?.join(',') ?? null });
    const listed = await allPages(app, `/api/${name}?${shown}`, limit);
    expect(listed.total).toBe(inOrder.length);
    expect(listed.records).toEqual(inOrder.map((record) => (fields ? project(name, record, fields) : item(record))));

    const whole = inOrder.map((record) => (fields ? project(name, record, fields) : record));
    expect(JSON.parse(await text(app, `/api/export/${name}?${shown}`))).toEqual(whole);
    const columns = fieldNames[name].filter((field) => fields?.includes(field) ?? true);
    expect(csvRows(await text(app, `/api/export/${name}?format=csv&${shown}`))).toEqual([
      columns,
      ...inOrder.map((record) => cells(record, columns)),
    ]);

    const [path, field] = facetPaths[name];
    const counted = await getJson<{ data: unknown }>(app, `/api/${name}/${path}?${queryString(filter)}`);
    expect(counted.data).toEqual(facets(records, matching, field));
    for (const [path, field] of [facetPaths[name], ['authors', 'author']] as const) {
      const expected = beginning(facets(records, matching, field), startsWith);
      const begun = `/api/${name}/${path}?${queryString({ ...filter, startsWith })}`;
      expect(await getJson(app, begun)).toEqual({ data: expected });
      expect(await getJson(app, `${begun}&limit=2`)).toEqual({ data: expected.slice(0, 2) });
    }
    const authors = await getJson(app, `/api/${name}/authors?${queryString(filter)}`);
    expect(authors).toEqual({ data: beginning(facets(records, matching, 'author'), '') });

    const served = await getJson<ServedStats>(app, `/api/${name}/stats?${queryString(filter)}`);
    expect(served.count).toBe(matching.length);
    expect(Object.keys(served.fields)).toEqual(statFields[name]);
    for (const stat of statFields[name]) {
      expect(asNumbers(stat, served.fields[stat])).toEqual(wantedStats(matching, stat));
    }
  }

  // No engine takes part in these: they run with one.
  test.skipIf(isMiniSearch)('list, export, facets and stats equal the oracle', async () => {
    await fc.assert(
      fc.asyncProperty(recordSets, fc.array(view(name), { minLength: 1, maxLength: 4 }), async (records, views) => {
        const app = appOf(datasetOf({ [name]: records }));
        for (const asked of views) await expectEqual(app, records, asked);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  test('a search is its hits, filtered and sorted', async () => {
    await fc.assert(
      fc.asyncProperty(
        recordSets,
        view(name),
        fc.constantFrom('red', 'café', 'green zoë'),
        async (records, asked, q) => {
          const app = appOf(datasetOf({ [name]: records }));
          const byId = new Map(records.map((record) => [record.id, record]));
          const ranked = (await allPages(app, `/api/${name}/search?${queryString({ q })}`, 7)).records.map(
            ({ id }) => byId.get(id) ?? {},
          );
          const { filters: filter, sort, order, limit, startsWith } = asked;
          const matching = filtered(ranked, filter);
          const inSnapshotOrder = records.filter((record) => matching.includes(record));
          const expected = sort === null ? matching : sorted(inSnapshotOrder, sort, order ?? 'asc');
          const shown = queryString({ q, ...filter, sort, order });
          const found = await allPages(app, `/api/${name}/search?${shown}`, limit);
          expect(found).toEqual({ total: expected.length, records: expected.map(item) });
          expect(JSON.parse(await text(app, `/api/export/${name}?${shown}`))).toEqual(expected);
          const [path, field] = facetPaths[name];
          const counted = await getJson(app, `/api/${name}/${path}?${queryString({ q, ...filter })}`);
          expect(counted).toEqual({ data: facets(records, matching, field) });
          const begun = await getJson(app, `/api/${name}/authors?${queryString({ q, ...filter, startsWith })}`);
          expect(begun).toEqual({ data: beginning(facets(records, matching, 'author'), startsWith) });
        },
      ),
      { numRuns: NUM_RUNS },
    );
  });
});

// PostgreSQL has other ways.
describe.skipIf(isMiniSearch || isPostgres)('a collection large enough for every way of computing a page', () => {
  const size = 60_000;
  const random = (seed: number) => (Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) >>> 8) / 2 ** 24;
  const products = Array.from({ length: size }, (_, id) =>
    full('products', {
      id,
      title: `t${id % 7}`,
      author: id % 1000 === 0 ? 'Rare' : `Author ${id % 3}`,
      // Rises with the position, so that a price range stands at one end of the snapshot order.
      price: id % 11 === 0 ? null : id / 100,
      rating: id % 13 === 0 ? null : Math.floor(random(id) * 50) / 10,
      category: ['A', 'B', 'C'][id % 3],
    }),
  );
  const app = appOf(datasetOf({ products }));

  test.each<[Parameters, string | null]>([
    [{}, 'rating'],
    [{ minPrice: 590 }, null],
    [{ minPrice: 590 }, 'rating'],
    [{ minPrice: 590 }, 'price'],
    [{ maxPrice: 1 }, 'rating'],
    [{ minPrice: 100, maxPrice: 500 }, 'price'],
    [{ minPrice: 100, maxPrice: 500 }, null],
    [{ minPrice: 100, maxPrice: 500 }, 'title'],
    [{ minRating: 4.9 }, 'price'],
    [{ author: 'rare' }, 'rating'],
    [{ category: ['a', 'b'] }, 'title'],
    [{ category: 'c', minRating: 2, maxPrice: 450 }, 'rating'],
    [{ category: 'c', minRating: 2, maxPrice: 450 }, null],
    [{ author: 'rare', minRating: 4 }, 'price'],
  ])('%j by %s', async (filter, sort) => {
    for (const order of sort === null ? [null] : ['asc', 'desc']) {
      const matching = filtered(products, filter);
      const expected = sort === null ? matching : sorted(matching, sort, order ?? 'asc');
      const pages = Math.ceil(expected.length / 100);
      for (const page of [1, 2, Math.ceil(pages / 2), pages, pages + 1]) {
        const path = `/api/products?${queryString({ ...filter, sort, order, limit: 100, page })}`;
        const body = await getJson<{ data: PlainRecord[]; pagination: { total: number } }>(app, path);
        expect(body.pagination.total).toBe(expected.length);
        expect(body.data.map(({ id }) => id)).toEqual(expected.slice((page - 1) * 100, page * 100).map(({ id }) => id));
      }
    }
  });
});

test('a record that replaces an earlier one lacks what it lacks itself', async () => {
  const values = { url: 'https://a.example', score: 3, author: 'Ada', content: 'words', tags: ['x'] };
  const dump = [
    { id: 1, title: 'a', ...values },
    { id: 2, title: 'b' },
    { id: 1, title: 'c' },
    { id: 2, title: 'd', ...values },
  ];
  await withFolder({ 'articles.json': JSON.stringify(dump) }, async (dir) => {
    const app = appOf(await datasetIn(dir));
    for (const field of Object.keys(values)) {
      const { data } = await getJson<{ data: { id: number }[] }>(app, `/api/articles?missing=${field}`);
      expect([field, ...data.map(({ id }) => id)]).toEqual([field, 1]);
    }
  });
});

test('a hundred authors are listed, unless more are asked for', async () => {
  const products = Array.from({ length: 300 }, (_, id) => ({ id, title: 't', author: `Author ${id % 150}` }));
  const app = appOf(datasetOf({ products }));
  const listed = async (query: string) =>
    (await getJson<{ data: { name: string }[] }>(app, `/api/products/authors?${query}`)).data.map(({ name }) => name);
  const all = Array.from({ length: 150 }, (_, i) => `Author ${i}`).sort();
  expect(await listed('')).toEqual(all.slice(0, 100));
  expect(await listed('limit=1000')).toEqual(all);
  expect(await listed('startsWith=author%201&limit=3')).toEqual(['Author 1', 'Author 10', 'Author 100']);
  expect(await listed('startsWith=author%201&limit=1000')).toEqual(all.filter((name) => name.startsWith('Author 1')));
});

const KNOWN_OF_VALUES =
  "Known here: limit, startsWith, q, match, fuzzy, prefix, id, title, author, price, minPrice, maxPrice, imageUrl, rating, minRating, maxRating, category, missing; behind a field's name also _ne, _gte, _gt, _lte, _lt, _like.";

describe('faults', () => {
  const app = appOf(datasetOf({}));
  test.each([
    ['/api/products?minPrice=5&maxPrice=1', '"minPrice" must not exceed "maxPrice".'],
    ['/api/articles?from=2024-02-01&to=2024-01-31', '"from" must not exceed "to".'],
    [
      '/api/articles?from=2024-02-30',
      '"from" must be a date such as 2024-01-31, 2024-01 or 2024-01-31T12:00:00Z, received "2024-02-30".',
    ],
    ['/api/articles?minScore=many', '"minScore" must be a number, received "many".'],
    ['/api/articles?author=', '"author" must be a name, received "".'],
    [
      '/api/products?fields=id,name',
      '"fields" must be a comma-separated list of id, title, author, price, imageUrl, rating, category, *, received "id,name".',
    ],
    [
      '/api/products?fields=',
      '"fields" must be a comma-separated list of id, title, author, price, imageUrl, rating, category, *, received "".',
    ],
    ['/api/products/categories?sort=price', `Unknown parameter "sort". ${KNOWN_OF_VALUES}`],
    [
      '/api/products/categories?search=salt',
      `Unknown parameter "search". Write q=salt for a search. ${KNOWN_OF_VALUES}`,
    ],
    [
      '/api/products/category/x?category=y',
      `Unknown parameter "category". Known here: page, limit, sort, order, id, title, author, price, minPrice, maxPrice, imageUrl, rating, minRating, maxRating, missing, fields, q, match, fuzzy, prefix, ${isPostgres ? 'count' : 'boost, highlight, suggest'}; behind a field's name also _ne, _gte, _gt, _lte, _lt, _like.`,
    ],
  ])('%s', async (path, message) => {
    const response = await app.request(path);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'validation_error', message } });
  });

  test('the same range given as one point, or by two different precisions, is possible', async () => {
    for (const query of [
      'from=2024-01-31&to=2024-01-31',
      'from=2024-01-31T12:00&to=2024',
      'from=2024-01&to=2024-01-01',
    ]) {
      expect((await app.request(`/api/articles?${query}`)).status, query).toBe(200);
    }
  });
});

describe('dates of every precision', () => {
  const dates = ['2023-12-31T23:59:59Z', '2024-01-01T00:00:00Z', '2024-01-31T23:59:59.999Z', '2024-02-01T00:00:00Z'];
  const app = appOf(datasetOf({ articles: dates.map((date, id) => ({ id, title: 'x', date })) }));
  test.each([
    ['from=2024', [1, 2, 3]],
    ['to=2023', [0]],
    ['from=2024-01&to=2024-01', [1, 2]],
    ['to=2024-01-31', [0, 1, 2]],
    ['from=2024-01-01T00:00:00Z&to=2024-01-01T00:00:00Z', [1]],
    ['from=2024-01-01T02:00%2B02:00&to=2024-01-31T23:59', [1, 2]],
    ['date=2024-01-31T23:59:59', [2]],
    ['from=2024-02-01', [3]],
  ])('%s', async (query, expected) => {
    const { data } = await getJson<{ data: { id: number }[] }>(app, `/api/articles?${query}`);
    expect(data.map(({ id }) => id)).toEqual(expected);
  });
});

test('Link offers the view as files, and those files are the view', async () => {
  const products = [3, 1, 2].map((id) => ({ id, title: `t${id}`, price: id, category: 'Food & Drink' }));
  const app = appOf(datasetOf({ products: [...products, { id: 9, title: 't', category: 'Art' }] }));
  const response = await app.request('/api/products/category/food%20%26%20drink?sort=price&limit=1&page=2&fields=id');
  const links = [...(response.headers.get('Link') ?? '').matchAll(/<([^>]+)>; rel="alternate"; type="([^"]+)"/g)];
  expect(links.map(([, , type]) => type)).toEqual(['application/json', 'text/csv']);
  const [json, csv] = links.map(([, url]) => url ?? '');
  expect(JSON.parse(await text(app, json ?? ''))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(await text(app, csv ?? '')).toBe('id\r\n1\r\n2\r\n3\r\n');
});

test.each([
  [0, 1, [0, 0.05, 0.1, 0.15], 1.05],
  [3.1, 58.99, [0, 5, 10, 15], 60],
  [0, 100, [0, 5, 10, 15], 105],
  [1, 2000, [0, 100, 200, 300], 2100],
])('bins of %d to %d begin at short numbers', async (lowest, highest, edges, end) => {
  const products = [lowest, highest].map((price, id) => ({ id, title: 't', price }));
  const app = appOf(datasetOf({ products }));
  const { fields } = await getJson<{ fields: { price: { histogram: { from: number; to: number }[] } } }>(
    app,
    '/api/products/stats',
  );
  const { histogram } = fields.price;
  expect(histogram.slice(0, 4).map(({ from }) => from)).toEqual(edges);
  expect(histogram.at(-1)?.to).toBe(end);
});
