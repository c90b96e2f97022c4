/**
 * The answers of one connection that `node:http` reads. Each begins when the one before it is over, so that an answer that
 * waits its turn holds nothing but its request, and what cannot be answered is refused behind the answers that are due
 * (RFC 9112, section 9.3.2).
 */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NextTurn } from '../semantics/turns.js';

export interface Pipeline {
  /** Whether all answers that are due have been sent. */
  readonly isIdle: boolean;
  /** Calls `answer`, which is to end the response, when its turn comes. */
  add(response: ServerResponse, answer: () => void): void;
  /** From now on the connection ends behind what is due. */
  refuseMore(): void;
  /** Nothing more is answered: calls `refuse` behind what is due. Does nothing where the connection ends already. */
  endWith(refuse: () => void): void;
  /** Wakes the answer that is being sent, where `node:http` no longer does so. */
  drain(): void;
}

/** With more requests due than this, no more are read. */
const MAX_DUE = 64;

export function createPipeline(socket: Duplex, nextTurn: NextTurn): Pipeline {
  const due: { readonly response: ServerResponse; readonly answer: () => void }[] = [];
  let refuse: (() => void) | null = null;
  let isEnding = false;
  let isLastDue = false;

  /** Begins the first answer; it stays in front until it is over. */
  function begin(): void {
    const [first] = due;
    if (first === undefined) refuse?.();
    else {
      if (isLastDue && due.length === 1) first.response.shouldKeepAlive = false;
      first.response.once('close', () => end(first.response));
      first.answer();
    }
  }

  function end(response: ServerResponse): void {
    if (due.length === MAX_DUE) socket.resume();
    due.shift();
    // What stands behind a request that closes the connection is not processed (RFC 9112, section 9.6).
    if (!response.shouldKeepAlive || socket.destroyed) due.length = 0;
    if (!response.shouldKeepAlive) [isEnding, refuse] = [true, null];
    if (due.length > 0 || refuse !== null) void nextTurn().then(begin);
  }

  return {
    get isIdle() {
      return due.length === 0;
    },
    add(response, answer) {
      if (isEnding) return;
      const length = due.push({ response, answer });
      // Others may stand behind it in the same piece.
      if (length === 1) isLastDue ? void nextTurn().then(begin) : begin();
      else if (length > MAX_DUE) socket.pause();
    },
    refuseMore() {
      isLastDue = true;
    },
    endWith(last) {
      if (isEnding) return;
      isEnding = true;
      refuse = last;
      if (due.length === 0) begin();
    },
    drain: () => void due[0]?.response.emit('drain'),
  };
}
