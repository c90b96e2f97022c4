/** A client that costs next to nothing, so that what is timed is the server. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const MAX_ANSWER_MS = 10_000;

export async function openConnection(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true, timeout: MAX_ANSWER_MS });
  await once(socket, 'connect');
  return socket;
}

/** The body of an answer 200; one request at a time on a connection. */
export const ask = (socket: Socket, path: string): Promise<Buffer> =>
  new Promise((done, fail) => {
    let received = Buffer.alloc(0);
    const settle = (error: Error | null, body = received): void => {
      socket.off('data', add).off('error', settle).off('timeout', late);
      if (error) fail(error);
      else done(body);
    };
    const late = () => settle(new Error(`${path} is not answered`));
    const add = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const headEnd = received.indexOf('\r\n\r\n') + 4;
      if (headEnd < 4) return;
      const head = received.toString('latin1', 0, headEnd);
      const length = /^content-length: (\d+)/im.exec(head)?.[1];
      if (!head.startsWith('HTTP/1.1 200') || length === undefined) settle(new Error(`${path} is answered ${head}`));
      else if (received.length >= headEnd + Number(length)) settle(null, received.subarray(headEnd));
    };
    socket.on('data', add).once('error', settle).once('timeout', late);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  });
