/**
 * Answers plain requests on the connection itself, before `node:http` sees them: its objects and events cost more than a
 * cached response. The first bytes that are not one plain request, or that ask for a download, hand the connection to
 * `node:http` for good. No bytes are interpreted twice.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Handler } from '../handler.js';
import type { AccessLogEntry } from '../log.js';
import { createSend } from './message.js';
import type { PlainHandler } from './plain-handler.js';
import { type LastHeaders, readPlainRequest, withEncodedTarget } from './request.js';

interface WireOptions {
  readonly handlePlain: PlainHandler;
  /** Gives a connection to `node:http`, and then the unanswered bytes. */
  readonly handToNode: (socket: Socket, bytes: Buffer) => void;
  /** Answers a connection that has not sent a first request in time. */
  readonly onLate: (socket: Socket) => void;
  readonly firstRequestMs: number;
  readonly keepAliveMs: number;
  readonly clientOf: Handler['clientOf'];
  readonly onAnswer: ((entry: AccessLogEntry) => void) | null;
}

export type Wire = ReturnType<typeof createWire>;

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  readonly last: LastHeaders;
  /** Whether a response was sent on it. */
  isUsed: boolean;
}

/** A connection stays open a little longer than `Keep-Alive` says, so that no request meets its end. */
const SPARE_MS = 1000;

export function createWire({
  handlePlain,
  handToNode,
  onLate,
  firstRequestMs,
  keepAliveMs,
  clientOf,
  onAnswer,
}: WireOptions) {
  const open = new Set<Socket>();
  const send = createSend();
  let lastLines = createLastLines(`keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}`);
  let isEnding = false;

  /** Returns false, and has done nothing, where the bytes are not one plain request that is answered at once. */
  function answered({ socket, address, last }: Connection, bytes: Buffer): boolean {
    const startedAt = onAnswer === null ? 0 : performance.now();
    const request = readPlainRequest(bytes, last);
    if (request === null) return false;
    const { method, target, host, fields } = request;
    const requestHead = { method, host, fields, address };
    const response = handlePlain(target, requestHead);
    if (response === null) return false;
    const { status, headers, body } = response;
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}${lastLines()}`;
    const sentBytes = send(socket, head, method === 'HEAD' ? null : body);
    if (isEnding) socket.destroySoon();
    if (onAnswer !== null) {
      const tookMs = performance.now() - startedAt;
      onAnswer({ method, target, status, bytes: sentBytes, tookMs, address: clientOf(requestHead) });
    }
    return true;
  }

  function accept(socket: Socket): void {
    const last: LastHeaders = { block: null, host: '', fields: {} };
    const connection: Connection = { socket, address: socket.remoteAddress ?? '', last, isUsed: false };
    const listeners: Readonly<Record<string, (bytes: Buffer) => void>> = {
      data(bytes) {
        // Requests after the last response are ignored.
        if (!socket.writable) return;
        const encoded = answered(connection, bytes) ? null : withEncodedTarget(bytes);
        if (encoded !== null && (encoded === bytes || !answered(connection, encoded))) return void leave(encoded);
        if (!connection.isUsed) socket.setTimeout(keepAliveMs + SPARE_MS);
        connection.isUsed = true;
      },
      timeout: () => (connection.isUsed ? socket.destroy() : onLate(socket)),
      drain: () => socket.resume(),
      end: () => socket.end(),
      error: () => socket.destroy(),
      close: () => open.delete(socket),
    };
    function leave(bytes: Buffer): void {
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      open.delete(socket);
      socket.setTimeout(0);
      handToNode(socket, bytes);
    }
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    open.add(socket);
    socket.setTimeout(firstRequestMs);
  }

  return {
    accept,
    /** From now on, every response closes its connection. */
    refuseMore() {
      isEnding = true;
      lastLines = createLastLines('close');
    },
    /** Closes every connection once its written bytes are sent. */
    end() {
      for (const socket of open) socket.destroySoon();
    },
    destroy() {
      for (const socket of open) socket.destroy();
    },
  };
}

/** The last header lines, `Date` and `Connection`, and the empty line. They are made anew each second. */
function createLastLines(connection: string): () => string {
  let second = 0;
  let lines = '';
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      lines = `Date: ${new Date(now * 1000).toUTCString()}\r\nConnection: ${connection}\r\n\r\n`;
    }
    return lines;
  };
}
