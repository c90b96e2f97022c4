import { expect, it } from 'vitest';
import { createBits } from '../../src/bits.js';
import { RowSet } from '../../src/row-set.js';
import type { SearchPlan } from '../../src/search/rank/plan.js';
import { SearchCache } from '../../src/search/rank/search-cache.js';

const ROWS = 400_000;

/** A plan that all rows match. */
function planOfAll(): SearchPlan {
  const rows = RowSet.ofBits(createBits(ROWS).fill(0xffff_ffff));
  const nothing = {
    lists: [],
    rowLists: [],
    pairs: [],
    replacements: [],
    additions: [],
    expansions: [],
    terms: new Set<number>(),
  };
  return { ...nothing, initials: new Set(), wordRows: rows, rows, isFiltered: false };
}

it('a cached search counts the rows that its sets have made since: a million numbers in all', () => {
  const cache = new SearchCache();
  const searches = ['a', 'b', 'c', 'd'].map((key) => cache.recall(key, planOfAll));
  expect(cache.size).toBe(4);
  for (const { plan } of searches) expect(plan.rows.rows.length).toBe(ROWS);
  cache.recall('d', planOfAll);
  // Each holds 400,000 rows and 12,500 words of bits.
  expect(cache.size).toBe(2);
});
