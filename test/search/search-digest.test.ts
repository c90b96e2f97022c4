/**
 * Ranking as it was when this digest was taken: rows, totals and scores, to the last bit, of 2,000 queries over a fixed
 * corpus. A change of the digest is a change of ranking, and has to be meant.
 */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createBits, setBit } from '../../src/bits.js';
import { RowSet } from '../../src/row-set.js';
import type { OpenIndex } from '../../src/search/index.js';
import { type FieldText, type RowFilter, USUAL } from '../../src/search/search.js';
import { below, type Random, seeded } from '../support/random.js';
import { createSearchBuilder } from '../support/search-builder.js';

/** Taken when rare spellings came to bring up common ones. */
const DIGEST = '3c8a9a6180f1788b2a685dbc0a3248c88ae95b7c3c2b6c7f369087727edddfc6';

const RECORDS = 9000;
const QUERIES = 2000;
const FIELDS = [
  { name: 'title', weight: 3 },
  { name: 'author', weight: 1 },
  { name: 'content', weight: 1 },
  { name: 'tags', weight: 1 },
];
const SYLLABLES = 'ba be bi bo con da de di dre el fi fo ga gen ha hi in ka ki la lo ma mi mo na no pa per po ra re ri';
const ENDINGS = ['', '', '', 's', 'ed', 'ing', 'ation', 'ly', 'er'];
const ODD = [
  'e-mail',
  'node.js',
  'AT&T',
  "O'Malley's",
  'C++',
  'F#',
  '.NET',
  '3.14',
  '1,000',
  'caf\u00e9',
  'na\u00efve',
  'Stra\u00dfe',
  '\u041c\u043e\u0441\u043a\u0432\u0430',
  '\u6771\u4eac\u5927\u5b66\u306e\u732b',
  '\u5927\u962a\u5927\u5b66',
  '\ud55c\uad6d\uc5b4',
  '\u0e1b\u0e23\u0e30\u0e40\u0e17\u0e28\u0e44\u0e17\u0e22',
  '\u{1f680}',
  '\u201cquoted\u201d',
  'boundary-layer',
  "don't",
  'supercalifragilisticexpialidocious',
  'https://example.com/a-b/c.html',
  'x'.repeat(70),
  'The',
  'the',
  'of',
];
const BETWEEN = [' ', ' ', ' ', ' ', ' ', ', ', '. ', '\n', ' \u2014 ', ' "', '" ', '; ', '\t', '/'];

function vocabularyOf(random: Random): string[] {
  const syllables = SYLLABLES.split(' ');
  const words = new Set<string>();
  while (words.size < 3000) {
    const length = 1 + below(random, words.size < 200 ? 2 : 4);
    const stem = Array.from({ length }, () => syllables[below(random, syllables.length)]).join('');
    words.add(stem + ENDINGS[below(random, ENDINGS.length)]);
  }
  return [...words];
}

/** Words of every frequency, the first of the vocabulary the most frequent. */
const drawn = (random: Random, words: readonly string[]): string => words[Math.floor(words.length ** random()) - 1]!;

function textOf(random: Random, words: readonly string[], length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) {
    const word = below(random, 25) === 0 ? ODD[below(random, ODD.length)]! : drawn(random, words);
    text += below(random, 12) === 0 ? word[0]!.toUpperCase() + word.slice(1) : word;
    text += BETWEEN[below(random, BETWEEN.length)];
  }
  return text;
}

function buildIndex(random: Random, words: readonly string[]): OpenIndex {
  const builder = createSearchBuilder(FIELDS);
  for (let i = 0; i < RECORDS; i++) {
    const texts: FieldText[] = [
      textOf(random, words, 1 + below(random, 8)),
      below(random, 10) === 0 ? null : textOf(random, words, 2),
      below(random, 20) === 0 ? '' : textOf(random, words, below(random, 60)),
      Array.from({ length: below(random, 4) }, () => drawn(random, words)),
    ];
    builder.add(texts);
  }
  // A tenth of the records replace earlier ones, whose rows they take.
  const rowOf = Int32Array.from({ length: RECORDS }, (_, i) => i);
  const kept = RECORDS - RECORDS / 10;
  for (let i = kept; i < RECORDS; i++) {
    const replaced = (i * 7) % kept;
    rowOf[i] = replaced;
    rowOf[replaced] = -1;
  }
  return builder.finish(rowOf);
}

function filterOf(random: Random, i: number): RowFilter {
  const bits = createBits(RECORDS - RECORDS / 10);
  const share = 1 + below(random, 40);
  for (let row = 0; row < RECORDS - RECORDS / 10; row++) if (below(random, share) === 0) setBit(bits, row);
  return { key: String(i), rows: () => RowSet.ofBits(bits) };
}

function misspelt(random: Random, word: string): string {
  const at = below(random, word.length);
  const kind = below(random, 3);
  if (kind === 0) return `${word.slice(0, at)}x${word.slice(at)}`;
  return kind === 1 ? word.slice(0, at) + word.slice(at + 1) : `${word.slice(0, at)}q${word.slice(at + 1)}`;
}

function queryOf(random: Random, words: readonly string[], i: number): string {
  const draw = (count: number): string => Array.from({ length: count }, () => drawn(random, words)).join(' ');
  const kinds: (() => string)[] = [
    () => `${draw(1 + below(random, 5))} `,
    () => draw(1 + below(random, 4)),
    () => `${draw(2)}`.slice(0, -1 - below(random, 2)),
    () => `${misspelt(random, draw(1))} ${draw(1)} `,
    () => `${draw(1)} ${misspelt(random, drawn(random, words.slice(500)))} `,
    () => `"${draw(2)}" ${draw(1)}`,
    () => `${draw(2)} -${draw(1)} `,
    () => `${draw(1)} -"${draw(2)}" `,
    () => `${ODD[below(random, ODD.length)]} ${draw(below(random, 2))}`,
    () => `${draw(8 + below(random, 30))} `,
    () => words[below(random, 200)]!.slice(0, 1 + below(random, 3)),
  ];
  return kinds[i % kinds.length]!();
}

it('ranks 2,000 queries over a fixed corpus as it always did', () => {
  const random = seeded(30);
  const words = vocabularyOf(random);
  const index = buildIndex(random, words);
  const hash = createHash('sha256');
  const depths = [20, 20, 20, 1, 100, 1000];
  for (let i = 0; i < QUERIES; i++) {
    const text = queryOf(random, words, i);
    const filter = i % 5 === 4 ? filterOf(random, i) : undefined;
    const { rows, total, scores } = index.search(text, depths[i % depths.length]!, USUAL, filter);
    hash.update(`${text}\0${total}\0`);
    hash.update(Uint32Array.from(rows));
    hash.update(new Uint8Array(scores.slice().buffer));
  }
  expect(hash.digest('hex')).toBe(DIGEST);
});
