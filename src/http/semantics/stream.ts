/** Sends a body that is made while it is sent: never more of it than the client has room for, and in turns with others. */
import { pipeline, Readable } from 'node:stream';
import { type Coding, encoder } from './content-coding.js';
import { inTurns, type NextTurn } from './turns.js';

/** A body made while it is sent, and the coding to send it in. */
export interface Stream {
  readonly coding: Coding;
  readonly chunks: () => Iterable<Uint8Array<ArrayBuffer>>;
}

/** A client that leaves ends the work. */
export function streamOf({ coding, chunks }: Stream, nextTurn: NextTurn): ReadableStream<Uint8Array> {
  const source = inTurns(chunks(), nextTurn);
  return ReadableStream.from(
    coding === 'identity' ? source : pipeline(Readable.from(source), encoder(coding), () => {}),
  );
}
