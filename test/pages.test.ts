/** The pages as markup: what is escaped, marked, counted and cut into bins, and how they are sent. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSearchBuilder } from '../bench/search-builder.js';
import { createHighlighter } from '../src/http/highlight/highlight.js';
import { Pieces } from '../src/http/highlight/pieces.js';
import { longDate, numberText } from '../src/http/markup/format.js';
import { html } from '../src/http/markup/html.js';
import { binningOf } from '../src/http/pages/counting/binning.js';
import { dateEdges } from '../src/http/pages/counting/date-edges.js';
import { shapeOf } from '../src/http/pages/counting/shape.js';
import { pagesAround } from '../src/http/pages/list/pager.js';
import { parseDataImage } from '../src/http/pages/record/image.js';
import { paragraphsOf } from '../src/http/pages/record/paragraphs.js';
import { percentEncode } from '../src/http/semantics/percent.js';
import { collectionOf, collections } from '../src/model.js';
import { Conditions } from '../src/query/conditions.js';
import { facetsOf } from '../src/query/facets.js';
import { EVERYTHING, type Query } from '../src/query/query.js';
import { numberOf } from '../src/store/number-column.js';
import { appOf, datasetIn, datasetOf, getJson, sampleDir } from './support/api.js';
import { columnOf } from './support/batches.js';
import { hostile } from './support/hostile.js';
import { withFolder } from './support/program.js';

const served = await datasetIn(sampleDir);
const app = appOf(served);
const attacked = appOf(datasetOf(hostile));
const textOf = async (path: string, from = app): Promise<string> => (await from.request(path)).text();

test('home says what loading noticed and what to do next, as check does', async () => {
  await withFolder({ 'products.csv': 'name,price,junk\na,£5,1\n' }, async (dir) => {
    const page = await textOf('/', appOf(await datasetIn(dir)));
    expect(page).toContain('<span class="soft">1 warning, 1 fix, 3 notes</span>');
    for (const line of ['title: read from name', 'not kept: junk; --extra keeps them', 'reads one as a field'])
      expect(page).toContain(line);
  });
});

test('half a surrogate pair in a record makes no page and no description fail', async () => {
  const half = '\ud83d cut';
  const dataset = datasetOf({
    articles: [
      { id: 1, title: half, url: half, author: half, tags: [half, 'x'], content: half },
      { id: 2, title: 'whole', author: 'A', tags: ['x'] },
    ],
    products: [{ id: 1, title: half, author: half, category: half, imageUrl: half, price: 1 }],
  });
  const of = appOf(dataset);
  const query = new URLSearchParams({ author: half }).toString();
  const paths = ['', '/1', '?q=cut', '?view=grid', `?${query}`, `/1?${query}`];
  for (const path of [
    '/',
    '/docs',
    '/api/openapi.json',
    ...['/articles', '/products'].flatMap((name) => paths.map((rest) => name + rest)),
  ]) {
    expect([path, (await of.request(path)).status]).toEqual([path, 200]);
  }
  for (const path of [
    '/api/articles',
    '/api/articles/1',
    '/api/export/products?format=csv',
    '/api/products/categories',
  ]) {
    expect([path, (await of.request(path)).status]).toEqual([path, 200]);
  }
});

test('any text can stand in an address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decodeURIComponent(percentEncode(text))).toBe(Buffer.from(text).toString());
    }),
  );
  expect(percentEncode('a\ud83d\ud83d\ude00\ude00')).toBe('a%EF%BF%BD%F0%9F%98%80%EF%BF%BD');
});

describe('as resources', () => {
  const paths = ['/', '/articles', '/products?view=grid', '/articles/46607804', '/products/1011'];

  test.each(paths)('%s: type, policy, tag, 304, HEAD', async (path) => {
    const response = await app.request(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' http: https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    const tag = response.headers.get('ETag') ?? '';
    expect((await app.request(path, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    const head = await app.request(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await app.request(path, { method: 'POST' })).status).toBe(405);
  });

  test('no style or script stands in a page', async () => {
    for (const path of paths) {
      const page = await textOf(path);
      expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! type="module" src="\/assets\/)/);
    }
  });

  test('assets are kept for good, under an address that changes with them', async () => {
    const [path = ''] = /\/assets\/[\w-]{10}\/style\.css/.exec(await textOf('/')) ?? [];
    const response = await app.request(path);
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
  });

  test.each(['/articles', '/products', '/products?view=grid', '/articles?q=a%20map%20of%20the%20city'])(
    '%s takes less than 30 kB',
    async (path) => {
      const response = await app.request(path, { headers: { 'Accept-Encoding': 'gzip' } });
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(30_000);
    },
  );

  test('they do not count against the rate limit', async () => {
    const limited = appOf(served, { rateLimit: 2 });
    for (let i = 0; i < 5; i++) expect((await limited.request(`/articles?page=${i + 1}`)).status).toBe(200);
    expect((await limited.request('/api/articles')).headers.get('RateLimit')).toBe('"default";r=1;t=60');
  });

  test('a form’s empty fields are taken out of the address', async () => {
    const response = await app.request('/articles?q=map&minScore=&author=+&tag=maps&tag=');
    expect(response.status).toBe(303);
    expect(response.headers.get('Location')).toBe('/articles?q=map&tag=maps');
  });
});

test('templates are of one byte a character: only records make a page wider', async () => {
  const plain = [
    { id: 1, title: 'A', content: 'a '.repeat(400), date: '2024-01-01', tags: ['t'] },
    { id: 2, title: 'B' },
  ];
  const from = appOf(datasetOf({ articles: plain }));
  for (const path of [
    '/articles',
    '/articles?q=a&limit=1',
    '/articles?sort=title&limit=1&page=2',
    '/articles/1?limit=1',
  ]) {
    expect(await textOf(path, from)).toMatch(/^[\0-\xff]*$/);
  }
});

describe('errors are pages', () => {
  const wanted = { headers: { Accept: 'text/html,*/*' } };
  test.each([
    ['/articles?page=0&colour=red', 422, 'Some parameters are wrong'],
    ['/products?maxPrice=cheap', 422, 'A parameter is wrong'],
    ['/articles?q=%ff', 400, 'A parameter is wrong'],
    ['/articles/1', 404, 'Article with id 1 not found.'],
    ['/products/<b>', 404, 'Product with id %3Cb%3E not found.'],
    ['/product', 404, 'Did you mean &quot;/products&quot;?'],
  ])('%s', async (path, status, says) => {
    const response = await app.request(path, wanted);
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain(says);
  });

  test('but not for the API, nor for who asks for no page', async () => {
    for (const [path, accept] of [
      ['/api/nothing', 'text/html'],
      ['/nothing', 'application/json'],
    ] as const) {
      const response = await app.request(path, { headers: { Accept: accept } });
      expect(response.headers.get('Content-Type')).toBe('application/json');
    }
  });
});

describe('every view shows what the API answers', () => {
  test.each([
    ['articles', ''],
    ['articles', 'tag=maps&sort=score&order=desc'],
    ['articles', 'tag=maps&tag=history&tagMatch=all'],
    ['articles', 'sort=comments&order=desc&limit=10'],
    ['products', 'minPrice=10&maxPrice=20&page=2&limit=7'],
    ['products', 'q=salt&sort=price'],
  ])('%s %s', async (name, query) => {
    const path = query.includes('q=') ? `${name}/search` : name;
    const { data, pagination } = await getJson<{ data: { id: number }[]; pagination: { total: number } }>(
      app,
      `/api/${path}?${query}`,
    );
    const page = await textOf(`/${name}?${query}`);
    expect([...page.matchAll(/id="hit-(\d+)"/g)].map(([, id]) => Number(id))).toEqual(data.map(({ id }) => id));
    expect(page).toContain(`<span class="total">${pagination.total} `);
  });

  test('a chosen value is shown, however few records have it', async () => {
    const page = await textOf('/products?maxPrice=20&category=art');
    const [shown = '', more = ''] = (
      /<fieldset class="values" id="by-category">.*?<\/fieldset>/s.exec(page)?.[0] ?? ''
    ).split('<details');
    expect(shown).toContain('value="Art" checked');
    expect(shown.match(/<li>/g)).toHaveLength(9);
    expect(more).not.toContain('checked');
  });

  test('whether all of several tags are wanted is asked once there are several, and a condition that can be taken away', async () => {
    const two = await textOf('/articles?tag=maps&tag=history');
    expect(two).toContain('name="tagMatch" value="all">');
    const all = await textOf('/articles?tag=maps&tag=history&tagMatch=all');
    expect(all).toContain('name="tagMatch" value="all" checked');
    expect(all).toContain('<a href="/articles?tag=maps&amp;tag=history"><span class="says">tags: match</span>');
    expect(await textOf('/articles?tag=maps')).not.toContain('name="tagMatch"');
  });

  test('every filter of the model has its fields', async () => {
    for (const { name, fields } of collections) {
      const page = await textOf(`/${name}`);
      for (const field of fields) {
        if (!('filter' in field)) continue;
        const names = field.filter.kind === 'range' ? [field.filter.min, field.filter.max] : [field.filter.parameter];
        for (const parameter of names) expect(page).toContain(`name="${parameter}"`);
      }
    }
  });

  test('a record’s neighbours are those of its view', async () => {
    const query = 'sort=price&order=desc&limit=3';
    const { data } = await getJson<{ data: { id: number }[] }>(app, `/api/products?sort=price&order=desc&limit=9`);
    for (const [i, page] of [
      [2, 1],
      [3, 2],
      [4, 2],
    ] as const) {
      const text = await textOf(`/products/${data[i]?.id}?${query}&page=${page}`);
      expect(text).toContain(`${i + 1} of 353`);
      expect(/rel="prev" href="\/products\/(\d+)\?/.exec(text)?.[1]).toBe(String(data[i - 1]?.id));
      expect(/rel="next" href="\/products\/(\d+)\?/.exec(text)?.[1]).toBe(String(data[i + 1]?.id));
    }
  });
});

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
    expect(article).toMatch(
      /^ Whole Author Ann Date 31 January 2024 at 00:00 UTC Score 4 Source a\.test Content Text ID 1 URL https:\/\/www\.a\.test\/b /,
    );
    expect(page).toContain('<a class="host" href="https://www.a.test/b" rel="noopener noreferrer nofollow">');
  });

  test('has no line, dash or link where there is no value', async () => {
    const article = without(/<article.*<div class="export/s.exec(await textOf('/articles/2', one))?.[0] ?? '');
    expect(article).toMatch(/^ Bare ID 2 URL javascript:alert\(1\) <div/);
    for (const path of ['/products', '/products?view=grid', '/products/1']) {
      const main = /<(?:tbody|article|ul class="grid").*?<\/(?:tbody|article|ul)>/s.exec(await textOf(path, one));
      expect(without(main?.[0] ?? ''), path).not.toMatch(/none|–|&ndash;|null/);
    }
    expect(await textOf('/products?view=grid', one)).not.toContain('class="author"');
  });

  test('tells of a picture that stands in it, which can be copied', async () => {
    const page = await textOf('/products/2', one);
    expect(page).toContain(
      'SVG in the record, 28 characters</span> <button type="button" class="copy" data-copy="inline-data"',
    );
    expect(page).toContain('<code id="inline-data" hidden>data:image/svg+xml,%3Csvg%3E</code>');
    expect(await textOf('/products/3', one)).toContain('image/png in the record, 26 characters');
  });
});

describe('hostile records', () => {
  test.each([
    '/',
    '/articles',
    '/articles?q=script',
    '/products?view=grid',
    '/articles/1',
    '/articles/2',
    '/products/2',
  ])('%s holds none of their markup', async (path) => {
    const page = await textOf(path, attacked);
    expect(page).not.toMatch(/<script>|<img src=x|<style>|href="\s*javascript:/i);
  });

  test('markup is escaped, also as text, attribute or list', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const made = html`<a title="${text}">${[text, [text]]}</a>`.toString();
        expect(made.match(/[<>]/g)).toEqual(['<', '>', '<', '>']);
        expect(made.match(/"/g)).toHaveLength(2);
      }),
    );
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
    const response = await app.request('/products/imageUrl/1011');
    expect(response.headers.get('Content-Type')).toBe('image/svg+xml');
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });
});

describe('highlighting', () => {
  const indexOf = (...texts: readonly string[]) => {
    const builder = createSearchBuilder([{ name: 'content', weight: 1 }]);
    for (const text of texts) builder.add([text]);
    return builder.finish(Int32Array.from(texts.keys()));
  };
  const marked = (query: string | null, text: string): string =>
    html`${createHighlighter(indexOf(text), { ...EVERYTHING, text: query }).mark(text)}`.toString();

  test.each([
    ['case and accents', 'cafe', 'The Café and the cafés', 'The <mark>Café</mark> and the <mark>cafés</mark>'],
    ['stems', 'running shoes', 'He runs in a shoe', 'He <mark>runs</mark> in a <mark>shoe</mark>'],
    [
      'the last word goes on',
      'old cart',
      'Carts, cartography; old.',
      '<mark>Carts</mark>, <mark>cartography</mark>; <mark>old</mark>.',
    ],
    ['but not the words before it', 'cart old', 'Cartography is old', 'Cartography is <mark>old</mark>'],
    ['near spellings of a word that is nowhere', 'sourdoguh', 'Sourdough bread', '<mark>Sourdough</mark> bread'],
    ['also where they begin otherwise', 'zourdough', 'Sourdough bread', '<mark>Sourdough</mark> bread'],
    ['words without meaning are left', 'the map', 'The map of the city', 'The <mark>map</mark> of the city'],
    ['phrases', '"red car"', 'A red car.', 'A <mark>red</mark> <mark>car</mark>.'],
    ['what is excluded is left', 'map -city', 'A map', 'A <mark>map</mark>'],
    ['compounds written together', 'email', 'By e-mail (daily)', 'By <mark>e-mail</mark> (daily)'],
    ['a part of a compound', 'boundary', 'boundary-layer', '<mark>boundary</mark>-layer'],
    ['signs that end a word', 'c++', 'C++, not C', '<mark>C++</mark>, not C'],
    ['scripts without spaces', '東京', '私は東京都に住む', '私は<mark>東京</mark>都に住む'],
    ['markup', '<b>', '<b>bold</b>', '&lt;<mark>b</mark>&gt;bold&lt;/<mark>b</mark>&gt;'],
    ['no words', '.*', 'anything', 'anything'],
    [
      'after a full stop that a word begins with',
      '.net core',
      '.NET, ASP.core',
      '.<mark>NET</mark>, ASP.<mark>core</mark>',
    ],
    ['no search', null, 'anything', 'anything'],
  ])('%s', (_, query, text, expected) => expect(marked(query, text)).toBe(expected));

  test('leaves the text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (query, text) => {
        const plain = html`${text}`.toString();
        expect(marked(query, text).replace(/<\/?mark>/g, '')).toBe(plain);
      }),
    );
  }, 60_000);

  test('a text has a mark if it is found, and else none', () => {
    const word = fc.constantFrom(
      'map',
      'maps',
      'Mapping',
      'e-mail',
      'email',
      'naïve',
      'C++',
      '東京都',
      '京都',
      'AT&T',
      'x',
    );
    const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, (query, content) => {
        expect(marked(query, content).includes('<mark>')).toBe(indexOf(content).matching(query).count > 0);
      }),
    );
  }, 60_000);

  test('passing pieces over marks what looking at all of them does', () => {
    const word = fc.constantFrom(
      'map',
      'net',
      '.NET',
      'Node.js',
      "O'Malley",
      'AT&T',
      'C++',
      'ΑΒΓ',
      '東京',
      '3.14',
      '😀',
      'É',
    );
    const sign = fc.constantFrom(
      ' ',
      '\t',
      '\u00a0',
      '\u2003',
      '\ufeff',
      '\u0085',
      '.',
      '-',
      "'",
      '&',
      '"',
      '(',
      '…',
      '\u00ad',
    );
    const text = fc.array(fc.oneof(word, sign, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 12 });
    const query = fc.array(word, { maxLength: 3 });
    fc.assert(
      fc.property(query, text, text, (sought, some, others) => {
        const content = [...some, ...sought, ' ', ...others].join('');
        const finder = indexOf(content, sought.join(' ')).finder(sought.join(' '));
        const found = [...content.matchAll(/\S+/g)].filter(([piece]) => finder.look(piece).isFound);
        const pieces = new Pieces(finder);
        const seen: [number, string][] = [];
        pieces.begin(content);
        while (pieces.next()) {
          const piece = content.slice(pieces.start, pieces.end);
          if (finder.look(piece).isFound) seen.push([pieces.start, piece]);
        }
        expect(seen).toEqual(found.map(({ 0: piece, index }) => [index, piece]));
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  test('white space is what it is to an expression', () => {
    const finder = { look: () => ({ words: 1, isFound: true }), mayBegin: () => true };
    const units = Array.from({ length: 0xd800 }, (_, unit) => unit).concat(0xfeff, 0xfffd);
    const isPiece = (unit: number): boolean => {
      const pieces = new Pieces(finder);
      pieces.begin(`a${String.fromCharCode(unit)}`);
      return pieces.next() && pieces.end === 2;
    };
    expect(units.filter((unit) => !isPiece(unit))).toEqual(
      units.filter((unit) => /\s/.test(String.fromCharCode(unit))),
    );
  });

  test('a snippet begins near the first word that was found', () => {
    const text = `${'hay '.repeat(500)}needle${' hay'.repeat(500)}`;
    const highlighter = createHighlighter(indexOf(text), { ...EVERYTHING, text: 'needle' });
    const made = highlighter.snippet(text);
    expect(made === null ? '' : made.toString()).toMatch(/^&hellip; (?:hay )+<mark>needle<\/mark>(?: hay)+ &hellip;$/);
    expect(highlighter.snippet('hay')).toBeNull();
  });
});

describe('bins', () => {
  const numberField = { name: 'price', kind: 'number', description: '' } as const;

  test('hold every value once, whatever the values', () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(values, (all) => {
        const column = Float64Array.from(all);
        const binning = binningOf(numberField, columnOf(column));
        const counted = (binning?.bins ?? []).map(
          ({ from, to }) => column.filter((value) => value >= from && value < to).length,
        );
        expect(binning?.bins.map(({ count }) => count)).toEqual(counted);
        expect(counted.reduce((sum, one) => sum + one, 0)).toBe(all.length);
        expect(binning?.bins.length).toBeLessThan(64);
      }),
    );
  });

  test('grow with values of different magnitudes', () => {
    const column = Float64Array.from({ length: 1000 }, (_, i) => Math.floor(1 + 2000 * (i / 1000) ** 12));
    const binning = binningOf({ ...numberField, kind: 'integer' }, columnOf(column));
    expect(binning?.bins.map(({ min, max }) => `${min}-${max}`).slice(0, 4)).toEqual(['-1', '2-2', '3-4', '5-6']);
    expect(binning?.bins.map(({ label }) => label).slice(1, 3)).toEqual(['2', '3 to 4']);
  });

  test('are labelled with both bounds written alike', () => {
    const labelsOf = (kind: 'integer' | 'number', values: readonly number[]) =>
      binningOf({ ...numberField, kind }, columnOf(values))?.bins.map(({ label }) => label);
    expect(labelsOf('integer', [1000, 4000, 9000, 12_000])).toContain('1,000 to 1,499');
    expect(labelsOf('number', [1000.25, 1900.5, 3000])).toContain('1,000 to 1,049.99');
  });

  test('of dates begin on calendar days', () => {
    const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
    const edges = dateEdges(day('2023-01-15'), day('2024-06-20'), 24);
    expect(edges.map((edge) => new Date(edge).toISOString().slice(8))).toEqual(edges.map(() => '01T00:00:00.000Z'));
    expect(edges[0]).toBe(day('2023-01-01'));
    expect(edges.at(-1)).toBe(day('2024-07-01'));
  });
});

describe('a histogram', () => {
  const spread = appOf(
    datasetOf({
      products: Array.from({ length: 400 }, (_, id) => ({
        id,
        title: `${id}`,
        price: id % 100,
        rating: Math.floor(1.03 ** id),
        category: id < 40 ? 'few' : 'many',
      })),
    }),
  );
  const groupOf = (page: string, field: string): string =>
    new RegExp(`<fieldset class="range" id="by-${field}".*?</fieldset>`, 's').exec(page)?.[0] ?? '';

  const textsIn = (markup: string): readonly (string | undefined)[] =>
    [...markup.matchAll(/<text [^>]*dx="3">([^<]*)</g)].map(([, text]) => text);

  test('whose bins grow has a mark at each power of ten, any other at round values', async () => {
    const page = await textOf('/products', spread);
    expect(textsIn(groupOf(page, 'rating'))).toEqual(['1', '10', '100', '1K', '10K', '100K']);
    expect(textsIn(groupOf(page, 'price'))).toEqual(['0', '20', '40', '60', '80']);
  });

  test('tells found records from all where a filter leaves a part', async () => {
    expect(await textOf('/products', spread)).not.toContain('class="key"');
    const few = groupOf(await textOf('/products?category=few', spread), 'price');
    expect(few).toContain(
      '<legend>Price <span class="key"><i class="some"></i>found <i class="all"></i>all</span></legend>',
    );
  });

  test('is scaled by what lies inside of the chosen range', async () => {
    const heights = async (query: string): Promise<readonly number[]> =>
      [
        ...groupOf(await textOf(`/products?${query}`, spread), 'rating').matchAll(
          /"some(?: off)?" y="\d+" height="(\d+)"/g,
        ),
      ].map(([, height]) => Number(height));
    const all = await heights('');
    const high = await heights('minRating=1000');
    expect(all.at(-1)).toBeLessThan(52);
    expect(Math.max(...high.slice(-8))).toBe(52);
    expect(high).toHaveLength(all.length);
  });
});

describe('a list without hits', () => {
  const shop = appOf(
    datasetOf({
      products: [
        { id: 1, title: 'Salt road', price: 5, category: 'Travel' },
        { id: 2, title: 'Salt and stone', price: 9, category: 'Art' },
        { id: 3, title: 'Stonework', price: 9, category: 'Art' },
        { id: 4, title: 'Photography at sea', price: 30, category: 'Art' },
        { id: 5, title: 'Photographs', price: 40, category: 'Art' },
      ],
    }),
  );
  const emptyPart = async (query: string): Promise<string> =>
    /<div class="empty">.*?<\/div>/s.exec(await textOf(`/products?${query}`, shop))?.[0] ?? '';

  test.each([
    ['q=xylophone', ['category=Art', 'category=Travel']],
    ['q=salt&minPrice=6&maxPrice=8&category=art', ['q=salt&category=art']],
    ['q=salt&category=Travel&minPrice=6', ['q=salt&category=Travel', 'q=salt&minPrice=6']],
    ['q=road&category=Art', ['q=road', 'category=Art']],
    ['minPrice=100&category=Art', ['category=Art']],
    ['category=Arts', ['category=Art']],
    ['missing=category&minPrice=1', ['minPrice=1']],
    ['minPrice=9&maxPrice=5', ['category=Art', 'category=Travel']],
  ])('%s leads on', async (query, ways) => {
    const targets = [...(await emptyPart(query)).matchAll(/ href="\/products\?([^"]*)"/g)];
    expect(targets.map(([, target = '']) => target.replaceAll('&amp;', '&'))).toEqual(ways);
  });

  test('says what was asked for, what each way leaves out, and how much it leads to', async () => {
    const text = (await emptyPart('q=salt&category=Travel&minPrice=6')).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
    expect(text).toBe(
      'No products match salt with price at least 6, category Travel. ' +
        'Remove price at least 6 (1 product)Remove category Travel (1 product)All 5 products',
    );
  });

  test('a range with its bounds the wrong way round is a page that offers to swap them', async () => {
    const response = await shop.request('/products?minPrice=9&maxPrice=5');
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain('name="minPrice" value="9"');
    expect(page).toContain('name="maxPrice" value="5"');
    expect(page).toContain('<a href="/products?minPrice=5&amp;maxPrice=9">Swap them</a>');
    expect((await shop.request('/api/products?minPrice=9&maxPrice=5')).status).toBe(422);
  });

  test('a collection without records offers nothing to search, filter or export', async () => {
    const page = await textOf('/articles', shop);
    expect(page).toContain('No articles are loaded.');
    expect(page).not.toMatch(/type="search"|class="filters"|popovertarget/);
  });
});

test('a limit that only the API takes shows as many records as a page may', async () => {
  const page = await textOf('/articles?limit=500');
  expect(page.match(/class="hit-link"/g)).toHaveLength(200);
});

describe('what completes a box for values', () => {
  const offered = (path: string): Promise<{ data: readonly { name: string; count: number }[] }> => getJson(app, path);

  test.each([
    ['tag', '', 'tags?'],
    ['tag', 'minScore=20&q=map', 'tags?minScore=20&q=map&'],
    ['tag', 'minScore=20&sort=date&limit=5&view=grid&fields=id', 'tags?minScore=20&'],
    ['author', 'author=quietmath', 'authors?'],
    ['tag', 'tag=maps&tagMatch=all', 'tags?tag=maps&'],
  ])('%s of %j are those that the other conditions leave, without those chosen', async (parameter, view, facets) => {
    const [path, conditions] = facets.split('?');
    const { data } = await offered(`/api/articles/${path}?${conditions}startsWith=${parameter === 'tag' ? 'ma' : 'q'}`);
    const expected = data.filter(({ name }) => !view.includes(`=${name}`)).slice(0, 10);
    const startsWith = parameter === 'tag' ? 'MA' : 'Q';
    const { data: offers } = await offered(`/articles/complete/${parameter}?startsWith=${startsWith}&${view}`);
    expect(offers.slice(0, expected.length)).toEqual(expected);
    // Behind them stand those of which a later word begins so.
    for (const { name } of offers.slice(expected.length)) {
      expect(name.toLowerCase()).toMatch(new RegExp(`[^a-z0-9]${startsWith.toLowerCase()}`));
    }
  });

  test('are ten at most, of all that begins so, and do not count against the rate limit', async () => {
    const limited = appOf(served, { rateLimit: 1 });
    for (let i = 0; i < 3; i++) {
      const { data } = await getJson<{ data: readonly unknown[] }>(limited, '/articles/complete/author?startsWith=');
      expect(data).toHaveLength(10);
    }
  });

  test('are found by any word of a name: king is Stephen King', async () => {
    const authors = [
      'Kingsley Amis',
      'Stephen King',
      'King, Stephen',
      'Parking',
      'Åke Köning',
      'Stephen KING',
      "O'King",
    ];
    const shop = appOf(datasetOf({ products: authors.map((author, id) => ({ id, title: 't', author })) }));
    const names = async (text: string): Promise<readonly string[]> => {
      const { data } = await getJson<{ data: { name: string }[] }>(
        shop,
        `/products/complete/author?startsWith=${text}`,
      );
      return data.map(({ name }) => name);
    };
    expect(await names('king')).toEqual(['King, Stephen', 'Kingsley Amis', 'Stephen King', "O'King"]);
    expect(await names('koning')).toEqual(['Åke Köning']);
  });

  test('of a faulty view are none', async () => {
    expect((await app.request('/articles/complete/tag?startsWith=a&minScore=x')).status).toBe(422);
  });
});

test('values of a field that no match has are not asked for', async () => {
  const page = await textOf('/articles?q=nothingmatchesthsi');
  expect(page).not.toMatch(/id="by-tag"|id="by-author"/);
  expect(await textOf('/articles?q=nothingmatchesthsi&tag=maps')).toContain('name="tag" value="maps" checked');
});

describe('counts of a filtered view', () => {
  const collection = collectionOf(served.dataset.collections, 'products');
  const none: Query = EVERYTHING;
  const price = { kind: 'range', field: 'price', min: 10, max: 20 } as const;
  const art = { kind: 'value', field: 'category', values: ['art'], match: 'any' } as const;

  test.each([
    ['all', none],
    ['few', { ...none, filters: [{ ...price, max: 10.5 }] }],
    ['many', { ...none, filters: [price] }],
    ['found', { ...none, text: 'salt' }],
  ] as const)('%s: values are counted as the API counts them', (_, query: Query) => {
    for (const { field, values } of shapeOf(collection, query).frequencies) {
      const counts = new Map(
        facetsOf(collection, field.name, new Conditions(collection, query).all).map(({ name, count }) => [name, count]),
      );
      for (const { name, count } of values) expect(count).toBe(counts.get(name));
      const top = [...counts.values()].slice(0, 40);
      expect(values.map(({ count }) => count)).toEqual(top);
    }
  });

  test('so are those of a field with very many values, in most of the records', () => {
    const products = Array.from({ length: 12_000 }, (_, i) => ({
      id: i,
      title: `${i}`,
      author: `a${i % (i % 3 === 0 ? 41 : 6007)}`,
      price: i % 100,
    }));
    const many = collectionOf(datasetOf({ products }).dataset.collections, 'products');
    const most: Query = { ...none, filters: [{ kind: 'range', field: 'price', min: 0, max: 70 }] };
    const [author] = shapeOf(many, most).frequencies.filter(({ field }) => field.name === 'author');
    const expected = facetsOf(many, 'author', new Conditions(many, most).all);
    expect(many.values.get('author')?.names.offsets.length).toBeGreaterThan(4096);
    expect(author?.values.map(({ count }) => count)).toEqual(expected.slice(0, 40).map(({ count }) => count));
    for (const value of author?.values ?? []) expect(expected).toContainEqual(value);
  });

  test('whatever the values and conditions, each field is counted as if row by row', () => {
    const record = fc.record({
      price: fc.option(fc.integer({ min: 0, max: 400 }).map((cents) => cents / 20)),
      rating: fc.option(fc.constantFrom(1, 2, 3, 4, 5)),
      author: fc.option(fc.nat(90).map((n) => `author ${Math.floor(n ** 2 / 90)}`)),
      category: fc.option(fc.constantFrom('a', 'b', 'c')),
      title: fc.constantFrom('red fox', 'red hen', 'grey fox'),
    });
    const range = (field: string, max: number) =>
      fc
        .tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max }))
        .map(([a, b]) => ({ kind: 'range' as const, field, min: Math.min(a, b), max: Math.max(a, b) }));
    const anyOf = (field: string, value: fc.Arbitrary<string>) =>
      fc
        .array(value, { minLength: 1, maxLength: 3 })
        .map((values) => ({ kind: 'value' as const, field, values, match: 'any' as const }));
    const filters = fc
      .tuple(
        fc.option(range('price', 20)),
        fc.option(range('rating', 5)),
        fc.option(anyOf('category', fc.constantFrom('a', 'b', 'none'))),
        fc.option(anyOf('author', fc.constantFrom('author 0', 'author 1', 'author 40'))),
      )
      .map((some) => some.filter((filter) => filter !== null));
    const asked = fc.record({ text: fc.constantFrom(null, null, 'fox', 'red', 'nothing'), filters });
    const some = fc.tuple(
      fc.array(record, { maxLength: 60 }),
      fc.constantFrom(1, 1, 9),
      fc.array(asked, { maxLength: 4 }),
    );
    fc.assert(
      fc.property(some, ([records, times, queries]) => {
        const products = Array.from({ length: times }, () => records)
          .flat()
          .map((one, id) => ({ id, ...one }));
        const all = collectionOf(datasetOf({ products }).dataset.collections, 'products');
        for (const each of queries) {
          const query: Query = { ...none, ...each };
          const matchingRows = (asked: Query) => new Conditions(all, asked).all?.rows ?? Array(all.size).keys();
          const { distributions, frequencies } = shapeOf(all, query);
          const others = (name: string): Query => ({
            ...query,
            filters: query.filters.filter((filter) => filter.field !== name),
          });
          for (const { field, binning, counts } of distributions) {
            const column = all.columns.get(field.name) ?? expect.fail('there is no column');
            const rows = [...matchingRows(others(field.name))];
            const values = rows.map((row) => numberOf(column, row));
            const expected = binning.bins.map(
              ({ from, to }) => values.filter((value) => value >= from && value < to).length,
            );
            expect([...Array.from(counts)]).toEqual(expected);
          }
          for (const { field, values } of frequencies) {
            const expected = facetsOf(all, field.name, new Conditions(all, others(field.name)).all);
            expect(values.map(({ count }) => count)).toEqual(expected.slice(0, 40).map(({ count }) => count));
            for (const value of values) expect(expected).toContainEqual(value);
          }
        }
      }),
    );
  });

  test('but one that wants all of its values does: another narrows the view further', () => {
    const tags = [['a', 'b'], ['a', 'c'], ['b'], ['a', 'b', 'c'], []];
    const articles = tags.map((some, id) => ({ id, title: 't', tags: some }));
    const tagged = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
    const offered = (match: 'any' | 'all', ...values: readonly string[]) =>
      shapeOf(tagged, { ...none, filters: [{ kind: 'value', field: 'tags', values, match }] })
        .frequencies.find(({ field }) => field.name === 'tags')
        ?.values.map(({ name, count }) => `${name} ${count}`);
    expect(offered('any', 'a', 'b')).toEqual(['a 3', 'b 3', 'c 2']);
    expect(offered('all', 'a', 'b')).toEqual(['a 2', 'b 2', 'c 1']);
    expect(offered('all', 'c')).toEqual(['a 2', 'c 2', 'b 1']);
    expect(offered('all', 'a', 'none')).toEqual([]);
  });

  test('a field’s own condition does not narrow what it offers', () => {
    const narrowed = shapeOf(collection, { ...none, filters: [price, art] });
    const without = facetsOf(collection, 'category', new Conditions(collection, { ...none, filters: [price] }).all);
    expect(narrowed.frequencies.find(({ field }) => field.name === 'category')?.values.length).toBe(without.length);
    const prices = narrowed.distributions.find(({ field }) => field.name === 'price');
    const total = Array.from(prices?.binning.bins ?? [], (_, i) => prices?.counts[i] ?? 0).reduce((a, b) => a + b, 0);
    expect(total).toBe(25);
  });
});

test.each([
  [1, 1, [1]],
  [1, 9, [1, 2, 3, null, 9]],
  [5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [50, 99, [1, null, 48, 49, 50, 51, 52, null, 99]],
])('the pager of page %i of %i', (page, last, expected) => expect(pagesAround(page, last)).toEqual(expected));

test('counts are written as formats write them', () => {
  const format = new Intl.NumberFormat('en');
  fc.assert(
    fc.property(fc.maxSafeInteger(), (n) => {
      expect(numberText(n)).toBe(format.format(n));
    }),
  );
  expect([0, -0, 999, 1000, 1_000_000].map((n) => numberText(n))).toEqual(['0', '0', '999', '1,000', '1,000,000']);
});

test('dates are written as a format of their own would write them', () => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(times, (time) => {
      expect(longDate(time.getTime())).toBe(`${format.format(time)} UTC`);
    }),
  );
});

test.each([
  ['one\n\ntwo\r\n\r\nthree', ['one', 'two', 'three']],
  ['a line\nanother', ['a line\nanother']],
  [`${'wrapped '.repeat(8)}\nat a fixed width`, [`${'wrapped '.repeat(8)} at a fixed width`]],
  [`${'wrapped '.repeat(8)}\n- but not a list`, [`${'wrapped '.repeat(8)}\n- but not a list`]],
  ['\n\n', []],
])('paragraphs of %j', (text, expected) => expect(paragraphsOf(text)).toEqual(expected));
