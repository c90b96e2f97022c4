/** Who may ask: names that the server answers to, and origins whose pages may read its answers. */
import { afterAll, describe, expect, test } from 'vitest';
import { hostNames, isLoopback } from '../../src/http/semantics/host.js';
import { appOf, datasetOf } from '../support/api.js';
import { answersOf, exchange, start } from '../support/socket.js';

const served = datasetOf({ articles: [{ id: 1, title: 'One' }] });
const bound = appOf(served, { hostNames: hostNames('127.0.0.2', ['Shop.test'], false) });
const [wire, plain] = await Promise.all([start(bound), start(bound, { isAccelerated: false })]);
afterAll(() => Promise.all([wire.close(100), plain.close(100)]));

test.each([
  ['127.0.0.1', true],
  ['127.8.0.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.7', false],
  ['127.example', false],
])('%s is reached from this machine only: %s', (host, expected) => expect(isLoopback(host)).toBe(expected));

test.each<[string, readonly string[], boolean, readonly string[] | null]>([
  ['127.0.0.1', [], false, ['localhost', '127.0.0.1', '[::1]']],
  ['::1', [], false, ['localhost', '127.0.0.1', '[::1]']],
  ['127.0.0.2', ['a.test'], false, ['localhost', '127.0.0.1', '[::1]', '127.0.0.2', 'a.test']],
  ['127.0.0.1', [], true, null],
  ['0.0.0.0', [], false, null],
  ['0.0.0.0', ['a.test'], true, ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', 'a.test']],
])('bound to %s, with the names %j, behind a proxy %s: %j', (host, allowed, trustsProxy, expected) =>
  expect(hostNames(host, allowed, trustsProxy)).toEqual(expected),
);

describe.each([
  ['with the wire', () => wire.url],
  ['without it', () => plain.url],
])('%s', (_wire, url) => {
  const statusOf = async (line: string, ...fields: readonly string[]) => {
    const received = await exchange(url(), `${[line, ...fields, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    const [answer] = answersOf(received, line.startsWith('HEAD'));
    return answer?.status;
  };

  test.each([
    ['localhost', 200],
    ['localhost:9', 200],
    ['LOCALHOST', 200],
    ['a.b.localhost:3000', 200],
    ['127.0.0.1:3000', 200],
    ['[::1]:3000', 200],
    ['127.0.0.2', 200],
    ['shop.test', 200],
    ['SHOP.TEST:80', 200],
    ['evil.example', 421],
    ['evil.example:3000', 421],
    ['localhost.evil.example', 421],
    ['xlocalhost', 421],
    ['127.0.0.3', 421],
    ['sub.shop.test', 421],
    ['[::2]', 421],
  ])('Host: %s: %i', async (host, status) => {
    const target = '/api/articles/1';
    expect(await statusOf(`GET ${target} HTTP/1.1`, `Host: ${host}`)).toBe(status);
    // An absolute target's host counts, whatever Host says (RFC 9112, section 3.2.2).
    expect(await statusOf(`GET http://${host}${target} HTTP/1.1`, 'Host: localhost')).toBe(status);
    expect(await statusOf(`GET http://localhost${target} HTTP/1.1`, `Host: ${host}`)).toBe(200);
  });

  test.each(['', ' '])('Host: %j: 400', async (host) => {
    for (const target of ['/api/articles/1', '/', '*'])
      expect(await statusOf(`${target === '*' ? 'OPTIONS' : 'GET'} ${target} HTTP/1.1`, `Host: ${host}`)).toBe(400);
    expect(await statusOf('GET http://localhost/api/articles/1 HTTP/1.1', `Host: ${host}`)).toBe(200);
  });

  test.each([
    'GET /',
    'HEAD /api',
    'POST /api/articles',
    'OPTIONS /api',
    'OPTIONS *',
    'GET /docs',
    'GET /none',
    'GET /api/export/articles',
  ])('%s of another host: 421, also where its answer is kept', async (line) => {
    for (let time = 0; time < 3; time++) {
      await statusOf(`${line} HTTP/1.1`, 'Host: localhost');
      expect(await statusOf(`${line} HTTP/1.1`, 'Host: evil.example')).toBe(421);
    }
  });

  test('HTTP/1.0 without Host is answered', async () => {
    expect(await statusOf('GET /api/articles/1 HTTP/1.0')).toBe(200);
  });

  test('the message says so', async () => {
    const [answer] = answersOf(
      await exchange(url(), 'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
    );
    const message =
      '"evil.example" is not a name of this server, which answers to localhost, 127.0.0.1, [::1], 127.0.0.2, Shop.test. Whoever runs it allows another with --allowed-host NAME.';
    expect(JSON.parse(answer?.body ?? '')).toEqual({ error: { code: 'misdirected_request', message } });
  });
});

describe('the origin that may read an answer', () => {
  const paths = ['/api/articles', '/api/articles/7', '/api/export/articles', '/health', '/articles/', '/docs'];
  test.each<[string | null, string | null, string | null, string | null]>([
    ['local', 'http://localhost:5173', 'http://localhost:5173', 'Origin'],
    ['local', 'https://localhost', 'https://localhost', 'Origin'],
    ['local', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080', 'Origin'],
    ['local', 'http://[::1]:8080', 'http://[::1]:8080', 'Origin'],
    ['local', 'null', null, 'Origin'],
    ['local', 'http://evil.example', null, 'Origin'],
    ['local', 'http://localhost.evil.example', null, 'Origin'],
    ['local', 'http://localhost:5173.evil.example', null, 'Origin'],
    ['local', 'file://localhost', null, 'Origin'],
    ['local', null, null, 'Origin'],
    ['*', 'http://evil.example', '*', null],
    ['*', null, '*', null],
    ['http://shop.test', 'http://shop.test', 'http://shop.test', 'Origin'],
    ['http://shop.test', 'http://evil.example', 'http://shop.test', 'Origin'],
    [null, 'http://localhost:5173', null, null],
  ])('--cors %s, from %s: %s', async (corsOrigin, origin, allowed, vary) => {
    const app = appOf(served, { corsOrigin });
    const headers: Record<string, string> = origin === null ? {} : { Origin: origin };
    for (const path of [...paths, ...paths]) {
      const { headers: sent, status } = await app.request(path, { headers });
      expect(sent.get('Access-Control-Allow-Origin'), path).toBe(allowed);
      expect(sent.get('Access-Control-Expose-Headers') !== null, path).toBe(allowed !== null);
      const varies = (sent.get('Vary') ?? '').split(', ').filter((name) => name === 'Origin');
      expect(varies, path).toEqual(vary === null ? [] : [vary]);
      expect(status).toBeLessThan(500);
    }
    const preflight = await app.request('/api/articles', { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('Allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(preflight.headers.get('Access-Control-Allow-Methods') !== null).toBe(allowed !== null);
  });
});

describe('a page of another site', () => {
  const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' };
  const followed = { ...image, 'Sec-Fetch-Mode': 'navigate' };
  const of = (origin: string) => ({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', Origin: origin });
  test.each<[string, string | null, Readonly<Record<string, string>>, number]>([
    ['its picture', 'local', image, 403],
    ['its script', 'local', of('http://evil.example'), 403],
    ['its sandboxed frame', 'local', of('null'), 403],
    ['a script of this machine on another port', 'local', of('http://localhost:5173'), 200],
    ['a link that is followed', 'local', followed, 200],
    ['a link that is followed, by a browser that says so', 'local', { ...followed, 'Sec-Fetch-Dest': 'document' }, 200],
    ['its frame', 'local', { ...followed, 'Sec-Fetch-Dest': 'iframe' }, 403],
    ['its embedded object', 'local', { ...followed, 'Sec-Fetch-Dest': 'object' }, 403],
    ['a script of its own', 'local', { ...image, 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['an address that was typed', 'local', { ...image, 'Sec-Fetch-Site': 'none' }, 200],
    ['another port of this site', 'local', { ...image, 'Sec-Fetch-Site': 'same-site' }, 200],
    ['a client that says nothing', 'local', { Origin: 'http://evil.example' }, 200],
    ['any, where all are allowed', '*', image, 200],
    ['the allowed one', 'https://shop.test', of('https://shop.test'), 200],
    ['one beside the allowed one', 'https://shop.test', of('https://evil.example'), 403],
    ['its picture, beside an allowed one', 'https://shop.test', image, 403],
    ['any, where none is allowed', null, of('http://localhost:5173'), 403],
  ])('%s (--cors %s): %j → %i', async (_, corsOrigin, fields, status) => {
    const app = appOf(served, { corsOrigin, rateLimit: 1 });
    const { url, close } = await start(app);
    const asked = async (path: string, more: Readonly<Record<string, string>>) => {
      const lines = Object.entries(more).map(([name, value]) => `${name}: ${value}\r\n`);
      const received = await exchange(
        url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Connection: close\r\n\r\n`,
      );
      return answersOf(received)[0];
    };
    try {
      for (const path of ['/articles', '/articles?author=x', '/'])
        expect((await asked(path, fields))?.status, path).toBe(status);
      const answer = await asked('/api/articles', fields);
      expect(answer?.status).toBe(status);
      if (status === 403) expect(JSON.parse(answer?.body ?? '').error.code).toBe('cross_site_request');
      // A refused request does not count.
      expect((await asked('/api/articles', {}))?.status).toBe(status === 403 ? 200 : 429);
    } finally {
      await close(100);
    }
  });
});
