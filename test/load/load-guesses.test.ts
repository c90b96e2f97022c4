/** Which column a field without one is guessed to have, and what mappings say of paths. */
import { describe, expect, it } from 'vitest';
import { createPlan } from '../../src/load/fields/plan.js';
import type { SampleRecord } from '../../src/load/profile/sample.js';
import { checkText } from '../../src/load/report/report-text.js';
import { collections, type DocumentedName } from '../../src/model.js';
import { loadFiles } from '../support/load.js';

const modelOf = (name: DocumentedName) => collections.find((model) => model.name === name) ?? collections[0];

/** Six records with a title, in which each column has these values in turn. */
function guessed(name: DocumentedName, columns: Readonly<Record<string, readonly unknown[]>>, isCsv = false) {
  const names = ['title', ...Object.keys(columns)];
  const sample = Array.from({ length: 6 }, (_, i): SampleRecord => {
    return { names, cells: [`Title ${i}`, ...Object.values(columns).map((values) => values[i % values.length])] };
  });
  const plan = createPlan({ model: modelOf(name), mapping: new Map(), isCsv }, sample);
  const guesses = [...plan.fed.values()].filter(({ guess }) => guess !== undefined);
  return Object.fromEntries(guesses.map(({ field, text }) => [field, text]));
}

describe('guesses', () => {
  it.each<[DocumentedName, Readonly<Record<string, readonly unknown[]>>, Readonly<Record<string, string>>]>([
    ['products', { 'User Rating': [4.7, 4.6], Reviews: [17350, 2052] }, { rating: 'User Rating' }],
    [
      'products',
      { customerReviewAverage: [4.7, 4.1], customerReviewCount: [9, 31] },
      { rating: 'customerReviewAverage' },
    ],
    ['products', { rating_count: [4, 3], num_ratings: [5, 2], ratings_5: [1, 2], 'Best Rating': [5] }, {}],
    ['products', { 'Critic Rating': [12, 4000] }, {}],
    ['products', { 'Age Rating': [3, 4], 'Energy Rating': [2, 1] }, {}],
    ['products', { 'Main Genre': ['Poetry', 'Crime'], Type: ['Paperback', 'Audio'] }, { category: 'Main Genre' }],
    ['products', { Type: ['Paperback', 'Audio'] }, { category: 'Type' }],
    ['products', { '@type': ['Product'], Type: ['Product'] }, {}],
    [
      'products',
      { thumbnailImage: ['https://a.example/1.jpg', 'https://a.example/2.jpg'] },
      { imageUrl: 'thumbnailImage' },
    ],
    ['products', { imageCount: [3, 4], author_image: ['https://a.example/me.jpg'] }, {}],
    ['articles', { date_download: ['2024-03-05'] }, {}],
    ['products', { 'Shipping Cost': [3, 2], price_range: ['1-2'], 'Price change': [1, 2] }, {}],
    ['products', { 'Old Price': [9, 8], 'Shipping Cost': [3, 2] }, { price: 'Old Price' }],
    ['products', { UVP: [9, 8], 'Book Price': ['£9.50'] }, { price: 'Book Price' }],
    ['products', { actual_price: ['₹58,990', '₹75,990'], 'Book Price': ['₹9.50'] }, { price: 'Book Price' }],
    ['products', { actual_price: ['₹58,990', '₹75,990'] }, { price: 'actual_price' }],
    ['products', { discount: ['₹5'], actual_price: ['₹58,990'] }, { price: 'actual_price' }],
    ['products', { 'VK-Preis': ['3,90 €', '4 €'], UVP: ['5 €'] }, { price: 'VK-Preis' }],
    ['products', { list_price: ['US$9.99'], Betrag: ['$12'] }, { price: 'Betrag' }],
    ['products', { Kosten: ['3,90 €', '14,50 €'], Porto: ['3,90'] }, { price: 'Kosten' }],
    ['products', { Wert: ['3,90', '14,50'], Gewicht: ['1,2', '3,4'] }, { price: 'Wert' }],
    ['products', { Wert: ['3,90', '4,50'] }, {}],
    ['products', { Wert: ['GEL 12.50', 'XAF 900', 'BAM 3.20', '0.5 ETH'] }, { price: 'Wert' }],
    ['products', { Wert: ['SKU 0012', 'EAN 13'] }, {}],
    ['products', { Versand: ['3,90 €', '14,50 €'] }, {}],
    ['products', { Wertung: ['4,5 von 5 Sternen', '3/5'], Menge: ['3', '4'] }, { rating: 'Wertung' }],
    ['products', { Ansicht: ['/a.jpg', 'https://a.example/b.png?x=1'] }, { imageUrl: 'Ansicht' }],
    ['products', { Seite: ['/a.html', 'https://a.example/b'] }, {}],
    ['articles', { Stand: ['5. März 2024', '6. März 2024'], scraped_at: ['2024-03-07'] }, { date: 'Stand' }],
    ['articles', { Stand: [1709631000, 1709631001], updated: ['2024-03-05'] }, { date: 'updated' }],
    ['articles', { canonical: ['https://a.example/1', '/2'], source: ['The Times', 'Post'] }, { url: 'canonical' }],
    ['articles', { views: [5, 90] }, { score: 'views' }],
    ['products', { 'Dept.': ['Tea', 'Salt'], brand: ['Acme', 'Foo'] }, { category: 'Dept.' }],
    ['products', { type: ['product', 'article'] }, {}],
    ['products', { 'Book Price': ['£9.50', '£8.00'] }, { price: 'Book Price' }],
    ['articles', { dt: ['2024-03-05T09:30:00Z', '2024-03-06T09:30:00Z'] }, { date: 'dt' }],
    ['articles', { created_at_i: [1709631000, 1709631001] }, { date: 'created_at_i' }],
    ['articles', { updated_time: [1709631000], 'reading time': [5, 7], scrape_date: ['2024-03-05'] }, {}],
    ['articles', { webPublicationDate: ['2024-03-05T09:30:00Z'] }, { date: 'webPublicationDate' }],
    ['articles', { 'Author Url': ['https://a.example/me'], author_id: [3, 4] }, {}],
    ['articles', { 'Story Link': ['https://a.example/1', 'https://a.example/2'] }, { url: 'Story Link' }],
    ['articles', { image_link: ['https://a.example/1.jpg'] }, {}],
    ['articles', { commentsOpen: [true, false], comment_status: ['open'] }, {}],
    ['articles', { 'Total Likes': [5, 90] }, { score: 'Total Likes' }],
  ])('%s %j', (name, columns, expected) => {
    expect(guessed(name, columns)).toEqual(expected);
  });

  it('titles are guessed where nothing is named so', () => {
    const sample = ['Tides rise', 'Days fall'].map((title) => ({
      names: ['webTitle', 'sectionTitle'],
      cells: [title, 'World'],
    }));
    const { fed } = createPlan({ model: modelOf('articles'), mapping: new Map(), isCsv: false }, sample);
    expect(fed.get('title')).toMatchObject({ text: 'webTitle', guess: 'words' });
  });

  it('titles are not names of people and albums', () => {
    const titleOf = (names: readonly string[]) => {
      const sample = ['Ada', 'Bo'].map((value) => ({ names, cells: names.map((name) => `${name} of ${value}`) }));
      const { fed } = createPlan({ model: modelOf('products'), mapping: new Map(), isCsv: true }, sample);
      return fed.get('title')?.text;
    };
    expect(titleOf(['artists', 'album_name', 'track_name'])).toBe('track_name');
    expect(titleOf(['subject', 'course_title'])).toBe('course_title');
    expect(titleOf(['reviewerName', 'host_name', 'subject'])).toBe('subject');
  });

  it('are made of CSV, said in the report, and overruled', async () => {
    const csv = 'title,User Rating,Type\nTea,4.7,Hot\nIce,4.1,Cold\n';
    const { files, records, result } = await loadFiles({ 'products.csv': csv });
    expect(records.map((values) => values[5])).toEqual([4.7, 4.1]);
    expect(files[0]?.decisions).toEqual([
      'rating: guessed from "User Rating"; {"User Rating":null} in products.mapping.json keeps it out',
      'category: guessed from "Type"; {"Type":null} in products.mapping.json keeps it out',
    ]);
    const lines = result.ok ? checkText(result.report) : [];
    expect(lines.filter((line) => line.startsWith('  rating: '))).toEqual([`  ${files[0]?.decisions[0]}`]);
    const mapped = await loadFiles({
      'products.csv': csv,
      'products.mapping.json': '{"User Rating":null,"Type":null}',
    });
    expect(mapped.files[0]?.decisions).toEqual([]);
    expect(mapped.records[0]?.slice(5)).toEqual([null, null]);
    expect(mapped.warnings).toEqual([]);
  });

  it('are repairs to --strict', async () => {
    const { fault } = await loadFiles(
      { 'products.json': '[{"id":1,"title":"t","User Rating":4.7}]' },
      { strict: true },
    );
    expect(fault).toBe(
      'products.json: rating: guessed from "User Rating"; {"User Rating":null} in products.mapping.json keeps it out; --strict allows no guess',
    );
  });

  it('are the same for records past the sample', async () => {
    const records = Array.from({ length: 1500 }, (_, i) => ({
      id: i,
      title: `t${i}`,
      'User Rating': i < 1200 ? 4.5 : 9000,
    }));
    const { files, records: values } = await loadFiles({ 'products.json': JSON.stringify(records) });
    expect([values[1100]?.[5], values[1400]?.[5]]).toEqual([4.5, 9000]);
    expect(files[0]?.fields[5]?.renamedFrom).toEqual([{ name: 'User Rating', records: 1500 }]);
  });
});

describe('a mapping', () => {
  const record = {
    info: { names: [{ long: 'Tea, black' }], made: '2024-03-05' },
    variants: [{ price: 3 }, { price: 4 }],
    stars: 5,
    'a.b': 4,
    rating: 1,
  };
  const load = (mapping: object) =>
    loadFiles({ 'products.json': JSON.stringify([record]), 'products.mapping.json': JSON.stringify(mapping) });

  it('takes paths, and names with a dot in them', async () => {
    const { records, files, warnings } = await load({
      'info.names[0].long': 'title',
      'variants[1].price': 'price',
      'a.b': 'rating',
    });
    expect(records[0]).toEqual([1, 'Tea, black', null, 4, null, 4, null]);
    expect(files[0]?.fields[1]?.renamedFrom).toEqual([{ name: 'info.names[0].long', records: 1 }]);
    expect(warnings).toEqual([]);
  });

  it('keeps a column out with null', async () => {
    const { records } = await load({ 'info.names.long': 'title', rating: null });
    expect(records[0]?.[5]).toBe(5);
    expect((await load({ 'info.names.long': 'title', rating: null, stars: null })).records[0]?.[5]).toBeNull();
  });

  it('is warned of where its path leads nowhere', async () => {
    const { warnings } = await load({ 'info.names.long': 'title', 'info.maker': 'author' });
    expect(warnings).toEqual(['products.mapping.json: no record has a value named "info.maker"']);
  });
});
