/** The app behind `node:http`: listening, time-outs, request lines on demand, and an end that lets running answers finish. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { type App, respond } from './app.js';
import { createObserver, type Exchange } from './exchange.js';
import { headerList, type Reply } from './reply.js';
import { countHosts, createUnparsed, MAX_HEADER_BYTES, type Unparsed } from './unparsed.js';
import { createWire, type Wire } from './wire.js';

export interface Timeouts {
  /** Until the headers of a request are there, and until all of it is. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long an idle connection is kept. */
  readonly keepAliveMs: number;
  /** How often late requests are looked for. */
  readonly checkMs: number;
}

/**
 * Requests have no bodies, so one that is not there in seconds never will be. Idle connections are kept a little longer
 * than the minute for which proxies usually keep theirs, so that none is closed just as a proxy uses it.
 */
const TIMEOUTS: Timeouts = { headersMs: 15_000, requestMs: 30_000, keepAliveMs: 65_000, checkMs: 5_000 };

export interface RunningServer {
  /** `http://HOST:PORT`, ready to be opened. */
  readonly url: string;
  /** Stops accepting, waits for running answers, at most `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly timeouts?: Timeouts;
  /** Called when an answer is over. */
  readonly onAnswer?: (exchange: Exchange) => void;
}

/** The connections that `node:http` has, each with its answers that are not sent yet. */
type Running = Map<Duplex, Set<ServerResponse>>;

/** Listens, or rejects with the system's error. */
export async function listen(
  app: App,
  { host, port, onAnswer, timeouts = TIMEOUTS }: ListenOptions,
): Promise<RunningServer> {
  const unparsed = createUnparsed(app.commonHeaders);
  // HTTP/1.0 has requests without a Host; which one is asked for does not matter here.
  const answer = getRequestListener(app.fetch, {
    errorHandler: () => respond(unparsed.unreadable, 'GET', app.nextTurn),
    hostname: 'localhost',
  });
  const observer = onAnswer && createObserver((request) => app.clientOf(askedBy(request)), onAnswer);
  const running: Running = new Map();
  const server = createServer(limitsOf(timeouts), (request, response) => {
    const answers = running.get(request.socket);
    answers?.add(response);
    response.once('close', () => answers?.delete(response));
    observer?.watch(request, response);
    const reply = replyWithoutRoute(request, app.preflight, unparsed);
    if (reply !== null) response.writeHead(reply.status, headerList(reply.headers)).end(reply.body, 'latin1');
    else void answer(request, response);
  });
  // A connection may carry any number of requests.
  server.maxRequestsPerSocket = 0;
  // A client that has ended its side still gets all of its answer. The types of Node 20 lack this.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error, socket) => {
    const isAnswering = [...(running.get(socket) ?? [])].some((one) => one.headersSent && !one.writableEnded);
    if (isAnswering) socket.destroy();
    else unparsed.refuse(error, socket);
  });
  server.on('connect', (_request, socket) => unparsed.refuseConnect(socket));
  const wire = putWireBefore(server, app, timeouts, unparsed, onAnswer, (socket) => {
    running.set(socket, new Set());
    socket.once('close', () => running.delete(socket));
    observer?.begin(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { url: urlOf(server, host), close: (graceMs) => close(server, wire, running, graceMs) };
}

const limitsOf = ({ headersMs, requestMs, keepAliveMs, checkMs }: Timeouts) => ({
  maxHeaderSize: MAX_HEADER_BYTES,
  // Node's own answer to a request without one has no body.
  requireHostHeader: false,
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: checkMs,
});

const askedBy = ({ socket, headers }: IncomingMessage) => ({ address: socket.remoteAddress ?? '', fields: headers });

/** The answer to what is asked of the server as a whole, and to a request that does not say which server it means. */
function replyWithoutRoute(
  { method, url, rawHeaders, httpVersion }: IncomingMessage,
  preflight: Reply,
  { noHost, twoHosts }: Unparsed,
): Reply | null {
  const hosts = countHosts(rawHeaders);
  if (hosts > 1) return twoHosts;
  if (hosts === 0 && httpVersion === '1.1') return noHost;
  return method === 'OPTIONS' && url === '*' ? preflight : null;
}

/** New connections go to the wire first, and from it to the listeners that `node:http` has for them. */
function putWireBefore(
  server: Server,
  app: App,
  { headersMs, keepAliveMs }: Timeouts,
  unparsed: Unparsed,
  onAnswer: ListenOptions['onAnswer'],
  onHandedOver: (socket: Socket) => void,
): Wire {
  const listeners = server.listeners('connection');
  const wire = createWire({
    answer: app.plain,
    handOver(socket, bytes) {
      onHandedOver(socket);
      for (const listener of listeners) listener.call(server, socket);
      socket.unshift(bytes);
    },
    onLate: unparsed.timeOut,
    firstRequestMs: headersMs,
    keepAliveMs,
    clientOf: app.clientOf,
    onAnswer: onAnswer ?? null,
  });
  server.removeAllListeners('connection').on('connection', wire.accept);
  return wire;
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Closes a connection as soon as what was written to it is sent. */
function endSoon(socket: Duplex): void {
  if (socket instanceof Socket) socket.destroySoon();
  else socket.destroy();
}

/** How soon after its last answer a kept-alive connection is closed once the server is ending. */
const SWEEP_MS = 50;

function close(server: Server, wire: Wire, running: Running, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Node's own takes an answer that is written, but not sent yet, for finished and cuts it off; `close` calls it.
    const closeIdle = (): void => {
      for (const [socket, answers] of running) if (answers.size === 0) endSoon(socket);
    };
    server.closeIdleConnections = closeIdle;
    const sweep = setInterval(closeIdle, SWEEP_MS);
    const limit = setTimeout(() => {
      for (const socket of running.keys()) socket.destroy();
      wire.destroy();
    }, graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(limit);
      resolve();
    });
    closeIdle();
    wire.end();
  });
}
