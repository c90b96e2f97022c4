/**
 * Binds the port. The modules that answer requests are large, and a start needs none of them: connections that come before they are
 * loaded wait, and are then handed over in their order.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Timeouts {
  /** Time for a request's headers, and for the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Time until an idle connection is closed. */
  readonly keepAliveMs: number;
  /** Interval between checks for late requests. */
  readonly checkMs: number;
}

/**
 * Requests have no bodies, so a client that needs longer is broken. Proxies usually keep idle connections for a minute;
 * the server keeps them a little longer, so that none is closed just as a proxy uses it.
 */
const TIMEOUTS: Timeouts = { headersMs: 15_000, requestMs: 30_000, keepAliveMs: 65_000, checkMs: 5_000 };

/** Room for a search text of 4,096 characters, each up to nine bytes when percent-encoded, and the usual headers. */
export const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Connections that may wait to be accepted; the system may allow fewer. Clients beyond them send their first packet again
 * after a second.
 */
const BACKLOG = 4096;

export interface BindOptions {
  readonly host: string;
  readonly port: number;
  readonly timeouts?: Timeouts;
  /** Called with each connection that waits. */
  readonly onWaiting?: () => void;
}

type Listener = ReturnType<Server['listeners']>[number];

export interface BoundServer {
  readonly server: Server;
  /** `http://HOST:PORT`, ready to be opened. */
  readonly url: string;
  readonly timeouts: Timeouts;
  /** The listeners by which `node:http` takes a connection. */
  readonly ownListeners: readonly Listener[];
  /** Hands waiting and later connections over. */
  readonly release: (accept: (socket: Socket) => void) => void;
}

/** Binds the port, or rejects with the system's error. */
export async function bind({ host, port, onWaiting, timeouts = TIMEOUTS }: BindOptions): Promise<BoundServer> {
  const server = createServer(limitsOf(timeouts));
  const ownListeners = server.listeners('connection');
  const waiting: Socket[] = [];
  const destroy = function (this: Socket): void {
    this.destroy();
  };
  const hold = (socket: Socket): void => {
    waiting.push(socket.on('error', destroy));
    onWaiting?.();
  };
  server.removeAllListeners('connection').on('connection', hold);
  server.listen({ port, host, backlog: BACKLOG });
  await once(server, 'listening');

  function release(accept: (socket: Socket) => void): void {
    server.off('connection', hold).on('connection', accept);
    for (const socket of waiting.splice(0)) {
      socket.off('error', destroy);
      if (!socket.destroyed) accept(socket);
    }
  }
  return { server, url: urlOf(server, host), timeouts, ownListeners, release };
}

const limitsOf = ({ headersMs, requestMs, keepAliveMs, checkMs }: Timeouts) => ({
  maxHeaderSize: MAX_HEADER_BYTES,
  // Node's own response to a request without Host has no body.
  requireHostHeader: false,
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: checkMs,
});

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
