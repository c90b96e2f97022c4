/** Dumps as they are downloaded: ZIP files, Zstandard archives, and what is no dump although it looks packed. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pathTo } from '../support/api.js';
import { loadFiles, loadFolder } from '../support/load.js';
import { withFolder } from '../support/program.js';
import { type ZippedFile, zipOf } from '../support/zip.js';

const CSV = 'id,title,price\n1,Tea,4.2\n2,Salt,5\n';
const JSON_TEXT = '[{"id":3,"title":"Oil","price":1}]';
const load = (files: readonly ZippedFile[]) => loadFiles({ 'archive.zip': zipOf(files) });

describe('a ZIP file', () => {
  test('each data file in it is a file; what belongs to no dump is passed over', async () => {
    const { fault, files, records, result } = await load([
      { name: 'products.csv', content: CSV },
      { name: 'data/products-2.json', content: JSON_TEXT },
      { name: '__MACOSX/._products.csv', content: 'x' },
      { name: '.DS_Store', content: 'x' },
      { name: 'README.md', content: 'x' },
      { name: 'data/', content: '' },
      { name: 'photo.png', content: 'x' },
    ]);
    expect(fault).toBeUndefined();
    expect(files.map(({ file, accepted }) => [file, accepted])).toEqual([
      ['archive.zip/data/products-2.json', 1],
      ['archive.zip/products.csv', 2],
    ]);
    expect(records.map(([id]) => id).sort()).toEqual([1, 2, 3]);
    expect(result.ok && result.report.ignored).toEqual([
      expect.stringMatching(/^archive\.zip\/photo\.png: its ending is none of /),
    ]);
  });

  test('files in it may be compressed themselves, told by their first bytes', async () => {
    const packed = { name: 'products.csv.gz', content: zlib.gzipSync(CSV) };
    const { fault, records } = await load([packed, { name: 'products-2.json', content: zlib.gzipSync(JSON_TEXT) }]);
    expect([fault, records.map(([, title]) => title).sort()]).toEqual([undefined, ['Oil', 'Salt', 'Tea']]);
    const cut = await load([{ ...packed, content: packed.content.subarray(0, 20) }]);
    expect(cut.fault).toBe(
      'archive.zip/products.csv.gz: the gzip file ends too early: the download was probably cut off',
    );
    expect((await load([{ name: 'products.csv', content: '' }])).fault).toMatch(/csv:1:1: the file is empty/);
  });

  test.each([
    ['of two dates are added up, which is told', ['2026-11-01/shop.json', '2026-11-02/shop.json'], 1],
    ['with dated files are added up, which is told', ['shop-2026-11-01.json', 'shop-2026-11-02.json'], 1],
    ['of one date and of none are added up', ['2026-11-01/shop.json', '2026-11-01/more.json', 'old/shop.json'], 0],
  ])('folders in it %s', async (_, names, told) => {
    const { result } = await load(names.map((name, i) => ({ name, content: JSON_TEXT.replace('3', String(i)) })));
    const texts = result.ok ? result.report.findings.map(({ text }) => text) : [];
    expect(texts.filter((text) => /^the ZIP file's files of 2 dates are added up/.test(text))).toHaveLength(told);
  });

  test('a mapping stands beside it', async () => {
    const files = {
      'archive.zip': zipOf([{ name: 'data/products.csv', content: CSV.replace('title', 'naam') }]),
      'products.mapping.json': '{"naam":"title"}',
    };
    const { records } = await loadFiles(files);
    expect(records.map(([, title]) => title)).toEqual(['Tea', 'Salt']);
  });

  test('a long file of it is read in whole, whose records decide otherwise than the first', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `${i + 1},Thing ${i},${i < 20_000 ? i : `A${i}`}`);
    const content = `id,title,code\n${lines.join('\n')}\n`;
    const { files, fault } = await load([
      { name: 'products.csv', content },
      { name: 'jobs.csv', content: 'pay,city\n1,Oslo\n2,Rome\n' },
    ]);
    expect(fault).toBeUndefined();
    expect(files.map(({ accepted }) => accepted).sort()).toEqual([2, 30_000]);
  });

  test.each<[string, readonly ZippedFile[], string]>([
    [
      'encrypted',
      [{ name: 'a.csv', content: CSV, isEncrypted: true }],
      'archive.zip/a.csv: it is encrypted: unpack the ZIP file with its password',
    ],
    [
      'nested',
      [{ name: 'in.zip', content: zipOf([]) }],
      'archive.zip/in.zip: a ZIP file inside of another is not read: unpack the outer one',
    ],
    [
      'nested under another name',
      [{ name: 'in.csv', content: zipOf([{ name: 'a', content: 'b' }]) }],
      'archive.zip/in.csv:1:1: expected text, found a ZIP file inside of another file: unpack it first',
    ],
    [
      'a spreadsheet',
      [{ name: '[Content_Types].xml', content: '<x/>' }],
      'archive.zip: expected a dump, found a spreadsheet or document of Office: save it as CSV',
    ],
  ])('%s is refused by name', async (_, files, fault) => {
    expect((await load(files)).fault).toBe(fault);
  });

  test('without a data file, empty, or cut off, is refused where it is named', async () => {
    await withFolder(
      {
        'none.zip': zipOf([{ name: 'notes.txt', content: 'x' }]),
        'empty.zip': zipOf([]),
        'cut.zip': zipOf([{ name: 'a.csv', content: CSV }]).subarray(0, 60),
        'renamed.bin': zipOf([{ name: 'products.csv', content: CSV }]),
      },
      async (dir) => {
        const faultOf = async (name: string) => (await loadFolder(dir, { paths: [join(dir, name)] })).fault;
        expect(await faultOf('none.zip')).toMatch(
          /none\.zip: expected a file of JSON, NDJSON or CSV in it, found none; .*notes\.txt: /,
        );
        expect(await faultOf('empty.zip')).toMatch(
          /empty\.zip: expected a file of JSON, NDJSON or CSV in it, found none$/,
        );
        expect(await faultOf('cut.zip')).toMatch(/cut\.zip: the ZIP file is damaged, or was cut off: /);
        expect(await faultOf('renamed.bin')).toBeUndefined();
      },
    );
  });
});

describe('a Zstandard archive', () => {
  const ARCHIVE = Buffer.from('KLUv/QRYVQEAFAJbeyJpZCI6MSwidGl0bGUiOiJUZWEifSwyU2FsdCJ9XQoCAGALdJhj6dQktg==', 'base64');
  const isKnown = 'createZstdDecompress' in zlib;

  test.runIf(isKnown)('is read', async () => {
    const { records, fault } = await loadFiles({ 'products.json.zst': ARCHIVE });
    expect([fault, records.map(([, title]) => title)]).toEqual([undefined, ['Tea', 'Salt']]);
    expect((await loadFiles({ 'products.json.zst': ARCHIVE.subarray(0, 40) })).fault).toMatch(
      /^products\.json\.zst: the Zstandard archive (?:ends too early|is damaged)/,
    );
  });

  test.runIf(isKnown)('with a window of 2 GB, as those of Reddit, is read', async () => {
    await withFolder({ 'products.json': JSON_TEXT }, async (dir) => {
      const run = promisify(execFile);
      const made = await run('zstd', ['--long=31', '-q', join(dir, 'products.json')]).catch(() => null);
      if (made === null) return;
      expect((await loadFolder(dir, { paths: [join(dir, 'products.json.zst')] })).fault).toBeUndefined();
    });
  });

  test.skipIf(isKnown)('is refused with the Node that reads it', async () => {
    expect((await loadFiles({ 'products.json.zst': ARCHIVE })).fault).toBe(
      'products.json.zst: expected text, found a Zstandard archive, which Node reads from 22.15 on: unpack it first (zstd -d)',
    );
  });
});

test('Parquet is named as what it is', async () => {
  expect((await loadFiles({ 'products.csv': 'PAR1\u0015\u0004' })).fault).toBe(
    "products.csv:1:1: expected text, found a Parquet file: write it as CSV or NDJSON, as DuckDB does (copy 'x.parquet' to 'x.csv')",
  );
  await withFolder({ 'products.parquet': 'PAR1', 'products.json': JSON_TEXT }, async (dir) => {
    const { result } = await loadFolder(dir);
    expect(result.ok && result.report.ignored).toEqual(['products.parquet: a Parquet file; write it as CSV or NDJSON']);
  });
});

test('what few starts need is imported where it is needed', () => {
  const files = readdirSync(pathTo('src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const imports = files.flatMap((file) => [
    ...readFileSync(pathTo(`src/${file}`), 'utf8').matchAll(/^(?:import|export) .*from '(.*)';$/gm),
  ]);
  for (const lazy of ['zip', 'encodings', 'fetched']) {
    const found = imports.filter(([line, path = '']) => path.endsWith(`/${lazy}.js`) && !/^\w+ type /.test(line));
    expect(found.map(([line]) => line)).toEqual([]);
  }
});
