/** The kernel that reads plain words gives what the tokeniser would have given, whatever the text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextBatch } from '../src/search/cell-words.js';
import type { FieldText } from '../src/search/search.js';
import { stem } from '../src/search/stem.js';
import { TermReader } from '../src/search/term-reader.js';
import { BESIDE, FIELD, GAP, RECORD } from '../src/search/term-stream.js';
import { Tokenizer } from '../src/search/tokenize.js';
import { createMemory } from '../src/wasm.js';

type Entry = string | number;

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
    arbitrary: fc.constantFrom('C++', '.NET', 'e-mail', '3.14', 'AT&T', "O'Malley's", 'x86', 'node.js', 'U.S.'),
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
    const letters = (i: number): string =>
      [...i.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');
    const words = Array.from({ length: 30_000 }, (_, i) => `${letters(i)}q`);
    agrees([words.join(' '), words.toReversed().join('. ')]);
    // The second part of a key tells those of more than twelve letters from their beginnings.
    const beginnings = Array.from({ length: 5000 }, (_, i) => letters(i).padStart(12, 'q'));
    const longer = beginnings.map((word) => `${word}ab`);
    agrees([longer.join(' '), beginnings.join(' '), longer.toReversed().join(' ')]);
  });
});

/** Where a test's batch has its numbers, and behind them its text and its free memory. */
const [KINDS, STARTS, ENDS, ELEMENTS_FROM, ELEMENTS_TO, ELEMENTS, TEXT] = [0, 512, 2048, 4096, 6144, 8192, 16_384];
const [NONE, PLAIN, OTHER, LIST, OTHER_LIST] = [1, 2, 3, 4, 5];

const isPlain = (text: string): boolean => JSON.stringify(text).slice(1, -1) === text;

function kindOf(text: FieldText): number {
  if (text === null) return NONE;
  if (typeof text === 'string') return isPlain(text) ? PLAIN : OTHER;
  return text.every(isPlain) ? LIST : OTHER_LIST;
}

/** Records of three fields, as JSON in a memory; a text that JSON has to escape, or a list with one, is of another kind. */
function batchOf(records: readonly (readonly FieldText[])[], room: number): TextBatch {
  const free = TEXT + 2 * Buffer.byteLength(JSON.stringify(records)) + 16;
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
      if (Array.isArray(text))
        for (const part of text) batch.elements.set([write(JSON.stringify(part)), at], 2 * element++);
      else {
        batch.starts[cell] = write(JSON.stringify(text ?? ''));
        batch.ends[cell] = at;
      }
      batch.elementsTo[cell] = element;
    });
  });
  return {
    memory,
    free: buffer.byteLength - room,
    textKinds: { plain: PLAIN, lists: 1 << LIST },
    ...batch,
    cells: [0, most, 2 * most],
    textsOf: (i) => records[i] ?? [],
  };
}

describe('batches', () => {
  const list = fc.array(text, { minLength: 1, maxLength: 3 });
  const records = fc.array(fc.tuple(fc.option(text), fc.option(list), fc.option(text)), { maxLength: 12 });

  test('are read as their records one by one, whatever room there is', () => {
    fc.assert(
      fc.property(records, fc.integer({ min: 400, max: 5000 }), fc.nat(12), (all, room, size) => {
        const batch = batchOf(all, room);
        const taken = all.slice(0, size);
        const inBatch = entriesOf((reader) => {
          reader.readBatch(batch, taken.length);
        });
        const oneByOne = entriesOf((reader) => {
          for (const texts of taken) reader.read(texts);
        });
        expect(inBatch).toEqual(oneByOne);
      }),
      { numRuns: 600 },
    );
  });

  test('of plain words are read at once, others one by one', () => {
    const plain = [
      ['Some plain words.', 'An author', ['one', 'two of them']],
      ['', null, ['']],
      ['More; of: them, here', 'x', null],
      [null, 'No title', ['', 'behind nothing']],
    ];
    const batch = batchOf([...plain, ['v2.0', null, null], ['last', null, ['one']]], 40_000);
    const asked: number[] = [];
    const textsOf = (i: number) => {
      asked.push(i);
      return batch.textsOf(i);
    };
    new TermReader(true, () => {}).readBatch({ ...batch, textsOf }, 6);
    expect(asked).toEqual([4]);
  });

  test.each([
    ['short', () => 1],
    ['long', () => 14],
    // What is looked up at once ends within some of their keys.
    ['long but for one of each record', (k: number) => (k === 0 ? 1 : 14)],
  ])('of more words than are looked up at once, all of them new: %s', (_, least) => {
    const letters = (i: number): string =>
      [...i.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');
    const all = Array.from({ length: 100 }, (_, i) => [
      Array.from({ length: 120 }, (_, k) => `${letters(120 * i + k)}q`.padStart(least(k), 'r')).join(' '),
      null,
      null,
    ]);
    const inBatch = entriesOf((reader) => reader.readBatch(batchOf(all, 400_000), all.length));
    const oneByOne = entriesOf((reader) => {
      for (const texts of all) reader.read(texts);
    });
    expect(inBatch).toEqual(oneByOne);
  });
});
