/**
 * The same records as a scraper leaves them: under other names, with other spellings, as JSON or as CSV. Loading either gives
 * the records that the clean dump gives, without a mapping: a value that the other spelling cannot carry keeps its own.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { DocumentedName, Value } from '../../src/model.js';

export type PlainRecord = Readonly<Record<string, Value>>;

/** Field → the scraper's name for it, in the order of the dump. */
const NAMES: Readonly<Record<DocumentedName, Readonly<Record<string, string>>>> = {
  articles: {
    id: 'article_id',
    title: 'headline',
    url: 'link',
    score: 'points',
    comments: 'num_comments',
    author: 'byline',
    date: 'created_at',
    content: 'body',
    tags: 'keywords',
  },
  products: {
    id: 'product_id',
    title: 'name',
    author: 'by',
    price: 'current_price',
    imageUrl: 'thumbnail',
    rating: 'stars',
    category: 'department',
  },
};

/** Field → the scraper's spelling of a value that is there. */
const SPELLINGS: Readonly<Record<string, (value: Value) => Value>> = {
  id: String,
  comments: String,
  score: (value) => `${value} points`,
  price: (value) => (isDecimal(value) ? `£${value}` : value),
  rating: (value) => (isDecimal(value) ? `${value} out of 5 stars` : value),
  date: spellDate,
  tags: (value) => (Array.isArray(value) && value.every(isPlainTag) ? value.join(', ') : value),
};

const isDecimal = (value: Value): boolean => /^\d+(?:\.\d+)?$/.test(String(value));
const isPlainTag = (tag: string): boolean => /^[\p{L}\p{N}]+$/u.test(tag);

/** Epoch seconds; a smaller number, or one with a fraction, is not certain to be read as a date, and stays a text. */
function spellDate(value: Value): Value {
  const seconds = Date.parse(String(value)) / 1000;
  return seconds >= 1e8 && Number.isInteger(seconds) ? seconds : String(value).replace('T', ' ').replace('Z', '+00:00');
}

export const asScraped = (name: DocumentedName, record: PlainRecord): PlainRecord =>
  Object.fromEntries(
    Object.entries(NAMES[name]).map(([field, scraped]) => {
      const value = record[field] ?? null;
      return [scraped, value === null ? null : (SPELLINGS[field]?.(value) ?? value)];
    }),
  );

export const csvHeader = (name: DocumentedName): string => Object.values(NAMES[name]).join(',');

/** The values as a program writes them into CSV (RFC 4180): numbers and timestamps plain, a list as JSON. */
export const asCsvLine = (name: DocumentedName, record: PlainRecord): string =>
  Object.keys(NAMES[name])
    .map((field) => csvCell(record[field] ?? null))
    .join(',');

function csvCell(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type Respelling = (name: DocumentedName, record: PlainRecord, i: number) => object;

/** Columns of a scrape that feed no field. */
export const withUnused: Respelling = (name, record, i) => ({
  ...asScraped(name, record),
  crawl_job: `job-${i % 7}`,
  fetched_by: 'spider-3',
  http_status: 200,
  html_bytes: 20_000 + ((i * 7919) % 90_000),
  breadcrumbs: ['Home', `Level ${i % 40}`],
  robots: { index: true, follow: i % 2 === 0 },
});

const germanAmount = new Intl.NumberFormat('de', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Prices as a German shop writes them: `1.234,50 €`. Others stay numbers, since a second currency would have a field of its own. */
export const withGermanPrices: Respelling = (name, record) => {
  const { price = null } = record;
  const isAmount = typeof price === 'number' && price >= 0 && price < 1e6 && Number(price.toFixed(2)) === price;
  const spelled = isAmount ? `${germanAmount.format(price)} €` : price;
  return { ...asScraped(name, record), ...('price' in record && { current_price: spelled }) };
};

/** Re-spells a clean dump, which has a record a line. */
export const writeScraped = (
  name: DocumentedName,
  cleanPath: string,
  path: string,
  respell: Respelling,
): Promise<void> =>
  writeLines(
    cleanPath,
    path,
    (record, i) => `${i === 0 ? '[\n' : ',\n'}${JSON.stringify(respell(name, record, i))}`,
    '\n]\n',
  );

export const writeCsv = (name: DocumentedName, cleanPath: string, path: string): Promise<void> =>
  writeLines(
    cleanPath,
    path,
    (record, i) => `${i === 0 ? `${csvHeader(name)}\r\n` : ''}${asCsvLine(name, record)}\r\n`,
    '',
  );

async function writeLines(
  cleanPath: string,
  path: string,
  spell: (record: PlainRecord, i: number) => string,
  end: string,
): Promise<void> {
  await pipeline(async function* () {
    let text = '';
    let i = 0;
    for await (const record of recordsIn(cleanPath)) {
      text += spell(record, i++);
      if (i % 1000 !== 0) continue;
      yield text;
      text = '';
    }
    yield text + end;
  }, createWriteStream(path));
}

/** The records of a dump that has one a line. */
export async function* recordsIn(cleanPath: string): AsyncGenerator<PlainRecord> {
  for await (const line of createInterface({ input: createReadStream(cleanPath) }))
    if (line.startsWith('{')) yield JSON.parse(line.replace(/,$/, ''));
}
