/** Values of filters as people type or copy them find the records that have them. */
import { expect, test } from 'vitest';
import { appOf, datasetIn, getJson } from '../support/api.js';
import { withFolder } from '../support/program.js';

const CONTENTS = [
  'Tea (pot), C++ for 4.1% of 5,000 at co.uk; U.S. and AT&T.',
  '漢字、かな。tea pot 16GB',
  '4,871 C++ 3.5',
  "L'eau-de-vie of O'Malley is node.js",
  'Tea pot for of at and',
];
const cities = ['Łódź', 'Nørgaard', 'Fußbodenheizung', 'Nazlı', 'Œuvre', 'Zürich'];

const articles = CONTENTS.map((content, i) => ({
  id: i + 1,
  title: `T${i}`,
  score: 1,
  content,
  city: cities[i],
  author: cities[i],
  grade: ['A+', 'A+', 'B', 'A', 'C'][i],
  hasLift: i % 2 === 0,
  url: ['https://www.letter.example/a', 'http://letter.example/b', 'https://other.example/'][i] ?? null,
  date: ['2024-01-31T12:30:00Z', '2024-01-31T12:30:59Z', '2024-01-31T12:31:00Z', '2024-01-31T12:30:59.500Z'][i],
}));

const app = await withFolder({ 'articles.json': JSON.stringify(articles) }, async (dir) => appOf(await datasetIn(dir)));

test.each<readonly [query: string, ids: readonly number[]]>([
  ...CONTENTS.flatMap((content, i) => [
    [`content=${encodeURIComponent(content)}`, [i + 1]] as const,
    [`content=${encodeURIComponent(content.toUpperCase())}`, [i + 1]] as const,
  ]),
  ['content=Tea pot', []],
  ['city=lodz', [1]],
  ['city=ŁÓDŹ', [1]],
  ['city_like=norgaa', [2]],
  ['city=FUSSBODENHEIZUNG', [3]],
  ['author=nazli', [4]],
  ['author=NAZLI', [4]],
  ['author_like=oeuv', [5]],
  ['date=2024-01-31T12:30', [1, 2, 4]],
  ['date=2024-01-31T12:30:59Z', [2, 4]],
  ['date=2024-01-31T12:30:59.500Z', [4]],
  ['date_lte=2024-01-31T12:30', [1, 2, 4]],
  ['date_gt=2024-01-31T12:30', [3]],
  ['date_lt=2024-01-31T12:30:59', [1]],
  ['date_gte=2024-01-31T12:31Z', [3]],
  ['missing=title', []],
  ['missing=url&missing=date', [5]],
  ['site=letter.example', [1, 2]],
  ['site=www.letter.example', [1, 2]],
  ['site=https://letter.example/', [1, 2]],
  ['site=LETTER.example/b?x=1', [1, 2]],
  ['site=other', []],
  ['grade=A%2B', [1, 2]],
])('%s', async (query, ids) => {
  const { data } = await getJson<{ data: readonly { readonly id: number }[] }>(app, `/api/articles?${query}`);
  expect(data.map(({ id }) => id)).toEqual(ids);
});

test('letters of their own are sorted as what they are taken for', async () => {
  const { data } = await getJson<{ data: readonly { readonly id: number }[] }>(app, '/api/articles?sort=city');
  expect(data.map(({ id }) => id)).toEqual([3, 1, 4, 2, 5]);
});

test.each([
  ['grade=A+', 'Write grade=A%2B.'],
  ['grade_ne=A+', 'Write grade_ne=A%2B.'],
  ['date_gte=2024-01-31T12:30:00+02:00', 'Write date_gte=2024-01-31T12:30:00%2B02:00.'],
  ['hasLift=yes', 'Write hasLift=true.'],
  ['hasLift=0', 'Write hasLift=false.'],
])('%s is refused, and the error has the line %s', async (query, line) => {
  const response = await app.request(`/api/articles?${query}`);
  const { error } = JSON.parse(await response.text());
  expect([response.status, error.details[0].message]).toEqual([422, expect.stringContaining(line)]);
  expect((await app.request(`/api/articles?${line.slice('Write '.length, -1)}`)).status).toBe(200);
});

test.each([
  ['/search?q', '/search'],
  ['/search?q=', '/search'],
  ['/articles?q', '/articles'],
  ['/articles?sort&order&score_gte=1&limit', '/articles?score_gte=1'],
])('a page leaves out what has no value: %s', async (path, location) => {
  const response = await app.request(path);
  expect([response.status, response.headers.get('Location')?.replace('minScore', 'score_gte')]).toEqual([
    303,
    location,
  ]);
});
