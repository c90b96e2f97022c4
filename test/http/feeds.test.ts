/** Feeds of lists, searches and changes, read by an independent reader of feeds. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parseFeed } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { createApp, loadDataset } from '../../src/index.js';
import { withFolder } from '../support/program.js';

type PlainRecord = Readonly<Record<string, unknown>>;

const earlierAt = new Date('2026-11-01T06:00:00Z');
const laterAt = new Date('2026-11-02T06:00:00Z');

/** What is sent at a path of a server that has two dumps. */
const withDumps = <T>(
  name: string,
  before: readonly PlainRecord[],
  after: readonly PlainRecord[],
  use: (get: (path: string, headers?: Record<string, string>) => Promise<Response>) => Promise<T>,
) =>
  withFolder({}, async (dir) => {
    const folders = [join(dir, 'old'), join(dir, 'new')] as const;
    for (const [folder, records, date] of [
      [folders[0], before, earlierAt],
      [folders[1], after, laterAt],
    ] as const) {
      mkdirSync(folder);
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(records));
      utimesSync(join(folder, `${name}.json`), date, date);
    }
    const loaded = await loadDataset(folders[1], { previous: [folders[0]] });
    if (!loaded.ok) throw new Error(loaded.faults[0]?.message);
    const app = createApp(loaded.dataset);
    return use(async (path, headers = {}) => app.fetch(new Request(`http://localhost${path}`, { headers })));
  });

/** JSON Feed 1.1, by its text: https://www.jsonfeed.org/version/1.1/ */
const isJsonFeed = new Ajv().compile({
  type: 'object',
  required: ['version', 'title', 'items'],
  additionalProperties: false,
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: { type: 'string' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'content_text'],
        additionalProperties: false,
        properties: {
          id: { type: 'string', minLength: 1 },
          url: { type: 'string', pattern: '^https?://' },
          title: { type: 'string' },
          content_text: { type: 'string' },
          image: { type: 'string', pattern: '^https?://' },
          date_published: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' },
          authors: {
            type: 'array',
            items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
});

interface JsonFeed {
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly date_published: string;
    readonly url?: string;
  }[];
}

const jsonFeed = async (response: Response): Promise<JsonFeed> => {
  expect(response.headers.get('content-type')).toBe('application/feed+json; charset=utf-8');
  const feed = (await response.json()) as JsonFeed;
  expect(isJsonFeed(feed), JSON.stringify(isJsonFeed.errors)).toBe(true);
  return feed;
};

const articles = [
  {
    id: 1,
    title: 'Old <b> & "worn"',
    url: 'https://x.org/a b?q="1"',
    date: '2026-01-31',
    content: 'One\u0000\u0008 \ud800 two',
  },
  { id: 2, title: 'New', url: 'https://x.org/2', date: '2026-03-31T10:00:00Z', author: 'Ann', tags: ['a', 'b & c'] },
  { id: 3, title: 'Undated' },
];

describe('feeds of a list', () => {
  test('have the newest records first; a reader of Atom finds titles, links, dates and texts', () =>
    withDumps('articles', articles, articles, async (get) => {
      const response = await get('/api/export/articles?format=atom');
      expect(response.headers.get('content-disposition')).toBe('inline; filename="articles.xml"');
      expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
      const xml = await response.text();
      const feed = parseFeed(xml);
      expect(feed).toMatchObject({ type: 'atom', title: 'Articles' });
      expect(feed?.items.map(({ title, link, pubDate }) => [title, link, pubDate?.toISOString()])).toEqual([
        ['New', 'https://x.org/2', '2026-03-31T10:00:00.000Z'],
        ['Old <b> & "worn"', 'https://x.org/a%20b?q=%221%22', '2026-01-31T00:00:00.000Z'],
        ['Undated', '/articles/3', earlierAt.toISOString()],
      ]);
      for (const { id } of feed?.items ?? [])
        expect(id).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      // What XML cannot hold is left out (XML 1.0, section 2.2).
      expect(xml).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/);
      expect(xml).toContain('<author><name>Ann</name></author>');
      expect(xml).toContain('<category term="b &amp; c"/>');
    }));

  test('are JSON Feeds with the same items', () =>
    withDumps('articles', articles, articles, async (get) => {
      const { items } = await jsonFeed(await get('/api/export/articles?format=jsonfeed'));
      expect(items.map(({ title, url }) => [title, url])).toEqual([
        ['New', 'https://x.org/2'],
        ['Old <b> & "worn"', 'https://x.org/a b?q="1"'],
        ['Undated', undefined],
      ]);
      const atom = parseFeed(await (await get('/api/export/articles?format=atom')).text());
      expect(items.map(({ id }) => id)).toEqual(atom?.items.map(({ id }) => id));
      const found = await jsonFeed(await get('/api/export/articles?format=jsonfeed&q=undated'));
      expect(found.items.map(({ title }) => title)).toEqual(['Undated']);
      const sorted = await jsonFeed(await get('/api/export/articles?format=jsonfeed&sort=title&limit=1'));
      expect(sorted.items.map(({ title }) => title)).toEqual(['New']);
    }));

  test('without dates have new and changed records first; an id is another once its record changes, in any order and host', async () => {
    const before = [1, 2, 3, 4].map((id) => ({ id, title: `Tea ${id}`, price: id }));
    const after = [
      ...before.map((one) => (one.id === 3 ? { ...one, price: 2.5 } : one)),
      { id: 5, title: 'New', price: 1 },
    ];
    const idsIn = (records: readonly PlainRecord[]) =>
      withDumps('products', before, records, async (get) => {
        const { items } = await jsonFeed(await get('/api/export/products?format=jsonfeed'));
        return new Map(items.map(({ title, id }) => [title, id]));
      });
    const [ids, reversed, unchanged] = [await idsIn(after), await idsIn([...after].reverse()), await idsIn(before)];
    expect([...ids.keys()]).toEqual(['New', 'Tea 3', 'Tea 1', 'Tea 2', 'Tea 4']);
    expect(Object.fromEntries(reversed)).toEqual(Object.fromEntries(ids));
    expect(ids.get('Tea 1')).toBe(unchanged.get('Tea 1'));
    expect(ids.get('Tea 3')).not.toBe(unchanged.get('Tea 3'));
    expect(new Set(ids.values()).size).toBe(5);
  });

  test('are polled by their tag', () =>
    withDumps('articles', articles, articles, async (get) => {
      const tag = (await get('/api/export/articles?format=atom')).headers.get('etag') ?? '';
      expect((await get('/api/export/articles?format=atom', { 'If-None-Match': tag })).status).toBe(304);
      expect((await get('/api/export/articles?format=jsonfeed', { 'If-None-Match': tag })).status).toBe(200);
    }));

  test('have 100 items, or `limit`, which cuts files as well', () => {
    const many = Array.from({ length: 150 }, (_, i) => ({ id: i + 1, title: `Tea ${i}`, price: 1 }));
    return withDumps('products', many, many, async (get) => {
      const count = async (rest: string) =>
        (await jsonFeed(await get(`/api/export/products?format=jsonfeed${rest}`))).items.length;
      expect([await count(''), await count('&limit=7'), await count('&limit=150')]).toEqual([100, 7, 150]);
      const lines = async (path: string) => (await (await get(path)).text()).trim().split('\n').length;
      expect(await lines('/api/export/products?format=ndjson&limit=7')).toBe(7);
      expect(await lines('/api/export/products?format=ndjson')).toBe(150);
      expect(await lines('/api/export/products?format=csv&sort=title&limit=7')).toBe(8);
    });
  });
});

test('a feed of a collection of any script has its name, as files have', () => {
  const flights = [{ von: 'Graz', nach: 'Linz' }];
  return withDumps('рейсы', flights, flights, async (get) => {
    const base = `/api/export/${encodeURIComponent('рейсы')}`;
    const nameOf = async (address: string) => (await get(address)).headers.get('content-disposition');
    const name = encodeURIComponent('рейсы');
    expect(await nameOf(`${base}?format=atom`)).toBe(`inline; filename*=UTF-8''${name}.xml`);
    expect(await nameOf(`${base}?format=jsonfeed`)).toBe(`inline; filename*=UTF-8''${name}.json`);
    expect(await nameOf(`${base}/changes?format=atom`)).toBe(`inline; filename*=UTF-8''${name}-changes.xml`);
    expect(await nameOf(`${base}?format=csv`)).toBe(`attachment; filename*=UTF-8''${name}.csv`);
  });
});

test('a feed of changes tells price drops, each once', () =>
  withDumps(
    'products',
    [
      { id: 1, title: 'Tea', price: 12 },
      { id: 2, title: 'Cake', price: 4 },
      { id: 3, title: 'Gone', price: 1 },
    ],
    [
      { id: 1, title: 'Tea', price: 9 },
      { id: 2, title: 'Cake', price: 5 },
    ],
    async (get) => {
      const titlesOf = async (query: string) =>
        parseFeed(await (await get(`/api/export/products/changes?format=atom${query}`)).text())?.items.map(
          ({ title, link, pubDate }) => [title, link, pubDate?.toISOString()],
        );
      const at = laterAt.toISOString();
      expect(await titlesOf('&field=price&difference_lt=0')).toEqual([
        ['Tea: price: 12 → 9 (-25 %)', '/products/1', at],
      ]);
      expect((await titlesOf(''))?.map(([title]) => title)).toEqual([
        'Tea: price: 12 → 9 (-25 %)',
        'Cake: price: 4 → 5 (+25 %)',
        'Gone: removed',
      ]);
      await jsonFeed(await get('/api/export/products/changes?format=jsonfeed'));
      const file = await get('/api/export/products/changes?format=ndjson&limit=2');
      expect((await file.text()).trim().split('\n')).toHaveLength(2);
    },
  ));
