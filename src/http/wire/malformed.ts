/** Responses to unreadable requests, which have no route, in the API's error shape. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_HEADER_BYTES } from '../bind.js';
import { methodNotAllowed } from '../error-responses.js';
import { type CommonHeaders, errorResponse, finish, type HttpResponse, headerList } from '../response.js';
import { messageOf } from './message.js';

/** Status and message by the error code of Node's parser. */
const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_INVALID_URL: [400, 'The URL holds characters that must be percent-encoded: é is written %C3%A9, a space %20.'],
  HPE_HEADER_OVERFLOW: [431, `URL and headers together must not exceed ${MAX_HEADER_BYTES} bytes.`],
  HPE_INVALID_METHOD: [501, 'This method is not known here. Allowed: GET, HEAD, OPTIONS.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.\d\r\n/;

export type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

/** Node's parser has the same code for unknown methods and for bytes that are no request. Only the former keep it. */
function codeOf({ code = '', rawPacket, bytesParsed = 0 }: ParserError): string {
  if (code !== 'HPE_INVALID_METHOD') return code;
  // Earlier requests may stand before this one in the packet.
  const text = rawPacket?.toString('latin1') ?? '';
  const line = text.slice(bytesParsed > 0 ? text.lastIndexOf('\n', bytesParsed - 1) + 1 : 0);
  return REQUEST_LINE.test(line) ? code : '';
}

/** Time for the client to close a refused connection. */
const LINGER_MS = 1000;

export type Malformed = ReturnType<typeof createMalformed>;

/** `common` are the headers of every response. */
export function createMalformed(common: CommonHeaders) {
  const errorOf = (message: string, status = 400): HttpResponse => ({
    ...finish(errorResponse({ code: 'invalid_request', message }), common),
    status,
  });

  function refusalOf(error: ParserError): HttpResponse {
    const [status, message] = refusals[codeOf(error)] ?? [400, 'The request is not valid HTTP/1.1.'];
    return errorOf(message, status);
  }

  function end(socket: Duplex, { status, headers, body }: HttpResponse): void {
    const date = new Date().toUTCString();
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}Date: ${date}\r\nConnection: close\r\n\r\n`;
    socket.end(messageOf(head, body));
    // Further bytes are read and dropped for a while: a reset could lose the response.
    socket.once('finish', () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
  }

  /** Answers an error of Node's parser, and closes the connection. */
  function refuse(error: ParserError, socket: Duplex): void {
    if (socket.writable) end(socket, refusalOf(error));
  }

  /** Answers an error of Node's parser by the response to a request. */
  function refuseRequest(error: ParserError, response: ServerResponse): void {
    const { status, headers, body } = refusalOf(error);
    response.shouldKeepAlive = false;
    response.writeHead(status, headerList(headers)).end(body);
  }

  return {
    /** The response to a request that the adapter cannot make a URL of. */
    unreadable: errorOf('The Host header or the target of the request is not valid: no URL can be made of the two.'),
    /** A request has one Host header (RFC 9112, section 3.2). */
    noHost: errorOf('There is no Host header, which HTTP/1.1 requires.'),
    emptyHost: errorOf('The Host header is empty: it names the server that is asked.'),
    twoHosts: errorOf('There is more than one Host header.'),
    /** No request can be found behind a body without an end, so the connection is closed. */
    unknownEnd: errorOf(
      'The end of the body is not known: with Transfer-Encoding, HTTP/1.1 is required, and chunked last.',
    ),
    unmetExpectation: errorOf('No expectation but 100-continue can be met.', 417),
    refuse,
    refuseRequest,
    /** Answers a connection on which no request came in time, and closes it. */
    timeOut: (socket: Duplex) => refuse(late, socket),
    refuseConnect: (socket: Duplex) => end(socket, finish(methodNotAllowed('CONNECT'), common)),
  };
}

const late: ParserError = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
