/** Answers of the API that are late or fail on purpose, by `--delay` and `--fail`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawDelay, simulationText } from '../../src/http/semantics/simulation.js';
import { appOf, appOptions, datasetOf } from '../support/api.js';
import { serve, withFolder } from '../support/program.js';
import { until } from '../support/until.js';

const served = datasetOf({ products: [{ id: 1, title: 'Tea', price: 4.2 }] });
const API_PATHS = ['/api/products', '/api/products/1', '/api/export/products', '/api', '/%61pi/products'];
const OTHER_PATHS = ['/', '/products', '/products/1', '/docs', '/health'];

/** Gives one number after the other. */
const inTurn = (...numbers: readonly number[]) => {
  let at = 0;
  return () => numbers[at++ % numbers.length] ?? 0;
};

describe('--fail', () => {
  const app = appOf(served, { simulation: { delayMs: [0, 0], failShare: 0.25 }, random: inTurn(0.2499, 0.25) });

  test.each(API_PATHS)('one answer of four at %s is a 503 that says why', async (path) => {
    const failed = await app.request(path);
    expect(failed.status).toBe(503);
    expect(failed.headers.get('Retry-After')).toBe('1');
    expect(failed.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(await failed.json()).toEqual({
      error: {
        code: 'unavailable',
        message: 'This answer fails on purpose, as 25 % of them do: the server was started with --fail.',
      },
    });
    expect((await app.request(path)).status).toBe(200);
  });

  const always = appOf(served, { simulation: { delayMs: [0, 0], failShare: 1 }, random: () => 0.999 });
  test.each(OTHER_PATHS)('%s does not fail', async (path) => {
    expect((await always.request(path)).status).toBe(200);
  });

  test('a preflight does not fail: a browser would show another error', async () => {
    const response = await always.request('/api/products', { method: 'OPTIONS' });
    expect(response.status).toBe(204);
  });

  test('0 % never fails, and is shown by nothing', async () => {
    const never = appOf(served, { simulation: { delayMs: [0, 0], failShare: 0 }, random: () => 0 });
    expect((await never.request('/api/products')).status).toBe(200);
  });
});

describe('--delay', () => {
  const DELAY_MS = 40;
  const app = appOf(served, { simulation: { delayMs: [DELAY_MS, DELAY_MS], failShare: 0 } });
  const waits = async (path: string): Promise<boolean> => {
    let isAnswered = false;
    const answer = Promise.resolve(app.request(path)).then(() => {
      isAnswered = true;
    });
    // All that is not delayed is answered without a timer.
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    const isWaiting = !isAnswered;
    await answer;
    return isWaiting;
  };

  test.each(API_PATHS)('%s is not answered at once, and then rightly', async (path) => {
    const begunAt = performance.now();
    expect((await app.request(path)).status).toBe(200);
    // Timers may fire a millisecond early.
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(DELAY_MS - 2);
  });

  test('a page is answered before an answer of the API that was asked for earlier', async () => {
    expect(await waits('/api/products/1')).toBe(true);
    const order: string[] = [];
    const ask = async (path: string): Promise<void> => {
      await app.request(path);
      order.push(path);
    };
    const slow = appOf(served, { simulation: { delayMs: [2000, 2000], failShare: 0 } });
    const late = Promise.resolve(slow.request('/api/products')).then(() => order.push('late'));
    await ask('/health');
    expect(order).toEqual(['/health']);
    await late;
  });

  test('the wire leaves it to Hono, as it cannot wait', () => {
    const head = { method: 'GET', host: 'localhost', fields: {}, address: '' };
    expect(app.plain('/api/products', head)).toBeNull();
    expect(app.plain('/health', head)?.status).toBe(200);
  });

  test.each([
    [0, 200],
    [0.5, 500],
    [0.9999, 800],
  ])('of a range, %d draws %d', (drawn, expected) => {
    expect(drawDelay({ delayMs: [200, 800], failShare: 0 }, () => drawn)).toBe(expected);
  });
});

describe('that it is on', () => {
  const simulation = { delayMs: [200, 800], failShare: 0.055 } as const;

  test('is said by /health and by pages, and only then', async () => {
    const app = appOf(served, { simulation: { ...simulation, delayMs: [0, 0] } });
    const plain = appOf(served);
    expect(await (await app.request('/health')).json()).toHaveProperty('simulation', {
      delayMs: [0, 0],
      failShare: 0.055,
    });
    expect(await (await plain.request('/health')).json()).not.toHaveProperty('simulation');
    for (const path of ['/', '/products', '/products/1', '/docs', '/nothing']) {
      const headers = { Accept: 'text/html' };
      expect(await (await app.request(path, { headers })).text()).toContain('5.5 % of them fail');
      expect(await (await plain.request(path, { headers })).text()).not.toContain('--fail ask');
    }
  });

  test('is part of the entity tags: a page of before says nothing of it', async () => {
    const tagOf = async (options: object) =>
      (await appOf(served, { ...appOptions, ...options }).request('/')).headers.get('ETag');
    expect(await tagOf({ simulation })).not.toBe(await tagOf({}));
  });

  test.each([
    [{ delayMs: [300, 300], failShare: 0 } as const, 'come 300 ms late'],
    [{ delayMs: [200, 800], failShare: 0.05 } as const, 'come 200 to 800 ms late, and 5 % of them fail'],
    [{ delayMs: [0, 0], failShare: 0.005 } as const, '0.5 % of them fail'],
  ])('%j: %s', (given, text) => expect(simulationText(given)).toBe(text));
});

test('the program: over a socket, with a word on standard error, and signals as always', async () => {
  await withFolder({ 'products.json': '[{"id":1,"title":"Tea","price":4.2}]' }, async (dir) => {
    const server = await serve([dir, '--delay', '1-30', '--fail', '50%', '--rate-limit', '0']);
    try {
      await until(() => server.stderr().includes('Answers of /api come 1 to 30 ms late, and 50 % of them fail'));
      const asked = Array.from({ length: 60 }, () => server.fetch('/api/products/1').then(({ status }) => status));
      expect(new Set(await Promise.all(asked))).toEqual(new Set([200, 503]));
    } finally {
      expect((await server.end('SIGTERM')).code).toBe(0);
    }
  });
});

test('--open starts what opens addresses, and goes on where there is none', async () => {
  if (process.platform !== 'linux') return;
  await withFolder({ 'products.json': '[{"id":1,"title":"Tea","price":4.2}]' }, async (dir) => {
    const without = await serve([`${dir}/products.json`, '--open'], { PATH: dir });
    await until(() => without.stderr().includes('\n'));
    const { stderr } = await without.end();
    expect(stderr).toMatch(/^--open: xdg-open cannot be started \(.*\); open http:\S+ yourself\n$/);
    writeFileSync(join(dir, 'xdg-open'), `#!/bin/sh\necho "$1" > ${dir}/opened\n`, { mode: 0o755 });
    const opened = await serve([`${dir}/products.json`, '--open'], { PATH: dir });
    await until(() => existsSync(join(dir, 'opened')) && readFileSync(join(dir, 'opened'), 'utf8').endsWith('\n'));
    expect(readFileSync(join(dir, 'opened'), 'utf8')).toBe(`${opened.url}/\n`);
    expect((await opened.end()).stderr).toBe('');
  });
});
