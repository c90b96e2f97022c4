/**
 * The access log: one entry for each answered request, one line for each entry. All lines of one turn of the event loop are
 * one write, which costs as much as one line's.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type LogFormat = 'text' | 'json';

export interface RequestLog {
  add(exchange: AccessLogEntry): void;
  /** Writes what has not been written yet. */
  flush(): void;
}

/** `now` is the wall clock in milliseconds. */
export function createRequestLog(format: LogFormat, now: () => number, write: (lines: string) => void): RequestLog {
  let lines = '';
  function flush(): void {
    if (lines === '') return;
    const written = lines;
    lines = '';
    write(written);
  }
  return {
    add(exchange) {
      if (lines === '') setImmediate(flush);
      lines += `${requestLine(format, new Date(now()).toISOString(), exchange)}\n`;
    },
    flush,
  };
}

/** Time, method, path, status, bytes sent, milliseconds, address. */
function requestLine(
  format: LogFormat,
  time: string,
  { method, target, status, bytes, tookMs, address }: AccessLogEntry,
): string {
  const ms = Math.round(tookMs * 1000) / 1000;
  if (format === 'text') return `${time} ${method} ${target} ${status} ${bytes} ${ms} ${address}`;
  const path = JSON.stringify(target);
  return `{"time":"${time}","method":"${method}","path":${path},"status":${status},"bytes":${bytes},"ms":${ms},"address":"${address}"}`;
}

export interface AccessLogEntry {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  /** Bytes sent, headers included. */
  readonly bytes: number;
  readonly tookMs: number;
  /** The client's, as the rate limit takes it. */
  readonly address: string;
}

export interface Observer {
  /** A request that `node:http` answers: reported when its answer is over. */
  readonly watch: (request: IncomingMessage, response: ServerResponse) => void;
  /** What a connection has sent so far is no part of its next answer. */
  readonly begin: (socket: Socket) => void;
}

export function createObserver(
  addressOf: (request: IncomingMessage) => string,
  onAnswer: (exchange: AccessLogEntry) => void,
): Observer {
  /** Bytes that each connection had sent when its last answer was over. */
  const sentBefore = new WeakMap<Socket, number>();
  return {
    begin: (socket) => void sentBefore.set(socket, socket.bytesWritten),
    watch(request, response) {
      const startedAt = performance.now();
      const { socket, method = '', url = '' } = request;
      response.once('close', () => {
        const bytes = socket.bytesWritten - (sentBefore.get(socket) ?? 0);
        sentBefore.set(socket, socket.bytesWritten);
        const tookMs = performance.now() - startedAt;
        onAnswer({ method, target: url, status: response.statusCode, bytes, tookMs, address: addressOf(request) });
      });
    },
  };
}
