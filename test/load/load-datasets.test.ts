/**
 * Dumps as people have them: public datasets, exports of shops, blogs and databases; invented, and each under a name that says
 * nothing. They load without a mapping, and their fields tell what they hold.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startUpText } from '../../src/load/report/report-text.js';
import { loadFiles, loadFolder } from '../support/load.js';
import { withFolder } from '../support/program.js';
import { expectSame } from '../support/same.js';

/** What the file holds, and the fields of its records that have a value. */
async function read(dump: unknown, extension = typeof dump === 'string' ? 'csv' : 'json', options: object = {}) {
  const file = `dump.${extension}`;
  const text = typeof dump === 'string' ? dump : JSON.stringify(dump);
  return withFolder({ [file]: text }, async (dir) => {
    const { records, files, fault, models } = await loadFolder(dir, { paths: [join(dir, file)], ...options });
    expect(fault).toBeUndefined();
    const fields = models.get(files[0]?.collection ?? '')?.fields ?? [];
    const valuesOf = (record: (typeof records)[number]) =>
      fields.flatMap(({ name }, i) => (record[i] === null ? [] : [[name, record[i]]]));
    return { records: records.map((record) => Object.fromEntries(valuesOf(record))), file: files[0] };
  });
}

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

describe('products', () => {
  it('a price tells them from articles', async () => {
    const wines = lines(
      'country,description,points,price,title',
      'Italy,"Aromas of broom, and dried herb",87,15.0,Etna Bianco',
      'Portugal,"Ripe and fruity, a smooth wine",91,,Douro Red',
    );
    const { records, file } = await read(wines);
    expect(file?.collection).toBe('products');
    expect(records).toEqual([
      { id: 1, title: 'Etna Bianco', price: 15 },
      { id: 2, title: 'Douro Red' },
    ]);
  });

  it('so do ratings, where a date speaks for articles', async () => {
    const books = lines(
      'bookID,title,authors,average_rating,ratings_count,publication_date',
      '7,Tides,Ada Moor/Bo Lind,4.57,2095690,9/16/2006',
    );
    expect((await read(books)).records).toEqual([{ id: 7, title: 'Tides', author: 'Ada Moor/Bo Lind', rating: 4.57 }]);
  });

  it('users are not their authors', async () => {
    const reviews = lines(
      'product_id,product_name,category,discounted_price,actual_price,rating,user_name,img_link',
      'B07,Braided cable,Cables,"₹1,09,999","₹1,19,999",4.2,"Manav,Asha",https://a.example/1.jpg',
    );
    expect((await read(reviews)).records).toEqual([
      {
        id: 1,
        title: 'Braided cable',
        price: 109999,
        imageUrl: 'https://a.example/1.jpg',
        rating: 4.2,
        category: 'Cables',
      },
    ]);
  });

  it('WooCommerce as CSV: most have no sale price, and several pictures stand in one cell', async () => {
    const { records, file } = await read(
      lines(
        'ID,Name,Sale price,Regular price,Categories,Images',
        '44,Hoodie,42,45,Clothing > Hoodies,"https://a.example/1,2.jpg, https://a.example/2.jpg"',
        '45,Cap,,18,Clothing,https://a.example/3.jpg',
        '46,Belt,,55,Clothing,',
      ),
    );
    expect(records).toEqual([
      { id: 44, title: 'Hoodie', price: 45, imageUrl: 'https://a.example/1,2.jpg', category: 'Clothing > Hoodies' },
      { id: 45, title: 'Cap', price: 18, imageUrl: 'https://a.example/3.jpg', category: 'Clothing' },
      { id: 46, title: 'Belt', price: 55, category: 'Clothing' },
    ]);
    expect(file?.decisions).toEqual(['price: not read from "Sale price": most records have none']);
  });

  it('Etsy as CSV', async () => {
    const shop = lines(
      'TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,TAGS,IMAGE1,IMAGE2',
      'Wood sign,"Rustic, made by hand",20.00,EUR,"sign,wood",https://a.example/1.jpg,https://a.example/2.jpg',
    );
    expect((await read(shop)).records).toEqual([
      { id: 1, title: 'Wood sign', price: 20, imageUrl: 'https://a.example/1.jpg' },
    ]);
  });

  it('MongoDB, which names the type of each number', async () => {
    const kettles = [
      { _id: { $oid: '5f5e' }, name: 'Kettle', price: { $numberDecimal: '39.90' }, rating: { $numberDouble: '4.5' } },
      { _id: { $oid: '5f5f' }, name: 'Pan', price: { $numberInt: '25' }, rating: { $numberInt: '4' } },
    ];
    expect((await read(kettles)).records).toEqual([
      { id: 1, title: 'Kettle', price: 39.9, rating: 4.5 },
      { id: 2, title: 'Pan', price: 25, rating: 4 },
    ]);
  });

  it('Strapi, and GraphQL, where values are wrapped', async () => {
    const image = { data: { id: 3, attributes: { name: 'chair.png', url: '/uploads/chair.png' } } };
    const category = { data: { id: 2, attributes: { name: 'Furniture' } } };
    const strapi = { data: [{ id: 1, attributes: { title: 'Chair', price: 99.5, image, category } }], meta: {} };
    const images = { edges: [{ node: { url: 'https://a.example/1.jpg', altText: 'Chair' } }] };
    const node = {
      databaseId: 4,
      name: 'Chair',
      price: '99.50',
      images,
      categories: { nodes: [{ name: 'Furniture' }] },
    };
    const chair = { id: 1, title: 'Chair', price: 99.5, category: 'Furniture' };
    expect((await read(strapi)).records).toEqual([{ ...chair, imageUrl: '/uploads/chair.png' }]);
    expect((await read({ data: { products: { edges: [{ node }] } } })).records).toEqual([
      { ...chair, imageUrl: 'https://a.example/1.jpg' },
    ]);
  });
});

describe('films', () => {
  it('TMDB, and a table that pandas made of it', async () => {
    const film = { id: 603, title: 'Tides', poster_path: '/f89.jpg', release_date: '1999-03-30', vote_average: 8.2 };
    const tides = { id: 603, title: 'Tides', imageUrl: '/f89.jpg', rating: 8.2 };
    expect((await read({ page: 1, results: [{ ...film, vote_count: 22000, genre_ids: [28] }] })).records).toEqual([
      tides,
    ]);
    const table = lines(
      'genres,id,poster_path,release_date,title,vote_average,vote_count',
      `"[{'id': 16, 'name': 'Drama'}, {'id': 35, 'name': ""Sailors' tales""}]",603,/f89.jpg,1999-03-30,Tides,8.2,22000`,
    );
    expect((await read(table)).records).toEqual([{ ...tides, category: "Drama, Sailors' tales" }]);
  });
});

describe('articles', () => {
  it('hits of Elasticsearch, whose scores are none of theirs', async () => {
    const hit = { _index: 'news', _type: '_doc', _id: '101', _score: 1 };
    const _source = { title: 'Storm', body: 'It blew.', author: 'Ann', published: '2023-04-05T10:00:00Z' };
    expect((await read({ took: 5, hits: { total: { value: 1 }, hits: [{ ...hit, _source }] } })).records).toEqual([
      { id: 101, title: 'Storm', author: 'Ann', date: '2023-04-05T10:00:00Z', content: 'It blew.' },
    ]);
  });

  it('the date of publication goes before that of the draft', async () => {
    const post = {
      title: 'Hi',
      html: '<p>Hey</p>',
      created_at: '2021-01-06T10:00:00Z',
      published_at: '2021-01-07T10:00:00Z',
    };
    expect((await read({ db: [{ data: { posts: [post], users: [{ name: 'Ann' }] } }] })).records).toEqual([
      { id: 1, title: 'Hi', date: '2021-01-07T10:00:00Z', content: 'Hey' },
    ]);
  });

  it('Crossref, whose authors have two names', async () => {
    const items = [
      {
        DOI: '10.1016/j.x',
        title: ['On growth'],
        author: [
          { given: 'Ann', family: 'Lee', sequence: 'first' },
          { given: 'Bob', family: 'Ray', sequence: 'additional' },
        ],
        created: { 'date-parts': [[2010, 1, 5]], 'date-time': '2010-01-05T10:00:00Z', timestamp: 1262685600000 },
        URL: 'https://a.example/x',
      },
    ];
    expect((await read({ status: 'ok', message: { items } })).records).toEqual([
      {
        id: 1,
        title: 'On growth',
        url: 'https://a.example/x',
        author: 'Ann Lee, Bob Ray',
        date: '2010-01-05T10:00:00Z',
      },
    ]);
  });

  it('Stack Exchange as CSV, with tags in angle brackets', async () => {
    const posts = lines(
      'Id,PostTypeId,CreationDate,Score,Body,Title,Tags,AnswerCount,CommentCount',
      '4,1,2008-07-31 21:42:52,794,<p>A <code>Bar</code></p>,How?,<c#><floating-point>,13,1',
    );
    expect((await read(posts)).records).toEqual([
      {
        id: 4,
        title: 'How?',
        score: 794,
        comments: 1,
        date: '2008-07-31T21:42:52Z',
        content: 'A Bar',
        tags: ['c#', 'floating-point'],
      },
    ]);
  });

  it('MediaWiki', async () => {
    const page = {
      pageid: 736,
      ns: 0,
      title: 'Ada',
      extract: 'Ada wrote the first program.',
      fullurl: 'https://a.example/Ada',
    };
    const other = { ...page, pageid: 9316, title: 'Bo' };
    const dump = { batchcomplete: '', query: { pages: { 736: page, 9316: other } } };
    const { records, file } = await read(dump, 'json', { columns: 'all' });
    // Neither an author nor a date beside the text: it is told as neither articles nor products.
    expect(file?.collection).toBe('dump');
    expect(records[0]).toEqual({
      id: 736,
      title: 'Ada',
      url: 'https://a.example/Ada',
      pageid: 736,
      ns: 0,
      extract: 'Ada wrote the first program.',
    });
  });

  it('the date is not that of the download', async () => {
    const news = { title: 'Storm', maintext: 'It blew.', date_download: '2023-01-09', date_publish: '2023-01-02' };
    expect((await read([{ ...news, url: 'https://a.example/1' }])).records).toEqual([
      { id: 1, title: 'Storm', url: 'https://a.example/1', date: '2023-01-02T00:00:00Z', content: 'It blew.' },
    ]);
  });

  it('a list that Python printed empty is no author', async () => {
    const stories = lines('title,text,authors,article_url', "One,Words,['Ada'],https://a.example/1", 'Two,More,[],');
    expect((await read(stories)).records.map(({ author }) => author)).toEqual(['Ada', undefined]);
  });

  it('Mastodon and Twitter: posts have no title, their hashtags have names', async () => {
    const post = {
      id: '109',
      created_at: '2022-12-01T10:00:00Z',
      url: 'https://a.example/109',
      content: '<p>Hello</p>',
    };
    const toot = { ...post, account: { username: 'ann' }, favourites_count: 7, tags: [{ name: 'fedi', url: '/fedi' }] };
    expect((await read([toot])).records).toEqual([
      {
        id: 109,
        title: 'Hello',
        url: 'https://a.example/109',
        score: 7,
        date: '2022-12-01T10:00:00Z',
        content: 'Hello',
        tags: ['fedi'],
      },
    ]);
    const tweet = { id: '1460', text: 'A new era', public_metrics: { reply_count: 3, like_count: 191 } };
    expect(
      (await read({ data: [tweet], includes: { users: [{ id: '2', name: 'Ann', username: 'ann' }] } })).records,
    ).toEqual([{ id: 1460, title: 'A new era', score: 191, comments: 3, content: 'A new era' }]);
  });

  it('Instagram: its captions are the posts, not the comments below them; dates of 14 digits', async () => {
    const comments = [{ text: 'nice', ownerUsername: 'bo' }];
    const post = { id: '1', caption: 'Sunset by the sea', likesCount: 50, commentsCount: 1, latestComments: comments };
    expect((await read([{ ...post, timestamp: 20230102101500 }])).records).toEqual([
      {
        id: 1,
        title: 'Sunset by the sea',
        score: 50,
        comments: 1,
        date: '2023-01-02T10:15:00Z',
        content: 'Sunset by the sea',
      },
    ]);
  });

  it('Discourse, whose last poster is not the author; Product Hunt', async () => {
    const topic = {
      id: 7,
      title: 'Hi',
      created_at: '2021-02-03T04:05:06Z',
      reply_count: 1,
      last_poster_username: 'sam',
    };
    expect((await read({ topic_list: { topics: [topic] } })).records).toEqual([
      { id: 7, title: 'Hi', comments: 1, date: '2021-02-03T04:05:06Z' },
    ]);
    const topics = { edges: [{ node: { name: 'Tech' } }] };
    const node = { id: '1', name: 'Thing', votesCount: 120, commentsCount: 12, user: { name: 'Ann' }, topics };
    expect((await read({ data: { posts: { edges: [{ node }] } } })).records).toEqual([
      { id: 1, title: 'Thing', score: 120, comments: 12, author: 'Ann', tags: ['Tech'] },
    ]);
  });
});

describe('as programs write tables', () => {
  it('in UTF-16, as Excel and PowerShell do: the same as in UTF-8, whatever the chunks', async () => {
    const titles = Array.from({ length: 30_000 }, (_, i) => `茶 ${i} 😀 Öl`);
    const tables = [
      ['products.csv', lines('id\ttitle', ...titles.map((title, i) => `${i}\t${title}`))],
      ['products.json', JSON.stringify(titles.map((title, id) => ({ id, title })))],
    ] as const;
    for (const [name, text] of tables) {
      const little = Buffer.from(`\ufeff${text}`, 'utf16le');
      const big = Buffer.from(little).swap16();
      const { records } = await loadFiles({ [name]: text });
      expectSame(
        records.map(([, title]) => title),
        titles,
      );
      for (const bytes of [little, big, gzipSync(little)])
        expectSame((await loadFiles({ [name]: bytes })).records, records);
    }
  });

  it('with words for no value', async () => {
    const table = lines('id,title,author,price,category', '1,None,NULL,nan,\\N', '2,B,Nan,3,"None"', '3,C,N,NaN,Nun');
    const { records, files } = await loadFiles({ 'products.csv': table });
    expect(records.map(([id, title, author, price, , , category]) => [id, title, author, price, category])).toEqual([
      [1, 'None', null, null, null],
      [2, 'B', 'Nan', 3, null],
      [3, 'C', 'N', null, 'Nun'],
    ]);
    expect(files[0]?.fields.map(({ field, leftNull }) => [field, leftNull])).toContainEqual(['category', 2]);
  });

  it('and reads its own exports back as they are', async () => {
    const own = lines('id,title,author,price,imageUrl,rating,category', '1,A,nan,,,,NULL');
    expect((await loadFiles({ 'products.csv': own })).records).toEqual([[1, 'A', 'nan', null, null, null, 'NULL']]);
  });

  it('with names in German, French or Spanish', async () => {
    const german = lines('Titel;Autor;Preis;Kategorie', 'Wetter;Anna;"1.234,50 €";Küche', 'Tee;Bert;"3,50 €";Küche');
    const tea = { id: 2, title: 'Tee', author: 'Bert', price: 3.5, category: 'Küche' };
    expect((await read(german)).records[1]).toEqual(tea);
    expect(
      (await read(german.replace('Titel;Autor;Preis;Kategorie', 'Titre;Auteur;Prix;Catégorie'))).records[1],
    ).toEqual(tea);
    expect(
      (await read(german.replace('Titel;Autor;Preis;Kategorie', 'Título;Autor;Precio;Categoría'))).records[1],
    ).toEqual(tea);
  });

  it('a path of categories ends in the category', async () => {
    const path = ['Shop', 'Home', 'Batteries'].map((name, id) => ({ id: `cat${id}`, name }));
    const { records } = await read({
      products: [{ name: 'AAA', salePrice: 5.49, regularPrice: 5.49, categoryPath: path }],
    });
    expect(records).toEqual([{ id: 1, title: 'AAA', price: 5.49, category: 'Batteries' }]);
  });
});

describe('white space of the page around texts', () => {
  it.each([
    [
      'JSON',
      JSON.stringify([
        { name: '\n   Tea &amp; co\n  ', price: '\n $4.20 ', category: ['\n Drinks\n'] },
        { name: 'Milk', category: 'Drinks ' },
      ]),
      'json',
    ],
    ['CSV', 'name,price,category\n"\n   Tea &amp; co\n  ",\u0020$4.20 ,"\n Drinks\n"\nMilk,,Drinks \n', 'csv'],
  ])('is left out in %s', async (_, dump, extension) => {
    expect((await loadFiles({ [`products.${extension}`]: dump })).records).toEqual([
      [1, 'Tea & co', null, 4.2, null, null, 'Drinks'],
      [2, 'Milk', null, null, null, null, 'Drinks'],
    ]);
  });
});

describe('what cannot be read says what to do', () => {
  const reasonOf = (dump: string, name = 'products.json') => loadFiles({ [name]: dump }).then(({ fault }) => fault);

  it.each([
    ['{"id":{"0":5,"1":6},"title":{"0":"Tea","1":"Milk"}}', 'one object of columns'],
    ['{"id":[5,6],"title":["Tea","Milk"]}', 'one object of columns'],
    ["[{'id': 1, 'title': 'Tea'}]", 'json.dumps writes them'],
    ['{"id":1,"title":"A"},\n{"id":2,"title":"B"}\n', 'put [ before the first value and ] behind the last'],
    ['callback([{"id":1,"title":"Tea"}]);', 'found a script with JSON in it'],
  ])('%s', async (dump, advice) => {
    expect(await reasonOf(dump)).toContain(advice);
  });

  it('a table of which no column is a title', async () => {
    const { result } = await loadFiles({ 'products.csv': 'make,engine,sku,price\nFord,1.2 petrol,A-1,12000\n' });
    expect(result.ok && startUpText(result.report)).toEqual([
      expect.stringMatching(/^products\.csv: 0 records, .*, 1 refused, 1 warning$/),
      '  taken for products; --as NAME overrules',
      '  refused: record 1 (line 2): title is missing',
      '  no column is the title: {"make": "title"} or {"engine": "title"} or {"sku": "title"} in products.mapping.json reads it',
    ]);
    expect(result.ok && result.report.files[0]?.titleCandidates).toEqual(['make', 'engine', 'sku']);
    const titled = await loadFiles({ 'products.csv': 'name,make,price\nPuma,Ford,12000\n' });
    expect(titled.result.ok && titled.result.report.files[0]?.titleCandidates).toEqual([]);
  });

  it('an amount in cents is no price', async () => {
    const { records } = await loadFiles({ 'products.csv': 'name,price_cents\nTea,1299\n' });
    expect(records).toEqual([[1, 'Tea', null, null, null, null, null]]);
  });
});
