import { describe, expect, test } from 'vitest';
import type { AccessLogEntry } from '../../src/http/log.js';
import { createRequestLog, type LogFormat } from '../../src/http/log.js';

const exchange: AccessLogEntry = {
  method: 'GET',
  target: '/api/articles?q="a\\b"',
  status: 200,
  bytes: 3210,
  tookMs: 0.12345,
  address: '203.0.113.7',
};

function logOf(format: LogFormat, output: { writableLength: number } = { writableLength: 0 }) {
  const writes: string[] = [];
  const log = createRequestLog(
    format,
    () => Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    Object.assign(output, { write: (lines: string) => writes.push(lines) }),
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

  test.each<[LogFormat, string]>([
    ['text', '5 lines are lost: the log is read too slowly'],
    ['json', '{"lost":5}'],
  ])(
    'of a reader that has stopped no more than a megabyte waits, and it is told what was lost (%s)',
    (format, line) => {
      const output = { writableLength: 0 };
      const { log, writes } = logOf(format, output);
      const add = (): void => {
        log.add(exchange);
        log.flush();
      };
      add();
      output.writableLength = 2 << 20;
      for (let i = 0; i < 5; i++) add();
      expect(writes).toHaveLength(1);
      output.writableLength = 0;
      add();
      add();
      expect(writes).toHaveLength(3);
      expect(writes[1]?.split('\n')[0]).toBe(line);
      expect(writes[2]).toBe(writes[0]);
    },
  );
});
