/** The built program over real sockets: start, answers, signals, exit codes and messages. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { serveFlags } from '../../src/config/flags.js';
import { pathTo, sampleDir } from '../support/api.js';
import { names } from '../support/oracle.js';
import { freePort, type Running, run, serve, withFolder } from '../support/program.js';
import { PATIENCE, until } from '../support/until.js';

const articles = (titles: readonly string[]): string =>
  JSON.stringify(titles.map((title, i) => ({ id: i + 1, title })));

/** More than the buffers of a connection hold. */
const LARGE = JSON.stringify(
  Array.from({ length: 12_000 }, (_, i) => ({ id: i + 1, title: `Title number ${i}`, content: 'x'.repeat(1000) })),
);

/** Sends bytes as they are and returns all that comes back. */
async function raw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  socket.write(request);
  await once(socket, 'close');
  return received;
}

/** A connection to a port that is not bound yet, as soon as it is. */
async function untilConnected(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return socket;
    await wait(5);
  }
}

/** As the runtime at hand spells it. */
const isKnown = (flag: string): boolean => process.allowedNodeEnvironmentFlags.has(flag);
const onlyReads = [
  isKnown('--permission') ? '--permission' : '--experimental-permission',
  '--allow-fs-read=*',
  ...['--allow-net'].filter(isKnown),
].join(' ');

describe('serve', () => {
  test('serves the sample, says so, and ends with 0 on SIGTERM', async () => {
    const server = await serve(['--snapshots', sampleDir]);
    const list = await server.fetch(`/api/articles?limit=3`);
    expect(list.status).toBe(200);
    expect(list.headers.get('RateLimit')).toBe('"default";r=99;t=60');
    expect(list.headers.get('Content-Length')).not.toBeNull();
    expect((await server.fetch(`/api/export/products?format=csv`)).status).toBe(200);
    const { code, stdout, stderr } = await server.end('SIGTERM');
    expect(stdout).toMatch(
      /^articles\.json: 336 records, 303\.2 kB, 0 refused.*\n {2}taken for articles; --as NAME overrules\nproducts\.json: 353 records, 373\.0 kB, 0 refused.*\n {2}taken for products; --as NAME overrules\nignored: previous: a folder; name it to have it read: .*\nread in \d+\.\d s, indexed in \d+\.\d s\n/,
    );
    expect(stdout).toMatch(/\nopen (http:\/\/127\.0\.0\.1:\d+)\/\nlistening on \1\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('serves where the runtime may do nothing but read files', async () => {
    const server = await serve(['--snapshots', sampleDir], { NODE_OPTIONS: onlyReads });
    // Meanwhile it gives back what loading has left behind, for which it may not use the inspector.
    await wait(300);
    expect((await server.fetch(`/api/articles?limit=3`)).status).toBe(200);
    expect((await server.end()).code).toBe(0);
  });

  test('lets a running download finish when told to stop', async () => {
    await withFolder({ 'articles.json': LARGE }, async (dir) => {
      const server = await serve(['--snapshots', dir]);
      const response = await server.fetch(`/api/export/articles`);
      const ended = server.end('SIGTERM');
      expect(await response.json()).toHaveLength(12_000);
      expect((await ended).code).toBe(0);
    });
  });

  test('ends at once on SIGINT, also while a download is waiting for its client', async () => {
    await withFolder({ 'articles.json': LARGE }, async (dir) => {
      const server = await serve(['--snapshots', dir]);
      const response = await server.fetch(`/api/export/articles`);
      expect((await server.end('SIGINT')).code).toBe(0);
      await expect(response.text()).rejects.toThrow();
    });
  });

  test('an empty folder starts an empty API with a warning; one that was named and is missing is an error', async () => {
    await withFolder({}, async (dir) => {
      const server = await serve(['--snapshots', dir]);
      expect(await (await server.fetch(`/api/articles`)).json()).toMatchObject({ data: [] });
      const { stderr, code } = await server.end();
      expect(stderr).toMatch(/^warning: there is no dump in .*, so nothing is served: put a .* file there\n$/);
      expect(code).toBe(0);
      const missing = join(dir, 'missing');
      expect(await run(['--snapshots', missing])).toEqual({
        code: 1,
        stdout: '',
        stderr: `There is no file or folder ${missing}; --snapshots or SCRAPER_SNAPSHOTS names it.\n`,
      });
    });
  });

  test('the check that a start names reads what is served: the newest dump of a history, files beside an earlier dump', async () => {
    const tea = (price: string) => `[{"id":1,"title":"Tea","price":"${price}"}]`;
    const files = { 'old.json': tea('1 €'), 'new.json': tea('2 €'), 'all/2026-11-01.json': tea('1 €') };
    await withFolder(files, async (dir) => {
      mkdirSync(join(dir, 'all', '2026-11-02'));
      writeFileSync(join(dir, 'all', '2026-11-02', 'products.json'), tea('2 €'));
      const checkOf = async (...args: readonly string[]): Promise<string | undefined> =>
        /full report: .* check (.*)/.exec((await (await serve(args)).end()).stdout)?.[1];
      expect(await checkOf('--history', join(dir, 'all'))).toBe(join(dir, 'all', '2026-11-02'));
      expect(await checkOf('--previous', join(dir, 'old.json'), join(dir, 'new.json'))).toBe(
        `${join(dir, 'new.json')} --add-up`,
      );
    });
  });

  test('files and folders of any name: their fields tell what they hold', async () => {
    const books = '[{"id":1,"title":"Tea","price":"£4.20"},{"id":2,"title":"Salt","price":5}]';
    const posts = 'headline,points,num_comments\nOne,3,1\n';
    const files = {
      'export.json': books,
      'export.mapping.json': '{"nothing":"author"}',
      'posts.csv': posts,
      'a.txt': 'x',
    };
    await withFolder(files, async (dir) => {
      for (const paths of [[join(dir, 'export.json'), join(dir, 'posts.csv')], [dir]]) {
        const server = await serve([...paths, '--partial', '--base-url', 'https://a.example/?q', '--language=german']);
        expect(await (await server.fetch('/api/products/1')).json()).toMatchObject({ title: 'Tea', price: 4.2 });
        expect(await (await server.fetch('/api/articles/1')).json()).toMatchObject({ title: 'One', score: 3 });
        const { stdout, stderr } = await server.end();
        expect(stderr).toContain('export.mapping.json: no record has a value named "nothing"');
        const check = `check ${paths.join(' ')} '--base-url=https://a.example/?q' --language=german --partial`;
        expect(stdout).toContain(`full report: node dist/main.js ${check}\n`);
        expect(stdout.includes('ignored: a.txt: its ending is none of .json, ')).toBe(paths.length === 1);
      }
      writeFileSync(join(dir, 'names.json'), '[{"id":1,"title":"Only a title"}]');
      const untold = await serve([join(dir, 'names.json')]);
      expect(await (await fetch(`${untold.url}/api/names/1`)).json()).toEqual({ id: 1, title: 'Only a title' });
      expect((await untold.end()).stdout).toContain('\n  taken for names; --as NAME overrules\n');
      const server = await serve([join(dir, 'names.json'), '--as', 'articles']);
      expect(await (await server.fetch('/api/articles/1')).json()).toMatchObject({ title: 'Only a title' });
      expect((await server.end()).code).toBe(0);
      expect((await run(['chek', '--port', '0'])).stderr).toBe(
        'There is no file or folder chek. Did you mean "check"?\n',
      );
      expect((await run([join(dir, 'posts.csv'), 'check'], {}, dir)).stderr).toBe(
        'There is no file or folder check. A command stands before all paths.\n',
      );
      expect((await run(['--snapshots', 'posts.csv'], {}, dir)).stderr).toBe(
        'posts.csv is a file, and no folder: name it without --snapshots.\n',
      );
      expect((await run(['--watch', 'true'], {}, dir)).stderr).toBe(
        'There is no file or folder true. A flag that is on or off takes no value.\n',
      );
      expect((await run(['help'], {}, dir)).stderr).toBe('There is no file or folder help. Did you mean "--help"?\n');
      symlinkSync(join(dir, 'gone'), join(dir, 'link.json'));
      expect((await run([join(dir, 'link.json')])).stderr).toMatch(
        /is a link to a file or folder that is not there\.\n$/,
      );
      const inFile = join(dir, 'posts.csv', 'more.csv');
      expect((await run(['check', inFile])).stderr).toBe(`There is no file or folder ${inFile}.\n`);
      const previous = await run([join(dir, 'posts.csv'), '--previous', join(dir, 'gone')]);
      const stderr = `There is no file or folder ${join(dir, 'gone')}; --previous or SCRAPER_PREVIOUS names it.\n`;
      expect(previous).toEqual({ code: 1, stdout: '', stderr });
    });
  });

  test('without a folder named snapshots the sample is served, and the start says how to serve other data', async () => {
    await withFolder({}, async (dir) => {
      const server = await serve([], {}, dir);
      expect((await server.fetch('/api/articles/40018457')).status).toBe(200);
      const { stdout } = await server.end();
      expect(stdout).toMatch(
        /^There is no folder snapshots here: .* sample .*\nTo serve your own data: put a dump into snapshots, or name it: .* PATH…, .*\n/,
      );
      const checked = await run(['check'], {}, dir);
      expect(checked.stderr).toMatch(
        /^There is no file or folder snapshots; .*\. Name a file or folder: .* check PATH…\n$/,
      );
      // As where a disk is not mounted.
      symlinkSync('nowhere', join(dir, 'snapshots'));
      const message = 'snapshots is a link to a file or folder that is not there.';
      await expect(serve([], {}, dir)).rejects.toThrow(`ended with 1: ${message}\n`);
      expect((await run(['check'], {}, dir)).stderr).toMatch(new RegExp(`^${message} Name a .* check PATH…\n$`));
    });
  });

  test('what is dropped into snapshots is served alone, whatever its name; until then the sample is', async () => {
    await withFolder({}, async (dir) => {
      const snapshots = join(dir, 'snapshots');
      const drop = (name: string, text: string) => writeFileSync(join(snapshots, name), text);
      const counts = async (server: Running) => {
        const totals = names.map(async (name) => {
          const { pagination } = (await (await server.fetch(`/api/${name}?limit=1`)).json()) as {
            readonly pagination: { readonly total: number };
          };
          return pagination.total;
        });
        return Promise.all(totals);
      };
      mkdirSync(join(snapshots, 'sample'), { recursive: true });
      for (const name of ['README.md', '.DS_Store', 'products.mapping.json']) drop(name, '{}');
      const empty = await serve(['--watch'], {}, dir);
      expect(await counts(empty)).toEqual([336, 353]);
      expect(empty.stdout()).toMatch(/^snapshots holds no dump: this is the sample that comes with the program\.\n/);
      expect((await run(['check'], {}, dir)).stderr).toMatch(
        /^snapshots holds no dump: .*\nTo serve your own data: .*\n$/,
      );

      drop('scrape.json', '[{"name":"Tea","price":"£4.20"},{"name":"Salt","price":5}]');
      await vi.waitFor(async () => expect(await counts(empty)).toEqual([0, 2]), PATIENCE);
      await empty.end();
      drop('notes.txt', 'x');
      drop('sheet.xlsx', 'x');
      drop('package.json', '{"name":"x","version":"1.0.0"}');
      drop('names.csv', 'colour\nred\n');
      const server = await serve([], {}, dir);
      expect(await counts(server)).toEqual([0, 2]);
      const { stdout, stderr } = await server.end();
      expect(stderr).toBe('');
      expect(stdout).toContain('scrape.json: 2 records');
      expect(stdout).not.toContain('sample');
      for (const line of [
        'notes.txt: its ending is none of .json, .ndjson, .jsonl, .jl, .har, .geojson, .jsonld, .csv, .tsv (or .gz, .zst after that), .zip; rename it, or name the file itself to have it read',
        'sheet.xlsx: a spreadsheet; save it as CSV',
        'package.json: neither its name nor its fields tell whether its one object is a record',
      ])
        expect(stdout).toContain(`\nignored: ${line}`);
      expect(stdout).toContain('  the first row, "colour", is read as the name of the only column\n');

      rmSync(join(snapshots, 'scrape.json'));
      drop('broken.json', '[{"id":1,"title":"Tea","price":4');
      const broken = await run([], {}, dir);
      expect([broken.code, broken.stderr]).toEqual([1, expect.stringMatching(/^broken\.json:1:\d+: /)]);
    });
  });

  test('the first sentence of the README, in a copy of the checkout as a newcomer has it', async () => {
    await withFolder({}, async (dir) => {
      for (const part of ['dist', 'snapshots', 'package.json'])
        cpSync(pathTo(part), join(dir, part), { recursive: true });
      symlinkSync(pathTo('node_modules'), join(dir, 'node_modules'));
      const start = () => serve([], {}, dir, join(dir, 'dist', 'main.js'));
      const untouched = await start();
      expect((await untouched.fetch('/api/articles/40018457')).status).toBe(200);
      await untouched.end();
      writeFileSync(
        join(dir, 'snapshots', 'my scrape.jl'),
        '{"headline":"One","points":3}\n{"headline":"Two","points":4}\n',
      );
      const server = await start();
      expect(await (await server.fetch('/api/articles')).json()).toMatchObject({ pagination: { total: 2 } });
      expect(await (await server.fetch('/api/products')).json()).toMatchObject({ pagination: { total: 0 } });
      await server.end();
    });
  });

  test('while the snapshots are loaded for the first time the answer is 503, and says how far that is', async () => {
    const many = Array.from({ length: 150_000 }, (_, i) => ({ id: i, title: `Title ${i}`, score: i }));
    await withFolder({ 'articles.json': JSON.stringify(many) }, async (dir) => {
      const port = await freePort();
      const starting = serve(['--snapshots', dir, '--port', String(port)]);
      (await untilConnected(port)).destroy();
      const ask = async (path: string, Accept: string) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Accept } });
        return { status: response.status, retry: response.headers.get('Retry-After'), text: await response.text() };
      };
      const asked = [ask('/api/articles/7', '*/*'), ask('/health', 'text/html'), ask('/articles', 'text/html')];
      const [list, health, page] = await Promise.all(asked);
      for (const answer of [list, health, page]) expect([answer?.status, answer?.retry]).toEqual([503, '1']);
      const message = /^The snapshots are being loaded, \d+% so far: try again in a second\.$/;
      for (const answer of [list, health])
        expect(JSON.parse(answer?.text ?? '')).toEqual({
          error: { code: 'unavailable', message: expect.stringMatching(message) },
        });
      expect(page?.text).toMatch(
        /<meta http-equiv="refresh" content="1;url=\/articles">.*<progress.*aria-current="step">Read the files/s,
      );
      const server = await starting;
      expect((await server.fetch('/api/articles/7')).status).toBe(200);
      expect((await server.end()).code).toBe(0);
    });
  });

  test('what came from the environment is said; a HOST that is no address of this machine is left alone', async () => {
    for (const HOST of ['x86_64-conda-linux-gnu', '192.0.2.1']) {
      const server = await serve(['--snapshots', sampleDir], { HOST, SCRAPER_RATE_LIMIT: '0', AS: '/usr/bin/as' });
      const { stdout, stderr } = await server.end();
      expect(stdout.split('\n').slice(0, 2)).toEqual([
        `from the environment: HOST=${HOST}, SCRAPER_RATE_LIMIT=0`,
        `HOST=${HOST} is no address of this machine, and is left alone: --host names one.`,
      ]);
      expect([stdout.includes('listening on http://127.0.0.1:'), stderr]).toEqual([true, '']);
    }
    expect(await run(['--host', '192.0.2.1', '--port', '0'])).toMatchObject({
      code: 1,
      stderr: '--host must be an address of this machine without a port, such as 127.0.0.1, received "192.0.2.1".\n',
    });
  });

  test('--quiet prints one line, --log one more per request', async () => {
    const server = await serve(['--snapshots', sampleDir, '--quiet', '--log=json']);
    await (await server.fetch(`/api/articles/1?x`)).text();
    const { stdout } = await server.end();
    const [first, second] = stdout.split('\n');
    expect(first).toBe(`listening on ${server.url}`);
    expect(JSON.parse(second ?? '')).toMatchObject({
      method: 'GET',
      path: '/api/articles/1?x',
      status: 422,
      bytes: expect.any(Number),
      address: '127.0.0.1',
    });
  });

  test('--log writes every line before the program ends, and the address that a trusted proxy names', async () => {
    const server = await serve(['--snapshots', sampleDir, '--quiet', '--log', '--rate-limit', '0', '--trust-proxy']);
    const asked = Array.from({ length: 300 }, (_, i) =>
      server.fetch(`/api/articles?page=${i + 1}`, { headers: { 'X-Forwarded-For': `9.9.9.9, 203.0.113.${i % 10}` } }),
    );
    await Promise.all((await Promise.all(asked)).map((response) => response.text()));
    const { stdout } = await server.end('SIGTERM');
    const lines = stdout.trimEnd().split('\n').slice(1);
    const line = /^\d{4}-\d\d-\d\dT[\d:.]+Z GET \/api\/articles\?page=(\d+) 200 \d+ [\d.]+ 203\.0\.113\.(\d)$/;
    const pages = lines.map((text) => line.exec(text)).map((found) => [Number(found?.[1]), Number(found?.[2])]);
    expect(pages.sort(([a = 0], [b = 0]) => a - b)).toEqual(asked.map((_, i) => [i + 1, i % 10]));
  });

  test('flags that change what is answered change the OpenAPI document, the others do not', async () => {
    const documentUnder = async (...flags: readonly string[]) => {
      const server = await serve(['--snapshots', sampleDir, '--quiet', ...flags]);
      const statuses = await Promise.all(
        ['/api/articles?limit=7', '/api/articles?limit=8', '/api/articles/0', '/health'].map(
          async (path) => (await server.fetch(path)).status,
        ),
      );
      const document = await (await server.fetch('/api/openapi.json')).text();
      await server.end();
      return { document, statuses };
    };
    const standard = await documentUnder();
    const others = [
      ...['--trust-proxy', '--watch', '--strict', '--log=json', '--html=keep', '--host', '127.0.0.1'],
      ...['--rate-limit', '9', '--cors', 'http://localhost:5173'],
    ];
    expect(await documentUnder(...others)).toEqual(standard);
    expect(standard.statuses).toEqual([200, 200, 404, 200]);
    const { document, statuses } = await documentUnder('--max-limit', '7', '--envelope', 'meta', '--extra');
    expect(statuses).toEqual([200, 422, 404, 200]);
    for (const part of ['"maximum":7', 'current_page', '"default":"*"']) {
      expect(document).toContain(part);
      expect(standard.document).not.toContain(part);
    }
    const described = ['max-limit', 'envelope', 'extra'];
    const undescribed = [
      'rate-limit',
      'cors',
      'snapshots',
      'previous',
      'port',
      'engine',
      'quiet',
      'from',
      'history',
      'add-up',
      'max-changes',
      'trust-proxy',
      'watch',
      'strict',
      'partial',
      'log',
      'host',
      'as',
      'allowed-host',
      'language',
      'base-url',
      'scraped-at',
      'columns',
      'html',
      'delay',
      'fail',
      'open',
      'max-download',
      'records',
      'encoding',
      'min-records',
      'max-lost',
      'max-new',
      'min-filled',
      'max-refused',
    ];
    expect(serveFlags.map(({ name }) => name).sort()).toEqual([...described, ...undescribed].sort());
  });

  test('SIGHUP loads the folder again; a broken dump leaves the old one serving', async () => {
    await withFolder({ 'articles.json': articles(['old']) }, async (dir) => {
      const server = await serve(['--snapshots', dir]);
      const titles = async () => {
        const { data } = (await (await server.fetch(`/api/articles`)).json()) as { data: { title: string }[] };
        return data.map(({ title }) => title);
      };
      expect(await titles()).toEqual(['old']);
      writeFileSync(join(dir, 'articles.json'), articles(['new', 'newer']));
      server.child.kill('SIGHUP');
      await until(() => server.stdout().includes('reloaded: version '));
      expect(await titles()).toEqual(['new', 'newer']);
      writeFileSync(join(dir, 'articles.json'), '[{"id":1');
      server.child.kill('SIGHUP');
      await until(() => server.stderr().includes('reload failed'));
      expect(server.stderr()).toContain('articles.json:1:9: ');
      expect(await titles()).toEqual(['new', 'newer']);
      expect((await server.end()).code).toBe(0);
    });
  });

  test('SIGHUP before there is anything to serve is a reload once there is', async () => {
    // As soon as somebody listens for the signal, it comes; how much was said by then tells how soon that is.
    const sendEarly = `process.on('newListener', (name) => {
      if (name !== 'SIGHUP') return;
      process.stderr.write('said ' + process.stdout.bytesWritten);
      setImmediate(() => process.kill(process.pid, name));
    })`;
    const server = await serve(['--snapshots', sampleDir], {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(sendEarly)}`,
    });
    await until(() => server.stdout().includes('\nreloaded: version '));
    expect(server.stdout()).toMatch(/^articles.*\nproducts.*\n.*listening on .*\nreloaded: version /s);
    expect(await server.end()).toMatchObject({ code: 0, stderr: 'said 0' });
  });

  test('requests that are no HTTP get an answer in the shape of the others', async () => {
    const server = await serve(['--snapshots', sampleDir]);
    const answer = async (request: string) => (await raw(server.url, request)).split('\r\n\r\n')[1] ?? '';
    const host = 'Host: localhost\r\nConnection: close';
    const cases = [
      [`GET /api/articles/search?q=caf\u0001 HTTP/1.1\r\n${host}\r\n\r\n`, /percent-encoded/],
      [`GET /${'x'.repeat(70_000)} HTTP/1.1\r\n${host}\r\n\r\n`, /must not exceed 65536 bytes/],
      ['nonsense\r\n\r\n', /not valid HTTP\/1\.1/],
      ['GET /api/articles HTTP/1.1\r\nConnection: close\r\n\r\n', /no Host header/],
      ['GET /api/articles HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', /Host header/],
    ] as const;
    for (const [request, message] of cases) {
      const { error } = JSON.parse(await answer(request)) as { error: { code: string; message: string } };
      expect(error.code).toBe('invalid_request');
      expect(error.message).toMatch(message);
    }
    // UTF-8 as it was typed is read.
    expect(JSON.parse(await answer(`GET /api/articles/search?q=caf\u00e9 HTTP/1.1\r\n${host}\r\n\r\n`))).toHaveProperty(
      'data',
    );
    const long = encodeURIComponent('é'.repeat(4096));
    expect((await server.fetch(`/api/articles/search?q=${long}`)).status).toBe(200);
    await server.end();
  });
});

describe('a start that fails', () => {
  test('broken file: file, line and column, exit code 1', async () => {
    await withFolder({ 'articles.json': '[\n{"id": 1, "title": "One"},\n{"id": 2, "title": }\n]' }, async (dir) => {
      for (const args of [
        ['--port', '0', '--snapshots', dir],
        ['check', dir],
      ]) {
        const { code, stdout, stderr } = await run(args);
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toMatch(/^articles\.json:3:20: expected a value, found `}`.*\n$/);
      }
    });
  });

  test('a port in use', async () => {
    const server = await serve(['--snapshots', sampleDir]);
    const { port } = new URL(server.url);
    const { code, stderr } = await run(['--snapshots', sampleDir, '--port', port]);
    expect(code).toBe(1);
    expect(stderr).toBe(`Port ${port} on 127.0.0.1 is in use; choose another with --port, or 0 for a free one.\n`);
    await server.end();
  });

  test('a wrong flag: exit code 2', async () => {
    expect(await run(['--prot', '80'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Unknown flag --prot. Did you mean "--port"? See --help.\n',
    });
  });

  test('--strict refuses a refused record', async () => {
    await withFolder({ 'articles.json': '[{"id": 1, "title": "One"}, {"id": 2}]' }, async (dir) => {
      const { code, stdout, stderr } = await run(['--snapshots', dir, '--strict']);
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toBe(
        'articles.json:1: refused: record 2 (line 1): title is missing; --strict allows no refusal\n',
      );
    });
  });
});

describe('check', () => {
  const refusing = '{"id": 1, "title": "One"}\n{"id": 2}\n{"id": "x", "title": "Three"}\n';

  test('prints the report and exits 1 if a record was refused', async () => {
    await withFolder({ 'articles.ndjson': refusing, 'notes.txt': '' }, async (dir) => {
      const { code, stdout } = await run(['check', dir]);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^articles\.ndjson: 1 record, 66 bytes, 2 refused\n/);
      expect(stdout).toContain('\n  refused: record 2 (line 2): title is missing\n');
      expect(stdout).toContain('\n  refused: record 3 (line 3): id: expected an integer, found "x"\n');
      expect(stdout).toContain('\nignored: notes.txt: its ending is none of ');
      expect(await run(['check', join(dir, 'missing')])).toEqual({
        code: 1,
        stdout: '',
        stderr: `There is no file or folder ${join(dir, 'missing')}.\n`,
      });
      rmSync(join(dir, 'articles.ndjson'));
      expect((await run(['check', dir])).code).toBe(0);
    });
  });

  test('--json prints it as one JSON value', async () => {
    await withFolder({ 'articles.ndjson': refusing }, async (dir) => {
      const { code, stdout } = await run(['check', dir, '--json']);
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ files: [{ records: 3, accepted: 1, refused: 2 }] });
    });
  });
});

describe('a terminal is sent no control character of a dump', () => {
  const hostile = '\u001b]0;owned\u0007\u009b31m\r\nlisting\u007f';
  const files = {
    'articles.json': JSON.stringify([
      { id: 1, title: `A ${hostile}`, [hostile]: 1 },
      { id: 2, [`no ${hostile}`]: 2 },
    ]),
    'articles.mapping.json': JSON.stringify({ [`missing ${hostile}`]: 'author' }),
    [`notes ${hostile.replace('/', '')}.txt`]: '',
  };
  const isClean = (text: string): boolean => !/\p{Cc}/u.test(text.replaceAll('\n', ''));

  test.each([
    ['check', (dir: string) => ['check', dir]],
    ['check --json', (dir: string) => ['check', dir, '--json']],
    ['diff', (dir: string) => ['diff', dir, join(dir, '..', 'none')]],
    ['diff --json', (dir: string) => ['diff', dir, dir, '--json']],
    ['a strict start', (dir: string) => [dir, '--strict', '--port', '0']],
  ])('%s', async (_name, argsFor) => {
    await withFolder(files, async (dir) => {
      const { stdout, stderr } = await run(argsFor(dir));
      expect(stdout + stderr).not.toBe('');
      expect([isClean(stdout), isClean(stderr)]).toEqual([true, true]);
    });
  });

  test('a start', async () => {
    await withFolder(files, async (dir) => {
      const server = await serve([dir]);
      const { stdout, stderr } = await server.end();
      expect([isClean(stdout), isClean(stderr)]).toEqual([true, true]);
      expect(stderr).toContain('missing \\u001b');
      expect(stdout.split('\n').filter((line) => line.startsWith('listing'))).toEqual([]);
    });
  });
});

/** A command behind a pseudo-terminal, which util-linux has. */
const inTerminal = (env: NodeJS.ProcessEnv): string =>
  spawnSync('script', ['-qec', `'${process.execPath}' '${pathTo('dist/main.js')}' --help`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
  }).stdout.toString();

/** Whether there is a pseudo-terminal; CI must have it. */
function haveTerminal(): boolean {
  if (spawnSync('script', ['--version']).error === undefined) return true;
  if (process.env.CI) throw new Error('CI needs script, which util-linux has');
  console.warn('skipped: the help in a terminal, as there is no script (util-linux)');
  return false;
}

test.skipIf(!haveTerminal())('headings of the help are bold in a terminal, but for NO_COLOR', () => {
  expect(inTerminal({})).toContain('\u001b[1mexamples\u001b[22m');
  expect(inTerminal({ NO_COLOR: '1' })).not.toContain('\u001b');
});

test('--help and --version', async () => {
  expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await run(['--help'])).stdout).toContain('usage\n  scraper-data-api');
});
