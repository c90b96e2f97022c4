/** Dated dumps as a history: what is taken for one, what is served of it, and what a new file adds. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type DatedPaths,
  dateOfPaths,
  dumpPathsIn,
  dumpsIn,
  historySteps,
  likelyHistory,
} from '../../src/build/dated.js';
import { loadDataset } from '../../src/index.js';
import { dateInName } from '../../src/load/source/dated-name.js';
import { run, serve, withFolder } from '../support/program.js';
import { until } from '../support/until.js';

describe('the date in a name', () => {
  test.each([
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['products_20261101.json.gz', '2026-11-01T00:00:00.000Z'],
    ['shop-2026_11_27.csv', '2026-11-27T00:00:00.000Z'],
    ['20261127T0315.json', '2026-11-27T03:15:00.000Z'],
    ['a-2026-11-27T03-15-59Z.json', '2026-11-27T03:15:59.000Z'],
    ['products.json', undefined],
    ['products-20261301.json', undefined],
    ['products-20260231.json', undefined],
    ['item-1234567890.json', undefined],
    ['v2026-11.json', undefined],
  ])('of %s is %s', (name, date) => {
    const found = dateInName(name);
    expect(found && new Date(found.timeMs).toISOString()).toBe(date);
  });

  test('of several paths is the latest; a name without one may have that of its folder', () => {
    expect(dateOfPaths(['d/2026-11-01.json', 'd/2026-11-02.json'])?.toISOString()).toBe('2026-11-02T00:00:00.000Z');
    expect(dateOfPaths(['2026-11-03/products.json'])?.toISOString()).toBe('2026-11-03T00:00:00.000Z');
    expect(dateOfPaths(['products.json', '2026-11-01.json'])).toBe(undefined);
  });
});

const tea = (price: number, ...more: readonly object[]): string =>
  JSON.stringify([...[1, 2, 3].map((id) => ({ id, title: `Tea ${id}`, price: id === 2 ? price : 4 })), ...more]);

describe('a folder', () => {
  test('has a dump for each date', () =>
    withFolder(
      {
        '2026-11-02/products.json': '[]',
        'products-2026-11-01.json': '[]',
        'articles-2026-11-01.json': '[]',
        'note.txt': '',
        'pictures/7.jpg': '',
      },
      async (dir) => {
        const dumps = await dumpsIn(dir);
        expect(dumps.map(({ paths }) => paths.map((path) => path.slice(dir.length + 1)))).toEqual([
          ['articles-2026-11-01.json', 'products-2026-11-01.json'],
          ['2026-11-02'],
        ]);
        expect(await dumpPathsIn(dir)).toEqual(dumps.flatMap(({ paths }) => paths).sort());
      },
    ));

  test.each([
    [['2026-11-01/a.json', '2026-11-02/a.json'], 2],
    [['shop-2026-11-01.csv', 'shop-2026-11-02.csv', 'other-2026-11-02.csv'], 2],
    [['shop-2026-11-01.csv', 'other-2026-11-02.csv'], null],
    [['shop-2026-11-01.csv', 'shop-2026-11-02.csv', 'more.csv'], null],
    [['2026-11-01/a.json', 'products.json'], null],
    [['products.json'], null],
  ])('of %j is likely a history of %j', (files, expected) =>
    withFolder(Object.fromEntries(files.map((file) => [file, '[]'])), async (dir) => {
      expect((await likelyHistory([dir]))?.length ?? null).toBe(expected);
    }),
  );
});

describe('a history goes on', () => {
  const dump = (day: number, ...paths: readonly string[]) => ({
    timeMs: day,
    paths: paths.length === 0 ? [`${day}.json`] : paths,
    signature: `${day} ${paths}`,
  });
  const rewritten = (one: DatedPaths): DatedPaths => ({ ...one, signature: 'written again' });
  const [one, two, three, four] = [dump(1), dump(2), dump(3), dump(4)];
  test.each([
    ['by a dump', [one, two], [one, two, three], { between: [], isAnew: false, isNewDump: true }],
    [
      'by several, each a step',
      [one],
      [one, two, three, four],
      { between: [two, three], isAnew: false, isNewDump: true },
    ],
    ['by none', [one, two], [one, two], { between: [], isAnew: false, isNewDump: false }],
    [
      'from the last one, written again without a date',
      [one, two],
      [one, dump(3, '2.json')],
      { between: [], isAnew: false, isNewDump: false },
    ],
    ['anew: a dump came late', [one, three], [one, two, three], { between: [one, two], isAnew: true, isNewDump: true }],
    ['anew: an earlier one is gone', [one, two], [two, three], { between: [two], isAnew: true, isNewDump: true }],
    ['anew: the newest is gone', [one, two, three], [one, two], { between: [one], isAnew: true, isNewDump: true }],
    [
      'anew: an earlier one was written again',
      [one, two],
      [two, dump(3, '1.json')],
      { between: [two], isAnew: true, isNewDump: true },
    ],
    [
      'anew: the last one has another file',
      [one, two],
      [one, dump(2, '2.json', 'b.json')],
      { between: [one], isAnew: true, isNewDump: true },
    ],
    [
      'anew: an earlier one was written again under its date',
      [one, two],
      [rewritten(one), two],
      { between: [rewritten(one)], isAnew: true, isNewDump: true },
    ],
    [
      'anew: the last one was written again before another came',
      [one, two],
      [one, rewritten(two), three],
      { between: [one, rewritten(two)], isAnew: true, isNewDump: true },
    ],
    [
      'anew: the last one was written again under its date',
      [one, two],
      [one, rewritten(two)],
      { between: [one], isAnew: true, isNewDump: true },
    ],
    ['anew: there was none', null, [one, two], { between: [one], isAnew: true, isNewDump: true }],
  ])('%s', (_, earlier, now, expected) => {
    expect(historySteps(earlier, now)).toEqual(expected);
  });
});

/** As a scraper moves its finished files into the folder. */
async function moveIn(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(join(dir, '.new'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const isInFolder = name.includes('/');
    mkdirSync(dirname(join(dir, '.new', name)), { recursive: true });
    writeFileSync(join(dir, '.new', name), text);
    const moved = isInFolder ? dirname(name) : name;
    renameSync(join(dir, '.new', moved), join(dir, moved));
  }
}

const getJson = async <T>(url: string): Promise<T> => (await fetch(url)).json() as Promise<T>;
type List = { readonly data: readonly Readonly<Record<string, unknown>>[] };

test('dated files of the same records are a history, in which the cheapest day is found, and to which a new file adds', () =>
  withFolder(
    {
      'products-2026-11-01.json': tea(9, { id: 4, title: 'Gone', price: 1 }),
      'products-2026-11-02.json': tea(5),
      'products-2026-11-03.json': tea(7, { id: 5, title: 'New', price: 1 }),
    },
    async (dir) => {
      const server = await serve([dir, '--rate-limit', '0', '--watch']);
      try {
        expect(server.stdout()).toContain(
          'is a history of 3 dumps, of which the newest is served; --add-up adds them up',
        );
        const cheapest = '/api/products/changes?record=2&field=price&sort=to&limit=1';
        expect(await getJson<List>(server.url + cheapest)).toMatchObject({
          data: [{ to: 5, date: '2026-11-02T00:00:00Z' }],
        });
        const kinds = async () =>
          (await getJson<List>(`${server.url}/api/products/changes?fields=record,kind,date`)).data.map(
            ({ record, kind, date }) => [record, kind, String(date).slice(8, 10)],
          );
        const before = [
          [2, 'changed', '03'],
          [5, 'added', '03'],
          [2, 'changed', '02'],
          [null, 'removed', '02'],
        ];
        expect(await kinds()).toEqual(before);
        expect(await (await fetch(`${server.url}/products/2`)).text()).toContain(
          'lowest 5 (2 November 2026), highest 9',
        );
        const reloads = () => server.stdout().split('reloaded: ').length - 1;
        await moveIn(dir, { 'products-2026-11-04.json': tea(7, { id: 4, title: 'Gone', price: 1 }) });
        await until(() => reloads() === 1);
        // The record that had gone is the one that came back, and has its history again.
        expect(await kinds()).toEqual([
          [4, 'added', '04'],
          [null, 'removed', '04'],
          [2, 'changed', '03'],
          [null, 'added', '03'],
          [2, 'changed', '02'],
          [4, 'removed', '02'],
        ]);
        expect(await getJson<List>(`${server.url}/api/products/4?fields=firstSeen,lastChanged`)).toEqual({
          firstSeen: '2026-11-01T00:00:00Z',
          lastChanged: '2026-11-04T00:00:00Z',
        });
        const newest = async (count: number) => (await kinds()).slice(0, count);
        await moveIn(dir, { 'products-2026-11-05.json': tea(8), 'products-2026-11-06.json': tea(6) });
        await until(() => reloads() === 2);
        expect(server.stdout()).toContain('1 changed in the newest of 2 dumps that came together\n');
        expect(await newest(3)).toEqual([
          [2, 'changed', '06'],
          [2, 'changed', '05'],
          [null, 'removed', '05'],
        ]);
        // A dump of another date is a step, though nothing changed. One that cannot be read is left out.
        await moveIn(dir, { 'products-2026-11-07.json': '[{"id":,}]', 'products-2026-11-08.json': tea(6) });
        await until(() => reloads() === 3);
        expect(server.stderr()).toContain(`left out of the history: ${join(dir, 'products-2026-11-07.json')}:1:8: `);
        expect(await getJson(`${server.url}/health`)).toMatchObject({
          changes: { products: { changed: 0, dumps: 7 } },
        });
        expect(await newest(1)).toEqual([[2, 'changed', '06']]);
        await moveIn(dir, { '2026-10-31/products.json': tea(3) });
        await until(() => reloads() === 4);
        expect(server.stdout()).toContain('in the newest of 9 dumps, all of which were read anew\n');
        expect((await kinds()).at(-2)).toEqual([2, 'changed', '01']);
        // While the folder is away, its last records are served, which is told once; a dump in the folder that came back is read.
        const { version } = await getJson<{ version: string }>(`${server.url}/health`);
        renameSync(dir, `${dir}-away`);
        await until(() => server.stderr().includes('reload failed'));
        expect(server.stderr()).toContain(
          `still serving version ${version}: ${dir}: the folder holds no snapshot any more`,
        );
        await moveIn(`${dir}-away`, { 'products-2026-11-09.json': tea(5) });
        renameSync(`${dir}-away`, dir);
        await until(() => reloads() === 5);
        expect(await newest(1)).toEqual([[2, 'changed', '09']]);
        expect(server.stderr().split('reload failed')).toHaveLength(2);
        // The dump after one that broke off tells so, and the history is read as a start reads it.
        await moveIn(dir, { 'products-2026-11-10.json': '[{"id":2,"title":"Tea 2","price":5}]' });
        await until(() => reloads() === 6);
        expect(server.stdout()).toContain(', 0 added, 2 removed, 0 changed\n');
        await moveIn(dir, { 'products-2026-11-11.json': tea(5) });
        await until(() => reloads() === 7);
        expect(server.stdout()).toContain(
          '0 added, 0 removed, 0 changed in the newest of 12 dumps, all of which were read anew\n',
        );
        await until(() => server.stderr().includes('products-2026-11-10.json is incomplete (1 record)'));
        expect(await newest(1)).toEqual([[2, 'changed', '09']]);
        // The served dump was written again when the next one came: each change has the date of its own dump.
        await moveIn(dir, { 'products-2026-11-11.json': tea(4), 'products-2026-11-12.json': tea(6) });
        await until(() => reloads() === 8);
        expect(await newest(3)).toEqual([
          [2, 'changed', '12'],
          [2, 'changed', '11'],
          [2, 'changed', '09'],
        ]);
      } finally {
        await server.end();
      }
    },
  ));

describe('commands that serve nothing read the newest dump of a history, as serve would', () => {
  const recordsOf = (text: string): number => text.split('\n').filter((line) => line.startsWith('{"id"')).length;

  test('and say so; --add-up, and files of other records, are read whole', () =>
    withFolder(
      {
        'same/products-2026-11-01.json': tea(9, { id: 4, title: 'Gone', price: 1 }),
        'same/products-2026-11-02.json': tea(5),
        'parts/shop-2026-11-01.json': tea(9).replaceAll('"id":', '"id":10'),
        'parts/shop-2026-11-02.json': tea(9).replaceAll('"id":', '"id":20'),
      },
      async (dir) => {
        const same = join(dir, 'same');
        const said = `${same} is a history of 2 dumps, of which the newest is read; --add-up adds them up`;
        const checked = await run(['check', same]);
        expect(checked).toMatchObject({ code: 0, stderr: `${said}\n` });
        expect(checked.stdout).toContain('1 file, 3 records, none refused');
        const converted = await run(['convert', same]);
        expect(recordsOf(converted.stdout)).toBe(3);
        expect(converted.stderr).toContain(said);
        const added = await run(['convert', same, '--add-up']);
        expect(recordsOf(added.stdout)).toBe(7);
        expect(added.stderr).not.toContain('history');
        expect(recordsOf((await run(['convert', join(dir, 'parts')])).stdout)).toBe(6);
      },
    ));
});

describe('a folder of dated dumps has an earlier one', () => {
  const files = {
    'shop/products-2026-11-01.json': tea(7),
    'shop/products-2026-11-02.json': tea(9),
    'shop/products-2026-11-03.json': tea(5),
    'one/products.json': tea(5),
    'days/2026-11-01/shop.json': tea(9),
    'days/2026-11-02/shop.json': tea(5),
  };

  test.each(['shop', 'days'])('which diff compares with the newest: %s', (folder) =>
    withFolder(files, async (dir) => {
      const { code, stdout } = await run(['diff', join(dir, folder)]);
      expect(code).toBe(1);
      expect(stdout).toContain('    9 -> 5 (-44.44 %)');
    }),
  );

  test('which diff does not read where another dump is named, but says so; a folder of one dump has none', () =>
    withFolder(files, async (dir) => {
      const { stdout, stderr } = await run(['diff', join(dir, 'shop'), join(dir, 'one')]);
      expect(stdout).toContain('Nothing changed.');
      expect(stderr).toContain('is a history of 3 dumps, of which the newest is read; --add-up adds them up');
      const one = join(dir, 'one');
      expect(await run(['diff', one])).toEqual({
        code: 2,
        stdout: '',
        stderr: `${one} is no folder of dated dumps: name an earlier dump and a later one.\n`,
      });
    }));

  test('which the gates of check compare with', () =>
    withFolder(files, async (dir) => {
      const { code, stdout } = await run(['check', join(dir, 'shop'), '--max-lost', '20%']);
      expect(code).toBe(0);
      expect(stdout).toContain(
        `compared with ${join(dir, 'shop/products-2026-11-02.json')}: 0 added, 0 removed, 1 changed`,
      );
      expect(stdout).toContain('gate held: products: --max-lost');
      const alone = await run(['check', join(dir, 'one'), '--max-new', '20%']);
      expect(alone).toMatchObject({
        code: 2,
        stderr: '--max-new needs --previous OLD, the dump to compare with, or a folder of dated dumps.\n',
      });
    }));

  test('which the library leaves out and names, unless they add up', () =>
    withFolder(files, async (dir) => {
      const folder = join(dir, 'shop');
      const [newest, all] = [await loadDataset(folder), await loadDataset(folder, { addUp: true })];
      if (!newest.ok || !all.ok) throw new Error('not loaded');
      expect(newest.report.files.map(({ file }) => file)).toEqual([join(folder, 'products-2026-11-03.json')]);
      expect(newest.report.ignored).toEqual(
        ['01', '02'].map((day) =>
          expect.stringContaining(`products-2026-11-${day}.json: an earlier dump of a history`),
        ),
      );
      expect([all.report.files.length, all.report.ignored.length]).toEqual([3, 0]);
    }));
});

test('--add-up, and dumps of other records, are no history; a dump that broke off is named', () =>
  withFolder(
    {
      'same/products-2026-11-01.json': tea(9),
      'same/products-2026-11-02.json': tea(5),
      'parts/shop-2026-11-01.json': tea(9).replaceAll('"id":', '"id":10'),
      'parts/shop-2026-11-02.json': tea(9).replaceAll('"id":', '"id":20'),
      'broken/2026-11-01.json': tea(9),
      'broken/2026-11-02.json': '[{"id":2,"title":"Tea 2","price":5}]',
      // A price that is text has a finding, so that the start names the check.
      'broken/2026-11-03.json': tea(5).replace('5', '"5.00"'),
    },
    async (dir) => {
      const total = async (args: readonly string[]) => {
        const server = await serve([...args, '--rate-limit', '0']);
        try {
          const { collections, changes } = await getJson<{
            collections: Record<string, number>;
            changes?: Record<string, { incomplete?: readonly string[]; removed: number }>;
          }>(`${server.url}/health`);
          return [Math.max(...Object.values(collections)), Object.values(changes ?? {})];
        } finally {
          // The check that the start names reads what is served.
          if (args.includes('--history'))
            expect(server.stdout()).toContain(` check ${join(dir, 'broken/2026-11-03.json')}\n`);
          await server.end();
        }
      };
      expect(await total([join(dir, 'same'), '--add-up'])).toEqual([3, []]);
      expect(await total([join(dir, 'parts')])).toEqual([6, []]);
      expect(await total(['--history', join(dir, 'broken')])).toMatchObject([
        3,
        [{ incomplete: ['2026-11-02.json'], removed: 0, changes: 1 }],
      ]);
    },
  ));

test('the served dump is none of the earlier ones, however its path is written', () =>
  withFolder({ 'shop/products-2026-13-45.json': tea(9), 'shop/products-2026-11-02.json': tea(5) }, async (dir) => {
    const server = await serve(['./shop/products-2026-11-02.json', '--history', join(dir, 'shop')], {}, dir);
    try {
      expect(server.stdout()).toContain('products-2026-13-45.json: 0 added, 0 removed, 1 changed\n');
    } finally {
      await server.end();
    }
  }));

test('a watched folder becomes a history by its second dated file, and a dated folder is read once it is whole', () =>
  withFolder({ 'products-2026-11-01.json': tea(9) }, async (dir) => {
    const server = await serve([dir, '--rate-limit', '0', '--watch', '--quiet']);
    try {
      await moveIn(dir, { 'products-2026-11-02.json': tea(5) });
      await until(() => server.stdout().includes('reloaded: '));
      const changes = async () =>
        (await getJson<List>(`${server.url}/api/products/changes?fields=record,from,to,date`)).data;
      const first = { record: 2, from: 9, to: 5, date: '2026-11-02T00:00:00Z' };
      expect(await changes()).toEqual([first]);
      mkdirSync(join(dir, '2026-11-03'));
      writeFileSync(join(dir, '2026-11-03', 'products.ndjson'), '{"id":1,"title":"Tea 1","price":4}\n{"id":2,"tit');
      await new Promise((resolve) => setTimeout(resolve, 1000));
      writeFileSync(
        join(dir, '2026-11-03', 'products.ndjson'),
        [4, 7, 4].map((price, i) => JSON.stringify({ id: i + 1, title: `Tea ${i + 1}`, price })).join('\n'),
      );
      await until(async () => (await changes()).length > 1);
      expect(await changes()).toEqual([{ record: 2, from: 5, to: 7, date: '2026-11-03T00:00:00Z' }, first]);
      expect(server.stderr()).toBe('');
    } finally {
      await server.end();
    }
  }));
