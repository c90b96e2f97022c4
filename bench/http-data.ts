/** A million short articles for the HTTP benchmark, the same on every run, and the requests drawn from them. */
import { assemble } from '../src/build/build.js';
import { createWholeBuilder } from '../src/build/parts.js';
import type { RecordValues } from '../src/model.js';
import { type Dataset, versionOf } from '../src/store/dataset.js';

const WORDS =
  'river stone market winter signal garden copper window paper mountain story engine harbour silver bread number ' +
  'letter season forest bridge camera island machine morning picture question record shadow theory village weather';
const words = WORDS.split(' ');

/** Numbers in [0, 1): a linear congruential generator with the constants of Numerical Recipes. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function article(id: number, random: () => number): RecordValues {
  const word = (): string => words[Math.floor(random() * words.length)] ?? '';
  const title = `${word()} ${word()} ${word()} ${Math.floor(random() * 1e6)}`;
  const date = new Date(1.2e12 + Math.floor(random() * 5e8) * 1000).toISOString().replace('.000', '');
  const score = Math.floor(random() * 5000);
  return [
    id,
    title,
    `https://news.example/${id}`,
    score,
    Math.floor(random() * 900),
    word(),
    date,
    `${word()} ${word()}`,
    null,
  ];
}

export function createArticles(records: number): Dataset {
  const random = createRandom(1);
  const builder = createWholeBuilder();
  for (let id = 1; id <= records; id++) builder.add('articles', article(id, random));
  const made = builder.finish();
  const report = { files: [], ignored: [], warnings: [] };
  return assemble({ ok: true, version: versionOf(made.stores), ...made, report, modifiedAt: new Date(0) }).dataset;
}

const distinct = (count: number, draw: () => string): readonly string[] => {
  const found = new Set<string>();
  while (found.size < count) found.add(draw());
  return [...found];
};

/** Pages of a list with various limits and sorts. */
export function listUrls(count: number, records: number): readonly string[] {
  const random = createRandom(2);
  const one = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? '';
  return distinct(count, () => {
    const limit = Number(one(['10', '20', '20', '20', '50']));
    const page = 1 + Math.floor(random() * (records / limit));
    const sort = one(['', '&sort=score', '&sort=title&order=desc', '&sort=date&order=desc']);
    return `/api/articles?page=${page}&limit=${limit}${sort}`;
  });
}

export function detailUrls(count: number, records: number): readonly string[] {
  const random = createRandom(3);
  return distinct(count, () => `/api/articles/${1 + Math.floor(random() * records)}`);
}

export function searchUrls(count: number): readonly string[] {
  const random = createRandom(4);
  const word = (): string => words[Math.floor(random() * words.length)] ?? '';
  return distinct(count, () => `/api/articles/search?q=${word()}+${word()}&page=${1 + Math.floor(random() * 3)}`);
}
