/** What is answered on the connection itself equals what `node:http` answers, whatever is sent and however it is cut. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createRoutes } from '../../src/http/app.js';
import { type LastHeaders, readPlainRequest } from '../../src/http/wire/request.js';
import { appOf, datasetOf } from '../support/api.js';
import { type Connection, keepOpen, type RawAnswer, start } from '../support/socket.js';

const read = (request: string, last: LastHeaders = { block: null, host: '', fields: {} }) =>
  readPlainRequest(Buffer.from(request, 'latin1'), last);
const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`;

describe('a plain request', () => {
  test.each([
    [lines('GET /api/articles HTTP/1.1', 'Host: a'), { method: 'GET', target: '/api/articles', host: 'a', fields: {} }],
    [
      lines('HEAD / HTTP/1.1', 'host:localhost:3000'),
      { method: 'HEAD', target: '/', host: 'localhost:3000', fields: {} },
    ],
    [
      lines(
        'GET /?a=%20 HTTP/1.1',
        'HOST: 127.0.0.1',
        'If-None-Match:\t"a", W/"b" ',
        'Cookie: a=b',
        'Accept-Encoding:',
      ),
      {
        method: 'GET',
        target: '/?a=%20',
        host: '127.0.0.1',
        fields: { 'if-none-match': '"a", W/"b"', 'accept-encoding': '' },
      },
    ],
    [
      lines('GET / HTTP/1.1', 'Host: a', 'Connection: Keep-Alive', 'X-Forwarded-For: 1.2.3.4'),
      { method: 'GET', target: '/', host: 'a', fields: { 'x-forwarded-for': '1.2.3.4' } },
    ],
  ])('%j', (request, expected) => expect(read(request)).toEqual(expected));

  test('is read by the same fields as long as its headers stay the same', () => {
    const last: LastHeaders = { block: null, host: '', fields: {} };
    const first = read(lines('GET /a HTTP/1.1', 'Host: a', 'Accept: x'), last);
    expect(read(lines('GET /b HTTP/1.1', 'Host: a', 'Accept: x'), last)?.fields).toBe(first?.fields);
    expect(read(lines('GET /b HTTP/1.1', 'Host: a', 'Accept: y'), last)?.fields).toEqual({ accept: 'y' });
  });

  const plain = ['GET / HTTP/1.1', 'Host: a'];
  test.each([
    ['half a request', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['half a line end', 'GET / HTTP/1.1\r\nHost: a\r\n\r'],
    ['only its first line', 'GET / HTTP/1.1\r\n'],
    ['two requests', lines(...plain) + lines(...plain)],
    ['bytes behind it', `${lines(...plain)}x`],
    ['an empty line before it', `\r\n${lines(...plain)}`],
    ['another method', lines('POST / HTTP/1.1', 'Host: a')],
    ['a method in lower case', lines('get / HTTP/1.1', 'Host: a')],
    ['HTTP/1.0', lines('GET / HTTP/1.0', 'Host: a')],
    ['no version', lines('GET /', 'Host: a')],
    ['no Host', lines('GET / HTTP/1.1', 'Accept: */*')],
    ['no headers', lines('GET / HTTP/1.1')],
    ['two Hosts', lines(...plain, 'Host: b')],
    ['a strange Host', lines('GET / HTTP/1.1', 'Host: a b')],
    ['an IPv6 Host', lines('GET / HTTP/1.1', 'Host: [::1]:80')],
    ['a body', `${lines(...plain, 'Content-Length: 1')}`],
    ['a chunked body', lines(...plain, 'Transfer-Encoding: chunked')],
    ['an expectation', lines(...plain, 'Expect: 100-continue')],
    ['an upgrade', lines(...plain, 'Connection: Upgrade', 'Upgrade: h2c')],
    ['a connection that is to close', lines(...plain, 'Connection: close')],
    ['a connection with options', lines(...plain, 'Connection: keep-alive, TE')],
    ['a field that matters, twice', lines(...plain, 'If-None-Match: "a"', 'If-None-Match: "b"')],
    ['a space before the colon', lines(...plain, 'Accept : x')],
    ['a folded line', lines(...plain, 'Accept: x', ' y')],
    ['a line without a colon', lines(...plain, 'Accept')],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: a\n\n'],
    ['a bare line feed in a field', lines(...plain, 'Accept: a\nb')],
    ['a null byte', lines(...plain, 'Accept: \0')],
    ['a byte beyond ASCII', lines(...plain, 'Accept: \xe9')],
    ['more than 8 kB', lines(...plain, `Accept: ${'x'.repeat(8192)}`)],
    ['more than 100 lines', lines(...plain, ...Array.from({ length: 100 }, (_, i) => `X-${i}: 1`))],
  ])('is none: %s', (_what, request) => expect(read(request)).toBeNull());
});

const articles = Array.from({ length: 3000 }, (_, i) => ({
  id: i + 1,
  title: `Title ${i} é`,
  author: `Author ${i % 7}`,
}));
const served = { ...datasetOf({ articles }), modifiedAt: new Date(1.7e12) };
const app = appOf(served);
const timeouts = { headersMs: 300, requestMs: 400, keepAliveMs: 300, checkMs: 20 };
/** What a busy machine delays is no late request to this one. */
const server = await start(app, {
  timeouts: { ...timeouts, headersMs: 20_000, requestMs: 20_000, keepAliveMs: 20_000 },
});
const impatient = await start(app, { timeouts });
afterAll(() => Promise.all([server.close(100), impatient.close(100)]));

/** A connection that `node:http` has taken over. */
async function handedOver(url = server.url): Promise<Connection> {
  const connection = keepOpen(url);
  connection.write(lines('OPTIONS * HTTP/1.1', 'Host: a'));
  expect((await connection.next())?.status).toBe(204);
  return connection;
}

/** All but the second that it was sent in. */
const comparable = (answer: RawAnswer | null) =>
  answer && {
    ...answer,
    // Strings are compared a hundred times as fast.
    bytes: answer.bytes.toString('latin1'),
    headers: [...answer.headers].filter(([name]) => name !== 'date').sort(),
  };

async function sent(connection: Connection, request: string) {
  connection.write(request);
  const answer = comparable(await connection.next(request.startsWith('HEAD')));
  connection.socket.destroy();
  return answer;
}

const targets = [
  '/api/articles',
  '/api/articles?limit=2&page=3&sort=title&order=desc',
  '/api/articles?limit=1000',
  '/api/articles/7',
  '/api/articles/0',
  '/api/articles/search?q=title+7',
  '/api/articles?page=0',
  '/api/articles?%',
  '/api/export/articles?limit=1',
  '/api/nothing',
  '/api/x/../articles',
  '/',
  '/docs',
  '/openapi.json',
  '/articles?q=',
  '/health',
  'http://localhost/api/articles',
  '*',
  '//api',
  '/a b',
  '/é',
];
/** One address of every resource that there is, assets among them. */
const addressed = (path: string): string =>
  path.replace(':collection', 'articles').replace(':name', 'tag').replace(':parameter', 'author').replace(/:\w+/g, '7');
const texts = await Promise.all(['/', '/docs'].map(async (path) => (await app.request(path)).text()));
const everyResource = [
  ...new Set([
    ...createRoutes({ maxLimit: 1000, envelope: 'pagination' }).map(({ path }) => addressed(path)),
    ...app.routes.map(({ path }) => addressed(path)),
    ...texts.flatMap((text) => text.match(/\/assets\/[\w-]+\/[\w.]+/g) ?? []),
    '/products/imageUrl/7',
  ]),
];
const fields = [
  'Host: localhost',
  'Host: a b',
  'host:   localhost:3000',
  'Connection: keep-alive',
  'Connection: close',
  'Connection: KEEP-ALIVE',
  'Accept-Encoding: gzip',
  'Accept-Encoding: br;q=0.5, gzip',
  'accept-encoding:identity  ',
  'If-None-Match: *',
  'If-None-Match: "x"',
  'If-Match: "x"',
  'If-Modified-Since: Tue, 14 Nov 2023 22:13:20 GMT',
  'Range: bytes=0-3',
  'Accept: text/html',
  'Cookie: a=b; c=d',
  'Origin: http://localhost:5173',
  'Origin: http://shop.test',
  'X-Empty:',
  'Expect: 100-continue',
  'Expect: miracles',
  'Content-Length: 0',
  'Transfer-Encoding: chunked',
  'TE: trailers',
  'Bad Name: x',
  'NoColon',
  ': no name',
  ' folded',
  'X-Odd: \x01',
];
const pick = (all: readonly string[]) => fc.constantFrom(...all);
const someFields = fc.array(pick(fields), { maxLength: 4 }).map((own) => ['Host: localhost', ...own]);
const request = fc
  .tuple(
    pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'get', 'FETCH']),
    pick(targets),
    pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'http/1.1']),
    fc.oneof({ weight: 5, arbitrary: someFields }, { weight: 1, arbitrary: fc.array(pick(fields), { maxLength: 3 }) }),
  )
  .map(([method, target, version, own]) => lines(`${method} ${target} ${version}`, ...own));

describe('an answer on the connection itself equals that of node:http', () => {
  const both = async (asked: string) => {
    const [own, other] = await Promise.all([sent(keepOpen(server.url), asked), sent(await handedOver(), asked)]);
    expect(own).toEqual(other);
    return own;
  };

  test.each(
    targets.flatMap((target) =>
      ['GET', 'HEAD'].flatMap((method) =>
        [[], ['Accept-Encoding: gzip'], ['If-None-Match: *'], ['If-Match: "x"']].map(
          (own) => [method, target, own] as const,
        ),
      ),
    ),
  )('%s %s %j', async (method, target, own) => {
    await both(lines(`${method} ${target} HTTP/1.1`, 'Host: localhost', ...own));
  });

  test.each(everyResource)('%s', async (target) => {
    for (const own of [[], ['If-None-Match: *'], ['Accept-Encoding: br'], ['Connection: close']])
      expect(await both(lines(`GET ${target} HTTP/1.1`, 'Host: localhost', ...own))).not.toBeNull();
  });

  // A chunked body that never comes is answered before it, or by a time-out: both take part in the comparison.
  test('for any request', () =>
    fc.assert(
      fc.asyncProperty(request, async (asked) => {
        await both(asked);
      }),
      { numRuns: 400 },
    ));
});

describe('a connection', () => {
  const get = (target: string, ...own: readonly string[]): string => lines(`GET ${target} HTTP/1.1`, 'Host: a', ...own);

  test('is answered in order, whoever answers', async () => {
    const connection = keepOpen(server.url);
    const asked = [
      get('/api/articles/1'),
      get('/api/articles?limit=1'),
      get('/api/articles/3') + get('/api/articles/4'),
      get('/api/articles/5'),
      `${lines('POST /api/articles HTTP/1.1', 'Host: a', 'Content-Length: 4')}body`,
      get('/api/articles/7', 'Connection: close'),
    ];
    const statuses: (number | undefined)[] = [];
    for (const request of asked) {
      connection.write(request);
      statuses.push((await connection.next())?.status);
    }
    statuses.push((await connection.next())?.status, (await connection.next())?.status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 405, 200, undefined]);
  });

  test('may cut a request anywhere', async () => {
    const whole = get('/api/articles/9', 'Accept-Encoding: gzip');
    for (let cut = 1; cut < whole.length; cut++) {
      const connection = keepOpen(server.url);
      connection.write(whole.slice(0, cut));
      await new Promise((resolve) => setImmediate(resolve));
      connection.write(whole.slice(cut));
      expect(JSON.parse((await connection.next())?.body ?? '')).toMatchObject({ id: 9 });
      connection.write(get('/api/articles/10'));
      expect(JSON.parse((await connection.next())?.body ?? '')).toMatchObject({ id: 10 });
      connection.socket.destroy();
    }
  });

  test('that does not read is not answered beyond what it has room for', async () => {
    const connection = keepOpen(server.url);
    connection.socket.pause();
    const asked = get('/api/articles?limit=1000');
    for (let i = 0; i < 200; i++) {
      connection.write(asked);
      await new Promise((resolve) => setImmediate(resolve));
    }
    connection.socket.resume();
    for (let i = 0; i < 200; i++) expect((await connection.next())?.status).toBe(200);
    connection.socket.destroy();
  });

  test('that does not read gets each of many small answers whole, and so do others meanwhile', async () => {
    const [slow, other] = [keepOpen(server.url), keepOpen(server.url)];
    slow.write(get('/api/articles/1'));
    await slow.next();
    slow.socket.pause();
    const pageOf = (i: number): number => 1 + (i % 30);
    for (let i = 0; i < 1000; i++) {
      slow.write(get(`/api/articles?limit=100&page=${pageOf(i)}`));
      other.write(get('/api/articles?limit=120&page=20'));
      expect(JSON.parse((await other.next())?.body ?? '').data[119].id).toBe(2400);
    }
    slow.socket.resume();
    for (let i = 0; i < 1000; i++) {
      const { data } = JSON.parse((await slow.next())?.body ?? '');
      expect([data[0].id, data[99].id]).toEqual([pageOf(i) * 100 - 99, pageOf(i) * 100]);
    }
    for (const { socket } of [slow, other]) socket.destroy();
  });

  test('that ends its side gets its answer', async () => {
    const connection = keepOpen(server.url);
    connection.write(get('/api/articles/11'));
    connection.socket.end();
    expect((await connection.next())?.status).toBe(200);
    expect(await connection.next()).toBeNull();
  });

  test('is closed once the server ends, however long it might have been kept', async () => {
    const ending = await start(app);
    const [own, other] = [keepOpen(ending.url), await handedOver(ending.url)];
    own.write(get('/api/articles/12'));
    expect((await own.next())?.status).toBe(200);
    await ending.close(5000);
    expect([await own.next(), await other.next()]).toEqual([null, null]);
  });
});

describe('time-outs', () => {
  const first = lines('GET /api/articles/1 HTTP/1.1', 'Host: a');
  const message = 'The request did not arrive in time.';

  test.each([
    ['nothing is sent', ''],
    ['half a line', 'GET /api/art'],
    ['half the headers', 'GET /api/articles HTTP/1.1\r\nHost: a\r\n'],
  ])('%s: 408, and the connection is closed', async (_what, bytes) => {
    const connection = keepOpen(impatient.url);
    connection.write(bytes);
    const answers = [await connection.next(), await connection.next()].filter((answer) => answer !== null);
    const late = answers.at(-1);
    expect(late?.status).toBe(408);
    expect(JSON.parse(late?.body ?? '')).toEqual({ error: { code: 'invalid_request', message } });
    expect(await connection.next()).toBeNull();
  });

  test.each([
    ['half of it', 'POST /api/articles HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf', 405],
    ['half of its chunks', 'GET /api/articles/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha', 200],
    ['a broken chunk', 'GET /api/articles/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5x\r\nhalf', 200],
  ])(
    'a request whose body does not come, but %s, has one response, and the connection is closed',
    async (_, bytes, status) => {
      const connection = keepOpen(impatient.url);
      connection.write(bytes);
      expect((await connection.next())?.status).toBe(status);
      expect(await connection.next()).toBeNull();
    },
  );

  test.each([
    ['on the connection itself', () => keepOpen(impatient.url)],
    ['by node:http', () => handedOver(impatient.url)],
  ])('an idle connection is kept and then closed, %s', async (_what, open) => {
    let startedAt = 0;
    let connection: Connection;
    let second: RawAnswer | null;
    let isLate: boolean;
    do {
      connection = await open();
      startedAt = performance.now();
      connection.write(first);
      const answer = await connection.next();
      const answeredAt = performance.now();
      expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'keep-alive']);
      await new Promise((resolve) => setTimeout(resolve, timeouts.keepAliveMs / 2));
      connection.write(first);
      second = await connection.next();
      // A busy machine may wake this side when the connection is closed already, and rightly so.
      isLate = second === null && performance.now() - answeredAt >= timeouts.keepAliveMs;
    } while (isLate);
    expect(second?.status).toBe(200);
    expect(await connection.next()).toBeNull();
    expect(performance.now() - startedAt).toBeGreaterThan(timeouts.keepAliveMs * 1.4);
  });
});
