/** However long records, searches and addresses are, a page is short: what is shown of each is bounded, and so is the work for it. */
import { describe, expect, test } from 'vitest';
import { appOf, datasetOf } from '../support/api.js';

const MEGABYTE = 1_000_000;
const longText = (part: string): string => part.repeat(Math.ceil(MEGABYTE / part.length));

const texts = {
  paragraphs: longText(`${'Tea and maps at https://example.org/1 again. '.repeat(9)}\n\n`),
  lines: longText('Tea and maps\n'),
  'one line': longText('Tea and maps, '),
  'one word': longText('x'),
  addresses: longText('https://example.org/a?b=c&d=<e> '),
  'signs that are escaped': longText('<&>"\''),
  'a script without spaces': longText('豆腐花生油'),
  punctuation: longText('....... '),
  'blank lines': `a${longText(' \n')}b`,
};
const names = Object.keys(texts);
const article = (id: number, title: string, content: string, tags: readonly string[]) => ({
  ...{ id, title, content, tags, url: 'https://example.org/', author: 'Ada', score: 1, comments: 1 },
  date: '2026-01-01T00:00:00Z',
});
const articles = [
  ...Object.entries(texts).map(([name, text], i) => article(i + 1, name, text, ['long'])),
  article(
    names.length + 1,
    longText('T'),
    'short',
    Array.from({ length: 20_000 }, (_, i) => `tag ${i} of many`),
  ),
];
const app = appOf(datasetOf({ articles }));

async function bytesOf(path: string): Promise<number> {
  const response = await app.request(path);
  expect(response.status).toBe(200);
  return (await response.arrayBuffer()).byteLength;
}

const MAX_PAGE_BYTES = 600_000;

describe('a page is short', () => {
  test.each([...names, 'a title and tags'].map((name, i) => [name, i + 1] as const))('of %s', async (_, id) => {
    expect(await bytesOf(`/articles/${id}`)).toBeLessThan(MAX_PAGE_BYTES);
    for (const q of ['tea maps', '豆腐', 'example', 'long']) {
      expect(await bytesOf(`/articles/${id}?q=${encodeURIComponent(q)}`), q).toBeLessThan(MAX_PAGE_BYTES);
    }
  });

  test.each([
    ['with all of them', '/articles'],
    ['with their texts', '/articles?fields=id,content,tags'],
    ['that were searched', `/articles?q=${encodeURIComponent('tea 豆腐')}`],
    ['without hits', `/articles?q=${encodeURIComponent('teq mapz 豆x')}&minScore=5&fuzzy=0`],
    [
      'with hundreds of conditions',
      `/articles?${'author=Ada&'.repeat(10)}${names
        .map((_, i) => `tag=tag ${i}&`)
        .join('')
        .repeat(15)}`,
    ],
  ])('%s', async (_, path) => {
    expect(await bytesOf(path)).toBeLessThan(MAX_PAGE_BYTES);
  });

  // They describe every parameter of all operations, which changes have as well.
  test.each(['/docs', '/api/openapi.json'])('%s, for its operations', async (path) => {
    expect(await bytesOf(path)).toBeLessThan(MAX_PAGE_BYTES);
  });

  test.each(['/articles', '/articles/1', '/articles/complete/tag'])(
    'a hundred values of %s, and no thousand',
    async (path) => {
      const valuesOf = (length: number): string => Array.from({ length }, (_, i) => `tag=tag ${i}`).join('&');
      expect((await app.request(`${path}?${valuesOf(100)}`)).status).toBe(200);
      const refused = await app.request(`${path}?${valuesOf(1000)}&missing=author`);
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('one value too many: this address takes 300 values of filters');
      expect((await app.request(`/api/articles?${valuesOf(1000)}`)).status).toBe(200);
    },
  );

  test('a text that is cut leads to the whole', async () => {
    const page = await (await app.request('/articles/2')).text();
    expect(page).toContain('These are the first 50,000 characters. <a href="/api/articles/2">');
  });
});
