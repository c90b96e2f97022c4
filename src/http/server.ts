/** The app behind `node:http`: connections, the access log, and a shutdown that lets running responses finish. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { respond } from './adapter.js';
import type { App } from './app.js';
import { type BindOptions, type BoundServer, bind, type Timeouts } from './bind.js';
import { type AccessLogEntry, createObserver } from './log.js';
import { type HttpResponse, headerList } from './response.js';
import { createWire, type Wire } from './wire/connection.js';
import { createMalformed, type Malformed, type ParserError } from './wire/malformed.js';

export type ListenOptions = BindOptions & AnswerOptions;

export interface RunningServer {
  /** `http://HOST:PORT`, ready to be opened. */
  readonly url: string;
  /**
   * Stops accepting, and waits for running responses, at most `graceMs`. Idle connections stay open for a second: a request
   * on its way is still answered, with `Connection: close`.
   */
  close(graceMs: number): Promise<void>;
}

interface AnswerOptions {
  /** Whether plain requests are answered before `node:http` parses them; the answers are the same. */
  readonly isAccelerated?: boolean;
  /** Called when a response is finished, or its connection lost. */
  readonly onAnswer?: (entry: AccessLogEntry) => void;
}

/** The unfinished responses of a connection that `node:http` has. */
interface Pending {
  /** Requests whose responses are not finished. */
  count: number;
  /** The response to the latest of them. */
  last: ServerResponse | null;
}

/** The unfinished responses of each connection that `node:http` has. */
type Connections = Map<Duplex, Pending>;

/** Beyond this number of unfinished responses, a connection is paused. */
const MAX_PENDING = 64;

/** Listens, or rejects with the system's error. */
export const listen = async (app: App, options: ListenOptions): Promise<RunningServer> =>
  answerOn(await bind(options), app, options);

/** Answers the connections of a bound server, also those that wait. */
export function answerOn(
  { server, url, timeouts, ownListeners, release }: BoundServer,
  app: App,
  { onAnswer, isAccelerated = true }: AnswerOptions,
): RunningServer {
  const malformed = createMalformed(app.handler.commonHeaders);
  // HTTP/1.0 has requests without a Host. No resource depends on its value.
  const answer = getRequestListener(app.fetch, {
    errorHandler: () => respond(malformed.unreadable, 'GET', app.nextTurn),
    hostname: 'localhost',
  });
  const observer = onAnswer && createObserver((request) => app.handler.clientOf(senderOf(request)), onAnswer);
  const connections: Connections = new Map();

  /** A response begins after the earlier ones of its connection, and in turns with other connections. */
  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    observer?.watch(request, response);
    const { socket } = request;
    const pending = connections.get(socket);
    if (pending === undefined) return;
    pending.last = response;
    if (++pending.count > MAX_PENDING) socket.pause();
    response.once('close', () => {
      if (--pending.count === MAX_PENDING) socket.resume();
    });
    const beginInTurn = (): void => void app.nextTurn().then(() => begin(request, response, pending));
    if (response.socket === null) response.once('socket', beginInTurn);
    else if (server.listening) begin(request, response, pending);
    // More requests may follow in the same bytes: only the response to the last closes the connection.
    else beginInTurn();
  }

  function begin(request: IncomingMessage, response: ServerResponse, pending: Pending): void {
    // Meanwhile the parser may have found the request broken, and refused it.
    if (response.writableEnded || request.socket.destroyed) return;
    if (!server.listening && pending.count === 1) response.shouldKeepAlive = false;
    const unrouted = unroutedResponse(request, app.handler, malformed);
    if (unrouted === null) return void answer(request, response);
    if (unrouted === malformed.noHost || unrouted === malformed.emptyHost || unrouted === malformed.unknownEnd)
      response.shouldKeepAlive = false;
    response.writeHead(unrouted.status, headerList(unrouted.headers)).end(unrouted.body);
  }

  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  // A connection may carry any number of requests.
  server.maxRequestsPerSocket = 0;
  // A client that has ended its side still gets all of its answer. The types of Node 20 lack this.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', (error: ParserError, socket) => {
    const pending = connections.get(socket);
    if (error.code === 'ECONNRESET' || pending === undefined) socket.destroy();
    // Bytes after a request that closes the connection are ignored.
    else if (error.code !== 'HPE_CLOSED_CONNECTION') refuseBehind(pending, error, socket);
  });

  /**
   * Refuses unreadable bytes after the pending responses, and closes the connection (RFC 9112, section 9.3.2). A request whose
   * own body is unreadable has one response: a proxy would give a second one to its next client.
   */
  function refuseBehind({ count, last }: Pending, error: ParserError, socket: Duplex): void {
    const end = last !== null && !last.req.complete ? () => endSoon(socket) : () => malformed.refuse(error, socket);
    if (count === 0 || last === null) end();
    else if (last.socket === null && !last.req.complete) malformed.refuseRequest(error, last);
    else last.once('close', end);
  }

  server.on('connect', (_request, socket) => {
    // Node has removed its own listeners, and no longer handles this socket.
    socket.on('error', () => socket.destroy());
    socket.resume();
    if (connections.get(socket)?.count === 0) malformed.refuseConnect(socket);
    else socket.destroy();
  });
  function acceptByNode(socket: Socket): void {
    connections.set(socket, { count: 0, last: null });
    socket.once('close', () => connections.delete(socket));
    observer?.begin(socket);
    for (const listener of ownListeners) listener.call(server, socket);
  }
  const wire = isAccelerated ? wireBefore(acceptByNode, app, timeouts, malformed, onAnswer) : null;
  release(wire?.accept ?? acceptByNode);
  return { url, close: (graceMs) => close(server, wire, connections, graceMs) };
}

const senderOf = ({ socket, headers }: IncomingMessage) => ({ address: socket.remoteAddress ?? '', fields: headers });

/** 100-continue is the only expectation that HTTP defines. */
const MET_EXPECTATION = /^(?:100-continue)?$/i;

/** The transfer codings of a body whose end is known (RFC 9112, section 6.3): the last one is `chunked`. */
const ENDING_CODINGS = /(?:^|,)\s*chunked$/i;

/** Whether a target names its host itself, whatever `Host` says (RFC 9112, section 3.2.2). */
const isAbsolute = (target = ''): boolean => /^https?:/i.test(target);

/** The response to `OPTIONS *`, and to requests that are invalid for every path; null for any other request. */
function unroutedResponse(
  { method, url, headers, headersDistinct, httpVersion }: IncomingMessage,
  { preflight }: Pick<App['handler'], 'preflight'>,
  { noHost, emptyHost, twoHosts, unknownEnd, unmetExpectation }: Malformed,
): HttpResponse | null {
  const codings = headers['transfer-encoding'];
  if (codings !== undefined && (httpVersion !== '1.1' || !ENDING_CODINGS.test(codings))) return unknownEnd;
  const hosts = headersDistinct.host?.length ?? 0;
  if (hosts > 1) return twoHosts;
  if (hosts === 0 && httpVersion === '1.1') return noHost;
  if (headers.host === '' && !isAbsolute(url)) return emptyHost;
  if (httpVersion === '1.1' && !MET_EXPECTATION.test(headers.expect ?? '')) return unmetExpectation;
  return method === 'OPTIONS' && url === '*' ? preflight({ host: headers.host ?? 'localhost', fields: headers }) : null;
}

/** The wire, which may hand connections on to `node:http`. */
const wireBefore = (
  acceptByNode: (socket: Socket) => void,
  app: App,
  { headersMs, keepAliveMs }: Timeouts,
  malformed: Malformed,
  onAnswer: AnswerOptions['onAnswer'],
): Wire =>
  createWire({
    handlePlain: app.plain,
    handToNode(socket, bytes) {
      acceptByNode(socket);
      socket.unshift(bytes);
    },
    onLate: malformed.timeOut,
    firstRequestMs: headersMs,
    keepAliveMs,
    clientOf: app.handler.clientOf,
    onAnswer: onAnswer ?? null,
  });

/** Closes a connection once its written bytes are sent. */
function endSoon(socket: Duplex): void {
  if (socket instanceof Socket) socket.destroySoon();
  else socket.destroy();
}

/** Time until idle connections are closed in a shutdown. */
const IDLE_MS = 1000;
/** Interval at which a shutdown closes connections without a pending response. */
const SWEEP_MS = 50;

function close(server: Server, wire: Wire | null, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // `close` calls this. Node's own would cut off responses that are written, but not sent yet.
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
