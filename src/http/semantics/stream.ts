/** A body that is made while it is sent: only as fast as the client reads, and in turns with other bodies. */
import { pipeline, Readable } from 'node:stream';
import { type Coding, encoder } from './content-coding.js';
import { inTurns, type NextTurn } from './turns.js';

/** A body made while it is sent, and the coding to send it in. */
export interface Stream {
  readonly coding: Coding;
  readonly chunks: () => Iterable<Uint8Array<ArrayBuffer>>;
}

/** When the client disconnects, no further chunk is made. */
export function streamOf({ coding, chunks }: Stream, nextTurn: NextTurn): ReadableStream<Uint8Array> {
  const source = inTurns(chunks(), nextTurn);
  return ReadableStream.from(
    coding === 'identity' ? source : pipeline(Readable.from(source), encoder(coding), () => {}),
  );
}
