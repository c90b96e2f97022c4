import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_POSITION, faultBetween, positionBehind } from '../../src/load/place/json-fault.js';
import { loadFiles } from '../support/load.js';

function faultIn(text: string) {
  const bytes = Buffer.from(text);
  return faultBetween(bytes, 0, bytes.length);
}

/** The parser's message for a text that is no JSON. */
const parserMessage = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error);
  }
};

describe('a fault of JSON', () => {
  it('stands where the parser finds it in mutated JSON', () => {
    const mutation = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'{}[]",:\\ue0-.1tn \n\u0001'));
    const mutated = fc.tuple(fc.json(), fc.array(mutation, { maxLength: 3 })).map(([json, mutations]) =>
      mutations.reduce((text, [at, cut, sign]) => {
        const where = at % (text.length + 1);
        return text.slice(0, where) + sign + text.slice(where + cut);
      }, json),
    );
    fc.assert(
      fc.property(mutated, (text) => {
        const fault = faultIn(text);
        const expected = parserMessage(text);
        expect(fault === undefined).toBe(expected === undefined);
        if (fault === undefined || expected === undefined) return;
        const at = Buffer.from(text).toString('utf8', 0, fault.at).length;
        const position = /at position (\d+)/.exec(expected)?.[1];
        const token = /^SyntaxError: Unexpected token '(.)', /su.exec(expected)?.[1];
        if (position !== undefined) expect([text, at]).toEqual([text, Number(position)]);
        else expect([text, text.slice(at).startsWith(token ?? '')]).toEqual([text, true]);
        expect(fault.isCut).toBe(at === text.length);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is found without recursion', () => {
    const depth = 200_000;
    expect(faultIn('['.repeat(depth) + ']'.repeat(depth))).toBeUndefined();
    expect(faultIn('['.repeat(depth))).toMatchObject({ at: depth, isCut: true });
    expect(faultIn('['.repeat(2_000_000))?.message).toBe(
      'the value is too large: expected at most 256 MB, 262,144 members and 1,048,576 levels',
    );
  });

  it('is found in one pass, however many numbers stand before it', () => {
    const numbers = '1.5,'.repeat(500_000);
    expect(faultIn(`[${numbers}x]`)).toMatchObject({ at: numbers.length + 1, isCut: false });
  });

  const cut = 'the file ends inside a value: the download was probably cut off';
  it.each([
    ['[0.1.2]', 1, 5, 'expected `,` or `]`, found `.`'],
    ['[1,é x]', 1, 4, 'expected a value, found the byte 0xc3'],
    ['["é", x]', 1, 7, 'expected a value, found `x`'],
    ['["a\nb"]', 1, 4, 'expected a text without control characters, which JSON escapes, found a line break'],
    ['["a\tb"]', 1, 4, 'expected a text without control characters, which JSON escapes, found a tab'],
    ['["\\x"]', 1, 4, 'expected an escape such as `n` or `"`, found `x`'],
    ['["\\u12g4"]', 1, 7, 'expected four hexadecimal digits, found `g`'],
    [
      "['a']",
      1,
      2,
      "expected a value or `]`, found `'`: strings need double quotes, as Python's json.dumps writes them",
    ],
    [
      "{'a':1}",
      1,
      2,
      "expected a name in double quotes or `}`, found `'`: strings need double quotes, as Python's json.dumps writes them",
    ],
    ['[NaN]', 1, 2, 'expected a value or `]`, found `N`: NaN is not JSON, null is'],
    ['{"a":None}', 1, 6, 'expected a value, found `N`: None is not JSON, null is'],
    ['[True]', 1, 2, 'expected a value or `]`, found `T`: True is written in lower case'],
    ['[nul]', 1, 5, 'expected `null`, found `]`'],
    ['[01]', 1, 3, 'expected `,` or `]`, found `1`'],
    ['[-x]', 1, 3, 'expected a digit, found `x`'],
    ['[1.]', 1, 4, 'expected a digit, found `]`'],
    ['{"a" 1}', 1, 6, 'expected `:` behind the name, found `1`'],
    ['{"a":1\n"b":2}', 2, 1, 'expected `,` or `}`, found `"`: put a comma before it'],
    ['{"a":1,}', 1, 8, 'expected a name in double quotes, found `}`: remove the comma before it'],
    ['[1,,2]', 1, 4, 'expected a value, found `,`: remove the comma before it'],
    ['[1,]', 1, 4, 'expected a value, found `]`: remove the comma before it'],
    ['{"a":1}, {}', 1, 8, 'expected the end of the file, found `,`'],
    [', {}', 1, 1, 'expected a value, found `,`: put [ before the first value and ] behind the last'],
    ['[] []', 1, 4, 'expected the end of the file, found `[`: put all records in one array'],
    ['id,name', 1, 1, 'expected a value, found `i`: JSON begins with [ or {'],
    ['// tea\n[]', 1, 1, 'expected a value, found `/`: JSON has no comments'],
    ['', 1, 1, cut],
    ['{"a', 1, 4, cut],
    ['["a', 1, 4, cut],
    ['[\n{"a":', 2, 6, cut],
    ['tru', 1, 4, cut],
  ])('%j', (text, line, column, message) => {
    const fault = faultIn(text);
    const bytes = Buffer.from(text).subarray(0, fault?.at);
    expect({ ...positionBehind(bytes, FIRST_POSITION), message: fault?.message }).toEqual({ line, column, message });
  });
});

const PRODUCT = '{"id":1,"title":"T\\"é","price":1.5}';

describe('files cut off', () => {
  const whole = `[\n${PRODUCT},\n{"id":2,"title":"U","category":null}\n]\n`;
  const bytes = Buffer.from(whole);

  it('an array is a fault at every byte but the last', async () => {
    for (let end = 0; end < bytes.length - 2; end++) {
      const { fault } = await loadFiles({ 'products.json': bytes.subarray(0, end) });
      expect(fault, `cut at ${end}`).toMatch(/^products\.json:\d+:\d+: the file (is empty|ends inside )/);
      const before = bytes.toString('utf8', 0, end).split('\n');
      const [, line, column] = fault?.split(':') ?? [];
      const place = end === 0 ? [1, 1] : [before.length, [...(before.at(-1) ?? '').replace(/\ufffd$/, '')].length + 1];
      // A character cut in two is counted by its first byte.
      const isCutChar = before.at(-1)?.endsWith('\ufffd') === true;
      expect([Number(line), Number(column) - (isCutChar ? 1 : 0)]).toEqual(place);
    }
  });

  it('an envelope is a fault at every byte', async () => {
    const envelope = Buffer.from(`{"total":1,"items":[${PRODUCT}],"next":{"page":2}}`);
    for (let end = 0; end < envelope.length; end++) {
      const { fault } = await loadFiles({ 'products.json': envelope.subarray(0, end) });
      expect(fault, `cut at ${end}`).toMatch(/^products\.json:1:\d+: the file (is empty|ends inside )/);
    }
  });

  it('NDJSON is a fault inside its first record, loses its second, and is whole between them', async () => {
    const lines = Buffer.from(`${PRODUCT}\n${PRODUCT}\n`);
    const first = Buffer.byteLength(PRODUCT);
    for (let end = 1; end < lines.length; end++) {
      const { fault, records } = await loadFiles({ 'products.ndjson': lines.subarray(0, end) });
      if (end === first || end === first + 1 || end === 2 * first + 1)
        expect([fault, records.length]).toEqual([undefined, end > first + 1 ? 2 : 1]);
      else if (end > first) expect([fault, records.length]).toEqual([undefined, 1]);
      else expect(fault, `cut at ${end}`).toMatch(/^products\.ndjson:1:\d+: the file ends inside /);
    }
  });

  it('gzip is a fault at every byte', async () => {
    const packed = gzipSync(bytes);
    for (let end = 2; end < packed.length; end++) {
      const { fault } = await loadFiles({ 'products.json.gz': packed.subarray(0, end) });
      expect(fault, `cut at ${end}`).toBe(
        'products.json.gz: the gzip file ends too early: the download was probably cut off',
      );
    }
  });
});

describe('layouts', () => {
  const big = 'x'.repeat(3 << 20);
  const many = Array.from({ length: 3000 }, (_, i) => ({ id: i + 1, title: `T${i} ${'y'.repeat(2000)}` }));

  it.each<[string, string, number]>([
    ['minified', JSON.stringify(many), 3000],
    ['indented', JSON.stringify(many, null, 2), 3000],
    [
      'one a line, among them a record of 3 MB',
      `[\n${JSON.stringify(many[0])},\n{"id":9,"title":"${big}"},\n${JSON.stringify(many[1])}\n]`,
      3,
    ],
    [
      'two a line',
      `[${many.map((record, i) => JSON.stringify(record) + (i % 2 ? ',\n' : ',')).join('')}{"id":0,"title":"t"}]`,
      3001,
    ],
    ['a long envelope', JSON.stringify({ count: 3000, pages: [1, 2], items: many, next: { a: [] } }), 3000],
    ['an envelope without a record', '{"total":0,"items":[]}', 0],
    ['an envelope with a title', '{"title":"Dump","items":[{"id":1,"title":"t"}]}', 1],
    ['a single record without id', '{"title":"t","tags":[]}', 1],
    ['a single record with lists', '{"id":1,"title":"t","tags":[],"reviews":[{"by":"a"}]}', 1],
    [
      'lines that end as records do',
      '[{"id":1,"title":"t","a":{"b":1},\n"c":{"d":[{}]},\n"e":[{"f":1},\n{"g":2}]},\n{"id":2,"title":"t"}]',
      2,
    ],
    ['records one behind the other', '{"id":1,"title":"t"}{"id":2,"title":"t"} {"id":3,"title":"t"}', 3],
  ])('%s', async (_name, content, expected) => {
    const { records, fault, files } = await loadFiles({ 'articles.json': content });
    expect([fault, records.length, files[0]?.refused]).toEqual([undefined, expected, 0]);
  });

  it('knows the lines of indented records', async () => {
    const records = [{ id: 1, title: 't', tags: ['a', 'b'] }, { id: 2 }, { id: 3, title: 't' }, { id: 4, title: '' }];
    const { files } = await loadFiles({ 'articles.json': JSON.stringify(records, null, 4) });
    expect(files[0]?.refusals.map(({ record, line }) => [record, line])).toEqual([
      [2, 10],
      [4, 17],
    ]);
  });

  it('NDJSON may be empty, and of one line', async () => {
    expect((await loadFiles({ 'articles.ndjson': '' })).files[0]).toMatchObject({
      records: 0,
      mistakes: ['no articles in this file'],
    });
    const { files } = await loadFiles({ 'articles.ndjson': '{"error":"x"}' });
    expect(files[0]?.refusals).toEqual([{ records: 1, record: 1, line: 1, reason: 'title is missing' }]);
  });

  it('records of one kind in two arrays are all read, with the array as their group', async () => {
    const content = `{"items":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"more":[{"id":3,"title":"c"}]}`;
    const { fault, records, files } = await loadFiles({ 'articles.json': content });
    expect([fault, records.map(([id]) => id)]).toEqual([undefined, [1, 2, 3]]);
    expect(files[0]?.decisions).toEqual(['the records are those at *[]']);
  });

  it('what stands beside the records may be longer than any chunk', async () => {
    const other = JSON.stringify(Array.from({ length: 22_000 }, (_, i) => ({ n: i, m: [i, i, i] })));
    const content = `{"deep":${'['.repeat(2000)}${']'.repeat(2000)},"items":${JSON.stringify(many)},"log":${other},"end":${other}}`;
    const { fault, records } = await loadFiles({ 'articles.json': content });
    expect([fault, records.length]).toEqual([undefined, many.length]);
    const broken = content.replace('"n":21999,', '"n":21999');
    expect((await loadFiles({ 'articles.json': broken })).fault).toMatch(
      /^articles\.json:1:\d+: expected `,` or `}`, found/,
    );
  });

  it('a fault far inside a long file is found where it is', async () => {
    const lines = many.map((record) => JSON.stringify(record));
    lines[2500] = '{"id":2501,"title":"x" "y"}';
    const { fault } = await loadFiles({ 'articles.json': `[\n${lines.join(',\n')}\n]` });
    expect(fault).toBe('articles.json:2502:24: expected `,` or `}`, found `"`: put a comma before it');
  });
});

describe('a value over several lines', () => {
  it('that is broken is a fault of the file', async () => {
    const { fault } = await loadFiles({ 'articles.json': `{\n"id":1,"title":"a"}\n{"id":2,\n{}` });
    expect(fault).toBe('articles.json:4:1: expected a name in double quotes, found `{`');
  });
});

it('integers that no double holds are kept as the dump has them, and make codes of all ids', async () => {
  const records = [
    '{"id":1,"title":-12345678901234567890,"score":9007199254740993}',
    ...Array.from({ length: 1000 }, (_, i) => `{"id":${i + 2},"title":"b"}`),
    '{"id":9007199254740993,"title":"a"}',
  ];
  const { files, records: values } = await loadFiles(
    { 'articles.json': `[${records.join(',\n')}]` },
    { columns: 'all' },
  );
  expect(files[0]?.refusals).toEqual([]);
  expect([values.at(-1)?.[0], values.at(-1)?.at(-1)]).toEqual([1002, '9007199254740993']);
  expect(values[0]?.[1]).toBe('-12345678901234567890');
  expect(files[0]?.fields[3]?.leftNullExamples[0]?.raw).toBe('9007199254740993');
});
