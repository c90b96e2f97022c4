/** Pairs order the best rows by their words once more, and no others: so a page is the same however deep it was asked for. */
import { expect, test } from 'vitest';
import { openIndex } from '../../src/search/index.js';
import { PAIRED_ROWS } from '../../src/search/rank/ranker.js';
import { createSearchBuilder } from '../support/search-builder.js';

/** The shorter a record, the better it ranks by its words; every third has them side by side. */
const titles = Array.from({ length: 3 * PAIRED_ROWS }, (_, i) =>
  ['red', ...(i % 3 === 0 ? ['car', 'and'] : ['and', 'car']), ...Array(i >> 3).fill('more')].join(' '),
);

test('pages add up to the whole ranking, whose first rows are in order by words and pairs', () => {
  const fields = [{ name: 'title', weight: 1 }];
  const builder = createSearchBuilder(fields, { k1: 1.5, b: 1 });
  for (const title of titles) builder.add([title]);
  const tables = builder.finishTables(Int32Array.from(titles.keys()));
  const whole = openIndex(tables, fields).search('red car ', titles.length);
  const isTogether = (row: number): boolean => titles[row]!.startsWith('red car');
  const best = [...whole.rows.subarray(0, PAIRED_ROWS)];
  expect(best.toSorted((a, b) => a - b)).toEqual([...Array(PAIRED_ROWS).keys()]);
  expect(best.slice(0, 5).every(isTogether)).toBe(true);
  expect([...whole.rows.subarray(PAIRED_ROWS)]).toEqual(
    Array.from({ length: titles.length - PAIRED_ROWS }, (_, i) => PAIRED_ROWS + i),
  );
  for (const depth of [1, 20, PAIRED_ROWS - 1, PAIRED_ROWS, PAIRED_ROWS + 1, 600]) {
    const { rows, scores } = openIndex(tables, fields).search('red car ', depth);
    expect([...rows]).toEqual([...whole.rows.subarray(0, depth)]);
    expect([...scores]).toEqual([...whole.scores.subarray(0, depth)]);
  }
});
