/** What a dump is taken for whose name says neither articles nor products, and what its own collection is called. */
import { copyFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownNameOf } from '../../src/load/source/folder.js';
import { loadFiles, loadFolder } from '../support/load.js';
import { withFolder } from '../support/program.js';

const collectionOf = async (dump: unknown, options: object = {}): Promise<string | undefined> =>
  (await loadFiles({ 'dump.json': JSON.stringify(dump) }, options)).files[0]?.collection;

const three = (record: object) => [1, 2, 3].map((n) => ({ name: `The ${n}th thing`, ...record }));

describe('the names of fields tell', () => {
  test.each<[string, object, string]>([
    ['a price', { price: 4.2 }, 'products'],
    ['a price by an alias', { Verkaufspreis: '4,20 €' }, 'products'],
    ['a price by a word', { 'Price (USD)': 4.2 }, 'products'],
    ['a price by a path', { offers: { price: 4.2 } }, 'products'],
    ['amounts of money alone tell nothing', { salary: '$4,000' }, 'dump'],
    ['a rating with an image', { stars: 4.5, img_link: 'https://a.example/1.jpg' }, 'products'],
    ['a rating with an author', { average_rating: 4.5, authors: 'Ada Moor' }, 'products'],
    ['a text with a date', { maintext: 'Once upon a time.', date_publish: '2023-01-02' }, 'articles'],
    ['a guessed text with a date', { description: 'Once upon a time.', posted: '2023-01-02' }, 'dump'],
    ['a rating alone', { stars: 4.5 }, 'dump'],
    ['an image alone', { image: 'https://a.example/1.jpg' }, 'dump'],
    ['points', { points: 12 }, 'articles'],
    ['comments', { num_comments: 3 }, 'articles'],
    ['a text with an author', { body: 'Once upon a time there was a tea pot.', byline: 'Ada Moor' }, 'articles'],
    ['a text with the number of an author', { content: { rendered: '<p>Once.</p>' }, author: 7 }, 'articles'],
    ['a text without an author', { description: 'Once upon a time there was a job.' }, 'dump'],
    ['an author alone', { author: 'Ada Moor' }, 'dump'],
    ['a price beside comments', { price: 4.2, num_comments: 3 }, 'products'],
    ['the type of JSON-LD', { '@type': 'NewsArticle', articleSection: 'World' }, 'articles'],
    ['the type of JSON-LD of products', { '@type': 'Product', sku: 'A-1' }, 'products'],
    ['nothing', { city: 'Graz', rooms: 2 }, 'dump'],
  ])('%s', async (_, record, collection) => expect(await collectionOf(three(record))).toBe(collection));

  test('a mapping tells too', async () => {
    const dump = JSON.stringify(three({ 'Sale (EUR)': '4,20' }));
    for (const mapping of ['dump.mapping.json', 'products.mapping.json']) {
      const { files } = await loadFiles({ 'dump.json': dump, [mapping]: '{"Sale (EUR)": "price"}' });
      expect([mapping, files[0]?.collection]).toEqual([mapping, 'products']);
    }
  });

  test('--as overrules names of files and of fields', async () => {
    expect(await collectionOf(three({ price: 4.2 }), { as: 'flats' })).toBe('flats');
    expect(await collectionOf(three({ city: 'Graz' }), { as: 'products' })).toBe('products');
  });
});

test.each([
  ['jobs-2026.json', 'jobs'],
  ['14_jobs.json.gz', 'jobs'],
  ['Flats to let.csv', 'flats_to_let'],
  ['recipes.2024.ndjson', 'recipes'],
  ['my-jobs_.jl', 'my-jobs'],
  ['Flüge (Wien).json', 'flüge_wien'],
  ['求人.json', '求人'],
  ['export.json', 'export_'],
  ['docs-1.csv', 'docs_'],
  ['2026.json', 'records'],
  ['a/b/job.json', 'job'],
])('%s without a told collection is %s', (file, name) => expect(ownNameOf(file)).toBe(name));

test('several files of one name are one collection, each file told for itself', async () => {
  const { files, records } = await loadFiles({
    'jobs-1.json': JSON.stringify(three({ city: 'Graz' })),
    'jobs-2.csv': 'name,city\nCook,Wels\n',
    'jobs-3.json': JSON.stringify(three({ price: 4.2 })),
  });
  expect(files.map(({ file, collection }) => [file, collection])).toEqual([
    ['jobs-3.json', 'products'],
    ['jobs-1.json', 'jobs'],
    ['jobs-2.csv', 'jobs'],
  ]);
  expect(records.length).toBe(7);
});

const shared = new URL('../../../shared/data/', import.meta.url).pathname;
/** Dumps of others under a name that says nothing; their collection was looked up by hand. */
const TOLD = {
  'newcomer/01_scrapy_shop.csv': 'products',
  'newcomer/02_apify_amazon.json': 'products',
  'newcomer/03_bs4_german.json': 'products',
  'newcomer/05_wordpress.json': 'articles',
  'newcomer/08_google_sheet.csv': 'products',
  'newcomer/10_items.jl': 'articles',
  'newcomer/11_nested.json': 'products',
  'newcomer/12_forty_columns.csv': 'products',
  'newcomer/13_books.json': 'products',
  'newcomer/14_jobs.json': 'jobs',
  'newcomer/16_price_mess.json': 'products',
  'newcomer/17_multilingual.json': 'articles',
  'clean/articles-18f.json': 'articles',
  'clean/articles-hn-2016.json': 'articles',
  'clean/products-bookdepository.json': 'products',
  'raw/articles-hn.csv': 'articles',
  'raw/articles-18f.ndjson.gz': 'articles',
  'raw/products-bookdepository.csv': 'products',
  'raw/products-goodbooks.csv': 'products',
  'raw/products-toscrape.json': 'products',
  'raw/products-toscrape-stars.csv': 'products',
} as const;

// The folder is beside the working tree of those who develop this, and nowhere else.
test.skipIf(!existsSync(shared)).each(Object.entries(TOLD))('%s is told as %s', async (path, collection) => {
  await withFolder({}, async (dir) => {
    copyFileSync(shared + path, join(dir, basename(path).replace(/^(?:articles|products)-/, 'x-')));
    const { files } = await loadFolder(dir);
    expect(files.map((file) => file.collection)).toEqual([collection]);
  });
});

test('a table of any columns is a collection, and so is a list of one; a lone object and a text are none', async () => {
  const { files, models, result } = await loadFiles(
    {
      'flats.csv': 'rooms;city;rent\n2;Graz;€ 900\n1;Wels;€ 450\n',
      'package.json': '{"name":"x","version":"1.0.0"}',
      'colours.csv': 'colour\nred\n',
      'letter.csv': 'Dear friends of the garden\nwe met again\n',
    },
    { columns: 'all' },
  );
  expect(files.map(({ collection, accepted }) => [collection, accepted])).toEqual([
    ['colours', 1],
    ['flats', 2],
  ]);
  expect(models.get('flats')?.fields.map(({ name, kind }) => [name, kind])).toEqual([
    ['id', 'integer'],
    ['rooms', 'integer'],
    ['city', 'text'],
    ['rent', 'number'],
  ]);
  expect(result.ok && result.report.ignored).toEqual([
    expect.stringMatching(
      /^letter\.csv:1: expected a row of column names, found none that is known: "Dear friends of the garden"/,
    ),
    expect.stringMatching(/^package\.json: neither its name nor its fields tell/),
  ]);
});

test.each<[string, string, string]>([
  [
    'a table with prices and without titles',
    'sales.csv',
    'date,price,country\n2024-01-02,3.5,AT\n2024-01-03,4.5,DE\n2024-01-04,5.5,AT\n',
  ],
  [
    'lines with prices and without titles',
    'sales.ndjson',
    '{"date":"2024-01-02","price":3.5,"country":"AT"}\n{"date":"2024-01-03","price":4.5,"country":"DE"}\n',
  ],
])('%s would be refused as products: it is a collection of its own', async (_, name, dump) => {
  const { files } = await loadFiles({ [name]: dump }, { columns: 'all' });
  expect(files.map(({ collection, refused }) => [collection, refused])).toEqual([['sales', 0]]);
});
