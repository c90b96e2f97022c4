/** The same records from any format are the same dataset: one version, and exports equal to the byte. */

import { expect, test } from 'vitest';
import type { DocumentedName } from '../../src/model.js';
import { appOf, datasetIn } from '../support/api.js';
import { names } from '../support/oracle.js';
import { withFolder } from '../support/program.js';
import { below, seeded } from '../support/random.js';
import {
  asCsvLine,
  asScraped,
  csvHeader,
  type PlainRecord,
  type Respelling,
  withGermanPrices,
} from '../support/scraper-dumps.js';

const RECORDS = 400;

const random = seeded(29);
const one = <T>(of: readonly T[]): T => of[below(random, of.length)]!;
/** One of four is missing. */
const maybe = <T>(value: T): T | null => (below(random, 4) === 0 ? null : value);

const TEXTS = [
  'Tea',
  'She said "no", twice',
  'C:\\temp\\new',
  'first line\nsecond line\r\nthird\ttabbed',
  'a,b;c|d',
  'Café – naïve “quotes” … 東京 🦀',
  "l'été",
  "'quoted'",
  '=1+1',
  '-5 °C',
  '@home',
  '',
  ' spaces around ',
  'null',
  'N/A',
  '0012',
  'a\u2028b\u0001c',
  '</script>&amp;',
  '[brackets] {braces}',
];
const text = (): string =>
  Array.from({ length: 1 + below(random, 3) }, () => one(TEXTS)).join(one([' ', '', ', ', '\n']));
/** White space around names, and words for no value, are left out of a scrape, and kept in our own exports. */
const name = (): string =>
  text()
    .trim()
    .replace(/^(?:null|N\/A)$/, 'void');
const title = (): string => `${text()}x`.trim();
const word = (): string => one(['tea', 'Käse', 'news', 'a, b', '"', "'=", 'x|y', '2016', '東京', 'semi;colon']);

function makeArticle(id: number): PlainRecord {
  const date = new Date(one([0, 1e11, 1.4e12, 4e12]) + below(random, 3e8) * 1000 + one([0, 0, 7]));
  return {
    id,
    title: title(),
    url: maybe(`https://example.org/${id}?q="a",b`),
    score: maybe(one([0, 1, 386, -12, 1_234_567, Number.MAX_SAFE_INTEGER])),
    comments: maybe(below(random, 90)),
    author: maybe(name()),
    date: maybe(date.toISOString().replace('.000', '')),
    content: maybe(text().replace(/^(?:null|N\/A)$/, 'void')),
    tags: maybe(Array.from({ length: 1 + below(random, 3) }, word)),
  };
}

const makeProduct = (id: number): PlainRecord => ({
  id,
  title: title(),
  author: maybe(name()),
  price: maybe(one([0, 47.01, 51.7, 1234.5, 0.125, 1e-7, 1e21, -3.5, 99])),
  imageUrl: maybe(`/img/${id}.jpg`),
  rating: maybe(below(random, 11) / 2),
  category: maybe(name()),
});

/** Ids leave gaps, are negative, and do not stand in order. */
const ids = Array.from({ length: RECORDS }, (_, i) => ((i * 7919) % 4003) - 20);

const records: Readonly<Record<DocumentedName, readonly PlainRecord[]>> = {
  articles: ids.map(makeArticle),
  products: ids.map(makeProduct),
};

const lines = (some: readonly unknown[]): string => some.map((each) => `${JSON.stringify(each)}\n`).join('');
/** Short texts as they stand in the markup of a page. */
function withEntities(record: PlainRecord): PlainRecord {
  const spelled = (value: PlainRecord[string]): PlainRecord[string] => {
    if (Array.isArray(value)) return value.map((text) => text.replaceAll('&', '&amp;'));
    return typeof value === 'string' ? value.replaceAll('&', '&amp;') : value;
  };
  const short = Object.entries(record).filter(([name]) => ['title', 'author', 'category', 'tags'].includes(name));
  return { ...record, ...Object.fromEntries(short.map(([name, value]) => [name, spelled(value)])) };
}
const scraped = (name: DocumentedName, respell: Respelling = asScraped): readonly object[] =>
  records[name].map((each, i) => respell(name, withEntities(each), i));
const csv = (name: DocumentedName): string =>
  [csvHeader(name), ...records[name].map((each) => asCsvLine(name, withEntities(each)))]
    .map((line) => `${line}\r\n`)
    .join('');

type Format = readonly [what: string, extension: string, write: (name: DocumentedName) => string];
const formats: readonly Format[] = [
  ["a scraper's JSON", 'json', (name) => JSON.stringify(scraped(name))],
  ["a scraper's JSON in an envelope, indented", 'json', (name) => JSON.stringify({ results: scraped(name) }, null, 2)],
  ["a scraper's NDJSON", 'ndjson', (name) => lines(scraped(name))],
  ["a scraper's JSON with German prices", 'json', (name) => JSON.stringify(scraped(name, withGermanPrices))],
  ['NDJSON', 'ndjson', (name) => lines(records[name])],
  ['CSV', 'csv', csv],
];

/** The dataset version, and the exports in full. */
const loaded = (extension: string, write: (name: DocumentedName) => string) =>
  withFolder(Object.fromEntries(names.map((name) => [`${name}.${extension}`, write(name)])), async (dir) => {
    const served = await datasetIn(dir);
    const app = appOf(served);
    const exports = names.map(async (name) => (await app.request(`/api/export/${name}`)).text());
    return { version: served.dataset.version, exports: await Promise.all(exports) };
  });

const clean = await loaded('json', (name) => JSON.stringify(records[name]));

test('clean JSON keeps every record as it is', () => {
  expect(clean.exports.map((text) => JSON.parse(text))).toEqual(names.map((name) => records[name].map(withoutNoTags)));
});

/** Tags that a record lacks are left out, every other field is null. */
function withoutNoTags({ tags, ...others }: PlainRecord): PlainRecord {
  return tags ? { ...others, tags } : others;
}

test.each(formats)('%s is the same dataset', async (_, extension, write) => {
  expect(await loaded(extension, write)).toEqual(clean);
});
