/** The app behind `node:http`: listening, request lines on demand, and an end that lets running answers finish. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { errorAnswer, JSON_TYPE } from './answer.js';
import { type App, respond } from './app.js';
import { refusalReply } from './reply.js';

/** Room for a search text of 4,096 characters, each up to nine bytes when percent-encoded, and the usual headers. */
const MAX_HEADER_BYTES = 64 * 1024;

export interface RunningServer {
  /** `http://HOST:PORT`, ready to be opened. */
  readonly url: string;
  /** Stops accepting, waits for running answers, at most `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

export interface Outcome {
  /** Bytes sent, headers included. */
  readonly sentBytes: number;
  readonly tookMs: number;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Called when an answer is over. */
  readonly onAnswer?: (request: IncomingMessage, response: ServerResponse, outcome: Outcome) => void;
}

/** Listens, or rejects with the system's error. */
export async function listen(app: App, { host, port, onAnswer }: ListenOptions): Promise<RunningServer> {
  const answer = getRequestListener(app.fetch, { errorHandler: unreadable });
  const observe = onAnswer && createObserver(onAnswer);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    observe?.(request, response);
    if (!app.direct(request, response)) void answer(request, response);
  });
  server.on('clientError', answerUnparsed);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { url: urlOf(server, host), close: (graceMs) => close(server, graceMs) };
}

type Observer = (request: IncomingMessage, response: ServerResponse) => void;

/** Reports each answer when it is over. */
function createObserver(onAnswer: NonNullable<ListenOptions['onAnswer']>): Observer {
  /** Bytes that each connection had sent when its last answer was over. */
  const sentBefore = new WeakMap<Socket, number>();
  return (request, response) => {
    const startedAt = performance.now();
    const { socket } = request;
    response.once('close', () => {
      const sentBytes = socket.bytesWritten - (sentBefore.get(socket) ?? 0);
      sentBefore.set(socket, socket.bytesWritten);
      onAnswer(request, response, { sentBytes, tookMs: performance.now() - startedAt });
    });
  };
}

/** A request that the adapter cannot make a URL of: a bad Host header or target. */
const unreadable = (error: unknown): Response => {
  const message = `${error instanceof Error ? error.message : 'Unreadable request'}.`;
  return respond(refusalReply(errorAnswer({ code: 'invalid_request', message }), {}));
};

/** What Node's parser refuses, by its error code: status line and what to tell the client. */
const unparsed: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_INVALID_URL: [
    '400 Bad Request',
    'The URL holds characters that must be percent-encoded: é is written %C3%A9, a space %20.',
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `URL and headers together must not exceed ${MAX_HEADER_BYTES} bytes.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/** Answers a request that is no HTTP, in the API's error shape, and closes the connection. */
function answerUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = unparsed[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP/1.1.'];
  const body = JSON.stringify({ error: { code: 'invalid_request', message } });
  const head = [`HTTP/1.1 ${status}`, `Content-Type: ${JSON_TYPE}`, `Content-Length: ${Buffer.byteLength(body)}`];
  socket.end(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
}

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
