/** What the API tells of changes, against the two versions of the sample. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storesOf } from '../../src/build/compare.js';
import type { Served } from '../../src/http/app.js';
import type { DocumentedName } from '../../src/model.js';
import {
  appOf,
  comparedSample,
  comparedWith,
  datasetIn,
  datasetOf,
  earlierAt,
  getJson,
  sampleDir,
} from '../support/api.js';
import { hostile } from '../support/hostile.js';
import { names, type PlainRecord } from '../support/oracle.js';

interface Change {
  readonly id: number;
  readonly record: number | null;
  readonly title: string;
  readonly kind: string;
  readonly field: string | null;
  readonly from: unknown;
  readonly to: unknown;
  readonly percent: number | null;
  readonly date: string;
}
interface Page {
  readonly data: readonly Change[];
  readonly pagination: { readonly total: number; readonly totalPages: number };
}

const served = await comparedSample();
const app = appOf(served);
const whole = (name: string, query = ''): Promise<Page> =>
  getJson<Page>(app, `/api/${name}/changes?limit=1000${query}`);

const recordsOf = (folder: string, name: string): readonly PlainRecord[] =>
  JSON.parse(readFileSync(join(sampleDir, folder, `${name}.json`), 'utf8'));

/** Articles and products, `before` and now. */
function comparedOf(
  before: Partial<Record<DocumentedName, readonly PlainRecord[]>>,
  now: Partial<Record<DocumentedName, readonly PlainRecord[]>>,
): Promise<Served> {
  const [earlier, later] = [datasetOf(before), datasetOf(now)];
  const since = { version: earlier.dataset.version, modifiedAt: earlierAt };
  // Every collection of the earlier dataset has a file.
  const files = names.map((collection) => ({ file: collection, collection, idsAssigned: 0 }));
  const report = JSON.parse(JSON.stringify({ ...earlier.report, files }));
  return comparedWith(later, { stores: storesOf(earlier.dataset.collections), report, since });
}

describe.each(names)('%s', (name) => {
  test('the changes are those of the files', async () => {
    const [before = new Map(), now = new Map()] = [recordsOf('previous', name), recordsOf('', name)].map(
      (records) => new Map(records.map((record) => [record.id, record])),
    );
    const { data } = await whole(name);
    const ofKind = (kind: string) => data.filter((change) => change.kind === kind);
    const missing = (from: typeof before, to: typeof now) => [...from].filter(([id]) => !to.has(id));
    expect(
      ofKind('removed')
        .map(({ title }) => title)
        .sort(),
    ).toEqual(
      missing(before, now)
        .map(([, { title }]) => title)
        .sort(),
    );
    expect(
      ofKind('added')
        .map(({ record }) => record)
        .sort(),
    ).toEqual(
      missing(now, before)
        .map(([id]) => id)
        .sort(),
    );
    const told = ofKind('changed').map(({ record, field, from, to }) => [record, field, from, to]);
    const expected = [...now].flatMap(([id, record]) => {
      const earlier: PlainRecord = before.get(id) ?? record;
      return Object.keys({ ...earlier, ...record }).flatMap((field) => {
        const [from, to] = [earlier[field] ?? null, record[field] ?? null];
        return JSON.stringify(from) === JSON.stringify(to) ? [] : [[id, field, from, to]];
      });
    });
    const sorted = (changes: unknown[]) => changes.map((one) => JSON.stringify(one)).sort();
    expect(sorted(told)).toEqual(sorted(expected));
    expect(new Set(data.map(({ date }) => date)).size).toBe(1);
  });

  test('pages add up to the whole', async () => {
    const { data, pagination } = await whole(name);
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(data.length / 20) }, (_, i) =>
        getJson<Page>(app, `/api/${name}/changes?page=${i + 1}`),
      ),
    );
    expect(pages.flatMap((page) => page.data)).toEqual(data);
    expect(pagination.total).toBe(data.length);
  });

  test('exports hold what pages hold', async () => {
    for (const query of ['', '&q=the&kind=changed', '&kind=added&sort=-title']) {
      const { data } = await whole(name, query);
      const path = `/api/export/${name}/changes?format=`;
      expect(await getJson(app, `${path}json${query}`)).toEqual(data);
      const lines = (await (await app.request(`${path}ndjson${query}`)).text()).split('\n').slice(0, -1);
      expect(lines.map((line) => JSON.parse(line))).toEqual(data);
    }
  });
});

describe('changes are asked for as any list is', () => {
  test('the largest falls of prices first', async () => {
    const { data } = await whole('products', '&field=price&percent_lte=-10&sort=percent');
    const percents = data.map(({ percent }) => percent ?? 0);
    expect(percents.length).toBeGreaterThan(10);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(Math.max(...percents)).toBeLessThanOrEqual(-10);
  });

  test('searched, counted, summed up, grouped, one by its number', async () => {
    const all = await whole('products');
    const [word = ''] = /\p{L}{5,}/u.exec(all.data[0]?.title ?? '') ?? [];
    const found = await getJson<Page>(app, `/api/products/changes/search?q=${word}&limit=1000`);
    expect(found.data.map(({ id }) => id)).toContain(all.data[0]?.id);
    const counted = await getJson<{ data: readonly { name: string; count: number }[] }>(
      app,
      '/api/products/changes/values/kind',
    );
    for (const { name, count } of counted.data) expect(count).toBe(all.data.filter(({ kind }) => kind === name).length);
    const ofPrices = await getJson<{ data: readonly { count: number }[] }>(
      app,
      '/api/products/changes/values/kind?field=price',
    );
    expect(ofPrices.data.map(({ count }) => count)).toEqual([all.data.filter(({ field }) => field === 'price').length]);
    const stats = await getJson<{ count: number; fields: { percent: { min: number } } }>(
      app,
      '/api/products/changes/stats?field=price',
    );
    const percents = all.data.filter(({ field }) => field === 'price').flatMap(({ percent }) => percent ?? []);
    expect([stats.count, stats.fields.percent.min]).toEqual([ofPrices.data[0]?.count, Math.min(...percents)]);
    const groups = await getJson<{ data: readonly { value: string }[] }>(
      app,
      '/api/products/changes/stats?by=field&fields=percent',
    );
    expect(groups.data.map(({ value }) => value)).toContain('price');
    expect(await getJson(app, `/api/products/changes/${all.data[3]?.id}`)).toEqual(all.data[3]);
    expect(await getJson<Page>(app, '/api/products/changes?fields=record,to&limit=1')).toMatchObject({
      data: [{ record: all.data[0]?.record, to: all.data[0]?.to }],
    });
  });

  test('values of a field that has none to count: the error names the parameter of the path', async () => {
    const response = await app.request('/api/products/changes/values/difference?field=price');
    expect(response.status).toBe(422);
    expect((await response.json()) as unknown).toMatchObject({ error: { details: [{ parameter: 'countedField' }] } });
  });

  test('those of one record, at its own address too', async () => {
    const { data } = await whole('products', '&kind=changed');
    const record = data[0]?.record;
    const ofRecord = data.filter((change) => change.record === record);
    expect((await getJson<Page>(app, `/api/products/${record}/history`)).data).toEqual(ofRecord);
    expect((await getJson<Page>(app, `/api/products/changes?record=${record}`)).data).toEqual(ofRecord);
    expect((await getJson<Page>(app, `/api/products/${record}/history?field=none`)).data).toEqual([]);
    expect((await app.request('/api/products/99999999/history')).status).toBe(404);
    const textAt = async (path: string) => (await app.request(`/api/products/${path}`)).text();
    expect(await textAt('99999999/history')).toContain(
      'Product with id 99999999 not found. Records that are gone are found by their titles: /api/products/changes?kind=removed&q=TITLE.',
    );
    for (const name of ['from', 'from_gte'])
      expect(await textAt(`changes?${name}=sold out`)).toContain(
        ' must be a number (texts are found by q=from:WORD, switches and dates by no filter), received ',
      );
    expect((await app.request('/api/products/1/history?record=2')).status).toBe(422);
  });

  test.each([
    ['direction=up', 'direction'],
    ['minPercent=3', 'minPercent'],
    ['sort=author', 'sort'],
    ['percent_gte=5&percent_lte=4', 'percent_gte'],
  ])('%s is refused', async (query, parameter) => {
    const response = await app.request(`/api/products/changes?${query}`);
    expect(response.status).toBe(422);
    expect((await response.json()) as unknown).toMatchObject({ error: { details: [{ parameter }] } });
    expect((await app.request(`/products/changes?${query}`, { headers: { Accept: 'text/html' } })).status).toBe(
      query.startsWith('percent') ? 200 : 422,
    );
  });
});

test('records are listed by their last change', async () => {
  const { data } = await getJson<{ data: readonly { id: number; lastChanged: string | null }[] }>(
    app,
    '/api/products?fields=id,lastChanged&limit=1000',
  );
  const touched = new Set((await whole('products')).data.map(({ record }) => record));
  for (const { id, lastChanged } of data) expect([id, lastChanged !== null]).toEqual([id, touched.has(id)]);
  const changed = await getJson<Page>(app, '/api/products?lastChanged_gte=2000&limit=1000');
  expect(changed.pagination.total).toBe([...touched].filter((id) => id !== null).length);
  const first = await getJson<{ data: readonly { lastChanged: string | null }[] }>(
    app,
    '/api/products?sort=-lastChanged&fields=lastChanged&limit=1',
  );
  expect(first.data[0]?.lastChanged).not.toBe(null);
  expect(await getJson(app, '/api/products/stats')).toHaveProperty('fields.firstSeen');
});

const before = [
  { id: 1, title: '=Sum', price: 12, author: 'A' },
  { id: 2, title: 'Gone, "quoted"', price: 1 },
];
const now = [
  { id: 1, title: '=Sum', price: 9.5, author: null },
  { id: 3, title: 'New', price: 1 },
];
const notes = (content: string, tags: readonly string[]) => [{ id: 7, title: 'Note', content, tags }];
const later = datasetOf({}).loadedAt.toISOString().replace('.000Z', 'Z');
const small = appOf(
  await comparedOf(
    { products: before, articles: notes('one two\nthree', ['a', 'b']) },
    { products: now, articles: notes('one two', ['c', 'b']) },
  ),
);

test('a change has the values as the records had them', async () => {
  const numbers = { difference: null, percent: null, date: later };
  const whole = { field: null, from: null, to: null, ...numbers };
  expect((await getJson<Page>(small, '/api/products/changes')).data).toEqual([
    { id: 4, record: 1, title: '=Sum', kind: 'changed', field: 'author', from: 'A', to: null, ...numbers },
    {
      id: 3,
      record: 1,
      title: '=Sum',
      kind: 'changed',
      field: 'price',
      from: 12,
      to: 9.5,
      difference: -2.5,
      percent: -20.83,
      date: later,
    },
    { id: 2, record: 3, title: 'New', kind: 'added', ...whole },
    { id: 1, record: null, title: 'Gone, "quoted"', kind: 'removed', ...whole },
  ]);
  expect((await getJson<Page>(small, '/api/articles/changes')).data).toMatchObject([
    { field: 'content', from: 'one two\nthree', to: 'one two' },
    { field: 'tags', from: ['a', 'b'], to: ['c', 'b'] },
  ]);
  for (const word of ['three', 'c']) {
    const found = await getJson<Page>(small, `/api/articles/changes/search?q=${word}&prefix=0`);
    expect([word, found.data.length]).toEqual([word, 1]);
  }
});

test('CSV has a line for each change, guarded', async () => {
  expect(await (await small.request('/api/export/products/changes?format=csv')).text()).toBe(
    [
      'id,record,title,kind,field,from,to,difference,percent,date',
      `4,1,"'=Sum",changed,author,A,,,,${later}`,
      `3,1,"'=Sum",changed,price,12,9.5,-2.5,-20.83,${later}`,
      `2,3,New,added,,,,,,${later}`,
      `1,,"Gone, ""quoted""",removed,,,,,,${later}`,
      '',
    ].join('\r\n'),
  );
});

describe('without anything to compare with', async () => {
  const alone = appOf(await datasetIn(sampleDir));

  test('there are no changes, and records have no history', async () => {
    expect(await getJson(alone, '/api/products/changes?kind=added')).toEqual({
      data: [],
      pagination: { total: 0, page: 1, limit: 20, totalPages: 0 },
    });
    expect(await getJson(alone, '/api/export/products/changes')).toEqual([]);
    expect(await (await alone.request('/api/export/products/changes?format=ndjson')).text()).toBe('');
    const { data } = await getJson<{ data: readonly { id: number }[] }>(alone, '/api/products?limit=1');
    expect((await getJson<Page>(alone, `/api/products/${data[0]?.id}/history`)).data).toEqual([]);
    expect((await alone.request('/api/products?sort=lastChanged')).status).toBe(422);
    expect(await (await alone.request('/products/changes')).text()).toContain('nothing to compare with');
  });
});

test('two servers of one dump with other histories do not share the tags of what shows them', async () => {
  const products = [{ id: 1, title: 'Tea', price: 3 }];
  const apps = await Promise.all(
    [1, 2].map(async (price) => appOf(await comparedOf({ products: [{ id: 1, title: 'Tea', price }] }, { products }))),
  );
  const isShared = async (path: string): Promise<boolean> => {
    const tags = await Promise.all(apps.map(async (each) => (await each.request(path)).headers.get('ETag')));
    return new Set(tags).size === 1;
  };
  for (const path of ['/api/products', '/api/products/1', '/api/products?fields=id', '/api/export/products'])
    expect([path, await isShared(path)]).toEqual([path, true]);
  for (const path of [
    '/api/products/changes',
    '/api/export/products/changes',
    '/api/products/1/history',
    '/api/products?sort=lastChanged',
    '/api/products?lastChanged_gte=2020',
    '/api/products?fields=*',
    '/api/products?missing=lastChanged',
    '/api/products/1?fields=firstSeen',
    '/api/export/products?fields=*',
    '/api/export/products?format=atom',
    '/api/products/stats',
    '/products/1',
  ])
    expect([path, await isShared(path)]).toEqual([path, false]);
});

describe('pages of hostile records', async () => {
  /** The texts of each record become those of the next, the last record is gone, and the first is new. */
  const turned = ([first, ...rest]: readonly PlainRecord[]): readonly PlainRecord[] =>
    rest.map((record, i) => ({ ...first, ...record, id: i }));
  const attacked = appOf(
    await comparedOf(hostile, { articles: turned(hostile.articles), products: turned(hostile.products) }),
  );

  test.each(['/', '/articles/changes', '/products/changes?kind=removed', '/products/changes', '/articles/1'])(
    '%s holds none of their markup',
    async (path) => {
      const response = await attacked.request(path);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toMatch(/<script>|<img src=x|<style>|href="\s*javascript:/i);
    },
  );
});

test('a page that names its whole as files', async () => {
  const response = await app.request('/api/products/changes?field=price&limit=5');
  expect(response.headers.get('Link')).toContain(
    '</api/export/products/changes?field=price&format=csv>; rel="alternate"; type="text/csv"',
  );
});
