/** The search of everything, as a page: hits, fields, values and questions, each a link to what it says. */
import { expect, test } from 'vitest';
import { appOf, comparedSample, datasetIn, sampleDir } from '../support/api.js';
import { withFolder } from '../support/program.js';

const sample = appOf(await datasetIn(sampleDir));
const plain = (text: string): string => text.replace(/<[^>]*>/g, '').trim();
const suggestionsFor = async (text: string): Promise<readonly (readonly [says: string, address: string])[]> => {
  const page = await (await sample.request(`/search?q=${encodeURIComponent(text)}`)).text();
  return [...page.matchAll(/<li><a class="(?:pill|beside)" href="([^"]*)">(.*?)<\/a><\/li>/gs)].map(
    ([, address = '', says = '']) => [plain(says).replace(/\s+/g, ' '), address.replaceAll('&amp;', '&')],
  );
};

test('hits have their pictures, and a link to all where there are more', async () => {
  const page = await (await sample.request('/search?q=coffee')).text();
  const hitsOf = (name: string): string =>
    new RegExp(`<section class="block" aria-label="${name}">.*?</section>`, 's').exec(page)?.[0] ?? '';
  expect(hitsOf('Articles')).toContain('<a href="/articles?q=coffee">All 7 &rarr;</a>');
  expect(hitsOf('Articles')).not.toContain('class="cover');
  expect(hitsOf('Products')).not.toContain('All 2');
  expect(hitsOf('Products').match(/<span class="cover small">/g)).toHaveLength(2);
  expect(page).toContain('<h1>9 results for <q>');
});

test.each([
  ['median price by category', 'Median Price by Category', '/products/stats?by=category&fields=price'],
  ['average rating per publisher', 'Mean Rating by Publisher', '/products/stats?by=publisher&fields=rating&view=mean'],
  ['count by author', 'Count of Articles by Author', '/articles/stats?by=author'],
  ['mean rating', 'Mean Rating by Category', '/products/stats?by=category&fields=rating&view=mean'],
  ['count', 'Count of Products by Category', '/products/stats?by=category'],
  ['number of Products', 'Count of Products by Category', '/products/stats?by=category'],
  ['number of products per publisher', 'Count of Products by Publisher', '/products/stats?by=publisher'],
  ['count article by author', 'Count of Articles by Author', '/articles/stats?by=author'],
  ['count publisher', 'Count of Products by Publisher', '/products/stats?by=publisher'],
  ['price', 'Field: Price', '/products/fields/price'],
  ['publisher:lan', 'Publisher: Lantern House', '/products?publisher=Lantern%20House'],
  ['lantern h', 'Publisher: Lantern House', '/products?publisher=Lantern%20House'],
])('%s', async (text, says, address) => {
  const suggestions = await suggestionsFor(text);
  expect(suggestions.map(([, target]) => target)).toContain(address);
  expect(suggestions.find(([, target]) => target === address)?.[0]).toMatch(new RegExp(`^${says}`));
});

test.each(['number 9', 'count down', 'number nine by author', 'number of teapots', 'count by district'])(
  '%s asks for no count: its words name no records and no field',
  async (text) => {
    expect((await suggestionsFor(text)).filter(([says]) => says.startsWith('Count of'))).toEqual([]);
  },
);

test('a question is answered above the hits by the figures of its page, of all records and of the first groups', async () => {
  const page = await (await sample.request('/search?q=median%20price%20by%20category')).text();
  const answer = /aria-label="Answers">.*?<\/li>/s.exec(page)?.[0] ?? '';
  const groups = await (await sample.request('/products/stats?by=category&fields=price')).text();
  const rows = [...groups.matchAll(/<th role="rowheader".*?<bdi>(.*?)<\/bdi>.*?data-label="Median">(.*?)<\/td>/g)];
  const figures = rows.slice(0, 5).map(([, name = '', median = '']) => `${name} ${median}`);
  expect(plain(answer)).toContain(['All products 15.99', ...figures].join(' · '));
  expect(page.indexOf('aria-label="Answers"')).toBeLessThan(page.indexOf('<div class="lists'));
});

test.each([
  ['zzqq map', 'No record has all words of'],
  ['coffee', '9 results for'],
  ['the coffee', '9 results for'],
  ['zzqq', '0 results for'],
])('%s: the heading tells where no record has all words', async (text, says) => {
  const page = await (await sample.request(`/search?q=${encodeURIComponent(text)}`)).text();
  expect(page).toContain(`<h1>${says} <q>`);
});

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

test('a hit tells what it is: title, author, date or price, and where the words are that its title lacks', async () => {
  const jobs = [
    {
      id: 1,
      title: 'Designer',
      city: 'Berlin',
      posted: '2026-06-25',
      salary: '€72,000',
      text: `${'so '.repeat(99)}calm`,
    },
    { id: 2, title: 'Guide to Berlin', city: 'Berlin', posted: '2026-04-07', salary: '€57,000', text: 'Long walks.' },
  ];
  const found = async (text: string): Promise<readonly string[]> => {
    const page = await (await jobsApp.request(`/search?q=${text}`)).text();
    return [...page.matchAll(/<a class="beside" href="\/\w+\/\d[^>]*>(.*?)<\/a>/gs)].map(([, hit = '']) =>
      hit
        .replace(/<(?!\/?mark)[^>]*>/g, '')
        .replaceAll('&hellip;', '…')
        .trim(),
    );
  };
  const jobsApp = appOf(await withFolder({ 'jobs.json': JSON.stringify(jobs) }, datasetIn));
  expect(await found('berlin')).toEqual([
    'Guide to <mark>Berlin</mark> €57,000 · 2026-04-07',
    'Designer €72,000 · 2026-06-25 · City: <mark>Berlin</mark>',
  ]);
  expect(await found('calm')).toEqual(['Designer €72,000 · 2026-06-25 · … so so so so so <mark>calm</mark>']);
});

test('where nothing fits, ways on are the searched collections and what can be typed', async () => {
  const page = await (await sample.request('/search?q=zzzzqqq&in=products')).text();
  expect(page).toContain('no record, no field and no value');
  expect(page).toContain('<a href="/products">all 353 products</a>');
  expect(page).not.toContain('336 articles');
  expect(page).toContain('<h2>What can be typed</h2>');
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
});

test('every page leads to the search', async () => {
  const app = appOf(await comparedSample());
  for (const path of ['/', '/products', '/products/changes', '/docs', '/nowhere'])
    expect(await (await app.request(path, { headers: { Accept: 'text/html' } })).text()).toContain('href="/search"');
});
