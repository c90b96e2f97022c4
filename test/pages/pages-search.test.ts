/** The search of everything, as a page: hits, fields, values and questions, each a link to what it says. */
import { expect, test } from 'vitest';
import { appOf, comparedSample, datasetIn, datasetOf, sampleDir } from '../support/api.js';

const sample = appOf(await datasetIn(sampleDir));
const plain = (text: string): string => text.replace(/<[^>]*>/g, '').trim();
const suggestionsFor = async (text: string): Promise<readonly (readonly [says: string, address: string])[]> => {
  const page = await (await sample.request(`/search?q=${encodeURIComponent(text)}`)).text();
  return [...page.matchAll(/<li><a class="split" href="([^"]*)">(.*?)<\/a><\/li>/gs)].map(
    ([, address = '', says = '']) => [plain(says).replace(/\s+/g, ' '), address.replaceAll('&amp;', '&')],
  );
};

test.each([
  ['median price by category', 'Median Price by Category', '/products/stats?by=category&fields=price'],
  ['average rating per publisher', 'Mean Rating by Publisher', '/products/stats?by=publisher&fields=rating&view=mean'],
  ['count by author', 'Count of Articles by Author', '/articles/stats?by=author'],
  ['mean rating', 'Mean Rating by Category', '/products/stats?by=category&fields=rating&view=mean'],
  // Words that name no field ask the usual question.
  ['median rent by district', 'Median Price by Category', '/products/stats?by=category&fields=price'],
  ['count', 'Count of Products by Category', '/products/stats?by=category'],
  ['count by district', 'Count of Products by Category', '/products/stats?by=category'],
  ['number of Products', 'Count of Products by Category', '/products/stats?by=category'],
  ['number of products per publisher', 'Count of Products by Publisher', '/products/stats?by=publisher'],
  ['count article by author', 'Count of Articles by Author', '/articles/stats?by=author'],
  ['count publisher', 'Count of Products by Publisher', '/products/stats?by=publisher'],
  ['price', 'Field Price', '/products/fields/price'],
  ['publisher:lan', 'Publisher Lantern House', '/products?publisher=Lantern%20House'],
  ['lantern h', 'Publisher Lantern House', '/products?publisher=Lantern%20House'],
])('%s', async (text, says, address) => {
  const suggestions = await suggestionsFor(text);
  expect(suggestions.map(([, target]) => target)).toContain(address);
  expect(suggestions.find(([, target]) => target === address)?.[0]).toMatch(new RegExp(`^${says}`));
});

test.each(['number 9', 'count down', 'number nine by author', 'number of teapots'])(
  '%s asks for no count: its words name no records and no field',
  async (text) => {
    expect((await suggestionsFor(text)).filter(([says]) => says.startsWith('Count of'))).toEqual([]);
  },
);

test('each link of a search leads to a page, and hits are those of the lists', async () => {
  for (const text of ['map', 'a map by hand', 'tags:', 'by', '"', 'x:y:z', '%'])
    for (const [says, address] of await suggestionsFor(text))
      expect([text, says, (await sample.request(address)).status]).toEqual([text, says, 200]);
  const hits = (await suggestionsFor('map')).flatMap(
    ([, address]) => /^\/articles\/(\d+)\?q=map$/.exec(address)?.[1] ?? [],
  );
  const list = (await (await sample.request('/api/articles?q=map&limit=5')).json()) as { data: { id: number }[] };
  expect(hits).toEqual(list.data.map(({ id }) => String(id)));
});

test('of a chosen collection more hits are shown; nothing typed tells what can be, and the keys', async () => {
  const scoped = await (await sample.request('/search?q=map&in=articles')).text();
  expect(scoped.match(/href="\/articles\/\d+\?q=map"/g)).toHaveLength(20);
  expect(scoped).not.toContain('href="/products/');
  expect(scoped).toContain('<option value="articles" selected>Articles</option>');
  const empty = await (await sample.request('/search')).text();
  expect(empty).toContain('Ctrl K');
  expect((await sample.request('/search?q=&in=')).headers.get('Location')).toBe('/search');
  expect((await sample.request('/search?q=a+map&in=')).headers.get('Location')).toBe('/search?q=a+map');
  // The form of the home page sends an empty `in` too.
  expect([(await sample.request('/search?q=%FF')).status, (await sample.request('/search?q=%FF&in=')).status]).toEqual([
    400, 400,
  ]);
  expect(await (await sample.request('/search?q=zzzzqqq')).text()).toContain('no record, no field and no value');
});

test('a search of no texts has one space between its word and the ellipsis', async () => {
  const page = async (records: readonly Readonly<Record<string, unknown>>[]): Promise<string> =>
    (await appOf(datasetOf({ products: records })).request('/search')).text();
  expect(await page([])).toContain('placeholder="Search …"');
  expect(await page([{ id: 1, title: 'Tea' }])).toContain('placeholder="Search titles …"');
});

test('every page leads to the search', async () => {
  const app = appOf(await comparedSample());
  for (const path of ['/', '/products', '/products/changes', '/docs', '/nowhere'])
    expect(await (await app.request(path, { headers: { Accept: 'text/html' } })).text()).toContain('href="/search"');
});
