/** The app behind `node:http`: listening, request lines on demand, and an end that lets running answers finish. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { errorAnswer, respond } from './answer.js';
import type { Env } from './app.js';

/** Room for a search text of 4,096 characters, each up to nine bytes when percent-encoded, and the usual headers. */
const MAX_HEADER_BYTES = 64 * 1024;

export interface RunningServer {
  /** `http://HOST:PORT`, ready to be opened. */
  readonly url: string;
  /** Stops accepting, waits for running answers, at most `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Called when an answer is over. */
  readonly onAnswer?: (request: IncomingMessage, response: ServerResponse, tookMs: number) => void;
}

/** Listens, or rejects with the system's error. */
export async function listen(app: Hono<Env>, { host, port, onAnswer }: ListenOptions): Promise<RunningServer> {
  const answer = getRequestListener(app.fetch, { errorHandler: unreadable });
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    if (onAnswer) observe(request, response, onAnswer);
    encodeRawBytes(request);
    void answer(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { url: urlOf(server, host), close: (graceMs) => close(server, graceMs) };
}

function observe(
  request: IncomingMessage,
  response: ServerResponse,
  onAnswer: NonNullable<ListenOptions['onAnswer']>,
): void {
  const startedAt = performance.now();
  response.once('close', () => onAnswer(request, response, performance.now() - startedAt));
}

/**
 * Clients such as curl send what a user typed as it is. Node hands such bytes on as Latin-1 characters: percent-encode
 * them here, so that `?q=café` is read as the UTF-8 that it was.
 */
function encodeRawBytes(request: IncomingMessage): void {
  if (request.url !== undefined && /[\x80-\xff]/.test(request.url)) {
    request.url = request.url.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  }
}

/** A request that is no HTTP as the adapter reads it: a bad Host header or target. */
const unreadable = (error: unknown): Response => {
  const reason = error instanceof Error ? error.message : 'unreadable request';
  return respond(errorAnswer({ code: 'invalid_request', message: `${reason}.` }), {});
};

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
