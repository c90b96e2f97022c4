/** Several lists in one JSON file: each is a collection, or a group of one, and what is left out is said. */
import { describe, expect, test } from 'vitest';
import { placeText, stepsAt } from '../src/load/place/json-walk.js';
import { appOf, datasetIn, getJson } from './support/api.js';
import { withFolder } from './support/program.js';

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
    return { records: Object.fromEntries(lists.filter(([, data]) => data.length > 0)), said };
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

describe('XML as xml2js writes it', () => {
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
      'a book, whose authors are none',
      { list: { book: [{ title: ['Rope'], author: [{ name: ['Mia'] }] }] } },
      ['Rope'],
    ],
    ['a record whose fields are lists', [{ title: ['Rope'], items: [{ title: 'Hook' }] }], ['Rope']],
  ])('%s are the records', async (_, dump, titles) => {
    const { records } = await served('feed.json', dump, { as: 'things' });
    expect(Object.values(records)[0]?.map(({ title }) => title)).toEqual(titles);
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
