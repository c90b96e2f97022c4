/** RFC 9112 over a real socket, and that what is sent directly equals what the app answers. */
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { appOf, datasetOf } from '../support/api.js';
import { answersOf, ask, exchange, start } from '../support/socket.js';

const categories = ['Sci/Fi', '€', '100%', 'a b', 'C++', '..', '.'];
const products = Array.from({ length: 5000 }, (_, i) => ({
  id: i + 1,
  title: `Title ${i}`,
  category: categories[i % categories.length] ?? null,
}));
const served = { ...datasetOf({ products }), modifiedAt: new Date(1.7e12) };
const bugs: unknown[] = [];
const app = appOf(served, { onError: (error) => bugs.push(error) });
const accelerated = await start(app);
const plain = await start(app, { isAccelerated: false });
const broken = await start(
  appOf(served, {
    served: () => {
      throw new Error('bug');
    },
    onError: (error) => bugs.push(error),
  }),
);
/** Its export does not fit the buffers of a connection. */
const large = appOf(
  datasetOf({
    products: Array.from({ length: 30_000 }, (_, i) => ({ id: i, title: `Title ${i}`, author: 'x'.repeat(1000) })),
  }),
);
afterAll(() => Promise.all([accelerated, plain, broken].map((server) => server.close(100))));

const OF_THE_CONNECTION = ['connection', 'date', 'keep-alive', 'transfer-encoding'];
const lowered = (headers: Headers) => new Map([...headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));

describe.each([
  ['with the wire', accelerated.url],
  ['without it', plain.url],
])('%s', (_wire, url) => {
  describe('what is sent directly equals what the app answers', () => {
    const targets = [
      '/api/products',
      '/api/products?limit=3&page=2',
      '/api/products/7',
      '/api/products/0',
      '/api/products/x',
      '/api/products/search?q=title+7',
      '/api/products/category/Sci%2FFi',
      '/api/products/category/%FF',
      '/api/products?page=0',
      '/api/products/tags',
      '/api/nothing',
      '/health',
      '/docs',
      '/api/openapi.json',
      '/api//products',
      '/api/products/',
      '/api/%70roducts',
      '/api/x/../products',
      '/?',
      '/api/products?limit=%31',
    ];
    const fields = [[], ['If-None-Match: *'], ['Accept-Encoding: gzip'], ['If-Match: "x"'], ['Range: bytes=0-3']];
    test.each(targets.flatMap((target) => fields.map((own) => [target, own] as const)))(
      'GET %s %o',
      async (target, own) => {
        for (const method of ['GET', 'HEAD']) {
          const direct = await ask(url, target, own, method);
          const response = await app.request(target, {
            method,
            headers: own.map((field) => field.split(': ') as [string, string]),
          });
          expect(direct.status).toBe(response.status);
          const headers = new Map([...direct.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));
          expect(Object.fromEntries([...headers].sort())).toEqual(
            Object.fromEntries([...lowered(response.headers)].sort()),
          );
          if (!headers.has('content-encoding')) expect(direct.body).toBe(await response.text());
        }
      },
    );
  });

  describe('connections (9)', () => {
    const request = (target: string, extra = '') => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${extra}\r\n`;

    test('keep-alive and pipelining: answers in the order of the requests (9.3.2)', async () => {
      const targets = ['/api/products/1', '/api/products?limit=2', '/api/nothing', '/api/products/2'];
      const requests = targets.map((target, i) => request(target, i === 3 ? 'Connection: close\r\n' : '')).join('');
      const answers = answersOf(await exchange(url, requests));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
      expect(answers[0]?.headers.get('connection')).toBe('keep-alive');
      expect(answers[3]?.headers.get('connection')).toBe('close');
      expect(JSON.parse(answers[3]?.body ?? '')).toMatchObject({ id: 2 });
    });

    test('pipelined HEAD, 304 and OPTIONS have no bodies (6.3)', async () => {
      const requests = [
        'HEAD /api/products HTTP/1.1\r\nHost: a\r\n\r\n',
        request('/api/products', 'If-None-Match: *\r\n'),
        'OPTIONS /api/products HTTP/1.1\r\nHost: a\r\n\r\n',
        'HEAD /api/export/products HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      ];
      const answers = answersOf(await exchange(url, requests.join('')), true);
      expect(answers.map(({ status }) => status)).toEqual([200, 304, 204, 200]);
      expect(Number(answers[3]?.headers.get('content-length'))).toBeGreaterThan(100_000);
    });

    test('half-closed: a client that has ended its side gets its answer', async () => {
      const [answer] = answersOf(await exchange(url, request('/api/products/3'), true));
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ id: 3 });
    });

    test('HTTP/1.0 needs no Host and gets its connection closed', async () => {
      const received = await exchange(url, 'GET /api/products/4 HTTP/1.0\r\n\r\n');
      expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(received).toContain('"id":4');
    });

    test.each([
      ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
      ['a Host that is none', 'GET /api/products HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
      ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
      ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405],
      [
        'length and chunked',
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
        400,
      ],
    ])('%s', async (_name, bytes, status) => {
      const startedAt = Date.now();
      const [answer] = answersOf(await exchange(url, bytes));
      expect(answer?.status).toBe(status);
      // A 405 names the allowed methods (RFC 9110, 15.5.6).
      if (status === 405) expect(answer?.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      if (answer?.body !== '') {
        // An origin server with a clock sends Date (RFC 9110, 6.6.1); a page elsewhere may read what went wrong.
        expect(Date.parse(answer?.headers.get('date') ?? '')).toBeGreaterThan(startedAt - 10_000);
        expect(answer?.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer?.headers.get('x-content-type-options')).toBe('nosniff');
      }
    });
  });

  describe('requests', () => {
    test('Expect: 100-continue is met, another expectation refused (RFC 9110, 10.1.1)', async () => {
      const asked = 'GET /api/products/5 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
      expect(answersOf(await exchange(url, asked)).map(({ status }) => status)).toEqual([100, 200]);
      expect((await ask(url, '/api/products', ['Expect: miracles'])).status).toBe(417);
    });

    test('absolute-form and asterisk-form (RFC 9112, 3.2)', async () => {
      expect((await ask(url, 'http://localhost/api/products/6')).body).toContain('"id":6');
      const options = await ask(url, '*', [], 'OPTIONS');
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    });

    test('a body that nobody asked for is ignored', async () => {
      const bytes =
        'GET /api/products/7 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /api/products/8 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      expect(answersOf(await exchange(url, bytes)).map(({ status }) => status)).toEqual([200, 200]);
    });

    test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'])('%s: 405 with Allow (RFC 9110, 15.5.6)', async (method) => {
      const answer = await ask(url, '/api/products', [], method);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    });

    test.each([
      ['Sci%2FFi', 200],
      ['Sci%2ffi', 200],
      ['%E2%82%AC', 200],
      ['100%25', 200],
      ['a%20b', 200],
      ['a+b', 404],
      ['C++', 200],
      ['C%2B%2B', 200],
      ['%', 400],
      ['%FF', 400],
      ['%E2%82', 400],
      ['100%', 400],
      ['Sci/Fi', 404],
    ])('category %s: %i', async (segment, status) => {
      expect((await ask(url, `/api/products/category/${segment}`)).status).toBe(status);
      expect((await app.request(`/api/products/category/${segment}`)).status).toBe(status);
    });

    test('a search text of 4,096 characters', async () => {
      expect((await ask(url, `/api/products/search?q=${'%E2%82%AC'.repeat(4096)}`)).status).toBe(200);
      expect((await ask(url, `/api/products/search?q=${'x'.repeat(70_000)}`)).status).toBe(431);
    });

    test('a bug is a 500 in the shape of the others, and is told', async () => {
      const answer = await ask(broken.url, '/api/products');
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([500, 'internal_error']);
      expect(String(bugs.at(-1))).toBe('Error: bug');
    });
  });

  describe('downloads', () => {
    test('a client that leaves stops the work', async () => {
      const server = await start(large, { isAccelerated: url === accelerated.url });
      for (const coding of ['identity', 'gzip']) {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        socket.write(`GET /api/export/products HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${coding}\r\n\r\n`);
        await new Promise((resolve) => socket.once('data', resolve));
        socket.destroy();
      }
      expect((await ask(server.url, '/api/products/5')).status).toBe(200);
      // Work that went on would be waited for beyond the time limit of the test.
      await server.close(3_600_000);
    });

    test('a broken download goes on where it stopped', async () => {
      const bytesOf = async (fields: Record<string, string>) => {
        const response = await fetch(`${url}/api/export/products`, { headers: fields });
        return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
      };
      const whole = await bytesOf({ 'Accept-Encoding': 'identity' });
      const rest = await bytesOf({ Range: 'bytes=100000-' });
      expect(rest.status).toBe(206);
      expect(rest.bytes.equals(whole.bytes.subarray(100_000))).toBe(true);
    });
  });
});
