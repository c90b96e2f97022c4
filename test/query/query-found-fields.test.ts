/** Queries of found fields: each equals filter, sort and slice over plain objects, whatever the columns of the dump. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.js';
import { type App, appOf, appOptions, datasetIn, getJson } from '../support/api.js';
import { withFolder } from '../support/program.js';
import {
  type Dump,
  type DumpColumn,
  dumps,
  fileOf,
  isList,
  isOrdered,
  type Kind,
  type Plain,
} from '../support/random-columns.js';

const ASKED: Readonly<Record<Exclude<Kind, 'json'>, readonly string[]>> = {
  integer: ['3', '0', '99'],
  number: ['2.25', '0', '-1'],
  date: ['2024-01-31', '2024', '2024-02-01T12:00:00Z'],
  boolean: ['true', 'false'],
  text: ['RED tea', 'elan QUARTZ', 'none', '=zebra quartz'],
  code: ['a-1', '978-3-16', 'A-2'],
  texts: ['RED', 'tea pot', 'x'],
  codes: ['s1', 'm2', 'x'],
};
/** Words of the texts and none; each is a stem of its own. */
const WORDS = ['tea', 'zebra', 'quartz', 'acme', 'blue', 'nothing'];

const foldedText = (value: unknown): string =>
  String(value)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

interface View {
  readonly asked: Readonly<Record<string, readonly string[]>>;
  readonly word: { readonly text: string; readonly field: string | null } | null;
  readonly sort: string | null;
  readonly descending: boolean;
  readonly fields: readonly string[];
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

const isSortable = ({ kind }: DumpColumn): boolean => !isList(kind) && kind !== 'boolean' && kind !== 'json';
const isSearched = ({ kind }: DumpColumn): boolean => kind === 'text' || kind === 'texts';

function viewOf({ columns, records: [record = {}] }: Dump): fc.Arbitrary<View> {
  const filters = columns.flatMap(({ name, kind }) => {
    if (kind === 'json') return [];
    const values = fc.uniqueArray(fc.constantFrom(...ASKED[kind]), { minLength: 1, maxLength: 2 });
    const parameter = isOrdered(kind) ? fc.constantFrom(name, `${name}_gte`, `${name}_lte`) : fc.constant(name);
    return [fc.tuple(fc.constant('missing'), fc.constant([name])), fc.tuple(parameter, values)];
  });
  const searched = columns.filter(isSearched).map(({ name }) => name);
  return fc.record({
    asked:
      filters.length === 0 ? fc.constant({}) : fc.array(fc.oneof(...filters), { maxLength: 2 }).map(oneBoundOfEach),
    word: fc.option(fc.record({ text: fc.constantFrom(...WORDS), field: fc.constantFrom(null, ...searched) })),
    sort: fc.constantFrom(null, ...columns.filter(isSortable).map(({ name }) => name)),
    descending: fc.boolean(),
    fields: fc.subarray(Object.keys(record), { minLength: 1 }),
  });
}

const cases = dumps.chain((dump) =>
  fc.record({ dump: fc.constant(dump), views: fc.array(viewOf(dump), { minLength: 3, maxLength: 3 }) }),
);

/** Null, or a text of white space: none to filter, sort or count by. */
const isMissing = (value: unknown): boolean => value === null || value === undefined || String(value).trim() === '';
const timeRange = (text: string): readonly [number, number] => {
  const start = Date.parse(text);
  if (text.length > 10) return [start, start];
  const next = text.length === 4 ? Date.parse(String(Number(text) + 1)) : start + 86_400_000;
  return [start, next - 1];
};
const numberOf = (kind: Kind, value: unknown): number => (kind === 'date' ? Date.parse(String(value)) : Number(value));

function passes(record: Plain, columns: readonly DumpColumn[], parameter: string, wanted: readonly string[]): boolean {
  if (parameter === 'missing') return wanted.every((name) => isMissing(record[name]));
  const [, name = '', bound] = /^(.*?)(_[gl]te)?$/.exec(parameter) ?? [];
  const kind = columns.find((column) => column.name === name)?.kind ?? 'text';
  const value = record[name];
  if (isMissing(value)) return false;
  if (!isOrdered(kind)) {
    const foldedValues = [value].flat().map(foldedText);
    return wanted.some((text) => foldedValues.includes(foldedText(text)));
  }
  const number = numberOf(kind, value);
  const ranges = wanted.map((text) => (kind === 'date' ? timeRange(text) : ([Number(text), Number(text)] as const)));
  if (bound === '_gte') return ranges.every(([from]) => number >= from);
  if (bound === '_lte') return ranges.every(([, to]) => number <= to);
  return ranges.some(([from, to]) => number >= from && number <= to);
}

const foldedWords = (value: unknown): readonly string[] =>
  [value].flat().flatMap((text) => foldedText(text ?? '').split(/[^a-z\d]+/));

function hasWord(record: Plain, columns: readonly DumpColumn[], { text, field }: NonNullable<View['word']>): boolean {
  const searched = columns.filter((column) => isSearched(column) && (field === null || column.name === field));
  return searched.some(({ name }) => foldedWords(record[name]).includes(text));
}

const matchingOf = ({ columns, records }: Dump, { asked, word }: View): readonly Plain[] =>
  records.filter(
    (record) =>
      (word === null || hasWord(record, columns, word)) &&
      Object.entries(asked).every(([parameter, wanted]) => passes(record, columns, parameter, wanted)),
  );

function sorted(records: readonly Plain[], { columns }: Dump, { sort, descending }: View): readonly Plain[] {
  if (sort === null) return records;
  const kind = columns.find(({ name }) => name === sort)?.kind ?? 'text';
  const order = (a: unknown, b: unknown): number =>
    isOrdered(kind)
      ? numberOf(kind, a) - numberOf(kind, b)
      : Buffer.from(foldedText(a)).compare(Buffer.from(foldedText(b)));
  const isNone = (record: Plain) => isMissing(record[sort]);
  const ascending = records
    .filter((record) => !isNone(record))
    .toSorted((a, b) => order(a[sort], b[sort]) || Number(a.id) - Number(b.id));
  return [...(descending ? ascending.toReversed() : ascending), ...records.filter(isNone)];
}

const pairsOf = ({ asked, word }: View): readonly (readonly [string, string])[] => [
  ...Object.entries(asked).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  ...(word === null
    ? []
    : ([
        ['q', word.field === null ? word.text : `${word.field}:${word.text}`],
        ['fuzzy', '0'],
        ['prefix', '0'],
      ] as const)),
];
const queryString = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');

async function expectView(app: App, dump: Dump, view: View): Promise<void> {
  const { collection, columns } = dump;
  const [found, filters] = [matchingOf(dump, view), queryString(pairsOf(view))];
  const path = `/api/${collection}${view.word === null ? '' : '/search'}`;
  const { sort, descending, fields } = view;
  const parameters = [
    ...pairsOf(view),
    ...(sort === null ? [] : [['sort', sort] as const]),
    ['order', descending ? 'desc' : 'asc'] as const,
  ];
  const ask = (...more: readonly (readonly [string, string])[]) =>
    getJson<{ data: readonly Plain[]; pagination: { total: number } }>(
      app,
      `${path}?${queryString([...parameters, ...more])}`,
    );
  const fullPage = await ask(['limit', '100'], ['fields', '*']);
  expect(fullPage.pagination.total).toBe(found.length);
  // Without an order of its own a search has that of relevance.
  if (view.word === null || sort !== null) expect(fullPage.data).toEqual(sorted(found, dump, view));
  else expect(new Set(fullPage.data.map(({ id }) => id))).toEqual(new Set(found.map(({ id }) => id)));
  const some = await ask(['limit', '4'], ['page', '2'], ['fields', fields.join(',')]);
  const project = (record: Plain) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));
  expect(some.data).toEqual(fullPage.data.slice(4, 8).map(project));
  for (const { name, kind } of columns) {
    if (kind === 'json') continue;
    if (isOrdered(kind)) continue;
    const counts = new Map<string, number>();
    for (const record of found)
      for (const key of new Set(
        [record[name] ?? []]
          .flat()
          .filter((value) => !isMissing(value))
          .map(foldedText),
      ))
        counts.set(key, (counts.get(key) ?? 0) + 1);
    const { data } = await getJson<{ data: readonly { name: string; count: number }[] }>(
      app,
      `/api/${collection}/values/${encodeURIComponent(name)}?${filters}`,
    );
    expect([kind, new Map(data.map((value) => [foldedText(value.name), value.count]))]).toEqual([kind, counts]);
    expect(data.map(({ count }) => count)).toEqual(data.map(({ count }) => count).toSorted((a, b) => b - a));
  }
  await expectStats(app, `/api/${collection}/stats?${filters}`, columns, found);
}

interface Stats {
  readonly count: number;
  readonly min: unknown;
  readonly max: unknown;
  readonly mean: unknown;
  readonly histogram: readonly { readonly count: number }[];
}

async function expectStats(
  app: App,
  path: string,
  columns: readonly DumpColumn[],
  found: readonly Plain[],
): Promise<void> {
  const served = await getJson<{ count: number; fields: Readonly<Record<string, Stats>> }>(app, path);
  expect(served.count).toBe(found.length);
  for (const { name, kind } of columns.filter((column) => isOrdered(column.kind))) {
    const numbers = found.flatMap((record) => (record[name] === null ? [] : [numberOf(kind, record[name])]));
    const servedNumber = (value: unknown) => (value === null ? null : numberOf(kind, value));
    const { count, min, max, mean, histogram } = served.fields[name] ?? {
      count: -1,
      min: 0,
      max: 0,
      mean: 0,
      histogram: [],
    };
    expect([name, count]).toEqual([name, numbers.length]);
    expect(histogram.reduce((sum, bin) => sum + bin.count, 0)).toBe(numbers.length);
    if (numbers.length === 0) expect([min, max, mean]).toEqual([null, null, null]);
    else {
      expect([servedNumber(min), servedNumber(max)]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
      const sum = numbers.reduce((all, number) => all + number, 0);
      expect(servedNumber(mean)).toBeCloseTo(sum / numbers.length, kind === 'date' ? -1 : 9);
    }
  }
}

/** Answers by default: the documented fields of documented collections, all fields of others. */
async function expectShapes(app: App, { collection, columns, records: [first = {}] }: Dump): Promise<void> {
  const isFound = (name: string) => columns.some((column) => column.name === name);
  const plain =
    collection === 'flats' ? first : Object.fromEntries(Object.entries(first).filter(([name]) => !isFound(name)));
  const list = await getJson<{ data: readonly unknown[] }>(app, `/api/${collection}?limit=1`);
  expect(list.data).toEqual([plain]);
  expect(await getJson(app, `/api/${collection}/1`)).toEqual(plain);
  const detail = await getJson<object>(app, `/api/${collection}/1?fields=*`);
  expect([detail, Object.keys(detail)]).toEqual([first, Object.keys(first)]);
  const exported = (await (await app.request(`/api/export/${collection}`)).json()) as readonly unknown[];
  expect(exported[0]).toEqual(plain);
}

test('any query of any dump equals filter, sort and slice over its records', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ dump, views }) => {
      await withFolder(fileOf(dump), async (dir) => {
        const served = await datasetIn(dir, { language: 'english' });
        const app = createApp({ ...appOptions, served: () => served });
        for (const view of views) await expectView(app, dump, view);
        await expectShapes(app, dump);
      });
    }),
    { numRuns: 30, seed: 44, endOnFailure: true },
  );
});

const dumpOf = (records: readonly Plain[]): string =>
  JSON.stringify(records.map((record, i) => ({ id: i + 1, title: `Tea ${i}`, price: 1, ...record })));

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
    message:
      '"sort" must be one of id, title, author, price, imageUrl, rating, category, brand, stock, received, received "tags".',
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
  const records = [{ brand: 'Acme', stock: 3, received: '2024-01-31' }];
  await withFolder({ 'products.json': dumpOf(records) }, async (dir) => {
    const response = await appOf(await datasetIn(dir)).request(path);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as {
      error: { details?: readonly { message: string }[]; message: string };
    };
    expect(error.details?.[0]?.message ?? error.message).toBe(message);
  });
});
