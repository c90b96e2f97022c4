/** Answers to what is no readable request, in the API's error shape: these have neither headers of the API nor a route. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorAnswer, JSON_TYPE } from './answer.js';
import { commonHeaders, headerList, type Reply, refusalReply } from './reply.js';

/** Room for a search text of 4,096 characters, each up to nine bytes when percent-encoded, and the usual headers. */
export const MAX_HEADER_BYTES = 64 * 1024;

const unreadableReply = (message: string): Reply =>
  refusalReply(errorAnswer({ code: 'invalid_request', message }), commonHeaders(null));

/** A request of which the adapter cannot make a URL. */
export const unreadable: Reply = unreadableReply(
  'The Host header or the target of the request is not valid: no URL can be made of the two.',
);

const twoHosts: Reply = unreadableReply('There is more than one Host header.');

/** Node takes the first of several; RFC 9112, section 3.2, wants them refused. */
export function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

export function refuseHosts(response: ServerResponse): void {
  response.writeHead(twoHosts.status, headerList(twoHosts.headers)).end(twoHosts.body, 'latin1');
}

/** What Node's parser refuses, by its error code: status line and what to tell the client. */
const unparsed: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_INVALID_URL: [
    '400 Bad Request',
    'The URL holds characters that must be percent-encoded: é is written %C3%A9, a space %20.',
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `URL and headers together must not exceed ${MAX_HEADER_BYTES} bytes.`,
  ],
  HPE_INVALID_METHOD: ['501 Not Implemented', 'This method is not known here. Allowed: GET, HEAD, OPTIONS.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.\d\r\n/;

export type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Node's parser gives one code to methods that it does not know and to what is no request at all. */
const codeOf = ({ code = '', rawPacket }: ParserError): string =>
  code === 'HPE_INVALID_METHOD' && !REQUEST_LINE.test(rawPacket?.toString('latin1') ?? '') ? '' : code;

/** Answers a request that is no HTTP and closes the connection. */
export function answerUnparsed(error: ParserError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = unparsed[codeOf(error)] ?? ['400 Bad Request', 'The request is not valid HTTP/1.1.'];
  socket.end(unparsedAnswer(status, message));
}

/** Answers a connection on which no request came in time, and closes it. */
export const answerTimeout = (socket: Duplex): void => answerUnparsed({ ...timeout }, socket);
const timeout: ParserError = { name: 'Error', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' };

export const refuseConnect = (socket: Duplex): void =>
  void socket.end(unparsedAnswer('405 Method Not Allowed', 'This is no proxy.'));

function unparsedAnswer(status: string, message: string): string {
  const body = JSON.stringify({ error: { code: 'invalid_request', message } });
  const head = [`HTTP/1.1 ${status}`, `Content-Type: ${JSON_TYPE}`, `Content-Length: ${Buffer.byteLength(body)}`];
  return `${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`;
}
