import { describe, expect, test } from 'vitest';
import type { AccessLogEntry } from '../src/http/log.js';
import { createRequestLog, type LogFormat } from '../src/http/log.js';

const exchange: AccessLogEntry = {
  method: 'GET',
  target: '/api/articles?q="a\\b"',
  status: 200,
  bytes: 3210,
  tookMs: 0.12345,
  address: '203.0.113.7',
};

function logOf(format: LogFormat) {
  const writes: string[] = [];
  const log = createRequestLog(
    format,
    () => Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    (lines) => writes.push(lines),
  );
  return { log, writes };
}

describe('the request log', () => {
  test('as text', () => {
    const { log, writes } = logOf('text');
    log.add(exchange);
    log.flush();
    expect(writes).toEqual(['2026-01-02T03:04:05.006Z GET /api/articles?q="a\\b" 200 3210 0.123 203.0.113.7\n']);
  });

  test('as JSON', () => {
    const { log, writes } = logOf('json');
    log.add(exchange);
    log.flush();
    const { target, tookMs: _exact, ...rest } = exchange;
    expect(JSON.parse(writes[0] ?? '')).toEqual({ time: '2026-01-02T03:04:05.006Z', path: target, ms: 0.123, ...rest });
  });

  test('writes the lines of one turn together, and each once', async () => {
    const { log, writes } = logOf('text');
    for (let turn = 0; turn < 2; turn++) {
      for (let i = 0; i < 3; i++) log.add(exchange);
      await new Promise((resolve) => setImmediate(resolve));
    }
    log.flush();
    expect(writes.map((lines) => lines.split('\n').length - 1)).toEqual([3, 3]);
  });
});
