/**
 * Turns a resource's result into the response that is sent. A resource gives a `Representation`, which is rendered only if
 * it is sent, or a `PlainResponse`, such as an error. An `HttpResponse` has status, all headers and body. Headers are
 * lines of text, so that adding some for one request costs a concatenation; no other module adds headers.
 */
import { validateHeaderValue } from 'node:http';
import { type ApiError, errorStatus } from '../errors.js';
import type { Answer } from '../query/engine.js';
import { type Coding, encode, MIN_CODED_BYTES } from './semantics/content-coding.js';
import { allowedOrigin, type CorsOrigin, variesByOrigin } from './semantics/host.js';
import { entityTag, headerField, type RequestFields, rangeHolds, type Validators } from './semantics/preconditions.js';
import { type ByteRange, byteRange } from './semantics/range.js';
import type { NextTurn, Stream } from './semantics/turns.js';

export type Headers = Readonly<Record<string, string>>;
type Bytes = Uint8Array<ArrayBuffer>;

/** The state of an existing resource, before its body is made: held whole, at once or later, or a download. */
export type Representation = {
  readonly type: string;
  /** A part of the entity tag, for state besides the dataset's version and the request. */
  readonly key?: string;
  /** It depends on the records only, so its `Last-Modified` is that of the snapshot's newest file. */
  readonly isOfSnapshot?: true;
  /** `no-cache` unless given. */
  readonly cacheControl?: string;
} & (
  | {
      /** Does all work that costs more than a look-up, and awaits what answers later. An error, if that is what it finds. */
      readonly render: () => Answer<Rendered | PlainResponse>;
    }
  | {
      readonly headers: Headers;
      /** Does the work before the first byte of a download, in turns. */
      readonly open: (nextTurn: NextTurn) => Answer<Download | PlainResponse>;
    }
);

export interface Rendered {
  readonly body: string | Bytes;
  readonly headers?: Headers;
}

/** A file too large to be held whole: its chunks are made as the client reads. */
export interface Download {
  /** Its total bytes, if known without making them; then a client may request a range. */
  readonly size: number | null;
  /** Lets go of what it holds, where no chunk is asked for. */
  readonly end?: () => Promise<void>;
  readonly chunks: (range?: ByteRange) => Iterable<Bytes> | AsyncIterable<Bytes>;
}

/** A small finished response: an error, a redirect, the response to OPTIONS. */
export interface PlainResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string | null;
  readonly headers?: Headers;
}

export const JSON_TYPE = 'application/json';

export const errorResponse = ({ code, message, details }: ApiError, headers: Headers = {}): PlainResponse => ({
  status: errorStatus[code],
  type: JSON_TYPE,
  body: JSON.stringify({
    error: {
      code,
      message,
      details: details?.map((fault) => ({ parameter: fault.parameter, message: fault.message })),
    },
  }),
  headers,
});

/**
 * A temporary redirect: a browser would remember a permanent one for the next program on this port. A 303 leads from what a
 * form has sent to the address that it means.
 */
export const redirect = (location: string, status: 303 | 307 = 307): PlainResponse => ({
  status,
  type: '',
  body: null,
  headers: { Location: location },
});

/** `Name: value` and a line end for each header. */
export type HeaderLines = string;

export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  /** Null where there is no body, or it is a stream. */
  readonly body: Bytes | null;
  readonly stream?: Stream;
}

/** Throws if a value has a line end, or another character that is not allowed in a header. */
function headerLine(name: string, value: string): HeaderLines {
  validateHeaderValue(name, value);
  return `${name}: ${value}\r\n`;
}

/** Names and values alternately: `[name, value, name, value]`. */
export const headerList = (lines: HeaderLines): string[] =>
  lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });

export function linesOf(headers: Headers | undefined): HeaderLines {
  let lines = '';
  for (const name in headers) lines += headerLine(name, headers[name] ?? '');
  return lines;
}

const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Total-Count';

/** The sites that may embed a response: those whose scripts may read it by `--cors`. */
const resourcePolicy = (cors: CorsOrigin): string =>
  cors === null ? 'same-origin' : cors === 'local' ? 'same-site' : 'cross-origin';

/** The headers of every response. */
export interface CommonHeaders {
  readonly lines: HeaderLines;
  /** An addition to the `Vary` of every response. */
  readonly vary: '' | 'Origin';
}

/** With `--cors local` the allowed origin depends on the request, so its lines are added to each response. */
export const commonHeaders = (cors: CorsOrigin): CommonHeaders => ({
  lines:
    linesOf({ 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': resourcePolicy(cors) }) +
    corsLines(allowedOrigin(cors, undefined)),
  vary: variesByOrigin(cors) ? 'Origin' : '',
});

/** The lines that allow scripts of an origin to read the response; empty without one. */
export const corsLines = (origin: string | undefined): HeaderLines =>
  origin === undefined
    ? ''
    : linesOf({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED });

export function finish({ status, type, body: text, headers }: PlainResponse, common: CommonHeaders): HttpResponse {
  const { Vary: ownVary, ...otherHeaders } = headers ?? {};
  const vary = [ownVary, common.vary].filter(Boolean).join(', ');
  const lines = common.lines + linesOf({ ...otherHeaders, ...(vary !== '' && { Vary: vary }) });
  // Without a length, the body would reach to the end of the connection; only a 204 needs none (RFC 9112, section 6.3).
  if (text === null) return { status, headers: status === 204 ? lines : `${lines}Content-Length: 0\r\n`, body: null };
  const body = Buffer.from(text);
  return { status, headers: `${lines}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`, body };
}

/** The metadata of a representation (RFC 9110, section 3.2), known before its body is made. */
export interface Metadata extends Validators {
  readonly cacheControl: string;
}

/** The header lines that a 200 and its 304 share (RFC 9110, section 15.4.5). */
export function metadataLines(
  { tag, modified, cacheControl }: Metadata,
  coding: Coding,
  common: CommonHeaders,
): HeaderLines {
  const vary = common.vary === '' ? 'Accept-Encoding' : `Accept-Encoding, ${common.vary}`;
  const lines = `${common.lines}Cache-Control: ${cacheControl}\r\nVary: ${vary}\r\nETag: ${entityTag(tag, coding)}\r\n`;
  return modified === null ? lines : `${lines}Last-Modified: ${modified.text}\r\n`;
}

/** The 200 of a download, compressed while it is sent. Only an uncompressed one has a length and takes ranges. */
export function downloadResponse({ size, chunks }: Download, lines: HeaderLines, coding: Coding): HttpResponse {
  const ownLines =
    coding !== 'identity'
      ? `Content-Encoding: ${coding}\r\n`
      : size === null
        ? ''
        : `Accept-Ranges: bytes\r\nContent-Length: ${size}\r\n`;
  return { status: 200, headers: lines + ownLines, body: null, stream: { coding, chunks: () => chunks() } };
}

/**
 * The 206 to a `Range` field, or null where the whole download is sent (RFC 9110, section 14.2). Ranges are of the uncoded
 * bytes, whatever coding the client accepts.
 */
export function partResponse(
  { size, chunks }: Download,
  lines: HeaderLines,
  fields: RequestFields,
  validators: Validators,
): HttpResponse | 'unsatisfiable' | null {
  const field = headerField(fields, 'range');
  if (field === undefined || size === null || !rangeHolds(headerField(fields, 'if-range'), validators)) return null;
  const range = byteRange(field, size);
  if (range === null || range === 'unsatisfiable') return range;
  const part = linesOf({
    'Accept-Ranges': 'bytes',
    'Content-Range': `bytes ${range.from}-${range.to - 1}/${size}`,
    'Content-Length': String(range.to - range.from),
  });
  const stream: Stream = { coding: 'identity', chunks: () => chunks(range) };
  return { status: 206, headers: lines + part, body: null, stream };
}

/** A body in several codings, each made when it is first sent. A 304 needs none of them. */
export class Variants {
  readonly metadata: Metadata;
  /** Bytes of the body, and of all responses that were made of it. */
  bytes: number;
  readonly #type: string;
  readonly #body: Bytes;
  readonly #headers: Headers | undefined;
  readonly #responses: { [coding in Coding]?: HttpResponse } = {};

  constructor(type: string, { body, headers }: Rendered, metadata: Metadata) {
    this.#type = type;
    this.#body = typeof body === 'string' ? Buffer.from(body) : body;
    this.#headers = headers;
    this.metadata = metadata;
    this.bytes = this.#body.length;
  }

  response(coding: Coding, common: CommonHeaders): HttpResponse {
    return this.#responses[coding] ?? this.#makeResponse(coding, common);
  }

  #makeResponse(coding: Coding, common: CommonHeaders): HttpResponse {
    const uncoded = this.#body;
    const isCoded = coding !== 'identity' && uncoded.length >= MIN_CODED_BYTES;
    const encoded = isCoded ? encode(coding, uncoded) : uncoded;
    let lines = metadataLines(this.metadata, coding, common) + linesOf(this.#headers);
    lines += `Content-Type: ${this.#type}\r\nContent-Length: ${encoded.length}\r\n`;
    if (isCoded) lines += `Content-Encoding: ${coding}\r\n`;
    this.bytes += lines.length + (isCoded ? encoded.length : 0);
    const response = { status: 200, headers: lines, body: encoded };
    this.#responses[coding] = response;
    return response;
  }
}
