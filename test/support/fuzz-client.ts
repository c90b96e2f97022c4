/** Sends requests one after another, on a connection as long as it can be kept. */
import type { FuzzedRequest } from './requests.js';
import { type Connection, keepOpen, type RawAnswer } from './socket.js';

/** A connection's requests are all looked through for each of its answers. */
const MAX_PER_CONNECTION = 20;

export interface FuzzClient {
  /** The answer, held against the document, and the milliseconds until all of it was there; null where there is none. */
  ask(request: FuzzedRequest): Promise<{ readonly answer: RawAnswer | null; readonly ms: number }>;
  close(): void;
}

export function createFuzzClient(url: string): FuzzClient {
  let connection: Connection | null = null;
  let asked = 0;

  function close(): void {
    connection?.socket.destroy();
    connection = null;
    asked = 0;
  }
  return {
    async ask({ method, bytes, isLast }) {
      connection ??= keepOpen(url);
      const startedAt = performance.now();
      connection.write(bytes);
      const answer = await connection.next(method === 'HEAD');
      const ms = performance.now() - startedAt;
      const isKept = answer?.headers.get('connection') === 'keep-alive' && !isLast;
      if (!isKept || ++asked === MAX_PER_CONNECTION) close();
      return { answer, ms };
    },
    close,
  };
}
