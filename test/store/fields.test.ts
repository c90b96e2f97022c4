/** A collection with fields besides the documented ones: stored, sorted, filtered, counted and served as those are. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CollectionModel, collectionOf, collections, type Field } from '../../src/model.js';
import { facetsOf } from '../../src/query/facets.js';
import { createRecordStoreBuilder } from '../../src/store/collection.js';
import { copyRecord, recordBytes, recordJson } from '../../src/store/record-text.js';
import { appOf, datasetIn, getJson } from '../support/api.js';
import type { RecordValues } from '../support/batch-writer.js';
import { inBatches } from '../support/batch-writer.js';
import { withFolder } from '../support/program.js';

const brand: Field = {
  name: 'brand',
  kind: 'text',
  description: 'brand',
  filter: { kind: 'value', parameter: 'brand' },
  searchWeight: 1,
};
const stock: Field = {
  name: 'stock',
  kind: 'integer',
  description: 'stock',
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

describe('fields on request', () => {
  const fields: readonly Field[] = [
    { name: 'id', kind: 'integer', description: 'id', required: true },
    { name: 'title', kind: 'text', description: 'title', required: true },
    { name: 'content', kind: 'text', description: 'content', detailOnly: true },
    { ...brand, onRequest: true },
    { name: 'sizes', kind: 'codes', description: 'sizes', onRequest: true },
  ];
  const anyText = fc.option(fc.string());
  const anyRecord = fc.tuple(fc.string(), anyText, anyText, fc.option(fc.array(fc.string(), { minLength: 1 })));
  /** What a record has of the first fields; a list that it lacks is left out. */
  const objectOf = (values: RecordValues, count: number) =>
    Object.fromEntries(
      fields
        .slice(0, count)
        .flatMap(({ name }, i) => (name === 'sizes' && values[i] === null ? [] : [[name, values[i]]])),
    );

  test.each([
    ['with details', fields, [2, 3, 5]],
    ['without', fields.filter(({ detailOnly }) => !detailOnly), [2, 2, 4]],
  ] as const)('stand behind all others, and are no part of items and records by default: %s', (_, some, counts) => {
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 30 }), (records) => {
        const all = records.map((values, i): RecordValues => [i, ...values]);
        const model = { name: 'things', singular: 'Thing', fields: some };
        const builder = createRecordStoreBuilder(model);
        const kept = some.map((field) => fields.indexOf(field));
        inBatches(
          model,
          all.map((values) => kept.map((i) => values[i] ?? null)),
          builder.addBatch,
        );
        const { text, size } = builder.finish();
        expect(size).toBe(all.length);
        const expected = (values: RecordValues, part: number): unknown => {
          const whole = objectOf(values, fields.length);
          return Object.fromEntries(
            some.slice(0, counts[part]).flatMap(({ name }) => (name in whole ? [[name, whole[name]]] : [])),
          );
        };
        for (const [row, values] of all.entries()) {
          expect(JSON.parse(recordJson(text, row, 'item').toString())).toEqual(expected(values, 0));
          expect(JSON.parse(recordJson(text, row, 'default').toString())).toEqual(expected(values, 1));
          expect(recordJson(text, row, 'default').length).toBe(recordBytes(text, row, 'default'));
          expect(JSON.parse(recordJson(text, row, 'whole').toString())).toEqual(expected(values, 2));
        }
        const bytes = all.reduce((sum, _, row) => sum + recordBytes(text, row, 'default'), 0);
        const target = Buffer.alloc(bytes);
        expect(all.reduce((end, _, row) => copyRecord(text, row, 'default', target, end), 0)).toBe(bytes);
        const lines = all.map((_, row) => recordJson(text, row, 'default').toString());
        expect(target.toString()).toBe(lines.join(''));
      }),
    );
  });
});
