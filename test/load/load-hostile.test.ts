/** Dumps that are made to hurt end in a clear line; broken ones do not hide one another. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkSnapshots } from '../../src/build/parts.js';
import { faultText } from '../../src/load/report/report.js';
import { loadFiles } from '../support/load.js';
import { withFolder } from '../support/program.js';

const record = '{"id":1,"title":"Tea"}';

describe('hostile dumps', () => {
  it('a record of 200,000 names', async () => {
    const names = Array.from({ length: 200_000 }, (_, i) => `"k${i}":${i}`).join(',');
    const { records, files } = await loadFiles(
      { 'products.json': `[{"id":1,"title":"Tea",${names}},${record}]` },
      { columns: 'all' },
    );
    expect(records.length).toBe(2);
    expect(files[0]?.notKept.length).toBe(1000);
    expect(files[0]?.fields.length).toBe(207);
  });

  it('200,000 names in the root', async () => {
    const names = Array.from({ length: 200_000 }, (_, i) => `"k${i}":${i}`).join(',');
    const { fault } = await loadFiles({ 'products.json': `{${names}}` });
    expect(fault).toContain('found an object without one');
  });

  it.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('%s of a depth of 100,000, in a cell, in the root, and open', async (_, deep) => {
    const { records, files } = await loadFiles(
      { 'articles.json': `[{"id":1,"title":"t","tags":${deep},"x":${deep},"data":${deep}}]` },
      { columns: 'all' },
    );
    expect([records.length, files[0]?.refused]).toEqual([0, 1]);
    const root = await loadFiles({ 'articles.json': deep });
    expect(root.fault ?? root.files[0]?.refusals[0]?.reason).toMatch(
      /expected an (?:array of objects|object)|title is missing|nested too deeply/,
    );
    const inner = `${'{"value":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const prices = await loadFiles({ 'products.json': `[{"name":"Tea","price":${inner}},{"name":"Rye","price":5}]` });
    expect([prices.records.length, prices.files[0]?.refused]).toEqual([1, 1]);
    const open = await loadFiles({ 'articles.json': deep.slice(0, 60_000) });
    expect(open.fault).toMatch(/^articles\.json:1:\d+: the file ends inside/);
  });

  it('names that objects have by themselves', async () => {
    const dump = '{"__proto__":[{"id":1,"title":"a"}],"constructor":{"prototype":{"items":[1]}}}';
    const { records } = await loadFiles({ 'articles.json': dump });
    expect(records.length).toBe(1);
    expect(({} as Record<string, unknown>).title).toBeUndefined();
    const keyed = '{"1":{"title":"a","__proto__":{"score":5},"toString":1},"2":{"title":"b","hasOwnProperty":2}}';
    expect((await loadFiles({ 'articles.json': keyed })).records.map((values) => [values[0], values[3]])).toEqual([
      [1, null],
      [2, null],
    ]);
  });

  it('objects keyed by 50,000 names and numbers', async () => {
    const keyed = (prefix: string) =>
      `{${Array.from({ length: 50_000 }, (_, i) => `"${prefix}${i}":{"title":"t ${i}"}`).join(',')}}`;
    for (const prefix of ['', 'k']) {
      const { records } = await loadFiles({ 'products.json': keyed(prefix) });
      expect([records.length, records.at(-1)?.[1]]).toEqual([50_000, 't 49999']);
    }
  });

  it('a number of 2,000,000 digits, and a name of 2,000,000 characters', async () => {
    const digits = '1'.repeat(2_000_000);
    const { records, files } = await loadFiles({
      'products.json': `[{"id":1,"title":"Tea","price":${digits},"${'n'.repeat(2_000_000)}":1}]`,
    });
    expect(records.map((values) => values[3])).toEqual([null]);
    expect(files[0]?.fields[3]?.leftNullExamples[0]?.raw).toMatch(/^"1{50,}…"$/);
    expect(files[0]?.notKept[0]?.name.length).toBe(100);
  });

  it('a cell of 40 MB', async () => {
    const cell = 'x'.repeat(40 << 20);
    const { records } = await loadFiles({ 'articles.json': `[{"id":1,"title":"t","content":"${cell}"},${record}]` });
    expect(records.map((values) => values[1])).toEqual(['t', 'Tea']);
  });

  it('a small archive of a cell of 70 MB', async () => {
    const cell = [Buffer.from('id,title\n1,"'), Buffer.alloc(70 << 20, 'x'), Buffer.from('"\n')];
    const { fault } = await loadFiles({ 'products.csv.gz': gzipSync(Buffer.concat(cell), { level: 1 }) });
    expect(fault).toBe(
      'products.csv.gz:2: the row that begins here does not end within 64 MB: a closing quote is missing',
    );
  });

  it('empty names, dots, brackets and the like', async () => {
    const dump = '[{"id":1,"title":"t","":1,".":2,"[0]":3,"a[":4,"a.b":5,"\\u0000":6}]';
    const { records, files } = await loadFiles({
      'articles.json': dump,
      'articles.mapping.json': '{"a[":"score",".":null}',
    });
    expect(records[0]?.[3]).toBe(4);
    expect(files[0]?.notKept.length).toBe(5);
  });
});

describe('a file that was named, and whose fields do not tell what it holds', () => {
  const NO_RECORDS =
    'no record was found in it: expected objects with fields of articles or products, such as [{"title": "Tea", "price": 4.2}]';
  /** The faults of files that are named, each without the folder. */
  const faultsOf = (files: Readonly<Record<string, string>>, named = Object.keys(files)) =>
    withFolder(files, async (dir) => {
      const result = await checkSnapshots({ dir, paths: named.map((name) => join(dir, name)) });
      return result.ok
        ? []
        : [result.fault, ...result.others].map((fault) => faultText(fault).replaceAll(`${dir}/`, ''));
    });

  it.each(['[1,2,3]', '[]', '[null]', '42', 'null', '"text"', '[["a","b"],["c","d"]]'])(
    '%s holds none',
    async (dump) => {
      expect(await faultsOf({ 'a.json': dump })).toEqual([`a.json: ${NO_RECORDS}`]);
    },
  );

  it('each file says what is wrong with it', async () => {
    const files = {
      'cut.json': '[{"id":1,"title":"A","price":3',
      'comma.json': '[{"id":1,"title":"A","price":3},]',
      'page.json': '<html>',
      'page.csv': '<html>\n<body>503, try again</body>\n</html>\n',
      'empty.ndjson': '',
      'rows.csv': '1,A\n',
    };
    const page = '`<`: this looks like HTML or XML, perhaps an error page that was saved in place of the dump';
    expect(await faultsOf(files)).toEqual([
      'comma.json:1:33: expected a value, found `]`: remove the comma before it',
      `page.json:1:1: expected a value, found ${page}`,
      `page.csv:1: expected a row of column names, found ${page}`,
      `empty.ndjson: ${NO_RECORDS}`,
      'rows.csv:1: expected a row of column names, found none that is known: "1", "A"; put names such as id,title above the records, or say in rows.mapping.json what these are',
      'cut.json:1:31: the file ends inside a value: the download was probably cut off',
    ]);
  });

  it.each([
    'window.__DATA__ = [\n  {\n    "name": "A",\n    "price": 5\n  }\n];\n',
    'window.YTD.tweets.part0 = [{"name":"A","price":5}]',
    'const products = [{"name":"A"}]\nexport default products',
    'export default [{"name":"A"}]',
    'callback([{"name":"A"}]);',
    ')]}\'\n[{"name":"A"}]',
  ])('a script is no table: %j', async (script) => {
    const message =
      'expected JSON, found a script with JSON in it: leave out what stands before its first bracket and behind its last';
    for (const name of ['data.js', 'data.json'])
      expect(await faultsOf({ [name]: script })).toEqual([`${name}:1:1: ${message}`]);
  });

  it('a file whose ending does not tell how it is read is JSON if it begins so, else a table', async () => {
    const json = '[{"title":"A","price":3}]';
    const rows = 'title,price\nB,4\n';
    const files = {
      'a.txt': json,
      b: rows,
      'c.tsv': rows.replaceAll(',', '\t'),
      'd.txt': `\ufeff\n${rows}`,
      e: `\n ${json}`,
    };
    expect(await faultsOf(files)).toEqual([]);
    await withFolder(files, async (dir) => {
      const paths = Object.keys(files).map((name) => join(dir, name));
      const result = await checkSnapshots({ dir, paths });
      expect(result.ok && result.report.files.map(({ accepted }) => accepted)).toEqual([1, 1, 1, 1, 1]);
    });
    expect(await faultsOf({ page: '<html>', 'notes.txt': 'Milk\nBread\n', packed: 'PK\u0003\u0004' })).toEqual([
      'packed: the ZIP file is damaged, or was cut off: End of central directory record signature not found. Either not a zip file, or file is truncated.',
      'page:1: expected a row of column names, found `<`: this looks like HTML or XML, perhaps an error page that was saved in place of the dump',
      'notes.txt:1: expected a row of column names, found none that is known: "Milk"; put names such as id,title above the records, or say in notes.txt.mapping.json what these are',
    ]);
  });

  it('its mapping is held to the fields of what it holds without it', async () => {
    const files = { 'a.json': '[{"title":"A","price":3}]', 'a.mapping.json': '{"cost":"prise"}' };
    expect(await faultsOf(files, ['a.json'])).toEqual([
      'a.mapping.json:1: "cost": expected one of the fields id, title, author, price, imageUrl, rating, category, found "prise"',
    ]);
  });
});

describe('several broken files', () => {
  it('are all named, with a broken mapping in its own words', async () => {
    const files = {
      'articles-1.json': '[{"id":1,"title":"t"},',
      'articles-2.csv': 'id,title\n1,"open',
      'articles-3.json': `[${record}]`,
      'products-1.json': '<html>',
      'products-2.json': `[${record},\n{"id":2 "title":1}]`,
      'products-3.json': '[{"error":',
    };
    await withFolder(files, async (dir) => {
      const result = await checkSnapshots({ dir });
      expect(result.ok ? [] : [result.fault, ...result.others].map(faultText)).toEqual([
        'articles-1.json:1:23: the file ends inside a value: the download was probably cut off; --partial serves the record before the cut',
        'articles-2.csv:2: the file ends inside a quoted cell of the row that begins here: the download was probably cut off, or a closing quote is missing',
        'products-1.json:1:1: expected a value, found `<`: this looks like HTML or XML, perhaps an error page that was saved in place of the dump',
        'products-2.json:2:9: expected `,` or `}`, found `"`: put a comma before it',
        'products-3.json:1:11: the file ends inside a value: the download was probably cut off',
      ]);
    });
  });

  it('are all named, also those that cannot be opened', async () => {
    await withFolder({ 'products.json': '[', 'articles-1.json': `[${record}]` }, async (dir) => {
      mkdirSync(join(dir, 'products-2.json'));
      symlinkSync(join(dir, 'gone'), join(dir, 'articles-2.json'));
      const faults = [
        'articles-2.json: it cannot be opened: a broken link, or removed in the meantime',
        'products-2.json: expected a file, found a folder',
        'products.json:1:2: the file ends inside a value: the download was probably cut off',
      ];
      const result = await checkSnapshots({ dir });
      expect(result.ok ? [] : [result.fault, ...result.others].map(faultText)).toEqual(faults);
    });
  });

  it('a mapping that several files share is named once, and does not hide another collection', async () => {
    const files = {
      'articles-1.json': `[${record}]`,
      'articles-2.json': `[${record}]`,
      'articles.mapping.json': '{"x": "titel"}',
      'products.json': '[',
    };
    await withFolder(files, async (dir) => {
      const result = await checkSnapshots({ dir });
      const faults = result.ok ? [] : [result.fault, ...result.others].map(faultText);
      expect(faults.map((fault) => fault.replace(/: .*/, ''))).toEqual([
        'articles.mapping.json:1',
        'products.json:1:2',
      ]);
    });
  });
});
