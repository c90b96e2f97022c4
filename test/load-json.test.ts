import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonChecker, type JsonFault } from '../src/load/json-checker.js';
import { loadFiles } from './support/load.js';

function check(text: string | Uint8Array, pieceBytes = 7): JsonFault | undefined {
  const bytes = Buffer.from(text);
  const checker = new JsonChecker('document');
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const fault = checker.feed(bytes.subarray(at, at + pieceBytes));
    if (fault) return fault;
  }
  return checker.end();
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the strict checker', () => {
  it('agrees with JSON.parse about mutated JSON', () => {
    const mutation = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'{}[]",:\\ue0-.1tn \n\u0001'));
    const mutated = fc.tuple(fc.json(), fc.array(mutation, { maxLength: 3 })).map(([json, mutations]) =>
      mutations.reduce((text, [at, cut, sign]) => {
        const where = at % (text.length + 1);
        return text.slice(0, where) + sign + text.slice(where + cut);
      }, json),
    );
    fc.assert(
      fc.property(
        mutated,
        fc.integer({ min: 1, max: 9 }),
        (text, piece) => (check(text, piece) === undefined) === isJson(text),
      ),
      { numRuns: 20_000 },
    );
  });

  it('does not recurse', () => {
    const depth = 200_000;
    expect(check('['.repeat(depth) + ']'.repeat(depth), 1 << 16)).toBeUndefined();
    expect(check('['.repeat(depth), 1 << 16)?.message).toBe(
      'the file ends inside an array, 200,000 levels deep: the download was probably cut off',
    );
  });

  it.each([
    ['[1,é x]', 1, 4, 'expected a value, found the byte 0xc3'],
    ['["é", x]', 1, 7, 'expected a value, found `x`'],
    ['["a\nb"]', 1, 4, 'a line break inside a string: expected the closing `"`, or the line break written as \\n'],
    ['["a\tb"]', 1, 4, 'found a tab inside a string: it must be written as an escape such as \\u0009'],
    ['["\\x"]', 1, 4, 'expected one of " \\ / b f n r t u after a backslash, found `x`'],
    ['["\\u12g4"]', 1, 7, 'expected four hexadecimal digits after \\u, found `g`'],
    ["['a']", 1, 2, "expected a value, found `'`: strings need double quotes"],
    ['[NaN]', 1, 2, 'expected a value, found `N`: NaN and None are not JSON, null is'],
    ['[nul]', 1, 5, 'expected `null`, found `]`'],
    ['[01]', 1, 3, 'found `1` after a leading zero: numbers do not begin with 0'],
    ['[1.]', 1, 4, 'expected a digit, found `]`'],
    ['{"a" 1}', 1, 6, 'expected `:` after the name, found `1`'],
    ['{"a":1\n"b":2}', 2, 1, 'expected `,` or `}`, found `"`'],
    ['{"a":1,}', 1, 8, 'expected a name in double quotes, found `}`: remove the comma before it'],
    ['{"a', 1, 4, 'the file ends inside a name: the download was probably cut off'],
    ['["a', 1, 4, 'the file ends inside a string: the download was probably cut off'],
    ['[\n{"a":', 2, 6, 'the file ends inside an object, 2 levels deep: the download was probably cut off'],
    ['tru', 1, 4, 'the file ends inside a value: the download was probably cut off'],
  ])('%j', (text, line, column, message) => {
    expect(check(text)).toEqual({ line, column, message });
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
      suspicions: ['no articles in this file'],
    });
    const { files } = await loadFiles({ 'articles.ndjson': '{"error":"x"}' });
    expect(files[0]?.refusals).toEqual([{ records: 1, record: 1, line: 1, reason: 'title is missing' }]);
  });

  it('records in two arrays are those of the first, and the other is told', async () => {
    const content = `{"items":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"more":[{"id":3,"title":"c"}]}`;
    const { fault, records, files } = await loadFiles({ 'articles.json': content });
    expect([fault, records.map(([id]) => id)]).toEqual([undefined, [1, 2]]);
    expect(files[0]?.notes).toEqual([
      'the records are those at items[]',
      'records like these were found at more[] too, and are not read',
    ]);
  });

  it('what stands beside the records may be longer than any chunk', async () => {
    const other = JSON.stringify(Array.from({ length: 22_000 }, (_, i) => ({ n: i, m: [i, i, i] })));
    const content = `{"deep":${'['.repeat(2000)}${']'.repeat(2000)},"items":${JSON.stringify(many)},"log":${other},"end":${other}}`;
    const { fault, records } = await loadFiles({ 'articles.json': content });
    expect([fault, records.length]).toEqual([undefined, many.length]);
    const broken = content.replace('"n":21999,', '"n":21999');
    expect((await loadFiles({ 'articles.json': broken })).fault).toMatch(/^articles\.json:1:\d+: expected `,` or `\}`/);
  });

  it('a fault far inside a long file is found where it is', async () => {
    const lines = many.map((record) => JSON.stringify(record));
    lines[2500] = '{"id":2501,"title":"x" "y"}';
    const { fault } = await loadFiles({ 'articles.json': `[\n${lines.join(',\n')}\n]` });
    expect(fault).toBe('articles.json:2502:24: expected `,` or `}`, found `"`');
  });
});

describe('a value over several lines', () => {
  it('that is broken is a fault of the file', async () => {
    const { fault } = await loadFiles({ 'articles.json': `{\n"id":1,"title":"a"}\n{"id":2,\n{}` });
    expect(fault).toBe('articles.json:4:1: expected a name in double quotes, found `{`');
  });
});

it('integers that no double holds are quoted as the dump has them', async () => {
  const records = [
    '{"id":9007199254740993,"title":"a"}',
    '{"id":1,"title":-12345678901234567890,"score":9007199254740993}',
  ];
  const { files, records: values } = await loadFiles({ 'articles.json': `[${records.join(',\n')}]` });
  expect(files[0]?.refusals[0]?.reason).toBe('id: expected an integer, found 9007199254740993');
  expect(values[0]?.[1]).toBe('-12345678901234567890');
  expect(files[0]?.fields[3]?.leftNullExamples[0]?.raw).toBe('9007199254740993');
});
