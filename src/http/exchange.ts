/** What became of a request, as it is logged. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  /** Bytes sent, headers included. */
  readonly bytes: number;
  readonly tookMs: number;
  /** The client's, as the rate limit takes it. */
  readonly address: string;
}

export interface Observer {
  /** A request that `node:http` answers: reported when its answer is over. */
  readonly watch: (request: IncomingMessage, response: ServerResponse) => void;
  /** What a connection has sent so far is no part of its next answer. */
  readonly begin: (socket: Socket) => void;
}

export function createObserver(
  addressOf: (request: IncomingMessage) => string,
  onAnswer: (exchange: Exchange) => void,
): Observer {
  /** Bytes that each connection had sent when its last answer was over. */
  const sentBefore = new WeakMap<Socket, number>();
  return {
    begin: (socket) => void sentBefore.set(socket, socket.bytesWritten),
    watch(request, response) {
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
