/** A record as a page: its fields, its text, and its picture. */
import { describe, expect, test } from 'vitest';
import { parseDataImage } from '../../src/http/pages/record/image.js';
import { paragraphsOf } from '../../src/http/pages/record/paragraphs.js';
import { appOf, datasetIn, datasetOf, sampleDir } from '../support/api.js';
import { withFolder } from '../support/program.js';

const textOf = async (path: string, from: ReturnType<typeof appOf>): Promise<string> =>
  (await from.request(path)).text();

describe('a record', () => {
  const one = appOf(
    datasetOf({
      articles: [
        {
          id: 1,
          title: 'Whole',
          url: 'https://www.a.test/b',
          score: 4,
          author: 'Ann',
          date: '2024-01-31',
          content: 'Text',
        },
        { id: 2, title: 'Bare', url: 'javascript:alert(1)' },
      ],
      products: [
        { id: 1, title: 'Bare' },
        { id: 2, title: 'Drawn', imageUrl: 'data:image/svg+xml,%3Csvg%3E', category: 'C' },
        { id: 3, title: 'Photographed', imageUrl: 'data:image/png;base64,AAEC' },
      ],
    }),
  );
  const without = (markup: string): string => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

  test('is its title, one line about it, then its text, with a link to its source', async () => {
    const page = await textOf('/articles/1', one);
    const article = without(/<article.*<\/article>/s.exec(page)?.[0] ?? '');
    expect(article).toMatch(/^ Whole Author Ann Date 31 January 2024 Score 4 Source a\.test\/b Content Text ID 1 $/);
    expect(page).toContain('<a class="out" href="https://www.a.test/b" rel="noopener noreferrer nofollow">');
  });

  test('names its empty fields, and has no line, dash or link for them', async () => {
    const article = without(/<article.*<\/article>/s.exec(await textOf('/articles/2', one))?.[0] ?? '');
    expect(article).toBe(' Bare ID 2 URL javascript:alert(1) Empty: score, author, date, content ');
    for (const path of ['/products', '/products/1']) {
      const main = /<(?:tbody|article).*?<\/(?:tbody|article)>/s.exec(await textOf(path, one));
      expect(without(main?.[0] ?? ''), path).not.toMatch(/none|–|&ndash;|null/);
    }
  });

  test('tells of a picture that stands in it', async () => {
    expect(await textOf('/products/2', one)).toContain('SVG in the record, 28 characters');
    expect(await textOf('/products/3', one)).toContain('image/png in the record, 26 characters');
  });
});

test('a range has both ends, a text its own direction, and a missing picture no place', async () => {
  const jobs = Array.from({ length: 9 }, (_, i) => ({
    job: `כותרת ${i}`,
    pay: `€${50 + i}k – €${60 + i}k`,
    image: null,
  }));
  await withFolder({ 'jobs.json': JSON.stringify(jobs) }, async (dir) => {
    const page = await textOf('/jobs/1', appOf(await datasetIn(dir)));
    expect(page).toContain('<h1 dir="auto">כותרת 0</h1>');
    expect(page.replace(/<[^>]*>/g, '')).toContain('Pay €50,000 &ndash; €60,000');
    expect(page.replace(/<[^>]*>/g, '')).not.toContain('Pay to');
    expect(page).not.toContain('class="cover');
  });
});

test('of a collection of its own leads with its measures, which also tell similar records apart', () => {
  const flat = (id: number, rent: number, size: number) => `${id},3-room flat in Mitte,"€${rent}.50",${size} m²,Mitte`;
  const rows = ['id,title,rent,floor space,district', flat(1, 900, 70), flat(2, 1100, 80), flat(3, 1300, 90)];
  return withFolder({ 'flats.csv': rows.join('\n') }, async (dir) => {
    const page = await textOf('/flats/1', appOf(await datasetIn(dir)));
    const words = (markup = ''): string =>
      markup
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim();
    expect(words(/<dl class="meta.*?<\/dl>/s.exec(page)?.[0])).toMatch(/^Rent €900\.50 Floor space 70\sm²$/);
    const similar = words(/<aside.*<\/aside>/s.exec(page)?.[0]);
    expect(similar).toMatch(/3-room flat in Mitte €1,100\.50 · 80\sm²/);
    expect(similar).toMatch(/3-room flat in Mitte €1,300\.50 · 90\sm²/);
  });
});

describe('a product', () => {
  const shop = appOf(
    datasetOf({
      products: Array.from({ length: 25 }, (_, i) => ({
        id: i,
        title: `Cup ${i}`,
        price: i < 2 ? 7 : i,
        rating: i % 5 === 0 ? 0 : 4.2,
      })),
    }),
  );
  const metaOf = async (id: number): Promise<string> =>
    /<dl class="meta row soft">.*?<\/dl>/s.exec(await textOf(`/products/${id}`, shop))?.[0].replace(/<[^>]*>/g, ' ') ??
    '';

  test('names its rating once', async () => {
    const rated = await textOf('/products/4', shop);
    expect(rated).toContain('<div class="rating"><dt class="vh">Rating</dt> <dd>4.2</dd></div>');
    expect(await metaOf(5)).toMatch(/Rating\s+0/);
  });
});

describe('pictures in records', () => {
  test.each([
    ['data:image/png;base64,AAEC', 'image/png', [0, 1, 2]],
    ['data:image/svg+xml,%3Csvg%3E', 'image/svg+xml', [...Buffer.from('<svg>')]],
    ['data:image/svg+xml;charset=utf-8,é%C3%A9', 'image/svg+xml', [...Buffer.from('éé')]],
    ['data:image/GIF,%FF%00', 'image/gif', [255, 0]],
  ])('%s', (text, type, bytes) => {
    const image = parseDataImage(text);
    expect([image?.type, [...(image?.bytes ?? [])]]).toEqual([type, bytes]);
  });

  test.each(['data:text/html,<script>', 'data:image/svg+xml', 'https://a.test/b.png', 'data:image/x-unknown,a'])(
    'not %s',
    (text) => expect(parseDataImage(text)).toBeNull(),
  );

  test('are served sandboxed', async () => {
    const app = appOf(await datasetIn(sampleDir));
    const response = await app.request('/products/imageUrl/1011');
    expect(response.headers.get('Content-Type')).toBe('image/svg+xml');
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });
});

test.each([
  ['one\n\ntwo\r\n\r\nthree', ['one', 'two', 'three']],
  ['a line\nanother', ['a line\nanother']],
  [`${'wrapped '.repeat(8)}\nat a fixed width`, [`${'wrapped '.repeat(8)} at a fixed width`]],
  [`${'wrapped '.repeat(8)}\n- but not a list`, [`${'wrapped '.repeat(8)}\n- but not a list`]],
  ['\n\n', []],
])('paragraphs of %j', (text, expected) => expect(paragraphsOf(text)).toEqual(expected));
