/** Bytes to a real socket and back. */
import { connect, type Socket } from 'node:net';
import { listen, type RunningServer } from '../../src/http/server.js';
import type { App } from './api.js';

export const start = (app: App): Promise<RunningServer> => listen(app, { host: '127.0.0.1', port: 0 });

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
    socket.on('close', () => resolve(received));
    if (halfClose) socket.end(request);
    else socket.write(request);
  });
}

/** Splits what came into answers with a known length; `heads` are answers to HEAD, which have no body. */
export function answersOf(received: string, heads = false): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const [, status, reason = ''] = /^HTTP\/1\.1 (\d+) (.*)$/.exec(statusLine) ?? [];
    const headers = new Map(
      lines.map((line) => [line.split(': ', 1)[0]?.toLowerCase() ?? '', line.slice(line.indexOf(': ') + 2)]),
    );
    const hasBody = !heads && !['100', '204', '304'].includes(status ?? '');
    const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0;
    const body = rest.slice(end + 4, end + 4 + length);
    answers.push({ status: Number(status), reason, headers, body: Buffer.from(body, 'latin1').toString() });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
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
