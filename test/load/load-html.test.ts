/** Texts that are HTML, exports of them, and exports as NDJSON. */
import { describe, expect, it } from 'vitest';
import { appOf, datasetIn } from '../support/api.js';
import { loadFiles } from '../support/load.js';
import type { Name } from '../support/oracle.js';
import { withFolder } from '../support/program.js';

const serve = <T>(files: Readonly<Record<string, string>>, use: (app: ReturnType<typeof appOf>) => Promise<T>) =>
  withFolder(files, async (dir) => use(appOf(await datasetIn(dir))));

const exported = async (app: ReturnType<typeof appOf>, name: Name, format: string) =>
  (await app.request(`/api/export/${name}?format=${format}`)).text();

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
    [`${'<div class="a">'.repeat(600)}deep${'</div>'.repeat(600)}<p>behind</p>`, 'deep\n\nbehind'],
    [`<p>a</p>${'<span>'.repeat(300)}b <b>c</b><pre>d\n e</pre>`, 'a\n\nb c\n\nd\n e'],
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

  it('found texts lose their entities in a column without HTML', async () => {
    const things = [
      {
        id: 1,
        name: 'Cup',
        price: 1,
        brand: 'R&amp;D',
        note: '<b>A &amp; B</b>',
        marks: ['S&#38;P', 'x'],
        from: 'AT&T',
      },
      { id: 2, name: 'Mug', price: 2, brand: 'R&D', note: 'A &lt;b&gt;', marks: ['S&P', 'y'], from: '?a=1&copy=2' },
    ];
    const lines = await serve({ 'products.json': JSON.stringify(things) }, async (app) =>
      (await app.request('/api/export/products?format=ndjson&fields=brand,note,marks,from')).text(),
    );
    const records = lines
      .trim()
      .split('\n')
      .map((line) => Object.values(JSON.parse(line)));
    expect(records.map((values) => values.slice(-4))).toEqual([
      ['R&D', '<b>A &amp; B</b>', ['S&P', 'x'], 'AT&T'],
      ['R&D', 'A &lt;b&gt;', ['S&P', 'y'], '?a=1&copy=2'],
    ]);
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

  it.each<[string, string]>([
    ['A &lt; B &amp; C', 'A < B & C'],
    ['A &amp;lt; B', 'A &lt; B'],
    ['AT&T and R&D', 'AT&T and R&D'],
    ['<p>A &amp;lt; B</p>', 'A &lt; B'],
    ['<p>A &lt; B</p>', 'A < B'],
  ])('a title that is made of the content %s', async (content, title) => {
    const { records } = await loadFiles({ 'articles.json': JSON.stringify([{ id: 1, score: 1, content }]) });
    expect(records[0]?.[1]).toBe(title);
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
