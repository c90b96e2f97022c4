/** Records side by side: every field that one of them has, each difference marked, against the API's records. */
import { describe, expect, test } from 'vitest';
import { appOf, datasetIn, datasetOf, getJson, sampleDir } from '../support/api.js';

const app = appOf(await datasetIn(sampleDir));
const textOf = async (path: string, from = app): Promise<string> => (await from.request(path)).text();
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The lines of a comparison: whether they are marked, and the texts of their cells. */
const linesIn = (page: string): readonly { readonly differs: boolean; readonly cells: readonly string[] }[] =>
  [...page.matchAll(/<tr role="row"( class="differs")?>(<th role="rowheader".*?)<\/tr>/gs)].map(
    ([, mark, line = '']) => ({
      differs: mark !== undefined,
      cells: line
        .split(/<\/t[hd]>/)
        .slice(0, -1)
        .map(plain),
    }),
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
    ],
  }),
);

describe('records side by side', () => {
  test('mark what differs, and how far numbers lie apart; a missing value differs from any other', async () => {
    const page = await textOf('/products/compare?id=1&id=2', shop);
    expect(linesIn(page)).toEqual([
      { differs: true, cells: ['Author differs', 'Acme', 'acme'] },
      { differs: true, cells: ['Price differs', '20.00', '23.10 +3.10'] },
      { differs: false, cells: ['Rating', '4', '4'] },
      { differs: false, cells: ['Category', 'Home', 'Home'] },
    ]);
    expect(page).toContain('2 of 4 fields differ');
    expect(page).toContain('id="only-different"');
    // Where every field differs there is nothing to leave out.
    const unlike = await textOf('/products/compare?id=1&id=4', shop);
    expect(unlike).toContain('All 4 fields differ');
    expect(unlike).not.toContain('id="only-different"');
    expect(unlike).not.toContain('a value is missing');
    expect(await textOf('/products/compare?id=1&id=3', shop)).toContain(
      '2 of 4 fields differ, 2 of them only because a value is missing',
    );
    const three = linesIn(await textOf('/products/compare?id=3&id=1&id=2', shop));
    expect(three.map(({ cells }) => cells)).toEqual([
      ['Author differs', '&ndash;', 'Acme', 'acme'],
      ['Price differs', '20.00', '20.00', '23.10 +3.10'],
      ['Rating differs', '&ndash;', '4', '4'],
      ['Category', 'Home', 'Home', 'Home'],
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
    const [, form = ''] = /<form class="row" action="\/products\/compare">(.*?)<\/form>/s.exec(page) ?? [];
    expect(form.match(/type="hidden" name="id" value="\d"/g)).toHaveLength(3);
    expect(plain(form)).toMatch(/^Another id Add/);
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
    const [dates] = linesIn(page).filter(({ cells }) => cells[0]?.startsWith('Date'));
    expect(dates?.cells.slice(1)).toEqual([
      '2026-01-01',
      '2026-01-31 +30 days',
      '2025-12-31 \u22121 day',
      '2026-01-01',
    ]);
  });

  test('mark the words that differ in two long texts, and no order of equal lists', async () => {
    const page = await textOf('/articles/compare?id=1&id=2', shop);
    expect(page).toContain('<del>daily</del><ins>on Sundays</ins>');
    const tags = linesIn(page).find(({ cells }) => cells[0] === 'Tags');
    expect(tags).toEqual({ differs: false, cells: ['Tags', 'sea, boat', 'sea, boat'] });
  });

  test('of the sample are marked as the API’s records differ', async () => {
    const { data } = await getJson<{ data: { id: number }[] }>(app, '/api/products?limit=12');
    for (let i = 0; i + 1 < data.length; i += 2) {
      const pair = data.slice(i, i + 2);
      const [a = {}, b = {}] = await Promise.all(
        pair.map(({ id }) => getJson<Record<string, unknown>>(app, `/api/products/${id}?fields=*`)),
      );
      const names = Object.keys({ ...a, ...b }).filter(
        (name) => !['id', 'title', 'imageUrl'].includes(name) && (a[name] ?? b[name] ?? null) !== null,
      );
      const lines = linesIn(await textOf(`/products/compare?id=${pair.map(({ id }) => id).join('&id=')}`));
      expect(lines).toHaveLength(names.length);
      expect(lines.filter(({ differs }) => differs)).toHaveLength(
        names.filter((name) => JSON.stringify(a[name] ?? null) !== JSON.stringify(b[name] ?? null)).length,
      );
    }
  });

  test('of which there is one are offered others, similar ones first, and none twice', async () => {
    const page = await textOf('/products/compare?id=1011');
    const { data } = await getJson<{ data: { id: number }[] }>(app, '/api/products/1011/similar?limit=8');
    const offered = [...page.matchAll(/compare\?id=1011&amp;id=(\d+)"/g)].map(([, id]) => Number(id));
    expect(offered).toEqual(data.map(({ id }) => id));
    expect(await textOf('/products/compare?id=1011&id=1011')).toBe(page);
    // The form for any other id sends an empty one, too.
    expect((await app.request('/products/compare?id=&id=')).headers.get('location')).toBe('/products/compare');
    expect(await textOf('/products/compare')).toMatch(/First id.*Second id/s);
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
    expect(page).toContain('<form id="compare" action="/products/compare" hidden></form>');
    expect(await textOf('/products/2', shop)).toContain('href="/products/compare?id=2">Compare</a>');
    expect(await textOf('/products/changes', shop)).not.toContain('form="compare"');
  });
});
