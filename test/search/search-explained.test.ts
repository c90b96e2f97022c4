/** Searches that ask for all words or for fields, and that tell what they found records by: by example, each with its reason. */
import { decodeHTML } from 'entities';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type App, appOf, datasetOf, getJson, isMiniSearch } from '../support/api.js';

const articles = [
  { id: 1, title: 'Map of the old town', author: 'Ada Moor', content: 'Streets by name.', tags: ['maps', 'towns'] },
  { id: 2, title: 'A draft of a map', author: 'Bo', content: 'Ada Moor drew it.', tags: ['maps'] },
  { id: 3, title: 'Old bread', author: 'Moor', content: 'A map lies under the loaf.', tags: ['bread', 'old maps'] },
  { id: 4, title: 'Sourdough', author: 'Ada', content: 'Bread, and <b>how</b> to bake it.', tags: [] },
  { id: 5, title: 'title page', author: null, content: 'Note: draft', tags: ['Draft'] },
  { id: 6, title: 'The', author: 'Bo', content: 'Baking soda', tags: null },
].map((article) => ({ url: null, score: 1, comments: 0, date: null, ...article }));
const app = appOf(datasetOf({ articles }));

interface Answer {
  readonly data: readonly { readonly id: number; readonly highlight?: Readonly<Record<string, unknown>> }[];
  readonly suggestion?: string | null;
  readonly pagination: { readonly total: number };
}
const search = (text: string, rest = '', from: App = app): Promise<Answer> =>
  getJson<Answer>(from, `/api/articles/search?q=${encodeURIComponent(text)}${rest}`);
const idsOf = async (text: string, rest = ''): Promise<readonly number[]> =>
  (await search(text, rest)).data.map(({ id }) => id).sort();

describe('names in -s', () => {
  const titles = [
    'Harry and the loaf',
    'Harris drew this map',
    'His APIs',
    'This one has an API',
    'Tennis',
    'On what basis',
    'The news of the day',
    'New York in spring',
    'Viruses on Buses',
    'A busy day',
    'Business as usual',
  ];
  const named = appOf(
    datasetOf({ articles: titles.map((title, id) => ({ ...articles[5], id, title, content: null })) }),
  );
  test.each([
    ['harry', [0], 'Harris is no form of Harry'],
    ['harris', [1], 'nor the other way round'],
    ["Harris's ", [1], 'a name has its genitive'],
    ['api ', [2, 3], 'a word in -i has its plural'],
    ['APIs', [2, 3], 'and a plural its word'],
    ['this harris ', [1], 'this is a stop word, whatever ends as it does'],
    ['his ', [2], 'so is his, which is looked for where there is nothing else: hi is another word'],
    ['tenny tennis ', [4], 'a word of its own'],
    ['bases basic base', [], 'none of these is basis'],
    ['news ', [6], 'news is no form of new'],
    ['new ', [7], 'nor the other way round'],
    ['virus ', [8], 'a plural in -uses'],
    ['bus ', [8], 'of a short word, too'],
    ['business ', [10], 'business is no form of busy'],
  ])('%s finds %j: %s', async (text, ids) => {
    expect((await search(text, '&fuzzy=0', named)).data.map(({ id }) => id).sort()).toEqual(ids);
  });
});

describe('match=all', () => {
  test.each([
    ['old map ', [1, 3], 'both words, in whatever fields'],
    ['old maps', [1, 3], 'another form of the same word'],
    ['bread baking ', [4], 'bakes and baking have one stem'],
    ['the map ', [1, 2, 3], 'the is a stop word: it need not occur'],
    ['the ', [1, 3, 6], 'nothing else is asked for'],
    ['map tow', [1], 'the last word is also the beginning of one'],
    ['map tow ', [], 'but not where another might follow'],
    ['sourdouhg bread ', [4], 'sourdouhg stands for its nearest spelling'],
    ['xyzzyplugh bread ', [], 'nothing is near this word, so no record has all'],
    ['map "ada moor"', [1, 2], 'phrases must occur anyway'],
    ['old-map', [1, 3], 'a compound that no record has written together is its parts'],
    ['sour-dough bread ', [4], 'and one that records have so is that word'],
    ['map map maps ', [1, 2, 3], 'a word said again is asked for once'],
  ])('%s finds %j: %s', async (text, ids) => {
    expect(await idsOf(text, '&match=all')).toEqual(ids);
  });

  test('counts, exports and facets have the same records', async () => {
    const asked = 'q=old+map+&match=all';
    expect(await getJson<{ count: number }>(app, `/api/articles/stats?${asked}`)).toMatchObject({ count: 2 });
    expect(await getJson<readonly unknown[]>(app, `/api/export/articles?${asked}`)).toHaveLength(2);
    expect(await getJson(app, `/api/articles/tags?${asked}&limit=1`)).toEqual({ data: [{ name: 'bread', count: 1 }] });
    expect(await idsOf('old map ', '&match=all&tag=bread&sort=title')).toEqual([3]);
  });
});

describe('fields in the text', () => {
  test.each([
    ['title:map', [1, 2], 'record 3 has it in its content and in a tag'],
    ['Title:maps', [1, 2], 'names in any case, words in any form'],
    ['title:ma', [1, 2], 'the last word may be a beginning there, too'],
    ['title:ma ', [], 'but not where another might follow'],
    ['title:mpa ', [], 'a word of three letters has no other spellings'],
    ['title:sourdouhg ', [4], 'a longer one has, as anywhere'],
    ['tag:map', [1, 2, 3], 'a tag of several words, too'],
    ['tags:map', [1, 2, 3], 'tag and tags alike'],
    ['author:moor', [1, 3], 'record 2 has it in its content'],
    ['author:ada author:moor', [1], 'each must occur'],
    ['title:map bread', [1, 2], 'bread may add to scores, but must not occur'],
    ['title:the', [1, 6], 'a stop word is asked for by name'],
    ['title: map', [1, 2, 3, 5], 'a space follows the colon: plain words, of which record 5 has the first'],
    ['name:map', [1, 2, 3], 'no field is called so: plain words'],
    ['content:"of it"', [], 'a phrase that is nowhere'],
  ])('%s finds %j: %s', async (text, ids) => {
    expect(await idsOf(text)).toEqual(ids);
  });

  // MiniSearch has neither phrases nor exclusions.
  test.runIf(!isMiniSearch).each([
    ['author:"Ada Moor"', [1], 'record 2 has the phrase in its content'],
    ['map -title:draft', [1, 3], 'record 2 has it in its title'],
    ['map -tag:"old maps"', [1, 2], 'a phrase that must not be a tag'],
    ['-title:draft', [2, 5], 'nothing but exclusions: plain words, of which record 5 has both'],
    [
      'a b c d e f g h i title:map',
      [1, 2],
      'in prose of more than eight words quotes and dashes are none, but fields are operators',
    ],
  ])('%s finds %j: %s', async (text, ids) => {
    expect(await idsOf(text)).toEqual(ids);
  });
});

describe('fuzzy=0 and prefix=0', () => {
  test.each([
    ['sourdouhg ', '&fuzzy=0', [], 'no record has the word'],
    ['sourdouhg bread ', '&fuzzy=0', [3, 4], 'the other word is found as ever'],
    ['sourd', '&prefix=0', [], 'no word but one that begins so'],
    ['sourdoug', '&prefix=0', [4], 'now it is a misspelt word'],
    ['sourd', '&prefix=1&fuzzy=1', [4], 'as without them'],
    ['sourd the', '&fuzzy=0', [], 'the word that might go on is the last one, though it is no word to look for'],
  ])('%s with %s finds %j: %s', async (text, rest, ids) => {
    expect(await idsOf(text, rest)).toEqual(ids);
  });
});

// MiniSearch has no suggestions.
describe('suggest=1', () => {
  test.runIf(!isMiniSearch).each<[string, string | null, string]>([
    ['Sourdouhg and bred ', 'sourdough and bread ', 'each unknown word in its nearest spelling, the rest as it was'],
    ['sourdough ', null, 'the word is spelt as a record spells it'],
    ['sourd', null, 'a beginning is no misspelling'],
    ['xyzzyplugh ', null, 'nothing is near'],
    ['title:sourdouhg -"old"', 'title:sourdough -"old"', 'operators stay'],
    ['"sourdouhg"', null, 'what is quoted is not searched by other spellings'],
  ])('%s suggests %s: %s', async (text, suggestion) => {
    expect((await search(text, '&suggest=1')).suggestion).toBe(suggestion);
  });

  test.runIf(!isMiniSearch)('of several near spellings the one that most records have', async () => {
    const titles = ['cards', 'carts', 'carts', 'cares'];
    const many = appOf(datasetOf({ articles: titles.map((title, id) => ({ ...articles[0], id, title })) }));
    expect((await search('caets ', '&suggest=1', many)).suggestion).toBe('carts ');
    expect((await search('caets ', '&suggest=1&fuzzy=0', many)).suggestion).toBeNull();
  });

  test.runIf(!isMiniSearch)('a doubled letter is rather forgotten than another one written', async () => {
    const titles = ['Harry Potter', 'Mary', 'Mary', 'Hare'];
    const names = appOf(datasetOf({ articles: titles.map((title, id) => ({ ...articles[0], id, title })) }));
    expect((await search('hary potter ', '&suggest=1', names)).suggestion).toBe('harry potter ');
    expect((await search('lary ', '&suggest=1', names)).suggestion).toBe('mary ');
  });

  test.runIf(!isMiniSearch)('a number is replaced with its marks', async () => {
    const pi = appOf(datasetOf({ articles: [{ ...articles[0], id: 1, title: '3.1415' }] }));
    expect((await search('3.145 ', '&suggest=1', pi)).suggestion).toBe('3.1415 ');
  });

  test.runIf(!isMiniSearch)('a rare spelling also finds what fifty times more records have, below', async () => {
    const titles = [...Array(50).fill('They receive letters'), 'I recieve letters', 'A form from here', 'Forms'];
    const many = appOf(
      datasetOf({ articles: titles.map((title, id) => ({ ...articles[0], id, title, content: '' })) }),
    );
    const { data, pagination, suggestion } = await search('recieve', '&suggest=1', many);
    expect(data[0]).toMatchObject({ id: 50 });
    expect([pagination.total, suggestion]).toEqual([51, 'receive']);
    expect((await search('recieve', '&fuzzy=0', many)).pagination.total).toBe(1);
    const fewer = appOf(datasetOf({ articles: titles.slice(1).map((title, id) => ({ ...articles[0], id, title })) }));
    expect((await search('recieve', '&suggest=1', fewer)).pagination.total).toBe(1);
  });

  test.runIf(isMiniSearch)('is nothing that MiniSearch can do', async () => {
    const response = await app.request('/api/articles/search?q=a&suggest=1');
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: {
        details: [
          { parameter: 'suggest', message: '"suggest" must be 0: --engine minisearch does not tell spellings.' },
        ],
      },
    });
  });

  test('is not there unless it is asked for', async () => {
    expect(await search('sourdouhg ')).not.toHaveProperty('suggestion');
    expect(await search('sourdouhg ', '&suggest=0&highlight=0')).not.toHaveProperty('suggestion');
  });
});

describe('highlight=1', () => {
  const highlightOf = async (text: string, id: number, rest = '') =>
    (await search(text, `&highlight=1${rest}`)).data.find((record) => record.id === id)?.highlight;

  test('marks forms and beginnings, in the fields that have them', async () => {
    expect(await highlightOf('maps moo', 1)).toEqual({
      title: '<mark>Map</mark> of the old town',
      author: 'Ada <mark>Moor</mark>',
      tags: ['<mark>maps</mark>', 'towns'],
    });
    expect(await highlightOf('maps moo', 3)).toEqual({
      author: '<mark>Moor</mark>',
      content: 'A <mark>map</mark> lies under the loaf.',
      tags: ['bread', 'old <mark>maps</mark>'],
    });
  });

  test('marks near spellings', async () => {
    expect(await highlightOf('sourdouhg ', 4)).toEqual({ title: '<mark>Sourdough</mark>' });
  });

  test.each([
    ['map ', '<script>map()</script>', '&lt;script&gt;<mark>map</mark>()&lt;/script&gt;'],
    ['script ', '<script>map()</script>', '&lt;<mark>script</mark>&gt;map()&lt;/<mark>script</mark>&gt;'],
    ['map ', '<mark>map</mark>', '&lt;mark&gt;<mark>map</mark>&lt;/mark&gt;'],
    ['map ', 'A &amp; a &lt;map', 'A &amp;amp; a &amp;lt;<mark>map</mark>'],
    ['amp ', 'A &amp; a map', 'A &amp;<mark>amp</mark>; a map'],
    ['map ', `"map's" onclick='`, '&quot;<mark>map</mark>&#39;s&quot; onclick=&#39;'],
    ['map ', '😀 map 👨‍👩‍👧', '😀 <mark>map</mark> 👨‍👩‍👧'],
    ['𝒳yz ', 'an 𝒳yz', 'an <mark>𝒳yz</mark>'],
    ['大学 ', '東京大学の猫', '東京<mark>大学</mark>の猫'],
    ['خريطة ', 'هذه خريطة قديمة', 'هذه <mark>خريطة</mark> قديمة'],
    ['cafe ', 'Un cafe\u0301 noir', 'Un <mark>cafe\u0301</mark> noir'],
    ['map ', '\u202emap\u2066', '\u202e<mark>map</mark>\u2066'],
  ])('%s in %s is HTML: %s', async (text, title, markup) => {
    const hostile = appOf(datasetOf({ articles: [{ ...articles[0], title, content: title, tags: ['<i>', title] }] }));
    const { data } = await search(text, '&highlight=1', hostile);
    expect(data[0]?.highlight).toEqual({ title: markup, content: markup, tags: ['&lt;i&gt;', markup] });
  });

  test('of a long text without a space it cuts no character', async () => {
    const unspaced = fc.string({
      unit: fc.constantFrom('é', 'e\u0301', '😀', '東', '京', '<', '\u0e17\u0e35\u0e48'),
      minLength: 300,
    });
    await fc.assert(
      fc.asyncProperty(unspaced, unspaced, async (before, after) => {
        const content = `${before}大学${after}`;
        const { data } = await search(
          '大学 ',
          '&highlight=1',
          appOf(datasetOf({ articles: [{ ...articles[0], content }] })),
        );
        const snippet = String(data[0]?.highlight?.content);
        const shown = decodeHTML(snippet.replace(/<\/?mark>|^… | …$/g, ''));
        expect(snippet).toContain('<mark>大学</mark>');
        expect(content).toContain(shown);
        const characters = (text: string): readonly string[] => text.match(/\P{M}\p{M}*/gu) ?? [];
        const at = characters(content.slice(0, content.indexOf(shown))).length;
        expect(
          characters(content)
            .slice(at, at + characters(shown).length)
            .join(''),
        ).toBe(shown);
      }),
      { numRuns: 40 },
    );
  });

  test('is independent of fields', async () => {
    const { data } = await search('sourdough ', '&highlight=1&fields=id');
    expect(data).toEqual([{ id: 4, highlight: { title: '<mark>Sourdough</mark>' } }]);
    const tags = await search('sourdough ', '&highlight=1&fields=tags');
    expect(tags.data).toEqual([{ highlight: { title: '<mark>Sourdough</mark>' } }]);
  });

  test('of a long text it is some thirty words around the most of what was found', async () => {
    const filler = Array.from({ length: 300 }, (_, i) => `filler${i}`).join(' ');
    const content = `A map alone. ${filler} An old map of bread & butter here. ${filler}`;
    const long = appOf(datasetOf({ articles: [{ ...articles[0], content }] }));
    const { data } = await search('old bread map ', '&highlight=1', long);
    const snippet = String(data[0]?.highlight?.content);
    expect(snippet).toContain('An <mark>old</mark> <mark>map</mark> of <mark>bread</mark> &amp; butter here.');
    expect(snippet).toMatch(/^… filler\d+ .* …$/);
    expect(snippet.split(' ').length).toBeLessThan(40);
  });

  test('is no part of exports, nor of links to them', async () => {
    expect((await app.request('/api/export/articles?q=map&highlight=1')).status).toBe(422);
    const { headers } = await app.request('/api/articles/search?q=map&highlight=1&suggest=0&match=all&limit=1');
    const link = headers.get('Link') ?? '';
    expect(link).toContain('highlight=1&suggest=0&match=all&limit=1&page=2>; rel="next"');
    expect(link).toContain('</api/export/articles?q=map&match=all&format=csv>');
  });
});

test('without the new parameters a search answers as ever', async () => {
  const plain = await (await app.request('/api/articles/search?q=old+map')).text();
  for (const usual of ['match=any', 'fuzzy=1', 'prefix=1', 'highlight=0&suggest=0'])
    expect(await (await app.request(`/api/articles/search?q=old+map&${usual}`)).text()).toBe(plain);
});
