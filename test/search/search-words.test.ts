/** The kernel that numbers tokens, and what tokens stand for, give what the tokenizer gives, whatever the text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIELD, GAP, RECORD, REFERENCE } from '../../src/kernels/stream-layout.js';
import { TokenReader } from '../../src/search/build/token-reader.js';
import type { FieldText } from '../../src/search/search.js';
import { Tokenizer } from '../../src/search/tokenizer.js';
import { inBatches } from '../support/batch-writer.js';
import { expectSame } from '../support/same.js';
import { collectionOfTexts } from '../support/search-builder.js';

type Entry = string | number;

/** A number as a word. */
const letters = (i: number): string =>
  [...i.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');

/** The words of a text, those without position increment last and in brackets. */
function wordsIn(text: string): string[] {
  const words: string[] = [];
  const stacked: string[] = [];
  const wordOf = (units: Uint16Array, length: number): string => String.fromCharCode(...units.subarray(0, length));
  const stack = (units: Uint16Array, length: number): void => void stacked.push(`[${wordOf(units, length)}]`);
  new Tokenizer().tokenize(text, {
    word: (units, length) => void words.push(wordOf(units, length)),
    compound: stack,
    tail: stack,
  });
  return [...words, ...stacked];
}

/** What a reader that knows nothing of tokens would write. */
const expected = (records: readonly (readonly FieldText[])[]): Entry[] =>
  records.flatMap((texts) => [
    RECORD,
    ...texts.flatMap((text, field): Entry[] => {
      if (text === null || text.length === 0) return [];
      if (typeof text === 'string') return [FIELD - field, ...wordsIn(text)];
      return [...text.flatMap((part, i) => [i === 0 ? FIELD - field : GAP, ...wordsIn(part)]), GAP];
    }),
  ]);

/** The stream that a reader writes, its tokens as their words. */
function found(records: readonly (readonly FieldText[])[]): Entry[] {
  const stream: number[] = [];
  const reader = new TokenReader((entries) => {
    for (const entry of entries) stream.push(entry);
  });
  const fields = records[0]?.length ?? 0;
  const columns = Array.from({ length: fields }, (_, column) => column);
  inBatches(collectionOfTexts(fields), records, (batch) => reader.addBatch(batch, columns));
  const contents: string[][] = [];
  reader.forEach({
    word: (word) => void contents.push([word]),
    text: (text) => void contents.push(wordsIn(text)),
  });
  expect(contents.length).toBe(reader.count);
  const entries: Entry[] = [];
  let stacked: string[] = [];
  for (const entry of stream) {
    if (entry >= 0) {
      entries.push(...contents[entry]!.filter((word) => !word.startsWith('[')));
      stacked.push(...contents[entry]!.filter((word) => word.startsWith('[')));
    } else if (entry <= REFERENCE) stacked.push(`[${contents[(REFERENCE - 1 - entry) / 2]!.join()}]`);
    else {
      entries.push(...stacked, entry);
      stacked = [];
    }
  }
  return [...entries, ...stacked];
}

function agrees(texts: readonly string[]): void {
  const records = texts.map((text) => [text]);
  expectSame(found(records), expected(records));
}

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...'the cat Running houses ÉTÉ naïve don’t x a zz'.split(' '),
      'q'.repeat(12),
      'w'.repeat(13),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...[15, 16, 17, 23, 24, 25, 64, 65].map((length) => 'r'.repeat(length))) },
  // What stands beside the letters in ASCII, and what has a letter's lower byte.
  { weight: 1, arbitrary: fc.constantFrom('a@b', 'foo{bar', 'Foo[1]', 'x`y', 'Škoda', 'Beneš', 'złoty', 'abc\u8061d') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...'. , ; : - + # \' " ( ) \n \t / & . .. ... ! ? * _ @ = < > | ~ $ % \u0000 \u2014 \u2026 \u00a0 \u201c \u201d \u2019 \u2010'.split(
        ' ',
      ),
      ' ',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['C++', '.NET', 'e-mail', '3.14', '1,000', '1,00', 'a1,2', 'AT&T', "O'Malley's", 'x86', 'node.js', 'U.S.'],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('東京都', 'ภาษา', '\u1112\u1161\u11ab', 'e\u0301', '\u00ad', '😀', '\ud800', 'ß'),
  },
  { weight: 1, arbitrary: fc.constantFrom('Слово', 'λέξη', 'ﬁn', 'Ａ') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);
const separator = fc.constantFrom(' ', ' ', ' ', '', ', ', '. ');
const text = fc
  .array(fc.tuple(piece, separator), { maxLength: 40 })
  .map((parts) => parts.map((pair) => pair.join('')).join(''));

describe('tokens', () => {
  test('are read as the tokenizer reads their text', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => agrees(texts)),
      { numRuns: 500 },
    );
  });

  test('are read in texts of any length, wherever what is read at a time ends', () => {
    const long = `${'Some words stand here, and v2.0 e-mail. '.repeat(1000)}end`;
    for (let before = 0; before < 45; before++) agrees(['x'.repeat(before) + long]);
    agrees(['y'.repeat(100_000), `${'z'.repeat(70_000)} and more`, 'no space'.repeat(20_000)]);
    agrees(['\u6771\u4eac '.repeat(3000), '\u4e2d\u6587'.repeat(40_000)]);
  });

  test('are told apart, however many there are', () => {
    const words = Array.from({ length: 30_000 }, (_, i) => `${letters(i)}q`);
    agrees([words.join(' '), words.toReversed().join('. ')]);
    const beginnings = Array.from({ length: 5000 }, (_, i) => letters(i).padStart(12, 'q'));
    const longer = beginnings.map((word) => `${word}ab`);
    agrees([longer.join(' '), beginnings.join(' '), longer.toReversed().join(' ')]);
    const raw = Array.from({ length: 30_000 }, (_, i) => `${i}-${letters(i)}`);
    agrees([raw.join(' '), raw.toReversed().join(' ')]);
  });

  test('are told apart by each of their letters, as long as they may be', () => {
    const words = wordsOfAllLengths(4000);
    agrees([words.join(' '), words.toReversed().join(' ')]);
  });

  test('are the same in lists and in fields that are empty', () => {
    const fieldText = fc.oneof(fc.constant(null), text, fc.array(text, { minLength: 1, maxLength: 3 }));
    const record = fc.tuple(
      text.filter((title) => title !== ''),
      fieldText,
      fieldText,
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), (records) => {
        expect(found(records)).toEqual(expected(records));
      }),
      { numRuns: 100 },
    );
  });
});

/** Words of 6 to 30 letters, no two of them alike: of each length so many that end differently, and all that differ from a row of `q` in one letter. */
function wordsOfAllLengths(count: number): string[] {
  const words = new Set<string>();
  for (let length = 6; length <= 30; length++) {
    for (let at = 0; at < length; at++) {
      for (let letter = 0; letter < 26; letter++) words.add(`${'q'.repeat(at)}${letters(letter)}`.padEnd(length, 'q'));
    }
    for (let i = 0; i < count; i++) words.add(letters(i * 977 + 26 ** 5).padStart(length, 'q'));
  }
  return [...words];
}
