/**
 * A load client: HTTP/1.1 over plain sockets, so that the client takes little of the time that it measures. A connection
 * has one request at a time. Bodies are counted, and collected only where they are read.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Response {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
  readonly bytes: number;
}

interface Expected {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
  readonly collects: boolean;
}

const HEAD_END = '\r\n\r\n';
/** A server that has so many requests before it does not keep up, and its times say so. */
const MAX_PENDING = 1000;
const NOTHING: Buffer = Buffer.alloc(0);
const statusOf = (head: string): number => Number(head.slice(9, 12));

export class Connection {
  readonly #socket: Socket;
  #expected: Expected | null = null;
  #pending = NOTHING;
  #head: string | null = null;
  #body: Buffer[] = [];
  #bytes = 0;
  /** Bytes still to come: of the body, or of a chunk of it. */
  #left = 0;
  #isChunked = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** The response to one request; its body is empty unless `collects`. */
  get(path: string, collects = false): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#expected = { resolve, reject, collects };
      if (this.#socket.destroyed) this.#fail(new Error('the connection is closed'));
      else this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
  }

  close(): void {
    this.#expected = null;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    this.#expected?.reject(error);
    this.#expected = null;
  }

  #take(received: Buffer): void {
    let bytes = this.#pending.length === 0 ? received : Buffer.concat([this.#pending, received]);
    this.#pending = NOTHING;
    if (this.#head === null) {
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) {
        this.#pending = bytes;
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
        this.#pending = bytes;
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
    if (this.#expected?.collects) this.#body.push(bytes);
  }

  #finish(): void {
    const head = this.#head ?? '';
    const expected = this.#expected;
    const response = { status: statusOf(head), head, body: Buffer.concat(this.#body), bytes: this.#bytes };
    this.#expected = null;
    this.#head = null;
    this.#body = [];
    this.#bytes = 0;
    expected?.resolve(response);
  }
}

/** Opens a connection for one response, of whatever status. */
export async function fetchOnce(port: number, path: string): Promise<Response> {
  const connection = await Connection.open(port);
  const response = await connection.get(path, true);
  connection.close();
  return response;
}

function expectSuccess({ status }: Response, path: string): void {
  if (status !== 200) throw new Error(`${path} is answered ${status}`);
}

/**
 * Keeps the event loop turning, and with it the client's processor awake, until the work has ended: to wake it up takes a virtual
 * machine longer than many a response.
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

/** Milliseconds of each response, one request after the other, until `maxMs` have passed; of at least one. */
export async function timeEach(port: number, paths: Iterable<string>, maxMs: number): Promise<number[]> {
  const connection = await Connection.open(port);
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

export interface Throughput {
  readonly responses: number;
  readonly ms: number;
}

/** A closed loop: each of `connections` clients sends its next request once it has its response, until time or paths end. */
export async function closedLoop(
  port: number,
  paths: Iterable<string>,
  connections: number,
  maxMs: number,
): Promise<Throughput> {
  const next = paths[Symbol.iterator]();
  const clients = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const startedAt = performance.now();
  let responses = 0;
  const run = async (connection: Connection): Promise<void> => {
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

/**
 * An open loop: requests are due at a steady rate whether or not earlier ones have been answered. A time is counted from
 * when its request was due, so that a server that falls behind cannot hide it. `untilMs` bounds what is sent.
 */
export async function openLoop(
  port: number,
  paths: Iterable<string>,
  perSecond: number,
  untilMs: number,
): Promise<number[]> {
  const next = paths[Symbol.iterator]();
  const idle: Connection[] = [];
  const times: number[] = [];
  const failures: unknown[] = [];
  const pending = new Set<Promise<void>>();
  const ask = async (path: string, dueAt: number): Promise<void> => {
    const connection = idle.pop() ?? (await Connection.open(port));
    expectSuccess(await connection.get(path), path);
    times.push(performance.now() - dueAt);
    idle.push(connection);
  };
  const startedAt = performance.now();
  for (let sent = 0; ; sent++) {
    const dueAt = startedAt + (sent * 1000) / perSecond;
    // Timers are exact to a millisecond only: the client, which has a processor of its own, looks at the clock instead.
    while (performance.now() < dueAt) await new Promise((resolve) => setImmediate(resolve));
    const step = next.next();
    if (step.done || dueAt - startedAt > untilMs) break;
    const asked = ask(step.value, dueAt)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => pending.delete(asked));
    pending.add(asked);
    if (pending.size > MAX_PENDING) break;
  }
  await Promise.all(pending);
  for (const connection of idle) connection.close();
  if (failures.length > 0) throw failures[0];
  return times;
}

/** Goes through the paths again and again, without an end unless `times` says so. */
export function* cycle(paths: readonly string[], times = Number.POSITIVE_INFINITY): Generator<string> {
  for (let i = 0; i < paths.length * times; i++) yield paths[i % paths.length] ?? '';
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Of none, NaN. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
