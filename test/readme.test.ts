/** The README tells the truth: its commands work on the sample, its tables name what there is, no more and no less. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { serveFlags, variableOf } from '../src/config.js';
import { errorStatus } from '../src/errors.js';
import { createRoutes } from '../src/http/app.js';
import { collections } from '../src/model.js';
import { appOf, comparedSample } from './support/api.js';

const file = (name: string): string => readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');
const readme = file('README.md');
const packageJson = JSON.parse(file('package.json')) as { scripts: Record<string, string> };

const app = comparedSample().then((served) => appOf(served));
const tableCells = (column: number): readonly string[] =>
  readme
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map(
      (line) =>
        line
          .split(' | ')
          [column]?.replace(/^\| |[`|]/g, '')
          .trim() ?? '',
    );

const curlUrls = [...readme.matchAll(/^curl '([^']+)'/gm)].map(([, url]) => url ?? '');

describe('curl lines', () => {
  test.each(curlUrls)('%s', async (url) => {
    const response = await (await app).request(url);
    expect(response.status).toBe(200);
    const body = await response.text();
    if (!url.includes('csv')) {
      const parsed = JSON.parse(body) as { data?: readonly unknown[] };
      if (/search|category/.test(url)) expect(parsed.data?.length).toBeGreaterThan(0);
    }
  });

  test('show every endpoint', () => {
    for (const { path } of createRoutes({ maxLimit: 1000, envelope: 'pagination' })) {
      const pattern = new RegExp(`^http://127\\.0\\.0\\.1:3000${path.replace(/:\w+/, '[^/?]+')}(?:\\?|$)`);
      expect(curlUrls.filter((url) => pattern.test(url))).not.toEqual([]);
    }
  });
});

const namesIn = (text: string): readonly (string | undefined)[] =>
  [...text.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name);

test('the endpoint and filter tables name every path and its parameters', () => {
  for (const { path, model, parameters } of createRoutes({ maxLimit: 1000, envelope: 'pagination' })) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${path}\` |`));
    expect(row, path).toBeDefined();
    const cell = row?.split('|')[3] ?? '';
    const filterRow = readme
      .split('\n')
      .find((line) => line.startsWith(`| ${model.name} | \`min`) || line.startsWith(`| ${model.name} | \`author`));
    const filters = cell.includes('filters') ? namesIn(filterRow ?? '') : [];
    const textRow = readme.split('\n').find((line) => line.startsWith('| search text |'));
    const words = cell.includes('search text') ? namesIn(textRow ?? '') : [];
    // The path itself is the category.
    const named = [...namesIn(cell), ...words, ...filters].filter((name) => !path.includes(`:${name}`));
    expect(named.sort()).toEqual(parameters.map(({ name }) => name).sort());
  }
});

test('the flag table names every flag with its variable and default', () => {
  const flags = tableCells(0).filter((cell) => cell.startsWith('--'));
  expect(flags.map((cell) => cell.split(' ')[0])).toEqual(serveFlags.map(({ name }) => `--${name}`));
  for (const { name, description } of serveFlags) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`--${name}`)) ?? '';
    expect(row).toContain(`\`${variableOf(name)}\``);
    expect(row).toContain(description);
  }
});

test('the error table names every code with its status', () => {
  for (const [code, status] of Object.entries(errorStatus)) expect(readme).toContain(`| ${status} | \`${code}\` |`);
});

test('the field table names every field in order', () => {
  for (const { name, fields } of collections) {
    const row = readme.split('\n').find((line) => line.startsWith(`| ${name} | \`id\``)) ?? '';
    expect([...row.matchAll(/`(\w+)`/g)].map(([, field]) => field)).toEqual(fields.map((field) => field.name));
  }
});

test('every npm script it names exists', () => {
  const named = [...readme.matchAll(/npm (?:run )?(\w[\w:-]*)/g)].map(([, script]) => script ?? '');
  for (const script of named.filter((word) => word !== 'ci'))
    expect(Object.keys(packageJson.scripts)).toContain(script);
});

test('every folder it names exists', () => {
  for (const [, folder] of readme.matchAll(/`([\w/]+)\/`/g)) {
    const places = [folder, `src/${folder}`].map((path) => fileURLToPath(new URL(`../${path}`, import.meta.url)));
    expect(places.some(existsSync), folder).toBe(true);
  }
});
