/** No text takes long, whatever it asks: each is held against one pass over all words of the index. */
import { expect, it } from 'vitest';
import type { OpenIndex } from '../../src/search/index.js';
import { type TextOptions, USUAL } from '../../src/search/search.js';
import { costRatio } from '../support/cost.js';
import { createSearchBuilder } from '../support/search-builder.js';

function indexOf(texts: readonly string[]): OpenIndex {
  const builder = createSearchBuilder([{ name: 'title', weight: 1 }]);
  for (const text of texts) builder.add([text]);
  return builder.finish(Int32Array.from(texts.keys()));
}

const NUMBERS = 200_000;
const numbers = Array.from({ length: NUMBERS }, (_, i) =>
  String(9_780_000_000_000 + ((i * 7_919_137) % 10_000_000_000)),
);
const ofNumbers = indexOf(numbers);

/** A thousand words that every fiftieth record holds, and twenty of them that every other does. */
const words = Array.from({ length: 1000 }, (_, i) => `w${(i + 1000).toString(36)}`);
const ofWords = indexOf(
  Array.from({ length: 20_000 }, (_, i) => (i % 50 === 0 ? words : words.slice(i % 900, (i % 900) + 20)).join(' ')),
);

const passOver = (): number => numbers.reduce((sum, number) => sum + number.charCodeAt(12) * number.charCodeAt(3), 0);

const unknown = (i: number): string => String(9_781_402_894_626 + i * 1_234_567);

it.each<[string, OpenIndex, string, TextOptions]>([
  ['a number that no record has', ofNumbers, `${unknown(0)} `, USUAL],
  ['eight of them', ofNumbers, `${Array.from({ length: 8 }, (_, i) => unknown(i)).join(' ')} `, USUAL],
  ['a number with a wrong digit', ofNumbers, `${numbers[77]!.slice(0, 12)}x `, USUAL],
  ['the beginning of every number', ofNumbers, '978', USUAL],
  ['a thousand words, all of which must occur', ofWords, words.join(' '), { ...USUAL, match: 'all' }],
])(
  '%s',
  async (_, index, text, options) => {
    const ratio = await costRatio((run) => index.search(' '.repeat(run) + text, 20, options), passOver, 40);
    expect(ratio).toBeLessThan(40);
  },
  30_000,
);

it('31 words in one record of 300,000 take little memory, besides little time', () => {
  const some = words.slice(0, 31);
  const index = indexOf([Array.from({ length: 300_000 }, (_, i) => some[(i * 7) % 31]).join(' '), ...words]);
  const before = process.memoryUsage().arrayBuffers;
  expect(index.search(`${some.join(' ')} `, 20).total).toBe(32);
  expect(index.search(`"${some[0]} ${some[7]} ${some[14]}"`, 20).total).toBe(1);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20);
});
