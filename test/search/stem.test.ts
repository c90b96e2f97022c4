/** Stems are those of the `porter2` package, whatever the word, but for a last `i` that stands for a `y`, and a few words. */
import fc from 'fast-check';
import { stem as porter2 } from 'porter2';
import { expect, test } from 'vitest';
import { stem } from '../../src/search/stem.js';
import { createSearchBuilder } from '../support/search-builder.js';

const ENDINGS =
  'ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti ' +
  'biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ' +
  'ive ize ion sion tion s es ies sses ed eed ing at bl iz y ll e ss tt';
const piece = fc.oneof(
  fc.constantFrom(...ENDINGS.split(' ')),
  fc.string({ unit: fc.constantFrom(...'aeiouybcstlnrgdwxz'), minLength: 1, maxLength: 4 }),
);
const word = fc
  .array(piece, { minLength: 1, maxLength: 9 })
  .map((pieces) => pieces.join('').slice(0, 64))
  .filter((letters) => letters.length > 2);

/** The stems that an index has of words, in no order. */
function indexed(words: readonly string[]): string[] {
  const builder = createSearchBuilder([{ name: 'title', weight: 1 }]);
  builder.add([words.join(' ')]);
  const { units, offsets } = builder.finishTables(Int32Array.of(0)).stems;
  return Array.from({ length: offsets.length - 1 }, (_, i) =>
    String.fromCharCode(...units.subarray(offsets[i], offsets[i + 1])),
  );
}

/** Words that are kept from another word's stem, by how they begin. */
const KEPT = /^(?:bus|gas|ios|lens|plus|business|universit|experiment|importan|customer|several)/;

/** The package's stem, or that with a `y` in place of its last `i`, or with an `e` that it had. */
const hasPackageStem = (word: string): boolean =>
  KEPT.test(word) || [porter2(word), porter2(word).replace(/i$/, 'y'), `${porter2(word)}e`].includes(stem(word));

test('a stem is the one of the package, but for a last letter', () => {
  fc.assert(fc.property(word, hasPackageStem), { numRuns: 20_000 });
});

test('so is that of every word of three letters, and of four', () => {
  const letters = [...'aeiouybcstlnrgdwx'];
  const three = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const four = three.flatMap((start) => ['e', 'd', 's', 'y', 'g', 'l'].map((end) => start + end));
  expect([...three, ...four].filter((some) => !hasPackageStem(some))).toEqual([]);
});

test.each<[string, string, string]>([
  ['harry harries', 'harris', 'a name in -is is no plural of one in -y'],
  ['they', 'theis', 'whatever stands before'],
  ['lady ladies', 'ladis', 'nor is it for a plural in -ies'],
  ['day days', 'dais', 'which holds for common words, too'],
  ['tenny', 'tennis', 'the same'],
  ['guy guys', 'gui guis', 'words with an i of their own have their plurals'],
  ['api apis', 'apy', 'which dumps about software are full of'],
  ['taxi taxis taxiing', 'taxy', 'and other forms'],
  ['sky skies', 'ski skis skiing', 'both kinds side by side'],
  ['cry cries cried', 'cri', 'short words have one stem now: the package makes cry, cri and cri of them'],
  ['deploy deploys deployment', 'deploi', 'so have words that it cuts down to a y'],
  ['bay bays', 'bayes', 'a name that ends in more than a y is another word'],
  ['eye eyes', 'ei', 'and has its plural'],
  ['louis', 'louise louises', 'the s of -is goes, or these were one name'],
  ['basis', 'base bases basic', 'Greek words are none of these'],
  ['analysis', 'analyse analyses', 'as ever'],
  ['hepatitis hepatic', 'heparin', 'inflammations have their adjective, as ever'],
  ['happy happiness', 'happi', 'other endings than a plural s have taken a y, too'],
  ['news', 'new', 'a word in -s that is no plural'],
  ['virus viruses', 'viru', 'its s is its own'],
  ['bus buses', 'bu', 'of short words, too'],
  ['gas gases', 'ga', 'the same'],
  ['lens lenses', 'len', 'the same'],
  ['house houses', 'hour', 'which holds for none that has an e'],
  ['tie ties', 'ti', 'short words in -ies have an e'],
  ['business businesses', 'busy busier', 'what people work at is not what they are while they do'],
  ['university universities', 'universe universal', 'a school is not the world'],
  ['experiment experiments experimental', 'experience', 'trying is not having done'],
  ['important importance', 'import imports', 'what matters need not come from abroad'],
  ['customer customers', 'custom customs', 'who buys is no habit'],
  ['general generally', 'generate generous', 'Porter2 tells these apart'],
])('%s is not %s: %s', (words, others) => {
  const stemsOf = (some: string): Set<string> => new Set(some.split(' ').map(stem));
  expect(stemsOf(words).size).toBe(1);
  expect([...stemsOf(others)]).not.toContain(stem(words.split(' ')[0] ?? ''));
});

test('an index has the stems of its words, however long they are', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 40 }), (words) => {
      expect(indexed(words)).toEqual([...new Set(words.map(stem))].toSorted());
    }),
    { numRuns: 300 },
  );
});

test('a word of less than three letters, or of others than a to z, is its own stem', () => {
  for (const own of ['', 'as', 'is', 'b2bs', 'cafés', 'Слова', 'c++', '😀s', 'x'.repeat(65)])
    expect(stem(own)).toBe(own);
});

test('a stem begins as its word does', () => {
  fc.assert(
    fc.property(word, (letters) => stem(letters).charAt(0) === letters.charAt(0)),
    { numRuns: 5000 },
  );
});
