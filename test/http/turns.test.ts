import { describe, expect, onTestFinished, test } from 'vitest';
import { createTurns, inTurns } from '../../src/http/semantics/turns.js';
import { listen } from '../../src/http/server.js';
import { appOf, datasetOf } from '../support/api.js';

const articles = Array.from({ length: 20_000 }, (_, i) => ({
  id: i + 1,
  title: `Title ${i}`,
  content: `${i} `.repeat(200),
}));
const app = appOf(datasetOf({ articles }));

/** How many rounds the event loop goes while something is worked on. */
async function rounds(work: () => Promise<unknown>): Promise<{ readonly count: number; readonly tookMs: number }> {
  let count = 0;
  let isOver = false;
  const round = (): void => {
    count++;
    if (!isOver) setImmediate(round);
  };
  setImmediate(round);
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await work();
  isOver = true;
  const { user, system } = process.cpuUsage(before);
  // A busy machine takes time from the process; threads of its own add to what it uses.
  return { count, tookMs: Math.min(performance.now() - startedAt, (user + system) / 1000) };
}

describe('an export whose reader always keeps up', () => {
  test.each([
    ['JSON', '', 'identity'],
    ['CSV', '?format=csv', 'identity'],
    ['some fields', '?fields=id,content', 'identity'],
    ['JSON, sorted', '?sort=title', 'identity'],
    ['CSV, sorted', '?sort=title&format=csv', 'identity'],
    ['CSV, gzip', '?format=csv', 'gzip'],
    ['JSON, brotli', '', 'br'],
  ])('%s: the loop goes a round every 10 ms at least', async (_name, query, coding) => {
    const headers = { 'Accept-Encoding': coding };
    const response = await app.fetch(new Request(`http://localhost/api/export/articles${query}`, { headers }));
    const { count, tookMs } = await rounds(async () => {
      const reader = response.body?.getReader();
      while (!(await reader?.read())?.done);
    });
    expect(count).toBeGreaterThan(tookMs / 20);
  });
});

test.each(['/docs', '/docs.md', '/api/openapi.json'])(
  '%s is made in turns over a connection, and requests beside it are answered first',
  async (path) => {
    const server = await listen(appOf(datasetOf({ articles: articles.slice(0, 50) })), { host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.close(0));
    const order: string[] = [];
    const ask = async (address: string): Promise<void> => {
      const response = await fetch(new URL(address, server.url));
      await response.arrayBuffer();
      order.push(`${response.status} ${address}`);
    };
    const { count, tookMs } = await rounds(() => Promise.all([ask(path), ask(path), ask('/api/articles')]));
    expect(order).toEqual(['200 /api/articles', `200 ${path}`, `200 ${path}`]);
    expect(count).toBeGreaterThan(tookMs / 20);
  },
);

describe('turns', () => {
  test('are given in the order in which they were asked for, one in each round', async () => {
    const nextTurn = createTurns();
    const order: string[] = [];
    const { count } = await rounds(() =>
      Promise.all(
        ['a', 'b', 'c', 'd'].map(async (name) => {
          await nextTurn();
          order.push(name);
          await nextTurn();
          order.push(name);
        }),
      ),
    );
    expect(order.join('')).toBe('abcdabcd');
    expect(count).toBeGreaterThanOrEqual(8);
  });

  test('chunks come whole and in order, and are made no earlier than they are asked for', async () => {
    let made = 0;
    function* chunks() {
      for (let i = 0; i < 100; i++) {
        const until = performance.now() + 0.2;
        while (performance.now() < until);
        made++;
        yield i;
      }
    }
    const received: number[] = [];
    for await (const chunk of inTurns(chunks(), createTurns())) {
      received.push(chunk);
      expect(made).toBe(received.length);
    }
    expect(received).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  test('a reader that leaves ends the work', async () => {
    let isOver = false;
    function* chunks() {
      try {
        for (;;) yield 0;
      } finally {
        isOver = true;
      }
    }
    for await (const _ of inTurns(chunks(), createTurns())) break;
    expect(isOver).toBe(true);
  });
});
