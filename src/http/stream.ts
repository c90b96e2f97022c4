/** Sends a body that is made while it is sent: never more of it than the client has room for. */
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { encoder } from './coding.js';
import type { Source } from './reply.js';

/** To a socket. A client that leaves ends the work; `onError` is told of a bug in making the body. */
export function sendSource(
  { coding, chunks }: Source,
  response: ServerResponse,
  onError: (error: unknown) => void,
): void {
  if (coding === 'identity') pump(chunks()[Symbol.iterator](), response, onError);
  else
    pipeline(Readable.from(chunks()), encoder(coding), response, (error) => {
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onError(error);
    });
}

/** Writes until the socket is full, and goes on when it has drained. */
function pump(chunks: Iterator<Uint8Array>, response: ServerResponse, onError: (error: unknown) => void): void {
  const advance = (): void => {
    try {
      for (let roomy = true; roomy && !response.destroyed; ) {
        const { done, value } = chunks.next();
        if (done) return void response.end();
        roomy = response.write(value);
      }
    } catch (error) {
      onError(error);
      response.destroy();
    }
  };
  response.on('drain', advance);
  response.once('close', () => chunks.return?.());
  advance();
}

/** As a web stream, for a response that is no socket's. */
export function streamOf({ coding, chunks }: Source): ReadableStream<Uint8Array> {
  if (coding !== 'identity') {
    const coded = pipeline(Readable.from(chunks()), encoder(coding), () => {});
    return fromNode(Readable.toWeb(coded));
  }
  const iterator = chunks()[Symbol.iterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void iterator.return?.(),
    },
    { highWaterMark: 0 },
  );
}

/** Node's own type of web streams and the global one are the same class at run time. */
const fromNode = (stream: NodeReadableStream): ReadableStream<Uint8Array> => {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
};
