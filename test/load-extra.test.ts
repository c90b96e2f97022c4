/** What records have besides their fields (`--extra`), texts that are HTML, and exports of both. */
import { describe, expect, it } from 'vitest';
import { appOf, datasetIn } from './support/api.js';
import { loadFiles } from './support/load.js';
import { withFolder } from './support/program.js';

type Kind = 'articles' | 'products';

const serve = <T>(
  files: Readonly<Record<string, string>>,
  use: (app: ReturnType<typeof appOf>) => Promise<T>,
  keepsExtra = true,
) => withFolder(files, async (dir) => use(appOf(await datasetIn(dir, { keepsExtra }))));

const exported = async (app: ReturnType<typeof appOf>, name: Kind, format: string) =>
  (await app.request(`/api/export/${name}?format=${format}`)).text();

describe('--extra', () => {
  const products = `[
    {"id": 1, "name": "Tea", "price": 2, "sku": "T-1", "weight": 1.50, "dims": { "w" : [1, 2], "note": "a \\" b" }, "big": 12345678901234567890},
    {"id": 2, "title": "Cup", "price": 3}
  ]`;

  it('keeps what feeds no field as it came, in details and JSON, and nowhere else', async () => {
    await serve({ 'products.json': products }, async (app) => {
      const detail = await (await app.request('/api/products/1')).text();
      expect(detail).toBe(
        '{"id":1,"title":"Tea","author":null,"price":2,"imageUrl":null,"rating":null,"category":null,"extra":{"sku":"T-1","weight":1.50,"dims":{"w":[1,2],"note":"a \\" b"},"big":12345678901234567890}}',
      );
      expect(await (await app.request('/api/products/2')).text()).not.toContain('extra');
      expect(await (await app.request('/api/products')).text()).not.toContain('extra');
      expect(await exported(app, 'products', 'csv')).not.toContain('sku');
      expect(await exported(app, 'products', 'json')).toContain('"sku":"T-1"');
      expect(await (await app.request('/api/products/search?q=T-1')).text()).toContain('"total":0');
    });
  });

  it('is a table on the page of a record', async () => {
    const dump =
      '[{"id":1,"title":"Tea","sku":"<b>T-1</b>","deep":{"a":[1]}},{"id":2,"title":"Cup"},{"id":3,"title":"Pot","sku":null}]';
    await serve({ 'products.json': dump }, async (app) => {
      const page = await (await app.request('/products/1')).text();
      expect(page).toContain('<h2 id="extra">Other fields</h2>');
      expect(page).toContain('&lt;b&gt;T-1&lt;/b&gt;');
      expect(page).toContain('{&quot;a&quot;:[1]}');
      for (const path of ['/products/2', '/products/3']) {
        expect(await (await app.request(path)).text(), path).not.toContain('Other fields');
      }
    });
  });

  it('is off by default', async () => {
    await serve(
      { 'products.json': products },
      async (app) => {
        expect(await exported(app, 'products', 'json')).not.toContain('extra');
      },
      false,
    );
  });

  it.each(['json', 'ndjson'])('is not nested again by loading an export as %s', async (format) => {
    await serve({ 'products.json': products }, async (app) => {
      const first = await exported(app, 'products', format);
      await serve({ [`products.${format}`]: first }, async (again) => {
        expect(await exported(again, 'products', format)).toBe(first);
      });
    });
  });

  it('keeps ids that are no integers, members of which a part is read, and columns of CSV', async () => {
    const dump = JSON.stringify([{ id: 'a-1', title: 't', offers: { price: 3, currency: 'EUR' } }]);
    await serve({ 'products.json': dump, 'articles.csv': 'id,title,mood\n1,Tea,calm\n2,Ice,\n' }, async (app) => {
      expect(JSON.parse(await exported(app, 'products', 'json'))[0]).toMatchObject({
        id: 1,
        price: 3,
        extra: { id: 'a-1', offers: { price: 3, currency: 'EUR' } },
      });
      const articles = JSON.parse(await exported(app, 'articles', 'json'));
      expect(articles.map(({ extra }: { extra?: unknown }) => extra)).toEqual([{ mood: 'calm' }, undefined]);
    });
  });

  it('is kept of records that are parsed, and of names that come late', async () => {
    const lines = [
      '{"id":1,"title":"a","x":1}',
      '{"id":2,"title":"b","x":2,"\\u0079":[1]}',
      '{"id":3,"title":"c","y":[2],"__proto__":{"z":1}}',
    ];
    await serve({ 'articles.ndjson': lines.join('\n') }, async (app) => {
      const extras = (await exported(app, 'articles', 'ndjson'))
        .trim()
        .split('\n')
        .map((line) => /"extra":(.*)\}$/.exec(line)?.[1]);
      expect(extras).toEqual(['{"x":1}', '{"x":2,"y":[1]}', '{"y":[2],"__proto__":{"z":1}}']);
    });
  });

  it('says in the report what is kept', async () => {
    const { files } = await loadFiles({ 'products.json': products }, { keepsExtra: true });
    expect(files[0]).toMatchObject({ keepsExtra: true });
    expect(files[0]?.notKept.map(({ name }) => name)).toEqual(['sku', 'weight', 'dims', 'big']);
  });
});

describe('format=ndjson', () => {
  it('has one record a line', async () => {
    const dump = JSON.stringify([
      { id: 1, title: 'a', tags: ['x'] },
      { id: 2, title: 'b' },
      { id: 3, title: 'c' },
    ]);
    await serve({ 'articles.json': dump }, async (app) => {
      const response = await app.request('/api/export/articles?format=ndjson&fields=id,tags&sort=title&order=desc');
      expect(response.headers.get('content-type')).toBe('application/x-ndjson');
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="articles.ndjson"');
      expect(await response.text()).toBe('{"id":3}\n{"id":2}\n{"id":1,"tags":["x"]}\n');
      expect(await (await app.request('/api/export/products?format=ndjson')).text()).toBe('');
    });
  });
});

describe('HTML', () => {
  const article = (content: string, more: object = {}) => ({ id: 1, headline: 't', body: content, ...more });
  const contentOf = async (dump: unknown, keepsHtml = false) => {
    const { records } = await loadFiles({ 'articles.json': JSON.stringify(dump) }, { keepsHtml });
    return records.map((values) => values[7]);
  };

  it.each([
    ['<p>One <b>two</b>\n three</p><p>Four</p>', 'One two three\n\nFour'],
    ['<h1>Head</h1>Text<br>line<br/><br>far', 'Head\n\nText\nline\n\nfar'],
    ['<ul><li>a</li> <li>b <i>c</i></li></ul>', 'a\nb c'],
    ['<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>', '1 2\n3'],
    ['<pre>a\n  b</pre><p>&lt;tag&gt; &amp;amp; caf&eacute;&nbsp;!</p>', 'a\n  b\n\n<tag> &amp; café\u00a0!'],
    ['<p>x</p><script>alert("<p>")</script><style>p{}</style><p>y</p>', 'x\n\ny'],
    ['<p>open <b>and <p>never closed', 'open and\n\nnever closed'],
  ])('%j becomes %j', async (html, text) => {
    expect(await contentOf([article(html)])).toEqual([text]);
    expect(await contentOf([article(html)], true)).toEqual([html]);
  });

  it('is known by nearly every value, or by the name of its source', async () => {
    const some = ['<p>a</p>', 'b about <p> tags', 'c', 'd'].map((content) => article(content));
    expect(await contentOf(some)).toEqual(['<p>a</p>', 'b about <p> tags', 'c', 'd']);
    expect(await contentOf([{ id: 1, title: 't', content_html: 'a &amp; b' }])).toEqual(['a & b']);
    expect(await contentOf([{ id: 1, title: 't', content: 'a &amp; b' }])).toEqual(['a &amp; b']);
  });

  it('titles, authors and names lose their entities, where they are some', async () => {
    const dump = [
      {
        id: 1,
        headline: 'R&D &amp; caf&eacute; &#8211; AT&T',
        byline: 'O&#39;Brien',
        keywords: ['a &lt; b'],
        body: 'x &amp; y',
        link: 'https://a.example/?a=1&amp;b=2',
      },
    ];
    const { records, files } = await loadFiles({ 'articles.json': JSON.stringify(dump) });
    expect(records[0]).toEqual([
      1,
      'R&D & café – AT&T',
      'https://a.example/?a=1&amp;b=2',
      null,
      null,
      "O'Brien",
      null,
      'x &amp; y',
      ['a < b'],
    ]);
    expect(files[0]?.fields.map(({ repaired }) => repaired)).toEqual([0, 1, 0, 0, 0, 1, 0, 0, 1]);
  });

  it('in our own exports stays what it is, to the byte', async () => {
    const articles = ['<p>About &lt;tags&gt;</p>', '<b>&amp;amp;</b>', '<br>'].map((text, i) => ({
      id: i + 1,
      title: text,
      url: '&amp;',
      score: 1,
      comments: 1,
      author: text,
      date: null,
      content: text,
      tags: [text],
    }));
    await serve({ 'articles.json': JSON.stringify(articles) }, async (app) => {
      for (const format of ['json', 'csv', 'ndjson']) {
        const first = await exported(app, 'articles', format);
        await serve({ [`articles.${format}`]: first }, async (again) => {
          for (const other of ['json', 'csv', 'ndjson'])
            expect(await exported(again, 'articles', other)).toBe(await exported(app, 'articles', other));
        });
      }
    });
  });

  it('an empty title takes the first words of the content', async () => {
    const dump = [
      { id: 1, title: '', content: 'One two three four five six seven eight nine ten eleven.\nMore' },
      { id: 2, content: ' Short ' },
      { id: 3, title: ' ', content: 'x'.repeat(100) },
      { id: 4, title: '', content: '' },
    ];
    const { records, files } = await loadFiles({ 'articles.json': JSON.stringify(dump) });
    expect(records.map((values) => values[1])).toEqual([
      'One two three four five six seven eight nine ten …',
      'Short',
      `${'x'.repeat(80)} …`,
    ]);
    expect(files[0]?.fields[1]?.repaired).toBe(3);
    expect(files[0]?.refusals.map(({ reason }) => reason)).toEqual(['title is empty']);
  });
});
