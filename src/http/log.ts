/**
 * One line per answered request, written together: all lines of one turn of the event loop are one write, which costs
 * as much as one line's.
 */
import type { Exchange } from './exchange.js';

export type LogFormat = 'text' | 'json';

export interface RequestLog {
  add(exchange: Exchange): void;
  /** Writes what has not been written yet. */
  flush(): void;
}

/** `now` is the wall clock in milliseconds. */
export function createRequestLog(format: LogFormat, now: () => number, write: (lines: string) => void): RequestLog {
  let lines = '';
  const isoTime = createIsoTime();
  function flush(): void {
    if (lines === '') return;
    const written = lines;
    lines = '';
    write(written);
  }
  return {
    add(exchange) {
      if (lines === '') setImmediate(flush);
      lines += `${requestLine(format, isoTime(now()), exchange)}\n`;
    },
    flush,
  };
}

/** Time, method, path, status, bytes sent, milliseconds, address. */
function requestLine(
  format: LogFormat,
  time: string,
  { method, target, status, bytes, tookMs, address }: Exchange,
): string {
  const ms = Math.round(tookMs * 1000) / 1000;
  if (format === 'text') return `${time} ${method} ${target} ${status} ${bytes} ${ms} ${address}`;
  const path = JSON.stringify(target);
  return `{"time":"${time}","method":"${method}","path":${path},"status":${status},"bytes":${bytes},"ms":${ms},"address":"${address}"}`;
}

/** Many requests share a millisecond. */
function createIsoTime(): (timeMs: number) => string {
  let lastMs = Number.NaN;
  let last = '';
  return (timeMs) => {
    if (timeMs !== lastMs) [lastMs, last] = [timeMs, new Date(timeMs).toISOString()];
    return last;
  };
}
