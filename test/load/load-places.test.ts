/** Several lists in one JSON file: each is a collection, or a group of one, and what is left out is said. */
import { describe, expect, test } from 'vitest';
import { placeText, stepsAt } from '../../src/load/place/json-place.js';
import { findingLine } from '../../src/load/report/findings.js';
import { checkText } from '../../src/load/report/report-text.js';
import { appOf, datasetIn, getJson } from '../support/api.js';
import { type Files, withFolder } from '../support/program.js';

interface ListOf {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** By collection the records of a dump, and what its report says of places. */
async function served(file: string, dump: unknown, options: { readonly as?: string } = {}) {
  return withFolder({ [file]: JSON.stringify(dump) }, async (dir) => {
    const { dataset, report } = await datasetIn(
      dir,
      options.as === undefined ? {} : { paths: [`${dir}/${file}`], as: options.as },
    );
    const app = appOf({ dataset, report, loadedAt: new Date(0) });
    const lists = await Promise.all(
      [...dataset.collections].map(async ([name]) => {
        const { data } = await getJson<ListOf>(app, `/api/${name}?fields=*&limit=100`);
        return [name, data] as const;
      }),
    );
    const said = report.findings.filter(({ kind }) => kind === 'left-out').map(({ text }) => text);
    const places = report.findings.filter(({ kind }) => kind === 'place').map((each) => findingLine(each));
    const refused = report.findings.flatMap(({ kind, text }) => (kind === 'refused' ? [text] : []));
    return { records: Object.fromEntries(lists.filter(([, data]) => data.length > 0)), said, places, refused };
  });
}

const tea = { id: 1, title: 'Tea', price: 2 };
const cup = { id: 2, title: 'Cup', price: 5 };

describe('several lists', () => {
  test('are a collection each, named by the list', async () => {
    const posts = [{ id: 1, title: 'Hello', body: 'a' }];
    const comments = [{ id: 1, post: 1, name: 'Ann', text: 'b' }];
    const { records } = await served('blog.json', { posts, comments });
    expect(Object.keys(records).sort()).toEqual(['comments', 'posts']);
    expect(records.posts).toMatchObject([{ id: 1, title: 'Hello' }]);
    expect(records.comments).toMatchObject([{ id: 1, title: 'Ann' }]);
  });

  test('inside of an envelope, documented ones among them', async () => {
    const users = [
      { id: 1, name: 'A', email: 'e' },
      { id: 2, name: 'B', email: 'f' },
    ];
    const { records, said } = await served('answer.json', { ok: true, result: { users, products: [tea, cup] } });
    expect(records.products).toMatchObject([tea, cup]);
    expect(records.users).toMatchObject([{ title: 'A' }, { title: 'B' }]);
    expect(said).toEqual([]);
  });

  test('of which one is named as the file: that one is the collection, however long the others are', async () => {
    const reviews = Array.from({ length: 40 }, (_, i) => ({ id: i + 1, title: `Good ${i}`, rating: 4, author: 'a' }));
    const { records } = await served('products.json', { reviews, products: [tea, cup] });
    expect(records.products).toMatchObject([tea, cup]);
    expect(records.reviews).toHaveLength(40);
  });

  test('that only accompany the records of an answer are told, and no collections', async () => {
    const dump = {
      data: [tea, cup],
      facets: [{ name: 'brand', values: 3 }],
      links: [{ rel: 'next', href: '/2' }],
      total: 2,
    };
    const { records, said } = await served('answer.json', dump);
    expect(Object.keys(records)).toEqual(['products']);
    expect(said).toEqual(['facets[], links[] stand beside the records, and are not read']);
  });

  test('of a file that is named by --as give that collection alone, and the others are told', async () => {
    const { records, said } = await served(
      'blog.json',
      { posts: [{ id: 1, title: 'Hello', body: 'a' }], comments: [{ id: 1, post: 1, name: 'Ann', text: 'b' }] },
      { as: 'posts' },
    );
    expect(Object.keys(records)).toEqual(['posts']);
    expect(said).toEqual(['comments[] beside the records: --as posts reads one collection']);
  });

  test('of which one object is none: it is told, as no answer says it of itself', async () => {
    const lists = {
      posts: [{ id: 1, title: 'Hello', body: 'a' }],
      comments: [{ id: 1, post: 1, name: 'Ann', text: 'b' }],
    };
    const { said } = await served('db.json', { ...lists, profile: { name: 'typicode' }, meta: { page: 1 }, empty: {} });
    expect(said).toEqual(['profile (line 1) stands beside the records, and is not read']);
  });

  test.each([
    ['an object of objects', { 1: tea, 2: cup }],
    ['a list', [tea, cup]],
  ])('and %s: objects by their keys beside it are told, and no answer says of itself', async (_, products) => {
    const users = { u0: { email: 'a@t.test', name: 'Ann' }, u1: { email: 'b@t.test', name: 'Bob' } };
    const orders = { o0: { user: 'u1', total: 5.5 }, o1: { user: 'u0', total: 6 } };
    const meta = { request: { at: 1 }, response: { took: 2 } };
    const { records, said } = await served('products.json', { products, users, orders, meta, shop: { city: 'Graz' } });
    expect(records.products).toMatchObject([tea, cup]);
    expect(said).toEqual(['users.*, orders.* stand beside the records, and are not read']);
    const offers = { o0: { title: 'Tea', price: 1 }, o1: { title: 'Cup', price: 4 } };
    const alike = await served('products.json', { products: [tea, cup], offers });
    expect(alike.said).toEqual(['offers.* (line 1) stands beside the records, and is not read']);
  });

  test.each([
    ['first', [null, tea, cup]],
    ['later', [tea, null, cup]],
  ])('of which the %s element is null: only that one is refused', async (_, data) => {
    const { records } = await served('products.json', { ok: true, data });
    expect(records.products).toMatchObject([tea, cup]);
  });

  test('inside of records belong to these', async () => {
    const soup = {
      id: 1,
      name: 'Soup',
      price: 3,
      ingredients: [{ name: 'salt' }, { name: 'water' }],
      steps: [{ text: 'boil' }],
    };
    const { records } = await served('meals.json', [soup, { ...soup, id: 2, name: 'Broth' }]);
    expect(Object.keys(records)).toEqual(['products']);
  });
});

describe('groups of one kind of records', () => {
  test.each([
    ['two departments', ['Electronics', 'Kitchen']],
    ['three shops', ['Graz', 'Linz', 'Wien']],
  ])('%s are one collection, and a product gets its missing category from them', async (_, names) => {
    const dump = Object.fromEntries(
      names.map((name, i) => [
        name,
        [
          { name: `A${i}`, price: 1 },
          { name: `B${i}`, price: 2 },
        ],
      ]),
    );
    const { records } = await served('shop.json', dump);
    expect(Object.keys(records)).toEqual(['products']);
    expect(records.products?.map(({ category }) => category)).toEqual(names.flatMap((name) => [name, name]));
  });

  test('days are a field of their own, and a category that records have stays', async () => {
    const day = (category: string) => [{ name: 'Tea', price: 1, category }];
    const { records } = await served('menu.json', {
      '2024-01-01': day('Drinks'),
      '2024-01-02': day('Food'),
      '2024-01-03': day('Food'),
    });
    expect(records.products).toMatchObject([
      { category: 'Drinks', group: '2024-01-01T00:00:00Z' },
      { category: 'Food', group: '2024-01-02T00:00:00Z' },
      { category: 'Food', group: '2024-01-03T00:00:00Z' },
    ]);
  });

  test.each<
    readonly [
      what: string,
      dump: Readonly<Record<string, unknown>>,
      records: readonly object[],
      said: readonly string[],
    ]
  >([
    [
      'may stand beside what tells of all of them, one without records too',
      { total: 2, meta: { page: 1 }, Kitchen: [cup], Garden: [tea], Office: [] },
      [
        { title: 'Cup', category: 'Kitchen' },
        { title: 'Tea', category: 'Garden' },
      ],
      ['the records are those at *[]'],
    ],
    [
      'that each count their ids from 1 keep all records',
      { Kitchen: [{ ...cup, id: 1 }], Garden: [tea, { ...cup, title: 'Rake' }] },
      [
        { id: 1, title: 'Cup', key: 1 },
        { id: 2, title: 'Tea', key: 1 },
        { id: 3, title: 'Rake', key: 2 },
      ],
      ['the records are those at *[]'],
    ],
    [
      'may list a record twice',
      { Kitchen: [cup, tea], Sale: [tea] },
      [
        { id: 2, title: 'Cup' },
        { id: 1, title: 'Tea', price: 2, category: 'Sale' },
      ],
      ['the records are those at *[]'],
    ],
    [
      'keep a record of each price',
      { current: [tea], previous: [{ ...tea, price: 1 }] },
      [
        { id: 1, title: 'Tea', price: 2, category: 'current', key: 1 },
        { id: 2, title: 'Tea', price: 1, category: 'previous', key: 1 },
      ],
      ['the records are those at *[]'],
    ],
    [
      'that are days have later versions of a record',
      { '2024-01-01': [tea], '2024-01-02': [{ ...tea, price: 1 }] },
      [{ id: 1, title: 'Tea', price: 1, group: '2024-01-02T00:00:00Z' }],
      ['the records are those at *[]'],
    ],
  ])('%s', async (_, dump, expected, said) => {
    const { records, places } = await served('catalog.json', dump);
    expect(records.products).toHaveLength(expected.length);
    expect(records.products).toMatchObject(expected);
    expect(places).toEqual(said);
  });

  test('that each count their ids from 1 may have titles that no double holds', async () => {
    const shop = (city: string, title: string) => `{"city":"${city}","products":[{"id":1,"title":${title},"price":3}]}`;
    const text = `{"shops":[${shop('Graz', '12345678901234567890')},${shop('Linz', '12345678901234567891')}]}`;
    await withFolder({ 'catalog.json': text }, async (dir) => {
      const { dataset, report } = await datasetIn(dir);
      const app = appOf({ dataset, report, loadedAt: new Date(0) });
      expect((await getJson<ListOf>(app, '/api/products?fields=*')).data).toMatchObject([
        { id: 1, title: '12345678901234567890', key: 1 },
        { id: 2, title: '12345678901234567891', key: 1 },
      ]);
    });
  });

  test('keep a field that they have under the same name', async () => {
    const { records } = await served('shop.json', {
      North: [{ name: 'A', price: 1, group: 'own' }],
      South: [{ name: 'B', price: 1, group: 'own' }],
    });
    expect(records.products).toMatchObject([
      { title: 'A', key: 'North' },
      { title: 'B', key: 'South' },
    ]);
  });

  test('are no groups where they are lists of documented collections', async () => {
    const { records } = await served('dump.json', { articles: [tea], products: [cup] });
    expect(Object.keys(records).sort()).toEqual(['articles', 'products']);
  });
});

describe('files of one collection', () => {
  const records = (...titles: string[]) => titles.map((title, i) => ({ id: i + 1, title, body: 'a', author: 'b' }));
  test.each<[string, Readonly<Record<string, readonly object[]>>, readonly string[]]>([
    [
      'that each count their ids from 1 keep all records',
      { 'articles.de.json': records('Hallo', 'Welt', 'Tee'), 'articles.en.json': records('Hello', 'World') },
      ['Hallo', 'Welt', 'Tee', 'Hello', 'World'],
    ],
    [
      'that have each record twice keep all too',
      {
        'articles.de.json': records('Hallo', 'Welt', 'Tee', 'Tasse', 'Kanne'),
        'articles.en.json': [...records('Hello', 'World'), ...records('Hello', 'World')],
      },
      ['Hallo', 'Welt', 'Tee', 'Tasse', 'Kanne', 'Hello', 'World', 'Hello', 'World'],
    ],
    [
      'replace records by later versions',
      { 'articles-a.json': records('Hello', 'World'), 'articles-b.json': records('Hello', 'The World') },
      ['Hello', 'The World'],
    ],
    [
      'replace a record that was corrected',
      { 'articles-a.json': records('Hello', 'World'), 'articles-b.json': records('Hallo') },
      ['Hallo', 'World'],
    ],
  ])('%s', async (_, dumps, titles) => {
    const files = Object.entries(dumps).map(([file, dump]) => [file, JSON.stringify(dump)] as const);
    await withFolder(Object.fromEntries(files), async (dir) => {
      const { dataset, report } = await datasetIn(dir);
      const app = appOf({ dataset, report, loadedAt: new Date(0) });
      const { data } = await getJson<ListOf>(app, '/api/articles');
      expect(data.map(({ title }) => title).sort()).toEqual(titles.toSorted());
      const unsuited = report.findings.filter(({ kind }) => kind === 'unsuited').map(({ text }) => text);
      const why = 'not read from "id": other records have the same values, with other titles or prices';
      expect(unsuited).toEqual(titles.length >= 5 ? [why, why] : []);
    });
  });
});

describe('groups inside of groups', () => {
  const item = (name: string) => ({ name, price: 3 });
  const list = (...names: string[]) => names.map(item);
  const keyed = (...names: string[]) => Object.fromEntries(names.map((name) => [`k${name}`, item(name)]));
  const department = (name: string, inside: unknown) => [{ name, departments: inside }];

  test.each<[string, unknown, string]>([
    ['lists in objects', { Kitchen: { Pans: list('A', 'B') }, Garden: { Tools: list('C') } }, 'ABC'],
    ['objects of objects', { Kitchen: keyed('A', 'B'), Garden: keyed('C') }, 'ABC'],
    [
      'objects of objects of objects',
      { Kitchen: { Pans: keyed('A', 'B'), Knives: keyed('C') }, Garden: { Tools: keyed('D') } },
      'ABCD',
    ],
    ['an empty group among them', { Kitchen: list('A', 'B'), Office: [], Garden: list('C') }, 'ABC'],
    [
      'four levels of departments',
      {
        departments: department('1', department('2', department('3', [{ name: '4', products: list('A', 'B') }]))),
      },
      'AB',
    ],
  ])('%s are read whole', async (_, dump, titles) => {
    const { records } = await served('shop.json', dump);
    expect(Object.keys(records)).toEqual(['products']);
    expect(records.products?.map(({ title }) => title).join('')).toBe(titles);
  });

  test('give their nearest name to records in lists, and a record its own key', async () => {
    const inLists = await served('shop.json', { Kitchen: { Pans: list('A') }, Garden: { Tools: list('B') } });
    expect(inLists.records.products?.map(({ category }) => category)).toEqual(['Pans', 'Tools']);
    const inObjects = await served('shop.json', { Kitchen: keyed('A', 'B'), Garden: keyed('C') });
    expect(inObjects.records.products?.map(({ key }) => key)).toEqual(['kA', 'kB', 'kC']);
  });

  test.each<[string, unknown, readonly object[]]>([
    [
      'lists, from the nearest on',
      {
        AT: { Wien: { Spar: [tea], Billa: [cup] }, Graz: { Spar: [{ ...tea, id: 3 }] } },
        DE: { Ulm: { Rewe: [{ ...cup, id: 4 }] } },
      },
      [
        { title: 'Tea', category: 'Spar', group2: 'Wien', group3: 'AT' },
        { title: 'Cup', category: 'Billa', group2: 'Wien', group3: 'AT' },
        { title: 'Tea', category: 'Spar', group2: 'Graz', group3: 'AT' },
        { title: 'Cup', category: 'Rewe', group2: 'Ulm', group3: 'DE' },
      ],
    ],
    [
      'lists of which one is named like a list of records',
      { de: { books: [tea], films: [cup] }, en: { books: [{ ...tea, id: 3 }], films: [{ ...cup, id: 4 }] } },
      [
        { title: 'Tea', category: 'books', group2: 'de' },
        { title: 'Cup', category: 'films', group2: 'de' },
        { title: 'Tea', category: 'books', group2: 'en' },
        { title: 'Cup', category: 'films', group2: 'en' },
      ],
    ],
    [
      'records with a key',
      {
        AT: { Wien: { a: tea, b: cup, c: { ...cup, id: 3 } } },
        DE: { Ulm: { d: { ...cup, id: 4 }, e: { ...cup, id: 5 }, f: { ...cup, id: 6 } } },
      },
      [{ category: 'Wien', group2: 'AT' }, {}, {}, { category: 'Ulm', group2: 'DE' }, {}, {}],
    ],
  ])('give all of their names to %s', async (_, dump, expected) => {
    expect((await served('products.json', dump)).records.products).toMatchObject(expected);
  });

  test('objects that each hold a list are groups', async () => {
    const shop = (city: string, name: string) => ({ city, products: list(name) });
    const { records } = await served('shop.json', { Graz: shop('Graz', 'A'), Linz: shop('Linz', 'B') });
    expect(records.products).toMatchObject([
      { title: 'A', category: 'Graz' },
      { title: 'B', category: 'Linz' },
    ]);
  });

  test('records with objects inside are no groups', async () => {
    const sizes = { small: { name: 'S', price: 1 }, large: { name: 'L', price: 2 } };
    const { records } = await served('shop.json', [{ name: 'A', price: 3, sizes, more: sizes }]);
    expect(records.products?.map(({ title }) => title)).toEqual(['A']);
  });
});

describe('what holds records', () => {
  const shop = (name: string, ...products: readonly object[]) => ({ shop: name, products });
  const named = [
    { name: 'Kitchen', id: 7, url: 'https://s.test/k', products: [{ name: 'Pan', price: 3 }] },
    { name: 'Garden', id: 8, url: 'https://s.test/g', products: [{ name: 'Hoe', price: 4 }] },
  ];
  test.each<[string, string, unknown, readonly object[]]>([
    [
      'shops',
      'a.json',
      [shop('X', tea), shop('Y', cup)],
      [
        { ...tea, shop: 'X' },
        { ...cup, shop: 'Y' },
      ],
    ],
    [
      'regions of shops',
      'a.json',
      { region: 'N', shops: [shop('X', tea), shop('Y', cup)] },
      [
        { ...tea, region: 'N', shop: 'X' },
        { ...cup, region: 'N', shop: 'Y' },
      ],
    ],
    [
      'values behind their records',
      'a.json',
      [
        { products: [tea], shop: 'X', city: 'Graz' },
        { products: [cup], shop: 'Y', city: 'Linz' },
      ],
      [
        { ...tea, shop: 'X', city: 'Graz' },
        { ...cup, shop: 'Y', city: 'Linz' },
      ],
    ],
    [
      'categories',
      'a.json',
      {
        categories: [
          { category: 'Drinks', items: [tea] },
          { category: 'Cups', items: [cup] },
        ],
      },
      [
        { ...tea, category: 'Drinks' },
        { ...cup, category: 'Cups' },
      ],
    ],
    [
      'authors',
      'a.json',
      [
        { author: 'Ann', books: [tea] },
        { author: 'Bo', books: [cup] },
      ],
      [{ author: 'Ann' }, { author: 'Bo' }],
    ],
    [
      'an object in what holds them',
      'a.json',
      [
        { shop: { name: 'X', city: 'Graz' }, products: [tea] },
        { shop: { name: 'Y', city: 'Linz' }, products: [cup] },
      ],
      [
        { shopName: 'X', shopCity: 'Graz' },
        { shopName: 'Y', shopCity: 'Linz' },
      ],
    ],
    [
      'a name that a record has itself',
      'a.json',
      [shop('X', tea, { ...cup, shop: 'own' })],
      [
        { ...tea, shop: 'X' },
        { ...cup, shop: 'own' },
      ],
    ],
    [
      'names, ids and addresses, which are none of the records',
      'a.json',
      named,
      [
        { title: 'Pan', category: 'Kitchen', group_id: 7, group_url: 'https://s.test/k', link: null },
        { title: 'Hoe', category: 'Garden', group_id: 8, group_url: 'https://s.test/g' },
      ],
    ],
    [
      'the noun of their list',
      'a.json',
      {
        brands: [
          { name: 'Acme', rating: 4, products: [tea] },
          { name: 'Bolt', products: [cup] },
        ],
      },
      [{ brand: 'Acme', brand_rating: 4, rating: null }, { brand: 'Bolt' }],
    ],
    ['one shop', 'a.json', { shop: 'X', title: 'Offers', total: 1, products: [tea] }, [{ ...tea, shop: 'X' }]],
    [
      'days of posts',
      'articles.json',
      [
        { date: '2026-11-01', posts: [{ title: 'A', text: 'a' }] },
        { date: '2026-11-02', posts: [{ title: 'B', text: 'b' }] },
      ],
      [
        { title: 'A', date: '2026-11-01T00:00:00Z' },
        { title: 'B', date: '2026-11-02T00:00:00Z' },
      ],
    ],
  ])('%s', async (_, file, dump, expected) => {
    const { records, said } = await served(file, dump);
    const found = Object.values(records).flat();
    expect(found).toHaveLength(expected.length);
    for (const [i, record] of expected.entries())
      expect(found[i]).toMatchObject(Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)));
    expect(said).toEqual([]);
  });

  test('in lines of NDJSON', async () => {
    const lines = [shop('X', tea), shop('Y', cup)].map((one) => JSON.stringify(one)).join('\n');
    const records = await withFolder({ 'a.ndjson': lines }, async (dir) => {
      const loaded = await datasetIn(dir);
      const app = appOf({ ...loaded, loadedAt: new Date(0) });
      return (await getJson<ListOf>(app, '/api/products?fields=title,shop')).data;
    });
    expect(records).toEqual([
      { title: 'Tea', shop: 'X' },
      { title: 'Cup', shop: 'Y' },
    ]);
  });

  test('what an answer says of its pages is no field', async () => {
    const { records } = await served('a.json', [
      { page: 1, total: 2, hasMore: true, items: [tea] },
      { page: 2, total: 2, hasMore: false, items: [cup], responseHeader: { status: 0 }, numFound: 2 },
    ]);
    expect(Object.keys(records.products?.[1] ?? {}).join()).not.toMatch(/page|responseHeader|numFound/);
    expect(records.products).toHaveLength(2);
  });

  test.each<[string, unknown]>([
    ['a rope and its strands', [{ id: 1, name: 'Rope', strands: [{ name: 'Red' }] }]],
    ['an order and its items', [{ order_id: 1, customer: 'Ann', items: [{ name: 'Tea', price: 2 }] }]],
    ['a set and its products', [{ name: 'Set', price: 9, products: [{ name: 'Tea', price: 2 }] }]],
    ['a soup and what is in it', [{ label: 'Soup', price: 3, ingredients: [{ name: 'salt' }, { name: 'water' }] }]],
  ])('%s are one record', async (_, dump) => {
    const { records } = await served('a.json', dump);
    expect(Object.values(records).flat()).toHaveLength(1);
  });
});

test('what a file says of a program is no author; of a person it is', async () => {
  const entries = [{ url: 'https://a.test/1', status: 200 }];
  const archive = await served('page.json', { log: { version: '1.2', creator: { name: 'Browser' }, entries } });
  expect(archive.records.page?.[0]).not.toHaveProperty('author');
  const items = [{ id: 1, title: 'One', content: 'x' }];
  for (const author of ['Ann', { name: 'Ann' }]) {
    const { records } = await served('feed.json', { title: 'Blog', author, items });
    expect(records.articles).toMatchObject([{ title: 'One', author: 'Ann' }]);
  }
});

describe('lists under a name that says nothing', () => {
  const dishes = [
    [
      { name: 'Tomato', price: 4 },
      { name: 'Leek', price: 5 },
    ],
    [{ name: 'Trout', price: 20 }],
  ];
  const plain = dishes.map((list) => list.map(({ name }, i) => ({ name, minutes: i })));
  const placesIn = async (dump: unknown) => {
    const { records, places } = await served('a.json', dump);
    return {
      titles: Object.values(records)
        .flat()
        .map(({ title }) => title),
      places,
    };
  };
  const all = ['Tomato', 'Leek', 'Trout'];

  test.each<[string, unknown, string]>([
    ['sections', { sections: dishes.map((list, i) => ({ title: `S${i}`, dishes: list })) }, 'sections[].dishes[]'],
    ['teams', { teams: plain.map((list, i) => ({ name: `T${i}`, players: list })) }, 'teams[].players[]'],
    [
      'chapters with an id and a position',
      { data: { chapters: plain.map((list, i) => ({ id: i, title: `C${i}`, position: i, exercises: list })) } },
      'data.chapters[].exercises[]',
    ],
    [
      'sections of sections',
      { sections: dishes.map((list, i) => ({ title: `S${i}`, subsections: [{ title: 'x', dishes: list }] })) },
      'sections[].subsections[].dishes[]',
    ],
  ])('are the records of %s', async (_, dump, place) => {
    const holders = place.slice(0, place.lastIndexOf('.'));
    expect(await placesIn(dump)).toEqual({
      titles: all,
      places: [`the records are those at ${place}; --records "${holders}" reads what holds them`],
    });
  });

  test.each<[string, unknown, string | undefined]>([
    ['of which only a name is known', dishes.map((list, i) => ({ name: `S${i}`, dishes: list })), '[].dishes[]'],
    ['of courses', dishes.map((list, i) => ({ title: `S${i}`, lessons: list })), '[].lessons[]'],
    ['of records', dishes.map((list, i) => ({ name: `S${i}`, year: 1990 + i, tracks: list })), undefined],
    [
      'of regions that say more',
      { regions: plain.map((list, i) => ({ name: `R${i}`, people: i, towns: list })) },
      undefined,
    ],
    [
      'of comments',
      [{ id: 1, text: 'Good', user: 'Ann', replies: [{ id: 2, text: 'Yes', user: 'Bo' }] }],
      '[].replies[]',
    ],
    [
      'of chats',
      { chats: { list: dishes.map((list, i) => ({ id: i, name: `C${i}`, type: 'private', messages: list })) } },
      'chats.list[].messages[]',
    ],
    [
      'of comments, deeper',
      [{ kind: 't1', data: { body: 'Good', replies: { list: [{ kind: 't1', data: { body: 'Yes' } }] } } }],
      '[].data.replies.list[]',
    ],
  ])('%s stay values, and are told where these may be groups', async (_, dump, place) => {
    const { titles, places } = await placesIn(dump);
    expect(titles.length).toBeGreaterThan(0);
    expect(places.filter((text) => text.startsWith('lists'))).toEqual(
      place === undefined
        ? []
        : [
            `lists of objects stand inside of the records, at ${place}, as their values; --records "${place}" reads them instead`,
          ],
    );
  });

  test('of categories in categories are no records', async () => {
    const taxonomy = {
      categories: [
        {
          id: 1,
          name: 'Food',
          subcategories: [
            { id: 2, name: 'Bread' },
            { id: 3, name: 'Milk' },
          ],
        },
      ],
    };
    expect((await placesIn(taxonomy)).titles).toEqual(['Food']);
  });
});

describe('records of several kinds in one list', () => {
  const product = (name: string, price: number) => ({ type: 'product', name, price });
  const review = (text: string, stars: number) => ({ type: 'review', text, stars });
  const list = [product('Tea', 3), review('Good', 5), product('Cup', 4), review('Bad', 1)];

  test.each<[string, string, unknown]>([
    ['of a file', 'crawl.json', list],
    ['named as one of them', 'products.json', list],
    ['in an envelope', 'crawl.json', { total: 4, data: list }],
    ['behind an index', 'crawl.json', list.map((one, index) => ({ index, id: index, ...one }))],
    ['behind an article', 'products.json', [{ type: 'article', title: 'News', content: 'Tea is up.' }, ...list]],
    [
      'by other names and spellings',
      'crawl.json',
      list.map(({ type, ...rest }) => ({ _type: `${type === 'product' ? 'ProductItem' : type}`, ...rest })),
    ],
  ])('%s are a collection each', async (_, file, dump) => {
    const { records, places } = await served(file, dump);
    expect(records.products).toMatchObject([
      { title: 'Tea', price: 3 },
      { title: 'Cup', price: 4 },
    ]);
    expect(records.review).toMatchObject([{ rating: 5 }, { rating: 1 }]);
    expect(places.some((text) => /^records whose "_?type" is .*"review" are of other collections$/.test(text))).toBe(
      true,
    );
    expect(places.some((text) => /^the records are those whose "_?type" is "review"$/.test(text))).toBe(true);
  });

  test('in lines are too; a kind that comes late is read with the first, and a broken line is told once', async () => {
    const lines = [...list.map((one) => JSON.stringify(one)), '{"type":', '{"type":"box","name":"Crate","price":9}'];
    const found = await withFolder({ 'crawl.ndjson': lines.join('\n') }, async (dir) => {
      const { dataset, report } = await datasetIn(dir);
      return { sizes: [...dataset.collections].map(([name, { size }]) => [name, size]), report };
    });
    expect(found.sizes).toEqual([
      ['articles', 0],
      ['products', 3],
      ['review', 2],
    ]);
    expect(found.report.files.map(({ refused }) => refused)).toEqual([1, 0]);
  });

  test.each<[string, unknown, object]>([
    [
      'of no documented collection are one',
      [
        { type: 'flat', city: 'Graz', rent: 7 },
        { type: 'house', city: 'Linz', rent: 9 },
      ],
      { crawl: 2 },
    ],
    [
      'of which one says no kind belong to the documented one',
      [...list, { name: 'Pot', price: 1 }],
      { products: 3, review: 2 },
    ],
    ['of mostly the same names', [product('Tea', 3), { type: 'bundle', name: 'Box', price: 9 }], { products: 2 }],
    ['of one kind are one', [product('Tea', 3), product('Cup', 4)], { products: 2 }],
  ])('%s', async (_, dump, expected) => {
    const { records } = await served('crawl.json', dump);
    expect(Object.fromEntries(Object.entries(records).map(([name, { length }]) => [name, length]))).toEqual(expected);
  });

  test('are told where --as reads the first of them', async () => {
    const { records, said } = await served('crawl.json', list, { as: 'things' });
    expect(records.things).toHaveLength(2);
    expect(said).toEqual(['review[] beside the records: --as things reads one collection']);
  });
});

describe('what is not read is told', () => {
  const pan = { name: 'Pan', price: 3 };
  const elsewhere = (place: string) => `${place} (line 1) stands beside the records, and is not read`;
  test.each<[string, unknown, readonly string[]]>([
    ['a deeper list of a tree', { Kitchen: [tea, cup], Garden: { Tools: [tea] } }, [elsewhere('Garden.Tools[]')]],
    [
      'a list deeper than the first',
      { Kitchen: { Pans: [tea] }, Garden: { Tools: { Hand: [cup] } } },
      [elsewhere('Garden.Tools.Hand[]')],
    ],
    [
      'departments of departments beside products',
      {
        departments: [
          { name: 'K', products: [tea] },
          { name: 'G', departments: [{ name: 'T', products: [cup] }] },
        ],
      },
      [elsewhere('departments[].departments[]')],
    ],
    [
      'records without a list',
      { best: pan, worst: pan, others: [pan] },
      ['best, worst stand beside the records, and are not read'],
    ],
    [
      'one record in place of a list',
      [
        { shop: 'X', products: [pan] },
        { shop: 'Y', products: pan },
      ],
      ['[].products (line 1) is nested otherwise than what leads to the records, and is not read'],
    ],
    [
      'lists of other things in shops',
      [
        { shop: 'X', products: [tea], staff: [{ who: 'Ann' }] },
        { shop: 'Y', products: [cup], staff: [{ who: 'Bo' }] },
      ],
      ['[].staff[] (2 places; the first is in line 1) stands beside the records, and is not read'],
    ],
    [
      'lists deeper in what stands beside the records, and rows',
      { data: [tea, cup], includes: { users: [{ id: 9, name: 'Ann' }], media: [] }, rows: [['r1', 'Cup']] },
      [
        'includes.users[] (line 1) stands beside the records, and is not read',
        'rows[] (line 1) holds rows whose cells have no names, and is not read',
      ],
    ],
  ])('%s', async (_, dump, expected) => {
    expect((await served('a.json', dump)).said).toEqual(expected);
  });

  test('what an answer says of itself before its list is no record', async () => {
    const cities = [
      { city: 'Graz', year: 2020 },
      { city: 'Linz', year: 2021 },
    ];
    const { records, refused } = await served('cities.json', [{ page: 1, total: 2 }, cities]);
    expect([records.cities, refused]).toMatchObject([cities, []]);
    expect((await served('teas.json', [tea, [cup]])).records).toMatchObject({ products: [tea] });
  });

  test('tables under other names than the first are values, and not rows of it', async () => {
    const table = (...values: readonly (readonly string[])[]) => ({ range: values[0]?.[0], values });
    const sheets = [table(['Name', 'Price'], ['Tea', '1.50']), table(['Shop', 'City'], ['X', 'Graz'])];
    expect((await served('sheets.json', { valueRanges: sheets })).records.sheets).toMatchObject(sheets);
    const pages = [table(['Name', 'Price'], ['Tea', '1.50']), table(['Name', 'Price'], ['Cup', '2'])];
    expect((await served('sheets.json', { valueRanges: pages })).records.products).toMatchObject([
      { title: 'Tea', price: 1.5 },
      { title: 'Cup', price: 2 },
    ]);
  });

  test.each<[string, string, (all: readonly object[]) => string]>([
    ['an array', 'crawl.json', (all) => JSON.stringify(all)],
    ['lines', 'crawl.ndjson', (all) => all.map((one) => JSON.stringify(one)).join('\n')],
  ])('a list that few objects of %s have is a value of theirs', async (_, file, write) => {
    const pages = [
      { url: 'https://s.test/a', status: 200, images: [{ src: 'https://s.test/1.jpg', title: 'One' }] },
      { url: 'https://s.test/b', status: 404 },
      { url: 'https://s.test/c', status: 200, images: [] },
    ];
    await withFolder({ [file]: write(pages) }, async (dir) => {
      const { dataset } = await datasetIn(dir);
      expect([...dataset.collections].flatMap(([name, { size }]) => (size > 0 ? [[name, size]] : []))).toEqual([
        ['crawl', 3],
      ]);
    });
  });

  test('lists named as those of records are read, also where most pages of a crawl failed', async () => {
    const pages = [{ page: 1, items: [tea, cup] }, { page: 2 }, { page: 3, error: '429' }, { page: 4 }];
    const { places, said } = await served('crawl.json', { pages });
    expect(places[0]).toMatch(/^the records are those at pages\[\]\.items\[\]/);
    expect(said).toEqual(['pages[] (3 places; the first is in line 1) holds no records, and is not read']);
  });

  test('objects that should hold records, and have none', async () => {
    const pages = [
      { url: 'a', products: [tea] },
      { url: 'b', products: [] },
      { url: 'c', error: true },
    ];
    const { said } = await served('crawl.json', [...pages, { url: 'd', products: null }]);
    expect(said).toEqual(['[] (2 places; the first is in line 1) holds no records, and is not read']);
  });

  test('a list behind the beginning of a file', async () => {
    const posts = Array.from({ length: 1200 }, (_, i) => ({ id: i + 1, title: `P ${i}`, body: 'word '.repeat(200) }));
    const { records, said } = await served('blog.json', { posts, comments: [{ id: 1, name: 'Ann', text: 'b' }] });
    expect(Object.keys(records)).toEqual(['blog']);
    expect(said).toEqual(['comments[] (line 1) stands beside the records, and is not read']);
  });

  test.each<[string, unknown]>([
    ['records with lists', [{ ...tea, sizes: [{ label: 'S' }] }, cup]],
    ['an envelope', { status: { code: 200, notes: ['ok'] }, data: { items: [tea, cup] } }],
  ])('%s leave out nothing', async (_, dump) => {
    expect((await served('a.json', dump)).said).toEqual([]);
  });
});

describe('XML that was made JSON', () => {
  const items = [{ title: ['First'] }, { title: ['Second'] }];
  test.each<[string, unknown, readonly string[]]>([
    ['items of a feed', { rss: { channel: [{ title: ['My feed'], item: items }] } }, ['First', 'Second']],
    [
      'items beside a description and attributes',
      {
        rss: {
          $: { version: '2.0' },
          channel: [{ title: ['My feed'], description: ['News'], pubDate: ['2024-01-02'], item: items }],
        },
      },
      ['First', 'Second'],
    ],
    ['the one item of a feed', { rss: { channel: [{ title: ['My feed'], item: [{ title: ['Only'] }] }] } }, ['Only']],
    [
      'items whose attributes have other signs',
      {
        answer: [
          {
            result: [
              {
                '@count': '2',
                item: [{ title: ['First'] }, { title: ['Second'], price: [{ '@id': 'USD', __value__: '3' }] }],
              },
            ],
          },
        ],
      },
      ['First', 'Second'],
    ],
    [
      'a book, whose authors are none',
      { list: { book: [{ title: ['Rope'], author: [{ name: ['Mia'] }] }] } },
      ['Rope'],
    ],
    ['a record whose fields are lists', [{ title: ['Rope'], items: [{ title: 'Hook' }] }], ['Rope']],
    ['a record with an item of its own', { title: 'Rope', meta: { item: { title: 'Hook' } } }, ['Rope']],
  ])('%s are the records', async (_, dump, titles) => {
    const { records } = await served('feed.json', dump, { as: 'things' });
    expect(Object.values(records)[0]?.map(({ title }) => title)).toEqual(titles);
  });

  test.each<[string, unknown]>([
    ['settings', { config: { server: { host: 'a', port: 1 } } }],
    ['one record', { user: { name: 'Ann', city: 'Graz' } }],
  ])('objects of other names are none: %s', async (_, dump) => {
    expect((await served('dump.json', dump)).records).toEqual({});
  });
});

describe('rows with a list of their columns beside them', () => {
  const names = ['id', 'title', 'price', 'brand'];
  const rows = [
    [1, 'Tea', 3, 'Acme'],
    [2, 'Cup', 5, null],
  ];
  const named = (key: string) => names.map((name) => ({ [key]: name, type: 'text' }));
  test.each<[string, string, unknown]>([
    ['as texts', 'columns[]', { columns: names, rows }],
    ['as other names say', 'headers[]', { headers: names, data: rows }],
    ['behind the rows', 'fields[]', { rows, fields: names }],
    ['as objects with a name', 'cols[]', { cols: named('name'), values: rows }],
    ['with a name of two words', 'Tables[].Columns[]', { Tables: [{ Columns: named('ColumnName'), Rows: rows }] }],
    [
      'deeper than the rows',
      'meta.view.columns[]',
      { meta: { view: { name: 'Shop', columns: named('name') } }, data: rows },
    ],
    ['with labels', 'cols[]', { cols: named('label').map((column) => ({ id: '', ...column })), rows }],
    ['of a table with a title', 'columns[]', { title: 'Prices', columns: names, rows }],
    [
      'in an answer with a message',
      'about.rowType[]',
      { about: { rowType: named('name') }, data: rows, message: 'Done.' },
    ],
    ['once for each page', '[].columns[]', rows.map((row) => ({ columns: names, rows: [row] }))],
  ])('have the names in it: %s', async (_, place, dump) => {
    const { records, places } = await served('shop.json', dump);
    expect(records.products).toMatchObject([
      { id: 1, title: 'Tea', price: 3, category: null, brand: 'Acme' },
      { id: 2, title: 'Cup', price: 5, category: null, brand: null },
    ]);
    expect(places).toEqual([expect.stringContaining(`, their columns named by ${place}`)]);
  });

  test('are records where no name is known, and get the values of what holds them', async () => {
    const flats = { columns: ['city', 'rent'], rows: [['Graz', 700]] };
    expect((await served('flats.json', flats)).records.flats).toMatchObject([{ id: 1, city: 'Graz', rent: 700 }]);
    const tables = [{ name: 'A', columns: names, rows, rent: 4 }];
    expect((await served('shop.json', { tables })).records.products).toMatchObject([{ table: 'A', rent: 4 }, {}]);
  });

  test('of objects, which have names themselves: the list is no collection', async () => {
    const flats = [
      { city: 'Graz', rent: 700 },
      { city: 'Linz', rent: 900 },
    ];
    const columns = [{ name: 'city' }, { name: 'rent' }];
    for (const rowsOfFlats of [flats, flats.map((row, i) => ({ number: i + 7, row, cut: [] }))]) {
      const { records } = await served('flats.json', { result: { columns, rows: rowsOfFlats } });
      expect(Object.keys(records)).toEqual(['flats']);
      expect(records.flats).toHaveLength(2);
    }
  });

  test.each<[string, unknown]>([
    [
      'other columns in another page',
      [
        { columns: names, rows },
        { columns: names.toReversed(), rows },
      ],
    ],
    ['a list of another length', { columns: names.slice(1), rows }],
    ['a list that is none of columns', { tags: names, rows }],
    ['labels, which may be values', { title: 'Route', labels: names, rows }],
    [
      'columns in an object of a record',
      { name: 'Shirt', sizeChart: { headers: ['size', 'chest'], rows: [['S', 2]] } },
    ],
    ['two columns of one name', { columns: names.map(() => 'title'), rows }],
  ])('are not named by %s', async (_, dump) => {
    const { places } = await served('shop.json', Array.isArray(dump) ? dump : [dump]);
    expect(places.filter((text) => text.includes('columns named by'))).toEqual([]);
  });

  test('have labels that are not read, and told, unless they only count', async () => {
    const { said } = await served('shop.json', { columns: names, index: ['T', 'C'], data: rows });
    expect(said).toEqual(['index[] has a label for each row, and is not read']);
    expect((await served('shop.json', { columns: names, index: [0, 1], data: rows })).said).toEqual([]);
  });

  test('and are inside of a record are a value of it', async () => {
    const spec = { columns: ['name', 'value'], rows: [['Weight', '3 kg']] };
    const { records } = await served('shop.json', [{ ...tea, spec }, cup]);
    expect(records.products).toMatchObject([{ ...tea, specRows: spec.rows }, cup]);
  });
});

describe('a place that is named', () => {
  const forum = {
    board: 'x',
    threads: [
      { title: 'One', posts: [{ id: 1, author: 'A', text: 'Hi' }] },
      { title: 'Two', posts: [{ id: 3, author: 'C', text: 'Hm' }] },
    ],
    users: [
      { id: 9, name: 'Ann', email: 'e' },
      { id: 8, name: 'Bo', email: 'f' },
    ],
  };
  const idsIn = (files: Readonly<Record<string, unknown>>, records?: string) =>
    withFolder(
      Object.fromEntries(Object.entries(files).map(([file, value]) => [file, JSON.stringify(value)])),
      async (dir) => {
        const loaded = await datasetIn(dir, records === undefined ? {} : { records });
        const app = appOf({ ...loaded, loadedAt: new Date(0) });
        const [name = ''] = [...loaded.dataset.collections].flatMap(([one, { size }]) => (size > 0 ? [one] : []));
        const { data } = await getJson<ListOf>(app, `/api/${name}`);
        return data.map(({ id }) => id);
      },
    );

  test('by a flag is where the records stand', async () => {
    expect(await idsIn({ 'forum.json': forum }, 'threads[].posts[]')).toEqual([1, 3]);
    expect(await idsIn({ 'forum.json': forum }, 'users[]')).toEqual([9, 8]);
  });

  test('by a mapping is one where it ends in [], and else a column of that name', async () => {
    expect(await idsIn({ 'forum.json': forum, 'forum.mapping.json': { records: 'users[]' } })).toEqual([9, 8]);
    const sales = [{ id: 1, records: 'Blue', price: 2 }];
    expect(await idsIn({ 'sales.json': sales, 'sales.mapping.json': { records: 'title' } })).toEqual([1]);
  });

  test('is read to wherever its records begin', async () => {
    const dump = {
      pad: 'x'.repeat(1 << 20),
      shops: [{ shop: 'A', teas: [{ id: 1 }, { id: 2, price: 3 }] }, { teas: [{ id: 3 }] }],
    };
    await withFolder({ 'teas.json': JSON.stringify(dump) }, async (dir) => {
      const { dataset, report } = await datasetIn(dir, { records: 'shops[].teas[]' });
      const { data } = await getJson<ListOf>(appOf({ dataset, report, loadedAt: new Date(0) }), '/api/teas');
      expect(data).toMatchObject([
        { id: 1, shop: 'A', price: null },
        { id: 2, shop: 'A', price: 3 },
        { id: 3, shop: null, price: null },
      ]);
    });
  });

  test('where nothing stands is an error that lists the places found', async () => {
    await expect(idsIn({ 'forum.json': forum }, 'thread[].post[]')).rejects.toThrow(
      /no record stands at "thread\[\]\.post\[\]", where they were said to be: records may stand at .*threads\[\]\.posts\[\]/,
    );
  });

  test.each(['a', 'a[]', '[]', 'a.b[]', 'a[].b[]', 'a.*', '*', '*[]', 'x y.z[]'])('%s is a path', (text) => {
    expect(placeText(stepsAt(text) ?? [])).toBe(text);
  });

  test.each(['', '.', 'a..b', 'a[', 'a[0]', '[]a', 'a.', '**'])('%j is none', (text) => {
    expect(stepsAt(text)).toBeNull();
  });
});

describe('objects by their keys', () => {
  const pot = { id: 3, title: 'Pot', price: 9 };
  const photo = (name: string) => ({ name, url: `https://a.test/${name}.jpg` });

  test.each<readonly [keys: string, dump: Readonly<Record<string, unknown>>, titles: readonly string[], why: string[]]>(
    [
      ['are records by addresses, also two', { 'https://a.test/1': tea, 'https://a.test/2': cup }, ['Tea', 'Cup'], []],
      [
        'may have others among addresses',
        { 'https://a.test/1': tea, 'https://a.test/2': { error: 'gone' } },
        ['Tea'],
        ['record 2 (line 1): id is missing'],
      ],
      [
        'may have others among numbers',
        { 7: tea, 8: 'timeout', 9: cup },
        ['Tea', 'Cup'],
        ['record 2 (line 1): expected an object, found a string'],
      ],
      [
        'are refused where they are null',
        { a1: tea, b2: null, c3: cup },
        ['Tea', 'Cup'],
        ['record 2 (line 1): expected an object, found null'],
      ],
      [
        'are refused where they are none among most that are',
        { a0: { error: '404' }, a1: tea, b2: cup, c3: pot },
        ['Tea', 'Cup', 'Pot'],
        ['record 1 (line 1): id is missing'],
      ],
      [
        'may stand beside what tells of all',
        { scraped: '2026-11-01', a1: tea, b2: cup, c3: pot },
        ['Tea', 'Cup', 'Pot'],
        [],
      ],
      ['are records in an object of their name, also two', { products: { a1: tea, b2: cup } }, ['Tea', 'Cup'], []],
      ['are none where two have names alone', { first: tea, second: cup }, ['Tea'], []],
      ['are none inside of a record', { ...tea, front: photo('a'), back: photo('b'), side: photo('c') }, ['Tea'], []],
      [
        'are none where each is another kind of thing',
        {
          book: { title: 'Emma', price: 3 },
          author: { name: 'Jane' },
          publisher: { name: 'Murray' },
          series: { name: 'C' },
        },
        ['Emma'],
        [],
      ],
    ],
  )('%s', async (_, dump, titles, why) => {
    const { records, refused } = await served('products.json', dump);
    expect(records.products?.map(({ title }) => title)).toEqual(titles);
    expect(refused).toEqual(why.map((text) => `refused: ${text}`));
  });
});

test('an object whose names differ from record to record is one value, a sparse one is not', async () => {
  const days = (i: number) => Object.fromEntries([0, 1, 2].map((day) => [`day-${3 * i + day}`, day]));
  const items = Array.from({ length: 40 }, (_, i) => ({
    ...tea,
    id: i,
    history: days(i),
    sizes: { [`s${i % 4}`]: i },
  }));
  const { records } = await served('products.json', items);
  expect(records.products?.[39]).toMatchObject({ history: days(39), sizesS3: 39, sizesS0: null });
});

describe('objects inside of records', () => {
  test('of which few have a title give none, and an account is the author', async () => {
    const post = { content: 'My own words', account: { username: 'ann', display_name: 'Ann' } };
    const card = { title: 'A page' };
    const { records } = await served('articles.json', [
      { id: 1, ...post, card: null },
      { id: 2, ...post, card },
    ]);
    const own = { title: 'My own words', author: 'Ann' };
    expect(records.articles).toMatchObject([own, own]);
  });

  test('named tags are no list of tags where they have other names too', async () => {
    const place = (id: number, name: string) => ({ id, lat: 48.1, tags: { name, amenity: 'bar' } });
    const { records } = await served('places.json', [place(1, 'Eiche'), place(2, 'Linde, Wien')]);
    expect(records.places).toMatchObject([{ tagsName: 'Eiche' }, { tagsName: 'Linde, Wien', tagsAmenity: 'bar' }]);
    const inList = await served('articles.json', [
      { id: 1, title: 'A', body: 'b', tags: [{ name: 'x', colour: 'red' }] },
    ]);
    expect(inList.records.articles).toMatchObject([{ tags: ['x'] }]);
  });
});

test('dates as .NET writes them are dates', async () => {
  const order = (id: number, at: string) => ({ id, name: 'Tea', price: 3, OrderDate: at });
  const d = { results: [order(1, '/Date(836438400000)/'), order(2, '/Date(-86400000+0100)/')] };
  expect((await served('products.json', { d })).records.products).toMatchObject([
    { OrderDate: '1996-07-04T00:00:00Z' },
    { OrderDate: '1969-12-31T00:00:00Z' },
  ]);
});

test('pieces of one text are joined as they stand, and paragraphs by commas', async () => {
  const link = { type: 'link', text: 'https://a.test' };
  const bodies = ['plain', ['see ', link, ' now'], ['One', 'Two']];
  const messages = bodies.map((text, i) => ({ id: i + 1, title: 'A', text }));
  expect((await served('articles.json', { messages })).records.articles).toMatchObject([
    { content: 'plain' },
    { content: 'see https://a.test now' },
    { content: 'One, Two' },
  ]);
});

test('a level of prices is no price, and the icon of an app is its picture', async () => {
  const app = (id: number) => ({ id, name: `App ${id}`, price_level: id, icon: `https://a.test/${id}.png` });
  const { records } = await served('products.json', [app(1), app(2)]);
  expect(records.products).toMatchObject([
    { price: null, price_level: 1, imageUrl: 'https://a.test/1.png' },
    { price: null, price_level: 2, imageUrl: 'https://a.test/2.png' },
  ]);
});

describe('two names of one field', () => {
  test.each<[string, object, object]>([
    [
      'a page goes before the address of an API',
      { url: 'https://api.a.test/1', html_url: 'https://a.test/1' },
      { url: 'https://a.test/1' },
    ],
    ['an address alone is that of the page', { url: 'https://a.test/1' }, { url: 'https://a.test/1' }],
    [
      'a title goes before the original one',
      { originalTitle: 'Pauvre Pierrot', primaryTitle: 'Poor Pierrot' },
      { title: 'Poor Pierrot' },
    ],
    ['an original title alone is the title', { originalTitle: 'Pauvre Pierrot' }, { title: 'Pauvre Pierrot' }],
  ])('%s', async (_, record, expected) => {
    const { records } = await served('articles.json', [{ id: 1, content: 'a', ...record }]);
    expect(records.articles).toMatchObject([expected]);
  });
});

describe('values in objects', () => {
  const amount = (value: number, currency: string, scale: number) => ({ amount: value, currency, scale });

  test.each<readonly [what: string, records: readonly object[], expected: readonly object[]]>([
    [
      'languages: the first one is read, the others are fields',
      [{ id: 1, title: { en: 'Cup', de: 'Tasse' }, price: 3, category: { en: 'Cups', de: 'Tassen' } }],
      [{ title: 'Cup', titleDe: 'Tasse', category: 'Cups', categoryDe: 'Tassen' }],
    ],
    ['a tag of a region', [{ id: 1, title: { 'pt-BR': 'Copo' }, price: 3 }], [{ title: 'Copo' }]],
    [
      'translations',
      [{ id: 1, price: 5, translations: { de: { title: 'Tasse' }, en: { title: 'Cup' } } }],
      [{ title: 'Tasse', translationsEnTitle: 'Cup' }],
    ],
    ['an id is no Indonesian', [{ id: 1, title: 'Cup', price: 3, category: { id: 'c7' } }], [{ category: null }]],
    [
      'currencies: the first one is read, the others are fields',
      [
        { id: 1, title: 'Cup', price: { EUR: 6.5, USD: 7.5 } },
        { id: 2, title: 'Pan', price: { EUR: 8.5 } },
      ],
      [
        { price: 6.5, priceUsd: 7.5 },
        { price: 8.5, priceUsd: null },
      ],
    ],
    [
      'minor units of several currencies',
      [
        { id: 1, title: 'Cup', price: amount(551, 'EUR', 2) },
        { id: 2, title: 'Pan', price: amount(650, 'USD', 2) },
        { id: 3, title: 'Pot', price: amount(900, 'JPY', 0) },
      ],
      [
        { price: 5.51, priceCurrency: 'EUR' },
        { price: 6.5, priceCurrency: 'USD' },
        { price: 900, priceCurrency: 'JPY' },
      ],
    ],
    [
      'whose names say nothing are fields',
      [
        { id: 1, title: 'Cup', price: { first: 3, last: 4 } },
        { id: 2, title: 'Pan', price: { first: 5, last: 6 } },
      ],
      [
        { price: null, priceFirst: 3, priceLast: 4 },
        { price: null, priceFirst: 5, priceLast: 6 },
      ],
    ],
    [
      'the rating of a review is none of the product',
      [
        { id: 1, title: 'Cup', price: 3, reviews: [{ author: 'Ann', rating: 5 }, { rating: 2 }] },
        { id: 2, title: 'Pan', price: 3, reviews: [{ rating: 1 }] },
      ],
      [{ rating: null }, { rating: null }],
    ],
    ['the rating of all reviews is', [{ id: 1, title: 'Cup', price: 3, reviews: { rating: 4.5 } }], [{ rating: 4.5 }]],
    [
      'so is one in a list, as XML has it',
      [{ id: 1, title: 'Cup', price: 3, aggregateRating: [{ ratingValue: 4.5 }] }],
      [{ rating: 4.5 }],
    ],
  ])('%s', async (_, dump, expected) => {
    const { records } = await served('products.json', dump);
    expect(records.products).toMatchObject(expected);
  });

  test('a product with reviews is one product', async () => {
    const reviews = [
      { author: 'Ann', title: 'Good', rating: 5 },
      { author: 'Bob', title: 'Bad', rating: 1 },
    ];
    const { records } = await served('cup.json', { product: { name: 'Cup', price: 3 }, reviews });
    expect(records).toMatchObject({ products: [{ title: 'Cup', price: 3, rating: null }] });
  });
});

describe('a report on places', () => {
  const textOf = (files: Files) =>
    withFolder(files, async (dir) => checkText((await datasetIn(dir)).report).join('\n'));

  test('counts files, and not the lists in one; fields of refused records only are no lines', async () => {
    const users = [
      { name: 'Ann', email: 'a' },
      { name: 'Bob', email: 'b' },
    ];
    const text = await textOf({ 'shop.json': JSON.stringify({ products: [tea, cup, { error: 'gone' }], users }) });
    expect(text).toContain('\n1 file, 4 records, 1 refused');
    expect(text).not.toContain('in 0 records');
  });

  test('says which of two names that a mapping gives to a field is read', async () => {
    const text = await textOf({
      'products.json': JSON.stringify([
        { id: 1, a: 'A', b: 'B', price: 2, v: [{ price: 9 }] },
        { id: 2, b: 'C', price: 3, v: [] },
      ]),
      'products.mapping.json': JSON.stringify({ a: 'title', b: 'title', 'v[0].price': 'price' }),
    });
    expect(text).toContain('  title: not read from b in records that have a too: the mapping names both\n');
  });

  test('names nothing inside of records that are left out for their type', async () => {
    const crumbs = [{ '@type': 'ListItem', name: 'Home', position: 1 }];
    const product = { '@type': 'Product', name: 'Pan', position: 3, offers: { price: 9 } };
    const list = { '@type': 'BreadcrumbList', itemListElement: crumbs };
    const { places } = await served('page.json', { '@graph': [product, list, { ...product, name: 'Pot' }] });
    expect(places).toEqual(['the records are those at @graph[]']);
  });
});
