/** Scraped Markdown and HTML as a safe subset: readable, and no more than the elements that the page makes itself. */
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { createHighlighter } from '../../src/http/highlight/highlight.js';
import { html } from '../../src/http/markup/html.js';
import { proseMarkup } from '../../src/http/pages/record/paragraphs.js';
import { richText } from '../../src/http/pages/record/rich-text.js';
import { EVERYTHING } from '../../src/query/query.js';
import { expectLinear } from '../support/cost.js';
import { createSearchBuilder } from '../support/search-builder.js';

const search = (() => {
  const builder = createSearchBuilder([{ name: 'content', weight: 1 }]);
  builder.add(['word']);
  return builder.finish(Int32Array.of(0));
})();
const rich = (text: string, query: string | null = null): string | null => {
  const made = richText(text, createHighlighter(search, { ...EVERYTHING, text: query }));
  return made === null ? null : html`${made}`.toString();
};
/** Without what keeps the direction of a text to itself. */
const shown = (text: string): string | null => rich(text)?.replaceAll(' dir="auto"', '') ?? null;

const LINK = 'rel="noopener noreferrer nofollow"';

describe('is readable', () => {
  test.each([
    ['emphasis', '**bold** and *slanted*', '<p><strong>bold</strong> and <em>slanted</em></p>'],
    ['links', '[a](http://a.test/)', `<p><a class="plain" href="http://a.test/" ${LINK}>a</a></p>`],
    [
      'a link in bold',
      '**[a](http://a.test/)**',
      `<p><strong><a class="plain" href="http://a.test/" ${LINK}>a</a></strong></p>`,
    ],
    ['headings', '# One\n\ntext', '<h3>One</h3><p>text</p>'],
    ['lists', '- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['numbered lists', '1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['quotes', '> said', '<blockquote><p>said</p></blockquote>'],
    ['code', '```js\nx < 1\n```', '<pre tabindex="0"><code>x &lt; 1\n</code></pre>'],
    ['rules', 'a\n\n-----\n\nb', '<p>a</p><hr><p>b</p>'],
    ['lines that were meant', '**a**\nb', '<p><strong>a</strong><br>b</p>'],
    [
      'tags within Markdown',
      '**a** <span class="x">b</span> <a href="http://a.test/">c</a>',
      `<p><strong>a</strong> b <a class="plain" href="http://a.test/" ${LINK}>c</a></p>`,
    ],
    ['HTML', '<div><p>One</p><p>Two <b>x</b></p></div>', '<p></p><p>One</p><p>Two <strong>x</strong></p>'],
    ['lists in HTML', '<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['entities', '<p>A &amp; B &lt;</p>', '<p>A &amp; B &lt;</p>'],
    ['other tags are dropped', '<p><font color=red>a</font><img src=x></p>', '<p>a</p>'],
    ['scripts and styles with what they hold', '<p>a</p><script>b</script><style>c</style>', '<p>a</p>'],
  ])('%s', (_, text, expected) => expect(shown(text)).toBe(expected));

  test.each(['Plain text.', 'a < b and c > d', 'Two\n\nparagraphs, 3 * 4 * 5', '#hashtag', 'mentions a_name_of_code'])(
    '%j is neither',
    (text) => expect(rich(text)).toBeNull(),
  );

  test('words that were found are marked', () => {
    expect(rich('**word** and words', 'word')).toContain('<strong><mark>word</mark></strong>');
  });
});

/** What the page may make of a text. */
const ELEMENTS = 'a b blockquote br code del em h3 hr li mark ol p pre strong ul'.split(' ');
const ATTRIBUTES = ['class', 'dir', 'href', 'rel', 'tabindex'];

/** Elements and attributes besides those, and addresses of another scheme. */
function foreignIn(markup: string): readonly string[] {
  const foreign: string[] = [];
  new Parser({
    onopentag(name, attributes) {
      if (!ELEMENTS.includes(name)) foreign.push(name);
      for (const [key, value] of Object.entries(attributes)) {
        if (!ATTRIBUTES.includes(key)) foreign.push(`${name} ${key}`);
        if (key === 'href' && !/^https?:\/\//.test(value)) foreign.push(value);
        if (key === 'class' && value !== 'plain') foreign.push(`class ${value}`);
      }
    },
    oncomment: (text) => foreign.push(text),
  }).end(markup);
  return foreign;
}

const ATTACKS = [
  '<script>alert(1)</script><p>x</p>',
  '<p><img src=x onerror=alert(1)></p>',
  '<p><svg onload=alert(1)><script>alert(1)</script></svg></p>',
  '<p><a href="javascript:alert(1)">x</a></p>',
  '<p><a href=" javascript:alert(1)">x</a></p>',
  '<p><a href="java\tscript:alert(1)">x</a></p>',
  '<p><a href="&#106;avascript:alert(1)">x</a></p>',
  '<p><a href="data:text/html,<script>alert(1)</script>">x</a></p>',
  '<p><a href="http://a.test/" onclick="alert(1)" style="x">x</a></p>',
  '<p><a href="http://a.test/&quot; onclick=alert(1) x=&quot;">x</a></p>',
  '<p><iframe src="javascript:alert(1)"></iframe></p>',
  '<p><form action="http://a.test"><input name=x><button>x</button></form></p>',
  '<p><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<p><noscript><p title="</noscript><img src=x onerror=alert(1)>"></p>',
  '<p><style>@import "http://a.test"</style><link rel=stylesheet href=x><meta http-equiv=refresh content="0;url=x">',
  '<p><!--><img src=x onerror=alert(1)>--></p>',
  '<p><template><script>alert(1)</script></template><object data=x></object><embed src=x><base href=x></p>',
  '<p><a name=getElementById id=body class=skip>x</a></p>',
  '[x](javascript:alert(1))',
  '[x](<javascript:alert(1)>) **a**',
  '[x](JaVaScRiPt:alert(1)) **a**',
  '[x](&#106;avascript:alert(1)) **a**',
  '[x](vbscript:alert(1)) **a**',
  '[x](data:text/html;base64,PHNjcmlwdD4=) **a**',
  '[x](http://a.test/"onmouseover="alert(1)) **a**',
  '![x](javascript:alert(1)) **a**',
  '![x" onerror="alert(1)](http://a.test/x.png)',
  '<javascript:alert(1)> **a**',
  '**a** <img src=x onerror=alert(1)> <script>alert(1)</script>',
  '**a** <a href="javascript:alert(1)">x</a>',
  '**a** <a href=javascript:alert(1) >x</a>',
  '**a**\n\n<div onclick=alert(1)>x\n\n<script>\nalert(1)\n</script>',
  '[a]: javascript:alert(1)\n\n[a] **x**',
  '```"><script>alert(1)</script>\nx\n```',
  '**a** <b onmouseover=alert(1)>x</b> `<script>alert(1)</script>`',
  '# <script>alert(1)</script>',
  '> <iframe src=x>\n> **a**',
];

describe('is safe', () => {
  test.each(ATTACKS)('%s', (attack) => {
    const markup = rich(attack) ?? '';
    expect(foreignIn(markup)).toEqual([]);
  });

  test('whatever pieces a text is made of', () => {
    const piece = fc.oneof(
      fc.constantFrom(...ATTACKS),
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '](',
        '[',
        '**',
        '`',
        '\n\n',
        '</p>',
        '<p>',
        '<a href=',
        '&#',
        '<!--',
        '-->',
        '<![CDATA[',
        '\0',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(foreignIn(rich(`${pieces.join('')}</p>`) ?? '')).toEqual([]);
        expect(foreignIn(rich(`**a** ${pieces.join('')}`) ?? '')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test.each(['[', '*a ', '> ', '<b>', '<ul><li>', '_a_', '![a](', '<!--', 'a\n'])(
    'a text of nothing but %j takes time by its length only, as HTML and as Markdown',
    async (unit) => {
      const textOf = (length: number): string => `**a** ${unit.repeat(length / unit.length)}`;
      await expectLinear((length) => rich(`${textOf(length)}</p>`), 1500);
      await expectLinear((length) => rich(textOf(length)), 1500);
    },
  );

  test.each([
    '\n',
    '\n\t',
    '\n ',
    ' \n',
    '\r\n',
    '\n\n',
    ' ',
    '\t',
    '\u00a0',
    '\u200f',
    '\u0301',
    'é',
    '😀',
    '<a ',
    '</a',
    '<b ',
    '<em',
    '<a href=',
    '<br ',
    '<!-',
    '<![',
    '<?',
    '<',
    '>',
    '<a>',
    '</b>',
    '&',
    '&#',
    '&amp',
    '](',
    '](  ',
    '[a]',
    '[a]:',
    '![',
    '~~',
    '~',
    '`',
    '```',
    '\n```',
    '_',
    '__',
    '-',
    '*',
    '** ',
    '* ',
    '+ ',
    '1.',
    '\n1) ',
    '\n---x',
    '\n***',
    '\n===',
    '\n#',
    '# ',
    '|',
    '\n|-',
    '\\',
    '\\\n',
    '"',
    "'",
    '(',
    '{',
    'http://',
    'www.',
    'a@',
    'a.',
    '0,',
  ])('a text of nothing but %j is shown in time by its length only', async (unit) => {
    const highlighter = createHighlighter(search, EVERYTHING);
    const show = (text: string): string => rich(text) ?? proseMarkup(text, highlighter).toString();
    await expectLinear((length) => show(`x${unit.repeat(length / unit.length)}`), 1800);
  });

  test.each([
    '<svg width="1">',
    '<iframe src=x>',
    '<noscript>',
    '<template>',
    '<object>',
    '<plaintext>',
    '<div class="x',
    '<div><script>a',
    '<div><!-- a',
  ])('a block of %s that is not closed takes no text behind it along', (block) => {
    const markup = rich(`**a**\n\n${block}\n\n**text** behind`) ?? '';
    expect(markup).toMatch(/<p dir="auto"><strong>text<\/strong> behind<\/p>$/);
    expect(markup).not.toContain('&lt;');
  });

  test('a block of HTML within a list and a quote leaves these open', () => {
    expect(rich('**a**\n\n> - b\n>\n>   <section>c <i>d\n>\n>   e\n\nf')).toBe(
      '<p dir="auto"><strong>a</strong></p><blockquote><ul><li><p dir="auto">b</p>c <em>d\n</em><p dir="auto">e</p></li></ul></blockquote>' +
        '<p dir="auto">f</p>',
    );
  });
});
