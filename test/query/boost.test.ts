/** `boost=FIELD`: a search whose records a number or a date lifts. */
import { describe, expect, test } from 'vitest';
import { collectionOf } from '../../src/model.js';
import { boostBy } from '../../src/query/execute.js';
import { appOf, datasetOf, getJson, isMiniSearch } from '../support/api.js';

const products = [
  { id: 1, title: 'Salt mill', rating: 3 },
  { id: 2, title: 'Salt mill', rating: 5 },
  { id: 3, title: 'Salt mill', rating: null },
  { id: 4, title: 'Salt mill', rating: 4 },
  { id: 5, title: 'A salt mill of steel and wood for the kitchen', rating: 5 },
  { id: 6, title: 'Pepper', rating: 5 },
].map((product) => ({ author: null, price: 1, imageUrl: null, category: null, ...product }));
const articles = [
  { id: 1, title: 'Maps of old', date: '2010-01-01T00:00:00Z' },
  { id: 2, title: 'Maps of old', date: '2020-01-01T00:00:00Z' },
].map((article) => ({ url: null, author: null, score: 1, comments: 0, content: null, tags: null, ...article }));
const served = datasetOf({ products, articles });
const app = appOf(served);

const idsOf = async (path: string): Promise<readonly number[]> =>
  (await getJson<{ data: { id: number }[] }>(app, path)).data.map(({ id }) => id);
const refusalOf = async (path: string) => {
  const response = await app.request(path);
  expect(response.status).toBe(422);
  const { error }: { error: { details: unknown } } = JSON.parse(await response.text());
  return error.details;
};

test('a value lifts by its place among the values, from 1 to 1.5, and where there is none by 1', () => {
  const { factorOf } = boostBy(collectionOf(served.dataset.collections, 'products'), 'rating');
  expect(products.map((_, row) => factorOf(row))).toEqual([1, 1.5, 1, 1.25, 1.5, 1.5]);
});

test('values that are all alike lift nothing', () => {
  const { factorOf } = boostBy(collectionOf(served.dataset.collections, 'products'), 'price');
  expect(products.map((_, row) => factorOf(row))).toEqual([1, 1, 1, 1, 1, 1]);
});

// MiniSearch has no boost.
describe.skipIf(isMiniSearch)('the best rated salt mill stands before the others', () => {
  test.each<[string, string, readonly number[]]>([
    ['of equal titles the better rated one', '/api/products/search?q=salt+mill&boost=rating', [2, 4, 1, 3, 5]],
    ['without it they stand as in the dump', '/api/products/search?q=salt+mill', [1, 2, 3, 4, 5]],
    ['among those that filters let pass', '/api/products/search?q=salt+mill&boost=rating&maxRating=4', [4, 1]],
    ['in records that only a near spelling finds', '/api/products/search?q=mlil+&boost=rating', [2, 4, 1, 3, 5]],
    [
      'another order goes before',
      '/api/products/search?q=salt+mill&boost=rating&sort=rating&order=asc',
      [1, 4, 2, 5, 3],
    ],
    ['a date', '/api/articles/search?q=maps&boost=date', [2, 1]],
    ['a number that all have alike', '/api/articles/search?q=maps&boost=score', [1, 2]],
  ])('%s: %s', async (_, path, ids) => {
    expect(await idsOf(path)).toEqual(ids);
  });

  test('pages add up', async () => {
    const path = '/api/products/search?q=salt+mill&boost=rating&limit=2&page=';
    expect([await idsOf(`${path}1`), await idsOf(`${path}2`), await idsOf(`${path}3`)]).toEqual([[2, 4], [1, 3], [5]]);
  });

  test('in exports, too', async () => {
    const response = await app.request('/api/export/products?format=ndjson&q=salt+mill&boost=rating');
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([2, 4, 1, 3, 5]);
  });
});

describe('what cannot be lifted by', () => {
  test.each([
    [
      'a text',
      '/api/products/search?q=salt&boost=title',
      { parameter: 'boost', message: '"boost" must be one of price, rating, received "title".' },
    ],
    ['no search', '/api/export/products?boost=rating', { parameter: 'boost', message: '"boost" needs "q".' }],
  ])('%s: %s', async (_, path, fault) => {
    expect(await refusalOf(path)).toEqual([fault]);
  });

  test('lists have none', async () => {
    expect(await refusalOf('/api/products?boost=rating')).toMatchObject([{ parameter: 'boost' }]);
  });

  // The project `minisearch` runs it.
  test.runIf(isMiniSearch)('MiniSearch ranks by the text alone', async () => {
    const message = '"boost" must be left out: --engine minisearch ranks by the text alone.';
    for (const path of ['/api/products/search?q=salt&boost=rating', '/api/export/products?q=salt&boost=rating'])
      expect(await refusalOf(path)).toEqual([{ parameter: 'boost', message }]);
  });
});

test('a page without words leaves it out', async () => {
  const response = await app.request('/products?boost=rating&limit=50');
  expect(response.headers.get('location')).toBe('/products?limit=50');
});
