/** A line of NDJSON that cannot be read is refused alone; of JSON that is cut off, what stands before the cut can be served. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { isCut } from '../../src/build/watch.js';
import { loadFiles } from '../support/load.js';

const line = (id: number): string => `{"id":${id},"title":"t ${id}"}`;
const idsOf = (records: readonly (readonly unknown[])[]) => records.map(([id]) => id);

describe('a line that cannot be read is refused alone', () => {
  it.each([
    ['a cut line', '{"id":2,"title":"b', 'it ends inside of a value'],
    ['a log line', 'INFO 2 items scraped', 'expected a value, found `I`'],
    ['NaN', '{"id":2,"title":"b","score":NaN}', 'expected a value, found `N`: NaN is not JSON, null is'],
    ['an open list', '{"id":2,"tags":["x",', 'it ends inside of a value'],
  ])('%s', async (_, broken, reason) => {
    for (const file of ['articles.ndjson', 'articles.jl', 'articles.jsonl'])
      for (const [place, lines] of [
        ['between', [line(1), broken, line(3), line(4)]],
        ['first', [broken, line(1), line(3), line(4)]],
        ['last', [line(1), line(3), line(4), broken, '']],
      ] as const) {
        const { fault, records, files } = await loadFiles({ [file]: lines.join('\n') });
        expect([place, fault]).toEqual([place, undefined]);
        const others = idsOf(records).filter((id) => id !== 2);
        expect(others).toEqual([1, 3, 4]);
        const refusal = files[0]?.refusals[0];
        expect(refusal?.line).toBe(lines.indexOf(broken) + 1);
        expect(refusal?.reason).toMatch(`the line cannot be read: ${reason}`);
      }
  });

  it('at the end of a file without a line break', async () => {
    const text = `${line(1)}\n${line(2)}\n{"id":3,"ti`;
    const { fault, records, files } = await loadFiles({ 'articles.ndjson': text });
    expect([fault, idsOf(records)]).toEqual([undefined, [1, 2]]);
    expect(files[0]?.refusals).toEqual([
      {
        records: 1,
        record: 3,
        line: 3,
        reason: 'the line cannot be read: it ends inside of a value',
      },
    ]);
  });

  it('in chunks, among many', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => (i % 7_000 === 6_999 ? 'ERROR' : line(i)));
    const { records, files } = await loadFiles({ 'articles.ndjson.gz': gzipSync(lines.join('\r\n')) });
    expect(records.length).toBe(59_992);
    expect(files[0]?.refusals).toMatchObject([{ records: 8, line: 7_000 }]);
  });

  it('but a file of no line that can be read is broken', async () => {
    const { fault } = await loadFiles({ 'articles.ndjson': '<html>\n<body>\n' });
    expect(fault).toContain('articles.ndjson:1:1: expected a value, found `<`: this looks like HTML or XML');
  });
});

describe('JSON that is cut off', () => {
  const whole = `[\n${[1, 2, 3].map(line).join(',\n')}\n]`;

  it('says how what stands before the cut is served', async () => {
    const { fault } = await loadFiles({ 'articles.json': whole.slice(0, -10) });
    expect(fault).toMatch(
      /^articles\.json:4:\d+: the file ends inside a value: the download was probably cut off; --partial serves the 2 records before the cut$/,
    );
  });

  test('is served so far with --partial, wherever it is cut', async () => {
    const starts = [1, 2, 3].map((id) => whole.indexOf(line(id)) + line(id).length);
    for (const around of [
      ['', ''],
      ['{"data":', ',"next":null}'],
    ] as const)
      for (let end = starts[0] ?? 0; end < whole.length; end++) {
        const files = { 'articles.json': `${around[0]}${whole.slice(0, end)}` };
        const { fault, records } = await loadFiles(files, { isPartial: true });
        expect(fault).toBeUndefined();
        expect(idsOf(records)).toEqual([1, 2, 3].filter((_, i) => (starts[i] ?? 0) <= end));
      }
    const { fault } = await loadFiles({ 'articles.json': '[{"id":1,"ti' }, { isPartial: true });
    expect(fault).toContain('the file ends inside');
  });
});

describe('a file that is still being written', () => {
  it.each([
    ['a.json', '[{"id":1}]\n', false],
    ['a.json', '{"data":[]}', false],
    ['a.json', '[{"id":1},', true],
    ['a.json', '[{"id":1', true],
    ['a.ndjson', '{"id":1}\n{"id":2}\n', false],
    ['a.jl', '{"id":1}\n{"id":2}', false],
    ['a.jsonl', '{"id":1}\n{"id":', true],
    ['a.csv', 'id\n1\n', false],
    ['a.csv', 'id\n1', true],
    ['a.json.gz', 'x', false],
    ['a.json', '', false],
    ['notes.txt', 'x', false],
  ])('%s that ends in %j: %s', (path, tail, expected) => {
    expect(isCut(path, tail)).toBe(expected);
  });
});
