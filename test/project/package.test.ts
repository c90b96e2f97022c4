/** The package as a stranger gets it: packed, installed where nothing else is, started by npx, imported in TypeScript. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveFlags } from '../../src/config/flags.js';
import { pathTo } from '../support/api.js';

const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), 'package-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** An npm that knows no registry: whatever it installs comes with the tarball. */
const environment = {
  PATH: process.env.PATH ?? '',
  HOME: join(root, 'home'),
  npm_config_cache: join(root, 'cache'),
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
};

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}
let packed: Packed;
let tarball = '';

const folder = (name: string, files: Readonly<Record<string, string>> = {}): string => {
  const dir = join(root, name);
  mkdirSync(dir, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text);
  return dir;
};

beforeAll(async () => {
  folder('home');
  // What `npm pack` builds first is there: vitest has built it.
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', root], {
    cwd: pathTo('.'),
  });
  [packed] = JSON.parse(stdout);
  tarball = join(root, packed.filename);
});

describe('the tarball', () => {
  const paths = (): readonly string[] => packed.files.map(({ path }) => path);

  test('has what the README names, and nothing of the sources', () => {
    const others = paths().filter((path) => !/^(?:dist|snapshots)\//.test(path));
    expect(others.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES.txt',
      'bench/results/chart.svg',
      'package.json',
      'test/screenshots/home.png',
    ]);
  });

  test('has no file that only hands on to another', () => {
    const scripts = packed.files.filter(({ path }) => /^dist\/.*\.js$/.test(path));
    const handsOn = (path: string): boolean => /^export \{[^}]*\} from "[^"]+";\s*$/.test(readFileSync(path, 'utf8'));
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.map(({ path }) => path).filter((path) => handsOn(pathTo(path)))).toEqual([]);
  });

  test('runs no script when it is installed, and installs nothing else', () => {
    const { scripts, dependencies } = JSON.parse(readFileSync(pathTo('package.json'), 'utf8'));
    const installing = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(Object.keys(scripts).filter((name) => installing.includes(name))).toEqual([]);
    expect(dependencies).toBeUndefined();
  });

  const notices = readFileSync(pathTo('THIRD-PARTY-NOTICES.txt'), 'utf8');
  const noticed = [...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+)$/gm)].map(([, name = '', version = '']) => ({
    name,
    version,
  }));

  test('has the licence of every package that is built in, and that of the stemming algorithms', () => {
    expect(noticed.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'hono',
        'valibot',
        'markdown-it',
        'linkify-it',
        'mdurl',
        'uc.micro',
        'htmlparser2',
        'porter2',
      ]),
    );
    expect(notices).toContain('Neither the name of the Snowball project');
  });

  test('is packed with a list of what it is made of, as npm writes it', async () => {
    const { scripts } = JSON.parse(readFileSync(pathTo('package.json'), 'utf8'));
    const [, , command = ''] = /^(.* && )(npm sbom .*) > dist\/sbom\.cdx\.json$/.exec(scripts.prepack) ?? [];
    const [program = '', ...args] = command.split(' ');
    const { stdout } = await run(program, args, { cwd: pathTo('.') });
    const { bomFormat, components } = JSON.parse(stdout);
    expect(bomFormat).toBe('CycloneDX');
    expect(components).toEqual(expect.arrayContaining(noticed.map((one) => expect.objectContaining(one))));
    // It names no registry, which differs from one machine to another.
    expect(stdout).not.toMatch(/"url": "https?:[^"]*\.tgz"/);
  });
});

test('npx of the packed file serves the sample and a dump on an empty machine', async () => {
  const dir = folder('empty', { 'jobs.json': '[{"id":1,"title":"Gardener"},{"id":2,"title":"Baker"}]' });
  const child = spawn(
    'npx',
    ['--yes', '--package', tarball, 'scraper-data-api', 'jobs.json', '--as', 'jobs', '--port', '0'],
    {
      cwd: dir,
      env: environment,
      detached: true,
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
  try {
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', () => {
        const address = /listening on (http:\S+)\n/.exec(output)?.[1];
        if (address !== undefined) resolve(address);
      });
      child.once('exit', () => reject(new Error(output)));
    });
    const response = await fetch(`${url}/api/jobs?sort=title`);
    expect(await response.json()).toMatchObject({ data: [{ title: 'Baker' }, { title: 'Gardener' }] });
    expect(output).not.toMatch(/npm warn/i);
    // What is printed to be run names the file that was run, and no name that anyone may take.
    expect(output).not.toContain('npx scraper-data-api');
    if (output.includes('full report: '))
      expect(output).toContain(`full report: npx --yes --package ${tarball} scraper-data-api check `);
  } finally {
    // The whole group: npx does not pass signals on.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
  }
});

/** What a reader of the README writes. */
const CONSUMER = `
import { type Dataset, type Fault, type LoadReport, createApp, loadDataset } from 'scraper-data-api';

const [path = ''] = process.argv.slice(2);
const broken = await loadDataset('broken.json');
const faults: readonly Fault[] = broken.ok ? [] : broken.faults;

const loaded = await loadDataset(path, { as: 'products', scrapedAt: new Date(0), columns: 'documented' });
if (!loaded.ok) throw new Error(loaded.faults.map(({ file, message }) => \`\${file}: \${message}\`).join());
const dataset: Dataset = loaded.dataset;
const report: LoadReport = loaded.report;
const app = createApp(dataset, { envelope: 'meta', maxLimit: 10 });
const response = await app.fetch(new Request('https://shop.example/api/products?sort=price&limit=1'));
const missing = await app.fetch(new Request('http://localhost/api/products/9'));

console.log(JSON.stringify({
  faults,
  version: dataset.version,
  size: dataset.collections.get('products')?.size,
  repaired: report.files[0]?.fields.find(({ field }) => field === 'price')?.repaired,
  status: response.status,
  body: await response.json(),
  missing: missing.status,
  limit: response.headers.get('ratelimit'),
}));

export function wrong(): unknown {
  // @ts-expect-error there is no such option
  void loadDataset(path, { baseurl: '' });
  // @ts-expect-error there is no such language
  void loadDataset(path, { language: 'latin' });
  // @ts-expect-error a dataset comes from loadDataset
  createApp({});
  // @ts-expect-error nothing is written to
  dataset.version = '';
  // @ts-expect-error nothing else is public
  return import('scraper-data-api/dist/main.js');
}
`;

const SETTINGS = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    outDir: 'out',
  },
  files: ['consumer.ts'],
};

describe('in a TypeScript project', () => {
  let dir = '';
  beforeAll(async () => {
    dir = folder('project', {
      'package.json': '{"type":"module"}',
      'tsconfig.json': JSON.stringify(SETTINGS),
      'consumer.ts': CONSUMER,
      'broken.json': '[{"id":1,',
      'dump.json': '[{"id":7,"name":"Tea","price":"£4.20"},{"id":8,"name":"Jam","price":3}]',
    });
    await run('npm', ['install', '--no-package-lock', tarball], { cwd: dir, env: environment });
    mkdirSync(join(dir, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types'])
      cpSync(pathTo(`node_modules/${name}`), join(dir, 'node_modules', name), { recursive: true });
  });

  test('it compiles with nodenext, and what is wrong does not', async () => {
    const tsc = pathTo('node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', dir]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  test('it loads a dump, says what is wrong with another, and answers', async () => {
    const { stdout } = await run(process.execPath, ['out/consumer.js', 'dump.json'], { cwd: dir });
    const { faults, version, ...answered } = JSON.parse(stdout);
    expect(faults).toEqual([{ file: 'broken.json', line: 1, column: 10, message: expect.any(String) }]);
    expect(version).toMatch(/^[\w-]{16}$/);
    expect(answered).toEqual({
      size: 2,
      repaired: 1,
      status: 200,
      body: {
        data: [expect.objectContaining({ id: 8, title: 'Jam', price: 3 })],
        meta: { current_page: 1, per_page: 1, total_items: 2, total_pages: 2 },
      },
      missing: 404,
      limit: null,
    });
  });

  test.each([
    [
      'an option that there is not',
      'loadDataset("dump.json", { baseURL: "" })',
      'There is no option baseURL. Did you mean "baseUrl"?',
    ],
    [
      'an option of another kind',
      'loadDataset("dump.json", { columns: 3 })',
      'columns must be all or documented, received "3".',
    ],
    ['no path', 'loadDataset([])', 'loadDataset takes one file or folder at least'],
    ['another dataset', 'createApp({ version: "" })', 'createApp takes the dataset that loadDataset gives'],
    [
      'a subpath',
      'import("scraper-data-api/dist/main.js")',
      'Package subpath \'./dist/main.js\' is not defined by "exports"',
    ],
  ])('%s is refused when it runs', async (_name, call, message) => {
    const script = `import { createApp, loadDataset } from 'scraper-data-api';
      try { await ${call}; } catch (error) { console.log(error.message); }`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: dir });
    expect(stdout).toContain(message);
  });
});

test('every option is a flag of the command line', () => {
  const declared = readFileSync(pathTo('src/package.d.ts'), 'utf8');
  const optionsOf = (name: string): readonly string[] => {
    const body = new RegExp(`export interface ${name} \\{([\\s\\S]*?)\\n\\}`).exec(declared)?.[1] ?? '';
    return [...body.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, option = '']) => option);
  };
  const flags = serveFlags.map(({ name }) => name.replace(/-./g, (hyphened) => hyphened.charAt(1).toUpperCase()));
  const functions = ['onProgress', 'onError'];
  const options = [...optionsOf('LoadOptions'), ...optionsOf('AppOptions')];
  expect(options.length).toBeGreaterThan(12);
  expect(options.filter((option) => !functions.includes(option) && !flags.includes(option))).toEqual([]);
});
