/** Sends a body that is made while it is sent: never more of it than the client has room for, and in turns with others. */
import { pipeline, Readable } from 'node:stream';
import { encoder } from './content-coding.js';
import { inTurns } from './turns.js';
/** A client that leaves ends the work. */
export function streamOf({ coding, chunks }, nextTurn) {
    const source = inTurns(chunks(), nextTurn);
    return ReadableStream.from(coding === 'identity' ? source : pipeline(Readable.from(source), encoder(coding), () => { }));
}
