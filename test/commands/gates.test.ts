/** Gates: what a dump has to hold before it takes the place of an earlier one, by `check` and by a server's reload. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Turnover } from '../../src/build/compare.js';
import { type Gates, gateFault, gateResults, gateText } from '../../src/build/gates.js';
import type { FileReport, LoadReport } from '../../src/load/report/report.js';
import { run, serve, withFolder } from '../support/program.js';
import { until } from '../support/until.js';

/** A report of files that have so many records: read, and accepted, with so many values of a field. */
const reportOf = (
  ...files: readonly (readonly [collection: string, read: number, accepted: number, prices?: number])[]
): LoadReport => ({
  files: files.map(
    ([collection, records, accepted, present]) =>
      ({
        collection,
        records,
        accepted,
        refused: records - accepted,
        fields: present === undefined ? [] : [{ field: 'price', present }],
      }) as unknown as FileReport,
  ),
  ignored: [],
  findings: [],
});

const turnover = (earlier: number, lost: number, added: number): ReadonlyMap<string, Turnover> =>
  new Map([['products', { earlier, lost, added }]]);

describe('a gate', () => {
  const priceOf = (share: number): Gates => ({ minFilled: [{ field: 'price', share }] });
  const none = { minFilled: [] };
  test.each<[string, Gates, LoadReport, ReadonlyMap<string, Turnover> | null, boolean, string]>([
    [
      'records that are as many',
      { ...none, minRecords: 10 },
      reportOf(['products', 12, 10]),
      null,
      true,
      'products: --min-records: expected at least 10 records, found 10',
    ],
    [
      'too few records, over all files of the collection',
      { ...none, minRecords: 1000 },
      reportOf(['products', 500, 499], ['products', 500, 500]),
      null,
      false,
      'products: --min-records: expected at least 1,000 records, found 999',
    ],
    [
      'no file',
      { ...none, minRecords: 1 },
      reportOf(),
      null,
      false,
      '--min-records: expected at least 1 record, found no file of records',
    ],
    [
      'as many gone as may be',
      { ...none, maxLost: 0.07 },
      reportOf(['products', 1, 1]),
      turnover(100, 7, 0),
      true,
      'products: --max-lost: expected at most 7 % of 100 earlier records gone, found 7 % (7)',
    ],
    [
      'one more gone',
      { ...none, maxLost: 0.07 },
      reportOf(['products', 1, 1]),
      turnover(100, 8, 0),
      false,
      'products: --max-lost: expected at most 7 % of 100 earlier records gone, found 8 % (8)',
    ],
    [
      'nothing there before',
      { ...none, maxLost: 0 },
      reportOf(['products', 1, 1]),
      turnover(0, 0, 5),
      true,
      'products: --max-lost: expected at most 0 % of 0 earlier records gone, found 0',
    ],
    [
      'more new records than earlier ones',
      { ...none, maxNew: 1.5 },
      reportOf(['products', 1, 1]),
      turnover(2, 0, 4),
      false,
      'products: --max-new: expected at most 150 % of 2 earlier records as new ones, found 200 % (4)',
    ],
    [
      'values that are just enough, though 0.07 * 100 is more than 7',
      priceOf(0.07),
      reportOf(['products', 100, 100, 7]),
      null,
      true,
      'products: --min-filled: expected a price in at least 7 % of 100 records, found 7 % (7)',
    ],
    [
      'a share that rounding would make enough',
      priceOf(0.95),
      reportOf(['products', 100_000, 100_000, 94_999]),
      null,
      false,
      'products: --min-filled: expected a price in at least 95 % of 100,000 records, found 94.99 % (94,999)',
    ],
    [
      'no record that could have a value',
      priceOf(0),
      reportOf(['products', 3, 0, 0]),
      null,
      false,
      'products: --min-filled: expected a price in at least 0 % of 0 records, found 0',
    ],
    [
      'a field that no collection has',
      priceOf(0),
      reportOf(['products', 3, 3]),
      null,
      false,
      '--min-filled: expected a field price with a value in at least 0 % of the records, found no collection with such a field',
    ],
    [
      'refusals within the limit',
      { ...none, maxRefused: 0.01 },
      reportOf(['products', 100, 99]),
      null,
      true,
      'products: --max-refused: expected at most 1 % of 100 records refused, found 1 % (1)',
    ],
    [
      'refusals beyond it',
      { ...none, maxRefused: 0 },
      reportOf(['products', 3, 2]),
      null,
      false,
      'products: --max-refused: expected at most 0 % of 3 records refused, found 33.33 % (1)',
    ],
  ])('%s', (_, gates, report, turnovers, holds, text) => {
    const results = gateResults(gates, report, turnovers);
    expect(results.map(gateText)).toEqual([text]);
    expect(results.map((result) => result.holds)).toEqual([holds]);
    expect(gateFault(results)).toBe(holds ? null : text);
  });

  test('is evaluated for each collection that it is about', () => {
    const gates: Gates = { minRecords: 2, minFilled: [{ field: 'price', share: 0.5 }] };
    const results = gateResults(gates, reportOf(['articles', 3, 3], ['jobs', 1, 1, 0], ['products', 2, 2, 2]), null);
    expect(results.map(({ gate, collection, holds }) => [gate, collection, holds])).toEqual([
      ['--min-records', 'articles', true],
      ['--min-records', 'jobs', false],
      ['--min-records', 'products', true],
      ['--min-filled', 'jobs', false],
      ['--min-filled', 'products', true],
    ]);
  });
});

const product = (id: number, price: number | null = id): string => JSON.stringify({ id, title: `Thing ${id}`, price });
const dump = (...ids: readonly number[]): string => ids.map((id) => product(id)).join('\n');
const job = (position: string): string => JSON.stringify({ position, salary: 1000, city: 'Oslo' });

describe('check', () => {
  const files = {
    'old/products.jsonl': dump(1, 2, 3, 4),
    'old/jobs.jsonl': ['a', 'b', 'c'].map(job).join('\n'),
    'new/products.jsonl': dump(2, 3, 4, 5),
    'refused/products.jsonl': `${dump(1, 2, 3)}\n{"id":4,"title":"cut of`,
  };
  const check = (dir: string, line: string) => run(['check', ...line.split(' ')], {}, dir);

  test('gates are lines and exit codes; a collection that is gone has lost all', async () => {
    await withFolder(files, async (dir) => {
      const line = 'new/products.jsonl --previous old/products.jsonl --max-lost 25% --max-new 25% --min-records 4';
      const held = await check(dir, line);
      expect(held).toMatchObject({ code: 0, stderr: '' });
      expect(held.stdout).toContain('compared with old/products.jsonl: 1 added, 1 removed, 0 changed\n');
      expect(held.stdout.match(/^gate held: /gm)).toHaveLength(3);
      const failed = await check(dir, `${line} --max-lost 24%`);
      expect(failed.code).toBe(1);
      expect(failed.stdout).toContain(
        'gate not held: products: --max-lost: expected at most 24 % of 4 earlier records gone, found 25 % (1)\n',
      );
      const gone = await check(dir, 'new --previous old --max-lost 25%');
      expect(gone.code).toBe(1);
      expect(gone.stdout).toContain(
        'gate not held: jobs: --max-lost: expected at most 25 % of 3 earlier records gone, found 100 % (3)\n',
      );
    });
  });

  test('--json has the gates beside the report, and no such list without gates', async () => {
    await withFolder(files, async (dir) => {
      const { stdout, code } = await check(dir, 'new --json --min-filled price=100% --min-records 5');
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        files: [{ collection: 'products', accepted: 4 }],
        gates: [
          {
            gate: '--min-records',
            collection: 'products',
            expected: 'at least 5 records',
            found: '4',
            holds: false,
          },
          { gate: '--min-filled', collection: 'products', found: '100 % (4)', holds: true },
        ],
      });
      expect(JSON.parse((await check(dir, 'new --json')).stdout)).not.toHaveProperty('gates');
    });
  });

  test('refusals fail it, but within --max-refused they do not', async () => {
    await withFolder(files, async (dir) => {
      expect((await check(dir, 'refused')).code).toBe(1);
      expect((await check(dir, 'refused --min-records 3')).code).toBe(1);
      expect((await check(dir, 'refused --max-refused 25%')).code).toBe(0);
      expect((await check(dir, 'refused --max-refused 24%')).code).toBe(1);
    });
  });

  test('an earlier dump that is not there, or holds nothing, is said', async () => {
    await withFolder({ ...files, 'empty/readme': '' }, async (dir) => {
      expect(await check(dir, 'new --previous nowhere --max-lost 1%')).toMatchObject({
        code: 1,
        stderr: 'There is no file or folder nowhere; --previous or SCRAPER_PREVIOUS names it.\n',
      });
      expect(await check(dir, 'new --previous empty --max-lost 1%')).toMatchObject({
        code: 1,
        stderr: 'empty: expected a file of records in JSON, NDJSON or CSV, found none\n',
      });
    });
  });
});

describe('a server', () => {
  test('does not start with a dump that does not pass', async () => {
    await withFolder({ 'products.jsonl': dump(1, 2, 3) }, async (dir) => {
      const { code, stderr } = await run([dir, '--port', '0', '--min-records', '4']);
      expect(code).toBe(1);
      expect(stderr).toBe('products: --min-records: expected at least 4 records, found 3\n');
      const path = join(dir, 'products.jsonl');
      await withFolder({ 'products.jsonl': dump(1, 2, 3, 4, 5, 6) }, async (earlier) => {
        const ended = await run([
          path,
          '--port',
          '0',
          '--previous',
          earlier,
          '--max-lost',
          '20%',
          '--max-refused',
          '0%',
        ]);
        expect(ended.code).toBe(1);
        expect(ended.stderr).toContain('--max-lost: expected at most 20 % of 6 earlier records gone, found 50 % (3)\n');
      });
    });
  });

  test('at a reload says which gate did not hold, and goes on with the earlier records', async () => {
    await withFolder({ 'products.jsonl': dump(1, 2, 3, 4) }, async (dir) => {
      const server = await serve([dir, '--max-lost', '25%', '--min-filled', 'price=75%']);
      const totals = async () => {
        const { collections, reloadFault } = (await (await server.fetch('/health')).json()) as {
          collections: { products: number };
          reloadFault?: { message: string };
        };
        return [collections.products, reloadFault?.message];
      };
      const reload = async (text: string, isDone: () => boolean): Promise<void> => {
        writeFileSync(join(dir, 'products.jsonl'), text);
        server.child.kill('SIGHUP');
        await until(isDone);
      };
      const failures = () => server.stderr().split('reload failed').length - 1;
      try {
        await reload(dump(1, 2), () => failures() === 1);
        const half = 'products: --max-lost: expected at most 25 % of 4 earlier records gone, found 50 % (2)';
        expect(await totals()).toEqual([4, half]);
        await reload([1, 2, 3, 4].map((id) => product(id, id > 2 ? null : 1)).join('\n'), () => failures() === 2);
        const unpriced = 'products: --min-filled: expected a price in at least 75 % of 4 records, found 50 % (2)';
        expect(await totals()).toEqual([4, unpriced]);
        expect(server.stderr()).toContain(unpriced);
        await reload(dump(1, 2, 3), () => server.stdout().includes('reloaded: '));
        expect(await totals()).toEqual([3, undefined]);
      } finally {
        await server.end();
      }
    });
  });
});
