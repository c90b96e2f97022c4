/** A typed client generated from the OpenAPI document compiles, says what it was told, and refuses what is not described. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { appOf, datasetIn, getJson, pathTo, sampleDir } from '../support/api.js';
import { start } from '../support/socket.js';

/** The generator needs a TypeScript older than the project's, so it is a package of its own. */
const generator = pathTo('test/client/node_modules/openapi-typescript/bin/cli.js');
const compilers = {
  "the generator's TypeScript": pathTo('test/client/node_modules/typescript/bin/tsc'),
  "the project's TypeScript": pathTo('node_modules/typescript/bin/tsc'),
} as const;

function haveGenerator(): boolean {
  if (existsSync(generator)) return true;
  if (process.env.CI) throw new Error(`CI needs ${generator}: npm ci`);
  console.warn('skipped: the typed client, as its generator is not installed: npm ci');
  return false;
}

const CLIENT = readFileSync(pathTo('test/examples/typed-client.ts'), 'utf8');

const SETTINGS = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: ['node'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    // The generated file is a source file, and is checked; the libraries' declarations are not.
    skipLibCheck: true,
    outDir: 'out',
  },
  include: ['*.ts'],
};

const run = promisify(execFile);

describe.skipIf(!haveGenerator())('a typed client', async () => {
  const app = appOf(await datasetIn(sampleDir));
  // Below the project, so that its packages are found.
  mkdirSync(pathTo('.build'), { recursive: true });
  const dir = mkdtempSync(pathTo('.build/client-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(SETTINGS));
  writeFileSync(join(dir, 'client.ts'), CLIENT);
  writeFileSync(join(dir, 'openapi.json'), await (await app.request('/api/openapi.json')).text());
  await run(process.execPath, [generator, join(dir, 'openapi.json'), '-o', join(dir, 'api.ts')]);

  test.each(Object.entries(compilers))('compiles with %s', async (_name, compiler) => {
    const { stdout } = await run(process.execPath, [compiler, '-p', dir]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  test('is answered what it was promised', async () => {
    const server = await start(app);
    const { stdout } = await run(process.execPath, [join(dir, 'out/client.js'), server.url]);
    await server.close(100);
    const list = await getJson<{ pagination: { total: number }; data: { title: string }[] }>(
      app,
      '/api/articles?minScore=20&tag=maps&tag=statistics&sort=score&order=desc&limit=2',
    );
    const { author } = await getJson<{ author: string }>(app, '/api/articles/40018457');
    const { fields } = await getJson<{ fields: { price: { mean: number } } }>(app, '/api/products/stats?q=salt');
    expect(JSON.parse(stdout)).toEqual({
      total: list.pagination.total,
      titles: list.data.map(({ title }) => title),
      author,
      code: 'not_found',
      found: 1,
      mean: fields.price.mean,
      isHit: true,
    });
  });
});
