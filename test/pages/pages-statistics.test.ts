/** The pages of fields and of groups: what they count is what the lists and the API have. */
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { capitalised } from '../../src/http/markup/format.js';
import { type App, appOf, datasetIn, datasetOf, getJson, sampleDir } from '../support/api.js';
import { withFolder } from '../support/program.js';

const sample = appOf(await datasetIn(sampleDir));

const plain = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
const numberIn = (text: string): number => Number(text.replace(/[^\d.-]/g, ''));
const pageAt = async (app: App, path: string): Promise<string> => {
  const response = await app.request(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const totalAt = async (app: App, address: string): Promise<number> =>
  numberIn(/<span class="total">([\d,]+) /.exec(await pageAt(app, address))?.[1] ?? '');

interface ApiPage {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** The list address of each bar with its count. */
const barsIn = (page: string): readonly (readonly [address: string, text: string])[] =>
  [...page.matchAll(/<a class="split" href="([^"]*)">.*?<span class="count">(.*?)<\/span><\/a>/gs)].map(
    ([, address = '', text = '']) => [plain(address), text.replace(/<[^>]*>/g, '')],
  );
const factsIn = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...page.matchAll(/<div><dt>(.*?)<\/dt><dd>(.*?)<\/dd><\/div>/gs)].map(([, name = '', value = '']) => [
      name,
      plain(value.replace(/<[^>]*>/g, ''))
        .replace('–', '-')
        .replace('&ndash;', '-'),
    ]),
  );

describe('the page of a field', () => {
  test.each([
    '/products/fields/price',
    '/products/fields/category',
    '/products/fields/rating?category=Fiction',
    '/articles/fields/tags?q=map',
    '/articles/fields/tags?tag=maps',
    '/articles/fields/author',
    '/articles/fields/date',
    '/articles/fields/score?minScore=3&view=linear',
  ])('every bar and link of %s leads to as many records as it says', async (path) => {
    const page = await pageAt(sample, path);
    const bars = barsIn(page);
    for (const [address, text] of bars)
      expect(`${address} ${await totalAt(sample, address)}`).toBe(`${address} ${numberIn(text)}`);
    for (const [, address = '', without = ''] of page.matchAll(/<a href="([^"]*missing=[^"]*)">([\d,]+) without</g))
      expect(await totalAt(sample, plain(address))).toBe(numberIn(without));
    for (const [, address = '', outliers = ''] of page.matchAll(/<a href="([^"]*)">([\d,]+) (?:up to|from) /g))
      expect(await totalAt(sample, plain(address))).toBe(numberIn(outliers));
  });

  test('quantiles are those of the sorted values', async () => {
    const { data } = await getJson<ApiPage>(sample, '/api/products?category=Fiction&limit=100');
    const prices = data.flatMap(({ price }) => (typeof price === 'number' ? [price] : [])).sort((a, b) => a - b);
    const facts = factsIn(await pageAt(sample, '/products/fields/price?category=Fiction'));
    const at = (share: number): number => {
      const position = share * (prices.length - 1);
      return ((prices[Math.floor(position)] ?? 0) + (prices[Math.ceil(position)] ?? 0)) / 2;
    };
    for (const [name, share] of [
      ['Lowest', 0],
      ['5%', 0.05],
      ['25%', 0.25],
      ['Median', 0.5],
      ['75%', 0.75],
      ['Highest', 1],
    ] as const)
      expect([name, numberIn(facts[name] ?? '')]).toEqual([name, expect.closeTo(at(share), 2)]);
    const mean = prices.reduce((sum, price) => sum + price, 0) / prices.length;
    expect(numberIn(facts.Mean ?? '')).toBeCloseTo(mean, 1);
    expect(numberIn(facts.Distinct ?? '')).toBe(new Set(prices).size);
  });

  test('a mean, and a middle of two amounts, have the digits of the amounts', async () => {
    const app = appOf(datasetOf({ products: [1, 2.25, 2.5, 9].map((price, id) => ({ id, title: 'A', price })) }));
    expect(factsIn(await pageAt(app, '/products/fields/price'))).toMatchObject({ Median: '2.38', Mean: '3.69' });
    const ratings = [4.01, 4.02, 4.02].map((rating, id) => ({ id, title: 'A', rating }));
    const facts = factsIn(await pageAt(appOf(datasetOf({ products: ratings })), '/products/fields/rating'));
    expect(facts).toMatchObject({ Median: '4.02', Mean: '4.02' });
  });

  test('of texts has their lengths, the shortest and longest ones, and those that repeat, case aside', async () => {
    const titles = [
      'Tea',
      'Tea',
      'tea',
      'Green tea',
      'Coffee',
      '?',
      ...Array.from({ length: 20 }, (_, i) => `Cup of tea ${i}`),
    ];
    const app = appOf(datasetOf({ articles: titles.map((title, id) => ({ id, title, content: 'x'.repeat(id) })) }));
    const page = await pageAt(app, '/articles/fields/title');
    expect(factsIn(page)).toMatchObject({ Distinct: '25', Characters: '1 - 13', 'Median length': '12' });
    expect(barsIn(page)).toEqual([['/articles?title=Tea', '3']]);
    expect(await totalAt(app, '/articles?title=Tea')).toBe(3);
    expect(page).toMatch(
      /<h3>Shortest<.*?<span class="number">1<\/span><a href="\/articles\/5"><bdi>\?<.*?<h3>Longest</s,
    );
    expect(factsIn(await pageAt(app, '/articles/fields/content?q=cup'))).toMatchObject({ Characters: '6 - 25' });
    // Numbers have no lengths, nor have tags.
    for (const path of ['/products/fields/price', '/articles/fields/tags'])
      expect(await pageAt(sample, path)).not.toContain('Shortest');
    // Where nearly all differ, the commonest words stand in place of texts that two or three records have.
    const adjectives = ['Old', 'Quiet', 'Sunny', 'Bright'];
    const flats = Array.from({ length: 1000 }, (_, id) => ({
      id,
      title: `${adjectives[id % 4]} flat in the Rue Hébert ${id % 900}`,
    }));
    const flatsPage = await pageAt(appOf(datasetOf({ articles: flats })), '/articles/fields/title');
    expect(flatsPage).not.toContain('>Commonest<');
    expect(flatsPage).toContain('aria-label="Characters of 1,000 records, most often 32"');
    const words = /<h3>Commonest words<.*?<\/ol>/s.exec(flatsPage)?.[0] ?? '';
    expect(
      [...words.matchAll(/name cut">(.*?)<\/span> <span class="count">(.*?)</g)].map(([, ...pair]) => pair),
    ).toEqual([
      ...['flat', 'rue', 'hébert'].map((word) => [word, '1,000']),
      ...adjectives.map((word) => [word.toLowerCase(), '250']),
    ]);
    // Of many records some are read, which is said.
    const many = Array.from({ length: 10_000 }, (_, id) => ({
      id,
      title: `T ${id}`,
      content: 'y'.repeat(1 + (id % 100)),
    }));
    const manyPage = await pageAt(appOf(datasetOf({ articles: many })), '/articles/fields/content');
    expect(manyPage.match(/characters of 5,000 records/g)).toHaveLength(3);
    expect(factsIn(manyPage)).toMatchObject({ 'Characters of 5,000 records': '1 - 99', 'Median length': '50' });
    // Of long ones fewer are read, from the first record to the last.
    const long = Array.from({ length: 500 }, (_, id) => ({
      id,
      title: `T ${id}`,
      content: 'y'.repeat(8000 + 10 * id),
    }));
    const longFacts = factsIn(await pageAt(appOf(datasetOf({ articles: long })), '/articles/fields/content'));
    const [name, range] = Object.entries(longFacts).find(([fact]) => fact.startsWith('Characters')) ?? [];
    expect(name).toMatch(/^Characters of \d+ records$/);
    expect(range).toMatch(/^8,000 - 12,9\d\d$/);
  });

  test('says where its values came from, and what was repaired or could not be read', async () => {
    const cheap = Array.from({ length: 20 }, (_, i) => `T${i},${i + 1}.50,L`);
    const csv = ['title,Item Price,size', 'A,£4.20,S', ...cheap, 'C,call us,S', ''].join('\n');
    await withFolder({ 'products.csv': csv, 'products.mapping.json': '{"Item Price": "price"}' }, async (dir) => {
      const app = appOf(await datasetIn(dir));
      const page = await pageAt(app, '/products/fields/price');
      const text = plain(page.replace(/<[^>]*>/g, ''));
      expect(text).toContain('products.csv: column Item Price');
      expect(text).toMatch(/read from another spelling: .*£4\.20.* 4\.2 \(line 2\)/);
      expect(text).toMatch(/1 could not be read, and are null: .*call us/);
      expect(await pageAt(app, '/products/fields/size')).toContain('column <code><bdi>size</bdi></code>');
    });
  });

  test('has no record without a value among the highest and lowest', async () => {
    const things = Array.from({ length: 9 }, (_, i) => ({
      title: `T${i}`,
      price: i + 0.5,
      ...(i < 3 && { depth: i }),
    }));
    await withFolder({ 'products.json': JSON.stringify(things) }, async (dir) => {
      const page = await pageAt(appOf(await datasetIn(dir)), '/products/fields/depth');
      const items = [...page.matchAll(/<li><span class="number">(.*?)<\/span><a [^>]*>(.*?)<\/a>/g)];
      const texts = items.map(([, value, title = '']) => `${value} ${title.replace(/<[^>]*>/g, '')}`);
      expect(texts).toEqual(['2 T2', '1 T1', '0 T0', '0 T0', '1 T1', '2 T2']);
    });
  });

  test('of a scale that grows says so, and can be switched', async () => {
    const scaleOf = (page: string): string | undefined => /aria-current="true">(linear|logarithmic)</.exec(page)?.[1];
    expect(scaleOf(await pageAt(sample, '/articles/fields/score'))).toBe('logarithmic');
    expect(scaleOf(await pageAt(sample, '/articles/fields/score?view=linear'))).toBe('linear');
    expect(scaleOf(await pageAt(sample, '/products/fields/price?view=logarithmic'))).toBe('logarithmic');
    expect(scaleOf(await pageAt(sample, '/articles/fields/date'))).toBeUndefined();
  });

  test('of a name that is none is a 404 with the nearest one', async () => {
    const response = await sample.request('/products/fields/prise');
    expect(response.status).toBe(404);
    expect(plain(await response.text())).toContain('Did you mean');
    expect((await sample.request('/products/fields/price?colour=red')).status).toBe(422);
  });

  test('is there for every field of the sample', async () => {
    const { collections } = await getJson<{
      collections: readonly { readonly name: string; readonly fields: readonly { readonly name: string }[] }[];
    }>(sample, '/api');
    expect(collections).toHaveLength(2);
    for (const { name: collection, fields } of collections)
      for (const { name } of fields) await pageAt(sample, `/${collection}/fields/${name}`);
  });
});

test('the page of a date names the months of its axis and says what a bar is; its ends are the earliest and the latest', async () => {
  const articles = Array.from({ length: 60 }, (_, id) => ({
    ...{ id, title: `T${id}` },
    date: new Date(Date.UTC(2026, 10 + (id % 15), 1 + (id % 28))).toISOString(),
  }));
  const page = await pageAt(appOf(datasetOf({ articles })), '/articles/fields/date');
  expect(page).toContain('records by month');
  expect(page).toMatch(/>Nov<.*>Mar 2027<.*>Jul<.*>Nov</s);
  expect(page).toMatch(/<dt>Earliest<.*<dt>Median<.*<dt>Latest</s);
  expect(page).not.toContain('<dt>Lowest<');
});

/** The rows of a table of groups: the address of each, and its cells by their labels. */
const rowsIn = (page: string) =>
  [...page.matchAll(/<tr role="row"><th role="rowheader"[^>]*><a href="([^"]*)">.*?<\/tr>/gs)].map(
    ([row, address = '']) => ({
      address: plain(address),
      cells: Object.fromEntries(
        [...row.matchAll(/data-label="([^"]*)">(.*?)<\/td>/gs)].map(([, label = '', cell = '']) => [
          label,
          cell.replace(/<[^>]*>/g, ''),
        ]),
      ),
    }),
  );

interface ApiStats {
  readonly fields: Readonly<Record<string, { readonly min: number; readonly max: number; readonly mean: number }>>;
}

describe('the page of groups', () => {
  interface Groups {
    readonly data: readonly {
      readonly value: string | null;
      readonly count: number;
      readonly fields: Readonly<Record<string, Readonly<Record<string, number | string | null>>>>;
    }[];
  }

  test.each([
    ['products', 'by=category&fields=price', 'median'],
    ['products', 'by=category&fields=price&view=mean', 'mean'],
    ['products', 'category=Fiction&by=publisher&fields=rating', 'median'],
    ['articles', 'q=map&by=tags', 'count'],
    ['articles', 'by=author&fields=score&limit=5', 'median'],
  ])('of %s?%s has a row for each group of the API, and one of all records', async (collection, query, measure) => {
    const page = await pageAt(sample, `/${collection}/stats?${query}`);
    const field = /fields=(\w+)/.exec(query)?.[1] ?? '';
    const { data } = await getJson<Groups>(sample, `/api/${collection}/stats?${query.replace(/&view=\w+/, '')}`);
    const rows = rowsIn(page);
    expect(rows.length).toBe(data.length + 1);
    const amounts = data
      .flatMap(({ count, fields }) => (measure === 'count' ? [count] : [fields[field]?.[measure] ?? []].flat()))
      .map(Number)
      .sort((a, b) => b - a);
    const label = measure === 'count' ? 'Records' : capitalised(measure);
    const shown = rows.slice(0, amounts.length).map(({ cells }) => numberIn(cells[label] ?? ''));
    if (measure === 'count') expect(shown).toEqual(amounts);
    expect(shown.toSorted((a, b) => b - a)).toEqual(amounts.map((amount) => expect.closeTo(amount, 1)));
    // Groups of few values stand last, and each part is in order.
    const descents = shown.filter((amount, i) => amount > (shown[i - 1] ?? Number.POSITIVE_INFINITY)).length;
    expect(descents).toBeLessThanOrEqual(1);
    for (const { address, cells } of [...rows.slice(0, 6), ...rows.slice(-1)])
      expect(`${address} ${await totalAt(sample, address)}`).toBe(
        `${address} ${numberIn(cells.Records ?? cells.Values?.replace(/.* of /, '') ?? '')}`,
      );
    // The row of all has what the API has of the field.
    if (field === '') return;
    const conditions = query.replace(/&?(?:by|fields|view|limit)=\w+/g, '');
    const { fields } = await getJson<ApiStats>(sample, `/api/${collection}/stats?${conditions}`);
    const all = rows.at(-1)?.cells ?? {};
    expect(numberIn(all.Mean ?? '')).toBeCloseTo(fields[field]?.mean ?? Number.NaN, 1);
    expect(numberIn(all.Lowest ?? '')).toBeCloseTo(fields[field]?.min ?? Number.NaN, 1);
    expect(numberIn(all.Highest ?? '')).toBeCloseTo(fields[field]?.max ?? Number.NaN, 1);
  });

  test.each(['stats?by=category&fields=price&', 'fields/price?'])(
    '%s says how many records of all it is of, and by which words and filters, which can be taken away',
    async (path) => {
      const page = await pageAt(sample, `/products/${path}q=love&maxPrice=20`);
      const found = await totalAt(sample, '/products?q=love&maxPrice=20');
      expect(page).toContain(`${found} of 353 products`);
      const chips = [...page.matchAll(/<a class="pill" href="([^"]*)">(.*?) <span class="cross"/g)];
      expect(chips.map(([, target = '', says = '']) => [plain(target), says.replace(/<[^>]*>/g, '').trim()])).toEqual([
        [`/products/${path}maxPrice=20`, '“love”'],
        [`/products/${path}q=love`, 'Price at most 20'],
      ]);
      expect(await pageAt(sample, `/products/${path.slice(0, -1)}`)).toContain('all 353 products');
    },
  );

  test('marks the median of all records; groups of few values stand last, and are pale', async () => {
    const products = Array.from({ length: 45 }, (_, i) => ({
      id: i,
      title: `T${i}`,
      category: i < 40 ? `C${i % 3}` : 'Rare',
      price: i % 5 === 1 && i < 40 ? null : i + 0.5,
    }));
    const page = await pageAt(appOf(datasetOf({ products })), '/products/stats?by=category&fields=price');
    expect(page).toContain('those of fewer than 10 values stand last');
    const rows = rowsIn(page).map(({ cells }) => cells);
    expect(rows.map(({ Values }) => Values)).toEqual(['10 of 13', '11 of 13', '11 of 14', '5 of 5', '37 of 45']);
    expect(rows.slice(0, 3).map(({ Median }) => numberIn(Median ?? ''))).toEqual([21, 20.5, 18.5]);
    const bars = [...page.matchAll(/<rect class="([^"]*)" width="([\d.]+)%".*?<line x1="([\d.]+)%"/g)];
    expect(bars.map(([, className]) => className)).toEqual(['some', 'some', 'some', 'some off']);
    expect(new Set(bars.map(([, , , mark]) => mark)).size).toBe(1);
  });

  test.each([
    ['sort=name', ['A', 'B', 'C', 'without Category']],
    ['sort=name&order=desc', ['C', 'B', 'A', 'without Category']],
    ['view=count&sort=median&order=asc', ['B', 'A', 'without Category', 'C']],
    ['view=count&sort=median', ['A', 'without Category', 'B', 'C']],
  ])('without a name or an amount stand last in both directions: %s', async (query, sorted) => {
    const prices = [
      ['A', 5],
      ['B', -3],
      ['C', null],
      [null, 5],
    ] as const;
    const products = prices.map(([category, price], id) => ({ id, title: 'T', category, price }));
    const page = await pageAt(appOf(datasetOf({ products })), `/products/stats?by=category&fields=price&${query}`);
    const rows = [...page.matchAll(/<th role="rowheader".*?>([^<>]+)</g)].map(([, name]) => name);
    expect(rows.slice(0, 4)).toEqual(sorted);
  });

  test.each([
    ['sort=name', ['C0', 'C1', 'C2', 'C10', 'Rare']],
    ['sort=name&order=desc', ['Rare', 'C10', 'C2', 'C1', 'C0']],
    ['sort=mean', ['C10', 'C2', 'C1', 'C0', 'Rare']],
    ['sort=count&order=asc', ['C10', 'C1', 'C2', 'C0', 'Rare']],
    ['view=mean&order=asc', ['C0', 'C1', 'C2', 'C10', 'Rare']],
  ])('are sorted as the header of a column asks, those of few values last: %s', async (query, sorted) => {
    const sizes = { C0: 16, C1: 14, C2: 15, C10: 12, Rare: 2 };
    const products = Object.entries(sizes).flatMap(([category, size]) =>
      Array.from({ length: size }, () => ({ title: 'T', category, price: Number(category.slice(1)) || 0.5 })),
    );
    const app = appOf(datasetOf({ products: products.map((product, id) => ({ id, ...product })) }));
    const page = await pageAt(app, `/products/stats?by=category&fields=price&${query}`);
    expect([...page.matchAll(/<th role="rowheader".*?<bdi>(.*?)</g)].map(([, name]) => name)).toEqual(sorted);
    const descends = query.includes('desc') || query === 'sort=mean';
    expect(page.match(/aria-sort="(\w+)"/)?.[1]).toBe(descends ? 'descending' : 'ascending');
    expect(page).toMatch(/data-order="&varr;" href="[^"]*sort=max&amp;order=desc"/);
  });

  test('years and dates have bars from the first of them on, which is said', async () => {
    const products = Array.from({ length: 60 }, (_, i) => ({
      id: i,
      title: `T${i}`,
      category: `C${i % 3}`,
      built: 1960 + i,
    }));
    await withFolder({ 'products.json': JSON.stringify(products) }, async (dir) => {
      const page = await pageAt(appOf(await datasetIn(dir)), '/products/stats?by=category&fields=built');
      expect(page.replace(/<[^>]*>/g, '')).toContain('from 1989, line: median of all');
      expect(rowsIn(page).map(({ cells }) => cells.Median)).toEqual(['1991', '1990', '1989', '1990']);
    });
  });

  test('without a question has the usual one in its address', async () => {
    const response = await sample.request('/products/stats?category=Fiction');
    expect(response.status).toBe(303);
    expect(response.headers.get('Location')).toBe('/products/stats?category=Fiction&by=category&fields=price');
  });

  test('of a dump in which nothing repeats says so', async () => {
    await withFolder({ 'things.json': '[{"name":"a","n":1},{"name":"b","n":2}]' }, async (dir) => {
      const page = await pageAt(appOf(await datasetIn(dir)), '/things/stats');
      expect(page).toContain('nothing to group by');
    });
  });
});

describe('the file of groups', () => {
  test('has the groups of the API, as CSV, JSON and NDJSON', async () => {
    const query = 'by=category&fields=price,date&minPrice=10&limit=7'.replace(',date', '');
    const { data } = await getJson<ApiPage>(sample, `/api/products/stats?${query}`);
    const file = async (format: string): Promise<string> =>
      pageAt(sample, `/api/export/products/stats?${query}&format=${format}`);
    expect(JSON.parse(await file('json'))).toEqual(data);
    expect(
      (await file('ndjson'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(data);
    const { data: rows } = Papa.parse<Record<string, unknown>>((await file('csv')).trim(), {
      header: true,
      dynamicTyping: true,
    });
    expect(rows).toEqual(
      data.map(({ value, count, fields }) => {
        const { price } = fields as Readonly<Record<string, Readonly<Record<string, number>>>>;
        const numbers = Object.entries(price ?? {}).map(([name, number]) => [`price_${name}`, number]);
        return { category: value, records: count, ...Object.fromEntries(numbers) };
      }),
    );
  });

  test('needs a field to group by', async () => {
    expect((await sample.request('/api/export/products/stats?format=csv')).status).toBe(400);
  });
});
