/** Dumps as well-known sources write them, invented: each loads without a mapping. */
import { describe, expect, it } from 'vitest';
import { checkText } from '../../src/load/report/report-text.js';
import { loadFiles } from '../support/load.js';
import { fieldNames, type Name } from '../support/oracle.js';
import type { Files } from '../support/program.js';

const fault = async (files: Files) => (await loadFiles(files)).fault;

/** The records that come of a dump, by field. */
async function loaded(name: Name, dump: unknown, extension = 'json') {
  const text = typeof dump === 'string' ? dump : JSON.stringify(dump, null, 1);
  const result = await loadFiles({ [`${name}.${extension}`]: text });
  expect(result.fault).toBeUndefined();
  const records = result.records.map((values) =>
    Object.fromEntries(fieldNames[name].map((field, i) => [field, values[i]])),
  );
  return { ...result, records, file: result.files[0] };
}

describe('articles', () => {
  it('WordPress wp-json', async () => {
    const { records, file } = await loaded('articles', [
      {
        id: 71,
        date: '2024-03-05T09:30:00',
        guid: { rendered: 'https://blog.example/?p=71' },
        link: 'https://blog.example/bread/',
        title: { rendered: 'Bread &#8211; a beginner&#8217;s <em>notes</em>' },
        content: { rendered: '<p>Flour &amp; water.</p>\n<p>Then <b>wait</b>.<br>Long.</p>', protected: false },
        excerpt: { rendered: '<p>Flour</p>' },
        author: 3,
        categories: [4],
        tags: [11, 12],
        _embedded: {
          author: [{ id: 3, name: 'Ana Lindqvist', link: 'https://blog.example/ana' }],
          'wp:term': [
            [{ id: 4, name: 'Baking' }],
            [
              { id: 11, name: 'bread' },
              { id: 12, name: 'slow food' },
            ],
          ],
        },
      },
    ]);
    expect(records).toEqual([
      {
        id: 71,
        title: 'Bread – a beginner’s notes',
        url: 'https://blog.example/bread/',
        score: null,
        comments: null,
        author: 'Ana Lindqvist',
        date: '2024-03-05T09:30:00Z',
        content: 'Flour & water.\n\nThen wait.\nLong.',
        tags: ['bread', 'slow food'],
      },
    ]);
    expect(file?.decisions).toEqual([
      'author: not read from "author": its numbers are no names',
      'tags: not read from "categories": its numbers are no names',
      'tags: not read from "tags": its numbers are no names',
      'title: HTML made text; --html keep leaves it',
      'content: HTML made text; --html keep leaves it',
    ]);
  });

  it('WordPress without embedded names leaves numbers out', async () => {
    const { records } = await loaded('articles', [
      { id: 1, title: { rendered: 'A' }, author: 3, categories: [4], tags: [] },
      { id: 2, title: { rendered: 'B' }, author: 4, categories: [4, 5], tags: [7] },
    ]);
    expect(records.map(({ author, tags }) => [author, tags])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it('a Reddit listing', async () => {
    const post = (id: string, title: string) => ({
      kind: 't3',
      data: {
        id,
        title,
        subreddit: 'cooking',
        selftext: 'What I **did**.',
        score: 120,
        num_comments: 14,
        author: 'salt_and_time',
        created_utc: 1709631000,
        permalink: '/r/cooking/comments/x1',
        url: 'https://example.org/soup',
        link_flair_text: 'Recipe',
      },
    });
    const { records } = await loaded('articles', {
      kind: 'Listing',
      data: { after: 't3_x2', dist: 2, children: [post('1c0ffe', 'Soup &amp; bread'), post('1c0fff', 'Stock')] },
    });
    expect(records[0]).toEqual({
      id: 1,
      title: 'Soup & bread',
      url: 'https://example.org/soup',
      score: 120,
      comments: 14,
      author: 'salt_and_time',
      date: '2024-03-05T09:30:00Z',
      content: 'What I **did**.',
      tags: null,
    });
    expect(records.length).toBe(2);
  });

  it('dev.to', async () => {
    const { records } = await loaded('articles', [
      {
        type_of: 'article',
        id: 1712,
        title: 'Tiny servers',
        description: 'Why small is enough',
        url: 'https://dev.example/tiny',
        comments_count: 3,
        public_reactions_count: 41,
        published_timestamp: '2024-03-05T09:30:00Z',
        tag_list: ['node', 'servers'],
        user: { name: 'Jo Ito', username: 'joito', user_id: 5 },
        published_at: '2024-03-05T09:30:00Z',
      },
    ]);
    expect(records[0]).toMatchObject({
      id: 1712,
      score: 41,
      comments: 3,
      author: 'Jo Ito',
      date: '2024-03-05T09:30:00Z',
      tags: ['node', 'servers'],
    });
  });

  it('a JSON Feed', async () => {
    const { records } = await loaded('articles', {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Notes',
      home_page_url: 'https://notes.example/',
      authors: [{ name: 'Feed Owner', url: 'https://notes.example/me' }],
      items: [
        {
          id: 'https://notes.example/2',
          url: 'https://notes.example/2',
          title: 'Second',
          content_html: '<p>Two</p><ul><li>a</li><li>b</li></ul>',
          date_published: '2024-03-05T10:30:00+01:00',
          authors: [{ name: 'Mia' }, { name: 'Kai' }],
          tags: ['x'],
        },
        { id: 'https://notes.example/1', url: 'https://notes.example/1', content_html: '<p>No title here</p>' },
      ],
    });
    expect(records).toMatchObject([
      { id: 1, title: 'Second', author: 'Mia, Kai', content: 'Two\n\na\nb', date: '2024-03-05T09:30:00Z', tags: ['x'] },
      { id: 2, title: 'No title here', content: 'No title here' },
    ]);
  });

  it('Hacker News by Algolia', async () => {
    const { records } = await loaded('articles', {
      exhaustive: { nbHits: true },
      hits: [
        {
          _highlightResult: { title: { value: 'Show', matchLevel: 'none', matchedWords: [] } },
          _tags: ['story', 'author_ada'],
          author: 'ada',
          children: [31, 32],
          created_at: '2024-03-05T09:30:00Z',
          created_at_i: 1709631000,
          num_comments: 2,
          objectID: '39600001',
          points: 88,
          story_id: 39600001,
          story_text: 'It&#x27;s here.<p>Try it.',
          title: 'Show HN: Ink',
          updated_at: '2024-03-06T00:00:00Z',
          url: 'https://ink.example',
        },
      ],
      nbHits: 1,
      page: 0,
      processingTimingsMS: { total: 3 },
    });
    expect(records[0]).toEqual({
      id: 39600001,
      title: 'Show HN: Ink',
      url: 'https://ink.example',
      score: 88,
      comments: 2,
      author: 'ada',
      date: '2024-03-05T09:30:00Z',
      content: "It's here.\n\nTry it.",
      tags: ['story', 'author_ada'],
    });
  });

  it('Hacker News by Algolia, where comments have the id of their story beside their own', async () => {
    const hit = (objectID: string) => ({ objectID, story_id: 7, title: 'Ink', author: 'ada' });
    const { records } = await loaded('articles', { hits: [hit('7'), hit('8'), hit('9')] });
    expect(records.map(({ id }) => id)).toEqual([7, 8, 9]);
  });

  it('Hacker News by Firebase, keyed by id', async () => {
    const story = (by: string) => ({
      by,
      descendants: 7,
      kids: [9, 10],
      score: 55,
      time: 1709631000,
      title: `By ${by}`,
      type: 'story',
      url: 'https://a.example',
    });
    const { records } = await loaded('articles', { 8863: story('dh'), 8864: { ...story('x'), text: 'a &gt; b' } });
    expect(records).toMatchObject([
      { id: 8863, title: 'By dh', author: 'dh', score: 55, comments: 7, date: '2024-03-05T09:30:00Z' },
      { id: 8864, content: 'a > b' },
    ]);
  });

  it("Scrapy's JSON lines", async () => {
    const lines = [
      { title: ['A walk'], author: ['Li'], date: ['March 5, 2024'], url: 'https://s.example/1', tags: ['out', 'side'] },
      { title: ['A rest'], author: [], date: ['March 6, 2024'], url: 'https://s.example/2', tags: [] },
    ];
    const { records } = await loaded('articles', lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 'jsonl');
    expect(records).toMatchObject([
      { id: 1, title: 'A walk', author: 'Li', date: '2024-03-05T00:00:00Z', tags: ['out', 'side'] },
      { id: 2, title: 'A rest', author: null, tags: null },
    ]);
  });

  it('RSS as JSON', async () => {
    const { records } = await loaded('articles', {
      rss: {
        '@version': '2.0',
        channel: {
          title: 'Daily',
          link: 'https://d.example',
          item: [
            {
              title: 'One &amp; only',
              link: 'https://d.example/1',
              guid: { '@isPermaLink': 'false', '#text': 'd1' },
              pubDate: 'Tue, 05 Mar 2024 09:30:00 GMT',
              'dc:creator': 'Sam Obi',
              category: ['life', 'food'],
              description: 'Short &lt;b&gt;and&lt;/b&gt; <i>sweet</i>',
            },
          ],
        },
      },
    });
    expect(records[0]).toMatchObject({
      id: 1,
      title: 'One & only',
      url: 'https://d.example/1',
      author: 'Sam Obi',
      date: '2024-03-05T09:30:00Z',
      content: 'Short <b>and</b> sweet',
      tags: ['life', 'food'],
    });
  });

  it('the Guardian', async () => {
    const { records, file } = await loaded('articles', {
      response: {
        status: 'ok',
        total: 1,
        results: [
          {
            id: 'world/2024/mar/05/tides',
            type: 'article',
            sectionId: 'world',
            sectionName: 'World news',
            webPublicationDate: '2024-03-05T09:30:00Z',
            webTitle: 'Tides rise',
            webUrl: 'https://g.example/tides',
            apiUrl: 'https://api.g.example/tides',
            fields: { byline: 'Noor Ahmed', bodyText: 'The tide rose again.', thumbnail: 'https://g.example/t.jpg' },
          },
        ],
      },
    });
    expect(records[0]).toMatchObject({
      id: 1,
      title: 'Tides rise',
      url: 'https://g.example/tides',
      author: 'Noor Ahmed',
      date: '2024-03-05T09:30:00Z',
      content: 'The tide rose again.',
      tags: ['World news'],
    });
    expect(file?.decisions).toEqual([
      'the records are those at response.results[]',
      'title: guessed from "webTitle"; {"NAME": "title"} in articles.mapping.json reads another column',
      'date: guessed from "webPublicationDate"; {"webPublicationDate":null} in articles.mapping.json keeps it out',
      'tags: guessed from "sectionName"; {"sectionName":null} in articles.mapping.json keeps it out',
      'id: not read from "id": most of its values are no integers',
    ]);
  });

  it('the New York Times', async () => {
    const { records } = await loaded('articles', {
      status: 'OK',
      response: {
        docs: [
          {
            abstract: 'A long look at short days.',
            web_url: 'https://n.example/days',
            headline: { main: 'Short Days', kicker: null, print_headline: 'Days' },
            pub_date: '2024-03-05T09:30:00+0000',
            byline: { original: 'By Kim Sato', person: [] },
            keywords: [
              { name: 'subject', value: 'Winter', rank: 1 },
              { name: 'subject', value: 'Daylight', rank: 2 },
            ],
            section_name: 'Science',
            _id: 'nyt://article/1',
            word_count: 812,
          },
        ],
        meta: { hits: 1 },
      },
    });
    expect(records[0]).toMatchObject({
      id: 1,
      title: 'Short Days',
      url: 'https://n.example/days',
      author: 'By Kim Sato',
      date: '2024-03-05T09:30:00Z',
      content: 'A long look at short days.',
      tags: ['Winter', 'Daylight'],
    });
  });

  it('JSON-LD, in a graph among other things', async () => {
    const { records } = await loaded('articles', {
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': 'NewsArticle',
          headline: 'Harbour opens',
          url: 'https://h.example/1',
          datePublished: '2024-03-05T09:30:00Z',
          author: { '@type': 'Person', name: 'Rui Costa' },
          articleBody: 'It opened.',
          keywords: 'harbour, city',
        },
      ],
    });
    expect(records[0]).toMatchObject({
      title: 'Harbour opens',
      author: 'Rui Costa',
      date: '2024-03-05T09:30:00Z',
      content: 'It opened.',
      tags: ['harbour', 'city'],
    });
  });

  it('JSON-LD, one graph a page, of which only articles count', async () => {
    const graph = (...nodes: readonly object[]) => ({ '@context': 'https://schema.org', '@graph': nodes });
    const person = { '@type': 'Person', name: 'Rui Costa', url: 'https://h.example/rui' };
    const { records, file } = await loaded('articles', [
      graph(
        { '@type': 'WebPage', name: 'Page', url: 'https://h.example/' },
        {
          '@type': ['NewsArticle', 'Thing'],
          headline: 'Harbour opens',
          mainEntityOfPage: { '@id': 'https://h.example/1' },
        },
        person,
      ),
      graph(person, { '@type': 'schema:BlogPosting', headline: 'Harbour closes', author: person }, { name: 'No type' }),
    ]);
    expect(records.map(({ id, title, url, author }) => [id, title, url, author])).toEqual([
      [1, 'Harbour opens', 'https://h.example/1', null],
      [2, 'Harbour closes', null, 'Rui Costa'],
      [3, 'No type', null, null],
    ]);
    expect(file).toMatchObject({
      records: 3,
      refused: 0,
      otherTypes: [
        { name: 'Person', records: 2 },
        { name: 'WebPage', records: 1 },
      ],
    });
  });

  it('Stack Exchange', async () => {
    const { records } = await loaded('articles', {
      items: [
        {
          tags: ['git'],
          owner: { reputation: 5, user_id: 3, display_name: 'Pat' },
          score: 9,
          question_id: 77,
          creation_date: 1709631000,
          link: 'https://q.example/77',
          title: 'What is &quot;HEAD&quot;?',
        },
      ],
      has_more: false,
    });
    expect(records[0]).toMatchObject({ id: 77, title: 'What is "HEAD"?', author: 'Pat', score: 9, tags: ['git'] });
  });
});

describe('products', () => {
  it('Shopify products.json', async () => {
    const { records } = await loaded('products', {
      products: [
        {
          id: 632910392,
          title: 'Wool scarf',
          body_html: '<p>Warm</p>',
          vendor: 'Nord',
          product_type: 'Scarves',
          created_at: '2024-03-05T09:30:00-05:00',
          tags: 'wool, winter',
          variants: [
            { id: 1, title: 'Red', price: '39.00', sku: 'A1', compare_at_price: '49.00' },
            { id: 2, title: 'Blue', price: '41.00', sku: 'A2' },
          ],
          images: [
            { id: 5, src: 'https://cdn.example/scarf.jpg', width: 10 },
            { id: 6, src: 'https://cdn.example/scarf2.jpg' },
          ],
        },
      ],
    });
    expect(records).toEqual([
      {
        id: 632910392,
        title: 'Wool scarf',
        author: null,
        price: 39,
        imageUrl: 'https://cdn.example/scarf.jpg',
        rating: null,
        category: 'Scarves',
      },
    ]);
  });

  it('FakeStore', async () => {
    const { records, file } = await loaded('products', [
      {
        id: 1,
        title: 'Bag',
        price: 109.95,
        description: 'd',
        category: "men's clothing",
        image: 'https://f.example/1.jpg',
        rating: { rate: 3.9, count: 120 },
      },
      {
        id: 2,
        title: 'Ring',
        price: 9,
        description: 'd',
        category: 'jewelery',
        image: 'https://f.example/2.jpg',
        rating: { rate: 4.7, count: 20 },
      },
    ]);
    expect(records.map(({ rating }) => rating)).toEqual([3.9, 4.7]);
    expect(file?.fields[5]).toMatchObject({ renamedFrom: [{ name: 'rating.rate', records: 2 }], repaired: 0 });
  });

  it('DummyJSON', async () => {
    const { records } = await loaded('products', {
      products: [
        {
          id: 1,
          title: 'Mascara',
          category: 'beauty',
          price: 9.99,
          discountPercentage: 7.17,
          rating: 4.94,
          stock: 5,
          tags: ['beauty'],
          brand: 'Essence',
          thumbnail: 'https://d.example/t.png',
          images: ['https://d.example/1.png'],
          reviews: [{ rating: 2, comment: 'no', reviewerName: 'A B' }],
        },
      ],
      total: 194,
      skip: 0,
      limit: 30,
    });
    expect(records[0]).toEqual({
      id: 1,
      title: 'Mascara',
      author: null,
      price: 9.99,
      imageUrl: 'https://d.example/t.png',
      rating: 4.94,
      category: 'beauty',
    });
  });

  it('JSON-LD, one product', async () => {
    const { records } = await loaded('products', {
      '@context': 'https://schema.org/',
      '@type': 'Product',
      name: 'Anvil',
      image: ['https://a.example/1x1.jpg', 'https://a.example/4x3.jpg'],
      brand: { '@type': 'Brand', name: 'ACME' },
      review: [{ '@type': 'Review', author: { name: 'Fred' }, reviewRating: { ratingValue: 4 } }],
      aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.4', reviewCount: '89' },
      offers: { '@type': 'Offer', price: '119.99', priceCurrency: 'USD' },
    });
    expect(records).toEqual([
      {
        id: 1,
        title: 'Anvil',
        author: null,
        price: 119.99,
        imageUrl: 'https://a.example/1x1.jpg',
        rating: 4.4,
        category: null,
      },
    ]);
  });

  it('JSON-LD, products among breadcrumbs', async () => {
    const crumbs = { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', name: 'Home' }] };
    const product = (name: string, price: string) => ({ '@type': 'Product', name, offers: { price } });
    const graph = [...Array(200).fill(crumbs), product('Anvil', '119.99'), crumbs, product('Bell', '9')];
    const found = await loaded('products', graph);
    expect(found.records.map(({ id, title }) => [id, title])).toEqual([
      [1, 'Anvil'],
      [2, 'Bell'],
    ]);
    expect(found.file?.otherTypes).toEqual([{ name: 'BreadcrumbList', records: 201 }]);
    const lines = found.result.ok ? checkText(found.result.report) : [];
    expect(lines[0]).toContain('2 records, ');
    expect(lines[0]).toContain(', 0 refused, 2 values repaired, 201 of other types left out');
    expect(lines).toContain('  of other types, left out: BreadcrumbList (201 records)');
  });

  it('Google Books', async () => {
    const { records } = await loaded('products', {
      kind: 'books#volumes',
      totalItems: 1,
      items: [
        {
          kind: 'books#volume',
          id: 'zyTCAlFPjgYC',
          etag: 'f0',
          volumeInfo: {
            title: 'The Sea',
            authors: ['M. Vance', 'O. Reed'],
            averageRating: 3.5,
            ratingsCount: 136,
            categories: ['Nature'],
            imageLinks: { smallThumbnail: 'https://b.example/s', thumbnail: 'https://b.example/t' },
          },
          saleInfo: {
            saleability: 'FOR_SALE',
            listPrice: { amount: 11.99, currencyCode: 'USD' },
            retailPrice: { amount: 9.99 },
          },
        },
      ],
    });
    expect(records).toEqual([
      {
        id: 1,
        title: 'The Sea',
        author: 'M. Vance, O. Reed',
        price: 9.99,
        imageUrl: 'https://b.example/t',
        rating: 3.5,
        category: 'Nature',
      },
    ]);
  });

  it('WooCommerce, and breadcrumbs that end in the title', async () => {
    const { records } = await loaded('products', [
      {
        id: 3,
        name: 'Mug',
        price: '12.00',
        average_rating: '4.50',
        images: [{ id: 1, src: 'https://w.example/mug.jpg' }],
        categories: [{ id: 2, name: 'Kitchen', slug: 'kitchen' }],
      },
    ]);
    expect(records[0]).toMatchObject({
      price: 12,
      rating: 4.5,
      imageUrl: 'https://w.example/mug.jpg',
      category: 'Kitchen',
    });
    const crumbs = await loaded('products', [
      { id: 1, title: 'Rime', breadcrumbs: ['Home', 'Books', 'Poetry', 'Rime'] },
      { id: 2, title: 'Dune', breadcrumbs: ['Home', 'Books', 'Fiction', 'Dune'] },
    ]);
    expect(crumbs.records.map(({ category }) => category)).toEqual(['Poetry', 'Fiction']);
    const text = await loaded('products', [{ id: 1, title: 'Rime', breadcrumb: 'Home > Books > Poetry' }]);
    expect(text.records[0]?.category).toBe('Poetry');
  });

  it('amounts in hundredths, numbers as MongoDB exports them, columns of a flattened dump', async () => {
    const etsy = await loaded('products', [
      { listing_id: 1, title: 'Cup', price: { amount: 1850, divisor: 100, currency_code: 'EUR' } },
    ]);
    expect(etsy.records[0]?.price).toBe(18.5);
    const mongo = await loaded('products', [
      { _id: { $numberLong: '7' }, title: 'Cup', price: { $numberDecimal: '4.5' } },
    ]);
    expect(mongo.records[0]).toMatchObject({ id: 7, price: 4.5 });
    const minor = await loaded('products', [
      { id: 1, title: 'Cup', price: { amount: 551, currency: 'EUR', scale: 2 } },
      { id: 2, title: 'Pot', price: { amount: 551, currency: 'EUR', precision: 0 } },
      { id: 4, title: 'Jug', price: { amount: 551, currency: 'EUR' } },
    ]);
    expect(minor.records.map(({ price }) => price)).toEqual([5.51, 551, 551]);
    const written = await loaded('products', [
      { id: 1, title: 'Cup', price: { amount: 1299, value: 12.99, currency: 'EUR', precision: 2 } },
    ]);
    expect(written.records[0]?.price).toBe(12.99);
    const counted = [['Great'], ['a', 'b'], [], [{ text: 'a' }]].map((comments) => ({
      title: 'Tea',
      score: 1,
      comments,
    }));
    expect((await loaded('articles', counted)).records.map(({ comments }) => comments)).toEqual([1, 2, 0, 1]);
    const posts = await loaded('articles', [
      {
        title: 'Hello',
        score: { $numberInt: '3' },
        comments: { $numberLong: '12' },
        date: { $date: { $numberLong: '1700000000000' } },
      },
      {
        title: 'Comments',
        score: 1,
        comments: [{ body: 'nice' }, { body: 'meh' }],
        date: { $date: '2024-01-02T03:04:05Z' },
      },
      { title: 'None', score: 1, comments: [], date: null },
      { title: 'In a list', score: 1, comments: [7], date: null },
    ]);
    expect(posts.records.map(({ score, comments, date }) => [score, comments, date])).toEqual([
      [3, 12, '2023-11-14T22:13:20Z'],
      [1, 2, '2024-01-02T03:04:05Z'],
      [1, 0, null],
      [1, 7, null],
    ]);
    const flat = await loaded(
      'products',
      'id,title,rating.rate,rating.count,offers/price\n1,Cup,4.5,120,3.99\n',
      'csv',
    );
    expect(flat.records[0]).toMatchObject({ rating: 4.5, price: 3.99 });
  });
});

describe('places of records', () => {
  const tea = { id: 1, title: 'Tea', price: 2 };
  const cup = { id: 2, title: 'Cup', price: 5 };

  it.each<[string, string]>([
    ['two envelopes deep', JSON.stringify({ data: { products: [tea, cup] }, ok: true })],
    ['edges of nodes', JSON.stringify({ data: { products: { edges: [{ node: tea }, { node: cup }] } } })],
    [
      'pages in an array',
      JSON.stringify([
        { page: 1, items: [tea] },
        { page: 2, items: [cup] },
      ]),
    ],
    ['arrays in an array', JSON.stringify([[tea], [cup]])],
    ['pages one after the other', `${JSON.stringify({ items: [tea], next: 2 })}\n${JSON.stringify({ items: [cup] })}`],
    ['arrays one after the other', `${JSON.stringify([tea])}\n${JSON.stringify([cup])}`],
    ['pages, indented', `${JSON.stringify({ items: [tea] }, null, 2)}\n${JSON.stringify({ items: [cup] }, null, 2)}`],
    ['rows under a header row', '[["id","title","price"],\n[1,"Tea",2],[2,"Cup",5]]'],
    ['rows a line', '["id","title","price"]\n[1,"Tea",2]\n[2,"Cup",5]'],
    ['rows as pandas splits them', '{"columns":["id","title","price"],"index":[0,1],"data":[[1,"Tea",2],[2,"Cup",5]]}'],
    ['an object keyed by id', '{"1":{"title":"Tea","price":2},"2":{"title":"Cup","price":5}}'],
    ['keyed, in an envelope', '{"ok":true,"products":{"1":{"title":"Tea","price":2},"2":{"title":"Cup","price":5}}}'],
  ])('%s', async (_, dump) => {
    const { records } = await loaded('products', dump);
    expect(records.map(({ id, title, price }) => [id, title, price])).toEqual([
      [1, 'Tea', 2],
      [2, 'Cup', 5],
    ]);
  });

  it.each<[string, number, number, (records: readonly object[]) => unknown]>([
    ['keyed by id', 12_000, 0, (records) => Object.fromEntries(records.map((record, i) => [`${i + 1}`, record]))],
    ['in lists of pages', 20_000, 0, (items) => [{ page: 1, items }]],
    ['in groups', 200, 12_000, (items) => ({ groups: [{ items }] })],
    ['in one list', 200, 12_000, (items) => ({ items })],
  ])('a second page behind the opening: records %s', async (_, count, length, page) => {
    const records = Array.from({ length: count }, (_, i) => ({
      title: `Tea ${i}`,
      price: i,
      text: 'x'.repeat(length),
    }));
    const halves = [records.slice(0, count / 2), records.slice(count / 2)];
    const { records: read } = await loaded('products', halves.map((half) => JSON.stringify(page(half))).join('\n'));
    expect(read.map(({ title }) => title)).toEqual(records.map(({ title }) => title));
  });

  it('an object keyed by names, which are at hand', async () => {
    const dump = {
      'green-tea': { title: 'Tea', price: 2 },
      'blue-cup': { title: 'Cup', price: 5 },
      pot: { title: 'Pot' },
    };
    const { records, file } = await loaded('products', dump);
    expect(records.map(({ id, title, price }) => [id, title, price])).toEqual([
      [1, 'Tea', 2],
      [2, 'Cup', 5],
      [3, 'Pot', null],
    ]);
    expect(file?.notKept).toEqual([{ name: 'key', records: 3 }]);
    const mapped = await loadFiles({
      'products.json': JSON.stringify(dump),
      'products.mapping.json': '{"key": "category"}',
    });
    expect(mapped.records.map((values) => values[6])).toEqual(['green-tea', 'blue-cup', 'pot']);
  });

  it.each<[string, readonly string[], readonly unknown[]]>([
    ['codes', ['02134', '00501'], ['02134', '00501']],
    ['codes beside a number', ['2134', '00501'], ['2134', '00501']],
    ['codes beside a word', ['02134', '00501', 'p3'], ['02134', '00501', 'p3']],
  ])('an object keyed by %s with leading zeros, which are no ids', async (_, keys, expected) => {
    const dump = Object.fromEntries(keys.map((key, i) => [key, { title: `Tea ${i}`, price: 2 }]));
    const { models, records } = await loadFiles({ 'products.json': JSON.stringify(dump) }, { columns: 'all' });
    const key = models.get('products')?.fields.findIndex(({ name }) => name === 'key') ?? -1;
    const byTitle = records.toSorted((a, b) => String(a[1]).localeCompare(String(b[1])));
    expect(byTitle.map((values) => values[key])).toEqual(expected);
    expect(records.map(([id]) => id)).toEqual(keys.map((__, i) => i + 1));
  });

  it('groups of codes with leading zeros keep them, and zero is an id', async () => {
    const groups = { '007': [{ title: 'Tea', price: 2 }], '012': [{ title: 'Cup', price: 5 }] };
    const { models, records } = await loadFiles({ 'products.json': JSON.stringify(groups) }, { columns: 'all' });
    const group = models.get('products')?.fields.findIndex(({ name }) => name === 'group') ?? -1;
    expect(records.map((values) => values[group])).toEqual(['007', '012']);
    const zero = await loaded('products', '{"0":{"title":"Tea","price":2},"-5":{"title":"Cup","price":5}}');
    expect(zero.records.map(({ id }) => id)).toEqual([0, -5]);
  });

  it('a record of several objects is one record', async () => {
    const { records } = await loaded('products', {
      product: { title: 'Tea', price: 2 },
      brand: { name: 'Leaf', country: 'IN', founded: 1901 },
      seller: { name: 'Shop', url: 'https://s.example', since: 2001 },
    });
    expect(records.map(({ title, price }) => [title, price])).toEqual([['Tea', 2]]);
  });

  it('pages keep the lines of their records', async () => {
    const { file } = await loaded(
      'products',
      `{"items":[\n${JSON.stringify(tea)},\n{"id":3}]}\n{"items":[\n{"id":"x","title":"t"}\n]}`,
    );
    expect(file?.refusals.map(({ line }) => line)).toEqual([3, 5]);
  });

  it('pages that are cut off are a fault', async () => {
    const text = `${JSON.stringify({ items: [tea] })}\n${JSON.stringify({ items: [cup] })}`;
    expect(await fault({ 'products.json': text.slice(0, -1) })).toBe(
      'products.json:2:44: the file ends inside a value: the download was probably cut off; --partial serves the 2 records before the cut',
    );
    expect(await fault({ 'products.json': text.slice(0, -8) })).toContain('the file ends inside');
  });
});
