/** The app behind `node:http`: listening, time-outs, request lines on demand, and an end that lets running answers finish. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { type App, respond } from './app.js';
import { type AccessLogEntry, createObserver } from './log.js';
import { type HttpResponse, headerList } from './response.js';
import { createWire, type Wire } from './wire/connection.js';
import { countHosts, createMalformed, MAX_HEADER_BYTES, type Malformed, type ParserError } from './wire/malformed.js';

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
  /**
   * Stops accepting, and waits for running answers, at most `graceMs`. Connections without one are kept for a second: a request
   * that is on its way is answered, and told that the connection closes.
   */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly timeouts?: Timeouts;
  /** Whether plain requests are answered before `node:http` parses them; the answers are the same. */
  readonly isAccelerated?: boolean;
  /** Called when an answer is over. */
  readonly onAnswer?: (exchange: AccessLogEntry) => void;
}

/** What is due on a connection that `node:http` has. */
interface Due {
  /** Requests that are not answered yet. */
  count: number;
  /** The answer to the latest of them. */
  last: ServerResponse | null;
}

/** The connections that `node:http` has. */
type Connections = Map<Duplex, Due>;

/** With more requests due than this, a connection is not read. */
const MAX_DUE = 64;

/** Listens, or rejects with the system's error. */
export async function listen(
  app: App,
  { host, port, onAnswer, timeouts = TIMEOUTS, isAccelerated = true }: ListenOptions,
): Promise<RunningServer> {
  const malformed = createMalformed(app.handler.commonHeaders);
  // HTTP/1.0 has requests without a Host; which one is asked for does not matter here.
  const answer = getRequestListener(app.fetch, {
    errorHandler: () => respond(malformed.unreadable, 'GET', app.nextTurn),
    hostname: 'localhost',
  });
  const observer = onAnswer && createObserver((request) => app.handler.clientOf(askedBy(request)), onAnswer);
  const connections: Connections = new Map();

  /** An answer begins when those before it on its connection are sent, and others have had their turn. */
  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    observer?.watch(request, response);
    const { socket } = request;
    const due = connections.get(socket);
    if (due === undefined) return;
    due.last = response;
    if (++due.count > MAX_DUE) socket.pause();
    response.once('close', () => {
      if (--due.count === MAX_DUE) socket.resume();
    });
    const beginInTurn = (): void => void app.nextTurn().then(() => begin(request, response, due));
    if (response.socket === null) response.once('socket', beginInTurn);
    else if (server.listening) begin(request, response, due);
    // Others may stand behind it in the same piece: only the last of them closes the connection.
    else beginInTurn();
  }

  function begin(request: IncomingMessage, response: ServerResponse, due: Due): void {
    // A parser that found the request broken meanwhile has refused it.
    if (response.writableEnded || request.socket.destroyed) return;
    if (!server.listening && due.count === 1) response.shouldKeepAlive = false;
    const reply = replyWithoutRoute(request, app.handler, malformed);
    if (reply === null) return void answer(request, response);
    if (reply === malformed.noHost) response.shouldKeepAlive = false;
    response.writeHead(reply.status, headerList(reply.headers)).end(reply.body);
  }

  const server = createServer(limitsOf(timeouts), onRequest);
  server.on('checkExpectation', onRequest);
  // A connection may carry any number of requests.
  server.maxRequestsPerSocket = 0;
  // A client that has ended its side still gets all of its answer. The types of Node 20 lack this.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error: ParserError, socket) => {
    const due = connections.get(socket);
    if (error.code === 'ECONNRESET' || due === undefined) socket.destroy();
    // Behind a request that closes the connection nothing is read; its answer is the last.
    else if (error.code !== 'HPE_CLOSED_CONNECTION') refuseBehind(due, error, socket);
  });

  /** What cannot be read is refused behind the answers that are due, and ends its connection (RFC 9112, section 9.3.2). */
  function refuseBehind({ count, last }: Due, error: ParserError, socket: Duplex): void {
    if (count === 0 || last === null) malformed.refuse(error, socket);
    // The body of a request that waits for its turn: the refusal is its answer.
    else if (last.socket === null && !last.req.complete) malformed.refuseRequest(error, last);
    else last.once('close', () => malformed.refuse(error, socket));
  }

  server.on('connect', (_request, socket) => {
    // Node has taken its own listeners off, and looks after this socket no more.
    socket.on('error', () => socket.destroy());
    socket.resume();
    if (connections.get(socket)?.count === 0) malformed.refuseConnect(socket);
    else socket.destroy();
  });
  server.prependListener('connection', (socket: Socket) => {
    connections.set(socket, { count: 0, last: null });
    socket.once('close', () => connections.delete(socket));
    observer?.begin(socket);
  });
  const wire = isAccelerated ? installWire(server, app, timeouts, malformed, onAnswer) : null;
  await listening(server, host, port);
  return { url: urlOf(server, host), close: (graceMs) => close(server, wire, connections, graceMs) };
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

/** The only one that there is, or none. */
const MET_EXPECTATION = /^(?:100-continue)?$/i;

/** The answer to what is asked of the server as a whole, and to what cannot be answered whatever it asks for. */
function replyWithoutRoute(
  { method, url, headers, rawHeaders, httpVersion }: IncomingMessage,
  { preflight }: Pick<App['handler'], 'preflight'>,
  { noHost, twoHosts, unmetExpectation }: Malformed,
): HttpResponse | null {
  const hosts = countHosts(rawHeaders);
  if (hosts > 1) return twoHosts;
  if (hosts === 0 && httpVersion === '1.1') return noHost;
  if (httpVersion === '1.1' && !MET_EXPECTATION.test(headers.expect ?? '')) return unmetExpectation;
  return method === 'OPTIONS' && url === '*' ? preflight({ host: headers.host ?? 'localhost', fields: headers }) : null;
}

/** New connections go to the wire first, and from it to the listeners that `node:http` has for them. */
function installWire(
  server: Server,
  app: App,
  { headersMs, keepAliveMs }: Timeouts,
  malformed: Malformed,
  onAnswer: ListenOptions['onAnswer'],
): Wire {
  const listeners = server.listeners('connection');
  const wire = createWire({
    answer: app.plain,
    handToNode(socket, bytes) {
      for (const listener of listeners) listener.call(server, socket);
      socket.unshift(bytes);
    },
    onLate: malformed.timeOut,
    firstRequestMs: headersMs,
    keepAliveMs,
    clientOf: app.handler.clientOf,
    onAnswer: onAnswer ?? null,
  });
  server.removeAllListeners('connection').on('connection', wire.accept);
  return wire;
}

/**
 * Connections that wait to be accepted, as far as the system allows. Of a burst of more, the rest send their first packet again
 * after a second.
 */
const BACKLOG = 4096;

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
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

/** How long connections without a request are kept once the server is ending. */
const IDLE_MS = 1000;
/** How soon after its last answer a connection is closed then. */
const SWEEP_MS = 50;

function close(server: Server, wire: Wire | null, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Node's own takes an answer that is written, but not sent yet, for finished and cuts it off; `close` calls it.
    server.closeIdleConnections = () => {};
    wire?.refuseMore();
    const idleUntil = performance.now() + IDLE_MS;
    const sweep = setInterval(() => {
      if (performance.now() < idleUntil) return;
      wire?.end();
      for (const [socket, { count }] of connections) if (count === 0) endSoon(socket);
    }, SWEEP_MS);
    const limit = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
      wire?.destroy();
    }, graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(limit);
      resolve();
    });
  });
}
