/**
 * A load client: HTTP/1.1 over plain sockets, so that the client takes little of the time that it measures. A connection
 * has one pending request. Bodies are counted, and kept only if the caller reads them.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Response {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
  readonly bytes: number;
}

/** The pending request of a connection. */
interface PendingRequest {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
  readonly keepsBody: boolean;
}

const HEAD_END = '\r\n\r\n';
const NO_BODY_BYTES: Buffer = Buffer.alloc(0);

export class ClientConnection {
  readonly #socket: Socket;
  #request: PendingRequest | null = null;
  /** Received bytes of a head or chunk size that is not complete yet. */
  #rest = NO_BODY_BYTES;
  #head: string | null = null;
  #body: Buffer[] = [];
  #bytes = 0;
  /** Bytes of the body, or of its current chunk, that have not arrived yet. */
  #left = 0;
  #isChunked = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<ClientConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new ClientConnection(socket);
  }

  /** The response to one request; its body is empty unless `keepsBody`. */
  get(path: string, keepsBody = false): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#request = { resolve, reject, keepsBody };
      if (this.#socket.destroyed) this.#fail(new Error('the connection is closed'));
      else this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
  }

  close(): void {
    this.#request = null;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    this.#request?.reject(error);
    this.#request = null;
  }

  #take(received: Buffer): void {
    let bytes = this.#rest.length === 0 ? received : Buffer.concat([this.#rest, received]);
    this.#rest = NO_BODY_BYTES;
    if (this.#head === null) {
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) {
        this.#rest = bytes;
        return;
      }
      const head = bytes.toString('latin1', 0, end);
      this.#head = head;
      this.#isChunked = /^transfer-encoding: *chunked/im.test(head);
      this.#left = this.#isChunked ? 0 : Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      bytes = bytes.subarray(end + HEAD_END.length);
    }
    if (this.#isChunked) this.#takeChunks(bytes);
    else {
      this.#add(bytes);
      this.#left -= bytes.length;
      if (this.#left === 0) this.#finish();
    }
  }

  /** `4\r\nWiki\r\n0\r\n\r\n`: a length in hexadecimal before each chunk, the last of which is empty. */
  #takeChunks(received: Buffer): void {
    let bytes = received;
    while (bytes.length > 0) {
      if (this.#left > 0) {
        const part = bytes.subarray(0, this.#left);
        this.#add(part);
        this.#left -= part.length;
        bytes = bytes.subarray(part.length);
        continue;
      }
      const start = bytes[0] === 13 ? 2 : 0;
      const end = bytes.indexOf('\r\n', start);
      const size = Number.parseInt(bytes.toString('latin1', start, Math.max(start, end)), 16);
      if (end < 0 || (size === 0 && bytes.length < end + HEAD_END.length)) {
        this.#rest = bytes;
        return;
      }
      if (size === 0) {
        this.#finish();
        return;
      }
      this.#left = size;
      bytes = bytes.subarray(end + 2);
    }
  }

  #add(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#request?.keepsBody) this.#body.push(bytes);
  }

  #finish(): void {
    const head = this.#head ?? '';
    const request = this.#request;
    const response = { status: Number(head.slice(9, 12)), head, body: Buffer.concat(this.#body), bytes: this.#bytes };
    this.#request = null;
    this.#head = null;
    this.#body = [];
    this.#bytes = 0;
    request?.resolve(response);
  }
}

/** Opens a connection for one response, of whatever status. */
export async function fetchOnce(port: number, path: string): Promise<Response> {
  const connection = await ClientConnection.open(port);
  const response = await connection.get(path, true);
  connection.close();
  return response;
}

export function expectSuccess({ status }: Response, path: string): void {
  if (status !== 200) throw new Error(`${path} is answered ${status}`);
}

/**
 * Keeps the event loop turning, and with it the client's processor awake, until the work has ended. Waking a virtual processor can
 * take longer than a response.
 */
async function awake<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const turn = (): void => {
    if (!isOver) setImmediate(turn);
  };
  turn();
  return work.finally(() => {
    isOver = true;
  });
}

/** Milliseconds of each response to one request after the other, until `maxMs` have passed; of one response at least. */
export async function timeEach(port: number, paths: Iterable<string>, maxMs: number): Promise<number[]> {
  const connection = await ClientConnection.open(port);
  const times: number[] = [];
  const endsAt = performance.now() + maxMs;
  for (const path of paths) {
    const startedAt = performance.now();
    const response = await awake(connection.get(path));
    const endedAt = performance.now();
    expectSuccess(response, path);
    times.push(endedAt - startedAt);
    if (endedAt > endsAt) break;
  }
  connection.close();
  return times;
}

/** A closed loop: each of `connections` clients sends its next request once it has its response, until time or paths end. */
export async function closedLoop(
  port: number,
  paths: Iterable<string>,
  connections: number,
  maxMs: number,
): Promise<{ readonly responses: number; readonly ms: number }> {
  const next = paths[Symbol.iterator]();
  const clients = await Promise.all(Array.from({ length: connections }, () => ClientConnection.open(port)));
  const startedAt = performance.now();
  let responses = 0;
  const run = async (connection: ClientConnection): Promise<void> => {
    for (let step = next.next(); !step.done; step = next.next()) {
      expectSuccess(await connection.get(step.value), step.value);
      responses++;
      if (performance.now() - startedAt > maxMs) break;
    }
    connection.close();
  };
  await awake(Promise.all(clients.map(run)));
  return { responses, ms: performance.now() - startedAt };
}

/** The paths in order, again and again: `times` times, or without an end. */
export function* cycle(paths: readonly string[], times = Number.POSITIVE_INFINITY): Generator<string> {
  for (let i = 0; i < paths.length * times; i++) yield paths[i % paths.length] ?? '';
}

/** The value below which a share of the values lie; NaN if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
