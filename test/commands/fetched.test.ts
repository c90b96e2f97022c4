/** Dumps that are no files: standard input and addresses, which become temporary files that are always deleted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createFetchedSource, watchAddress } from '../../src/commands/fetched.js';
import { pathTo } from '../support/api.js';
import { withFolder } from '../support/program.js';
import { until } from '../support/until.js';

const main = pathTo('dist/main.js');
const product = (id: number): string => JSON.stringify({ id, title: `Thing ${id}`, price: id });
const LINES = [1, 2, 3].map(product).join('\n');
const ARRAY = `[${[1, 2, 3].map(product).join(',')}]`;
const CSV = 'id,title,price\n1,Tea,4.2\n2,Salt,1\n3,Oil,2\n';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program in a folder, with a folder for temporary files that is empty afterwards. */
async function run(dir: string, args: readonly string[], input: string | Uint8Array = '', prefix = ''): Promise<Ended> {
  mkdirSync(join(dir, 'tmp'), { recursive: true });
  const shell = `${prefix}exec "$0" "$@"`;
  const child = spawn('sh', ['-c', shell, process.execPath, main, ...args], {
    cwd: dir,
    env: { PATH: process.env.PATH ?? '', TMPDIR: join(dir, 'tmp') },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  expect(readdirSync(join(dir, 'tmp'))).toEqual([]);
  return { code, stdout, stderr };
}

/** Calls `use` with the address of a server that answers so. */
async function withServer<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const answers =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

/** The program on a folder. */
const inFolder = <T>(use: (dir: string) => Promise<T>): Promise<T> => withFolder({}, use);

describe('standard input', () => {
  test.each<[string, string | Uint8Array]>([
    ['lines', LINES],
    ['an array', ARRAY],
    ['CSV', CSV],
    ['gzipped lines', gzipSync(LINES)],
    ['gzipped CSV', gzipSync(CSV)],
    ['semicolons', CSV.replaceAll(',', ';')],
  ])('%s are read as from a file', async (_, input) => {
    await inFolder(async (dir) => {
      const { code, stdout, stderr } = await run(dir, ['check', '-', '--as', 'products'], input);
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^standard input: 3 records, \d+ bytes, 0 refused/);
      expect(code).toBe(0);
    });
  });

  test('its fields tell what it is, and a mapping in the working folder is used', async () => {
    await withFolder({ 'records.mapping.json': '{"naam":"title"}' }, async (dir) => {
      const input = LINES.replaceAll('"title"', '"naam"');
      const { stdout } = await run(dir, ['check', '-', '--as', 'products'], input);
      expect(stdout).toMatch(/^standard input: 3 records/);
      expect((await run(dir, ['types', '-'], LINES)).stdout).toContain('export interface Product {');
    });
  });

  test('nothing, and what is broken, is said', async () => {
    await inFolder(async (dir) => {
      expect(await run(dir, ['check', '-'])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^standard input:1:1: the file is empty/),
      });
      expect(await run(dir, ['check', '-'], '[{"id":1,"title":"a"')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^standard input:1/),
      });
    });
  });

  test('diff takes it for one of the dumps', async () => {
    await withFolder({ 'old.jsonl': LINES }, async (dir) => {
      const { code, stdout } = await run(
        dir,
        ['diff', 'old.jsonl', '-', '--as', 'products'],
        [1, 2].map(product).join('\n'),
      );
      expect(code).toBe(1);
      expect(stdout).toContain('0 new, 1 gone, 0 changed, 2 unchanged');
    });
  });

  test('a full disk is said', async () => {
    await inFolder(async (dir) => {
      const { code, stderr } = await run(dir, ['check', '-'], LINES.repeat(20_000), 'ulimit -f 64; ');
      expect(code).toBe(1);
      expect(stderr).toBe(
        `standard input: it does not fit into the folder for temporary files, ${dir}/tmp: TMPDIR names another (EFBIG: file too large, write)\n`,
      );
    });
  });

  test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'a %s while it is read ends the program, and the file is deleted',
    async (signal) => {
      await withFolder({ 'tmp/keep': '' }, async (dir) => {
        const child = spawn(process.execPath, [main, 'check', '-'], {
          cwd: dir,
          env: { PATH: process.env.PATH ?? '', TMPDIR: join(dir, 'tmp') },
        });
        child.stdin.write(LINES);
        await until(() =>
          readdirSync(join(dir, 'tmp'), { recursive: true }).some((name) => /records$/.test(String(name))),
        );
        child.kill(signal);
        expect(await once(child, 'close')).toEqual([null, signal]);
        expect(readdirSync(join(dir, 'tmp'))).toEqual(['keep']);
      });
    },
  );
});

describe('an address', () => {
  const check = (dir: string, url: string, ...args: readonly string[]) => run(dir, ['check', url, ...args]);

  test.each<[string, string, string | Uint8Array, Record<string, string>, string]>([
    ['its path says', '/dumps/products.json', ARRAY, {}, 'products'],
    ['its type says', '/products', CSV, { 'Content-Type': 'text/csv; charset=utf-8' }, 'products'],
    ['its type overrules its path', '/products.json', CSV, { 'Content-Type': 'text/csv' }, 'products'],
    ['its content says', '/export?format=1', LINES, { 'Content-Type': 'text/plain' }, 'products'],
    [
      'lines called JSON',
      '/flats.json',
      '{"rooms":3}\n{"rooms":4}\n{"rooms":5}',
      { 'Content-Type': 'application/json' },
      'flats',
    ],
    [
      'compressed on the way',
      '/jobs.json',
      gzipSync('[{"pay":1},{"pay":2},{"pay":3}]'),
      { 'Content-Encoding': 'gzip' },
      'jobs',
    ],
    [
      'a gzipped file',
      '/jobs.csv.gz',
      gzipSync('pay,city\n1,Oslo\n2,Rome\n3,Bonn\n'),
      { 'Content-Type': 'application/gzip' },
      'jobs',
    ],
    ['JSON that calls itself HTML', '/products', ARRAY, { 'Content-Type': 'text/html' }, 'products'],
    ['a name that would be a path', '/..%2F..%2Fjobs.json', '[{"pay":1},{"pay":2},{"pay":3}]', {}, 'jobs'],
  ])('%s: %s', async (_, path, body, headers, collection) => {
    await inFolder((dir) =>
      withServer(answers(body, headers), async (url) => {
        const { code, stdout, stderr } = await check(dir, `${url}${path}`);
        expect(stderr).toBe('');
        expect(stdout.startsWith(`${url}${path}: 3 records, `), stdout).toBe(true);
        expect(stdout).toContain(`taken for ${collection}`);
        expect(code).toBe(0);
      }),
    );
  });

  test('redirects are followed, and a name and a password are sent but not shown', async () => {
    const seen: (string | undefined)[] = [];
    const listener: RequestListener = (request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/old') response.writeHead(302, { Location: '/products.json' }).end();
      else response.end(ARRAY);
    };
    await inFolder((dir) =>
      withServer(listener, async (url) => {
        const { stdout, code } = await check(dir, `${url.replace('//', '//me:s%40cret@')}/old`);
        expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/old: 3 records/);
        expect(code).toBe(0);
        expect(seen).toEqual(Array(2).fill(`Basic ${Buffer.from('me:s@cret').toString('base64')}`));
      }),
    );
  });

  test('a redirect may have letters beyond ASCII as they are', async () => {
    const listener: RequestListener = (request, response) => {
      if (request.url === '/t%C3%ABa.json') response.end(ARRAY);
      else response.writeHead(302, { Location: Buffer.from('/tëa.json').toString('latin1') }).end();
    };
    await inFolder((dir) =>
      withServer(listener, async (url) => {
        const { stdout, code } = await check(dir, `${url}/old`);
        expect([code, stdout]).toEqual([0, expect.stringContaining(': 3 records')]);
      }),
    );
  });

  test('servers are told who asks, since some refuse a client without a name', async () => {
    const named: RequestListener = (request, response) =>
      answers(ARRAY, {}, request.headers['user-agent'] === undefined ? 403 : 200)(request, response);
    await inFolder((dir) =>
      withServer(named, async (url) => {
        const { stdout, code } = await check(dir, `${url}/products.json`);
        expect([code, stdout]).toEqual([0, expect.stringContaining(': 3 records')]);
      }),
    );
  });

  test('another origin is not told the name and password', async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere: RequestListener = (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'Content-Encoding': 'br' }).end(brotliCompressSync(ARRAY));
    };
    await inFolder((dir) =>
      withServer(elsewhere, (target) =>
        withServer(answers('', { Location: `${target}/products.json` }, 307), async (url) => {
          const { stdout, code } = await check(dir, `${url.replace('//', '//me:secret@')}/old`);
          expect(stdout).toContain(': 3 records');
          expect(code).toBe(0);
          expect(seen).toEqual([undefined]);
        }),
      ),
    );
  });

  const LOGIN = '; one that needs a login is piped: curl … | scraper-data-api -';
  test.each<[string, RequestListener, readonly string[], string]>([
    ['404', answers('', {}, 404), [], 'expected a dump, found 404 Not Found'],
    ['403', answers('', {}, 403), [], `expected a dump, found 403 Forbidden${LOGIN}`],
    ['204', answers('', {}, 204), [], 'expected a dump, found 204 No Content'],
    [
      'a page',
      answers('<!doctype html><p>', { 'Content-Type': 'text/html' }),
      [],
      'expected a dump, found a page of HTML: the address of the file itself is needed',
    ],
    [
      'a page that says it is text',
      answers('\n<HTML>', { 'Content-Type': 'text/plain' }),
      [],
      'expected a dump, found a page of HTML: the address of the file itself is needed',
    ],
    [
      'too large by its length',
      answers(ARRAY, { 'Content-Length': String(ARRAY.length) }),
      ['--max-download', '0.1kB'],
      'it is larger than 0.1 kB; --max-download SIZE allows more',
    ],
    [
      'too large without a length',
      (_, response) => void response.write(ARRAY),
      ['--max-download', '0.1kB'],
      'it is larger than 0.1 kB; --max-download SIZE allows more',
    ],
    [
      'too large once it is unpacked',
      answers(gzipSync('x'.repeat(5000)), { 'Content-Encoding': 'gzip' }),
      ['--max-download', '4kB'],
      'it is larger than 4 kB; --max-download SIZE allows more',
    ],
    [
      'an answer that is cut off',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': '1000' });
        response.write(ARRAY, () => response.destroy());
      },
      [],
      'it ended too early: aborted',
    ],
    [
      'compressed content that is cut off',
      answers(gzipSync(ARRAY).subarray(0, 20), { 'Content-Encoding': 'gzip' }),
      [],
      'it ended too early: unexpected end of file',
    ],
    [
      'a redirect to no address of HTTP',
      answers('', { Location: 'ftp://127.0.0.1/products.json' }, 301),
      [],
      'it cannot be fetched: it was redirected to ftp://127.0.0.1/products.json; expected an address of http or https',
    ],
    [
      'a redirect in a circle',
      answers('', { Location: '/products.json' }, 302),
      [],
      'it cannot be fetched: it was redirected more than 20 times',
    ],
  ])('%s is refused', async (_, listener, args, message) => {
    await inFolder((dir) =>
      withServer(listener, async (url) => {
        const { code, stdout, stderr } = await check(dir, `${url}/products.json`, ...args);
        expect(stderr).toBe(`${url}/products.json: ${message}\n`);
        expect([code, stdout]).toEqual([1, '']);
      }),
    );
  });

  test('nobody there, and no folder for temporary files, are said', async () => {
    await inFolder(async (dir) => {
      const { stderr, code } = await check(dir, 'http://127.0.0.1:1/products.json');
      expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:1\/products\.json: it cannot be fetched: .*\n$/);
      expect(code).toBe(1);
      const lost = await run(dir, ['check', '-'], LINES, 'export TMPDIR=/nowhere; ');
      expect(lost.stderr).toMatch(
        /^\/nowhere: there is no temporary file to be made in it: ENOENT.*; TMPDIR names another folder\n$/,
      );
    });
  });
});

describe('a server of an address', () => {
  /** Answers with the current text, and 304 to who has it. */
  function createDump(first: string) {
    const dump = { text: first, tag: '"1"' as string | null, requests: 0, notModified: 0 };
    const listener: RequestListener = (request, response) => {
      dump.requests++;
      const isCurrent = dump.tag !== null && request.headers['if-none-match'] === dump.tag;
      if (isCurrent) dump.notModified++;
      response.writeHead(isCurrent ? 304 : 200, dump.tag === null ? {} : { ETag: dump.tag });
      response.end(isCurrent ? undefined : dump.text);
    };
    return { dump, listener };
  }

  test('serves it, and SIGHUP fetches it again', async () => {
    const { dump, listener } = createDump(ARRAY);
    await withFolder({ 'tmp/keep': '' }, (dir) =>
      withServer(listener, async (url) => {
        const child = spawn(process.execPath, [main, `${url}/products.json`, '--port', '0'], {
          cwd: dir,
          env: { PATH: process.env.PATH ?? '', TMPDIR: join(dir, 'tmp') },
        });
        let output = '';
        for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
        await until(() => /listening on (http:\S+)/.test(output));
        expect(readdirSync(join(dir, 'tmp'))).toEqual(['keep']);
        const address = /listening on (http:\S+)/.exec(output)?.[1] ?? '';
        const total = async () =>
          ((await (await fetch(`${address}/health`)).json()) as { collections: { products: number } }).collections
            .products;
        expect(await total()).toBe(3);
        dump.text = `[${product(1)}]`;
        dump.tag = '"2"';
        child.kill('SIGHUP');
        await until(() => output.includes('reloaded: '));
        expect(await total()).toBe(1);
        expect(output).toContain('0 added, 2 removed, 0 changed');
        dump.text = '<html>';
        child.kill('SIGHUP');
        await until(() => output.includes('reload failed'));
        expect(output).toContain(`${url}/products.json: expected a dump, found a page of HTML`);
        expect(await total()).toBe(1);
        child.kill('SIGTERM');
        await once(child, 'close');
        expect(readdirSync(join(dir, 'tmp'))).toEqual(['keep']);
      }),
    );
  });

  test.each([
    ['it answers 304', true],
    ['it answers with the same tag', false],
  ])('is asked again whether its tag is another one: %s', async (_, knowsTags) => {
    const { dump, listener } = createDump(ARRAY);
    const answer: RequestListener = (request, response) => {
      if (!knowsTags) delete request.headers['if-none-match'];
      listener(request, response);
    };
    await withServer(answer, async (url) => {
      let changes = 0;
      const faults: string[] = [];
      const controller = new AbortController();
      const handlers = { onChange: () => changes++, onFault: (message: string) => faults.push(message) };
      let fetchedTag = '"1"';
      const validators = () => ({ 'If-None-Match': fetchedTag });
      void watchAddress(`${url}/products.json`, validators, handlers, controller.signal, 5);
      await until(() => dump.requests > 3);
      expect(changes).toBe(0);
      dump.tag = '"2"';
      // It is told until it is fetched.
      await until(() => changes > 1);
      fetchedTag = dump.tag;
      const atFetch = dump.requests;
      await until(() => dump.requests > atFetch + 1);
      changes = 1;
      const after = dump.requests;
      await until(() => dump.requests > after + 3);
      expect([changes, faults]).toEqual([1, []]);
      expect(dump.notModified > 2).toBe(knowsTags);
      controller.abort();
    });
  });

  test('that has gone is a fault, which is said once', async () => {
    let requests = 0;
    const gone: RequestListener = (_, response) => {
      requests++;
      response.writeHead(404).end();
    };
    await withServer(gone, async (url) => {
      const faults: string[] = [];
      const controller = new AbortController();
      const handlers = { onChange: () => {}, onFault: (message: string) => faults.push(message) };
      void watchAddress(`${url}/products.json`, () => ({ 'If-None-Match': '"1"' }), handlers, controller.signal, 5);
      await until(() => requests > 3);
      expect(faults).toEqual([`${url}/products.json: expected a dump, found 404 Not Found`]);
      controller.abort();
    });
  });

  test('without a tag and a date cannot be watched, which is said', async () => {
    const faults: string[] = [];
    const handlers = { onChange: () => {}, onFault: (message: string) => faults.push(message) };
    await watchAddress('http://a.test/products.json', () => ({}), handlers, new AbortController().signal);
    expect(faults).toEqual([expect.stringMatching(/^http:\/\/a\.test\/products\.json: it has neither an ETag nor/)]);
  });

  test('is a change until it could be fetched', async () => {
    const { dump, listener } = createDump(ARRAY);
    await withServer(listener, async (url) => {
      const source = await createFetchedSource({ dir: '', paths: [`${url}/products.json`] });
      const load = () => source.use(async () => ({ ok: true as const }));
      await load();
      const controller = new AbortController();
      const results: boolean[] = [];
      const onChange = async () => results.push((await load()).ok);
      source.watch('', { onChange: () => void onChange(), onFault: () => {} }, controller.signal, 5);
      dump.text = '<html>';
      dump.tag = '"2"';
      await until(() => results.length > 0);
      dump.text = ARRAY;
      await until(() => results.includes(true));
      const after = dump.requests;
      await until(() => dump.requests > after + 3);
      expect(results.filter(Boolean)).toHaveLength(1);
      controller.abort();
    });
  });

  test('a folder beside it is watched too', async () => {
    const { listener } = createDump('[{"pay":1}]');
    await withFolder({ 'dumps/products.json': ARRAY }, (dir) =>
      withServer(listener, async (url) => {
        const source = await createFetchedSource({ dir: '', paths: [`${url}/jobs.json`, join(dir, 'dumps')] });
        await source.use(async () => ({ ok: true as const }));
        let changes = 0;
        const controller = new AbortController();
        source.watch('', { onChange: () => changes++, onFault: () => {} }, controller.signal);
        writeFileSync(join(dir, 'dumps/products.json'), `[${product(1)}]`);
        await until(() => changes > 0);
        controller.abort();
      }),
    );
  });

  test('standard input cannot be read again', async () => {
    await inFolder(async (dir) => {
      mkdirSync(join(dir, 'tmp'));
      const child = spawn(process.execPath, [main, '-', '--port', '0', '--as', 'products'], {
        cwd: dir,
        env: { PATH: process.env.PATH ?? '', TMPDIR: join(dir, 'tmp') },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      child.stdin.end(LINES);
      await until(() => output.includes('listening on'));
      child.kill('SIGHUP');
      await until(() => output.includes('reload failed'));
      expect(output).toContain('standard input: it was read at the start, and cannot be read again');
      child.kill('SIGINT');
      await once(child, 'close');
      expect(readdirSync(join(dir, 'tmp'))).toEqual([]);
    });
  });
});
