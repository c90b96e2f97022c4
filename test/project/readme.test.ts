/** The documents tell the truth: their commands work on the sample, their tables name what there is, their links lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveFlags, variableOf } from '../../src/config/flags.js';
import { errorStatus } from '../../src/errors.js';
import { createRoutes } from '../../src/http/app.js';
import { collections } from '../../src/model.js';
import { OPERATOR_SUFFIXES } from '../../src/names.js';
import { appOf, comparedSample, pathTo } from '../support/api.js';

const file = (name: string): string => readFileSync(pathTo(name), 'utf8');
const readme = file('README.md');
const guide = file('src/http/docs/guide.md');
const snapshots = file('snapshots/README.md');
const commandLine = file('src/commands/README.md');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'src/README.md',
  'src/commands/README.md',
  'src/http/docs/guide.md',
  'snapshots/README.md',
  'test/README.md',
  'bench/README.md',
] as const;
const packageJson = JSON.parse(file('package.json')) as { version: string; scripts: Record<string, string> };

const app = comparedSample().then((served) => appOf(served));
const linesOf = (text: string, beginning: RegExp): readonly string[] =>
  text.split('\n').filter((line) => beginning.test(line));
const curlUrls = (text: string): readonly string[] =>
  [...text.matchAll(/^curl (?:-s )?'(http:\/\/127\.0\.0\.1:3000[^']*)'/gm)].map(([, url = '']) => url);

test('the README has 200 lines at most', () => expect(readme.trim().split('\n').length).toBeLessThanOrEqual(200));

test('its first request has the answer that it shows', async () => {
  const [url = ''] = curlUrls(readme);
  const shown = /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(JSON.parse(shown)).toEqual(await (await (await app).request(url)).json());
});

describe('curl lines', () => {
  test.each([...curlUrls(readme), ...curlUrls(guide)])('%s', async (url) => {
    const response = await (await app).request(url);
    expect(response.status).toBe(200);
    const body = await response.text();
    if (/csv|ndjson|atom/.test(url)) expect(body.trim().split('\n').length).toBeGreaterThan(1);
    else {
      const parsed = JSON.parse(body) as { data?: readonly unknown[] };
      if (parsed.data) expect(parsed.data.length).toBeGreaterThan(0);
    }
  });
});

test('every parameter that the guide names is one', () => {
  const routes = createRoutes({ maxLimit: 1000, envelope: 'pagination' });
  const known = new Set(routes.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  const code = [...guide.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  const named = code.flatMap((text) => /^(\w+)=/.exec(text)?.[1] ?? []);
  // The guide says what is done with any field, with these columns of a dump, and with the history of records.
  const fields = ['NAME', 'brand', 'stock', 'sku', 'lastChanged'];
  const isOfField = (name: string) =>
    fields.some((field) => ['', ...OPERATOR_SUFFIXES].some((one) => name === field + one));
  expect(new Set(named).size).toBeGreaterThan(10);
  expect(named.filter((name) => !known.has(name) && !isOfField(name))).toEqual([]);
});

test('the flag table names every flag with its variable and default', () => {
  const rows = linesOf(commandLine, /^\| `--/);
  expect(rows.map((row) => /^\| `(--[\w-]+)/.exec(row)?.[1])).toEqual(serveFlags.map(({ name }) => `--${name}`));
  for (const [i, { name, description, fallback, ...flag }] of serveFlags.entries()) {
    const shown = 'value' in flag ? fallback && `\`${fallback}\`` : 'off';
    const spelling = 'value' in flag ? `--${name} ${flag.value}` : `--${name}`;
    expect(rows[i]).toBe(`| \`${spelling}\` | \`${variableOf(name)}\` | ${shown && `${shown} `}| ${description} |`);
  }
});

test('the error table names every code with its status', () => {
  const rows = linesOf(guide, /^\| \d/).map((row) => row.split(' | ').slice(0, 2).join(' | '));
  expect(rows.sort()).toEqual(
    Object.entries(errorStatus)
      .map(([code, status]) => `| ${status} | \`${code}\``)
      .sort(),
  );
});

test('the field table names every field in order', () => {
  for (const { name, fields } of collections) {
    const [row = ''] = linesOf(snapshots, new RegExp(`^\\| ${name} \\| \`id\``));
    expect([...row.matchAll(/`(\w+)`/g)].map(([, field]) => field)).toEqual(fields.map((field) => field.name));
  }
});

test('the packed file has the name that the README gives it', () => {
  const names = [...readme.matchAll(/scraper-data-api-[\d.]+\.tgz/g)].map(([name]) => name);
  expect(new Set(names)).toEqual(new Set([`scraper-data-api-${packageJson.version}.tgz`]));
  expect(file('CHANGELOG.md')).toContain(`\n## ${packageJson.version} - `);
});

describe.each(DOCUMENTS)('%s', (name) => {
  const text = file(name);

  test('names npm scripts that there are', () => {
    const named = [...text.matchAll(/npm (?:run )?(\w[\w:-]*)/g)].map(([, script = '']) => script);
    const known = [...Object.keys(packageJson.scripts), 'ci', 'install', 'pack'];
    expect(named.filter((script) => !known.includes(script))).toEqual([]);
  });

  test('has links that lead to files', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const relative = links.filter((link) => !/^(?:https?:|\/)/.test(link));
    expect(relative.filter((link) => !existsSync(pathTo(join(dirname(name), link))))).toEqual([]);
  });

  test('names folders and files that there are', () => {
    const named = [...text.matchAll(/`((?:[\w-]+\/)+(?:[\w-]+\.(?:ts|js|md|json|sh|html|conf|d\.ts))?)`/g)];
    const places = ['', 'src', 'src/http', dirname(name)];
    const isThere = (path: string): boolean => places.some((place) => existsSync(pathTo(join(place, path))));
    const elsewhere = ['dumps/', 'dist/', 'dist/main.js'];
    expect(named.map(([, path = '']) => path).filter((path) => !isThere(path) && !elsewhere.includes(path))).toEqual(
      [],
    );
  });
});

test('the table of tests names each file of tests, and no other', () => {
  const patterns = linesOf(file('test/README.md'), /^\| `/)
    .flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([\w*-]+)`/g)])
    .map(([, pattern = '']) => pattern);
  const names = readdirSync(pathTo('test'), { recursive: true, encoding: 'utf8' }).flatMap(
    (path) => /([^/]+)\.test\.ts$/.exec(path)?.[1] ?? [],
  );
  const matches = (pattern: string, name: string): boolean => new RegExp(`^${pattern.replace('*', '.*')}$`).test(name);
  expect(names.filter((name) => !patterns.some((pattern) => matches(pattern, name)))).toEqual([]);
  expect(patterns.filter((pattern) => !names.some((name) => matches(pattern, name)))).toEqual([]);
});
