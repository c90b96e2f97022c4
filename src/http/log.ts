/** One line per answered request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from './server.js';

export type LogFormat = 'text' | 'json';

/** Formats a finished request: time, method, path, status, bytes sent, milliseconds, address. */
export function requestLine(
  format: LogFormat,
  time: Date,
  request: IncomingMessage,
  response: ServerResponse,
  { sentBytes, tookMs }: Outcome,
): string {
  const line = {
    time: time.toISOString(),
    method: request.method ?? '',
    path: request.url ?? '',
    status: response.statusCode,
    bytes: sentBytes,
    ms: Math.round(tookMs * 1000) / 1000,
    address: request.socket.remoteAddress ?? '',
  };
  return format === 'json' ? JSON.stringify(line) : Object.values(line).join(' ');
}
