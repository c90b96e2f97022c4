/** A collection with fields besides the documented ones: stored, sorted, filtered, counted and served as those are. */
import { expect, test } from 'vitest';
import { type CollectionModel, collectionOf, collections, type Field } from '../src/model.js';
import { facetsOf } from '../src/query/facets.js';
import { appOf, datasetIn, getJson } from './support/api.js';
import { withFolder } from './support/program.js';

const brand: Field = {
  name: 'brand',
  kind: 'text',
  description: 'brand',
  sortable: true,
  filter: { kind: 'value', parameter: 'brand' },
  searchWeight: 1,
};
const stock: Field = {
  name: 'stock',
  kind: 'integer',
  description: 'stock',
  sortable: true,
  filter: { kind: 'range', min: 'stock_gte', max: 'stock_lte' },
};
const isNew: Field = { name: 'isNew', kind: 'boolean', description: 'isNew' };

const models: readonly CollectionModel[] = collections.map((model) =>
  model.name === 'products' ? { ...model, fields: [...model.fields, brand, stock, isNew] } : model,
);

interface Row {
  readonly id: number;
  readonly title: string;
  readonly brand: string | null;
  readonly stock: number | null;
  readonly isNew: boolean | null;
}

const BRANDS = ['Acme', 'acme', 'Élan', 'Zeta', null];
const rows = Array.from({ length: 60 }, (_, i): Row => {
  const [name = null, count] = [BRANDS[(i * 7) % 5], (i * 37) % 23];
  return { id: i + 1, title: `Tea ${i}`, brand: name, stock: count === 0 ? null : count, isNew: i % 3 === 0 };
});

const dumps = {
  json: { 'products.json': JSON.stringify(rows) },
  csv: {
    'products.csv': [
      'id,title,brand,stock,isNew',
      ...rows.map((row) =>
        Object.values(row)
          .map((value) => value ?? '')
          .join(','),
      ),
    ].join('\n'),
  },
};

const idsOf = ({ data }: { readonly data: readonly Row[] }): readonly number[] => data.map(({ id }) => id);
const byStock = (a: Row, b: Row): number =>
  (a.stock ?? Number.POSITIVE_INFINITY) - (b.stock ?? Number.POSITIVE_INFINITY) || a.id - b.id;

test.each(Object.entries(dumps))('fields of a dump are those of its collection, from %s', async (_, files) => {
  await withFolder(files, async (dir) => {
    const served = await datasetIn(dir, { models });
    const app = appOf(served);
    const list = (query: string) => getJson<{ data: Row[] }>(app, `/api/products?limit=100&${query}`);

    expect((await list('')).data).toEqual(rows.map((row) => expect.objectContaining(row)));
    expect(idsOf(await list('sort=stock'))).toEqual(rows.toSorted(byStock).map(({ id }) => id));
    const isAcme = ({ brand: name }: Row) => name?.toLowerCase() === 'acme';
    expect(idsOf(await list('brand=ACME'))).toEqual(rows.filter(isAcme).map(({ id }) => id));
    const isFew = ({ stock: count }: Row) => count !== null && count >= 3 && count <= 9;
    expect(idsOf(await list('stock_gte=3&stock_lte=9'))).toEqual(rows.filter(isFew).map(({ id }) => id));

    const products = collectionOf(served.dataset.collections, 'products');
    expect(facetsOf(products, 'brand', null)).toEqual([
      { name: 'Acme', count: rows.filter(isAcme).length },
      { name: 'Élan', count: 12 },
      { name: 'Zeta', count: 12 },
    ]);
    expect(await getJson(app, '/api/products/7')).toMatchObject({ ...rows[6] });
    expect(await getJson(app, '/api/products/stats')).toMatchObject({ fields: { stock: { min: 1, max: 22 } } });
    expect(idsOf(await getJson(app, '/api/products/search?q=zeta&limit=100'))).toHaveLength(12);
    const csv = await (
      await app.request('/api/export/products?format=csv&fields=id,brand,stock,isNew&stock_gte=22')
    ).text();
    expect(csv.split('\r\n')[0]).toBe('id,brand,stock,isNew');
    expect((await (await app.request('/products?brand=Zeta')).text()).match(/Tea \d+/g)).not.toHaveLength(0);
  });
});

test('titles sort by a text field as they do by the title', async () => {
  await withFolder(dumps.json, async (dir) => {
    const app = appOf(await datasetIn(dir, { models }));
    const { data } = await getJson<{ data: Row[] }>(app, '/api/products?limit=100&sort=brand');
    const names = data.map((row) => row.brand?.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '') ?? '~');
    expect(names).toEqual(names.toSorted());
  });
});
