/** What the API tells of changes, against the two versions of the sample. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Served } from '../src/http/app.js';
import { collections, type DocumentedName } from '../src/model.js';
import { compareCollections } from '../src/store/changes/compare.js';
import { appOf, comparedSample, datasetIn, datasetOf, earlierAt, getJson, sampleDir } from './support/api.js';
import { finished } from './support/finished.js';
import { hostile } from './support/hostile.js';
import { names, type PlainRecord } from './support/oracle.js';

interface Item {
  readonly id: number;
  readonly title: string;
  readonly kind: string;
  readonly changes?: Readonly<Record<string, { from?: unknown; to?: unknown; percent?: number }>>;
}
interface Page {
  readonly data: readonly Item[];
  readonly pagination: { readonly total: number; readonly totalPages: number };
  readonly since: unknown;
  readonly counts: { readonly changed: number; readonly fields: Readonly<Record<string, { changed: number }>> };
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
): Served {
  const [earlier, later] = [datasetOf(before), datasetOf(now)];
  const since = { version: earlier.dataset.version, modifiedAt: earlierAt };
  const comparisons = new Map(
    collections.map(({ name }) => {
      const [from, to] = [earlier.dataset.collections.get(name), later.dataset.collections.get(name)];
      if (from === undefined || to === undefined) throw new Error(`there are no ${name}`);
      return [name, { since, changes: finished(compareCollections(from, to, true)) }] as const;
    }),
  );
  return { ...later, dataset: { ...later.dataset, comparisons } };
}

describe.each(names)('%s', (name) => {
  test('counts and records are those of the files', async () => {
    const [before, now] = [recordsOf('previous', name), recordsOf('', name)].map(
      (records) => new Map(records.map((record) => [record.id, record])),
    );
    const page = await whole(name);
    const ids = (kind: string) => page.data.filter((item) => item.kind === kind).map(({ id }) => id);
    const missing = (from = before, to = now) => [...(from?.keys() ?? [])].filter((id) => !to?.has(id));
    expect(ids('removed').sort()).toEqual(missing().sort());
    expect(ids('added').sort()).toEqual(missing(now, before).sort());
    const edited = [...(now ?? [])].filter(([id, record]) => {
      const earlier = before?.get(id);
      return earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(record);
    });
    expect(ids('changed').sort()).toEqual(edited.map(([id]) => id).sort());
    expect(page.counts.changed).toBe(edited.length);
    expect(page.since).toEqual({ version: expect.any(String), modifiedAt: earlierAt.toISOString() });
  });

  test('pages add up to the whole, in kinds, the largest change first', async () => {
    const { data, pagination } = await whole(name);
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(data.length / 20) }, (_, i) =>
        getJson<Page>(app, `/api/${name}/changes?page=${i + 1}`),
      ),
    );
    expect(pages.flatMap((page) => page.data)).toEqual(data);
    expect(pagination.total).toBe(data.length);
    const kinds = data.map(({ kind }) => ['changed', 'added', 'removed'].indexOf(kind));
    expect(kinds).toEqual([...kinds].sort());
    const prices = data.flatMap(({ changes }) => changes?.price?.percent ?? []).map(Math.abs);
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    const isPriced = data.filter(({ kind }) => kind === 'changed').map(({ changes }) => changes?.price !== undefined);
    expect(isPriced).toEqual([...isPriced].sort((a, b) => Number(b) - Number(a)));
  });

  test('exports hold what pages hold', async () => {
    for (const query of ['', '&q=the&kind=changed', '&kind=added&sort=title&order=desc']) {
      const { data } = await whole(name, query);
      const path = `/api/export/${name}/changes?format=`;
      expect(await getJson(app, `${path}json${query}`)).toEqual(data);
      const lines = (await (await app.request(`${path}ndjson${query}`)).text()).split('\n').slice(0, -1);
      expect(lines.map((line) => JSON.parse(line))).toEqual(data);
    }
  });
});

test('the largest falls of prices first', async () => {
  const { data } = await whole('products', '&field=price&direction=down&sort=percent&maxPercent=-10');
  const percents = data.map(({ changes }) => changes?.price?.percent ?? 0);
  expect(percents.length).toBeGreaterThan(10);
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  expect(Math.max(...percents)).toBeLessThanOrEqual(-10);
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
const small = appOf(
  comparedOf(
    { products: before, articles: notes('one two\nthree', ['a', 'b']) },
    { products: now, articles: notes('one two', ['c', 'b']) },
  ),
);

test('an item tells old and new values', async () => {
  expect((await getJson<Page>(small, '/api/products/changes')).data).toEqual([
    {
      id: 1,
      title: '=Sum',
      kind: 'changed',
      changes: { author: { from: 'A', to: null }, price: { from: 12, to: 9.5, percent: -20.83 } },
    },
    { id: 3, title: 'New', kind: 'added' },
    { id: 2, title: 'Gone, "quoted"', kind: 'removed' },
  ]);
  expect((await getJson<Page>(small, '/api/articles/changes')).data).toEqual([
    {
      id: 7,
      title: 'Note',
      kind: 'changed',
      changes: { content: { words: -1 }, tags: { added: ['c'], removed: ['a'] } },
    },
  ]);
});

test('CSV has a line for each changed field, guarded', async () => {
  expect(await (await small.request('/api/export/products/changes?format=csv')).text()).toBe(
    [
      'id,title,kind,field,from,to,percent',
      `1,"'=Sum",changed,author,A,,`,
      `1,"'=Sum",changed,price,12,9.5,-20.83`,
      '3,New,added,,,,',
      '2,"Gone, ""quoted""",removed,,,,',
      '',
    ].join('\r\n'),
  );
  expect(await (await small.request('/api/export/articles/changes?format=csv&bom=1')).text()).toContain(
    'content,3,2,\r\n7,Note,changed,tags,"[""a""]","[""c""]",\r\n',
  );
});

describe('without anything to compare with', async () => {
  const alone = appOf(await datasetIn(sampleDir));

  test('since is null and data empty', async () => {
    expect(await getJson(alone, '/api/products/changes?kind=added')).toEqual({
      data: [],
      pagination: { total: 0, page: 1, limit: 20, totalPages: 0 },
      since: null,
      counts: { added: 0, removed: 0, changed: 0, unchanged: 0, fields: {} },
      pairedBy: [],
      incomplete: false,
    });
    expect(await getJson(alone, '/api/export/products/changes')).toEqual([]);
    expect(await (await alone.request('/api/export/products/changes?format=ndjson')).text()).toBe('');
  });

  test('tags hold both versions', async () => {
    for (const path of ['/api/products/changes', '/api/export/products/changes']) {
      const tags = await Promise.all([app, alone].map(async (each) => (await each.request(path)).headers.get('ETag')));
      expect(new Set(tags).size).toBe(2);
    }
    const lists = await Promise.all(
      [app, alone].map(async (each) => (await each.request('/api/products')).headers.get('ETag')),
    );
    expect(new Set(lists).size).toBe(1);
  });
});

describe('pages of hostile records', () => {
  /** The texts of each record become those of the next, the last record is gone, and the first is new. */
  const turned = ([first, ...rest]: readonly PlainRecord[]): readonly PlainRecord[] =>
    rest.map((record, i) => ({ ...first, ...record, id: i }));
  const attacked = appOf(
    comparedOf(hostile, { articles: turned(hostile.articles), products: turned(hostile.products) }),
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

describe('pages that are asked for what makes no sense together', () => {
  test.each([
    ['direction=up', '/products/changes?direction=up&field=price'],
    ['field=title&sort=percent', '/products/changes?field=title'],
    ['minPercent=&kind=added', '/products/changes?kind=added'],
  ])('%s leads to %s', async (query, target) => {
    const response = await app.request(`/products/changes?${query}`);
    expect([response.status, response.headers.get('Location')]).toEqual([303, target]);
  });

  test('what is wrong alone is a page that says so', async () => {
    expect((await app.request('/products/changes?kind=other')).status).toBe(422);
  });
});

describe('a request that makes no sense is refused', () => {
  test.each([
    ['direction=up', '"direction" needs one "field": price or rating or pages.'],
    ['direction=up&field=title', '"direction" needs one "field": price or rating or pages.'],
    ['minPercent=3&field=price&field=rating', '"minPercent" needs one "field": price or rating or pages.'],
    ['sort=percent', '"sort" needs one "field": price or rating or pages.'],
    ['field=price&minPercent=5&maxPercent=4', '"minPercent" must not exceed "maxPercent".'],
    ['kind=other', '"kind" must be one of changed, added, removed, received "other".'],
  ])('%s', async (query, message) => {
    const response = await app.request(`/api/products/changes?${query}`);
    expect(response.status).toBe(422);
    const { error } = (await response.json()) as { error: { details: readonly { message: string }[] } };
    expect(error.details.map((detail) => detail.message)).toEqual([message]);
  });
});

test('a page that names its whole as files', async () => {
  const response = await app.request('/api/products/changes?field=price&limit=5');
  expect(response.headers.get('Link')).toContain(
    '</api/export/products/changes?field=price&format=csv>; rel="alternate"; type="text/csv"',
  );
});
