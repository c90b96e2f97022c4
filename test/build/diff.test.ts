/** The command `diff`, and what a start is compared with. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createApp, loadDataset } from '../../src/index.js';
import { run, serve, withFolder } from '../support/program.js';
import { until } from '../support/until.js';

const before = [
  { id: 1, title: 'Tea', price: 12, tags: [] },
  { id: 2, title: 'Cake', price: 4 },
  { id: 3, title: 'Gone', price: 1 },
];
const after = [
  { id: 2, title: 'Cake', price: '£4.00' },
  { id: 1, title: 'Tea', price: 9.5 },
  { id: 4, title: 'New', price: 1 },
];

const date = expect.stringMatching(/^20.*Z$/);
/** What a change of a whole record has. */
const whole = { field: null, from: null, to: null, difference: null, percent: null, date };

/** Two folders, `old` and `new`, with a dump each. */
const withDumps = <T>(old: unknown, now: unknown, use: (old: string, now: string) => Promise<T>): Promise<T> =>
  withFolder({}, async (dir) => {
    const folders = [join(dir, 'old'), join(dir, 'new')] as const;
    for (const [i, records] of [old, now].entries()) {
      const folder = folders[i] ?? dir;
      mkdirSync(folder);
      writeFileSync(join(folder, 'products.json'), JSON.stringify(records));
    }
    return use(...folders);
  });

describe('diff', () => {
  test('tells what changed, as a person reads it', async () => {
    await withDumps(before, after, async (old, now) => {
      expect(await run(['diff', old, now])).toEqual({
        code: 1,
        stdout: [
          'products: 1 new, 1 gone, 1 changed, 1 unchanged (paired by id)',
          '  price: changed in 1 record, 0 up, 1 down',
          '    12 -> 9.5 (-20.83 %)         Tea',
          '  new: New',
          '  gone: Gone',
          '',
          '',
        ].join('\n'),
        stderr: '',
      });
    });
  });

  test('tells all of it as JSON; of files, too', async () => {
    await withDumps(before, after, async (old, now) => {
      const { code, stdout } = await run(['diff', join(old, 'products.json'), now, '--json']);
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toEqual({
        products: {
          since: { version: expect.any(String), modifiedAt: expect.stringMatching(/^20.*Z$/) },
          counts: { added: 1, removed: 1, changed: 1, unchanged: 1, fields: { price: { changed: 1, up: 0, down: 1 } } },
          pairedBy: 'id',
          columns: [],
          incomplete: false,
          data: [
            {
              ...{ id: 3, record: 1, title: 'Tea', kind: 'changed', field: 'price', from: 12, to: 9.5 },
              ...{ difference: -2.5, percent: -20.83, date },
            },
            { id: 2, record: 4, title: 'New', kind: 'added', ...whole },
            { id: 1, record: null, title: 'Gone', kind: 'removed', ...whole },
          ],
        },
      });
    });
  });

  test('ends with 0 where nothing changed, and with 2 where a dump cannot be read', async () => {
    await withDumps(before, before, async (old, now) => {
      const same = await run(['diff', old, now]);
      expect([same.code, same.stderr]).toEqual([0, '']);
      expect(same.stdout).toContain('Nothing changed.\n');
      writeFileSync(join(now, 'products.json'), '[');
      const broken = await run(['diff', old, now]);
      expect([broken.code, broken.stdout]).toEqual([2, '']);
      expect(broken.stderr).toContain('products.json:1:2:');
      const none = await run(['diff', old, join(now, 'missing')]);
      expect([none.code, none.stderr]).toEqual([2, `There is no file or folder ${join(now, 'missing')}.\n`]);
    });
  });

  test('names the dump of which records were refused: they would seem new, or gone', () =>
    withFolder(
      {
        'a/products.json': '[{"id":1,"title":"Tea"}]',
        'b/products.json': '[{"id":1,"title":""},{"id":2,"title":"Oil"}]',
      },
      async (dir) => {
        const { stdout, stderr } = await run(['diff', join(dir, 'a'), join(dir, 'b')]);
        expect(stdout).toContain('1 new, 1 gone');
        const refused = '1 record refused, which the difference lacks; check says why';
        expect(stderr).toBe(`warning: ${join(dir, 'b')}: ${refused}\n`);
      },
    ));

  test('pairs records without ids by a column that differs in each, else by title and author; a half-finished scrape is named', async () => {
    const book = (n: number, price: number) => ({ title: `Book ${n}`, price, imageUrl: `https://x.org/${n}.jpg` });
    const old = [...[1, 2, 3, 4, 5].map((n) => book(n, 10)), { title: 'Plain', price: 1 }];
    const now = [{ title: 'Plain', price: 2 }, book(2, 20)];
    await withDumps(old, now, async (from, to) => {
      const { stdout } = await run(['diff', from, to]);
      expect(stdout).toContain('products: 0 new, 4 gone, 2 changed, 0 unchanged (paired by title and author)\n');
      expect(stdout).toContain('products: the new dump looks incomplete, 4 of 6 records are gone\n');
    });
  });

  /** Two CSV files, compared. */
  const compared = (old: readonly string[], now: readonly string[]) =>
    withFolder({}, async (dir) => {
      const paths = ['old.csv', 'new.csv'].map((name) => join(dir, name));
      for (const [i, lines] of [old, now].entries()) writeFileSync(paths[i] ?? '', `${lines.join('\n')}\n`);
      const { code, stdout } = await run(['diff', ...paths, '--as', 'products']);
      return { code, lines: stdout.split('\n').map((line) => line.trim().replace(/ +/g, ' ')) };
    });

  test.each([
    ['an address', 'url', ['https://s.test/p/2', 'https://s.test/p/3']],
    ['a code', 'sku', ['A-2', 'A-3']],
    ['a whole number of a name of ids', 'sku', ['11', '12']],
    ['a code of another name', 'ref', ['F-7', 'F-9']],
    ['a whole number of another name', 'nummer', ['7201', '6544']],
  ])('%s pairs records whose titles repeat', async (_, column, [one, two]) => {
    const { lines } = await compared(
      [`name,price,${column}`, `Vase,6,${one}`, `Vase,8,${two}`],
      [`name,price,${column}`, `Vase,9,${two}`, `Vase,6,${one}`],
    );
    expect(lines[0]).toBe(`products: 0 new, 0 gone, 1 changed, 1 unchanged (paired by ${column})`);
    expect(lines).toContain('8 -> 9 (+12.5 %) Vase');
  });

  test.each([
    ['positions', 'rank', ['1', '2', '3'], ['1', '2', '3']],
    ['numbers of which fewer stayed than titles did', 'stock', ['7', '5', '9'], ['7', '4', '9']],
    ['decimals', 'weight', ['1.5', '2.5', '3.25'], ['1.5', '2.5', '3.25']],
    ['days', 'seen', ['2026-01-01', '2026-01-02', '2026-01-03'], ['2026-01-01', '2026-01-02', '2026-01-03']],
    ['money', 'old price', ['$70', '$50', '$90'], ['$70', '$50', '$90']],
    ['a code that one record lacks', 'sku', ['A-1', '', 'A-3'], ['A-1', 'A-2', 'A-3']],
    ['a code that repeats', 'sku', ['A-1', 'A-1', 'A-3'], ['A-1', 'A-2', 'A-3']],
  ])('%s pair nothing', async (_, column, old, now) => {
    const rows = (names: readonly string[], values: readonly string[]) => [
      `name,price,${column}`,
      ...names.map((name, i) => `${name},${name.length},${values[i]}`),
    ];
    const { lines } = await compared(rows(['Tea', 'Cake', 'Scones'], old), rows(['Cake', 'Scones', 'Tea'], now));
    expect(lines[0]).toContain('0 new, 0 gone');
    expect(lines[0]).toContain('(paired by title and author)');
    expect(lines.join()).not.toContain('price:');
  });

  test('titles that repeat pair records that are as they were first, and have no percentages', async () => {
    const { lines } = await compared(
      ['name,price', 'Vase,6', 'Vase,8', 'Jug,4'],
      ['name,price', 'Vase,8', 'Vase,9', 'Jug,5'],
    );
    expect(lines).toEqual(expect.arrayContaining(['6 -> 9 Vase', '4 -> 5 (+25 %) Jug']));
    expect(lines[0]).toContain('2 changed, 1 unchanged');
    expect(lines).toContain('products: 1 pair of titles that repeat may be others, and have no percentages');
  });

  test('a column that is gone, or new, is a change of each record with a value in it', async () => {
    const [without, withStock] = [
      ['id,name,price', '1,Tea,3', '2,Cake,4'],
      ['id,name,price,stock', '1,Tea,3,5', '2,Cake,4,'],
    ];
    const gone = await compared(withStock, without);
    expect([gone.code, gone.lines]).toEqual([
      1,
      [
        'products: 0 new, 0 gone, 1 changed, 1 unchanged (paired by id)',
        'stock: gone in 1 record',
        '',
        'products: the column stock is gone (1 record)',
        '',
      ],
    ]);
    expect((await compared(without, withStock)).lines).toContain('stock: new in 1 record');
  });

  test('a column that is gone is a field of the API, of its document, and of the pages', async () => {
    const priced = (stock?: number) => [{ id: 1, title: 'Tea', price: 3, ...(stock !== undefined && { stock }) }];
    await withDumps(priced(5), priced(), async (from, to) => {
      const loaded = await loadDataset(to, { previous: [from] });
      if (!loaded.ok) throw new Error(loaded.faults[0]?.message);
      const app = createApp(loaded.dataset);
      const textAt = async (path: string) => (await app.fetch(new Request(`http://localhost${path}`))).text();
      const { data } = JSON.parse(await textAt('/api/products/changes?field=stock')) as { data: readonly unknown[] };
      expect(data).toMatchObject([{ record: 1, title: 'Tea', kind: 'changed', field: 'stock', from: 5, to: null }]);
      expect(await textAt('/api/export/products/changes?field=stock&format=csv')).toContain('1,Tea,changed,stock,5,,');
      expect(await textAt('/products/changes?field=stock')).toContain('the column stock is gone (1 record)');
      expect(await textAt('/products/1')).toContain('Stock');
    });
  });

  const flat = (n: number, rent: number) => ({ ref: `F-${n}`, rent, city: 'Graz' });

  test('two files that tell no collection are one, named by the later file; others are not compared', async () => {
    await withFolder({}, async (dir) => {
      const [old, now, shop] = ['old.json', 'new.json', 'shop.json'].map((name) => join(dir, name));
      writeFileSync(old ?? '', JSON.stringify([flat(1, 900), flat(2, 450)]));
      writeFileSync(now ?? '', JSON.stringify([flat(1, 950), flat(2, 450)]));
      writeFileSync(shop ?? '', JSON.stringify(before));
      const files = [old ?? '', now ?? ''] as const;
      const changed = await run(['diff', ...files]);
      expect([changed.code, changed.stderr]).toEqual([1, '']);
      expect(changed.stdout).toContain('new: 0 new, 0 gone, 1 changed, 1 unchanged');
      expect(changed.stdout).toContain('  rent: changed in 1 record, 1 up, 0 down\n');
      expect(changed.stdout).toContain(' No. 1\n');
      writeFileSync(now ?? '', JSON.stringify([flat(3, 700), flat(1, 900), flat(2, 450)]));
      const grown = await run(['diff', ...files]);
      expect(grown.stdout).toContain('new: 1 new, 0 gone, 0 changed, 2 unchanged');
      expect(grown.stdout).toContain('  new: No. 1\n');
      writeFileSync(now ?? '', JSON.stringify([flat(1, 950), flat(2, 450)]));
      expect((await run(['diff', ...files, '--as', 'flats'])).stdout).toContain('flats: 0 new, 0 gone, 1 changed');
      expect(await run(['diff', old ?? '', shop ?? ''])).toEqual({
        code: 2,
        stdout: '',
        stderr: `${shop}: nothing is compared: ${old} holds old, the later dump products; --as NAME reads both as one collection\n`,
      });
      const server = await serve([now ?? '', '--previous', old ?? '']);
      expect(server.stdout()).toContain(`compared with ${old}: 0 added, 0 removed, 1 changed\n`);
      await server.end();
    });
  });
});

describe('--previous', () => {
  test('is read at the start and compared with', async () => {
    await withDumps(before, after, async (old, now) => {
      const server = await serve(['--snapshots', now, '--previous', old]);
      expect(server.stdout()).toContain(`compared with ${old}: 1 added, 1 removed, 1 changed\n`);
      await server.end();
    });
  });

  test('is read with the same columns: found fields are compared', async () => {
    const [old, now] = [
      [
        { id: 1, title: 'Tea', stock: 4, brand: 'Kip', isNew: true, sizes: [{ cm: 3 }], labels: ['a', 'b'] },
        { id: 2, title: 'Cup', stock: 9, brand: 'Kip', isNew: true, sizes: [], labels: ['c', 'd'] },
      ],
      [
        { id: 1, title: 'Tea', stock: 3, brand: 'Kop', isNew: false, sizes: [{ cm: 4 }], labels: ['b', 'a'] },
        { id: 2, title: 'Cup', stock: 9, brand: 'Kip', isNew: true, sizes: [], labels: ['c', 'd'] },
      ],
    ];
    await withDumps(old, now, async (from, to) => {
      const server = await serve(['--snapshots', to, '--previous', from]);
      expect(server.stdout()).toContain(`compared with ${from}: 0 added, 0 removed, 1 changed\n`);
      // Found fields are not in the document of the tests' own models, which `server.fetch` compares with.
      const { data } = JSON.parse(await (await fetch(`${server.url}/api/products/changes`)).text());
      await server.end();
      const changes = data.map(({ field, from: earlier, to: later }: Record<string, unknown>) => [
        field,
        earlier,
        later,
      ]);
      expect(changes).toEqual([
        ['stock', 4, 3],
        ['brand', 'Kip', 'Kop'],
        ['isNew', true, false],
        ['sizes', [{ cm: 3 }], [{ cm: 4 }]],
      ]);
    });
  });

  test('tells differences of found fields, unless these are not loaded', async () => {
    const [old, now] = [[{ id: 1, title: 'Tea', sku: 'x1' }], [{ id: 1, title: 'Tea', sku: 'x2' }]];
    await withDumps(old, now, async (from, to) => {
      for (const [columns, changed] of [
        ['all', 1],
        ['documented', 0],
      ] as const) {
        const server = await serve(['--snapshots', to, '--previous', from, '--columns', columns]);
        expect(server.stdout()).toContain(`compared with ${from}: 0 added, 0 removed, ${changed} changed\n`);
        await server.end();
        expect((await run(['diff', from, to, '--columns', columns])).code).toBe(changed);
      }
    });
  });

  test('is of another scrape: --scraped-at is not its time, for the program and the library', async () => {
    const records = [{ id: 1, title: 'Tea', score: 1, date: '3 hours ago' }];
    const scrapedAt = '2024-01-31T12:00:00Z';
    await withFolder({}, async (dir) => {
      const [from, to] = [join(dir, 'old', 'articles.json'), join(dir, 'new', 'articles.json')];
      for (const [folder, path] of [
        ['old', from],
        ['new', to],
      ] as const) {
        mkdirSync(join(dir, folder));
        writeFileSync(path, JSON.stringify(records));
      }
      const server = await serve(['--snapshots', join(dir, 'new'), '--previous', from, '--scraped-at', scrapedAt]);
      expect(server.stdout()).toContain('0 added, 0 removed, 1 changed\n');
      await server.end();
      const loaded = await loadDataset(to, { previous: [from], scrapedAt });
      if (!loaded.ok) throw new Error(loaded.faults[0]?.message);
      const response = await createApp(loaded.dataset).fetch(new Request('http://localhost/api/articles/changes'));
      const { data } = (await response.json()) as { data: readonly unknown[] };
      expect(data).toMatchObject([{ field: 'date', from: null, to: '2024-01-31T09:00:00Z' }]);
    });
  });

  test('added and removed records stand by title: in `diff`, and on all pages of changes together', async () => {
    const titled = (titles: readonly string[], firstId: number) =>
      titles.map((title, i) => ({ id: firstId + i, title, price: 1 }));
    const old = titled(['Zebra', 'Mango', 'Apple', 'Kept'], 1);
    await withDumps(old, titled(['Kept', 'Yak', 'Lemon', 'Berry', 'Orange'], 4), async (from, to) => {
      const { stdout } = await run(['diff', from, to]);
      expect(stdout).toContain('  new: Berry\n  new: Lemon\n  new: Orange\n  new: Yak\n');
      expect(stdout).toContain('  gone: Apple\n  gone: Mango\n  gone: Zebra\n');
      const loaded = await loadDataset(to, { previous: [from] });
      if (!loaded.ok) throw new Error(loaded.faults[0]?.message);
      const { fetch } = createApp(loaded.dataset);
      const titles: string[] = [];
      for (let page = 1; page <= 4; page++) {
        const path = `/api/products/changes?sort=title&limit=2&page=${page}`;
        const response = await fetch(new Request(`http://localhost${path}`));
        const { data } = (await response.json()) as { data: readonly { title: string }[] };
        titles.push(...data.map(({ title }) => title));
      }
      expect(titles).toEqual(['Apple', 'Berry', 'Lemon', 'Mango', 'Orange', 'Yak', 'Zebra']);
    });
  });

  test('that is not there, or holds no snapshot, stops the start', async () => {
    await withDumps(before, after, async (old, now) => {
      const { code, stderr } = await run(['--port', '0', '--snapshots', now, '--previous', join(old, 'x')]);
      expect([code, stderr]).toEqual([
        1,
        `There is no file or folder ${join(old, 'x')}; --previous or SCRAPER_PREVIOUS names it.\n`,
      ]);
      const empty = join(old, 'empty');
      mkdirSync(empty);
      const nothing = await run(['--port', '0', '--snapshots', now, '--previous', empty]);
      const found = 'expected a file of records in JSON, NDJSON or CSV, found none';
      expect([nothing.code, nothing.stderr]).toEqual([1, `${empty}: ${found}\n`]);
      writeFileSync(join(empty, 'notes.txt'), 'tea');
      const { stderr: ignored } = await run(['diff', empty, now]);
      expect(ignored).toMatch(/: expected a file of records in JSON, NDJSON or CSV, found none; ignored: notes.txt: /);
    });
  });

  test('a folder among the snapshots, such as that of an earlier dump, is not read, and named', async () => {
    await withDumps(before, after, async (_, now) => {
      mkdirSync(join(now, 'previous'));
      const { code, stdout } = await run(['check', now]);
      expect(code).toBe(0);
      expect(stdout).toContain('ignored: previous: a folder; name it to have it read: ');
    });
  });
});

test('a reload compares with what was served; a collection that is as it was keeps its comparison', async () => {
  await withDumps(before, after, async (old, now) => {
    const write = (name: string, records: unknown) => writeFileSync(join(now, `${name}.json`), JSON.stringify(records));
    write('articles', [{ id: 1, title: 'a', score: 1 }]);
    const server = await serve(['--snapshots', now, '--previous', old, '--quiet']);
    const changesOf = async (name: string) =>
      (await (await server.fetch(`/api/${name}/changes`)).json()) as {
        readonly data: readonly unknown[];
      };
    const reloaded = async (times: number) => {
      server.child.kill('SIGHUP');
      while (server.stdout().split('reloaded:').length <= times)
        await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const products = await changesOf('products');
    expect(products.data.length).toBe(3);
    expect((await changesOf('articles')).data).toEqual([]);

    write('articles', [{ id: 1, title: 'a', score: 3 }]);
    await reloaded(1);
    expect(server.stdout()).toContain(', 0 added, 0 removed, 1 changed\n');
    expect(await changesOf('products')).toEqual(products);
    expect((await changesOf('articles')).data).toMatchObject([
      { record: 1, field: 'score', from: 1, to: 3, percent: 200 },
    ]);

    write('products', after.slice(1));
    await reloaded(2);
    // The history of the session goes on: the newest change first.
    const { data } = await changesOf('products');
    expect(data).toMatchObject([{ id: 4, title: 'Cake', kind: 'removed' }, {}, {}, {}]);
    expect((await changesOf('articles')).data.length).toBe(1);
    const health = (await (await server.fetch('/health')).json()) as { readonly changes: unknown };
    expect(health.changes).toMatchObject({
      articles: { since: expect.any(String), added: 0, removed: 0, changed: 1, changes: 1 },
      products: { since: expect.any(String), added: 0, removed: 1, changed: 0, changes: 4 },
    });
    await server.end();
  });
});

test.each([
  ['columns in another order', '"sizes":[{"mm":1}],"brand":"Acme works"'],
  ['a number with more digits', '"brand":"Acme works","sizes":[{"mm":1.00}]'],
])('a reload of the same values, with %s, is no change then, nor at the next reload', async (_, second) => {
  const job = (id: number, stock: number) => `"id":${id},"title":"Job ${id}","stock":${stock}`;
  const first = '"brand":"Acme works","sizes":[{"mm":1}]';
  await withFolder({ 'jobs.json': `[{${job(1, 5)},${first}},{${job(2, 6)},${first}}]` }, async (dir) => {
    const server = await serve(['--snapshots', dir, '--quiet', '--rate-limit', '0']);
    const reloaded = async (times: number, ...records: readonly string[]) => {
      writeFileSync(join(dir, 'jobs.json'), `[${records.map((record) => `{${record}}`).join()}]`);
      server.child.kill('SIGHUP');
      await until(() => server.stdout().split('reloaded:').length > times);
    };
    try {
      await reloaded(1, `${job(1, 5)},${first}`, `${job(2, 7)},${first}`);
      await reloaded(2, `${job(1, 5)},${second}`, `${job(2, 7)},${second}`);
      await reloaded(3, `${job(1, 5)},${second}`, `${job(2, 8)},${second}`);
      const { data } = (await (await fetch(`${server.url}/api/jobs/changes?fields=record,field,from,to`)).json()) as {
        readonly data: readonly unknown[];
      };
      expect(data).toEqual([
        { record: 2, field: 'stock', from: 7, to: 8 },
        { record: 2, field: 'stock', from: 6, to: 7 },
      ]);
    } finally {
      await server.end('SIGKILL');
    }
  });
});
