/** Clients that people use: curl with its habits, and a spreadsheet that opens the CSV. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { appOf, datasetIn, datasetOf, sampleDir } from '../support/api.js';
import { withFolder } from '../support/program.js';
import { start } from '../support/socket.js';

function haveCurl(): boolean {
  if (spawnSync('curl', ['--version']).status === 0) return true;
  if (process.env.CI) throw new Error('CI needs curl');
  console.warn('skipped: tests with curl, as it is not installed');
  return false;
}

const run = promisify(execFile);
const server = await start(appOf(await datasetIn(sampleDir)));
afterAll(() => server.close(100));

describe.skipIf(!haveCurl())('curl', () => {
  const curl = async (...args: readonly string[]): Promise<string> => (await run('curl', ['-sS', ...args])).stdout;
  const url = (path: string): string => `${server.url}${path}`;

  test.each(['/api/articles?limit=50', '/api/openapi.json', '/api/export/articles', '/api/export/articles?format=csv'])(
    '--compressed %s: the same text in fewer bytes',
    async (path) => {
      const plain = await curl(url(path));
      expect(await curl('--compressed', url(path))).toBe(plain);
      const bytes = Number(await curl('--compressed', '-o', '/dev/null', '-w', '%{size_download}', url(path)));
      expect(bytes).toBeLessThan(plain.length * 0.8);
    },
  );

  test('-C - goes on with a download that broke off', () =>
    withFolder({}, async (dir) => {
      const whole = await curl(url('/api/export/articles'));
      const file = join(dir, 'articles.json');
      for (const had of [1, 1000, whole.length - 1]) {
        writeFileSync(file, Buffer.from(whole).subarray(0, had));
        await curl('-C', '-', '-o', file, url('/api/export/articles'));
        expect(readFileSync(file, 'utf8')).toBe(whole);
      }
    }));

  test('-OJ takes the name that the server gives', () =>
    withFolder({}, async (dir) => {
      await run('curl', ['-sSOJ', url('/api/export/products?format=csv&category=Art')], { cwd: dir });
      expect(readFileSync(join(dir, 'products.csv'), 'utf8')).toMatch(/^id,title,/);
    }));

  test('--etag-save and --etag-compare: unchanged, nothing is sent', () =>
    withFolder({}, async (dir) => {
      const tag = join(dir, 'tag');
      await curl('--etag-save', tag, url('/api/articles'));
      const shown = await curl('--etag-compare', tag, '-w', '%{http_code} %{size_download}', url('/api/articles'));
      expect(shown).toBe('304 0');
    }));

  test('-I, -0 and several URLs on one connection', async () => {
    expect(await curl('-I', url('/api/articles'))).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*ETag: "/);
    expect(JSON.parse(await curl('-0', url('/api/articles/40018457')))).toMatchObject({ id: 40018457 });
    const urls = ['/api/articles/40018457', '/api/export/products', '/api/articles?limit=1'].map(url);
    const formats = urls.flatMap((each) => ['-o', '/dev/null', each]);
    expect(await curl('-w', '%{num_connects} ', ...formats)).toBe('1 0 0 ');
  });
});

/**
 * Rows as a spreadsheet takes them: UTF-8 where a byte order mark says so, windows-1252 otherwise; lines end in CRLF;
 * quotes are doubled (RFC 4180).
 */
function openInSpreadsheet(bytes: Buffer): string[][] {
  const marked = bytes.subarray(0, 3).equals(Buffer.from('\ufeff'));
  const text = new TextDecoder(marked ? 'utf-8' : 'windows-1252').decode(bytes);
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('a spreadsheet', () => {
  const isRun = (cell: string): boolean => /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell));
  const titles = [
    'Crème brûlée €',
    '=1+1',
    '+49',
    '-x',
    '@SUM(A1)',
    '\t=1',
    'line\r\n=2',
    'say "hi", you',
    "'quoted",
    ' =3',
  ];
  const products = titles.map((title, id) => ({ id, title, price: id === 3 ? null : -id, category: 'Ж' }));
  const app = appOf(datasetOf({ products }));

  test('opens the CSV with every character, row and cell in place, and runs nothing', async () => {
    const response = await app.request('/api/export/products?format=csv&bom=1');
    const [header, ...rows] = openInSpreadsheet(Buffer.from(await response.arrayBuffer()));
    expect(header).toEqual(['id', 'title', 'author', 'price', 'imageUrl', 'rating', 'category']);
    expect(rows.map((row) => row.length)).toEqual(titles.map(() => 7));
    expect(rows.flat().filter(isRun)).toEqual([]);
    expect(rows.map(([, title]) => title?.replace(/^'/, ''))).toEqual(titles.map((title) => title.replace(/^'/, '')));
    expect(rows.map(([, , , price]) => price)).toEqual(
      products.map(({ price }) => (price === null ? '' : String(price))),
    );
    expect(rows.map((row) => row[6])).toEqual(titles.map(() => 'Ж'));
  });

  test('takes the CSV without a mark for another encoding', async () => {
    const response = await app.request('/api/export/products?format=csv');
    const rows = openInSpreadsheet(Buffer.from(await response.arrayBuffer()));
    expect(rows[1]?.[1]).not.toBe(titles[0]);
  });
});
