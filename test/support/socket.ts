/** Bytes to a real socket and back. */
import { connect, type Socket } from 'node:net';
import { type ListenOptions, listen, type RunningServer } from '../../src/http/server.js';
import { type App, checkerFor } from './api.js';
import { type Checker, isDescribed } from './described.js';

const checkers = new Map<string, Checker>();

/** A server whose every answer is held against its OpenAPI document. */
export async function start(app: App, options: Partial<ListenOptions> = {}): Promise<RunningServer> {
  const server = await listen(app, { host: '127.0.0.1', port: 0, ...options });
  checkers.set(server.url, checkerFor(app));
  return server;
}

export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
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

/** Splits what came into answers with a known length; `heads` are answers to HEAD, which have no body. */
export function answersOf(received: string, heads = false): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest !== ''; ) {
    const { answer, size } = firstAnswer(rest, heads);
    answers.push(answer);
    rest = rest.slice(size);
  }
  return answers;
}

/** The answer that the bytes begin with, and how many of them it takes. */
function firstAnswer(received: string, isHead: boolean): { readonly answer: RawAnswer; readonly size: number } {
  const end = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const [, status, reason = ''] = /^HTTP\/1\.1 (\d+) (.*)$/.exec(statusLine) ?? [];
  const headers = new Map(
    lines.map((line) => [line.split(': ', 1)[0]?.toLowerCase() ?? '', line.slice(line.indexOf(': ') + 2)]),
  );
  const hasBody = !isHead && !['100', '204', '304'].includes(status ?? '');
  const size = end + 4 + (hasBody ? Number(headers.get('content-length') ?? 0) : 0);
  const body = Buffer.from(received.slice(end + 4, size), 'latin1').toString();
  return { answer: { status: Number(status), reason, headers, body }, size };
}

interface Asked {
  readonly method: string;
  readonly target: string;
}

const requestsIn = (bytes: string): Asked[] =>
  [...bytes.matchAll(/^([A-Z]+) (\S+) HTTP\/1\.[01]\r$/gm)].map(([, method = '', target = '']) => ({ method, target }));

function checkAnswers(url: string, requests: readonly Asked[], received: string): void {
  let rest = received;
  for (let i = 0; rest !== ''; ) {
    const { answer, size } = firstAnswer(rest, requests[i]?.method === 'HEAD');
    checkAnswer(url, requests[i], answer);
    if (answer.status !== 100) i++;
    // The length of a chunked body is not looked for: nothing of interest follows it.
    rest = answer.headers.has('transfer-encoding') ? '' : rest.slice(size);
  }
}

/** What is no request to the API has the API's errors, but not its headers. */
function checkAnswer(url: string, asked: Asked | undefined, { status, headers, body }: RawAnswer): void {
  const checker = checkers.get(url);
  if (checker === undefined || status === 100) return;
  if (isUnread(status, body)) return void checker.checkUnread(new Headers([...headers]), body);
  if (asked === undefined || !asked.target.startsWith('/')) return;
  const { pathname, search } = new URL(`http://localhost${asked.target}`);
  const path = pathname + search;
  if (!isDescribed(asked.method, path)) return;
  const isWhole = !headers.has('content-encoding') && !headers.has('transfer-encoding');
  const received = { method: asked.method, path, status, headers: new Headers([...headers]) };
  checker.check({ ...received, body: isWhole ? body : '' });
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
        if (received.includes('\r\n\r\n')) {
          const { answer, size } = firstAnswer(received, isHead);
          if (received.length >= size) {
            received = received.slice(size);
            checkAnswer(url, requestsIn(sent)[answered], answer);
            if (answer.status !== 100) answered++;
            return answer;
          }
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
