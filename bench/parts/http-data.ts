/**
 * What the HTTP benchmark serves, the same on every run, and the requests drawn from it: short titles, a million of
 * them, and for search the search benchmark's articles of 200 words.
 */

import { assemble } from '../../src/build/build.js';
import { createWholeBuilder } from '../../src/build/parts.js';
import { collections } from '../../src/model.js';
import type { Dataset } from '../../src/store/dataset.js';
import type { RecordValues } from '../../test/support/batch-writer.js';
import { inBatches } from '../../test/support/batch-writer.js';
import { FULL, makeArticles, makeVocabulary } from '../data.js';

const TITLE_WORDS =
  'river stone market winter signal garden copper window paper mountain story engine harbour silver bread number ' +
  'letter season forest bridge camera island machine morning picture question record shadow theory village weather';
const words = TITLE_WORDS.split(' ');

/** Numbers in [0, 1): a linear congruential generator with the constants of Numerical Recipes. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function title(id: number, random: () => number): RecordValues {
  const word = (): string => words[Math.floor(random() * words.length)] ?? '';
  const text = `${word()} ${word()} ${word()} ${Math.floor(random() * 1e6)}`;
  const date = new Date(1.2e12 + Math.floor(random() * 5e8) * 1000).toISOString().replace('.000', '');
  const score = Math.floor(random() * 5000);
  return [
    id,
    text,
    `https://news.example/${id}`,
    score,
    Math.floor(random() * 900),
    word(),
    date,
    `${word()} ${word()}`,
    null,
  ];
}

export function createTitles(records: number): Dataset {
  const random = createRandom(1);
  return datasetOf(Array.from({ length: records }, (_, i) => title(i + 1, random)));
}

export const createArticles = (records: number): Dataset => datasetOf(articlesOf(records));

function* articlesOf(records: number): Iterable<RecordValues> {
  for (const { id, title, url, score, comments, author, date, content, tags } of makeArticles({
    ...FULL,
    articles: records,
  }))
    yield [id, title, url, score, comments, author, date, content, tags];
}

function datasetOf(records: Iterable<RecordValues>): Dataset {
  const builder = createWholeBuilder();
  for (const model of collections)
    inBatches(model, model.name === 'articles' ? records : [], builder.openCollection(model, 'english'));
  const report = { files: [], ignored: [], findings: [] };
  const origin = { report, modifiedAt: new Date(0), signature: '' };
  return assemble({ ok: true, ...builder.finish(), ...origin }).dataset;
}

/** Draws until there are `count` values, or for four times that number. */
function distinct(count: number, draw: () => string): readonly string[] {
  const values = new Set<string>();
  for (let i = 0; i < 4 * count && values.size < count; i++) values.add(draw());
  return [...values];
}

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

/** Two words, each of a rank drawn evenly from the logarithms, as in the search benchmark. */
export function searchUrls(count: number): readonly string[] {
  const vocabulary = makeVocabulary(FULL.vocabulary, FULL.seed);
  const random = createRandom(4);
  const word = (): string => vocabulary[Math.floor(vocabulary.length ** random())] ?? '';
  return distinct(count, () => `/api/articles/search?q=${word()}+${word()}&page=${1 + Math.floor(random() * 3)}`);
}
