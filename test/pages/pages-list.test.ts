/** A list as a page: the records of the API, its filters, its histograms, what leads on from no hits, and what completes a box. */
import { describe, expect, test } from 'vitest';
import { fileSizeText } from '../../src/http/markup/format.js';
import { pagesAround } from '../../src/http/pages/list/pager.js';
import { collections } from '../../src/model.js';
import { appOf, datasetIn, datasetOf, getJson, sampleDir } from '../support/api.js';
import { withFolder } from '../support/program.js';

const served = await datasetIn(sampleDir);
const app = appOf(served);
const textOf = async (path: string, from = app): Promise<string> => (await from.request(path)).text();

describe('every view shows what the API answers', () => {
  test.each([
    ['articles', ''],
    ['articles', 'tag=maps&sort=score&order=desc'],
    ['articles', 'tag=maps&tag=history&tagMatch=all'],
    ['articles', 'sort=comments&order=desc&limit=10'],
    ['products', 'minPrice=10&maxPrice=20&page=2&limit=7'],
    ['products', 'q=salt&sort=price'],
  ])('%s %s', async (name, query) => {
    const path = query.includes('q=') ? `${name}/search` : name;
    const { data, pagination } = await getJson<{ data: { id: number }[]; pagination: { total: number } }>(
      app,
      `/api/${path}?${query}`,
    );
    const page = await textOf(`/${name}?${query}`);
    expect([...page.matchAll(/id="hit-(\d+)"/g)].map(([, id]) => Number(id))).toEqual(data.map(({ id }) => id));
    expect(page).toContain(`<span class="total">${pagination.total} `);
  });

  test('a chosen value is shown, however few records have it', async () => {
    const page = await textOf('/products?maxPrice=20&category=art');
    const [shown = '', more = ''] = (
      /<fieldset class="values" id="by-category">.*?<\/fieldset>/s.exec(page)?.[0] ?? ''
    ).split('<a class="unfold"');
    expect(shown).toContain('value="Art" checked');
    expect(shown.match(/<li /g)).toHaveLength(9);
    expect(more).not.toContain('checked');
  });

  test('further values and fields are sent once they are wanted, and the form keeps them', async () => {
    const group = /<fieldset class="values" id="by-tag">.*?<\/fieldset>/s;
    const [folded = ''] = group.exec(await textOf('/articles?tag=maps')) ?? [];
    const [, href = '', more] =
      /href="([^"]*)" aria-expanded="false"><span aria-hidden="true">&#9656; <\/span>(\d+) more</.exec(folded) ?? [];
    expect(href).toBe('/articles?tag=maps&amp;unfold=tag');
    const page = await textOf(href.replace('&amp;', '&'));
    const [unfolded = ''] = group.exec(page) ?? [];
    expect(unfolded.match(/<li /g)).toHaveLength((folded.match(/<li /g)?.length ?? 0) + Number(more));
    expect(unfolded).toContain('id="more-tag" href="/articles?tag=maps" aria-expanded="true"');
    expect(page).toContain('<input type="hidden" name="unfold" value="tag">');
    expect(page).not.toMatch(/\/api\/[^"]*unfold/);
    expect((await app.request('/articles?unfold=nothing')).status).toBe(422);
  });

  test('a chosen value has its count, though forty others are more frequent', async () => {
    const products = Array.from({ length: 200 }, (_, i) => ({ id: i, title: 't', author: `A ${i % 60}`, price: i }));
    const shop = appOf(datasetOf({ products: [...products, { id: 999, title: 't', author: 'Z', price: 5 }] }));
    const group = /<fieldset class="values" id="by-author">.*?<\/fieldset>/s;
    const [authors = ''] = group.exec(await textOf('/products?author=z&author=nobody&minPrice=3', shop)) ?? [];
    expect(authors).toMatch(/value="Z" checked><label[^>]*>.*?Z.*? <span class="count">1<\/span>/);
    expect(authors).toMatch(/value="nobody" checked><label[^>]*>.*?nobody.*? <span class="count">0<\/span>/);
  });

  test('whether all of several tags are wanted is asked once there are several, and a condition that can be taken away', async () => {
    const two = await textOf('/articles?tag=maps&tag=history');
    expect(two).toContain('name="tagMatch" value="all">');
    const all = await textOf('/articles?tag=maps&tag=history&tagMatch=all');
    expect(all).toContain('name="tagMatch" value="all" checked');
    expect(all).toContain('<a class="pill" href="/articles?tag=maps&amp;tag=history">Tags: match');
    expect(await textOf('/articles?tag=maps')).not.toContain('name="tagMatch"');
  });

  test('every filter of the model has its fields', async () => {
    for (const { name, fields } of collections) {
      const page = await textOf(`/${name}`);
      for (const field of fields) {
        if (!('filter' in field)) continue;
        const names = field.filter.kind === 'range' ? [field.filter.min, field.filter.max] : [field.filter.parameter];
        for (const parameter of names) expect(page).toContain(`name="${parameter}"`);
      }
    }
  });

  test('a record’s neighbours are those of its view', async () => {
    const query = 'sort=price&order=desc&limit=3';
    const { data } = await getJson<{ data: { id: number }[] }>(app, `/api/products?sort=price&order=desc&limit=9`);
    for (const [i, page] of [
      [2, 1],
      [3, 2],
      [4, 2],
    ] as const) {
      const text = await textOf(`/products/${data[i]?.id}?${query}&page=${page}`);
      expect(text).toContain(`${i + 1} of 353`);
      expect(/rel="prev" href="\/products\/(\d+)\?/.exec(text)?.[1]).toBe(String(data[i - 1]?.id));
      expect(/rel="next" href="\/products\/(\d+)\?/.exec(text)?.[1]).toBe(String(data[i + 1]?.id));
    }
  });
});

test('numbers of a column have as many digits after the point where most have some, and else those that they have', async () => {
  const flats = [
    { title: 'Two rooms', area: 61, rooms: 2 },
    { title: 'A room and a half', area: 40.5, rooms: 1.5 },
    { title: 'Three rooms', area: 80.25, rooms: 3 },
  ];
  await withFolder({ 'flats.json': JSON.stringify(flats) }, async (dir) => {
    const page = await textOf('/flats', appOf(await datasetIn(dir)));
    const cells = (label: string) =>
      [...page.matchAll(new RegExp(`data-label="${label}"[^>]*>([^<]*)`, 'g'))].map(([, text]) => text);
    expect(cells('Area')).toEqual(['61.00', '40.50', '80.25']);
    expect(cells('Rooms')).toEqual(['2', '1.5', '3']);
  });
});

test('tags below a title are as many as stand in a line, and say how many more there are', async () => {
  const tags = [
    ['a', 'b', 'c', 'd'],
    ['statistics', 'visualisation', 'maps'],
    ['a word that is longer than a line', 'b'],
  ];
  const articles = tags.map((some, i) => ({ title: `Title ${i}`, tags: some }));
  await withFolder({ 'articles.json': JSON.stringify(articles) }, async (dir) => {
    const page = await textOf('/articles', appOf(await datasetIn(dir)));
    const shown = [...page.matchAll(/<ul class="tags row".*?<\/ul>/gs)].map(([list]) =>
      list.match(/[^<>]+(?=<\/(?:bdi|li)>)/g),
    );
    expect(shown).toEqual([
      ['a', 'b', 'c', 'd'],
      ['statistics', 'visualisation', '+1'],
      ['a word that is longer than a line', '+1'],
    ]);
  });
});

test('few hits need no choice of the page’s size', async () => {
  const few = await textOf('/products?q=salt&category=history&page=1');
  expect(few).toMatch(/<label class="soft"[^>]* hidden>Show <select form="view" name="limit"/);
  const many = await textOf('/products?category=history');
  expect(many).toMatch(/<label class="soft"[^>]*(?<! hidden)>Show <select/);
});

describe('the profile in a header', () => {
  const headersOf = (page: string): ReadonlyMap<string, string> =>
    new Map(
      [...page.matchAll(/<th [^>]*aria-label(?:ledby)?="(?:sort-)?([^"]*)".*?<\/th>/gs)].map(([th, name = '']) => [
        name,
        th,
      ]),
    );
  const linksOf = (header: string): readonly string[] =>
    [...header.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

  test.each(['articles', 'products'])('of %s counts what the records have', async (name) => {
    const { data } = await getJson<{ data: Record<string, unknown>[] }>(app, `/api/${name}?limit=1000`);
    const headers = headersOf(await textOf(`/${name}?limit=1`));
    expect(headers.size).toBeGreaterThan(4);
    for (const [field, header] of headers) {
      const values = data.map((record) => record[field] ?? null);
      const present = values.filter((value) => value !== null);
      const distinct = new Set(present.map((value) => String(value).toLowerCase())).size;
      const isUnique = distinct === present.length;
      expect(header, field).toContain(isUnique ? 'all different' : `>${distinct} distinct`);
      const missing = values.length - present.length;
      expect(/title="All about [^"]*: (\d+) without one"/.exec(header)?.[1] ?? '0', field).toBe(String(missing));
      const bars = [...header.matchAll(/<title>[^<]*: (\d+)<\/title>/g)].map(([, count]) => Number(count));
      if (bars.length > 0)
        expect(
          bars.reduce((sum, count) => sum + count),
          field,
        ).toBe(present.length);
    }
  });

  test.each(['q=the', 'category=art&minPrice=10'])('of a view narrowed by %s counts what it finds', async (query) => {
    const found = `/api/products${query.startsWith('q') ? '/search' : ''}?${query}`;
    const { data } = await getJson<{ data: Record<string, unknown>[] }>(app, `${found}&limit=1000`);
    const headers = headersOf(await textOf(`/products?${query}&limit=1`));
    expect(headers.size).toBeGreaterThan(4);
    for (const header of headers.values()) expect(header).not.toMatch(/distinct|all different|% empty/);
    const ratings = [...(headers.get('rating') ?? '').matchAll(/<title>[^<]*: (\d+)(?: of \d+)?<\/title>/g)];
    expect(ratings.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(
      data.filter(({ rating }) => rating !== null).length,
    );
    expect(headers.get('rating')).toContain('<path class="track"');
    const authors = [...(headers.get('author') ?? '').matchAll(/<bdi>([^<]*)<\/bdi><\/span> <span>(\d+)</g)];
    expect(authors).toHaveLength(2);
    for (const [, author, count] of authors)
      expect(data.filter((record) => record.author === author)).toHaveLength(Number(count));
  });

  test('leads to the records that it counts, under the conditions of the view', async () => {
    const headers = headersOf(await textOf('/products?category=children&page=1&limit=1'));
    const totalOf = async (target: string): Promise<number> =>
      (await getJson<{ pagination: { total: number } }>(app, `/api/products${target}`)).pagination.total;
    for (const [field, header] of headers) {
      const links = linksOf(header).filter((href) => !href.includes('sort='));
      for (const href of links) expect(href, field).toContain(field === 'category' ? '/products' : 'category=children');
      for (const href of links) expect(href).not.toContain('page=');
    }
    const all = headersOf(await textOf('/products?limit=1'));
    let bars = 0;
    for (const header of all.values()) {
      for (const [, href = '', count] of header.matchAll(/<a href="([^"]*)" tabindex="-1"><title>[^<]*: ([\d,]+)</g))
        expect(await totalOf(href.replaceAll('&amp;', '&')), `${href} ${++bars}`).toBe(Number(count));
    }
    expect(bars).toBeGreaterThan(20);
    expect(linksOf(headers.get('category') ?? '')).toContain('/products?limit=1');
    expect(headers.get('category')).toContain('aria-current="true" title="category Children: 26"');
    const narrowed = await textOf('/products?category=children&unfold=author&sort=price');
    expect(narrowed).toContain('<legend><a href="/products/fields/price?category=children">');
  });

  test('is scaled to what was found where that is less than a tenth, and says so', async () => {
    const [few, many, none] = await Promise.all(
      ['category=children', 'minRating=4', 'q=zzzzqqq&maxPrice=20'].map((query) => textOf(`/products?${query}`)),
    );
    expect(few).toContain('scaled to those found');
    expect(few).not.toMatch(/<rect class="all/);
    expect(many).not.toContain('scaled to those found');
    expect(many).toMatch(/<rect class="all/);
    // Where nothing was found stand only the bounds that can be changed.
    expect(none).toMatch(/name="maxPrice" value="20"/);
    expect(none).not.toMatch(/class="chart"|class="key|name="minRating"/);
  });

  test.each([
    [[3.99, 15.5, 185], '3.99–185'],
    [[286.97, 900, 9609.54], '287–9,610'],
    [[28, 60.5, 167.4], '28–167'],
    [[100.25, 101, 102.5], '100.25–102.50'],
    [[-286.97, 0, 99.5], '-287–99.50'],
  ])('of %j ends at %s: no end is further from its value than half of its last digit', async (prices, ends) => {
    const products = Array.from({ length: 60 }, (_, i) => ({ id: i, title: `Lamp ${i}`, price: prices[i % 3] }));
    const page = await textOf('/products', appOf(datasetOf({ products })));
    const [, low, high] = /class="split ends"><span>([^<]*)<\/span><span>([^<]*)</.exec(page) ?? [];
    expect(`${low}–${high}`).toBe(ends);
  });

  test.each([
    ['/products', ['Author', 'Category']],
    ['/articles', ['Author', 'Date']],
  ])('a card of %s names all values but those of %j, which say what they are', async (path, own) => {
    const page = await textOf(path);
    const cells = [...page.matchAll(/<td role="cell" class="([^"]*)" data-label="([^"]*)"/g)];
    const unnamed = cells.filter(([, names = '']) => names.includes('unnamed')).map(([, , label]) => label);
    expect([...new Set(unnamed)].sort()).toEqual(own);
    expect(cells.length).toBeGreaterThan(unnamed.length);
  });

  test('has no histogram of one value, and no values that are all different', async () => {
    const products = Array.from({ length: 40 }, (_, id) => ({ id, title: `Flat ${id}`, author: `A ${id}`, price: 5 }));
    const headers = headersOf(await textOf('/products', appOf(datasetOf({ products }))));
    expect(headers.get('price')?.replace(/<[^>]*>/g, '')).toBe('Price1 distinct ');
    expect(headers.get('author')?.replace(/<[^>]*>/g, '')).toBe('Authorall different ');
  });
});

describe('the export of a view', () => {
  test.each([
    '/products?category=Art&sort=price',
    '/articles?q=the&tag=maps&limit=5&unfold=tag',
    "/articles?author=O'Brien",
  ])('has lines of code that read the rows that it counts: %s', async (path) => {
    const page = await textOf(path);
    const rows = Number(/<span>(\d+) rows? as<\/span>/.exec(page)?.[1]);
    for (const id of ['as-javascript', 'as-python', 'as-pandas', 'as-duckdb']) {
      const [, code = ''] = new RegExp(`<code id="${id}"[^>]*>([^<]*)</code>`).exec(page) ?? [];
      const [, target = '', ...others] = code.replaceAll('&#39;', "'").replaceAll('&amp;', '&').split("'");
      expect(others).toHaveLength(1);
      const response = await app.request(target);
      expect(response.status, target).toBe(200);
      const text = await response.text();
      expect(target.includes('csv') ? text.trim().split('\r\n').length - 1 : JSON.parse(text).length).toBe(rows);
    }
  });
});

describe('the size on an export button', () => {
  const sizesIn = (page: string): readonly string[] =>
    [...page.matchAll(/download="[^"]*">(\w+)(?: <span class="count small">([^<]*)<\/span>)?</g)].map(
      ([, format, size]) => `${format} ${size ?? 'of unknown size'}`,
    );

  test.each(['', '?q=the&tag=maps', '?fields=*', '?q=nothingatall', '?page=2&limit=5&sort=score'])(
    'is that of the file: /articles%s',
    async (query) => {
      const page = await textOf(`/articles${query}`);
      for (const format of ['json', 'ndjson']) {
        const [, target = ''] = new RegExp(`href="([^"]*)" download="articles.${format}"`).exec(page) ?? [];
        const file = await app.request(target.replaceAll('&amp;', '&'));
        const bytes = (await file.arrayBuffer()).byteLength;
        expect(sizesIn(page)).toContain(`${format.toUpperCase()} ${fileSizeText(bytes)}`);
      }
      expect(sizesIn(page)).toContain('CSV of unknown size');
    },
  );

  test('of all fields is larger where each record is served with all of them', async () => {
    const all = appOf(served, { hasAllFields: true });
    const page = await textOf('/products', all);
    const bytes = (await (await all.request('/api/export/products')).arrayBuffer()).byteLength;
    expect(sizesIn(page)).toContain(`JSON ${fileSizeText(bytes)}`);
  });

  test('of some fields is not told', async () =>
    expect(sizesIn(await textOf('/products?fields=title,price'))).toEqual([
      'CSV of unknown size',
      'JSON of unknown size',
      'NDJSON of unknown size',
    ]));
});

describe('columns', () => {
  const columnsIn = (page: string): readonly string[] =>
    [...page.matchAll(/<th [^>]*data-field="([^"]*)"/g)].map(([, name = '']) => name);

  test('stand in the order of the address, and so do their boxes', async () => {
    const page = await textOf('/products?fields=id,title,rating,author');
    expect(columnsIn(page)).toEqual(['title', 'rating', 'author']);
    const boxes = [...page.matchAll(/id="column-([^"]*)" name="fields"[^>]*( checked)?>/g)].map(([, name]) => name);
    expect(boxes.slice(0, 3)).toEqual(['rating', 'author', 'price']);
  });
});

describe('a histogram', () => {
  const spread = appOf(
    datasetOf({
      products: Array.from({ length: 400 }, (_, id) => ({
        id,
        title: `${id}`,
        price: id % 100,
        rating: Math.floor(1.03 ** id),
        category: id < 40 ? 'few' : 'many',
      })),
    }),
  );
  const groupOf = (page: string, field: string): string =>
    new RegExp(`<fieldset class="range" id="by-${field}".*?</fieldset>`, 's').exec(page)?.[0] ?? '';

  const textsIn = (markup: string): readonly (string | undefined)[] =>
    [...markup.matchAll(/<text x="[^"]*" y="[\d.]+" text-anchor="\w+">([^<]*)</g)].map(([, text]) => text);

  test('whose bins grow has a mark at each power of ten, any other at round values', async () => {
    const page = await textOf('/products', spread);
    expect(textsIn(groupOf(page, 'rating'))).toEqual(['1', '10', '100', '1K', '10K', '100K']);
    expect(textsIn(groupOf(page, 'price'))).toEqual(['0', '20', '40', '60', '80']);
  });

  test('tells found records from all where a filter leaves a part', async () => {
    expect(await textOf('/products', spread)).not.toContain('class="key ');
    const few = groupOf(await textOf('/products?category=few', spread), 'price');
    expect(few.replace(/<svg.*?<\/svg>/g, '')).toContain(
      '<legend><a href="/products/fields/price?category=few">Price</a> <span class="key count small">found &ensp;all</span></legend>',
    );
  });

  test('of dates names the unit of time of its bars, and marks the last one that the dump has only the beginning of', async () => {
    const articles = Array.from({ length: 300 }, (_, id) => ({
      id,
      title: `${id}`,
      date: new Date(Date.UTC(2024, 0, 1 + 3 * id)).toISOString(),
    }));
    const dates = groupOf(await textOf('/articles', appOf(datasetOf({ articles }))), 'date');
    expect(dates).toContain(
      '<legend><a href="/articles/fields/date">Date</a> <span class="count small">by month</span></legend>',
    );
    const labels = [...dates.matchAll(/<text>([^<]*)<\/text><\/a>/g)].map(([, label]) => label);
    expect(labels.at(-2)).toBe('2026-05-01 to 2026-05-31: 10');
    expect(labels.at(-1)).toBe('2026-06-01 to 2026-06-16, incomplete: 6');
    expect(dates.match(/class="some open"/g)).toHaveLength(1);
  });

  test('of many numbers and a few far larger ones has an open bar, whose bound stands below it', async () => {
    const products = Array.from({ length: 400 }, (_, id) => ({ id, title: `${id}`, price: id < 396 ? id % 80 : 9000 }));
    const price = groupOf(await textOf('/products', appOf(datasetOf({ products }))), 'price');
    expect(textsIn(price)).toEqual(['0', '20', '40', '60', '80+']);
  });

  test('is scaled by what lies inside of the chosen range', async () => {
    const heights = async (query: string): Promise<readonly number[]> =>
      [...groupOf(await textOf(`/products?${query}`, spread), 'rating').matchAll(/"some(?: off)?" y="(\d+)"/g)].map(
        ([, top]) => 52 - Number(top),
      );
    const all = await heights('');
    const high = await heights('minRating=1000');
    expect(all.at(-1)).toBeLessThan(52);
    expect(Math.max(...high.slice(-8))).toBe(52);
    expect(high).toHaveLength(all.length);
  });
});

describe('a list without hits', () => {
  const shop = appOf(
    datasetOf({
      products: [
        { id: 1, title: 'Salt road', price: 5, category: 'Travel' },
        { id: 2, title: 'Salt and stone', price: 9, category: 'Art' },
        { id: 3, title: 'Stonework', price: 9, category: 'Art' },
        { id: 4, title: 'Photography at sea', price: 30, category: 'Art' },
        { id: 5, title: 'Photographs', price: 40, category: 'Art' },
      ],
    }),
  );
  const emptyPart = async (query: string): Promise<string> =>
    /<div class="empty block stack">.*?<\/div>/s.exec(await textOf(`/products?${query}`, shop))?.[0] ?? '';

  test.each([
    ['q=xylophone', []],
    ['q=salt&minPrice=6&maxPrice=8&category=art', ['q=salt&category=art']],
    ['q=salt&category=Travel&minPrice=6', ['q=salt&category=Travel', 'q=salt&minPrice=6']],
    ['q=road&category=Art', ['q=road', 'category=Art']],
    ['minPrice=100&category=Art', ['category=Art']],
    ['missing=category&minPrice=1', ['minPrice=1']],
    ['minPrice=9&maxPrice=5', []],
  ])('%s leads on', async (query, ways) => {
    const targets = [...(await emptyPart(query)).matchAll(/ href="\/products\?([^"]*)"/g)];
    expect(targets.map(([, target = '']) => target.replaceAll('&amp;', '&'))).toEqual(ways);
  });

  test('says what was asked for, what each way leaves out, and how much it leads to', async () => {
    const text = (await emptyPart('q=salt&category=Travel&minPrice=6')).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
    expect(text).toBe(
      'No products match salt with price at least 6, category Travel. ' +
        'Remove price at least 6 (1 product)Remove category Travel (1 product)All 5 products',
    );
  });

  test('tells the highest or lowest value where a range lies outside of all', async () => {
    expect(await emptyPart('minPrice=100')).toContain('</strong> The highest price is 40.</p>');
    expect(await emptyPart('maxPrice=1')).toContain('</strong> The lowest price is 5.</p>');
    expect(await emptyPart('minPrice=6&maxPrice=8')).not.toMatch(/highest|lowest/);
  });

  test('bounds by any of their names stand in the form, and bars replace all of them', async () => {
    const response = await shop.request('/products?price_gte=6&price_lte=8');
    expect(response.headers.get('location')).toBe('/products?minPrice=6&maxPrice=8');
    const both = '/products?price_gte=6&minPrice=7';
    expect((await shop.request(both)).status).toBe(200);
    for (const bounds of ['minPrice=6', 'price_gt=6&price_lt=8', both.split('?')[1]]) {
      const page = await textOf(`/products?page=1&${bounds}`, shop);
      const bars = [...page.matchAll(/href="([^"]*maxPrice=[^"]*)"[^>]*tabindex="-1"/g)].map(([, href = '']) => href);
      expect(bars.length).toBeGreaterThan(0);
      expect(bars.filter((href) => /price_|page=/.test(href))).toEqual([]);
    }
  });

  test('a range with its bounds the wrong way round is a page that offers to swap them', async () => {
    const response = await shop.request('/products?minPrice=9&maxPrice=5');
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain('name="minPrice" value="9"');
    expect(page).toContain('name="maxPrice" value="5"');
    expect(page).toContain('<a href="/products?minPrice=5&amp;maxPrice=9">Swap them</a>');
    expect((await shop.request('/api/products?minPrice=9&maxPrice=5')).status).toBe(422);
  });

  test('a collection without records offers nothing to search, filter or export', async () => {
    const page = await textOf('/articles', shop);
    expect(page).toContain('No articles are loaded.');
    expect(page).not.toMatch(/type="search"|class="filters |popovertarget/);
  });
});

test('a limit that only the API takes shows as many records as a page may', async () => {
  const page = await textOf('/articles?limit=500');
  expect(page.match(/class="hit-link"/g)).toHaveLength(200);
  expect(page).toContain('A page shows 200 at most; the API sends 500.');
  expect(await textOf('/articles?limit=200')).not.toContain('at most');
});

describe('what completes a box for values', () => {
  const offered = (path: string): Promise<{ data: readonly { name: string; count: number }[] }> => getJson(app, path);

  test.each([
    ['tag', '', 'tags?'],
    ['tag', 'minScore=20&q=map', 'tags?minScore=20&q=map&'],
    ['tag', 'minScore=20&sort=date&limit=5&fields=id', 'tags?minScore=20&'],
    ['author', 'author=quietmath', 'authors?'],
    ['tag', 'tag=maps&tagMatch=all', 'tags?tag=maps&'],
  ])('%s of %j are those that the other conditions leave, without those chosen', async (parameter, view, facets) => {
    const [path, conditions] = facets.split('?');
    const { data } = await offered(`/api/articles/${path}?${conditions}startsWith=${parameter === 'tag' ? 'ma' : 'q'}`);
    const expected = data.filter(({ name }) => !view.includes(`=${name}`)).slice(0, 10);
    const startsWith = parameter === 'tag' ? 'MA' : 'Q';
    const { data: offers } = await offered(`/articles/complete/${parameter}?startsWith=${startsWith}&${view}`);
    expect(offers.slice(0, expected.length)).toEqual(expected);
    // Behind them stand those of which a later word begins so.
    for (const { name } of offers.slice(expected.length)) {
      expect(name.toLowerCase()).toMatch(new RegExp(`[^a-z0-9]${startsWith.toLowerCase()}`));
    }
  });

  test('are ten at most, of all that begins so, and do not count against the rate limit', async () => {
    const limited = appOf(served, { rateLimit: 1 });
    for (let i = 0; i < 3; i++) {
      const { data } = await getJson<{ data: readonly unknown[] }>(limited, '/articles/complete/author?startsWith=');
      expect(data).toHaveLength(10);
    }
  });

  test('are found by any word of a name: king is Stephen King', async () => {
    const authors = [
      'Kingsley Amis',
      'Stephen King',
      'King, Stephen',
      'Parking',
      'Åke Köning',
      'Stephen KING',
      "O'King",
    ];
    const shop = appOf(datasetOf({ products: authors.map((author, id) => ({ id, title: 't', author })) }));
    const names = async (text: string): Promise<readonly string[]> => {
      const { data } = await getJson<{ data: { name: string }[] }>(
        shop,
        `/products/complete/author?startsWith=${text}`,
      );
      return data.map(({ name }) => name);
    };
    expect(await names('king')).toEqual(['King, Stephen', 'Kingsley Amis', 'Stephen King', "O'King"]);
    expect(await names('koning')).toEqual(['Åke Köning']);
  });

  test('of a faulty view are none', async () => {
    expect((await app.request('/articles/complete/tag?startsWith=a&minScore=x')).status).toBe(422);
  });
});

test('values of a field that no match has are not asked for', async () => {
  const page = await textOf('/articles?q=nothingmatchesthsi');
  expect(page).not.toMatch(/id="by-tag"|id="by-author"/);
  expect(await textOf('/articles?q=nothingmatchesthsi&tag=maps')).toContain('name="tag" value="maps" checked');
});

test.each([
  [1, 1, [1]],
  [1, 9, [1, 2, 3, null, 9]],
  [5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [50, 99, [1, null, 48, 49, 50, 51, 52, null, 99]],
  [Number.MAX_SAFE_INTEGER, 2, [1, 2]],
  [Number.MAX_SAFE_INTEGER, 9, [1, null, 9]],
])('the pager of page %i of %i', (page, last, expected) => expect(pagesAround(page, last)).toEqual(expected));
