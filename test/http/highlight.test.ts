/** Which words of a text are marked, and where a snippet begins. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginningsFor, createHighlighter, markedPieces } from '../../src/http/highlight/highlight.js';
import { html } from '../../src/http/markup/html.js';
import { EVERYTHING } from '../../src/query/query.js';
import { createSearchBuilder } from '../support/search-builder.js';

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
  });

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
  });

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
        const pieces = [...markedPieces(content, beginningsFor(finder))].map(
          ({ from, to }) => [from, content.slice(from, to)] as const,
        );
        const seen = pieces.filter(([, piece]) => finder.look(piece).isFound);
        expect(seen).toEqual(found.map(({ 0: piece, index }) => [index, piece]));
      }),
      { numRuns: 200 },
    );
  });

  test('a snippet begins near the first word that was found', () => {
    const text = `${'hay '.repeat(500)}needle${' hay'.repeat(500)}`;
    const highlighter = createHighlighter(indexOf(text), { ...EVERYTHING, text: 'needle' });
    const made = highlighter.snippet(text);
    expect(made === null ? '' : made.toString()).toMatch(
      /^&hellip; (?:hay ){2,4}<mark>needle<\/mark>(?: hay)+ &hellip;$/,
    );
    expect(highlighter.snippet('hay')).toBeNull();
    // A word before it that is longer than what may stand before is left out, and is no reason to begin behind the mark.
    const long = highlighter.snippet(`${'x'.repeat(300)}${'hay'.repeat(30)} needle in ${text}`);
    expect(String(long)).toMatch(/^&hellip; <mark>needle<\/mark> in hay/);
  });
});
