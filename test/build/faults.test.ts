/** What goes wrong around the server: what is served stays, and what cannot be is told in a line. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, run, serve, withFolder } from '../support/program.js';
import { until } from '../support/until.js';

const articles = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, i) => ({ id: i + 1, title: `Title ${i + 1}` })));

interface Health {
  readonly version: string;
  readonly collections: { readonly articles: number };
  readonly reloadFault?: { readonly message: string };
}

const healthOf = async (server: Running): Promise<Health> => (await server.fetch('/health')).json() as Promise<Health>;

/** Asks for a reload, waits for its end and returns how many articles are served then, and why no others. */
async function reload(server: Running): Promise<{ readonly count: number; readonly fault: string | undefined }> {
  const ends = (): number => `${server.stdout()}${server.stderr()}`.match(/^reload(?:ed:| failed)/gm)?.length ?? 0;
  const before = ends();
  server.child.kill('SIGHUP');
  await until(() => ends() > before);
  const { collections, reloadFault } = await healthOf(server);
  return { count: collections.articles, fault: reloadFault?.message };
}

describe('a reload leaves the old records serving, until what it reads is mended', () => {
  const parent = mkdtempSync(join(tmpdir(), 'faults-'));
  const dir = join(parent, 'snapshots');
  const file = join(dir, 'articles.json');
  function put(count: number): void {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir);
    writeFileSync(file, articles(count));
  }
  let server: Running;
  let count = 3;
  beforeAll(async () => {
    put(count);
    server = await serve(['--snapshots', dir, '--quiet']);
  });
  afterAll(async () => {
    const { code, stderr } = await server.end();
    rmSync(parent, { recursive: true });
    expect(code).toBe(0);
    // A line for each.
    expect(stderr).toMatch(/^(?:reload failed, still serving version \S+: .+\n)+$/);
  });

  const instead = (name: string, make: (path: string) => void): void => {
    rmSync(file);
    make(join(dir, name));
  };
  const isRoot = process.getuid?.() === 0;
  test.each<readonly [name: string, spoil: () => void, message: RegExp]>([
    ['the folder has gone', () => rmSync(dir, { recursive: true }), /^the folder holds no snapshot any more$/],
    ['a file took its place', () => [rmSync(dir, { recursive: true }), writeFileSync(dir, '')], /found a file$/],
    ['half of a file', () => truncateSync(file, 50), /^the file ends inside a value/],
    ['nothing of a file', () => truncateSync(file, 0), /./],
    ['half of a gzip file', () => instead('articles.json.gz', halfOfGzip), /^the gzip file ends too early/],
    ['no text', () => writeFileSync(file, Buffer.alloc(3000)), /./],
    ['a folder for a file', () => instead('articles.json', mkdirSync), /^expected a file, found a folder$/],
    ['a broken link', () => instead('articles.json', (path) => symlinkSync('nowhere', path)), /^it cannot be opened/],
    [
      'a link to itself',
      () => instead('articles.json', (path) => symlinkSync(path, path)),
      /^it cannot be read: ELOOP/,
    ],
    ['a disk that fails', () => instead('articles.json', (path) => symlinkSync('/proc/self/mem', path)), /cannot be/],
    // Root may read everything.
    ...(isRoot ? [] : [['no permission', () => chmodSync(file, 0), /^no permission to read it$/] as const]),
  ])('%s', async (_name, spoil, message) => {
    spoil();
    expect(await reload(server)).toEqual({ count, fault: expect.stringMatching(message) });
    put(++count);
    expect(await reload(server)).toEqual({ count, fault: undefined });
  });
  const halfOfGzip = (path: string): void => writeFileSync(path, gzipSync(articles(9)).subarray(0, 40));
});

test('after kill -9 a start on the same port serves the same', async () => {
  await withFolder({ 'articles.json': articles(3) }, async (dir) => {
    const killed = await serve(['--snapshots', dir]);
    const { version } = await healthOf(killed);
    expect((await killed.end('SIGKILL')).code).toBeNull();
    const again = await serve(['--snapshots', dir, '--port', new URL(killed.url).port]);
    expect(again.url).toBe(killed.url);
    expect((await healthOf(again)).version).toBe(version);
    expect(await again.end()).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('an allocation that fails', () => {
  /** A line of JavaScript that runs before the program does, in each of its threads. */
  const first = (line: string): Readonly<Record<string, string>> => ({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(line)}`,
  });
  const fail = `throw new RangeError('Array buffer allocation failed');`;
  /** The runtime loads its own modules into small ones. */
  const failingBuffers = `const own = Buffer.allocUnsafeSlow; Buffer.allocUnsafeSlow = (size) => { if (size < 1e6) return own(size); ${fail} }`;
  const message = 'there is not enough memory for the records: Array buffer allocation failed';

  test.each([
    ['of record texts', failingBuffers],
    ['of the memory of the index', `WebAssembly.Memory.prototype.grow = () => { ${fail} }`],
  ])('%s at the start ends it with a line and exit code 1', async (_what, line) => {
    await withFolder({ 'articles.json': articles(20_000) }, async (dir) => {
      const { code, stdout, stderr } = await run(['--snapshots', dir, '--port', '0'], first(line));
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^.*here is not enough memory.*: Array buffer allocation failed\.?\n$/);
    });
  });

  test('during a reload leaves the old records serving', async () => {
    await withFolder({ 'articles.json': articles(3) }, async (dir) => {
      const inThreads = `import { isMainThread } from 'node:worker_threads'; if (!isMainThread) { ${failingBuffers} }`;
      const server = await serve(['--snapshots', dir, '--quiet'], first(inThreads));
      writeFileSync(join(dir, 'articles.json'), articles(4));
      expect(await reload(server)).toEqual({ count: 3, fault: message });
      expect((await server.end()).stderr).toMatch(/^reload failed, still serving version \S+: .+\n$/);
    });
  });
});

test('a reader of warnings that has gone ends no server', async () => {
  await withFolder({ 'articles.json': articles(2) }, async (dir) => {
    const server = await serve([dir, '--quiet']);
    server.child.stderr?.destroy();
    for (const dump of ['[{"id":1', '[{"id"']) {
      writeFileSync(join(dir, 'articles.json'), dump);
      server.child.kill('SIGHUP');
      await until(async () => (await healthOf(server)).reloadFault?.message.includes('the file ends') === true);
    }
    expect((await healthOf(server)).collections.articles).toBe(2);
    expect((await server.end('SIGTERM')).code).toBe(0);
  });
});
