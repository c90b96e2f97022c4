/** What found fields do: every query of a dump's own columns equals filter, sort and slice over plain objects. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CollectionModel, collections, type Field, type FieldKind, foundField } from '../src/model.js';
import { appOf, datasetIn, getJson } from './support/api.js';
import { withFolder } from './support/program.js';

type Value = string | number | boolean | readonly string[] | null;
type Plain = Readonly<Record<string, Value>>;

/** Few distinct values and many nulls, so that ties and empty results are common. */
const VALUES: Readonly<Record<Exclude<FieldKind, 'url' | 'json'>, readonly Value[]>> = {
  integer: [null, -3, 0, 3, 7],
  number: [null, -0.5, 0, 2.25, 1000],
  date: [null, '2024-01-31T00:00:00Z', '2024-01-31T23:59:59Z', '2024-02-01T12:00:00Z', '1969-12-31T00:00:00Z'],
  boolean: [null, true, false],
  text: [null, 'Acme', 'acme', 'Élan', 'red tea', '=1'],
  code: [null, 'A-1', 'a-1', '978-3', 'x_9'],
  texts: [null, ['Red', 'blue'], ['red'], ['Tea pot']],
  codes: [null, ['S1', 'M2'], ['s1']],
};
type Kind = keyof typeof VALUES;
const kinds = Object.keys(VALUES) as readonly Kind[];
const ASKED: Readonly<Record<Kind, readonly string[]>> = {
  integer: ['3', '0', '99'],
  number: ['2.25', '0', '-1'],
  date: ['2024-01-31', '2024', '2024-02-01T12:00:00Z'],
  boolean: ['true', 'false'],
  text: ['ACME', 'elan', 'none'],
  code: ['a-1', '978-3', 'A-2'],
  texts: ['RED', 'tea pot', 'x'],
  codes: ['s1', 'm2', 'x'],
};

const isList = (kind: Kind): boolean => kind === 'texts' || kind === 'codes';
const isOrdered = (kind: Kind): boolean => kind === 'integer' || kind === 'number' || kind === 'date';
const foldedText = (value: unknown): string =>
  String(value)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

interface Column {
  readonly name: string;
  readonly kind: Kind;
}
interface View {
  readonly asked: Readonly<Record<string, readonly string[]>>;
  readonly sort: string | null;
  readonly descending: boolean;
}
interface Case {
  readonly columns: readonly Column[];
  readonly rows: readonly Plain[];
  readonly views: readonly View[];
}

/** Bounds are given once, and one of them only: a lower one above the upper one is refused. */
const oneBoundOfEach = (pairs: readonly (readonly [string, readonly string[]])[]): View['asked'] =>
  Object.fromEntries(
    new Map(
      pairs.map(([name, values]) => {
        const field = name.replace(/_[gl]te$/, '');
        return [field, [name, field === name ? values : values.slice(0, 1)]];
      }),
    ).values(),
  );

const cases: fc.Arbitrary<Case> = fc
  .uniqueArray(fc.constantFrom('brand', 'stock', 'größe', 'inStock', 'sku_2', 'a', 'b'), { minLength: 1, maxLength: 5 })
  .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(...kinds).map((kind) => ({ name, kind })))))
  .chain((columns) => {
    const row = fc.record(
      Object.fromEntries(columns.map(({ name, kind }) => [name, fc.constantFrom(...VALUES[kind])])),
    ) as fc.Arbitrary<Plain>;
    const filter = fc.constantFrom(...columns).chain(({ name, kind }) => {
      const value = fc.constantFrom(...ASKED[kind]);
      const parameter = isOrdered(kind) ? fc.constantFrom(name, `${name}_gte`, `${name}_lte`) : fc.constant(name);
      return fc.oneof(
        fc.tuple(fc.constant('missing'), fc.constant([name])),
        fc.tuple(parameter, fc.uniqueArray(value, { minLength: 1, maxLength: 2 })),
      );
    });
    const sorts = columns.filter(({ kind }) => !isList(kind) && kind !== 'boolean').map(({ name }) => name);
    const view = fc.record({
      asked: fc.array(filter, { maxLength: 2 }).map(oneBoundOfEach),
      sort: fc.constantFrom(null, ...sorts),
      descending: fc.boolean(),
    });
    return fc.record({
      columns: fc.constant(columns),
      rows: fc.array(row, { minLength: 1, maxLength: 30 }),
      views: fc.array(view, { minLength: 4, maxLength: 4 }),
    });
  });

const isMissing = (value: Value | undefined): boolean => value === null || value === undefined;
const timeRange = (text: string): readonly [number, number] => {
  if (text.length > 10) return [Date.parse(text), Date.parse(text)];
  const start = Date.parse(text);
  const next = text.length === 4 ? Date.parse(String(Number(text) + 1)) : start + 86_400_000;
  return [start, next - 1];
};

function passes(row: Plain, columns: readonly Column[], parameter: string, wanted: readonly string[]): boolean {
  if (parameter === 'missing') return wanted.every((name) => isMissing(row[name]));
  const [, name = '', bound] = /^(.*?)(_[gl]te)?$/.exec(parameter) ?? [];
  const kind = columns.find((column) => column.name === name)?.kind ?? 'text';
  const value = row[name];
  if (value === null || value === undefined) return false;
  if (!isOrdered(kind)) {
    const own = [value].flat().map(foldedText);
    return wanted.some((text) => own.includes(foldedText(text)));
  }
  const number = kind === 'date' ? Date.parse(String(value)) : Number(value);
  const ranges = wanted.map((text): readonly [number, number] =>
    kind === 'date' ? timeRange(text) : [Number(text), Number(text)],
  );
  if (bound === '_gte') return ranges.every(([from]) => number >= from);
  if (bound === '_lte') return ranges.every(([, to]) => number <= to);
  return ranges.some(([from, to]) => number >= from && number <= to);
}

function expectedIds({ columns, rows }: Case, { asked, sort, descending }: View): readonly number[] {
  const numbered = rows.map((row, i) => ({ id: i + 1, row }));
  const matching = numbered.filter(({ row }) =>
    Object.entries(asked).every(([parameter, wanted]) => passes(row, columns, parameter, wanted)),
  );
  if (sort === null) return matching.map(({ id }) => id);
  const kind = columns.find(({ name }) => name === sort)?.kind;
  const order = (a: Value, b: Value): number => {
    if (kind === 'date') return Date.parse(String(a)) - Date.parse(String(b));
    if (kind === 'integer' || kind === 'number') return Number(a) - Number(b);
    return Buffer.from(foldedText(String(a))).compare(Buffer.from(foldedText(String(b))));
  };
  const valued = matching.filter(({ row }) => !isMissing(row[sort]));
  const ascending = valued.toSorted((a, b) => order(a.row[sort] ?? null, b.row[sort] ?? null) || a.id - b.id);
  const missing = matching.filter(({ row }) => isMissing(row[sort]));
  return [...(descending ? ascending.toReversed() : ascending), ...missing].map(({ id }) => id);
}

/** The collection of products, with found fields that answers leave out unless asked. */
const modelsWith = (columns: readonly Column[]): readonly CollectionModel[] =>
  collections.map((model: CollectionModel) => {
    if (model.name !== 'products') return model;
    const found = columns.map(({ name, kind }): Field => ({ ...foundField(name, kind, name), onRequest: true }));
    return { ...model, fields: [...model.fields, ...found] };
  });

const dumpOf = (rows: readonly Plain[]): string =>
  JSON.stringify(rows.map((row, i) => ({ id: i + 1, title: `Tea ${i}`, price: 1, ...row })));

const queryString = ({ asked, sort, descending }: View): string =>
  [
    ...Object.entries(asked).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
    ...(sort === null ? [] : [['sort', sort] as const]),
    ['order', descending ? 'desc' : 'asc'] as const,
  ]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');

test('any query of found fields equals filter, sort and slice', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (generated) => {
      await withFolder({ 'products.json': dumpOf(generated.rows) }, async (dir) => {
        const app = appOf(await datasetIn(dir, { models: modelsWith(generated.columns) }));
        for (const view of generated.views) {
          const { data } = await getJson<{ data: readonly { id: number }[] }>(
            app,
            `/api/products?limit=100&${queryString(view)}`,
          );
          expect(data.map(({ id }) => id)).toEqual(expectedIds(generated, view));
        }
        await expectValues(app, generated);
        await expectShapes(app, generated);
      });
    }),
    { numRuns: 30 },
  );
});

async function expectValues(app: ReturnType<typeof appOf>, { columns, rows }: Case): Promise<void> {
  for (const { name, kind } of columns.filter((column) => !isOrdered(column.kind))) {
    const counts = new Map<string, number>();
    for (const row of rows)
      for (const key of new Set([row[name] ?? []].flat().map(foldedText))) counts.set(key, (counts.get(key) ?? 0) + 1);
    const { data } = await getJson<{ data: readonly { name: string; count: number }[] }>(
      app,
      `/api/products/values/${encodeURIComponent(name)}`,
    );
    expect([kind, new Map(data.map((value) => [foldedText(value.name), value.count]))]).toEqual([kind, counts]);
  }
}

async function expectShapes(app: ReturnType<typeof appOf>, { columns, rows }: Case): Promise<void> {
  const [first] = rows;
  const plain = { id: 1, title: 'Tea 0', author: null, price: 1, imageUrl: null, rating: null, category: null };
  const found = Object.fromEntries(
    columns
      .filter(({ name, kind }) => !isList(kind) || !isMissing(first?.[name]))
      .map(({ name }) => [name, first?.[name] ?? null]),
  );
  const list = await getJson<{ data: readonly unknown[] }>(app, '/api/products?limit=1');
  expect(list.data).toEqual([plain]);
  expect(await getJson(app, '/api/products/1')).toEqual(plain);
  const whole = await getJson<{ data: readonly object[] }>(app, '/api/products?limit=1&fields=*');
  expect(whole.data).toEqual([{ ...plain, ...found }]);
  expect(Object.keys(whole.data[0] ?? {})).toEqual(Object.keys({ ...plain, ...found }));
  expect(await getJson(app, '/api/products/1?fields=*')).toEqual({ ...plain, ...found });
  const exported = (await (await app.request('/api/export/products')).json()) as readonly unknown[];
  expect(exported[0]).toEqual(plain);
  const all = (await (await app.request('/api/export/products?fields=*')).json()) as readonly unknown[];
  expect(all[0]).toEqual({ ...plain, ...found });
}

const wrong = [
  {
    path: '/api/products/values/stock',
    status: 422,
    message: '"field" must have values to count, as author, category, brand have; "stock" has none.',
  },
  { path: '/api/products/values/brnd', status: 404, message: 'Products have no field "brnd". Did you mean "brand"?' },
  {
    path: '/api/products?sort=tags',
    status: 422,
    message: '"sort" must be one of title, price, rating, brand, stock, received, received "tags".',
  },
  { path: '/api/products?stock=few', status: 422, message: '"stock" must be a number, received "few".' },
  {
    path: '/api/products?received=tomorrow',
    status: 422,
    message: '"received" must be a date such as 2024-01-31, 2024-01 or 2024-01-31T12:00:00Z, received "tomorrow".',
  },
  { path: '/api/products?stock_gte=5&stock_lte=3', status: 422, message: '"stock_gte" must not exceed "stock_lte".' },
];

test.each(wrong)('$path is refused', async ({ path, status, message }) => {
  const columns: readonly Column[] = [
    { name: 'brand', kind: 'text' },
    { name: 'stock', kind: 'integer' },
    { name: 'received', kind: 'date' },
  ];
  await withFolder({ 'products.json': dumpOf([{ brand: 'Acme', stock: 3, received: null }]) }, async (dir) => {
    const response = await appOf(await datasetIn(dir, { models: modelsWith(columns) })).request(path);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as {
      error: { details?: readonly { message: string }[]; message: string };
    };
    expect(error.details?.[0]?.message ?? error.message).toBe(message);
  });
});
