/** Dumps of which every title names its edition, so that an answer of two editions shows; each has a size of its own. */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { below, type Random, seeded } from '../test/support/random.js';

export const EDITIONS = 6;
const EDITION_ARTICLES = 10_000;
const EDITION_PRODUCTS = 20_000;
const CONTENT_WORDS = 100;
const ROOT = resolve('.build/dumps/editions');

export const WORDS = 'river stone market winter signal garden copper window paper mountain story engine'.split(' ');
export const CATEGORIES = ['Tools', 'Books', 'Tea & Salt', 'Maps'];
export const sizeOf = (collection: 'articles' | 'products', edition: number): number =>
  (collection === 'articles' ? EDITION_ARTICLES : EDITION_PRODUCTS) + edition;

const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => WORDS[below(random, WORDS.length)]).join(' ');

function* articles(edition: number): Iterable<object> {
  const random = seeded(edition);
  for (let id = 1; id <= sizeOf('articles', edition); id++)
    yield {
      id,
      title: `${words(random, 3)} edition-${edition}`,
      score: below(random, 500),
      date: new Date(1.4e12 + below(random, 3e8) * 1000).toISOString(),
      content: words(random, CONTENT_WORDS),
      tags: [words(random, 1)],
    };
}

function* products(edition: number): Iterable<object> {
  const random = seeded(edition);
  for (let id = 1; id <= sizeOf('products', edition); id++)
    yield {
      id,
      title: `${words(random, 3)} edition-${edition}`,
      price: below(random, 10_000) / 100,
      rating: below(random, 11) / 2,
      category: CATEGORIES[below(random, CATEGORIES.length)],
    };
}

const textOf = (records: Iterable<object>): string => [...records].map((record) => JSON.stringify(record)).join('\n');

/** A folder of its own for each edition, and one whose articles are cut off. */
export function writeEditions(): void {
  if (existsSync(ROOT)) return;
  for (let edition = 0; edition < EDITIONS; edition++) {
    mkdirSync(folderOf(edition), { recursive: true });
    writeFileSync(join(folderOf(edition), 'articles.ndjson'), textOf(articles(edition)));
    writeFileSync(join(folderOf(edition), 'products.ndjson'), textOf(products(edition)));
  }
  mkdirSync(folderOf('broken'));
  writeFileSync(
    join(folderOf('broken'), 'articles.json'),
    `[${textOf(articles(0)).replaceAll('\n', ',').slice(0, -9)}`,
  );
}

const folderOf = (edition: number | 'broken'): string => join(ROOT, String(edition));

/** The folder that is served: a link, which is put to another edition's in one step. */
export const SERVED = join(ROOT, 'served');

export function put(edition: number | 'broken'): void {
  const next = join(ROOT, 'next');
  rmSync(next, { force: true });
  symlinkSync(folderOf(edition), next);
  renameSync(next, SERVED);
}
