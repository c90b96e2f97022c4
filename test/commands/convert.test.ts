/** The command `convert` writes what a server of the same dump exports, in bounded memory, and nothing that it would have to take back. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { schemaText } from '../../src/commands/schema.js';
import { modelsOf } from '../../src/store/dataset.js';
import { appOf, datasetIn, pathTo, sampleDir } from '../support/api.js';
import { type Files, run, withFolder } from '../support/program.js';

const main = pathTo('dist/main.js');

const JOBS = [
  {
    position: 'Baker',
    salary: '€ 2.500,50',
    remote: true,
    skills: ['bread', 'cakes'],
    place: { city: 'Oslo' },
    closes: '27.11.2026',
  },
  { position: '=1+1 "quoted", 商品\nline', salary: null, remote: false, history: [{ year: 1 }], place: { city: '' } },
  { position: 'Cook', salary: '1.000,00 €', skills: ['a|b', 'x,y'], history: 'none' },
];
/** What the first records show of `code` is not so: integers at first, then codes. */
const CONTRADICTED = Array.from({ length: 3000 }, (_, i) => ({
  id: i + 1,
  title: `Thing ${i}`,
  code: i < 2000 ? i : `A-${i}`,
}));
const DUMPS: Readonly<Record<string, Files>> = {
  'a collection of its own': { 'jobs.json': JSON.stringify(JOBS) },
  'a dump whose later records decide otherwise': { 'products.json': JSON.stringify(CONTRADICTED) },
  'a table': { 'products.csv': 'ID;Titel;Preis;zip\n7;Tee;1,50;01067\n9;"Öl; gut";;20095\n' },
  'an empty table': { 'products.csv': 'id,title,price\n' },
};

describe.each(Object.entries(DUMPS))('%s', (_, files) => {
  test.each(['ndjson', 'json', 'csv'])('goes out as the export of a server: %s', async (format) => {
    await withFolder(files, async (dir) => {
      const served = await datasetIn(dir);
      const name = [...served.dataset.collections].find(([, { size }]) => size > 0)?.[0] ?? 'products';
      const address = `/api/export/${name}?format=${format}&fields=*`;
      const exported = await (await appOf(served).request(format === 'csv' ? `${address}&guard=0` : address)).text();
      const { stdout, code } = await run(['convert', dir, '--to', format]);
      expect([code, stdout]).toEqual([0, exported]);
    });
  });
});

test('the sample goes out as its export', async () => {
  const exported = await (
    await appOf(await datasetIn(sampleDir)).request('/api/export/articles?format=ndjson&fields=*')
  ).text();
  expect((await run(['convert', sampleDir, '--collection', 'articles'])).stdout).toBe(exported);
});

test('--fields are written in their order; a list that is missing is left out, and an empty cell of CSV', async () => {
  await withFolder({ 'jobs.json': JSON.stringify(JOBS) }, async (dir) => {
    const { stdout } = await run(['convert', dir, '--fields', 'skills,salary,id']);
    expect(stdout.trim().split('\n')).toEqual([
      '{"skills":["bread","cakes"],"salary":2500.5,"id":1}',
      '{"salary":null,"id":2}',
      '{"skills":["a|b","x,y"],"salary":1000,"id":3}',
    ]);
    const csv = (await run(['convert', dir, '--fields', 'skills,id', '--to', 'csv'])).stdout;
    expect(csv).toBe('skills,id\r\n"[""bread"",""cakes""]",1\r\n,2\r\n"[""a|b"",""x,y""]",3\r\n');
  });
});

test('what was read, refused and assumed goes to standard error, and ids that come again are written again', async () => {
  const records = [{ id: 1, title: 'Tea' }, { id: 2, title: 'Salt' }, { id: 1, title: 'Green tea' }, { id: 3 }];
  await withFolder({ 'products.jsonl': records.map((each) => JSON.stringify(each)).join('\n') }, async (dir) => {
    const { code, stdout, stderr } = await run(['convert', dir, '--fields', 'id,title']);
    expect(code).toBe(0);
    expect(stdout).toBe('{"id":1,"title":"Tea"}\n{"id":2,"title":"Salt"}\n{"id":1,"title":"Green tea"}\n');
    expect(stderr).toContain('products.jsonl: 3 records, ');
    expect(stderr).toContain('1 refused');
    expect(stderr).toContain('warning: 1 record has an id that came before: it was written like all others\n');
  });
});

test('standard input is a dump, and a broken one writes nothing', async () => {
  const lines = CONTRADICTED.map((each) => JSON.stringify(each)).join('\n');
  const ended = spawnSync(process.execPath, [main, 'convert', '-', '--as', 'products', '--fields', 'id,code'], {
    input: lines,
    encoding: 'utf8',
  });
  expect(ended.status).toBe(0);
  expect(ended.stdout.split('\n').slice(0, 2)).toEqual(['{"id":1,"code":"0"}', '{"id":2,"code":"1"}']);
  const broken = spawnSync(process.execPath, [main, 'convert', '-', '--as', 'products'], {
    input: `[${lines.replaceAll('\n', ',')}`,
    encoding: 'utf8',
  });
  expect([broken.status, broken.stdout]).toEqual([1, '']);
  expect(broken.stderr).toMatch(/^standard input:\d+:\d+: /);
});

test.skipIf(process.platform === 'win32')('a reader that has seen enough ends it quietly', async () => {
  await withFolder(
    {
      'products.json': JSON.stringify(
        [...CONTRADICTED, ...CONTRADICTED].map((each, i) => ({ ...each, id: i, text: 'x'.repeat(500) })),
      ),
    },
    async (dir) => {
      const child = spawn(
        'sh',
        ['-c', `"$0" "$@" | head -n 1; exit 0`, process.execPath, main, 'convert', dir, '--fields', 'id'],
        {},
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      expect(await once(child, 'close')).toEqual([0, null]);
      expect(output).toMatch(/^\{"id":0\}\n/);
      expect(output).not.toMatch(/EPIPE|Unexpected|at .*\.js/);
    },
  );
});

describe('a wrong use', () => {
  const files = {
    'products.json': '[{"id":1,"title":"Tea","price":1}]',
    'jobs.json': '[{"pay":1},{"pay":2}]',
    'empty/readme': '',
    'broken/cups.json': '[{"id":1},\n{"id":}]',
  };
  test.each<[string, number, string]>([
    ['.', 2, 'The dump has 2 collections, and one goes out: --collection products or jobs.'],
    ['. --collection job', 2, 'There is no collection "job"; the dump has products, jobs.'],
    ['empty', 2, 'There are no records to convert: expected a file of JSON, NDJSON or CSV.'],
    ['broken', 1, 'cups.json:2:7: expected a value, found `}`'],
    ['jobs.json --fields id,wage', 2, 'jobs has no field "wage"; --fields takes some of '],
    [
      'jobs.json --fields ,',
      2,
      '--fields must be names of fields, separated by commas, such as id,title,price, received ",".',
    ],
    ['jobs.json --to xml', 2, '--to must be ndjson, csv or json, received "xml".'],
    ['jobs.json --schema mysql', 2, '--schema must be postgres, clickhouse or opensearch, received "mysql".'],
    ['jobs.json --schema postgres --to csv', 2, '--schema writes no records: leave --to out.'],
    ['', 2, '"convert" takes a dump: a file, a folder, an address, or - for standard input.'],
    ['- -', 2, 'Standard input is read once, and - is named more than once.'],
    ['jobs.json --to', 2, '--to needs a value: ndjson, csv or json.'],
    ['nowhere', 1, 'There is no file or folder nowhere.'],
  ])('convert %s', async (args, code, message) => {
    await withFolder(files, async (dir) => {
      const ended = await run(['convert', ...args.split(' ').filter(Boolean)], {}, dir);
      expect([ended.code, ended.stdout]).toEqual([code, '']);
      expect(ended.stderr).toContain(message);
      expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    });
  });

  test('its flags belong to it', async () => {
    expect((await run(['check', '--to', 'csv'])).stderr).toBe(
      '--to belongs to "convert" and "push", not to "check". See --help.\n',
    );
  });
});

describe('--schema', () => {
  const files = { 'jobs.json': JSON.stringify(JOBS) };
  const of = (system: string) => withFolder(files, (dir) => run(['convert', dir, '--schema', system]));

  test('postgres', async () => {
    const { stdout, code } = await of('postgres');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^create table "jobs" \(\n {2}"id" bigint primary key,\n/);
    expect(stdout).toContain('  "salary" double precision');
    expect(stdout).toContain('  "remote" boolean');
    expect(stdout).toContain('  "skills" text[]');
    expect(stdout).toContain('  "history" jsonb');
    expect(stdout).toContain('  "closes" timestamptz');
  });

  test('clickhouse', async () => {
    const { stdout } = await of('clickhouse');
    expect(stdout).toMatch(/^CREATE TABLE `jobs` \(\n {2}`id` Int64,\n/);
    expect(stdout).toContain('  `salary` Nullable(Float64)');
    expect(stdout).toContain('  `skills` Array(String)');
    expect(stdout).toContain(') ENGINE = MergeTree ORDER BY id;');
  });

  test('opensearch', async () => {
    const { properties } = JSON.parse((await of('opensearch')).stdout).mappings;
    expect(properties).toMatchObject({
      id: { type: 'long' },
      salary: { type: 'double' },
      remote: { type: 'boolean' },
      skills: { type: 'keyword' },
      history: { type: 'object', enabled: false },
      closes: { type: 'date' },
    });
  });

  test('names are quoted as each system quotes them', async () => {
    await withFolder(files, async (dir) => {
      const model = modelsOf((await datasetIn(dir)).dataset).find(({ name }) => name === 'jobs');
      if (model === undefined) throw new Error('there are no jobs');
      const odd = { ...model, name: 'a"b`c', fields: [{ name: 'x"y`z', kind: 'text', description: '' } as const] };
      expect(schemaText('postgres', odd, ['x"y`z'])).toContain('create table "a""b`c" (\n  "x""y`z" text\n);');
      expect(schemaText('clickhouse', odd, ['x"y`z'])).toContain(
        'CREATE TABLE `a"b``c` (\n  `x"y``z` Nullable(String)\n) ENGINE = MergeTree ORDER BY tuple();',
      );
    });
  });
});

test('its memory does not grow with the dump', async () => {
  await withFolder({}, async (dir) => {
    const peakOf = (records: number): number => {
      const script = `const { writeSync, openSync } = require('node:fs');
        const file = openSync(process.argv[1], 'w');
        for (let i = 0; i < ${records}; i += 1000)
          writeSync(file, Array.from({ length: 1000 }, (_, j) => JSON.stringify({ id: (i + j) * 7919 % 10000019, title: 'Thing ' + j, text: 'word '.repeat(100) })).join('\\n') + '\\n');`;
      const path = join(dir, `products-${records}.jsonl`);
      spawnSync(process.execPath, ['-e', script, path]);
      const measured = `process.argv.splice(1, 0, 'x'); process.argv[1] = ${JSON.stringify(main)}; process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS)); import(${JSON.stringify(main)});`;
      const { stderr } = spawnSync(process.execPath, ['-e', measured, 'convert', path, '--as', 'products'], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      });
      return Number(/peak (\d+)/.exec(stderr)?.[1]);
    };
    const [small, large] = [peakOf(20_000), peakOf(160_000)];
    expect(small).toBeGreaterThan(0);
    expect(large / small).toBeLessThan(1.5);
  });
});
