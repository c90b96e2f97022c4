/** The kernel that reads plain words gives what the tokeniser would have given, whatever the text. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { TextBatch } from '../src/search/cell-words.js';
import { MOST_CLUSTER_BYTES } from '../src/search/cell-words-kernel.js';
import { sharedCharacters } from '../src/search/characters.js';
import { Clusters } from '../src/search/clusters.js';
import type { FieldText } from '../src/search/search.js';
import { stem } from '../src/search/stem.js';
import type { TermTable } from '../src/search/tables.js';
import { TermReader } from '../src/search/term-reader.js';
import { BESIDE, FIELD, GAP, RECORD } from '../src/search/term-stream.js';
import { Tokenizer } from '../src/search/tokenize.js';
import { Vocabulary } from '../src/search/vocabulary.js';
import { createMemory } from '../src/wasm.js';
import { inAscii } from './support/records.js';

type Entry = string | number;

/** A number as a word. */
const letters = (i: number): string =>
  [...i.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');

/** What a reader that knows nothing of plain words would write: the stems of words, and the marks between them. */
function expected(texts: readonly string[]): Entry[] {
  const tokenizer = new Tokenizer();
  const entries: Entry[] = [];
  for (const text of texts) {
    entries.push(RECORD);
    if (text === '') continue;
    entries.push(FIELD);
    const beside: Entry[] = [];
    const wordOf = (units: Uint16Array, length: number) => stem(String.fromCharCode(...units.subarray(0, length)));
    tokenizer.tokenize(text, {
      word: (units, length) => entries.push(wordOf(units, length)),
      compound: (units, length) => beside.push(GAP, wordOf(units, length)),
      tail: (units, length) => beside.push(GAP, wordOf(units, length)),
    });
    if (beside.length > 0) entries.push(BESIDE, ...beside);
  }
  return entries;
}

function found(texts: readonly string[]): Entry[] {
  return entriesOf((reader) => {
    for (const text of texts) reader.read([text]);
  });
}

/** What a reader writes, its terms as stems. */
function entriesOf(read: (reader: TermReader) => void): Entry[] {
  const entries: number[] = [];
  const reader = new TermReader(true, (some) => entries.push(...some));
  read(reader);
  reader.finish();
  const { units, offsets, terms } = reader.dictionary().stems;
  const stems = new Map(
    Array.from(terms, (term, i) => [term, String.fromCharCode(...units.subarray(offsets[i], offsets[i + 1]))]),
  );
  expect(stems.size).toBe(reader.terms);
  return entries.map((entry) => (entry < 0 ? entry : (stems.get(entry) ?? 'no stem')));
}

function agrees(texts: readonly string[]): void {
  expect(found(texts)).toEqual(expected(texts));
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

describe('plain words', () => {
  test('are read as the tokeniser reads them', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => agrees(texts)),
      { numRuns: 1500 },
    );
  }, 30_000);

  test('are read in texts of any length, wherever what is read at a time ends', () => {
    const long = `${'Some words stand here, and v2.0 e-mail. '.repeat(1000)}end`;
    for (let before = 0; before < 45; before++) agrees(['x'.repeat(before) + long]);
    agrees(['y'.repeat(100_000), `${'z'.repeat(70_000)} and more`, 'no space'.repeat(20_000)]);
  });

  test('are told apart, however many there are', () => {
    const words = Array.from({ length: 30_000 }, (_, i) => `${letters(i)}q`);
    agrees([words.join(' '), words.toReversed().join('. ')]);
    // The second part of a key tells those of more than twelve letters from their beginnings.
    const beginnings = Array.from({ length: 5000 }, (_, i) => letters(i).padStart(12, 'q'));
    const longer = beginnings.map((word) => `${word}ab`);
    agrees([longer.join(' '), beginnings.join(' '), longer.toReversed().join(' ')]);
  });

  test('are told apart by each of their letters, as long as they may be', () => {
    const words = wordsOfAllLengths(4000);
    agrees([words.join(' '), words.toReversed().join(' ')]);
  });

  test('have the same terms where they are listed by another reader', () => {
    const words = wordsOfAllLengths(4000);
    const units = words.map((word) => Uint16Array.from(word, (letter) => letter.charCodeAt(0)));
    const [listing, taking] = [new Vocabulary(sharedCharacters(), false), new Vocabulary(sharedCharacters(), true)];
    expect(units.map((word) => listing.termOf(word, word.length))).toEqual(words.map((_, i) => i));
    const termOf = taking.termsOf(listing.list());
    expect([...termOf]).toEqual(units.map((word) => taking.termOf(word, word.length)));
    const { words: sorted, stems } = taking.dictionary();
    expect(stringsOf(sorted)).toEqual(words.toSorted());
    expect(stringsOf(stems)).toEqual([...new Set(words.map(stem))].sort());
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

const stringsOf = ({ units, offsets, terms }: TermTable): string[] =>
  Array.from(terms, (_, i) => String.fromCharCode(...units.subarray(offsets[i], offsets[i + 1])));

/** Where a test's batch has its numbers, and behind them its text and its free memory. */
const [KINDS, STARTS, ENDS, ELEMENTS_FROM, ELEMENTS_TO, ELEMENTS, TEXT] = [0, 512, 2048, 4096, 6144, 8192, 16_384];
const [NONE, PLAIN, ESCAPED, LIST, OTHER_LIST] = [1, 2, 3, 4, 5];

/** Records of three fields, as JSON in a memory; a text that has escapes, or a list with one, is of another kind. */
function batchOf(records: readonly (readonly FieldText[])[], room: number, spell = JSON.stringify): TextBatch {
  const isPlain = (text: string): boolean => spell(text).slice(1, -1) === text;
  const kindOf = (text: FieldText): number => {
    if (text === null) return NONE;
    if (typeof text === 'string') return isPlain(text) ? PLAIN : ESCAPED;
    return text.every(isPlain) ? LIST : OTHER_LIST;
  };
  const free = TEXT + 2 * Buffer.byteLength(spell(records)) + 16;
  const memory = createMemory(free + room);
  const { buffer } = memory;
  const bytes = Buffer.from(buffer);
  const most = records.length;
  const numbers = (at: number) => new Int32Array(buffer, at, 3 * most);
  const batch = {
    kinds: new Uint8Array(buffer, KINDS, 3 * most),
    starts: numbers(STARTS),
    ends: numbers(ENDS),
    elements: new Int32Array(buffer, ELEMENTS, (TEXT - ELEMENTS) / 4),
    elementsFrom: numbers(ELEMENTS_FROM),
    elementsTo: numbers(ELEMENTS_TO),
  };
  let at = TEXT;
  let element = 0;
  const write = (json: string): number => {
    at += bytes.write(json, at);
    return at - Buffer.byteLength(json);
  };
  records.forEach((texts, record) => {
    texts.forEach((text, field) => {
      const cell = field * most + record;
      batch.kinds[cell] = kindOf(text);
      batch.elementsFrom[cell] = element;
      if (Array.isArray(text)) for (const part of text) batch.elements.set([write(spell(part)), at], 2 * element++);
      else {
        batch.starts[cell] = write(spell(text ?? ''));
        batch.ends[cell] = at;
      }
      batch.elementsTo[cell] = element;
    });
  });
  return {
    memory,
    free: buffer.byteLength - room,
    textKinds: { plain: PLAIN, escaped: ESCAPED, lists: 1 << LIST },
    ...batch,
    cells: [0, most, 2 * most],
    textsOf: (i) => records[i] ?? [],
  };
}

describe('batches', () => {
  const list = fc.array(text, { minLength: 1, maxLength: 3 });
  const records = fc.array(fc.tuple(fc.option(text), fc.option(list), fc.option(text)), { maxLength: 12 });

  /** The first records of a batch are read as each by itself. */
  function batchAgrees(all: readonly (readonly FieldText[])[], batch: TextBatch, size = all.length): void {
    const inBatch = entriesOf((reader) => reader.readBatch(batch, size));
    const oneByOne = entriesOf((reader) => {
      for (const texts of all.slice(0, size)) reader.read(texts);
    });
    if (!isDeepStrictEqual(inBatch, oneByOne)) expect(inBatch).toEqual(oneByOne);
  }

  test.each([
    ['as it is', JSON.stringify],
    ['in ASCII', (value: unknown) => inAscii(JSON.stringify(value))],
  ])('are read as their records one by one, whatever room there is: %s', (_, spell) => {
    fc.assert(
      fc.property(records, fc.integer({ min: 400, max: 5000 }), fc.nat(12), (all, room, size) =>
        batchAgrees(all, batchOf(all, room, spell), Math.min(size, all.length)),
      ),
      { numRuns: 600 },
    );
  });

  test('are read as their records one by one, wherever in what is read at once a word ends, whatever stands behind it', () => {
    const behind = [
      '',
      ' ',
      ', ',
      '. ',
      '.',
      '...',
      ',x',
      '.x',
      '-',
      "'s ",
      ') ',
      '\n',
      '  ',
      'é',
      '1',
      '+ ',
      '& ',
      ', 1',
    ];
    for (const length of [1, 12, 13, 16, 17, 25, 64]) {
      for (let before = 0; before <= 66; before++) {
        const texts = behind.flatMap((end) =>
          ['One, two. Three ', ' '].map(
            (words) => `${words.repeat(before).slice(0, before)}${'q'.repeat(length)}${end}and so on, to the end`,
          ),
        );
        const all = texts.map((text) => [text, null, null]);
        batchAgrees(all, batchOf(all, 60_000));
      }
    }
  });

  test('know what clusters stand for, whether they are met again or not, and however many there are', () => {
    const numbers = (from: number) => Array.from({ length: 1000 }, (_, i) => `${(from + i) * 7}`).join(' ');
    const compounds = `${'An e-mail, AT&T and node.js; '.repeat(700)}x-${'y-'.repeat(40)}z-9`;
    const all = Array.from({ length: 120 }, (_, i) => [
      numbers((i % 80) * 1000),
      i % 40 === 0 ? compounds : `don't, v${i % 7}.0`,
      ['C++', `no-${i % 9}`, 'F#'],
    ]);
    const textsOf = (i: number): never => {
      throw new Error(`record ${i} is read by itself`);
    };
    batchAgrees(all, { ...batchOf(all, 1_000_000), textsOf });
    // Less room than the compounds of a field need together.
    batchAgrees(all.slice(0, 3), batchOf(all.slice(0, 3), 60_000));
  });

  test('ask once what a cluster stands for, whatever stands behind it', () => {
    const learn = vi.spyOn(Clusters.prototype, 'learn');
    const texts = ['18F', "don't", 'café', '1,000', 'node.js', 'x-1234', 'x-12345', '12345678', '123456781'];
    const all = ['a', 'b.', '(c', '"d', 'é', '9'].map((after) => [
      texts.map((text) => `${text} ${after} ${text}, ${text}) ${text}/${after}`).join(' '),
      null,
      texts,
    ]);
    new TermReader(true, () => {}).readBatch(batchOf(all, 100_000), all.length);
    expect(learn).toHaveBeenCalledTimes(texts.length + 2);
    learn.mockRestore();
  });

  test('are read where there is just room for what they come to', () => {
    const all = [[Array.from({ length: 40 }, (_, i) => i % 10).join('/'), null, ['1', '']]];
    for (let room = 400; room < 1400; room++) batchAgrees(all, batchOf(all, room));
  });

  test('are read at once, but for records with lists of escaped texts, or long texts without separators', () => {
    const most = `${'x'.repeat(MOST_CLUSTER_BYTES - 2)}-9`;
    const plain = [
      ['Some plain words.', 'An author', ['one', 'two of them']],
      ['', null, ['']],
      ['More; "of":\n\tthem, here', 'v2.0\\\u0001é 18F', null],
      [null, 'No title', ['', 'behind nothing, 東京']],
      [most, null, null],
      [`(${most}).`, null, null],
    ];
    const batch = batchOf([...plain, [`${most}9`, null, null], ['last', null, ['one']]], 40_000);
    const asked: number[] = [];
    const textsOf = (i: number) => {
      asked.push(i);
      return batch.textsOf(i);
    };
    new TermReader(true, () => {}).readBatch({ ...batch, textsOf }, 8);
    expect(asked).toEqual([6]);
    const lists = batchOf([...plain, ['x', null, ['a\nb']], ['last', null, ['one']]], 40_000);
    new TermReader(true, () => {}).readBatch({ ...lists, textsOf }, 8);
    expect(asked).toEqual([6, 6]);
  });

  test.each([
    ['short', () => 1],
    ['long', () => 14],
    // What is looked up at once ends within some of their keys.
    ['long but for one of each record', (k: number) => (k === 0 ? 1 : 14)],
  ])('of more words than are looked up at once, all of them new: %s', (_, least) => {
    const all = Array.from({ length: 100 }, (_, i) => [
      Array.from({ length: 120 }, (_, k) => `${letters(120 * i + k)}q`.padStart(least(k), 'r')).join(' '),
      null,
      null,
    ]);
    batchAgrees(all, batchOf(all, 400_000));
  });
});
