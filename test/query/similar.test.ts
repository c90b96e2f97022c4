/** Records like one: of both engines, as the definition has them, and as the API answers. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildMiniSearch } from '../../src/search/minisearch.js';
import { DEFAULT_RANKING } from '../../src/search/scoring.js';
import { ENGINES, type Engine, type SearchIndex } from '../../src/search/search.js';
import { significantTerms } from '../../src/search/significant-terms.js';
import { appOf, datasetOf, getJson } from '../support/api.js';
import { finished } from '../support/finished.js';
import type { PlainRecord } from '../support/oracle.js';
import { createSearchBuilder } from '../support/search-builder.js';
import { Oracle } from '../support/search-oracle.js';

const FIELDS = [
  { name: 'title', weight: 2 },
  { name: 'content', weight: 1 },
];

type Texts = readonly [title: string, content: string];

function indexOf(engine: Engine, records: readonly Texts[]): SearchIndex {
  if (engine === 'minisearch') return finished(buildMiniSearch(FIELDS, records.length, (row) => records[row] ?? []));
  const builder = createSearchBuilder(FIELDS);
  for (const record of records) builder.add(record);
  return builder.finish(Int32Array.from(records, (_, row) => row));
}

const weighted = ([title, content]: Texts) => [
  { text: title, weight: 2 },
  { text: content, weight: 1 },
];

test('are those that the definition has, whatever the records', () => {
  const vocabulary = [
    'map',
    'maps',
    'city',
    'river',
    'the',
    'of',
    ...Array.from({ length: 50 }, (_, i) => `word${'abcdefghij'[i % 10]}${'klmnop'[i % 6]}`),
  ];
  const some = (maxLength: number) =>
    fc.array(
      fc.nat(vocabulary.length ** 2 - 1).map((n) => vocabulary[Math.floor(Math.sqrt(n))] ?? ''),
      { maxLength },
    );
  const record = fc.tuple(some(5), some(70)).map((texts) => texts.map((words) => words.join(' ')) as unknown as Texts);
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 30 }),
      fc.nat(),
      fc.integer({ min: 1, max: 12 }),
      (records, at, limit) => {
        const row = at % records.length;
        const expected = new Oracle(
          records.map((texts) => texts.map((text) => [text])),
          [2, 1],
          DEFAULT_RANKING,
        ).similar(row);
        const scoreOf = new Map(expected.map((hit) => [hit.row, hit.score]));
        const found = Array.from(indexOf('bm25f', records).similar(weighted(records[row] ?? ['', '']), limit));
        expect(new Set(found).size).toBe(Math.min(limit, expected.length));
        // Scores that differ by less than they are rounded by may stand either way.
        for (const [i, other] of found.entries()) expect(scoreOf.get(other)).toBeCloseTo(expected[i]?.score ?? 0, 6);
      },
    ),
    { numRuns: 200 },
  );
});

describe('what tells most', () => {
  const MILLION = 1_000_000;
  /** `word: times said, records that have it`. */
  const telling = (words: Readonly<Record<string, readonly [number, number]>>): readonly string[] =>
    significantTerms(
      new Map(Object.entries(words).map(([word, [times]]) => [word, times])),
      (word) => words[word]?.[1] ?? 0,
      MILLION,
    ).map(({ term }) => term);
  const many = (count: number, records: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`w${i}`, [1, records] as const]));

  test.each<[Readonly<Record<string, readonly [number, number]>>, readonly string[], string]>([
    [{ common: [1, 9000], rare: [1, 20] }, ['rare', 'common'], 'rare words tell more'],
    [{ once: [1, 500], often: [9, 500] }, ['often', 'once'], 'so do those that are said again'],
    [{ own: [5, 1], none: [1, 0], shared: [1, 2] }, ['shared'], 'what no other record has tells nothing'],
    [many(5, 300_000), ['w0', 'w1', 'w2', 'w3'], 'four are looked up, however frequent'],
    [{ ...many(6, 30_000), rare: [1, 20] }, ['rare', 'w0', 'w1', 'w2'], 'of more only what 65,536 postings hold'],
  ])('of %j is %j: %s', (words, expected) => expect(telling(words)).toEqual(expected));

  test('is 32 words at most', () => expect(telling(many(40, 10))).toHaveLength(32));
});

describe.each(ENGINES)('by %s', (engine) => {
  const filler = 'with words that many of the records here have';
  const records: readonly Texts[] = [
    ['Sourdough starters', `flour and water ${filler}`],
    ['A sourdough diary', `a starter, day by day, ${filler}`],
    ['Flour mills', `by the water ${filler}`],
    ['Something else', filler],
    ['The of', ''],
    ['Xylophones', ''],
    ['"Sourdough" -starter title:flour', ''],
  ];
  const index = indexOf(engine, records);
  const like = (row: number, limit = 10): readonly number[] =>
    Array.from(index.similar(weighted(records[row] ?? ['', '']), limit));

  test.each<[number, readonly number[], string]>([
    [0, [0, 1, 2, 3, 6], 'all that share a word; what shares common words only comes last'],
    [3, [0, 1, 2, 3], 'by common words alone, where there is nothing else'],
    [4, [], 'stop words tell nothing'],
    [5, [], 'a word that no other record has tells nothing of others'],
  ])('those like record %i are %j: %s', (row, expected) => {
    expect([...like(row)].sort()).toEqual(expected);
    expect(like(row, 2)).toEqual(like(row).slice(0, 2));
  });

  test('rare words tell more than common ones', () => {
    expect(like(0).at(-1)).toBe(3);
  });

  test('quotes, dashes and colons in a record are no operators', () => {
    expect([...like(6)].sort()).toEqual([0, 1, 2, 6]);
  });
});

describe('in the API', () => {
  const articles: readonly PlainRecord[] = [
    { id: 7, title: 'Tulips', content: 'bulbs in black soil', tags: ['garden'], author: 'Ada' },
    { id: 8, title: 'Black tulips', content: 'a novel', tags: [], author: 'Bo' },
    { id: 9, title: 'Gardening', content: 'without bulbs', tags: ['soil'], author: 'Cy' },
    { id: 10, title: 'Clocks', content: '', tags: ['time'], author: 'Ada' },
    { id: 11, title: 'Xylophones' },
  ];
  const app = appOf(
    datasetOf({
      articles,
      products: [
        { id: 1, title: 'Salt', author: 'Bo', category: 'Food' },
        { id: 2, title: 'Pepper', category: 'Food' },
      ],
    }),
  );
  const idsLike = async (path: string): Promise<readonly unknown[]> =>
    (await getJson<{ data: readonly PlainRecord[] }>(app, path)).data.map(({ id }) => id);

  test('title, content, tags and author count, the record itself is left out', async () => {
    expect(await idsLike('/api/articles/7/similar')).toEqual([8, 9, 10]);
    expect(await idsLike('/api/articles/7/similar?limit=1')).toEqual([8]);
    expect(await idsLike('/api/products/2/similar')).toEqual([1]);
    expect(await idsLike('/api/articles/11/similar')).toEqual([]);
  });

  test('records are those of lists', async () => {
    const { data } = await getJson<{ data: readonly unknown[] }>(app, '/api/articles/8/similar');
    const listed = await getJson<{ data: readonly unknown[] }>(app, '/api/articles?limit=1');
    expect(data[0]).toEqual(listed.data[0]);
  });

  test('a record may have as much text as it likes: its beginning counts', async () => {
    const long = 'words again and again '.repeat(250_000);
    const large = appOf(
      datasetOf({
        articles: [
          { id: 1, title: 'Tulips', content: `bulbs ${long}` },
          { id: 2, title: 'Bulbs' },
          { id: 3, title: 'Xylophone' },
          { id: 4, title: 'Long', content: `${long} xylophone` },
        ],
      }),
    );
    const { data } = await getJson<{ data: readonly PlainRecord[] }>(large, '/api/articles/1/similar');
    expect(data.map(({ id }) => id).sort()).toEqual([2, 4]);
    const other = await getJson<{ data: readonly PlainRecord[] }>(large, '/api/articles/4/similar');
    expect(other.data.map(({ id }) => id)).toEqual([1]);
  });

  test('of a long list the first hundred names count', async () => {
    const tags = [...Array.from({ length: 99 }, (_, i) => `only${i}`), 'tulip', 'clock'];
    const articles = [
      { id: 1, title: 'Xylophone', tags },
      { id: 2, title: 'Tulip' },
      { id: 3, title: 'Clock' },
    ];
    const listed = appOf(datasetOf({ articles }));
    const { data } = await getJson<{ data: readonly PlainRecord[] }>(listed, '/api/articles/1/similar');
    expect(data.map(({ id }) => id)).toEqual([2]);
  });

  test.each([
    ['/api/articles/99/similar', 404, 'Article with id 99 not found.'],
    ['/api/articles/x/similar', 422, '"id" must be an integer, received "x".'],
    ['/api/articles/7/similar?limit=0', 422, '"limit" must be an integer from 1 to 1000, received "0".'],
    ['/api/articles/7/similar?q=a', 422, 'Unknown parameter "q". Known here: limit.'],
    [
      '/api/articles//similar',
      404,
      'There is no path /api/articles//similar. Did you mean "/api/articles/:id/similar"?',
    ],
    ['/api/articles/7/like', 404, 'There is no path /api/articles/7/like. Did you mean "/api/articles/:id"?'],
  ])('%s: %i', async (path, status, message) => {
    const response = await app.request(path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message } });
  });
});
