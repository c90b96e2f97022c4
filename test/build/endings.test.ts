/** How connections end: nothing that a client does ends the process, cuts an answer off or keeps the server from ending. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bind } from '../../src/http/bind.js';
import { createByteCache } from '../../src/http/cache.js';
import { answerOn, listen, type RunningServer } from '../../src/http/server.js';
import { readPlainRequest } from '../../src/http/wire/request.js';
import { appOf, datasetOf } from '../support/api.js';
import { costRatio } from '../support/cost.js';
import { keepOpen } from '../support/socket.js';
import { PATIENCE, until } from '../support/until.js';

const articles = Array.from({ length: 3000 }, (_, i) => ({
  id: i + 1,
  title: `Title ${i}`,
  content: `${i} `.repeat(1000),
}));
const large = { id: articles.length + 1, title: 'Large', content: 'x'.repeat(12_000_000) };
articles.push(large);
const app = appOf({ ...datasetOf({ articles }), modifiedAt: new Date(1.7e12) }, { rateLimit: 0, maxLimit: 1000 });
const start = (): Promise<RunningServer> => listen(app, { host: '127.0.0.1', port: 0 });
const connectTo = (server: RunningServer): Socket => connect(Number(new URL(server.url).port), '127.0.0.1');

const request = (target: string, ...fields: readonly string[]): string =>
  `${[`GET ${target} HTTP/1.1`, 'Host: localhost', ...fields].join('\r\n')}\r\n\r\n`;

/** All that comes until the connection is closed; reading begins after `waitMs`. */
async function receive(socket: Socket, waitMs = 0): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if (waitMs > 0) {
    socket.pause();
    await sleep(waitMs);
  }
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  await closed;
  return Buffer.concat(chunks);
}

function parted(received: Buffer): { readonly head: string; readonly body: Buffer } {
  const end = received.indexOf('\r\n\r\n');
  return { head: received.subarray(0, end).toString('latin1'), body: received.subarray(end + 4) };
}

const lengthIn = (head: string): number => Number(/^content-length: (\d+)$/im.exec(head)?.[1]);

describe('CONNECT', () => {
  async function refused(server: RunningServer): Promise<Socket> {
    const socket = connectTo(server);
    socket.on('error', () => {});
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    return socket;
  }

  test('may be followed by a reset', async () => {
    const server = await start();
    const socket = await refused(server);
    socket.resetAndDestroy();
    await sleep(50);
    expect((await fetch(`${server.url}/api/articles/1`)).status).toBe(200);
    await server.close(PATIENCE.timeout);
  });

  test('does not keep the server from ending, whatever comes behind it', async () => {
    const server = await start();
    const socket = await refused(server);
    socket.write('x');
    await server.close(300);
    socket.destroy();
  });
});

describe('an answer that is read slowly while the server ends', () => {
  test.each([
    ['on the connection itself', request('/api/export/articles')],
    ['by node:http', request('/api/export/articles', 'Connection: close')],
    ['a whole body, by node:http', request(`/api/articles/${large.id}`, 'X: \xe9', 'Connection: close')],
  ])('%s', async (_, text) => {
    const server = await start();
    const socket = connectTo(server);
    socket.write(text, 'latin1');
    const receiving = receive(socket, 150);
    await sleep(75);
    await server.close(PATIENCE.timeout);
    const { head, body } = parted(await receiving);
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(body.length).toBe(lengthIn(head));
  });
});

describe('a server that ends', () => {
  const handedOver = ['TE: trailers'];

  test.each([
    ['on the connection itself', []],
    ['by node:http', handedOver],
  ])('keeps idle connections for a second, and their last answer says so: %s', async (_, fields) => {
    const server = await start();
    const [asking, silent] = [keepOpen(server.url), keepOpen(server.url)];
    for (const connection of [asking, silent]) {
      connection.write(request('/api/articles/1', ...fields));
      expect((await connection.next())?.headers.get('connection')).toBe('keep-alive');
    }
    const ended = server.close(PATIENCE.timeout);
    await expect(fetch(`${server.url}/api/articles/1`)).rejects.toThrow();
    await sleep(20);
    expect(silent.socket.closed).toBe(false);
    asking.write(request('/api/articles/2', ...fields));
    const last = await asking.next();
    expect([last?.status, last?.headers.get('connection')]).toEqual([200, 'close']);
    expect(await asking.next()).toBeNull();
    expect(await silent.next()).toBeNull();
    await ended;
  });

  test('answers all that one write asks for', async () => {
    const server = await start();
    const connection = keepOpen(server.url);
    connection.write(request('/api/articles/1', ...handedOver));
    await connection.next();
    const ended = server.close(PATIENCE.timeout);
    connection.write(request('/api/articles/2') + request('/api/articles/3') + request('/api/articles/4'));
    const answers = [await connection.next(), await connection.next(), await connection.next()];
    expect(answers.map((answer) => answer?.headers.get('connection'))).toEqual(['keep-alive', 'keep-alive', 'close']);
    expect(answers.map((answer) => JSON.parse(answer?.body ?? '').id)).toEqual([2, 3, 4]);
    expect(await connection.next()).toBeNull();
    await ended;
  });
});

test('a client that has ended its side gets all of a coded export', async () => {
  const server = await start();
  const socket = connectTo(server);
  socket.end(request('/api/export/articles', 'Accept-Encoding: gzip'));
  const { head, body } = parted(await receive(socket));
  expect(head).toMatch(/transfer-encoding: chunked/i);
  expect(JSON.parse(gunzipSync(unchunked(body)).toString())).toHaveLength(articles.length);
  await server.close(PATIENCE.timeout);
});

function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

test('what is no HTTP is refused behind the answer that is being sent', async () => {
  const server = await start();
  const socket = connectTo(server);
  socket.write(request('/api/export/articles', 'X-Handed-Over: 1', 'TE: trailers'));
  const receiving = receive(socket, 100);
  await sleep(50);
  socket.write('\0garbage\r\n\r\n');
  const { head, body } = parted(await receiving);
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  const sent = lengthIn(head);
  expect(JSON.parse(body.toString('utf8', 0, sent))).toHaveLength(articles.length);
  expect(body.toString('latin1', sent)).toMatch(/^HTTP\/1\.1 400 /);
  await server.close(PATIENCE.timeout);
});

test('a header of thousands of spaces is read like any other', async () => {
  const tagIn = (value: string) => {
    const text = `GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: ${value}\r\n\r\n`;
    return readPlainRequest(Buffer.from(text, 'latin1'), { block: null, host: '', fields: {} })?.fields[
      'if-none-match'
    ];
  };
  const spaces = ' '.repeat(3500);
  expect(tagIn(`"a"${spaces}, "b"${spaces}`)).toBe(`"a"${spaces}, "b"`);
  expect(tagIn(`${spaces}\x01`)).toBeUndefined();
  // Trying again from every space would cost a thousand times what the same length without spaces costs.
  const tagOf = (value: string) => () => tagIn(value);
  expect(await costRatio(tagOf(`"a"${spaces}b`), tagOf(`"a"${'x'.repeat(3500)}b`), 50)).toBeLessThan(50);
});

test('a kept page that outgrows the cache is forgotten', () => {
  const cache = createByteCache<string>(100_000);
  for (let i = 0; i < 10; i++) {
    cache.set(`${i}`, 'small', 1000);
    cache.set(`${i}`, 'large', 90_000);
    expect(cache.get(`${i}`)).toBeUndefined();
  }
});

test('of kept pages those that are used stay longest', () => {
  const cache = createByteCache<string>(100_000);
  const set = (key: string): void => cache.set(key, key, 20_000);
  // Two pages fill a generation.
  for (const key of ['used', 'unused', 'c']) set(key);
  expect(cache.get('used')).toBe('used');
  for (const key of ['d', 'e']) set(key);
  expect([cache.get('used'), cache.get('unused')]).toEqual(['used', undefined]);
});

test('the keys of kept pages count: 40 of two characters fit, and none of 60 kB', () => {
  const kept = (keys: readonly string[]): number => {
    const cache = createByteCache<string>(100_000);
    for (const key of keys) cache.set(key, key, 10);
    return keys.filter((key) => cache.get(key) !== undefined).length;
  };
  const numbers = Array.from({ length: 40 }, (_, i) => String(i));
  expect(kept(numbers)).toBe(40);
  expect(kept(numbers.map((number) => number.padEnd(60_000, 'x')))).toBe(0);
  // Two generations of 50,000 bytes: nine of 5,034, or four of 9,034.
  const [latin, other] = ['é', '豆'].map((letter) => kept(numbers.map((number) => number.padEnd(2000, letter))));
  expect(latin).toBeLessThanOrEqual(18);
  expect(other).toBeLessThanOrEqual(10);
});

test('a response to an address beyond 2 kB is made each time', () => {
  const cache = createByteCache<string>(100_000);
  const isKept = (key: string): boolean => [0, 1, 2].map(() => cache.isAskedAgain(key)).includes(true);
  expect([isKept('x'.repeat(2000)), isKept('x'.repeat(2100))]).toEqual([true, false]);
});

test('a page is kept when it is asked for again', async () => {
  const made: string[] = [];
  const cache = createByteCache<string>(100_000);
  const ask = (key: string): void => {
    if (cache.get(key) !== undefined) return;
    made.push(key);
    if (cache.isAskedAgain(key)) cache.set(key, key, 10);
  };
  for (const key of ['a', 'b', 'a', 'a', 'c', 'b', 'a', 'b', 'c', 'c']) ask(key);
  expect(made.join('')).toBe('abacbc');
});

describe('connections that come before the app', () => {
  test('wait, are told of, and are answered in full; those that broke meanwhile harm nobody', async () => {
    const waiting: number[] = [];
    const bound = await bind({ host: '127.0.0.1', port: 0, onWaiting: () => waiting.push(waiting.length) });
    const socket = connect(Number(new URL(bound.url).port), '127.0.0.1');
    const broken = connect(Number(new URL(bound.url).port), '127.0.0.1');
    // Two requests, of which `node:http` has the first.
    socket.write(
      `${request('/api/articles/1', 'Expect: 100-continue')}${request('/api/articles/2', 'Connection: close')}`,
    );
    const received = receive(socket);
    await until(() => waiting.length === 2);
    broken.resetAndDestroy();
    const server = answerOn(bound, app, {});
    const text = (await received).toString();
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(text).toContain('"id":2');
    const after = connectTo(server);
    after.write(request('/api/articles/3', 'Connection: close'));
    expect((await receive(after)).toString()).toContain('"id":3');
    await server.close(0);
  });
});
