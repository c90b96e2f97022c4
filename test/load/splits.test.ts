/** Several values in one text: which sign separates them, and what is filtered, counted and served. */
import { describe, expect, it } from 'vitest';
import { splitSign } from '../../src/load/profile/splits.js';
import { countsOf } from '../../src/load/values/value-counts.js';
import { collections } from '../../src/model.js';
import { appOf, datasetIn, getJson } from '../support/api.js';
import { decisionsIn } from '../support/load.js';
import { withFolder } from '../support/program.js';

const fieldOf = (name: string) => {
  const field = collections[1].fields.find((found) => found.name === name);
  if (field === undefined) throw new Error(name);
  return field;
};
const sign = (name: string, values: readonly unknown[]) =>
  splitSign(fieldOf(name), countsOf(values), { isCsv: false, dateOrder: undefined });

describe('the sign that separates several values', () => {
  it.each<[string, string, readonly unknown[], string | undefined]>([
    ['bars', 'category', ['Fiction|Classics', 'War', 'Fiction'], '|'],
    ['semicolons', 'category', ['Fiction; Classics', 'War'], ';'],
    ['lists', 'category', [['Fiction', 'Classics'], ['War']], ', '],
    ['lists of objects', 'author', [[{ name: 'Ada' }, { name: 'Ben' }], 'Cy'], ', '],
    ['lists whose values hold commas', 'author', [['Moor, Ada', 'Iss, Ben']], undefined],
    ['commas between values that stand alone', 'category', ['Fiction, War', 'War', 'Fiction', 'Art'], ','],
    ['commas in names', 'category', ['Home, Garden', 'Toys, Games', 'Home, Garden'], undefined],
    ['commas in a few names', 'category', ['Home, Garden', 'Home', 'Toys, Games', 'Tea, Coffee'], undefined],
    ['parts that come again, not all of them alone', 'category', ['Drama', 'Action, Drama', 'Action, Adventure'], ','],
    ['towns with their state', 'category', ['Boston, MA', 'Salem, MA', 'Boston, NY', 'Online'], undefined],
    [
      'towns with state and land',
      'category',
      ['Boston, MA', 'Salem, MA, USA', 'Boston, NY', 'Austin, TX, USA'],
      undefined,
    ],
    ['parts of equal number', 'category', ['Red, Blue', 'Blue, Red', 'Red, Green'], undefined],
    ['parts that come again between authors', 'author', ['Ben', 'Ada, Ben', 'Ada, Cy'], undefined],
    ['commas between authors', 'author', ['Ada, Ben', 'Ada', 'Ben'], undefined],
    ['bars between authors', 'author', ['Ada|Ben', 'Ada', 'Ben'], '|'],
    ['one odd sign', 'category', [...Array.from({ length: 30 }, () => 'War'), 'Art;Deco'], undefined],
    ['ampersands', 'author', ['Tom & Jerry'], undefined],
    ['lists of one', 'category', [['Fiction'], ['War']], undefined],
  ])('%s', (_, name, values, expected) => {
    expect(sign(name, values)).toBe(expected);
  });
});

const books = [
  { id: 1, title: 'A', price: 1, author: ['Ada Moor', 'Ben Iss'], genres: ['Fiction', 'Classics'] },
  { id: 2, title: 'B', price: 2, author: ['Ben Iss'], genres: ['War', 'fiction'] },
  { id: 3, title: 'C', price: 3, author: null, genres: ['Fiction', 'Classics'] },
  { id: 4, title: 'D', price: 4, author: 'Cy Lee', genres: [] },
];
const csvOf = (join: string) =>
  `id,title,price,author,genres\n${books.map(({ id, title, price, author, genres }) => `${id},${title},${price},"${[author ?? []].flat().join('; ')}",${genres.length > 0 ? `"${genres.join(join)}"` : ''}`).join('\n')}\n`;

interface List {
  readonly data: readonly { readonly id: number; readonly category: string | null }[];
}
interface Values {
  readonly data: readonly { readonly name: string; readonly count: number }[];
}

describe.each([
  ['lists in JSON', 'products.json', JSON.stringify(books), ', '],
  ['bars in CSV', 'products.csv', csvOf('|'), '|'],
  ['semicolons in CSV', 'products.csv', csvOf('; '), '; '],
])('%s', (_, file, text, join) => {
  const whole = ['Fiction', 'Classics'].join(join);

  it('are each a value of filters, counts and paths; the text is served as it is', async () => {
    await withFolder({ [file]: text }, async (dir) => {
      const served = await datasetIn(dir);
      const app = appOf(served);
      const idsOf = async (path: string) => (await getJson<List>(app, path)).data.map(({ id }) => id);
      expect(await idsOf('/api/products?category=Fiction')).toEqual([1, 2, 3]);
      expect(await idsOf('/api/products?category=classics')).toEqual([1, 3]);
      expect(await idsOf('/api/products/category/War')).toEqual([2]);
      expect(await idsOf('/api/products?category=War&category=Classics')).toEqual([1, 2, 3]);
      expect(await idsOf('/api/products?author=Ben%20Iss')).toEqual([1, 2]);
      // The whole text leads to its records as well, and is not counted.
      expect(await idsOf(`/api/products/category/${encodeURIComponent(whole)}`)).toEqual([1, 3]);
      const list = await getJson<List>(app, '/api/products');
      expect(list.data.map(({ category }) => category)).toEqual([whole, ['War', 'fiction'].join(join), whole, null]);
      const { data } = await getJson<Values>(app, '/api/products/categories');
      expect(data.map(({ name, count }) => [name, count])).toEqual([
        ['Fiction', 3],
        ['Classics', 2],
        ['War', 1],
      ]);
      const filtered = await getJson<Values>(app, '/api/products/categories?author=Ben%20Iss');
      expect(filtered.data.map(({ name, count }) => [name, count])).toEqual([
        ['Fiction', 2],
        ['Classics', 1],
        ['War', 1],
      ]);
      expect((await app.request('/api/products/category/Art')).status).toBe(404);
      expect(decisionsIn(served.report).join()).toContain('category: a text may hold several values');
    });
  });
});

it('how texts are split is part of the version', async () => {
  const versionOf = (rows: string) =>
    withFolder({ 'products.csv': `id,title,category\n${rows}` }, async (dir) => (await datasetIn(dir)).dataset.version);
  const split = await versionOf('1,A,"Art, War"\n2,B,Art\n3,C,War\n');
  expect(split).not.toBe(await versionOf('1,A,"Art, War"\n2,B,Art\n3,C,Wars\n'));
});

describe('found columns', () => {
  const moods = 'title,price,moods\nA,1,Drama\nB,2,"Action, Drama"\nC,3,"Action, Adventure"\n';
  it('are split where their parts come again', async () => {
    await withFolder({ 'products.csv': moods }, async (dir) => {
      const app = appOf(await datasetIn(dir));
      const { data } = await getJson<{ data: readonly unknown[] }>(
        app,
        '/api/products?moods=action&fields=title,moods',
      );
      expect(data).toEqual([
        { title: 'B', moods: 'Action, Drama' },
        { title: 'C', moods: 'Action, Adventure' },
      ]);
    });
  });

  it('are not split at semicolons of prose, nor between a town and its state', async () => {
    const notes = 'title,price,note,place\nA,1,Warm; dry,"Boston, MA"\nB,2,Cold; wet,"Salem, MA"\nC,3,Mild,Online\n';
    await withFolder({ 'products.csv': notes }, async (dir) => {
      const { dataset } = await datasetIn(dir);
      const fields = dataset.collections.get('products')?.model.fields ?? [];
      expect(fields.filter(({ splitBy }) => splitBy !== undefined)).toEqual([]);
    });
  });
});
