/** The app behind `node:http`: listening, request lines on demand, and an end that lets running answers finish. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { errorAnswer, JSON_TYPE } from './answer.js';
import { type App, respond } from './app.js';
import { commonHeaders, refusalReply } from './reply.js';

/** Room for a search text of 4,096 characters, each up to nine bytes when percent-encoded, and the usual headers. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Requests have no bodies, so one that is not there in seconds never will be. Idle connections are kept a little longer
 * than the minute for which proxies usually keep theirs, so that none is closed just as a proxy uses it. A connection
 * may carry any number of requests.
 */
const limits = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  maxRequestsPerSocket: 0,
} as const;

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
  // HTTP/1.0 has requests without a Host; which one is asked for does not matter here.
  const answer = getRequestListener(app.fetch, { errorHandler: unreadable, hostname: 'localhost' });
  const observe = onAnswer && createObserver(onAnswer);
  const server = createServer(limits, (request, response) => {
    observe?.(request, response);
    if (hasTwoHosts(request.rawHeaders)) refuseHosts(response);
    else if (!app.direct(request, response)) void answer(request, response);
  });
  server.maxRequestsPerSocket = limits.maxRequestsPerSocket;
  server.on('clientError', answerUnparsed);
  server.on('connect', (_request, socket) => socket.end(unparsedAnswer('405 Method Not Allowed', 'This is no proxy.')));
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
  return respond(refusalReply(errorAnswer({ code: 'invalid_request', message }), commonHeaders(null)));
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
  HPE_INVALID_METHOD: ['501 Not Implemented', 'This method is not known here. Allowed: GET, HEAD, OPTIONS.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/** Node takes the first of several; RFC 9112, section 3.2, wants them refused. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

function refuseHosts(response: ServerResponse): void {
  const refusal = errorAnswer({ code: 'invalid_request', message: 'There is more than one Host header.' });
  const { status, headers } = refusalReply(refusal, commonHeaders(null));
  response.writeHead(status, [...headers]).end(refusal.body);
}

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.\d\r\n/;

/** Node's parser gives one code to methods that it does not know and to what is no request at all. */
const codeOf = ({ code = '', rawPacket }: ParserError): string =>
  code === 'HPE_INVALID_METHOD' && !REQUEST_LINE.test(rawPacket?.toString('latin1') ?? '') ? '' : code;

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Answers a request that is no HTTP, in the API's error shape, and closes the connection. */
function answerUnparsed(error: ParserError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = unparsed[codeOf(error)] ?? ['400 Bad Request', 'The request is not valid HTTP/1.1.'];
  socket.end(unparsedAnswer(status, message));
}

function unparsedAnswer(status: string, message: string): string {
  const body = JSON.stringify({ error: { code: 'invalid_request', message } });
  const head = [`HTTP/1.1 ${status}`, `Content-Type: ${JSON_TYPE}`, `Content-Length: ${Buffer.byteLength(body)}`];
  return `${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`;
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** How soon after its last answer a kept-alive connection is closed once the server is ending. */
const SWEEP_MS = 50;

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const limit = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(limit);
      resolve();
    });
    server.closeIdleConnections();
  });
}
