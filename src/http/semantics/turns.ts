/**
 * Turns of the event loop, which all long work shares. Each round of the loop gives one turn, so that requests are read
 * and answered in between, however many exports are running.
 */
import { pipeline, Readable } from 'node:stream';
import { type Coding, encoder } from './content-coding.js';

/** Resolves in a later round of the event loop; callers are served in the order of their calls. */
export type NextTurn = () => Promise<void>;

export function createTurns(): NextTurn {
  const waiting: (() => void)[] = [];
  function give(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(give);
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(give);
    });
}

/** A turn ends after the chunk in which it reaches this duration. */
const TURN_MS = 1;

/** Makes chunks in turns, also for a reader that keeps up: its writes succeed at once, and would never yield. */
export async function* inTurns<T>(chunks: Iterable<T>, nextTurn: NextTurn): AsyncGenerator<T, void, undefined> {
  let endsAt = 0;
  const iterator = chunks[Symbol.iterator]();
  try {
    for (;;) {
      if (performance.now() >= endsAt) {
        await nextTurn();
        endsAt = performance.now() + TURN_MS;
      }
      const { done, value } = iterator.next();
      if (done) return;
      yield value;
    }
  } finally {
    iterator.return?.();
  }
}

/** A body made while it is sent, and the coding to send it in. */
export interface Stream {
  readonly coding: Coding;
  /** Made in turns, or as they arrive. */
  readonly chunks: () => Iterable<Uint8Array<ArrayBuffer>> | AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** When the client disconnects, no further chunk is made. */
export function streamOf({ coding, chunks }: Stream, nextTurn: NextTurn): ReadableStream<Uint8Array> {
  const chunkSource = chunks();
  const source = Symbol.asyncIterator in chunkSource ? chunkSource : inTurns(chunkSource, nextTurn);
  return ReadableStream.from(
    coding === 'identity' ? source : pipeline(Readable.from(source), encoder(coding), () => {}),
  );
}
