/** Of long texts of common words only the pairs that weigh most count, so that no text takes long. */
import { expect, test } from 'vitest';
import { createSearchBuilder } from '../bench/search-builder.js';
import { openIndex } from '../src/search/index.js';
import { MAX_PAIR_POSTINGS, MIN_PAIRS } from '../src/search/rank/pairs.js';
import { normOf, PAIR_WEIGHT, score, termWeight } from '../src/search/scoring.js';

const WORDS = ['ant', 'bee', 'cow', 'dog', 'elk', 'fox', 'gnu', 'hen', 'jay', 'kid'];

test.each([1000, 30_000, 50_000])('of %i records that hold every word of a text', (records) => {
  const builder = createSearchBuilder([{ name: 'title', weight: 1 }]);
  for (let i = 0; i < records; i++) builder.add([WORDS.join(' ')]);
  const tables = builder.finishTables(Int32Array.from({ length: records }, (_, i) => i));
  const { scores } = openIndex(tables).search(`${WORDS.join(' ')} `, 1);
  const pairs = Math.min(WORDS.length - 1, Math.max(MIN_PAIRS, Math.floor(MAX_PAIR_POSTINGS / records)));
  const weight = termWeight(tables, records);
  const norm = normOf(tables, WORDS.length);
  expect(scores[0]).toBe(WORDS.length * score(weight, 1, norm) + pairs * score(PAIR_WEIGHT * weight, 1, norm));
});
