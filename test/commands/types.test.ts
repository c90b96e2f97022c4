/** TypeScript interfaces of the records: real answers are values of them, and the command prints what the server has. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { typesText } from '../../src/http/openapi/typescript.js';
import type { CollectionModel } from '../../src/model.js';
import { modelsOf } from '../../src/store/dataset.js';
import { appOf, comparedSample, datasetIn, datasetOf, pathTo } from '../support/api.js';
import { run, serve, withFolder } from '../support/program.js';

const job = (fields: object): string => JSON.stringify({ position: 'Baker', ...fields });
const DUMP = {
  'jobs-2026.jsonl': [
    job({
      salary: 2500.5,
      'opening hours': '9 to 5',
      remote: true,
      skills: ['bread', 'cakes'],
      place: { city: 'Oslo' },
    }),
    job({ salary: null, 'opening hours': '9 to 12', remote: false, history: [{ year: 1 }], closes: '2026-11-27' }),
  ].join('\n'),
  'products.json': JSON.stringify([
    { id: 1, title: 'Tea', price: 4.2, brand: 'Acme', description: 'Green' },
    { id: 2, title: 'Salt */ "x"', brand: "O'Neil" },
  ]),
};

/** What the compiler of TypeScript says of some files, in strict mode. */
function compile(dir: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const args = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--types', ''];
  const { stdout } = spawnSync(pathTo('node_modules/.bin/tsc'), [...args, ...Object.keys(files)], {
    cwd: dir,
    encoding: 'utf8',
  });
  return stdout;
}

describe.each([
  ['as answers are', {}],
  ['with --extra', { hasAllFields: true }],
  ['with --envelope meta', { envelope: 'meta' }],
] as const)('%s', (_, options) => {
  test('answers are values of the interfaces, and a wrong use is an error of the compiler', async () => {
    await withFolder(DUMP, async (dir) => {
      const app = appOf(await datasetIn(dir), options);
      const textAt = async (path: string): Promise<string> => (await app.request(path)).text();
      const client = [
        "import type { ErrorBody, JobsRecord, JobsRecordItem, Page, Product, ProductItem } from './api.js';",
        `export const jobs: Page<JobsRecordItem> = ${await textAt('/api/jobs')};`,
        `export const job: JobsRecord = ${await textAt('/api/jobs/2')};`,
        `export const products: Page<ProductItem> = ${await textAt('/api/products')};`,
        `export const product: Product = ${await textAt('/api/products/1')};`,
        `export const whole: Page<Product> = ${await textAt('/api/products?fields=*')};`,
        `export const failed: ErrorBody = ${await textAt('/api/products?page=0')};`,
        'export const salary: number | null = job.salary;',
        '// @ts-expect-error it may be null',
        'export const wrong: number = job.salary;',
        '// @ts-expect-error there is no such field',
        'job.colour;',
      ].join('\n');
      expect(compile(dir, { 'api.d.ts': await textAt('/api/types.d.ts'), 'client.ts': client })).toBe('');
    });
  });
});

test('a change, and a record of a history, has an interface', async () => {
  await withFolder({}, async (dir) => {
    const app = appOf(await comparedSample());
    const textAt = async (path: string): Promise<string> => (await app.request(path)).text();
    const client = [
      "import type { Change, Page } from './api.js';",
      `export const changes: Page<Change> = ${await textAt('/api/products/changes?limit=100')};`,
      `export const history: Page<Change> = ${await textAt('/api/products/1001/history')};`,
      `export const one: Change = ${await textAt('/api/products/changes/1')};`,
      'export const days: Record<Change["kind"], string> = { changed: one.date, added: "", removed: "" };',
      'export const record: number | null = one.record;',
      '// @ts-expect-error a record that is gone has no id',
      'export const wrong: number = one.record;',
      '// @ts-expect-error it may be a value of any kind',
      'export const price: number = one.to;',
    ].join('\n');
    expect(compile(dir, { 'api.d.ts': await textAt('/api/types.d.ts'), 'client.ts': client })).toBe('');
  });
});

test('each field has its description, and names that are no identifiers are quoted', async () => {
  await withFolder(DUMP, async (dir) => {
    const text = await (await appOf(await datasetIn(dir)).request('/api/types.d.ts')).text();
    for (const model of modelsOf((await datasetIn(dir)).dataset).filter(({ name }) => name !== 'articles'))
      for (const { description } of model.fields) expect(text).toContain(description.replaceAll('*/', '* /'));
    expect(text).not.toContain('interface Article');
  });
});

test('any name of a field and of a collection makes a file that compiles', async () => {
  await withFolder({}, async (dir) => {
    const names = ['class', 'a-b', "it's", '"q"', 'größe', '商品', '1st', 'a\\b', 'x */ y', '__proto__', '🍎'];
    const models = ['größe', 'a-b', 'a_b', 'page', 'error'].map(
      (name): CollectionModel => ({
        name,
        singular: 'Record',
        isOwn: true,
        fields: [
          { name: 'id', kind: 'integer', description: 'The id.', required: true },
          ...names.map((each) => ({ name: each, kind: 'text' as const, description: `From ${each}.` })),
        ],
      }),
    );
    const text = typesText(models, { envelope: 'pagination' });
    const client = `import type { A_2d_bRecord, A__bRecord } from './api.js';
export const record = (one: A_2d_bRecord, other: A__bRecord) => [${names.map((name) => `one[${JSON.stringify(name)}]`)}, other.id];`;
    expect(compile(dir, { 'api.d.ts': text, 'client.ts': client })).toBe('');
  });
});

describe('the command', () => {
  test('prints what the server has', async () => {
    await withFolder(DUMP, async (dir) => {
      const server = await serve([dir]);
      const served = await (await server.fetch('/api/types.d.ts')).text();
      await server.end();
      expect(await run(['types', dir])).toEqual({ code: 0, stdout: served, stderr: '' });
    });
  });

  test('says what it lacks', async () => {
    await withFolder({ readme: 'nothing' }, async (dir) => {
      expect(await run(['types', 'nowhere'])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^There is no file or folder nowhere\. Name a file or folder: .* types PATH…\n$/),
      });
      expect(await run(['types', dir])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `${dir}: expected a file of records in JSON, NDJSON or CSV, found none\n`,
      });
    });
  });
});

const sample = appOf(await comparedSample());

describe('/llms.txt', () => {
  test('says of this dump what is here, in 2 kB, and each of its addresses answers', async () => {
    const response = await sample.request('/llms.txt');
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^# Scraper Data API\n\n> /);
    for (const name of ['articles', 'products'])
      expect(text).toMatch(new RegExp(`- \\[${name}\\]\\(/api/${name}\\): \\d`));
    const paths = [...text.matchAll(/(?:\(|`)(\/[^)`]*)/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths) {
      const asked = path.replace('/ID', '/40018457').replace('FIELD', 'tags').replace('WORDS', 'map');
      expect([asked, (await sample.request(asked)).status]).toEqual([asked, 200]);
    }
    const [, filter = ''] = /all of these: `([^`]+)`/.exec(text) ?? [];
    expect((await sample.request(`/api/articles?${filter}`)).status).toBe(200);
  });

  test('is 2 kB at most for any dump, and there for an empty one', async () => {
    await withFolder(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, file) => [
          `${['x', 'ж', '品', 'ü'][file % 4]?.repeat(2 * file + 1)}.json`,
          JSON.stringify([Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`column${i}_of_the_dump`, i]))]),
        ]),
      ),
      async (dir) => {
        const text = await (await appOf(await datasetIn(dir)).request('/llms.txt')).text();
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000);
        expect(text).toMatch(/\d more: \[all of them\]\(\/api\)/);
      },
    );
    const empty = await appOf(datasetOf({})).request('/llms.txt');
    expect(empty.status).toBe(200);
    expect(await empty.text()).toContain('/docs.md');
  });

  test('names the collections whose records an engine holds', async () => {
    const served = datasetOf({});
    const sizes = new Map([
      ['articles', 0],
      ['products', 12],
    ]);
    const response = await appOf({ ...served, dataset: { ...served.dataset, sizes } }).request('/llms.txt');
    const text = await response.text();
    expect(text).toContain('- [products](/api/products): 12 records');
    expect(text).not.toContain('[articles]');
  });

  test('/robots.txt keeps crawlers from the records', async () => {
    expect(await (await sample.request('/robots.txt')).text()).toMatch(
      /^User-agent: \*\n(?:Allow: .*\n)+Disallow: \/\n$/,
    );
  });
});
