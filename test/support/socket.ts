/** Bytes to a real socket and back. */
import { connect, type Socket } from 'node:net';
import { type ListenOptions, listen, type RunningServer } from '../../src/http/server.js';
import { type App, checkerFor } from './api.js';
import { type Checker, decodedText, isDescribed } from './described.js';

const checkers = new Map<string, Checker>();

/** From here on every answer of this server is held against its OpenAPI document. */
export const holdTo = (url: string, checker: Checker): void => void checkers.set(url, checker);

/** A server whose every answer is held against its OpenAPI document. */
export async function start(app: App, options: Partial<ListenOptions> = {}): Promise<RunningServer> {
  const server = await listen(app, { host: '127.0.0.1', port: 0, ...options });
  holdTo(server.url, checkerFor(app));
  return server;
}

export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
  /** The bytes as UTF-8. */
  readonly body: string;
}

const open = (url: string): Socket => connect(Number(new URL(url).port), '127.0.0.1');

/** Sends the bytes, half-closes if asked to, and returns all that comes until the server closes. */
export function exchange(url: string, request: string, halfClose = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = open(url);
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      try {
        checkAnswers(url, requestsIn(request), received);
        resolve(received);
      } catch (error) {
        reject(error);
      }
    });
    if (halfClose) socket.end(request);
    else socket.write(request);
  });
}

/** Splits all that came, until the server closed, into answers; `heads` are answers to HEAD, which have no body. */
export function answersOf(received: string, heads = false): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest !== ''; ) {
    const { answer, size } = firstAnswer(rest, heads, true) ?? cutOff(rest);
    answers.push(answer);
    rest = rest.slice(size);
  }
  return answers;
}

function cutOff(received: string): never {
  throw new Error(`the connection was closed within an answer: ${received.slice(0, 200)}`);
}

interface Taken<T> {
  readonly answer: T;
  /** How many of the bytes it takes. */
  readonly size: number;
}

/** The answer that the bytes begin with; null where it is not complete. */
function firstAnswer(received: string, isHead: boolean, isClosed: boolean): Taken<RawAnswer> | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const [, status, reason = ''] = /^HTTP\/1\.1 (\d+) (.*)$/.exec(statusLine) ?? [];
  const headers = new Map<string, string>();
  for (const line of lines) {
    const name = line.split(': ', 1)[0]?.toLowerCase() ?? '';
    if (headers.has(name)) throw new Error(`the answer has ${name} twice`);
    headers.set(name, line.slice(line.indexOf(': ') + 2));
  }
  const hasBody = !isHead && !['100', '204', '304'].includes(status ?? '');
  const taken = hasBody ? bodyAt(received, end + 4, headers, isClosed) : { answer: '', size: end + 4 };
  if (taken === null) return null;
  const bytes = Buffer.from(taken.answer, 'latin1');
  return { answer: { status: Number(status), reason, headers, bytes, body: bytes.toString() }, size: taken.size };
}

/** The body that begins there (RFC 9112, section 6.3), and where it ends; null where it is not complete. */
function bodyAt(
  received: string,
  begin: number,
  headers: RawAnswer['headers'],
  isClosed: boolean,
): Taken<string> | null {
  if (headers.has('transfer-encoding')) return unchunked(received, begin);
  const length = headers.get('content-length');
  if (length === undefined && headers.get('connection') !== 'close') throw new Error('the answer tells no length');
  if (length === undefined && !isClosed) return null;
  const size = length === undefined ? received.length : begin + Number(length);
  return received.length < size ? null : { answer: received.slice(begin, size), size };
}

function unchunked(received: string, begin: number): Taken<string> | null {
  let answer = '';
  for (let at = begin; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(received.slice(at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (!(next <= received.length)) return null;
    if (size === 0) return { answer, size: next };
    answer += received.slice(lineEnd + 2, next - 2);
    at = next;
  }
}

interface Asked {
  readonly method: string;
  readonly target: string;
}

const requestsIn = (bytes: string): Asked[] =>
  [...bytes.matchAll(/^([A-Z]+) (\S+) HTTP\/1\.[01]\r$/gm)].map(([, method = '', target = '']) => ({ method, target }));

function checkAnswers(url: string, requests: readonly Asked[], received: string): void {
  let i = 0;
  for (let rest = received; rest !== ''; ) {
    const { answer, size } = firstAnswer(rest, requests[i]?.method === 'HEAD', true) ?? cutOff(rest);
    checkAnswer(url, requests[i], answer);
    if (answer.status !== 100) i++;
    rest = rest.slice(size);
  }
}

/** What is no request to the API has the API's errors, but not its headers. */
function checkAnswer(url: string, asked: Asked | undefined, { status, headers, bytes, body }: RawAnswer): void {
  const checker = checkers.get(url);
  if (checker === undefined || status === 100) return;
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  if (isJson && isUnread(status, body)) return void checker.checkUnread(new Headers([...headers]), body);
  if (asked === undefined || asked.target === '*') return;
  const { pathname, search } = new URL(asked.target.replace(/^(?=\/)/, 'http://localhost'));
  const path = pathname + search;
  if (!isDescribed(asked.method, path)) return;
  const received = { method: asked.method, path, status, headers: new Headers([...headers]) };
  checker.check({ ...received, body: decodedText(bytes, headers.get('content-encoding')) });
}

/** Refused before there was a request to route: by the parser, or for its Host. */
const isUnread = (status: number, body: string): boolean =>
  [408, 417, 431, 501].includes(status) ||
  (status === 400 && !body.includes('"details"')) ||
  (status === 405 && body.includes('proxy'));

export interface Connection {
  readonly socket: Socket;
  readonly write: (bytes: string) => void;
  /** The next answer, or null where the server closes before it is complete. */
  next(isHead?: boolean): Promise<RawAnswer | null>;
}

/** A connection that is kept, on which answers are read one by one. */
export function keepOpen(url: string): Connection {
  const socket = open(url).setEncoding('latin1').setNoDelay();
  let sent = '';
  let answered = 0;
  let received = '';
  let closed = false;
  let wake = (): void => {};
  socket.on('data', (chunk: string) => {
    received += chunk;
    wake();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
    wake();
  });
  return {
    socket,
    write(bytes) {
      sent += bytes;
      socket.write(bytes, 'latin1');
    },
    async next(isHead = false) {
      for (;;) {
        const taken = firstAnswer(received, isHead, closed);
        if (taken !== null) {
          received = received.slice(taken.size);
          checkAnswer(url, requestsIn(sent)[answered], taken.answer);
          if (taken.answer.status !== 100) answered++;
          return taken.answer;
        }
        if (closed) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** One request on a connection of its own. */
export async function ask(
  url: string,
  target: string,
  fields: readonly string[] = [],
  method = 'GET',
): Promise<RawAnswer> {
  const head = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...fields];
  const [answer] = answersOf(await exchange(url, `${head.join('\r\n')}\r\n\r\n`), method === 'HEAD');
  if (answer === undefined) throw new Error(`no answer to ${method} ${target}`);
  return answer;
}
