/** The examples do what they say, run as a reader would run them; so does what the README says of PostgreSQL. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathTo, sampleDir } from '../support/api.js';
import { haveBrowser, openBrowser } from '../support/browser.js';
import { havePostgres } from '../support/have-postgres.js';
import { type Cluster, startPostgres } from '../support/postgres.js';
import { type Running, serve, withFolder } from '../support/program.js';

const run = promisify(execFile);
const example = (name: string): string => pathTo(`test/examples/${name}`);
const readme = readFileSync(pathTo('README.md'), 'utf8');

/** Whether a tool is there; CI must have it. */
function have(tool: string, isThere: boolean): boolean {
  if (isThere) return true;
  if (process.env.CI) throw new Error(`CI needs ${tool}: .ci/run installs it`);
  console.warn(`skipped: the example with ${tool}, which is not installed`);
  return false;
}
const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

let server: Running;
beforeAll(async () => {
  server = await serve(['--snapshots', sampleDir, '--quiet', '--rate-limit', '0']);
});
afterAll(() => server.end());

const jsonAt = async <T>(path: string): Promise<T> => (await server.fetch(path)).json() as Promise<T>;
const totalOf = async (path: string): Promise<number> =>
  (await jsonAt<{ pagination: { total: number } }>(path)).pagination.total;

test('the README names every example', () => {
  for (const name of readdirSync(example('.'))) expect(readme).toContain(`test/examples/${name}`);
});

describe.skipIf(!haveBrowser())('page.html', () => {
  test('searches from another port', async () => {
    const page = readFileSync(example('page.html'), 'utf8').replace('http://127.0.0.1:3000', server.url);
    const elsewhere = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const browser = await openBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
      const status = tab.getByRole('status');
      const all = await totalOf('/api/products');
      await tab.getByText(`${all} products`).waitFor();
      await tab.getByRole('searchbox').fill('salt');
      const found = await totalOf('/api/products/search?q=salt');
      await tab.getByText(`${found} products`).waitFor();
      expect(found).toBeLessThan(all);
      const { data } = await jsonAt<{ data: { title: string; price: number }[] }>(
        '/api/products/search?q=salt&limit=10',
      );
      const shown = data.map(({ title, price }) => `${title}, ${price}`);
      expect(await tab.getByRole('listitem').allInnerTexts()).toEqual(shown);
      await tab.getByRole('searchbox').fill('-');
      await tab.waitForFunction('document.querySelectorAll("li").length !== 10');
      expect(await status.innerText()).not.toBe('');
    } finally {
      await browser.close();
      elsewhere.close();
    }
  });
});

describe('inside-hono.js', () => {
  test('its own route and those of the server answer', async () => {
    const dump = join(sampleDir, 'products.json');
    const child = spawn(process.execPath, [example('inside-hono.js'), dump], {
      env: { PATH: process.env.PATH ?? '', PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      const url = /http:\S+/.exec(line)?.[0];
      const total = await totalOf('/api/products');
      expect(await (await fetch(`${url}/hello`)).json()).toEqual({ records: total });
      const list = await fetch(`${url}/api/products?limit=100`);
      expect(await list.json()).toEqual(await (await server.fetch('/api/products?limit=100')).json());
      expect((await fetch(`${url}/api/products?limit=101`)).status).toBe(422);
      expect(await (await fetch(`${url}/products?q=salt`)).text()).toContain('<mark>');
      const tag = list.headers.get('etag') ?? '';
      expect((await fetch(`${url}/api/products?limit=100`, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    } finally {
      child.kill();
    }
  });

  test('a dump that cannot be read is said with its place', async () => {
    await withFolder({ 'broken.json': '[{"id":1,' }, async (dir) => {
      const ended = run(process.execPath, [example('inside-hono.js'), join(dir, 'broken.json')]);
      await expect(ended).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^\/.*broken\.json:1: \S/),
      });
    });
  });
});

describe('nightly.sh', () => {
  const nightly = (dir: string, records: string) =>
    run('sh', [example('nightly.sh')], {
      cwd: dir,
      env: {
        PATH: process.env.PATH ?? '',
        API: `${process.execPath} ${pathTo('dist/main.js')}`,
        SCRAPE: `cat ${records}`,
      },
    }).catch((error: { code: number; stdout: string; stderr: string }) => error);
  const record = (id: number, price: number | null): string => JSON.stringify({ id, title: `Thing ${id}`, price });
  const night = (ids: readonly number[], priceOf: (id: number) => number | null = (id) => id): string =>
    ids.map((id) => record(id, priceOf(id))).join('\n');
  const ids = Array.from({ length: 10 }, (_, i) => i + 1);
  const files = {
    'first.jsonl': night(ids),
    'second.jsonl': night([...ids.slice(1), 11], (id) => (id === 3 ? 2 : id)),
    // The shop renamed a class, and the scraper finds no price in 40 % of the records.
    'renamed.jsonl': night([...ids.slice(1), 11], (id) => (id > 7 ? null : id)),
    'half.jsonl': night(ids.slice(1, 6)),
    'bad.jsonl': `${record(1, 2)}\n{"id":2,"title":"cut of`,
    'empty.jsonl': '',
  };

  test('keeps the first dump, says what changed with the second, and ends at a bad one', async () => {
    await withFolder(files, async (dir) => {
      const kept = (): string => readFileSync(join(dir, 'dumps/products.jsonl'), 'utf8');
      expect(await nightly(dir, 'first.jsonl')).not.toHaveProperty('code');
      expect(kept()).toBe(files['first.jsonl']);
      const { stdout } = await nightly(dir, 'second.jsonl');
      expect(stdout).toContain('1 new, 1 gone, 1 changed');
      expect(stdout).toContain('3 -> 2');
      expect(kept()).toBe(files['second.jsonl']);
      for (const [bad, reason] of [
        [
          'renamed.jsonl',
          'gate not held: products: --min-filled: expected a price in at least 95 % of 10 records, found 60 % (6)',
        ],
        [
          'half.jsonl',
          'gate not held: products: --max-lost: expected at most 20 % of 10 earlier records gone, found 50 % (5)',
        ],
        [
          'bad.jsonl',
          'gate not held: products: --max-refused: expected at most 1 % of 2 records refused, found 50 % (1)',
        ],
        ['empty.jsonl', ''],
        ['missing.jsonl', ''],
      ] as const) {
        const ended = await nightly(dir, bad);
        expect(ended).toMatchObject({ code: 1 });
        expect(ended.stdout).toContain(reason);
        expect(kept()).toBe(files['second.jsonl']);
      }
    });
  });
});

describe.skipIf(!have('sqlite3', isInstalled('sqlite3')) || !have('curl', isInstalled('curl')))('sqlite.sh', () => {
  test('reads an export as a table', async () => {
    await withFolder({}, async (dir) => {
      const env = { PATH: process.env.PATH ?? '', API: server.url };
      const { stdout } = await run('sh', [example('sqlite.sh')], { cwd: dir, env });
      const path = '/api/products/categories?minRating=4&limit=3';
      const { data } = await jsonAt<{ data: { name: string; count: number }[] }>(path);
      const rows = stdout
        .trim()
        .split('\n')
        .map((line) => line.split('|'));
      expect(rows.map(([name, count]) => [name, Number(count)])).toEqual(data.map(({ name, count }) => [name, count]));
    });
  });
});

describe.skipIf(!havePostgres())('PostgreSQL, as the README says', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster.end());

  const environment = () => ({
    PATH: process.env.PATH ?? '',
    PGHOST: cluster.dir,
    PGPORT: String(cluster.port),
    PGUSER: 'reader',
    PGDATABASE: 'postgres',
  });

  test('the table of `convert --schema postgres` takes the records of `convert`, by the lines that it shows', async () => {
    const flats = [
      {
        ref: 'A-1',
        rent: '€ 2.500,50',
        floor: 3,
        balcony: true,
        extras: ['lift', 'a "big" cellar'],
        seen: '27.11.2026',
      },
      { ref: 'A-2', rent: null, floor: null, balcony: false, owner: { name: 'O\\1\n商', since: [2001, null] } },
    ];
    await withFolder({ 'flats.json': JSON.stringify(flats) }, async (work) => {
      const script = [
        'set -eu',
        '"$0" "$1" convert flats.json --as flats > records.ndjson',
        '"$0" "$1" convert flats.json --as flats --schema postgres > schema.sql',
        `sed -n '/then:$/,$ p' schema.sql | sed '1d; s/^-- //' > load.sql`,
        'psql -q -v ON_ERROR_STOP=1 -f schema.sql -f load.sql',
        `psql -Atc 'set time zone 0; select to_jsonb(flats) from flats order by id' | tail -n +2`,
      ].join('\n');
      const { stdout } = await run('sh', ['-c', script, process.execPath, pathTo('dist/main.js')], {
        cwd: work,
        env: environment(),
      });
      const rows = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const records = readFileSync(join(work, 'records.ndjson'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      // PostgreSQL writes a time with its zone as an offset, and null where there is no list.
      const sent = records.map((record) => ({
        ...record,
        seen: record.seen?.replace('Z', '+00:00') ?? null,
        extras: record.extras ?? null,
      }));
      expect(rows).toEqual(sent);
    });
  });

  test('a pushed dump is served at the same addresses', async () => {
    const [push, from] = readme.split('\n').filter((line) => line.includes('postgres://shop@localhost/shop'));
    if (push === undefined || from === undefined) throw new Error('the README shows no lines for push');
    const address = cluster.database('shop');
    const argsOf = (line: string): string[] =>
      line
        .replace('node dist/main.js ', '')
        .replace('dumps/', sampleDir)
        .replace('postgres://shop@localhost/shop', address)
        .split(' ');
    await run(process.execPath, [pathTo('dist/main.js'), ...argsOf(push)]);
    const database = await serve([...argsOf(from), '--rate-limit', '0']);
    try {
      for (const path of ['/api/articles?sort=-score&limit=5', '/api/products/1004', '/api/products/categories'])
        expect(await (await database.fetch(path)).json()).toEqual(await jsonAt(path));
    } finally {
      await database.end();
    }
  });

  test('every record of the export is a row', async () => {
    const lines = readme.split('\n');
    const download = lines.find((line) => line.startsWith('curl') && line.includes('format=ndjson'));
    const load = lines.find((line) => line.startsWith('psql'));
    if (download === undefined || load === undefined) throw new Error('the README shows no lines for PostgreSQL');
    await withFolder({}, async (work) => {
      const script = [
        'set -eu',
        download.replace('http://127.0.0.1:3000', server.url),
        load,
        `psql -Atc "select count(*), count(distinct record->>'id'), max((record->>'score')::int) from articles"`,
      ].join('\n');
      writeFileSync(join(work, 'load.sh'), script);
      const { stdout } = await run('sh', ['load.sh'], { cwd: work, env: environment() });
      const total = await totalOf('/api/articles');
      const { data } = await jsonAt<{ data: { score: number }[] }>('/api/articles?sort=score&order=desc&limit=1');
      expect(stdout.trim().split('\n').at(-1)).toBe(`${total}|${total}|${data[0]?.score}`);
    });
  });
});
