/** The sample in `snapshots/` is what its program writes, and holds what a demo and the tests rely on. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { buildArticles } from '../../bench/sample/article-records.js';
import { earlierArticles, earlierProducts } from '../../bench/sample/earlier.js';
import { buildProducts } from '../../bench/sample/product-records.js';
import { FINDING_KINDS } from '../../src/load/report/findings.js';
import { appOf, datasetIn, getJson, sampleDir } from '../support/api.js';

const source = fileURLToPath(new URL('../../bench/sample', import.meta.url));
const articles = buildArticles(source);
const products = buildProducts(source);
const titles = [...articles, ...products].map(({ title }) => title);

test.each([
  ['articles', articles],
  ['products', products],
  ['previous/articles', earlierArticles(articles)],
  ['previous/products', earlierProducts(products)],
])('%s.json is what the program writes', (name, records) => {
  expect(JSON.parse(readFileSync(join(sampleDir, `${name}.json`), 'utf8'))).toEqual(records);
});

test('there is enough of it', () => {
  expect(articles.length).toBeGreaterThanOrEqual(300);
  expect(products.length).toBeGreaterThanOrEqual(300);
  for (const { content } of articles) expect(content.split(/[.!?。？！]["”’)]?\s/u).length).toBeGreaterThan(2);
  const categories = new Set(products.map(({ category }) => category));
  expect(categories.size).toBeGreaterThanOrEqual(12);
  expect([...categories]).toContain('Food & Drink');
  expect([...categories]).toContain('Sci-Fi/Fantasy');
  expect(products.every(({ imageUrl }) => imageUrl.startsWith('data:image/svg+xml,'))).toBe(true);
});

describe('titles hold', () => {
  test.each([
    ['accents', /[À-ÿ]/],
    ['quotes', /["“”]/],
    ['commas', /,/],
    ['emoji', /\p{Extended_Pictographic}/u],
    ['Japanese', /\p{sc=Hiragana}|\p{sc=Katakana}/u],
    ['Arabic', /\p{sc=Arabic}/u],
    ['formulas', /^[=+\-@]/],
  ])('%s', (_what, pattern) => expect(titles.filter((title) => pattern.test(title)).length).toBeGreaterThan(0));
});

describe('it shows off', () => {
  const served = datasetIn(sampleDir);
  const congee = '一碗粥 (one bowl of congee), four households';
  const japanese = '検索 and 索引: Why Our Japanese Search Found Nothing';

  test.each([
    ['words', 'silken tofu', [japanese, congee]],
    ['a phrase', '"silken tofu"', [japanese]],
    ['Chinese and Japanese', '豆腐', [congee, japanese]],
    ['emoji', '🍲', [japanese, congee]],
  ])('%s', async (_what, text, found) => {
    const path = `/api/articles/search?q=${encodeURIComponent(text)}`;
    const { data } = await getJson<{ data: readonly { title: string }[] }>(appOf(await served), path);
    const shown = data.map(({ title }) => title).filter((title) => title === congee || title === japanese);
    expect(shown.sort()).toEqual([...found].sort());
  });

  test('and gives no warning', async () => {
    const { report } = await served;
    expect(report.findings.filter(({ kind }) => FINDING_KINDS[kind].severity === 'warning')).toEqual([]);
  });
});
