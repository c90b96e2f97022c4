import fc from 'fast-check';
import SearchableMap from 'minisearch/SearchableMap';
import { expect, it } from 'vitest';
import {
  editsAllowed,
  findTerm,
  frequentNeighbours,
  nearestWords,
  wordAt,
  wordsWithPrefix,
} from '../../src/search/dictionary.js';
import type { IndexTables } from '../../src/search/tables.js';
import { createSearchBuilder } from '../support/search-builder.js';
import { distance } from '../support/search-oracle.js';

const word = fc.string({ unit: fc.constantFrom(...'abcde'), minLength: 1, maxLength: 10 });
const vocabulary = fc.uniqueArray(word, { minLength: 1, maxLength: 60 });

function tablesOf(words: readonly string[]): IndexTables {
  const builder = createSearchBuilder([{ name: 'content', weight: 1 }]);
  builder.add([words.join(' ')]);
  return builder.finishTables(Int32Array.of(0));
}

it("finds MiniSearch's words by prefix", () => {
  fc.assert(
    fc.property(vocabulary, word, (words, prefix) => {
      const { words: table } = tablesOf(words);
      const { from, to } = wordsWithPrefix(table, prefix);
      const found = Array.from({ length: to - from }, (_, i) => wordAt(table, from + i));
      const tree = SearchableMap.from(words.map((one): [string, boolean] => [one, true]));
      expect(found).toEqual([...tree.atPrefix(prefix).keys()].sort());
    }),
  );
});

it('finds each word where it stands, and no other', () => {
  fc.assert(
    fc.property(vocabulary, word, (words, other) => {
      const { words: table } = tablesOf(words);
      for (const one of words) expect(wordAt(table, findTerm(table, one))).toBe(one);
      expect(findTerm(table, other) >= 0).toBe(words.includes(other));
    }),
  );
});

it("finds MiniSearch's nearest words, and those with two neighbours swapped", () => {
  fc.assert(
    fc.property(vocabulary, word, (words, asked) => {
      const tables = tablesOf(words.filter((one) => one !== asked));
      const most = editsAllowed(asked);
      const found = nearestWords(tables, asked, most).map((i) => wordAt(tables.words, i));
      const edits = Math.min(...words.filter((one) => one !== asked).map((one) => distance(asked, one)));
      const tree = SearchableMap.from(
        words.filter((one) => one !== asked).map((one): [string, boolean] => [one, true]),
      );
      const theirs = edits <= most ? [...tree.fuzzyGet(asked, edits).keys()] : [];
      expect(found).toEqual(expect.arrayContaining(theirs));
      expect(found).toEqual(words.filter((one) => edits <= most && distance(asked, one) === edits).sort());
      const neighbours = frequentNeighbours(tables, asked, 1).map((i) => wordAt(tables.words, i));
      expect(neighbours.sort()).toEqual(words.filter((one) => distance(asked, one) === 1).sort());
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['abc', 0],
  ['abcd', 1],
  ['abcdefg', 1],
  ['abcdefgh', 2],
  ['9781402894626', 1],
  ['b0c1d2e3f4', 1],
])('forgives %s %i edits', (asked, edits) => {
  expect(editsAllowed(asked)).toBe(edits);
});
