/** The app behind `node:http`: listening, time-outs, request lines on demand, and an end that lets running answers finish. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { type App, respond } from './app.js';
import { type AccessLogEntry, createObserver } from './log.js';
import { bindPort, type Port } from './port.js';
import { type HttpResponse, headerList } from './response.js';
import { createWire, type Wire } from './wire/connection.js';
import { countHosts, createMalformed, MAX_HEADER_BYTES, type Malformed, type ParserError } from './wire/malformed.js';
import { createPipeline, type Pipeline } from './wire/pipeline.js';

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
  /** A port that is bound already, which is taken over; `port` is not looked at then. */
  readonly bound?: Port;
  readonly timeouts?: Timeouts;
  /** Whether plain requests are answered before `node:http` parses them; the answers are the same. */
  readonly isAccelerated?: boolean;
  /** Called when an answer is over. */
  readonly onAnswer?: (exchange: AccessLogEntry) => void;
}

/** The connections that `node:http` has. */
type Pipelines = Map<Duplex, Pipeline>;

/** Listens, or rejects with the system's error. */
export async function listen(
  app: App,
  { host, port, bound, onAnswer, timeouts = TIMEOUTS, isAccelerated = true }: ListenOptions,
): Promise<RunningServer> {
  const malformed = createMalformed(app.handler.commonHeaders);
  // HTTP/1.0 has requests without a Host; which one is asked for does not matter here.
  const answer = getRequestListener(app.fetch, {
    errorHandler: () => respond(malformed.unreadable, 'GET', app.nextTurn),
    hostname: 'localhost',
  });
  const observer = onAnswer && createObserver((request) => app.handler.clientOf(askedBy(request)), onAnswer);
  const pipelines: Pipelines = new Map();
  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    observer?.watch(request, response);
    pipelines.get(request.socket)?.add(response, () => {
      const reply = replyWithoutRoute(request, app.handler.preflight, malformed);
      if (reply === null) return void answer(request, response);
      if (reply === malformed.noHost || reply === malformed.twoHosts) response.shouldKeepAlive = false;
      response.writeHead(reply.status, headerList(reply.headers)).end(reply.body);
    });
  }
  const server = createServer(limitsOf(timeouts), onRequest);
  // Requests have no bodies here, so none is asked for: the answer follows at once (RFC 9110, section 10.1.1).
  server.on('checkContinue', (request, response) => {
    // Node closes the connection lest an announced body comes after all; where none is announced, it may stay open.
    if (!hasBody(request)) Object.assign(response, { _expect_continue: false });
    onRequest(request, response);
  });
  server.on('checkExpectation', onRequest);
  // A connection may carry any number of requests.
  server.maxRequestsPerSocket = 0;
  // A client that has ended its side still gets all of its answer. The types of Node 20 lack this.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error: ParserError, socket) => {
    const pipeline = pipelines.get(socket);
    if (error.code === 'ECONNRESET' || pipeline === undefined) socket.destroy();
    // Behind a request that closes the connection nothing is read; its answer is the last.
    else if (error.code !== 'HPE_CLOSED_CONNECTION') pipeline.endWith(() => malformed.refuse(error, socket));
  });
  server.on('connect', (_request, socket) => {
    const pipeline = pipelines.get(socket);
    // Node has taken its own listeners off, and looks after this socket no more.
    socket.on('error', () => socket.destroy());
    socket.on('drain', () => pipeline?.drain());
    socket.resume();
    pipeline?.endWith(() => malformed.refuseConnect(socket));
  });
  server.prependListener('connection', (socket: Socket) => {
    pipelines.set(socket, createPipeline(socket, app.nextTurn));
    socket.once('close', () => pipelines.delete(socket));
    observer?.begin(socket);
  });
  const wire = isAccelerated ? installWire(server, app, timeouts, malformed, onAnswer) : null;
  await (bound ?? (await bindPort(host, port))).handTo(server);
  return { url: urlOf(server, host), close: (graceMs) => close(server, wire, pipelines, graceMs) };
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

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The only one that there is, or none. */
const MET_EXPECTATION = /^(?:100-continue)?$/i;

/** The answer to what is asked of the server as a whole, and to what cannot be answered whatever it asks for. */
function replyWithoutRoute(
  { method, url, headers, rawHeaders, httpVersion }: IncomingMessage,
  preflight: HttpResponse,
  { noHost, twoHosts, unmetExpectation }: Malformed,
): HttpResponse | null {
  const hosts = countHosts(rawHeaders);
  if (hosts > 1) return twoHosts;
  if (hosts === 0 && httpVersion === '1.1') return noHost;
  if (httpVersion === '1.1' && !MET_EXPECTATION.test(headers.expect ?? '')) return unmetExpectation;
  return method === 'OPTIONS' && url === '*' ? preflight : null;
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

function close(server: Server, wire: Wire | null, pipelines: Pipelines, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Node's own takes an answer that is written, but not sent yet, for finished and cuts it off; `close` calls it.
    server.closeIdleConnections = () => {};
    wire?.refuseMore();
    for (const pipeline of pipelines.values()) pipeline.refuseMore();
    const idleUntil = performance.now() + IDLE_MS;
    const sweep = setInterval(() => {
      if (performance.now() < idleUntil) return;
      wire?.end();
      for (const [socket, { isIdle }] of pipelines) if (isIdle) endSoon(socket);
    }, SWEEP_MS);
    const limit = setTimeout(() => {
      for (const socket of pipelines.keys()) socket.destroy();
      wire?.destroy();
    }, graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(limit);
      resolve();
    });
  });
}
