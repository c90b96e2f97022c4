/** Records side by side: the fields in which they differ, and the equal ones folded away, against the API's records. */
import { describe, expect, test } from 'vitest';
import { appOf, datasetIn, datasetOf, getJson, sampleDir } from '../support/api.js';

const app = appOf(await datasetIn(sampleDir));
const textOf = async (path: string, from = app): Promise<string> => (await from.request(path)).text();
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The texts of the lines in which records differ. */
const linesIn = (page: string): readonly (readonly string[])[] =>
  [...page.matchAll(/<tr role="row">(<th role="rowheader".*?)<\/tr>/gs)].map(([, line = '']) =>
    line
      .split(/<\/t[hd]>/)
      .slice(0, -1)
      .map(plain),
  );

/** The fields in which all records are equal, with their values. */
const equalIn = (page: string): readonly string[] =>
  [...(/<details>.*?<\/details>/s.exec(page)?.[0] ?? '').matchAll(/<div>(.*?)<\/div>/gs)].map(([, fact = '']) =>
    plain(fact),
  );

const shop = appOf(
  datasetOf({
    products: [
      { id: 1, title: 'Kettle', author: 'Acme', price: 20, rating: 4, category: 'Home', imageUrl: null },
      { id: 2, title: 'Pot', author: 'acme', price: 23.1, rating: 4, category: 'Home', imageUrl: null },
      { id: 3, title: 'Pan <b>', author: null, price: 20, rating: null, category: 'Home', imageUrl: null },
      { id: 4, title: 'Saw', author: 'Zed', price: 5, rating: 3, category: 'Work', imageUrl: null },
    ],
    articles: [
      { id: 1, title: 'A', content: `The ferry runs daily. ${'It is slow. '.repeat(20)}`, tags: ['sea', 'boat'] },
      { id: 2, title: 'B', content: `The ferry runs on Sundays. ${'It is slow. '.repeat(20)}`, tags: ['sea', 'boat'] },
      { id: 3, title: 'C', content: `Nobody has heard of it. ${'Bread needs salt. '.repeat(20)}` },
    ],
  }),
);

describe('records side by side', () => {
  test('show what differs, and how far numbers lie apart; a missing value differs from any other, and stands last', async () => {
    const page = await textOf('/products/compare?id=1&id=2', shop);
    expect(linesIn(page)).toEqual([
      ['Author', 'Acme', 'acme'],
      ['Price', '20.00', '23.10 +3.10'],
    ]);
    expect(page).toContain('2 of 4 fields differ');
    expect(page).toContain('<summary>2 equal fields</summary>');
    expect(equalIn(page)).toEqual(['Rating 4', 'Category Home']);
    // Where every field differs there is nothing to fold.
    const unlike = await textOf('/products/compare?id=1&id=4', shop);
    expect(unlike).toContain('All 4 fields differ');
    expect(equalIn(unlike)).toEqual([]);
    expect(linesIn(await textOf('/products/compare?id=3&id=1&id=2', shop))).toEqual([
      ['Price', '20.00', '20.00', '23.10 +3.10'],
      ['Author', '&ndash;', 'Acme', 'acme'],
      ['Rating', '&ndash;', '4', '4'],
    ]);
  });

  test('can be put first, removed, and joined by another', async () => {
    const page = await textOf('/products/compare?id=3&id=1&id=2', shop);
    const links = [...page.matchAll(/<a class="pill" href="\/products\/compare\?([^"]*)">(.*?)<\/a>/g)];
    expect(links.map(([, query = '', text = '']) => [query.replaceAll('&amp;', '&'), plain(text)])).toEqual([
      ['id=1&id=2', 'Remove Pan &lt;b&gt;'],
      ['id=1&id=3&id=2', 'Put first Kettle'],
      ['id=3&id=2', 'Remove Kettle'],
      ['id=2&id=3&id=1', 'Put first Pot'],
      ['id=3&id=1', 'Remove Pot'],
    ]);
    const [form = ''] = /<form class="find row".*?<\/form>/s.exec(page) ?? [];
    expect(form.match(/type="hidden" name="id" value="\d"/g)).toHaveLength(3);
    // The three are offered no more.
    for (const [, id] of page.matchAll(/<a class="beside" href="[^"]*id=(\d+)">/g)) expect(id).toBe('4');
  });

  test.each([
    ['words of a record', 'saw', ['/products/compare?id=1&amp;id=4']],
    ['an id', '2', ['/products/compare?id=1&amp;id=2']],
    ['the compared record itself', 'kettle', []],
    ['nothing', 'zebra', []],
  ])('are joined by what a search finds: %s', async (_, text, offered) => {
    const page = await textOf(`/products/compare?id=1&q=${text}`, shop);
    expect([...page.matchAll(/<a class="beside" href="([^"]*)">/g)].map(([, path]) => path)).toEqual(offered);
    expect(page.includes('Nothing else found.')).toBe(offered.length === 0);
  });

  test('have dates apart by days', async () => {
    const dated = appOf(
      datasetOf({
        articles: ['2026-01-01T00:00:00Z', '2026-01-31T10:00:00Z', '2025-12-31T00:00:00Z', '2026-01-01T00:00:00Z'].map(
          (date, id) => ({ id, title: `T${id}`, date }),
        ),
      }),
    );
    const page = await textOf('/articles/compare?id=0&id=1&id=2&id=3', dated);
    const dates = linesIn(page).find(([name]) => name === 'Date');
    expect(dates?.slice(1)).toEqual(['2026-01-01', '2026-01-31 +30 days', '2025-12-31 \u22121 day', '2026-01-01']);
  });

  test('mark the words that differ in two long texts that are alike, and no order of equal lists', async () => {
    const page = await textOf('/articles/compare?id=1&id=2', shop);
    expect(page).toContain('<del>daily</del><ins>on Sundays</ins>');
    expect(equalIn(page)).toEqual(['Tags sea, boat']);
    expect(await textOf('/articles/compare?id=1&id=3', shop)).not.toContain('<del>');
  });

  test('have their texts whole, of which the rest is folded where one is long', async () => {
    const texts = ['ant '.repeat(100), 'bee '.repeat(1000)].map((text) => text.trim());
    const noted = appOf(datasetOf({ articles: texts.map((content, id) => ({ id, title: `T${id}`, content })) }));
    const page = await textOf('/articles/compare?id=0&id=1', noted);
    expect(page).toContain(`<bdi>${texts[0]}</bdi>`);
    const [, beginning = '', rest = ''] =
      /<details><summary><bdi>(.*?)…<\/bdi><\/summary><bdi>(.*?)<\/bdi><\/details>/.exec(page) ?? [];
    expect(beginning + rest).toBe(texts[1]);
  });

  test('of the sample differ as the API’s records do', async () => {
    const { data } = await getJson<{ data: { id: number }[] }>(app, '/api/products?limit=12');
    for (let i = 0; i + 1 < data.length; i += 2) {
      const pair = data.slice(i, i + 2);
      const [a = {}, b = {}] = await Promise.all(
        pair.map(({ id }) => getJson<Record<string, unknown>>(app, `/api/products/${id}?fields=*`)),
      );
      const names = Object.keys({ ...a, ...b }).filter(
        (name) => !['id', 'title', 'imageUrl'].includes(name) && (a[name] ?? b[name] ?? null) !== null,
      );
      const page = await textOf(`/products/compare?id=${pair.map(({ id }) => id).join('&id=')}`);
      const different = names.filter((name) => JSON.stringify(a[name] ?? null) !== JSON.stringify(b[name] ?? null));
      expect(linesIn(page)).toHaveLength(different.length);
      expect(equalIn(page)).toHaveLength(names.length - different.length);
    }
  });

  test('of which there is one are offered others, similar ones first, and none twice', async () => {
    const page = await textOf('/products/compare?id=1011');
    const { data } = await getJson<{ data: { id: number }[] }>(app, '/api/products/1011/similar?limit=8');
    const offered = [...page.matchAll(/compare\?id=1011&amp;id=(\d+)"/g)].map(([, id]) => Number(id));
    expect(offered).toEqual(data.map(({ id }) => id));
    expect(await textOf('/products/compare?id=1011&id=1011')).toBe(page);
    // The form sends an empty text, too.
    expect((await app.request('/products/compare?id=1011&q=')).headers.get('location')).toBe(
      '/products/compare?id=1011',
    );
    const none = await textOf('/products/compare');
    expect(none.match(/<a class="beside" href="\/products\/compare\?id=\d+">/g)).toHaveLength(8);
  });

  test.each([
    ['id=1&id=99', 404, 'Product with id 99 not found.'],
    ['id=x', 422, 'must be an integer'],
    ['colour=red', 422, 'is not known here'],
    [
      Array.from({ length: 21 }, (_, i) => `id=${i}`).join('&'),
      422,
      'is one value too many: compare takes 20 records.',
    ],
  ])('%s: %i', async (query, status, message) => {
    const response = await shop.request(`/products/compare?${query}`);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(message);
  });

  test('are chosen in the rows of a list and from a record; changes are not', async () => {
    const page = await textOf('/products?limit=2', shop);
    expect(page.match(/<input type="checkbox" class="pick" form="compare" name="id" value="\d"/g)).toHaveLength(2);
    expect(page).toContain('<form id="compare" class="row" action="/products/compare">');
    expect(await textOf('/products/2', shop)).toContain('href="/products/compare?id=2">Compare</a>');
    expect(await textOf('/products/changes', shop)).not.toContain('form="compare"');
  });
});
