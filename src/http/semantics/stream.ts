/** Sends a body that is made while it is sent: never more of it than the client has room for, and in turns with others. */
import { pipeline, Readable } from 'node:stream';
import type { Source } from '../response.js';
import { encoder } from './content-coding.js';
import { inTurns, type NextTurn } from './turns.js';

/** A client that leaves ends the work. */
export function streamOf({ coding, chunks }: Source, nextTurn: NextTurn): ReadableStream<Uint8Array> {
  const source = inTurns(chunks(), nextTurn);
  return ReadableStream.from(
    coding === 'identity' ? source : pipeline(Readable.from(source), encoder(coding), () => {}),
  );
}
