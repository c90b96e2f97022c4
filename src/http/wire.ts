/**
 * Plain requests answered on the connection itself, before `node:http` sees them: its objects and events for a request
 * cost more than an answer that is ready. A connection is handed to `node:http`, once and for good, with the first
 * bytes that are not one plain request, or whose answer is made while it is sent; nothing is interpreted twice.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Api, Asking } from './api.js';
import type { Exchange } from './exchange.js';
import type { PlainAnswer } from './plain.js';
import type { Body, Reply } from './reply.js';
import { type LastHeaders, readPlainRequest } from './wire-request.js';

export interface WireOptions {
  readonly answer: PlainAnswer;
  /** Takes a connection over, and then the bytes that it is given. */
  readonly handOver: (socket: Socket, bytes: Buffer) => void;
  /** Answers a connection that has not sent a first request in time. */
  readonly onLate: (socket: Socket) => void;
  readonly firstRequestMs: number;
  readonly keepAliveMs: number;
  readonly clientOf: Api['clientOf'];
  readonly onAnswer: ((exchange: Exchange) => void) | null;
}

export interface Wire {
  accept(socket: Socket): void;
  /** Closes every connection as soon as what was written to it is sent. */
  end(): void;
  destroy(): void;
}

export function createWire(options: WireOptions): Wire {
  const { answer, handOver, onLate, firstRequestMs, keepAliveMs, clientOf, onAnswer } = options;
  const connections = new Set<Socket>();
  const ending = createEnding(keepAliveMs);

  function accept(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const last: LastHeaders = { block: null, fields: {} };
    let isFirst = true;

    function onData(bytes: Buffer): void {
      const startedAt = onAnswer === null ? 0 : performance.now();
      const request = readPlainRequest(bytes, last);
      if (request === null) return void leave(bytes);
      const { method, target, fields } = request;
      const asking: Asking = { method, fields, address };
      const reply = answer(target, asking, false);
      if (reply === null) return void leave(bytes);
      if (isFirst) socket.setTimeout(keepAliveMs);
      isFirst = false;
      const head = `${statusLine(reply.status)}${reply.headers}${ending()}`;
      const body = method === 'HEAD' ? null : reply.body;
      if (!send(socket, head, body)) socket.pause();
      if (onAnswer === null) return;
      const tookMs = performance.now() - startedAt;
      const sent = head.length + lengthOf(body);
      onAnswer({ method, target, status: reply.status, bytes: sent, tookMs, address: clientOf(asking) });
    }
    const onTimeout = (): void => (isFirst ? onLate(socket) : void socket.destroy());
    const onDrain = (): void => void socket.resume();
    const onEnd = (): void => void socket.end();
    const onError = (): void => void socket.destroy();
    const onClose = (): void => void connections.delete(socket);

    function leave(bytes: Buffer): void {
      connections.delete(socket);
      socket.setTimeout(0);
      socket
        .off('data', onData)
        .off('timeout', onTimeout)
        .off('drain', onDrain)
        .off('end', onEnd)
        .off('error', onError)
        .off('close', onClose);
      handOver(socket, bytes);
    }

    connections.add(socket);
    socket.setTimeout(firstRequestMs);
    socket
      .on('data', onData)
      .on('timeout', onTimeout)
      .on('drain', onDrain)
      .on('end', onEnd)
      .on('error', onError)
      .on('close', onClose);
  }

  return {
    accept,
    end() {
      for (const socket of connections) socket.destroySoon();
    },
    destroy() {
      for (const socket of connections) socket.destroy();
    },
  };
}

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;

/** The last header lines and the empty one: the time, to the second, and how long the connection is kept. */
function createEnding(keepAliveMs: number): () => string {
  let second = 0;
  let lines = '';
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      const date = new Date(now * 1000).toUTCString();
      lines = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
    }
    return lines;
  };
}

/** Returns whether the client keeps up. */
function send(socket: Socket, head: string, body: Body): boolean {
  if (body === null) return socket.write(head, 'latin1');
  if (typeof body === 'string') return socket.write(head + body, 'latin1');
  if (!(body instanceof Uint8Array)) throw new Error('a body that is made while it is sent is not sent here');
  socket.cork();
  socket.write(head, 'latin1');
  const keepsUp = socket.write(body);
  socket.uncork();
  return keepsUp;
}

const lengthOf = (body: Reply['body']): number =>
  typeof body === 'string' || body instanceof Uint8Array ? body.length : 0;
