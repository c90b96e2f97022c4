/** Real scrapes, where they are at hand: what the loader makes of them, against their raw text. */
import { existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { collections, type Value } from '../../src/model.js';
import type { RecordValues } from '../support/batch-writer.js';
import { loadFolder } from '../support/load.js';

const SHARED = resolve(import.meta.dirname, '../../../shared/data');
const isThere = existsSync(join(SHARED, 'raw'));

async function loadShared(...names: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'raw-'));
  for (const name of names) symlinkSync(join(SHARED, name), join(dir, name.replace(/^.*\//, '')));
  const loaded = await loadFolder(dir, { nowMs: Date.UTC(2026, 0, 1) });
  expect(loaded.fault).toBeUndefined();
  return loaded;
}

const rawText = (name: string): string => {
  const bytes = readFileSync(join(SHARED, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
};

type Row = Readonly<Record<string, Value | undefined>>;

const rowsOf = (collection: 0 | 1, records: readonly RecordValues[]): readonly Row[] =>
  records.map((values) =>
    Object.fromEntries(collections[collection].fields.map(({ name }, row) => [name, values[row]])),
  );

// Elsewhere the tests below are skipped without it.
it.runIf(process.env.CI)('CI has the real dumps', () => expect(isThere, `${SHARED} is missing`).toBe(true));

describe.skipIf(!isThere)(`raw scrapes (skipped where ${SHARED} is missing)`, () => {
  it('articles-hn.csv', async () => {
    const { records, files } = await loadShared('raw/articles-hn.csv');
    const [file] = files;
    expect(file).toMatchObject({
      records: 20_100,
      accepted: 20_100,
      refused: 0,
      replaced: 0,
      idsAssigned: 0,
      notKept: [],
    });
    const field = Object.fromEntries(file?.fields.map((report) => [report.field, report]) ?? []);
    expect(field.date).toMatchObject({
      repaired: 20_100,
      leftNull: 0,
      renamedFrom: [{ name: 'created_at', records: 20_100 }],
    });
    expect(field.score).toMatchObject({ repaired: 0, renamedFrom: [{ name: 'num_points', records: 20_100 }] });
    expect(field.comments).toMatchObject({ repaired: 0, renamedFrom: [{ name: 'num_comments', records: 20_100 }] });
    expect(field.url).toMatchObject({ present: 20_100 - 2440, repaired: 0 });
    expect(file?.mistakes[0]).toMatch(/^title: 75 texts of 20,100 look double-encoded, such as ".*BrontÃ«.*"$/);

    const rows = rowsOf(0, records);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const raw = rawText('raw/articles-hn.csv');
    const expected: readonly [string, Row][] = [
      [
        '12224879,Interactive Dynamic Video,http://www.interactivedynamicvideo.com/,386,52,ne0phyte,8/4/2016 11:52',
        {
          id: 12224879,
          title: 'Interactive Dynamic Video',
          url: 'http://www.interactivedynamicvideo.com/',
          score: 386,
          comments: 52,
          author: 'ne0phyte',
          date: '2016-08-04T11:52:00Z',
          content: null,
          tags: null,
        },
      ],
      [
        '10301696,Note by Note: The Making of Steinway L1037 (2007),http://www.nytimes.com/2007/11/07/movies/07stein.html?_r=0,8,2,walterbell,9/30/2015 4:12',
        { id: 10301696, score: 8, comments: 2, author: 'walterbell', date: '2015-09-30T04:12:00Z' },
      ],
      [
        '10557283,Nuts and Bolts Business Advice,,3,4,shomberj,11/13/2015 0:45',
        { id: 10557283, url: null, score: 3, comments: 4, date: '2015-11-13T00:45:00Z' },
      ],
      [
        '11337617,"Shims, Jigs and Other Woodworking Concepts to Conquer Technical Debt",',
        {
          id: 11337617,
          title: 'Shims, Jigs and Other Woodworking Concepts to Conquer Technical Debt',
          score: 34,
          comments: 7,
          author: 'zt',
          date: '2016-03-22T16:18:00Z',
        },
      ],
      [
        '11919867,Technology ventures: From Idea to Enterprise,',
        { id: 11919867, score: 3, comments: 1, author: 'hswarna', date: '2016-06-17T00:01:00Z' },
      ],
    ];
    for (const [line, values] of expected) {
      expect(raw).toContain(line);
      expect(byId.get(values.id)).toMatchObject(values);
    }
  });

  it('articles-18f.ndjson.gz', async () => {
    const { records, files } = await loadShared('raw/articles-18f.ndjson.gz');
    expect(files[0]).toMatchObject({ records: 509, accepted: 509, refused: 0, idsAssigned: 0, notKept: [] });
    expect(files[0]?.fields.flatMap(({ field, repairs }) => repairs.map((example) => ({ field, ...example })))).toEqual(
      [{ field: 'date', record: 509, line: 509, raw: '"2024-12-5-T00:00:00Z"', read: '2024-12-05T00:00:00Z' }],
    );
    const raw = rawText('raw/articles-18f.ndjson.gz')
      .trim()
      .split('\n')
      .map((line): Row => JSON.parse(line));
    for (const [i, row] of rowsOf(0, records).entries())
      expect(row).toEqual(i === 508 ? { ...raw[i], date: '2024-12-05T00:00:00Z' } : raw[i]);
    expect(rowsOf(0, records)[0]).toMatchObject({
      id: 1,
      title: 'Coming soon',
      score: null,
      comments: null,
      author: '18F',
      date: '2014-03-12T00:00:00Z',
      tags: ['18f'],
    });
    expect(files[0]?.mistakes).toEqual(['no record has a value for score, comments']);
  });

  it('products-bookdepository.csv', async () => {
    const { records, files } = await loadShared('raw/products-bookdepository.csv');
    expect(files[0]).toMatchObject({
      records: 12_819,
      accepted: 12_819,
      refused: 0,
      idsAssigned: 12_819,
      mistakes: ['price: several currencies, none is converted: US$, HK$'],
    });
    const field = Object.fromEntries(files[0]?.fields.map((report) => [report.field, report]) ?? []);
    expect(field.price).toMatchObject({
      repaired: 116,
      leftNull: 0,
      repairs: [{ record: 360, line: 361, raw: '"US$9.56"', read: 9.56 }],
    });
    expect(field.author?.present).toBe(12_819 - 66);
    expect(field.rating?.renamedFrom).toEqual([{ name: 'book_depository_stars', records: 12_819 }]);
    expect(files[0]?.notKept.map(({ name }) => name)).toEqual(['format', 'currency', 'old_price', 'isbn', 'img_paths']);
    // The cleaned file holds the same books; it was made by other means.
    const clean: readonly Row[] = JSON.parse(rawText('clean/products-bookdepository.json'));
    const rows = rowsOf(1, records);
    expect(rows.length).toBe(clean.length);
    for (const [i, row] of rows.entries())
      expect(row).toMatchObject({
        id: i + 1,
        title: clean[i]?.title,
        price: clean[i]?.price,
        rating: clean[i]?.rating,
        category: clean[i]?.category,
        imageUrl: clean[i]?.imageUrl,
      });
    expect(rows[0]).toMatchObject({
      title: 'Fantastic Beasts and Where to Find Them',
      author: 'J. K. Rowling',
      price: 11.05,
      rating: 4.5,
      category: 'Art-Photography',
    });
    expect(rows[3]).toMatchObject({
      title: 'Moleskine Large Watercolour Album And Notebook',
      author: 'Moleskine',
      price: 11.86,
      rating: 0,
    });
  });

  it('products-goodbooks.csv', async () => {
    const { records, files } = await loadShared('raw/products-goodbooks.csv');
    expect(files[0]).toMatchObject({ records: 10_000, accepted: 10_000, refused: 0, idsAssigned: 0 });
    const found = files[0]?.fields.filter(({ repaired, leftNull }) => repaired + leftNull > 0) ?? [];
    expect(found.map(({ field, repaired, leftNull }) => [field, repaired, leftNull])).toEqual([['title', 38, 0]]);
    expect(files[0]?.fields.find(({ field }) => field === 'title')?.passedOver).toEqual([
      { name: 'original_title', records: 10_000 },
    ]);
    expect(files[0]?.mistakes).toEqual(['no record has a value for price, category']);
    const rows = rowsOf(1, records);
    expect(rows.slice(0, 2)).toEqual([
      {
        id: 1,
        title: 'The Hunger Games (The Hunger Games, #1)',
        author: 'Suzanne Collins',
        price: null,
        imageUrl: 'https://images.gr-assets.com/books/1447303603m/2767052.jpg',
        rating: 4.34,
        category: null,
      },
      {
        id: 2,
        title: "Harry Potter and the Sorcerer's Stone (Harry Potter, #1)",
        author: 'J.K. Rowling, Mary GrandPré',
        price: null,
        imageUrl: 'https://images.gr-assets.com/books/1474154022m/3.jpg',
        rating: 4.44,
        category: null,
      },
    ]);
    expect(rows[3]).toMatchObject({ id: 4, title: 'To Kill a Mockingbird', author: 'Harper Lee', rating: 4.25 });
  });

  it('products-toscrape.json', async () => {
    const { records, files } = await loadShared('raw/products-toscrape.json');
    expect(files[0]).toMatchObject({ records: 1000, accepted: 1000, refused: 0, idsAssigned: 1000 });
    expect(files[0]?.fields.map(({ repaired }) => repaired)).toEqual([0, 0, 0, 1000, 0, 0, 0]);
    expect(files[0]?.notKept.map(({ name }) => name)).toEqual([
      'url',
      'scrape_date',
      'description',
      'tax',
      'availability',
      'upc',
    ]);
    const raw: readonly Row[] = JSON.parse(rawText('raw/products-toscrape.json'));
    for (const [i, row] of rowsOf(1, records).entries())
      expect(row).toEqual({
        id: i + 1,
        title: raw[i]?.name,
        author: null,
        price: Number(String(raw[i]?.price).slice(1)),
        imageUrl: null,
        rating: raw[i]?.rating,
        category: null,
      });
    expect(rowsOf(1, records)[0]).toMatchObject({ title: 'A Light in the Attic', price: 51.77, rating: 3 });
  });

  it('products-toscrape-stars.csv', async () => {
    const { records, files } = await loadShared('raw/products-toscrape-stars.csv');
    expect(files[0]).toMatchObject({ records: 1000, accepted: 1000, refused: 0, idsAssigned: 1000 });
    expect(files[0]?.fields.map(({ repaired }) => repaired)).toEqual([0, 0, 0, 1000, 0, 0, 0]);
    expect(files[0]?.notKept.map(({ name }) => name)).toEqual(['Availability', 'book_link']);
    expect(rowsOf(1, records).slice(0, 2)).toEqual([
      {
        id: 1,
        title: 'A Light in the ...',
        author: null,
        price: 51.77,
        imageUrl: 'https://books.toscrape.com/media/cache/2c/da/2cdad67c44b002e7ead0cc35693c0e8b.jpg',
        rating: 3,
        category: null,
      },
      {
        id: 2,
        title: 'Tipping the Velvet',
        author: null,
        price: 53.74,
        imageUrl: 'https://books.toscrape.com/media/cache/26/0c/260c6ae16bce31c8f8c95daddd9f4a1c.jpg',
        rating: 1,
        category: null,
      },
    ]);
  });

  it('all of them in one folder: assigned ids begin behind the largest real one', async () => {
    const { records, files } = await loadShared(
      'raw/products-bookdepository.csv',
      'raw/products-goodbooks.csv',
      'raw/products-toscrape.json',
      'raw/products-toscrape-stars.csv',
    );
    expect(files.map(({ file, idsAssigned, replaced }) => [file, idsAssigned, replaced])).toEqual([
      ['products-goodbooks.csv', 0, 0],
      ['products-bookdepository.csv', 12_819, 0],
      ['products-toscrape-stars.csv', 1000, 0],
      ['products-toscrape.json', 1000, 0],
    ]);
    expect(new Set(records.map(([id]) => id)).size).toBe(24_819);
    expect([records[0]?.[0], records[10_000]?.[0], records.at(-1)?.[0]]).toEqual([1, 10_001, 24_819]);
  });

  it('the clean files need no repair', async () => {
    const { files } = await loadShared('clean/articles-hn-2016.json', 'clean/products-bookdepository.json');
    expect(
      files.map(({ accepted, fields }) => [accepted, fields.some(({ repaired, leftNull }) => repaired + leftNull > 0)]),
    ).toEqual([
      [20_100, false],
      [12_819, false],
    ]);
  });
});
