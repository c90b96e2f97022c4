/** Several requests on one connection: answers in order, none lost, none mixed up, each begun when it is its turn. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { appOf, datasetOf } from '../support/api.js';
import { answersOf, exchange, keepOpen, start } from '../support/socket.js';
import { until } from '../support/until.js';

const articles = Array.from({ length: 3000 }, (_, i) => ({
  id: i + 1,
  title: `Title ${i}`,
  content: `${i} `.repeat(500),
}));
const app = appOf(datasetOf({ articles }));
const server = await start(app);
const { url } = server;
afterAll(() => server.close(100));

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const get = (target: string, ...fields: readonly string[]): string =>
  lines(`GET ${target} HTTP/1.1`, 'Host: localhost', ...fields);
const article = (id: number, ...fields: readonly string[]): string => get(`/api/articles/${id}`, ...fields);
const nameless = 'GET /api/articles/9 HTTP/1.1\r\n\r\n';
const wholeExport = get('/api/export/articles');
const close = 'Connection: close';
const chunked = 'Transfer-Encoding: chunked';
const unknown = 'FETCH /api/articles HTTP/1.1\r\nHost: localhost\r\n\r\n';
const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n';

/** Statuses, and ids of records, in the order in which they came until the server closed. */
async function outcome(requests: string): Promise<string> {
  const answers = answersOf(await exchange(url, requests));
  return answers.map(({ status, body }) => `${status} ${/^\{"id":(\d+)/.exec(body)?.[1] ?? ''}`.trim()).join(', ');
}

describe('what cannot be answered is refused behind the answers that are due (RFC 9112, 9.3.2)', () => {
  test.each([
    [
      'an unknown method',
      article(1) + article(2) + article(3) + article(4) + unknown,
      '200 1, 200 2, 200 3, 200 4, 501',
    ],
    ['what is no request', `${article(1)}garbage\r\n\r\n`, '200 1, 400'],
    ['bytes that are none', `${article(1) + article(2)}\0\0\r\n\r\n`, '200 1, 200 2, 400'],
    ['headers that are too large', article(1) + get(`/${'x'.repeat(70_000)}`), '200 1, 431'],
    ['a bad header', article(1) + article(2, 'Bad Name: x') + article(3), '200 1, 400'],
    ['no Host', article(1) + nameless + article(2), '200 1, 400'],
    ['two Hosts', article(1) + article(2, 'Host: b') + article(3, close), '200 1, 400, 200 3'],
    ['broken chunks', `${article(1)}${lines('POST /api/articles HTTP/1.1', 'Host: a', chunked)}x\r\n`, '200 1, 400'],
    ['a coding without an end', article(1) + article(2, 'Transfer-Encoding: gzip') + article(3), '200 1, 400'],
    ['no coding at all', article(1) + article(2, 'Transfer-Encoding:') + article(3), '200 1, 400'],
    [
      'chunks of HTTP/1.0, which has none',
      `${article(1) + lines('GET /api/articles/2 HTTP/1.0', 'Connection: keep-alive', chunked)}0\r\n\r\n${article(3)}`,
      '200 1, 400',
    ],
    ['an export before it', wholeExport + article(1) + unknown, '200, 200 1, 501'],
    ['only the first of several', `${article(1)}garbage\r\n\r\n${unknown}`, '200 1, 400'],
  ])('%s', async (_name, requests, expected) => expect(await outcome(requests)).toBe(expected));

  test.each(['gzip', 'chunked, gzip', '', 'xchunked'])(
    'Transfer-Encoding: %s gets a single response',
    async (codings) => {
      expect(await outcome(article(1, `Transfer-Encoding: ${codings}`) + article(2))).toBe('400');
      expect(await outcome(article(1, 'Host: b', `Transfer-Encoding: ${codings}`) + article(2))).toBe('400');
    },
  );

  test('half a request whose client has ended its side', async () => {
    const answers = answersOf(await exchange(url, `${article(1) + article(2)}GET /api/art`, true));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  });

  test('whatever follows piece by piece', async () => {
    const connection = keepOpen(url);
    connection.write(article(1) + unknown);
    for (let i = 0; i < 5; i++) {
      await sleep(10);
      connection.write('more garbage\r\n');
    }
    const statuses = [await connection.next(), await connection.next(), await connection.next()];
    expect(statuses.map((answer) => answer?.status)).toEqual([200, 501, undefined]);
  });

  test('a client that neither reads nor ends is let go of', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(unknown);
    await new Promise((resolve) => socket.once('end', resolve));
    await closed;
  });
});

describe('nothing behind the request that closes the connection is answered (9.6)', () => {
  test.each([
    ['Connection: close', article(1, close) + article(2), '200 1'],
    ['behind another', article(1) + article(2, close) + article(3), '200 1, 200 2'],
    ['garbage', `${article(1, close)}garbage\r\n\r\n`, '200 1'],
    ['a tunnel', article(1, close) + tunnel, '200 1'],
    ['Proxy-Connection: close', article(1, 'Proxy-Connection: close') + article(2), '200 1'],
    ['HTTP/1.0', 'GET /api/articles/1 HTTP/1.0\r\n\r\n', '200 1'],
    ['no Host, alone', nameless, '400'],
    ['behind an export', wholeExport + article(1, close) + article(2), '200, 200 1'],
  ])('%s', async (_name, requests, expected) => expect(await outcome(requests)).toBe(expected));

  test.each([['Connection: close'], ['Proxy-Connection: close']])('%s alone', async (field) => {
    const connection = keepOpen(url);
    connection.write(article(1, field));
    expect((await connection.next())?.headers.get('connection')).toBe('close');
    expect(await connection.next()).toBeNull();
  });

  test('Proxy-Connection: keep-alive keeps it', async () => {
    const connection = keepOpen(url);
    connection.write(article(1, 'Proxy-Connection: keep-alive'));
    expect((await connection.next())?.status).toBe(200);
    connection.write(article(2, close));
    expect((await connection.next())?.status).toBe(200);
  });
});

describe('Expect: 100-continue (RFC 9110, 10.1.1)', () => {
  const expecting = 'Expect: 100-continue';
  test('no interim answer gets into another answer', async () => {
    const requests = wholeExport + article(1, expecting) + article(2, expecting, close);
    expect(await outcome(requests)).toBe('200, 100, 200 1, 100, 200 2');
  });

  test('a body that was announced is read, and the connection kept', async () => {
    const asked = lines('POST /api/articles HTTP/1.1', 'Host: a', expecting, 'Content-Length: 4');
    expect(await outcome(`${asked}body${article(1, close)}`)).toBe('100, 405, 200 1');
  });

  test('another expectation is refused when it is its turn', async () => {
    expect(await outcome(wholeExport + article(1, 'Expect: miracles') + article(2, close))).toBe('200, 417, 200 2');
  });
});

describe('an answer begins when it is its turn', () => {
  test('exports that wait have not begun', async () => {
    const served = datasetOf({ articles });
    let begun = 0;
    const counted = () => {
      begun++;
      return served;
    };
    const counting = await start(appOf(served, { served: counted }));
    const socket = connect(Number(new URL(counting.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(get('/api/export/articles').repeat(600));
    await until(() => begun > 0);
    await sleep(300);
    expect(begun).toBeLessThan(20);
    socket.destroy();
    await counting.close(100);
  });

  test('any number of requests in one write are answered in order', async () => {
    const ids = Array.from({ length: 1000 }, (_, i) => i + 1);
    const requests = ids.map((id) => article(id, ...(id === ids.length ? [close] : []))).join('');
    expect(await outcome(requests)).toBe(ids.map((id) => `200 ${id}`).join(', '));
  });

  test('and others are answered in between', async () => {
    const flooding = exchange(url, get('/api/articles?limit=1000').repeat(300) + article(1, close));
    await sleep(20);
    const other = keepOpen(url);
    let answered = 0;
    const flooded = flooding.then(() => true);
    while (!(await Promise.race([flooded, sleep(0).then(() => false)]))) {
      other.write(article(++answered));
      expect((await other.next())?.status).toBe(200);
    }
    expect(answered).toBeGreaterThan(5);
    other.socket.destroy();
  });
});
