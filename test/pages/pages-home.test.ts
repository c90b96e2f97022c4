/** The overview of a dump: every bar and figure is a link to a list of as many records as it says. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Served } from '../../src/http/app.js';
import { type App, appOf, cleanDir, comparedSample, datasetIn, datasetOf, haveShared } from '../support/api.js';
import { withFolder } from '../support/program.js';

interface Counted {
  readonly address: string;
  readonly count: number;
}

const plain = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
const numberIn = (text: string): number => Number(text.replaceAll(',', ''));

/** The links of a page that say how many records they lead to, by what they look like. */
function countedLinks(page: string): Readonly<Record<'bars' | 'values' | 'gaps' | 'figures', readonly Counted[]>> {
  const all = (pattern: RegExp): readonly Counted[] =>
    [...page.matchAll(pattern)].map(([, address = '', count = '']) => ({
      address: plain(address),
      count: numberIn(count),
    }));
  return {
    bars: all(
      /<a href="([^"]*)" tabindex="[^"]*"><svg[^>]*>(?:(?!<\/a>).)*<text>[^<]*: ([\d,]+)(?: of [\d,]+)?<\/text><\/a>/g,
    ),
    values: all(
      /<li><a class="split" href="([^"]*)"><svg aria-hidden="true">.*?<span class="count">([\d,]+)<\/span><\/a>/gs,
    ),
    gaps: all(/<a href="([^"]*missing=[^"]*)">([\d,]+) without<\/a>/g),
    figures: all(
      /<a href="([^"]*\/changes\?[^"]*)"><span class="\w+"><span class="sign"[^>]*>[^<]*<\/span><\/span> ([\d,]+) /g,
    ),
  };
}

/** The total of a list; of its records one is shown, since a page is rendered for each of hundreds of addresses. */
async function totalAt(app: App, address: string): Promise<number> {
  const response = await app.request(`${address}${address.includes('?') ? '&' : '?'}limit=1`);
  expect([address, response.status]).toEqual([address, 200]);
  return numberIn(/<span class="total">([\d,]+) /.exec(await response.text())?.[1] ?? '0');
}

async function expectTruth(app: App, paths: readonly string[]): Promise<ReturnType<typeof countedLinks>> {
  // A list's bars have addresses of the list itself: `?price_gte=5`.
  const textAt = async (path: string): Promise<string> =>
    (await (await app.request(path)).text()).replaceAll('href="?', `href="${path.split('?')[0]}?`);
  const pages = await Promise.all(paths.map(textAt));
  const links = countedLinks(pages.join('\n'));
  for (const { address, count } of Object.values(links).flat()) {
    expect(`${address} ${await totalAt(app, address)}`).toBe(`${address} ${count}`);
  }
  return links;
}

describe('every bar’s address lists as many records as the bar says', () => {
  const lists = [
    '/articles?q=map',
    '/articles?tag=maps&minScore=3',
    '/products?category=Art&minPrice=10',
    '/products?missing=price',
    '/products/changes',
    '/products/changes?field=rating',
  ];

  test('of the sample, beside lists and changes', async () => {
    const links = await expectTruth(appOf(await comparedSample()), ['/', ...lists]);
    expect(Object.entries(links).map(([kind, { length }]) => [kind, length > 2])).toEqual([
      ['bars', true],
      ['values', true],
      ['gaps', true],
      ['figures', true],
    ]);
  });

  test.skipIf(!haveShared())('of real dumps', async () => {
    const { bars, values } = await expectTruth(appOf(await datasetIn(cleanDir)), ['/', '/products?missing=author']);
    expect(bars.length).toBeGreaterThan(60);
    expect(values).toContainEqual({ address: '/articles?site=github.com', count: 1010 });
  });

  test('of found fields, and of a collection of its own', async () => {
    const colour = fc.constantFrom('red', 'blue', 'a & b', '<i>');
    const record = fc.record({
      title: fc.constantFrom('t', 'u'),
      price: fc.constantFrom(1, 2.5, 9),
      brand: fc.option(fc.constantFrom('Acme', 'ACME', 'Zed & Co', '')),
      stock: fc.option(fc.nat(12)),
      'shelf life': fc.option(fc.double({ min: -5, max: 1e3, noNaN: true })),
      checked: fc.option(fc.constantFrom('2026-01-05', '2026-01-05T10:00:00Z', '2025-11-30')),
      inStock: fc.option(fc.boolean()),
      colours: fc.option(fc.array(colour, { maxLength: 3 })),
      maker: fc.option(fc.record({ country: fc.constantFrom('AT', 'DE') })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 40 }), fc.boolean(), async (records, isOwn) => {
        const as = isOwn ? 'things' : 'products';
        await withFolder({ 'dump.json': JSON.stringify(records) }, async (dir) => {
          const app = appOf(await datasetIn(dir, { paths: [`${dir}/dump.json`], as }));
          await expectTruth(app, ['/', `/${as}?stock_gte=3`, `/${as}?brand=acme&inStock=true`]);
        });
      }),
      { numRuns: 12 },
    );
  });

  test('of any numbers, dates, names and gaps', async () => {
    const price = fc.option(
      fc.oneof(fc.double({ min: 0, max: 1e4, noNaN: true }), fc.integer({ min: -5, max: 60 }), fc.constant(9.99)),
    );
    const product = fc.record({
      title: fc.constant('t'),
      price,
      rating: fc.option(fc.constantFrom(0, 1, 4.5, 5)),
      author: fc.option(fc.constantFrom('Ann', 'ANN', 'B & C', '<i>', ' ', 'Zoë')),
      category: fc.option(fc.constantFrom('a/b', 'c d', '')),
    });
    const article = fc.record({
      title: fc.constant('t'),
      url: fc.option(fc.constantFrom('https://www.a.example/x', 'http://b.example', 'mailto:x')),
      score: fc.option(fc.oneof(fc.nat(10), fc.nat(1e6))),
      date: fc.option(
        fc
          .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
          .map((date) => `${date.toISOString().slice(0, 19)}Z`),
      ),
      tags: fc.option(fc.uniqueArray(fc.constantFrom('x', 'y', 'é'))),
    });
    const numbered = <T extends object>(records: readonly T[]) => records.map((record, id) => ({ id, ...record }));
    const dump = fc.tuple(fc.array(product, { maxLength: 40 }), fc.array(article, { maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(dump, async ([products, articles]) => {
        const app = appOf(datasetOf({ products: numbered(products), articles: numbered(articles) }));
        await expectTruth(app, ['/', '/products?minPrice=1', '/articles?tag=x']);
      }),
      { numRuns: 20 },
    );
  });
});

describe('the overview of many columns', () => {
  const records = Array.from({ length: 60 }, (_, i) => ({
    name: `Product ${i}`,
    price: i,
    ...Object.fromEntries(Array.from({ length: 20 }, (_, field) => [`choice${field}`, `${field}-${i % (field + 2)}`])),
    ...Object.fromEntries(Array.from({ length: 10 }, (_, field) => [`code${field}`, `C-${field}-${i}`])),
    condition: 'New',
    made: 2001,
    parts: [{ name: 'a' }],
    ...(i % 3 === 0 && { seldom: `s${i % 2}` }),
  }));
  const overview = (): Promise<string> =>
    withFolder({ 'products.json': JSON.stringify(records) }, async (dir) =>
      (await appOf(await datasetIn(dir)).request('/')).text(),
    );

  test('charts the most useful ones, and names the others with a link to their page', async () => {
    const page = await overview();
    const headings = [
      ...page.matchAll(/<section class="block [^"]*"><header class="split"><h3>(?:<a [^>]*><bdi>)?([^<]*)/g),
    ].map(([, title]) => title);
    expect(headings.slice(0, 11)).toEqual([
      'Price',
      // A choice of two is asked for last.
      ...Array.from({ length: 9 }, (_, field) => `Choice${field + 1}`),
      'Products',
    ]);
    const [, quality = ''] = page.split('34 others complete');
    for (const name of ['condition', 'made', 'code3', 'parts', 'choice15'])
      expect(quality).toContain(`href="/products/fields/${name}"`);
  });

  test('shows the fullness of the fields with gaps, the emptiest first, and folds the complete ones; a field that no record has is none', async () => {
    const page = await overview();
    const [, shown = ''] = page.split('<ul class="fullness" role="list">');
    const names = [...shown.matchAll(/<a class="name cut" href="[^"]*"><bdi>([^<]*)/g)].map(([, name]) => name);
    expect(names.slice(0, 1)).toEqual(['Seldom']);
    expect(page).toContain('<summary>34 others complete</summary>');
    expect(names).toHaveLength(1 + 34);
  });
});

describe('the overview', () => {
  const page = async (served: Served): Promise<string> => (await appOf(served).request('/')).text();

  test('of one kind of records has nothing of the other', async () => {
    const text = await page(datasetOf({ products: [{ id: 1, title: 'A', price: 2, author: 'B' }] }));
    expect(text).toContain('<h1>1 product</h1>');
    expect(text).toContain('<p class="soft">To see what changed since an earlier dump,');
    expect(text).not.toContain('>Changes<');
    expect(text).not.toMatch(/id="about-articles"|href="\/articles\?/);
    expect(text).toContain('role="search" action="/search"');
    expect(text).not.toContain('<select name="in"');
  });

  test('of an only collection begins with its main numbers and what is most empty; titles that repeat are no warning', async () => {
    const records = Array.from({ length: 20 }, (_, i) => ({
      title: `Flat ${i % 10}`,
      rent: `€${500 + i}`,
      area: `${20 + i} m²`,
      lift: i < 9 ? 'AB'.charAt(i % 2) : null,
    }));
    const text = await withFolder({ 'flats.json': JSON.stringify(records) }, async (dir) => page(await datasetIn(dir)));
    const tiles = [...text.matchAll(/<section class="tile">(.*?)<\/section>/gs)].map(([, tile = '']) =>
      tile.replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' '),
    );
    expect(tiles).toEqual([
      'Rent €509.5 median €500 &ndash; €519',
      'Area 29.5 m² median 20 m² &ndash; 39 m²',
      'Data quality 86.3% filled Lift: 55% empty',
    ]);
    // What stands first is the rent, with the dearest and the cheapest; of what many lack, those without are a bar.
    const titles = titlesIn(text, /<h3>(.*?)<\/h3>/g);
    expect(titles.slice(0, 4)).toEqual(['Rent', 'Highest rent', 'Lowest rent', 'Area']);
    expect(text).toMatch(/Lowest.*?order=asc">all by .*?€500.*?<a href="\/flats\/1">/s);
    expect(text).toMatch(/<a class="split" href="\/flats\?missing=lift"><svg[^>]*><rect class="track" width="100%"/);
    expect(text).toContain(
      'Note: </span></span><span><a href="/flats?sort=title"><bdi>10 flats repeat the title of another',
    );
  });

  test('of many collections shows the highest of each, also of those with pictures', async () => {
    const products = Array.from({ length: 9 }, (_, i) => ({
      title: `P${i}`,
      image: `https://i.example/${i}.jpg`,
      price: 5,
      rating: i / 2,
    }));
    const dump = { products, a: [{ title: 'x', n: 1 }], b: [{ title: 'y', n: 1 }], c: [{ title: 'z', n: 1 }] };
    const files = Object.fromEntries(
      Object.entries(dump).map(([name, records]) => [`${name}.json`, JSON.stringify(records)]),
    );
    const text = await withFolder(files, async (dir) => page(await datasetIn(dir)));
    const [card = ''] = /aria-labelledby="about-products".*?<\/section>/s.exec(text) ?? [];
    expect(titlesIn(card, /<li><span class="number">.*?<\/span><a [^>]*>(.*?)<\/a>/g)).toEqual(['P8', 'P7', 'P6']);
  });

  test('counts one complete field as one', async () => {
    const products = [
      { id: 1, title: 'A', author: 'Ann', price: 2 },
      { id: 2, title: 'B', author: 'Bob' },
    ];
    expect(await page(datasetOf({ products }))).toContain('<summary>1 other complete</summary>');
  });

  test('of no records says what to do', async () => {
    expect(await page(datasetOf({}))).toContain('No file was loaded.');
  });

  test('counts records that repeat title and author of another, and ratings of 0 among others', async () => {
    const products = [
      { title: 'Same', author: 'A', rating: 5 },
      { title: 'Same', author: 'a', rating: 4 },
      { title: 'Same', author: 'B', rating: 0 },
      { title: 'Same', author: 'A', rating: 3 },
      { title: 'Other', rating: 4 },
      { title: 'Other', rating: 4 },
    ].map((record, id) => ({ id, ...record }));
    const text = await page(datasetOf({ products }));
    expect(text).toContain(
      '<a href="/products?sort=title"><bdi>3 products repeat title and author of another</bdi></a>',
    );
    expect(text).toContain('<a href="/products?minRating=0&amp;maxRating=0">');
    expect(text).toContain('Rating: exactly 0 in 1 product, which most likely nobody rated');
    expect(text).toContain('<a class="warning" href="#worth-a-look">2 warnings</a>');
    const unnamed = products.map(({ author, ...product }) => product);
    expect(await page(datasetOf({ products: unnamed }))).toContain('<bdi>4 products repeat the title of another</bdi>');
  });

  test('has bars of names, and none of sentences', async () => {
    const products = Array.from({ length: 12 }, (_, id) => ({
      ...{ id, title: `T${id}`, category: `Tea ${id % 2}` },
      note: ['It is light and strong.', 'It ships in a day.']
        .map((text) => `${text} Number ${id % 3} of its kind`)
        .join(' '),
    }));
    const text = await page(datasetOf({ products }));
    expect(text).toContain('<span class="name cut"><bdi>Tea 1</bdi></span>');
    expect(text).not.toContain('of its kind');
  });

  test('leads from each number to its highest records', async () => {
    const articles = Array.from({ length: 9 }, (_, id) => ({ id, title: `t${id}`, score: id, date: `200${id}-01-01` }));
    const text = await page(datasetOf({ articles }));
    const [list = ''] = /<h3>Highest <bdi>score.*?<\/ol>/s.exec(text) ?? [];
    expect([...list.matchAll(/href="\/articles\/(\d)"/g)].map(([, id]) => id)).toEqual(['8', '7', '6', '5', '4']);
    expect(list).toContain('<a href="/articles?sort=score&amp;order=desc">all by <bdi>score</bdi></a>');
    const equal = await page(datasetOf({ articles: articles.map((article) => ({ ...article, score: 0 })) }));
    expect(equal).not.toContain('>Highest ');
  });
});

/** Titles as a page has them, in their order. */
const titlesIn = (page: string, pattern: RegExp): readonly string[] =>
  [...page.matchAll(pattern)].map(([, title = '']) => title.replace(/<[^>]*>/g, ''));

test('what the history adds to records is no column of the dump: it is neither full nor half empty', async () => {
  const text = await (await appOf(await comparedSample()).request('/')).text();
  const [quality = ''] = /id="quality".*/s.exec(text) ?? [];
  expect(quality).not.toMatch(/Last changed|First seen/);
  expect(text).toContain('<a href="#quality"><bdi>Tags</bdi> of articles: 4.8% empty</a>');
});

describe('a dump of many collections', () => {
  test('has a card for each, and tells the gaps of those that have some', async () => {
    const files = Object.fromEntries(
      ['cats', 'dogs', 'fish', 'owls', 'rats'].map((name, i) => [
        `${name}.json`,
        JSON.stringify(
          Array.from({ length: 40 }, (_, j) => ({
            name: `${name} ${j}`,
            kg: j + 0.5,
            colour: 'red blue'.split(' ')[j % 2],
            ...(i > 0 || j > 9 ? { age: j } : {}),
          })),
        ),
      ]),
    );
    await withFolder(files, async (dir) => {
      const text = await (await appOf(await datasetIn(dir)).request('/')).text();
      expect(text.match(/<section class="block third stack" aria-labelledby="about-/g)).toHaveLength(5);
      expect(text.match(/<svg class="chart"/g)).toHaveLength(5);
      const [quality = ''] = /id="quality".*?id="worth-a-look"/s.exec(text) ?? [];
      expect(quality).toContain('<h3>Cats</h3>');
      expect(quality).not.toContain('Dogs');
    });
  });
});

describe('the home page of the sample', async () => {
  const app = appOf(await comparedSample());
  const textOf = async (path: string): Promise<string> => await (await app.request(path)).text();
  const home = await textOf('/');

  test('a ranking leads to a list that begins with the records that it names', async () => {
    const rankings = [
      ...home.matchAll(
        /<h3>(?:(?!<\/h3>).)*<\/h3><span class="count small"><a href="([^"]*)">all (?:(?!<\/a>).)*<\/a><\/span><\/header><(ol class="top-list|ul role="list" tabindex)(.*?)<\/[ou]l>/gs,
      ),
    ];
    expect(rankings.length).toBeGreaterThan(2);
    for (const [, path = '', kind = '', items = ''] of rankings) {
      const ids = [...items.matchAll(/<a href="\/\w+\/(\d+)"/g)].map(([, id]) => Number(id));
      const list = await textOf(`${plain(path)}&limit=${ids.length}`);
      const listed = [
        ...list.matchAll(
          /<a[^>]* href="\/\w+\/(\d+)[^"]*"[^>]*class="[^"]*hit-link|class="hit-link"[^>]* href="\/\w+\/(\d+)/g,
        ),
      ];
      expect([kind, path, [...new Set(listed.map(([, a, b]) => Number(a ?? b)))]]).toEqual([kind, path, ids]);
    }
  });

  test('medians stand in tiles and charts, of numbers only; no filter of a list has any', async () => {
    const charts = home.split('<svg class="chart" id="').slice(1);
    const withMedian = charts
      .filter((chart) => chart.slice(0, chart.indexOf('</section>')).includes('class="median"'))
      .map((chart) => /^\w+-(\w+)"/.exec(chart)?.[1]);
    expect(withMedian).toEqual(expect.arrayContaining(['price', 'score']));
    expect(withMedian).not.toContain('date');
    expect(titlesIn(home, /<section class="tile">(.*?)<\/section>/gs).join()).toMatch(/median [a-z ]*[\d.,]+/);
    for (const list of ['/articles', '/products', '/articles?q=map']) {
      const page = await textOf(list);
      expect(page).toContain('<svg class="chart"');
      expect(page).not.toContain('class="median"');
    }
  });
});
