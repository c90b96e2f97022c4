import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RepeatCounter } from '../../src/load/report/repeats.js';
import { checkText, startUpText } from '../../src/load/report/report-text.js';
import { BatchMemory } from '../../src/load/source/batch-memory.js';
import { collections } from '../../src/model.js';
import { inBatches } from '../support/batch-writer.js';
import { loadFiles, loadFolder } from '../support/load.js';

const folder = () => mkdtempSync(join(tmpdir(), 'folder-'));
const RECORD = '{"id":1,"title":"t"}';

describe('entries that are no readable file', () => {
  it('a folder', async () => {
    const dir = folder();
    mkdirSync(join(dir, 'articles.json'));
    expect((await loadFolder(dir)).fault).toBe('articles.json: expected a file, found a folder');
  });

  it('a pipe, at which nothing waits', async () => {
    const dir = folder();
    execFileSync('mkfifo', [join(dir, 'articles.json')]);
    expect((await loadFolder(dir)).fault).toBe('articles.json: expected a file, found a pipe, socket or device');
  });

  it('a broken link', async () => {
    const dir = folder();
    symlinkSync('nowhere', join(dir, 'articles.json'));
    expect((await loadFolder(dir)).fault).toBe(
      'articles.json: it cannot be opened: a broken link, or removed in the meantime',
    );
  });

  // To root every file is readable.
  it.skipIf(process.getuid?.() === 0)('a file without permission', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'articles.json'), '[]');
    chmodSync(join(dir, 'articles.json'), 0);
    expect((await loadFolder(dir)).fault).toBe('articles.json: no permission to read it');
  });

  it('a file in place of the folder', async () => {
    const file = join(folder(), 'snapshots');
    writeFileSync(file, '');
    expect((await loadFolder(file)).fault).toBe(`${file}: expected a folder, found a file`);
  });

  it.each([
    ['%PDF-1.7', 'expected text, found a PDF file'],
    ['SQLite format 3\u0000', 'expected text, found an SQLite database: export its table as CSV or JSON first'],
  ])('%j', async (content, message) => {
    const { fault } = await loadFiles({ 'articles.json': Buffer.from(content, 'latin1') });
    expect(fault).toBe(`articles.json:1:1: ${message}`);
  });

  it('a damaged gzip file', async () => {
    const bytes = gzipSync(`[${RECORD}]`);
    bytes.fill(0xff, 10, 14);
    expect((await loadFiles({ 'articles.json.gz': bytes })).fault).toMatch(
      /^articles\.json\.gz: the gzip file is damaged: /,
    );
  });
});

describe('ids', () => {
  const noIds = '[{"title":"a"},5,{"title":"b"}]';

  it('are given by position where no record of a file has one', async () => {
    const { records, files } = await loadFiles({ 'articles.json': noIds });
    expect(records.map(([id]) => id)).toEqual([1, 3]);
    expect(files[0]).toMatchObject({ idsAssigned: 2, refused: 1 });
  });

  it('count on over several files, behind the largest that a record has itself', async () => {
    const { records } = await loadFiles({
      'articles1.json': noIds,
      'articles2.csv': 'id,title\n7,c\n-3,d\n',
      'articles3.csv': 'title\ne\n',
    });
    expect(records.map(([id, title]) => [id, title])).toEqual([
      [7, 'c'],
      [-3, 'd'],
      [8, 'a'],
      [10, 'b'],
      [11, 'e'],
    ]);
  });

  it('that are no integers in any record are passed over', async () => {
    const { records } = await loadFiles({ 'articles.json': '[{"_id":"5f1e","title":"a"},{"_id":"77aa","title":"b"}]' });
    expect(records.map(([id]) => id)).toEqual([1, 2]);
  });

  it('that are mostly no integers are passed over, though one is made of digits', async () => {
    const { records, files } = await loadFiles({
      'articles.csv': 'id,title\nl6ulcx,a\n123456,b\nUSD12,c\n12e5,d\nEUR12,e\n',
    });
    expect(records.map(([id, title]) => [id, title])).toEqual([...'abcde'].map((title, i) => [i + 1, title]));
    expect(files[0]?.decisions).toEqual(['id: not read from "id": most of its values are no integers']);
  });

  it.each([
    ['JSON', 'articles.json', '[{"id":9007199254740993,"title":"a"},{"id":9007199254740995,"title":"b"}]'],
    ['texts', 'articles.json', '[{"id":"9007199254740993","title":"a"},{"id":7,"title":"b"}]'],
    ['CSV', 'articles.csv', 'id,title\n9007199254740993,a\n9007199254740995,b\n'],
  ])('beyond 2^53 in %s are codes', async (_, file, content) => {
    const { files } = await loadFiles({ [file]: content });
    expect(files[0]?.decisions).toContain('id: not read from "id": integers beyond 2^53 are codes');
  });

  it('may have a sign for a number', async () => {
    const { records } = await loadFiles({ 'articles.csv': 'id,title\n#1001,a\n# 1002,b\n1003,c\n' });
    expect(records.map(([id]) => id)).toEqual([1001, 1003]);
  });

  it('are integers: digits beside letters are no id', async () => {
    const { files, records } = await loadFiles({ 'articles.csv': 'id,title\n1,a\n"1,002",b\n3 €,c\n' });
    expect(records.map(([id]) => id)).toEqual([1, 1002]);
    expect(files[0]?.refusals).toEqual([
      { records: 1, record: 3, line: 4, reason: 'id: expected an integer, found "3 €"' },
    ]);
  });

  it('are asked of every record where one has one', async () => {
    const { files, records } = await loadFiles({ 'articles.json': `[{"title":"a"},{"id":"2","title":"b"}]` });
    expect(records.map(([id]) => id)).toEqual([2]);
    expect(files[0]).toMatchObject({ refusals: [{ records: 1, record: 1, line: 1, reason: 'id is missing' }] });
  });

  it('met again replace', async () => {
    const { files } = await loadFiles({ 'articles.json': `[${RECORD},${RECORD}]`, 'articles-2.json': `[${RECORD}]` });
    expect(files.map(({ file, replaced }) => [file, replaced])).toEqual([
      ['articles-2.json', 0],
      ['articles.json', 2],
    ]);
  });
});

describe('names', () => {
  it('are compared without case and punctuation; an exact one goes before an alias, and aliases by their order', async () => {
    const content = '[{"ID":1,"Name":"x","Title":"t","Image-URL":"/i","stars":2,"average rating":3,"junk":1}]';
    const { records, files } = await loadFiles({ 'products.json': content });
    expect(records).toEqual([[1, 't', null, null, '/i', 2, null]]);
    const byField = Object.fromEntries(files[0]?.fields.map((field) => [field.field, field]) ?? []);
    expect(byField.title).toMatchObject({ renamedFrom: [{ name: 'Title' }], passedOver: [{ name: 'Name' }] });
    expect(byField.rating?.passedOver).toEqual([{ name: 'average rating', records: 1 }]);
    expect(files[0]?.notKept.map(({ name }) => name)).toEqual(['Name', 'average rating', 'junk']);
    expect(files[0]?.mistakes).toContain('imageUrl: 1 relative address, kept as it is; --base-url URL completes it');
  });

  it('are given by a mapping file first', async () => {
    const files = {
      'articles.json': '[{"id":1,"title":"no","titel":"yes"}]',
      'articles.mapping.json': '{"titel": "title"}',
    };
    expect((await loadFiles(files)).records[0]?.[1]).toBe('yes');
  });

  it('that no record has are warned of, in whatever file of the collection', async () => {
    const mapping = '{"titel": "title", "headlin": "title", "karma\\n": "score"}';
    const files = { 'articles-1.json': `[${RECORD}]`, 'articles-2.json': '[{"id": 2, "titel": "b"}]' };
    const { warnings } = await loadFiles({ ...files, 'articles.mapping.json': mapping });
    const warning = 'articles.mapping.json: no record has a value named "headlin", "karma\\n"';
    expect(warnings).toEqual([warning]);
    expect(
      await loadFiles({ 'articles.mapping.json': mapping, 'products.json': '[{"id": 1, "title": "b"}]' }),
    ).toMatchObject({ warnings: [] });
  });

  it('that no record has are warned of with the folder of their mapping', async () => {
    const mappings = ['{"nope": "title"}', '{"nope": "title"}', '[]'];
    const root = folder();
    const folders = mappings.map((mapping, i) => {
      const dir = join(root, `shop${i}`);
      mkdirSync(dir);
      writeFileSync(join(dir, 'products.json'), `[${RECORD}]`);
      writeFileSync(join(dir, 'products.mapping.json'), mapping);
      return dir;
    });
    const [a = '', b = '', broken = ''] = folders;
    expect((await loadFolder('', { paths: [a, b] })).warnings).toEqual(
      [a, b].map((dir) => `${dir}/products.mapping.json: no record has a value named "nope"`),
    );
    expect((await loadFolder('', { paths: [a, broken] })).fault).toBe(
      `${broken}/products.mapping.json:1: expected an object such as {"source name": "field"}`,
    );
  });

  it.each([
    [
      '{\n"x": "titel"}',
      '2: "x": expected one of the fields id, title, url, score, comments, author, date, content, tags, found "titel"',
    ],
    [
      '{"x": 5}',
      '1: "x": expected one of the fields id, title, url, score, comments, author, date, content, tags, found 5',
    ],
    ['[]', '1: expected an object such as {"source name": "field"}'],
    [' \n', '1: the file is empty: expected an object such as {"source name": "field"}'],
    ['{"x": "title",}', '1:15: expected a name in double quotes, found `}`: remove the comma before it'],
  ])('a mapping file %j', async (content, message) => {
    const { fault } = await loadFiles({ 'articles.json': `[${RECORD}]`, 'articles.mapping.json': content });
    expect(fault).toBe(`articles.mapping.json:${message}`);
  });
});

describe('dates of two numbers', () => {
  const load = (...dates: readonly string[]) =>
    loadFiles({ 'articles.csv': `title,date\n${dates.map((date) => `t,${date}\n`).join('')}` });

  it.each([
    [['8/4/2016', '8/14/2016'], ['2016-08-04T00:00:00Z', '2016-08-14T00:00:00Z'], []],
    [
      ['8/4/2016', '14/8/2016'],
      ['2016-04-08T00:00:00Z', '2016-08-14T00:00:00Z'],
      ['date: read as day/month, as "14/8/2016" shows'],
    ],
    [
      ['8/4/2016'],
      ['2016-08-04T00:00:00Z'],
      [
        'date: no date shows whether day or month stands first; read as month/day; {"dayFirst": true} in articles.mapping.json reads day/month',
      ],
    ],
    [
      ['8/4/2016', '14/8/2016', '8/15/2016'],
      ['2016-08-04T00:00:00Z', '2016-08-14T00:00:00Z', '2016-08-15T00:00:00Z'],
      [
        'date: both day/month ("14/8/2016") and month/day ("8/15/2016"); read as month/day where either is possible; {"dayFirst": true} in articles.mapping.json reads day/month',
      ],
    ],
    [
      ['8/4/2016', '8/14/2016', ...Array.from({ length: 1000 }, () => '8/16/2016'), '14/8/2016'],
      [
        '2016-08-04T00:00:00Z',
        '2016-08-14T00:00:00Z',
        ...Array.from({ length: 1000 }, () => '2016-08-16T00:00:00Z'),
        '2016-08-14T00:00:00Z',
      ],
      [
        'date: both day/month ("14/8/2016") and month/day ("8/14/2016"); read as month/day where either is possible; {"dayFirst": true} in articles.mapping.json reads day/month',
      ],
    ],
  ])('%#: $2', async (dates, expected, notes) => {
    const { records, files } = await load(...dates);
    expect(records.map((values) => values[6])).toEqual(expected);
    expect(records.map(([id]) => id)).toEqual(dates.map((_, i) => i + 1));
    expect(files[0]?.dateOrders ?? []).toEqual(notes);
    expect(files[0]?.fields[6]?.repaired).toBe(dates.length);
  });
});

describe('strict', () => {
  it.each([
    [
      '[{"id":1,"title":"t","price":"£5"}]',
      'products.json:1: price: 1 repaired, such as "£5" → 5 (record 1, line 1); --strict allows no repair',
    ],
    [
      '[{"id":1,"title":"t","price":"call us"}]',
      'products.json:1: price: 1 left null, such as "call us" (record 1, line 1); --strict allows no repair',
    ],
    [
      `[${RECORD},\n{"id":2}]`,
      'products.json:2: refused: record 2 (line 2): title is missing; --strict allows no refusal',
    ],
    [
      `[${RECORD},\n{"id":2,"title":"t","price":"£5"},\n{"id":3}]`,
      'products.json:2: price: 1 repaired, such as "£5" → 5 (record 2, line 2); --strict allows no repair',
    ],
    [`[${RECORD}]`, undefined],
  ])('%s', async (content, message) => {
    expect((await loadFiles({ 'products.json': content }, { strict: true })).fault).toBe(message);
  });
});

describe('records that are hard to hold', () => {
  it('a record with a deep value is refused without a crash', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const { records, files } = await loadFiles({
      'articles.json': `[{"id":1,"title":"t","score":${deep},"other":${deep}}]`,
    });
    expect(records.length).toBe(0);
    expect(files[0]?.refusals[0]?.reason).toBe('a value is nested too deeply: expected at most 512 levels');
  });

  it('a name such as __proto__ is a name', async () => {
    const { records, files } = await loadFiles({
      'articles.json': '[{"id":1,"title":"t","__proto__":{"score":5},"constructor":1}]',
    });
    expect(records[0]?.[3]).toBeNull();
    expect(files[0]?.notKept.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
  });

  it('ever new names need no endless memory, and all records count', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `{"id":${i},"headline":"t","x${i}":1}`);
    const { files } = await loadFiles({ 'articles.ndjson': lines.join('\n') });
    expect(files[0]?.fields[1]?.renamedFrom).toEqual([{ name: 'headline', records: 5000 }]);
    expect(files[0]?.notKept.length).toBe(1000);
  });
});

describe('the report', () => {
  it('is the same whenever and however often at once it is made', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'products.csv'), `title,price\n${'a,£5\nb,call us\n'.repeat(40_000)}`);
    const load = () => loadFolder(dir, { nowMs: 0, memory: new BatchMemory() });
    const both = await Promise.all([load(), load()]);
    const [a, b] = both.map(({ files, records }) =>
      JSON.stringify([files.map((file) => ({ ...file, tookMs: 0 })), records]),
    );
    expect(a).toBe(b);
    expect(both[0]?.records.length).toBe(80_000);
  });

  it('as text', async () => {
    const content = 'name,price,junk\na,£5,1\nb,call us,2\nc\n';
    const { result } = await loadFiles({ 'products.csv': content, 'notes.txt': '' });
    const lines = (of: typeof checkText) => (result.ok ? of(result.report) : []);
    expect(lines(startUpText)).toEqual([
      'products.csv: 2 records, 38 bytes, 1 refused, 1 value repaired, 1 value left null',
      '  taken for products; --as NAME overrules',
      '  refused: record 3 (line 4): expected 3 cells, found 1',
      'ignored: notes.txt: its ending is none of .json, .ndjson, .jsonl, .jl, .har, .geojson, .jsonld, .csv, .tsv (or .gz, .zst after that), .zip; rename it, or name the file itself to have it read',
    ]);
    expect(lines(checkText)).toEqual([
      'products.csv: 2 records, 38 bytes, 1 refused, 1 value repaired, 1 value left null',
      '  taken for products; --as NAME overrules',
      '  refused: record 3 (line 4): expected 3 cells, found 1',
      '  id: assigned by position to 2 records',
      '  title: read from name',
      '  price: 1 repaired, such as "£5" → 5 (record 1, line 2)',
      '  price: 1 left null, such as "call us" (record 2, line 3)',
      '  not kept: junk (2 records); {"junk": FIELD} in products.mapping.json reads one as a field',
      '  no record has a value for author, imageUrl, rating, category',
      '',
      'ignored: notes.txt: its ending is none of .json, .ndjson, .jsonl, .jl, .har, .geojson, .jsonld, .csv, .tsv (or .gz, .zst after that), .zip; rename it, or name the file itself to have it read',
      '1 file, 2 records, 1 refused',
    ]);
  });

  it.each(['BrontÃ«', 'donâ€™t', 'Ð¿Ñ€Ð¸Ð²ÐµÑ‚', 'Ð´Ð°'])('names %s as double-encoded', async (title) => {
    for (const content of [`id,title\n1,${title}\n`, JSON.stringify([{ id: 1, title }])]) {
      const { files, records } = await loadFiles({
        [content.startsWith('[') ? 'products.json' : 'products.csv']: content,
      });
      expect(files[0]?.mistakes[0]).toBe(`title: 1 text of 1 looks double-encoded, such as ${JSON.stringify(title)}`);
      expect(records[0]?.[1]).toBe(title);
    }
  });

  it.each(['Brontë', 'España', 'ÑANDÚ', 'Ðorđe', 'привет', 'Ñ°'])('names %s as nothing', async (title) => {
    const { files } = await loadFiles({ 'products.csv': `id,title\n1,${title}\n` });
    expect(files[0]?.mistakes.join()).not.toContain('double-encoded');
  });

  it.each(['d\u0092Estournel', '\u0093Tea\u0094', 'Tea \u0096 green'])(
    'tells of control characters in %j, which windows-1252 explains',
    async (title) => {
      for (const content of [`id,title\n1,${title}\n`, JSON.stringify([{ id: 1, title }])]) {
        const { files, records } = await loadFiles({
          [content.startsWith('[') ? 'products.json' : 'products.csv']: content,
        });
        expect(files[0]?.mistakes[0]).toMatch(
          /^title: 1 text of 1 holds control characters, kept as they are; ".*\\u009[2-6].*" is ".*[’“–].*" in windows-1252/,
        );
        expect(records[0]?.[1]).toBe(title);
      }
    },
  );

  it.each(['£5 °C ©', '\u00a0Tea', 'naïve'])('tells of none in %j', async (title) => {
    const { files } = await loadFiles({ 'products.csv': `id,title\n1,${title}\n` });
    expect(files[0]?.mistakes.join()).not.toContain('control characters');
  });

  it.each([
    ['2026-01-01T23:59:59Z', false],
    ['2026-01-02T00:00:01Z', true],
  ])('names %s on the first of January 2026 as in the future: %s', async (date, isNamed) => {
    const content = JSON.stringify([{ id: 1, title: 'Tea', date }]);
    const { files } = await loadFiles({ 'articles.json': content }, { nowMs: Date.UTC(2026, 0) });
    expect(files[0]?.mistakes.includes('date: 1 date in the future')).toBe(isNamed);
  });

  it('names what looks like a mistake', async () => {
    const content =
      '[{"id":1,"title":"BrontÃ«","score":0,"date":"2031-01-01T00:00:00Z","url":"/a"},{"id":2,"title":"Bront\\u00c3\\u00ab","url":"http://a"}]';
    const { files } = await loadFiles({ 'articles.json': content }, { nowMs: Date.UTC(2026, 0) });
    expect(files[0]?.mistakes).toEqual([
      'title: 2 texts of 2 look double-encoded, such as "BrontÃ«"',
      'url: 1 relative address, kept as it is; --base-url URL completes it',
      'score: 0 in every record that has one',
      'date: 1 date in the future',
      'no record has a value for comments, author, content',
    ]);
  });
});

describe('files without ids that add up', () => {
  const rows = (...records: readonly string[]): string => ['name,by,price', ...records, ''].join('\n');
  const both = { 'shop-a.csv': rows('Tea,Ann,4', 'Tea,Ann,4', 'Salt,Ann,2') };
  it.each([
    [
      'the same title and author',
      { ...both, 'shop-b.csv': rows('Tea,Ann,5', 'Oil,Ann,2') },
      '1 of 5 records in 2 files',
    ],
    [
      'each once more in each further file',
      { ...both, 'shop-b.csv': rows('Tea,Ann,5'), 'shop-c.csv': rows('Tea,Ann,6', 'Salt,Ann,1') },
      '3 of 6 records in 3 files',
    ],
    ['another author', { ...both, 'shop-b.csv': rows('Tea,Bob,5') }, null],
    ['a title that repeats in one file', both, null],
    ['no title', { ...both, 'shop-b.csv': rows(',Ann,4') }, null],
    ['ids', { 'shop-a.json': `[${RECORD}]`, 'shop-b.json': `[${RECORD}]` }, null],
  ])('%s: the report says how many repeat', async (_, files, expected) => {
    const { result } = await loadFiles(files, { as: 'products' });
    if (!result.ok) throw new Error(result.fault.message);
    const repeats = result.report.findings.filter(({ kind }) => kind === 'repeated');
    expect(repeats.map(({ text }) => text.split(' repeat ')[0])).toEqual(expected === null ? [] : [expected]);
    expect(startUpText(result.report).join().includes('--history DIR')).toBe(expected !== null);
  });

  it('are remembered up to a bound, and none is taken for another', () => {
    const [, model] = collections;
    const counter = new RepeatCounter(model, 2);
    const readFile = (...records: readonly (readonly [title: string, author: string | null])[]): void => {
      counter.nextFile();
      const values = records.map(([title, author]) =>
        model.fields.map(({ role }) => (role === 'title' ? title : role === 'author' ? author : null)),
      );
      inBatches(model, values, (batch) => counter.add(batch));
    };
    readFile(['Tea', null], ['Salt', 'Ann'], ['Oil', 'Bob'], ['Rye', 'Cy']);
    readFile(['Tea', 'Dee'], ['Salt', 'Ann'], ['Oil', 'Bob'], ['Tea', null]);
    expect(counter.finding?.text).toMatch(/^at least 2 of 8 records in 2 files /);
  });
});
