/** Dumps as scrapers leave them, of our own invention: what is read of them, and what their report says. */
import { describe, expect, it } from 'vitest';
import type { SnapshotLoadOptions } from '../../src/load/load.js';
import { scalesIn } from '../../src/load/profile/scales.js';
import { checkText, startUpText } from '../../src/load/report/report-text.js';
import { countsOf } from '../../src/load/values/value-counts.js';
import { collections } from '../../src/model.js';
import { appOf, datasetIn } from '../support/api.js';
import { loadFiles } from '../support/load.js';
import { run, withFolder } from '../support/program.js';

type Plain = Readonly<Record<string, unknown>>;

/** A dump loaded: its records by their fields' names, and both reports line by line. */
async function loaded(
  file: string,
  content: string | readonly object[],
  options: Partial<SnapshotLoadOptions> = {},
  mapping?: object,
) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const collection = file.startsWith('articles') ? 'articles' : 'products';
  const mappings = mapping ? { [file.replace(/\.\w+$/, '.mapping.json')]: JSON.stringify(mapping) } : {};
  const { result, records, files, fault } = await loadFiles({ [file]: text, ...mappings }, options);
  const model = collections.find(({ name }) => name === (files[0]?.collection ?? collection)) ?? collections[0];
  const plain = records.map(
    (values): Plain => Object.fromEntries(model.fields.map(({ name }, i) => [name, values[i]])),
  );
  const lines = result.ok ? checkText(result.report).map((line) => line.trim()) : [];
  const start = result.ok ? startUpText(result.report).map((line) => line.trim()) : [];
  return { records: plain, lines, start, fault, report: files[0] };
}

const columnOf = (records: readonly Plain[], name: string) => records.map((record) => record[name]);

describe('a title needs no name', () => {
  const teile = Array.from({ length: 8 }, (_, i) => ({
    'Art.-Nr.': `A-${i}`,
    Bild: `https://a.example/${i}.jpg`,
    Gruppe: i % 2 ? 'Bad' : 'Garten',
    Beschreibung: `Ein Teil für jeden Zweck, ${i}`,
    Stand: '5. März 2024',
    Gegenstand: `Eimer Nummer ${i}`,
    Zweitname: `Zuber ${i}`,
    Kosten: `${i + 1},50 €`,
  }));

  it('but the column that looks most like one: the first of distinct texts', async () => {
    const csv = `${Object.keys(teile[0] ?? {}).join(';')}\n${teile
      .map((teil) =>
        Object.values(teil)
          .map((value) => `"${value}"`)
          .join(';'),
      )
      .join('\n')}\n`;
    for (const [file, content] of [
      ['products.json', teile],
      ['products.csv', csv],
    ] as const) {
      const { records, lines } = await loaded(file, content);
      expect(records[1]).toMatchObject({ title: 'Eimer Nummer 1', price: 2.5, imageUrl: 'https://a.example/1.jpg' });
      expect(lines).toContain(
        'title: guessed from the values of "Gegenstand"; {"NAME": "title"} in products.mapping.json reads another column',
      );
      expect(lines).toContain(
        'price: guessed from the values of "Kosten"; {"Kosten":null} in products.mapping.json keeps it out',
      );
    }
    const mapped = await loaded('products.json', teile, {}, { Zweitname: 'title' });
    expect(mapped.records[1]?.title).toBe('Zuber 1');
  });

  it.each([
    ['codes', (i: number) => `SKU-${i}`],
    ['addresses', (i: number) => `https://a.example/${i}`],
    ['numbers', (i: number) => `${i} €`],
    ['dates', (i: number) => `2024-03-0${i + 1}`],
    ['the same for most', (i: number) => `Colour ${i % 2}`],
    ['missing in some', (i: number) => (i % 4 ? `Part number ${i}` : null)],
  ])('%s are no title, and the refusal is told once', async (_, value) => {
    const { records, start } = await loaded(
      'products.json',
      teile.map((_, i) => ({ price: i, x: value(i) })),
    );
    expect(records).toEqual([]);
    expect(start[2]).toBe('refused: 8 records: title is missing; the first is record 1 (line 1)');
    expect(start[3]).toMatch(/^no column is the title: \{"(?:x|NAME)": "title"\} in products\.mapping\.json reads it$/);
    expect(start.length).toBe(4);
  });

  it('posts take the first words of their contents, whatever other texts they have', async () => {
    const posts = teile.map((_, i) => ({ text: `Today I saw ${i} birds`, place: `Garden number ${i}`, likes: i }));
    const { records } = await loaded('articles.json', posts);
    expect(records[2]?.title).toBe('Today I saw 2 birds');
  });

  it.each([
    'produkt',
    'Produktname',
    'Artikelbezeichnung',
    'Bezeichnung',
    'Überschrift',
    '商品名',
    'タイトル',
    'العنوان',
    'Название',
    '标题',
    'product',
    'Item',
    'Artikel',
    'Nom',
    'Nombre',
    'label',
    'h1',
    'caption',
    'listing',
    'book',
  ])('%s is one', async (name) => {
    const { records } = await loaded(
      'products.json',
      teile.map((_, i) => ({ [name]: `Tea number ${i}`, price: 4 })),
    );
    expect(records[3]?.title).toBe('Tea number 3');
  });
});

describe('values', () => {
  it('that say that there is none are null in every field, and no title', async () => {
    const products = [
      { id: 1, name: 'Kettle', price: 'N/A', category: 'n/a', image: '-', author: '—', rating: 'null' },
      { id: 2, name: 'N/A', price: 3 },
      { id: 3, name: 'Pan', price: 4, category: 'N/A', author: 'Nan', image: 'null' },
    ];
    const csv = `id,name,price,category,image,author,rating\n${products.map((p) => [p.id, p.name, p.price, p.category, p.image, p.author, p.rating].join(',')).join('\n')}\n`;
    for (const content of [products, csv]) {
      const { records, report } = await loaded(typeof content === 'string' ? 'products.csv' : 'products.json', content);
      expect(records).toEqual([
        { id: 1, title: 'Kettle', author: null, price: null, imageUrl: null, rating: null, category: null },
        { id: 3, title: 'Pan', author: 'Nan', price: 4, imageUrl: null, rating: null, category: null },
      ]);
      expect(report?.refusals.map(({ reason }) => reason)).toEqual(['title: expected text, found "N/A"']);
    }
    const articles = await loaded('articles.json', [{ id: 1, title: 'One', content: '—', tags: 'N/A', date: 'n/a' }]);
    expect(articles.records[0]).toMatchObject({ content: null, date: null });
    expect(articles.records[0]?.tags).toBeNull();
  });

  it('of several currencies and scales are said, and not converted', async () => {
    const prices = ['$5', '€7', '$6.50', 'CHF 9', '$8'];
    const ratings = ['4/5', '9.1/10', '90%', 4.5, '★★★★☆'];
    const { lines, records } = await loaded(
      'products.json',
      prices.map((price, i) => ({ name: `Item ${i}`, price, rating: ratings[i] })),
    );
    expect(columnOf(records, 'rating')).toEqual([4, 9.1, null, 4.5, 4]);
    expect(lines).toContain('warning: price: several currencies, none is converted: $ 3, € 1, CHF 1');
    expect(lines).toContain('warning: rating: several scales, none is converted: of 5: 3, of 10: 1');
  });

  it.each([
    ['4/5', '97/100', 'of 5, of 100'],
    ['4.5', '9/10', 'of 5, of 10'],
    ['4/5', '4/6', 'of 5, of 6'],
  ])('of a scale behind the first records are said: %s, then %s', async (rating, later, scales) => {
    const ratings = [...Array<string>(1100).fill(rating), later];
    const { lines } = await loaded(
      'products.json',
      ratings.map((each, i) => ({ name: `Item ${i}`, price: 5, rating: each })),
    );
    expect(lines).toContain(`warning: rating: several scales, none is converted: ${scales}`);
  });

  it.each<[string, readonly unknown[], readonly (readonly [string, number])[]]>([
    [
      'are counted once each',
      ['4,5', '4.5/5', '9/10', '4.5 (1,234)', 'four', '5つ星のうち4.3'],
      [
        ['5', 5],
        ['10', 1],
      ],
    ],
    ['are none of what is left null', ['4/5', '90%', 'No reviews', -1, '3/5'], [['5', 2]]],
    ['are one of percentages', ['90%', '85%', '70 %'], [['100', 3]]],
    ['are one of plain numbers', [4.5, '3,9', '7'], [['plain', 3]]],
    [
      'are those of sizes where most are stars',
      [4.5, '3', 5, 87],
      [
        ['5', 3],
        ['100', 1],
      ],
    ],
  ])('scales %s', (_, ratings, scales) => expect(scalesIn(countsOf(ratings))).toEqual(scales));

  it('behind three capitals have a currency only where these are its code', async () => {
    const prices = ['EAN 13', 'EAN 14', 'USD 12'];
    const dump = JSON.stringify(prices.map((price, i) => ({ name: `Item ${i}`, price })));
    const { files, models } = await loadFiles({ 'products.json': dump });
    expect(files[0]?.mistakes.filter((line) => line.includes('currencies'))).toEqual([]);
    expect(models.get('products')?.fields.find(({ name }) => name === 'price')?.currency).toBe('USD');
  });

  it('of money have the commonest sign on pages', async () => {
    const dump = ['€7', '€8', '$9'].map((price, i) => ({ id: i, name: `Item ${i}`, price }));
    await withFolder({ 'products.json': JSON.stringify(dump) }, async (dir) => {
      const app = appOf(await datasetIn(dir));
      for (const path of ['/products', '/products/1']) expect(await (await app.request(path)).text()).toContain('€8');
    });
  });

  it('that are percentages in all of a column are numbers of a hundred', async () => {
    const { records, lines } = await loaded('products.csv', 'name,price,rating\nTea,3,90%\nIce,4,"72,5 %"\nSalt,5,\n');
    expect(columnOf(records, 'rating')).toEqual([90, 72.5, null]);
    expect(lines.join()).not.toContain('several');
  });

  it('date_gmt goes before the local date beside it', async () => {
    const { records } = await loaded('articles.json', [
      { id: 5, title: { rendered: 'One' }, date: '2024-03-01T09:30:00', date_gmt: '2024-03-01T08:30:00' },
    ]);
    expect(records[0]?.date).toBe('2024-03-01T08:30:00Z');
  });

  it('relative times are null and the report names the flag, by which they count', async () => {
    const dump = [
      { id: 1, title: 'One', posted: '3 hours ago' },
      { id: 2, title: 'Two', posted: 'yesterday' },
    ];
    const without = await loaded('articles.json', dump);
    expect(columnOf(without.records, 'date')).toEqual([null, null]);
    expect(without.lines).toContain('date: --scraped-at DATE gives the time from which "3 hours ago" counts');
    const counted = await loaded('articles.json', dump, { scrapedAtMs: Date.UTC(2024, 0, 1, 12) });
    expect(columnOf(counted.records, 'date')).toEqual(['2024-01-01T09:00:00Z', '2023-12-31T12:00:00Z']);
  });

  it("relative times count from the record's own time of scraping, and from the flag where it has none", async () => {
    const dump = [
      { id: 1, title: 'One', posted: '3 hours ago', crawled_at: '2024-03-05T09:30:00+01:00' },
      { id: 2, title: 'Two', posted: '3 hours ago', crawled_at: 1709700000 },
      { id: 3, title: 'Three', posted: '2024-01-01', crawled_at: '2024-03-05' },
      { id: 4, title: 'Four', posted: '3 hours ago', crawled_at: null },
    ];
    const csv = `id,title,posted,crawled_at\n${dump.map((record) => Object.values(record).join(',')).join('\n')}\n`;
    const ndjson = dump.map((record) => JSON.stringify(record)).join('\n');
    for (const [file, text] of [
      ['articles.json', dump],
      ['articles.csv', csv],
      ['articles.jl', ndjson],
    ] as const) {
      const { records } = await loaded(file, text, { scrapedAtMs: Date.UTC(2020, 0, 1, 12) });
      expect(columnOf(records, 'date')).toEqual([
        '2024-03-05T05:30:00Z',
        '2024-03-06T01:40:00Z',
        '2024-01-01T00:00:00Z',
        '2020-01-01T09:00:00Z',
      ]);
    }
  });

  it('relative addresses are completed by the base address', async () => {
    const images = [
      '/a.jpg',
      '//cdn.example/b.jpg',
      'c.jpg',
      '../d.jpg',
      'https://x.example/e.jpg',
      'data:image/png;base64,A',
      null,
    ];
    const dump = images.map((image, i) => ({ id: i, name: `Item ${i}`, price: 1, image }));
    const expected = [
      'https://shop.example/a.jpg',
      'https://cdn.example/b.jpg',
      'https://shop.example/list/c.jpg',
      'https://shop.example/d.jpg',
      ...images.slice(4),
    ];
    const csv = `id,name,price,image\n${dump.map(({ id, name, price, image }) => `${id},${name},${price},"${image ?? ''}"`).join('\n')}`;
    const options = { baseUrl: 'https://shop.example/list/' };
    const { records, lines } = await loaded('products.json', dump, options);
    expect(columnOf(records, 'imageUrl')).toEqual(expected);
    expect(lines.join()).not.toContain('relative');
    const fromCsv = columnOf((await loaded('products.csv', csv, options)).records, 'imageUrl');
    expect(fromCsv.slice(0, 6)).toEqual(expected.slice(0, 6));
    const left = await loaded('products.json', dump);
    expect(columnOf(left.records, 'imageUrl')).toEqual(images);
    expect(left.lines).toContain(
      'warning: imageUrl: 3 relative addresses, kept as they are; --base-url URL completes them',
    );
  });
});

describe('records', () => {
  const product = (name: string, i: number) => ({ name: `${name} ${i}`, price: i + 1, rating: 4 });
  const shelf = (name: string) => [1, 2].map((i) => product(name, i));

  it.each([
    [
      'departments of categories of products',
      {
        departments: ['Garden', 'Kitchen'].map((name, i) => ({
          id: i,
          name,
          url: `/d/${i}`,
          categories: ['Small', 'Large'].map((size) => ({ name: size, products: shelf(`${name} ${size}`) })),
        })),
      },
    ],
    [
      'an array of categories of items',
      ['Garden Small', 'Garden Large', 'Kitchen Small', 'Kitchen Large'].map((name) => ({ name, items: shelf(name) })),
    ],
    [
      'lists by the names of categories',
      Object.fromEntries(
        ['Garden Small', 'Garden Large', 'Kitchen Small', 'Kitchen Large'].map((name) => [name, shelf(name)]),
      ),
    ],
  ])('are found in %s', async (_, dump) => {
    const { records, lines } = await loaded('products.json', JSON.stringify(dump));
    expect(columnOf(records, 'title')).toEqual([
      'Garden Small 1',
      'Garden Small 2',
      'Garden Large 1',
      'Garden Large 2',
      'Kitchen Small 1',
      'Kitchen Small 2',
      'Kitchen Large 1',
      'Kitchen Large 2',
    ]);
    expect(columnOf(records, 'price').slice(0, 2)).toEqual([2, 3]);
    expect(lines.some((line) => line.startsWith('the records are those at '))).toBe(true);
    const untold = await loadFiles({ 'shop.json': JSON.stringify(dump) });
    expect(untold.files[0]).toMatchObject({ collection: 'products', accepted: 8 });
  });

  it('that have a list of others keep their own values', async () => {
    const bundles = [1, 2].map((i) => ({
      title: `Bundle ${i}`,
      price: 9,
      items: shelf('Part'),
      variants: shelf('Red'),
    }));
    expect(columnOf((await loaded('products.json', bundles)).records, 'title')).toEqual(['Bundle 1', 'Bundle 2']);
    const authors = [1, 2].map((i) => ({
      name: `Product ${i}`,
      reviews: [{ title: 'Good', rating: 4, author: 'Al' }],
    }));
    expect(columnOf((await loaded('products.json', authors)).records, 'title')).toEqual(['Product 1', 'Product 2']);
  });

  it('that replaced earlier ones are named by id, the first ten', async () => {
    const ids = [...Array.from({ length: 12 }, (_, i) => i), ...Array.from({ length: 12 }, (_, i) => i), 3];
    const dump = ids.map((id, i) => ({ id, title: `Title ${i}`, price: i }));
    await withFolder({ 'products.json': JSON.stringify(dump) }, async (dir) => {
      const line = 'replaced: 13 earlier records of the same id: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 3 more';
      const { stdout } = await run(['check', dir]);
      expect(stdout).toContain(`\n  ${line}\n`);
      const json = JSON.parse((await run(['check', dir, '--json'])).stdout);
      expect(json.files[0]).toMatchObject({ replaced: 13, replacedIds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] });
      const built = await datasetIn(dir);
      expect(built.report.files[0]?.replacedIds).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
  });
});

describe('the order of day and month', () => {
  const csv = 'title,date\na,8/4/2016\nb,9/5/2016\n';

  it('that is assumed is printed at the start', async () => {
    const { start, records } = await loaded('articles.csv', csv);
    expect(records[0]?.date).toBe('2016-08-04T00:00:00Z');
    expect(start).toContain(
      'date: no date shows whether day or month stands first; read as month/day; {"dayFirst": true} in articles.mapping.json reads day/month',
    );
    const proven = await loaded('articles.csv', `${csv}c,14/8/2016\n`);
    expect(proven.start).toContain('date: read as day/month, as "14/8/2016" shows');
  });

  it.each([
    [true, '2016-04-08T00:00:00Z'],
    [false, '2016-08-04T00:00:00Z'],
  ])('is decided by "dayFirst": %s in a mapping', async (dayFirst, date) => {
    const { start, records, report } = await loaded('articles.csv', csv, {}, { dayFirst });
    expect(records[0]?.date).toBe(date);
    expect(start.length).toBe(2);
    expect(report?.dateOrders).toEqual([]);
  });

  it('a column may be called dayFirst', async () => {
    const { records } = await loaded('articles.json', [{ id: 1, dayFirst: 'a' }], {}, { dayFirst: 'title' });
    expect(records[0]?.title).toBe('a');
  });
});
