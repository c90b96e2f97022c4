import { describe, expect, test } from 'vitest';
import { clientAddress, clientKey, createRateLimiter } from '../../src/http/semantics/rate-limit.js';
import { appOf, datasetOf } from '../support/api.js';

describe('the rate limiter', () => {
  test('request 100 passes, 101 does not, and after a minute a new window begins', () => {
    let time = 5_000;
    const limit = createRateLimiter(100, () => time);
    for (let i = 1; i <= 100; i++) {
      expect(limit('a')).toEqual({ allowed: true, remaining: 100 - i, resetSeconds: 60 });
    }
    expect(limit('a')).toEqual({ allowed: false, remaining: 0, resetSeconds: 60 });
    expect(limit('b').allowed).toBe(true);
    time += 59_999;
    expect(limit('a')).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
    time += 1;
    expect(limit('a')).toEqual({ allowed: true, remaining: 99, resetSeconds: 60 });
    // A client that waits for so many seconds meets a new window.
    time += 500;
    expect(limit('a').resetSeconds).toBe(60);
  });

  test('a window has sixty seconds, whatever fractions its clock has', () => {
    // With the seconds of a window added and taken away again, this is a little more than they are.
    const time = 253_613.01332554474;
    expect(createRateLimiter(100, () => time)('a').resetSeconds).toBe(60);
  });

  test('200,000 addresses are counted exactly, each on its own', () => {
    const limit = createRateLimiter(2, () => 0);
    const address = (i: number): string => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    for (const allowed of [true, true, false]) {
      for (let i = 0; i < 200_000; i++) if (limit(address(i)).allowed !== allowed) throw new Error(address(i));
    }
  });

  test('memory is bounded: of too many clients the oldest start anew', () => {
    const limit = createRateLimiter(1, () => 0, 3);
    for (const client of ['a', 'b', 'c', 'd']) expect(limit(client).allowed).toBe(true);
    expect(limit('d').allowed).toBe(false);
    expect(limit('a').allowed).toBe(true);
  });
});

describe('a client is', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:1f00:1', '31.0.0.1'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['0000:0000::0000:ffff:c000:0207', '192.0.2.7'],
    ['::fffe:c000:207', '0:0:0:0::/64'],
    ['::ffff:0:c000:207', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '192.0.2.33'],
    ['64:ff9b:1::192.0.2.33', '64:ff9b:1:0::/64'],
  ])('%s → %s', (address, key) => expect(clientKey(address)).toBe(key));

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.7:5555', '203.0.113.7'],
    ['[2001:db8::1]:5555', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['"[2001:db8::1]:80"', '2001:db8:0:0::/64'],
    ['"203.0.113.7"', '203.0.113.7'],
    ['unknown', '127.0.0.1'],
    ['_hidden', '127.0.0.1'],
    ['203.0.113.7:x', '127.0.0.1'],
    ['nonsense', '127.0.0.1'],
    ['', '127.0.0.1'],
  ])('behind a trusted proxy that sends %j: %s', (forwarded, key) =>
    expect(clientKey(clientAddress('127.0.0.1', forwarded))).toBe(key),
  );
});

describe('the headers', () => {
  const served = datasetOf({ articles: [{ id: 1, title: 'One' }] });
  const from = (address: string) => ({ incoming: { socket: { remoteAddress: address } } });

  test('stand on every answer under /api, whatever its status', async () => {
    const app = appOf(served, { rateLimit: 100, now: () => 0 });
    const paths = ['/api/articles', '/api/articles/2', '/api/articles?page=x', '/api/nothing', '/api/export/articles'];
    for (const [i, path] of paths.entries()) {
      const { headers } = await app.request(path, {}, from('192.0.2.1'));
      expect(headers.get('RateLimit-Policy')).toBe('"default";q=100;w=60');
      expect(headers.get('RateLimit')).toBe(`"default";r=${99 - i};t=60`);
    }
    expect((await app.request('/health')).headers.get('RateLimit')).toBeNull();
  });

  test.each(['/api', '/api?x=1', '/api/articles', '/%61pi/articles?limit=1', '/api/openapi.json?x'])(
    '%s counts, whether its answer is kept or made',
    async (path) => {
      const app = appOf(served, { rateLimit: 100, now: () => 0 });
      for (let left = 99; left > 94; left--) {
        const { headers } = await app.request(path, {}, from('192.0.2.1'));
        expect(headers.get('RateLimit')).toBe(`"default";r=${left};t=60`);
      }
    },
  );

  test('X-Forwarded-For counts only where the proxy is trusted', async () => {
    const statuses = async (trustProxy: boolean) => {
      const app = appOf(served, { rateLimit: 1, trustProxy, now: () => 0 });
      const answers = ['203.0.113.1', '203.0.113.2'].map((address) =>
        app.request('/api/articles', { headers: { 'X-Forwarded-For': address } }, from('127.0.0.1')),
      );
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses(true)).toEqual([200, 200]);
    expect(await statuses(false)).toEqual([200, 429]);
  });

  test('one client behind a trusted proxy, however its address is written', async () => {
    const app = appOf(served, { rateLimit: 1, trustProxy: true, now: () => 0 });
    const statuses: number[] = [];
    for (const address of ['31.0.0.1', '::ffff:31.0.0.1', '::ffff:1f00:1', '::FFFF:1F00:0001']) {
      const headers = { 'X-Forwarded-For': address };
      statuses.push((await app.request('/api/articles', { headers }, from('127.0.0.1'))).status);
    }
    expect(statuses).toEqual([200, 429, 429, 429]);
  });

  test('0 turns the limit off', async () => {
    const app = appOf(served, { rateLimit: 0 });
    expect((await app.request('/api/articles')).headers.get('RateLimit-Policy')).toBeNull();
  });
});
