/** What lists, records and changes pages tell of the changes since an earlier dump. */
import { describe, expect, test } from 'vitest';
import { appOf, comparedSample, datasetIn, getJson, sampleDir } from './support/api.js';

interface Change {
  readonly id: number;
  readonly title: string;
  readonly kind: string;
  readonly changes?: Readonly<Record<string, { readonly from: number; readonly to: number }>>;
}

const app = appOf(await comparedSample());
const textOf = async (path: string): Promise<string> => (await app.request(path)).text();
const changed = async (query: string): Promise<readonly Change[]> =>
  (await getJson<{ data: readonly Change[] }>(app, `/api/${query}`)).data;
const without = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&rarr;', '→')
    .replace(/\s+/g, ' ');

/** The pill of a record in its list, or on its page. */
const pillIn = (markup: string, address: string): string | undefined =>
  markup
    .match(/<a class="pill" href="[^"]*">.*?<\/a>/gs)
    ?.filter((pill) => pill.includes(`href="${address}"`))
    .map(without)[0];

describe('a changed record', () => {
  test('tells its main change in lists, tables and grids, and leads to its earlier values', async () => {
    const [record] = await changed('products/changes?field=price&limit=1');
    const { from = 0, to = 0 } = record?.changes?.price ?? {};
    const q = encodeURIComponent(record?.title ?? '');
    for (const view of ['', '&view=grid']) {
      const page = await textOf(`/products?q=${q}${view}`);
      const pill = pillIn(page, `/products/${record?.id}?q=${q}${view.replace('&', '&amp;')}#earlier`);
      expect(pill, view).toContain(`Price ${from.toFixed(2)} → now ${to.toFixed(2)}`);
    }
    const page = await textOf(`/products/${record?.id}`);
    expect(pillIn(page, '#earlier')).toContain(` was ${from.toFixed(2)}`);
    expect(page).toContain('<h2 id="earlier">');
  });

  test('of which only a text changed says so', async () => {
    const records = await changed('articles/changes?kind=changed&limit=1000');
    const record = records.find(({ changes = {} }) => Object.keys(changes).join() === 'content');
    const list = await textOf(`/articles?q=${encodeURIComponent(record?.title ?? '')}&limit=1`);
    expect(list).toContain('#earlier">Content edited</a>');
    expect(await textOf(`/articles/${record?.id}`)).toContain('<h2 id="earlier">');
  });

  test('has no pill without a comparison, nor has one that is as it was', async () => {
    const plain = appOf(await datasetIn(sampleDir));
    const page = await (await plain.request('/products')).text();
    expect(page).not.toContain('#earlier');
    const touched = new Set((await changed('products/changes?limit=1000')).map(({ id }) => id));
    const { data } = await getJson<{ data: readonly { id: number }[] }>(app, '/api/products?limit=200');
    const list = await textOf('/products?limit=200');
    for (const { id } of data) {
      const row = new RegExp(`id="hit-${id}".*?</tr>`, 's').exec(list)?.[0] ?? '';
      expect([id, row.includes('class="pill"')]).toEqual([id, touched.has(id)]);
    }
  });
});

test('a new record says that it is new, and leads to all new ones', async () => {
  const [record] = await changed('products/changes?kind=added&limit=1');
  const page = await textOf(`/products/${record?.id}`);
  expect(pillIn(page, '/products/changes?kind=added')).toBe('+ New');
  expect(page).not.toContain('id="earlier"');
});

test('new records show what a row of a list shows, removed ones their website too', async () => {
  const row = (page: string): string => /<li class="change beside">.*?<\/dl>/s.exec(page)?.[0] ?? '';
  const added = row(await textOf('/articles/changes?kind=added'));
  expect(added).toMatch(/<p><span class="kind good">.*?New<\/span> <a class="hit-link" /);
  expect(added).toMatch(/<a class="host" /);
  expect(added).toMatch(/<ul class="tags row" role="list"><li><a href="\/articles\?tag=/);
  expect(added).toMatch(/<dl class="fact-line row soft small">/);
  expect(row(await textOf('/articles/changes?kind=removed'))).toMatch(/<a class="host" /);
});
