import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowSet } from '../../src/row-set.js';
import { openIndex } from '../../src/search/index.js';
import { MAX_PHRASES } from '../../src/search/rank/phrases.js';
import { type FieldText, matches, type TextOptions, USUAL } from '../../src/search/search.js';
import { createSearchBuilder } from '../support/search-builder.js';
import { Oracle, type OracleQuery, type OracleRecord } from '../support/search-oracle.js';

const VOCABULARY =
  'the of to secure security securely car cars card cat cart data database databases dates run running runs search ' +
  'searches node nodes system systems lens a b go gone international internationals';

const word = fc.constantFrom(...VOCABULARY.split(' '));
const queryWord = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.constantFrom('databse', 'serach', 'sec', 'ca', 'd', 'internatoinals', 'zzz', 'systms', 'runing'),
);
const text = fc.array(word, { maxLength: 12 }).map((list) => list.join(' '));
const record = fc.tuple(text, text, fc.array(text, { maxLength: 3 }));

const part = fc.record({
  kind: fc.constantFrom('plain', 'plain', 'plain', 'phrase', 'excluded') as fc.Arbitrary<
    'plain' | 'phrase' | 'excluded'
  >,
  words: fc.array(queryWord, { minLength: 1, maxLength: 3 }),
});
const query = fc
  .tuple(fc.array(part, { maxLength: 3 }), fc.array(queryWord, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([parts, words, atEnd]): OracleQuery => {
    const plain = { kind: 'plain' as const, words };
    const spoken = parts.filter((one) => one.kind !== 'plain');
    return atEnd ? { parts: [...spoken, plain], open: true } : { parts: [plain, ...spoken], open: spoken.length === 0 };
  });

/** Up to 40 words, but no more different ones than a query keeps. */
const longQuery = fc
  .array(queryWord, { minLength: 5, maxLength: 40 })
  .map((words): OracleQuery => ({ parts: [{ kind: 'plain', words }], open: true }));

const NAMES = ['title', 'content', 'tags'];

/** Words, phrases and exclusions, some of them in a field. */
const fieldsQuery = fc
  .tuple(
    fc.array(queryWord, { maxLength: 3 }),
    fc.array(
      fc.record({
        kind: fc.constantFrom('plain' as const, 'phrase' as const, 'excluded' as const),
        words: fc.array(queryWord, { minLength: 1, maxLength: 3 }),
        field: fc.constantFrom(0, 1, 2, undefined),
      }),
      { maxLength: 4 },
    ),
    fc.constantFrom(0, 1, 2),
    queryWord,
  )
  .map(([words, parts, field, last]): OracleQuery => {
    const some = parts.map((one) =>
      one.kind === 'plain' ? { ...one, field: one.field ?? field, words: one.words.slice(0, 1) } : one,
    );
    const plain = { kind: 'plain' as const, words };
    // A word in a field is something to look for besides exclusions.
    return { parts: [plain, ...some, { kind: 'plain', words: [last], field }], open: true };
  });
const options = fc.record({ match: fc.constantFrom(...matches), fuzzy: fc.boolean(), prefix: fc.boolean() });

const phrasesQuery = fc
  .tuple(
    fc.array(word, { minLength: 1, maxLength: 4 }),
    fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { maxLength: MAX_PHRASES }),
    fc.array(fc.array(word, { minLength: 2, maxLength: 2 }), { maxLength: 1 }),
  )
  .map(
    ([words, excluded, phrases]): OracleQuery => ({
      parts: [
        { kind: 'plain', words },
        ...phrases.map((phrase) => ({ kind: 'phrase' as const, words: phrase })),
        ...excluded.map((phrase) => ({ kind: 'excluded' as const, words: phrase })),
      ],
      open: phrases.length + excluded.length === 0,
    }),
  );

const render = ({ parts }: OracleQuery): string =>
  parts
    .map(({ kind, words, field }) => {
      const name = field === undefined ? '' : `${NAMES[field]}:`;
      return kind === 'plain'
        ? `${name}${words.join(' ')}`
        : `${kind === 'excluded' ? '-' : ''}${name}"${words.join(' ')}"`;
    })
    .join(' ');

const build = fc.record({
  weights: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
  k1: fc.integer({ min: 1, max: 12 }).map((n) => n / 4),
  b: fc.integer({ min: 0, max: 8 }).map((n) => n / 8),
  repeat: fc.constantFrom(1, 1, 1, 1, 20),
  limit: fc.nat(20),
  seed: fc.nat(4),
});

const asTexts = ([title, content, tags]: readonly [string, string, readonly string[]]): FieldText[] => [
  title,
  content,
  tags,
];
const asRecord = ([title, content, tags]: readonly [string, string, readonly string[]]): OracleRecord => [
  [title],
  [content],
  tags,
];

/** Some records are replaced, the others get the rows 0, 1, 2 … in an order of their own. */
const rowsFor = (records: number, seed: number): Int32Array => {
  const documents = Array.from({ length: records }, (_, i) => i);
  const shuffled = documents.sort((a, b) => ((a * 7919 + seed) % 13) - ((b * 7919 + seed) % 13) || a - b);
  const rowOf = new Int32Array(records).fill(-1);
  let row = 0;
  for (const document of shuffled) if (seed === 0 || (document * 31 + seed) % 5 !== 0) rowOf[document] = row++;
  return rowOf;
};

type Settings = typeof build extends fc.Arbitrary<infer T> ? T : never;
type SomeRecord = typeof record extends fc.Arbitrary<infer T> ? T : never;

/** Asks an index of the records, and the definition, and compares what they find. */
function expectDefined(
  some: readonly SomeRecord[],
  asked: OracleQuery,
  settings: Settings,
  options: TextOptions = USUAL,
): void {
  const { weights, limit, seed } = settings;
  const added = Array.from({ length: settings.repeat }, () => some).flat();
  const rowOf = rowsFor(added.length, seed);
  const builder = createSearchBuilder(
    weights.map((weight, i) => ({ name: `field ${i}`, weight })),
    settings,
  );
  for (const one of added) builder.add(asTexts(one));
  const fields = NAMES.map((name) => ({ name, alias: name === 'tags' ? 'tag' : name }));
  const index = openIndex(builder.finishTables(rowOf), fields);
  const records: OracleRecord[] = [];
  added.forEach((one, document) => {
    if (rowOf[document]! >= 0) records[rowOf[document]!] = asRecord(one);
  });
  const oracle = new Oracle(records, weights, settings, added.map(asRecord));
  const expected = oracle.search(asked, options);
  const text = render(asked);

  const hits = index.search(text, limit, options);
  const rows = expected.map(({ row }) => row);
  expect(hits.total).toBe(expected.length);
  expect([...hits.rows]).toEqual(rows.slice(0, limit));
  hits.scores.forEach((score, i) => {
    expect(Math.abs(score - expected[i]!.score)).toBeLessThan(1e-6);
  });
  expect([...index.matching(text, options).rows]).toEqual(rows.toSorted((a, b) => a - b));
  expect([...index.search(text, records.length, options).rows]).toEqual(rows);

  const passes = (row: number): boolean => (row + seed) % 3 !== 0;
  const accepted = oracle.search(asked, options, passes).map(({ row }) => row);
  const passing = RowSet.ofRows(Uint32Array.from(accepted).sort(), records.length);
  const filtered = index.search(text, limit, options, { key: 'some', rows: () => passing });
  expect(filtered.total).toBe(accepted.length);
  expect([...filtered.rows]).toEqual(accepted.slice(0, limit));

  const boost = { key: 'factors', factorOf: (row: number): number => 1 + ((row * 7 + seed) % 5) * 0.09173 };
  const boosted = oracle.search(asked, options, () => true, boost.factorOf).map(({ row }) => row);
  expect([...index.search(text, limit, options, undefined, boost).rows]).toEqual(boosted.slice(0, limit));
  expect([...index.search(text, records.length, options, undefined, boost).rows]).toEqual(boosted);
}

describe('the index, held against the definition', () => {
  it('finds the same rows in the same order with the same scores', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 14 }), query, build, (...each) => expectDefined(...each)),
      { numRuns: 75 },
    );
  });

  it('does for long texts too, with words said again and many pairs', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 4, maxLength: 14 }), longQuery, build, (...each) =>
        expectDefined(...each),
      ),
      {
        numRuns: 80,
      },
    );
  });

  it('does where all words are asked for, without spellings, without beginnings', () => {
    const some = fc.tuple(fc.array(record, { maxLength: 14 }), fc.oneof(query, longQuery), build, options);
    fc.assert(
      fc.property(some, (each) => expectDefined(...each)),
      { numRuns: 75 },
    );
  });

  it('does for words, phrases and exclusions in fields', () => {
    const some = fc.tuple(fc.array(record, { maxLength: 14 }), fieldsQuery, build, options);
    fc.assert(
      fc.property(some, (each) => expectDefined(...each)),
      { numRuns: 150 },
    );
  });

  it('does for rare spellings of words that fifty times more records have', () => {
    const text = fc.tuple(fc.constantFrom('recieve', 'recieved', 'receive', 'receipts', 'from', ''), word);
    const rare = fc.array(text, { minLength: 1, maxLength: 3 });
    const words = fc.array(
      fc.constantFrom('recieve', 'recieved', 'receive', 'rcieve', 'receipts', 'reciepts', 'form', 'car'),
      { minLength: 1, maxLength: 3 },
    );
    const some = fc.tuple(rare, fc.integer({ min: 48, max: 102 }), words, build, options);
    fc.assert(
      fc.property(some, ([few, times, asked, settings, given]) => {
        const one = (spelt: string): SomeRecord => ['', spelt, []];
        const records = [
          ...few.map((pair) => one(pair.join(' '))),
          ...Array.from({ length: times }, () => one('receive received from receipts')),
        ];
        const query: OracleQuery = { parts: [{ kind: 'plain', words: asked }], open: true };
        expectDefined(records, query, { ...settings, repeat: 1 }, given);
      }),
      { numRuns: 60 },
    );
  });

  it('looks up the first eight spellings only', () => {
    const words = ['databse', 'databases', 'systms', 'zzz', 'gone', 'card', 'node', 'system', 'cart', 'the'];
    const settings: Settings = { weights: [1, 1, 1], k1: 0.25, b: 0, repeat: 1, limit: 1, seed: 0 };
    expectDefined([['', '', ['cars']]], { parts: [{ kind: 'plain', words }], open: true }, settings);
  });

  it('does for as many phrases as are looked for', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 4, maxLength: 14 }), phrasesQuery, build, (...each) =>
        expectDefined(...each),
      ),
      {
        numRuns: 80,
      },
    );
  });

  it('does for records of more words than a byte counts', () => {
    const times = (word: string, count: number): string => Array(count).fill(word).join(' ');
    const records: SomeRecord[] = [
      [times('car', 300), times('card', 300), ['cart']],
      [times('car', 100), times('card', 100), [times('cart', 100)]],
      ['car', 'card cart', []],
      ['', '', []],
      ['data', 'car', []],
    ];
    const settings: Settings = { weights: [1, 2, 3], k1: 1.5, b: 1, repeat: 1, limit: 5, seed: 0 };
    for (const words of [['ca'], ['car', 'card'], ['card', 'car', 'ca'], ['crad', 'data', 'car', 'cart']]) {
      expectDefined(records, { parts: [{ kind: 'plain', words }], open: true }, settings);
    }
  });

  it('finds phrases in records of any length', () => {
    const words = ['a', 'b', 'c', 'd'];
    let state = 1;
    const next = (n: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * n);
    };
    const textOf = (length: number): string =>
      Array.from({ length }, () => words[next(1 + next(words.length))]).join(' ');
    // Short ones, some whose positions share marks, and so many long ones that a window does not fit.
    for (const lengths of [[3], [3, 3, 3, 40_000], [20_000]]) {
      const texts = Array.from({ length: 60 }, (_, i) => textOf(1 + next(lengths[i % lengths.length]!)));
      const builder = createSearchBuilder([{ name: 'content', weight: 1 }]);
      for (const text of texts) builder.add([text]);
      const index = builder.finish(Int32Array.from(texts.keys()));
      for (const phrase of ['a b', 'd c', 'c c', 'd c b', 'c d c', 'd d d', 'c b a d', 'd c b a d c d']) {
        const holds = (text: string): boolean => ` ${text} `.includes(` ${phrase} `);
        const rowsWhere = (accepts: (text: string) => boolean): number[] =>
          [...texts.keys()].filter((row) => accepts(texts[row]!));
        expect([...index.matching(`"${phrase}"`).rows]).toEqual(rowsWhere(holds));
        const rest = rowsWhere((text) => text.split(' ').includes('b') && !holds(text));
        expect([...index.matching(`b -"${phrase}" `).rows]).toEqual(rest);
      }
    }
  });

  it('prunes over many windows of rows without losing a hit', () => {
    const builder = createSearchBuilder([{ name: 'content', weight: 1 }]);
    const words = VOCABULARY.split(' ');
    let state = 1;
    const next = (n: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * n);
    };
    const rows = 20_000;
    for (let row = 0; row < rows; row++) {
      builder.add([Array.from({ length: 1 + next(30) }, () => words[next(1 + next(words.length))]).join(' ')]);
    }
    const index = builder.finish(Int32Array.from({ length: rows }, (_, row) => row));
    for (const text of [
      'secure car ',
      'the of',
      'database systems node ',
      'cart lens b ',
      'lens international search',
      'secure car cart data running search node system lens gone ',
      'data search data systems car data node data runs of the data lens car search databse serach',
      'ca',
      'the lens',
      'secure car cart data running search node system lens gon',
    ]) {
      const all = index.search(text, rows);
      expect(all.rows.length).toBe(all.total);
      // Another form of the same query, so that nothing is remembered.
      for (const limit of [1, 10, 100]) {
        const top = index.search(`${' '.repeat(limit)}${text}`, limit);
        expect([...top.rows]).toEqual([...all.rows.subarray(0, limit)]);
        expect([...top.scores]).toEqual([...all.scores.subarray(0, limit)]);
      }
    }
  });
});
