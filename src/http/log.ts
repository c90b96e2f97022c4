/**
 * The access log, with a line for each answered request. All lines of one turn of the event loop are written at once: the
 * write costs no more than that of a single line.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type LogFormat = 'text' | 'json';

/** Characters that may wait for the log's reader. Further lines are lost, and counted. */
const MAX_WAITING = 1 << 20;

/** An output of the log, such as the standard one. `writableLength` counts the characters that wait for its reader. */
interface LogOutput {
  readonly writableLength: number;
  write(lines: string): unknown;
}

/** `now` is the wall clock in milliseconds. */
export function createRequestLog(format: LogFormat, now: () => number, output: LogOutput) {
  let lines = '';
  let lostLines = 0;

  /** Writes the lines that wait for the end of the turn. */
  function flush(): void {
    if (lines === '') return;
    const pending = lostLines === 0 ? lines : lostLinesText(format, lostLines) + lines;
    lines = '';
    lostLines = 0;
    output.write(pending);
  }
  return {
    add(entry: AccessLogEntry) {
      if (output.writableLength > MAX_WAITING) {
        lostLines++;
        return;
      }
      if (lines === '') setImmediate(flush);
      lines += `${requestLine(format, new Date(now()).toISOString(), entry)}\n`;
    },
    flush,
  };
}

const lostLinesText = (format: LogFormat, lostLines: number): string =>
  format === 'text' ? `${lostLines} lines are lost: the log is read too slowly\n` : `{"lost":${lostLines}}\n`;

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
  /** The client's address, as the rate limit sees it. */
  readonly address: string;
}

export function createObserver(
  addressOf: (request: IncomingMessage) => string,
  onAnswer: (entry: AccessLogEntry) => void,
) {
  /** Bytes that each connection had sent at the end of its last response. */
  const sentBefore = new WeakMap<Socket, number>();
  return {
    /** Excludes the bytes that a connection has sent so far from the count of its next response. */
    begin: (socket: Socket) => void sentBefore.set(socket, socket.bytesWritten),
    /** Reports a request that `node:http` answers, once its response is finished. */
    watch(request: IncomingMessage, response: ServerResponse) {
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
