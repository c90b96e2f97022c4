/**
 * From what a resource is to what is sent. A resource gives a `Representation`, which is made only if it has to be sent, or
 * a `PlainResponse`, such as an error. An `HttpResponse` has its status, every header and its body; this is the one place
 * that puts headers on responses, as the lines that are sent, so that adding some for one request costs a concatenation.
 */
import { validateHeaderValue } from 'node:http';
import { type ApiError, errorStatus } from '../errors.js';
import { type Coding, encode, MIN_CODED_BYTES } from './semantics/content-coding.js';
import { allowedOrigin, type CorsOrigin, variesByOrigin } from './semantics/cors.js';
import { entityTag, fieldOf, type RequestFields, rangeHolds, type Validators } from './semantics/preconditions.js';
import { type ByteRange, byteRange, contentRange } from './semantics/range.js';
import type { Stream } from './semantics/stream.js';
import type { NextTurn } from './semantics/turns.js';

export type Headers = Readonly<Record<string, string>>;
type Bytes = Uint8Array<ArrayBuffer>;

/** Something that is there. */
interface AnyRepresentation {
  readonly type: string;
  /** Tells apart what the dataset's version and the request do not. */
  readonly key?: string;
  /** Only the records decide what it is, so that it is as old as the snapshot's newest file. */
  readonly isOfSnapshot?: true;
  /** `no-cache` unless given. */
  readonly cacheControl?: string;
}

/** One that is held whole. Everything that costs more than a look-up is left to `render`. */
export interface Representation extends AnyRepresentation {
  readonly render: () => { readonly body: string | Bytes; readonly headers?: Headers };
}

/** One that is a download. What has to be known before its first byte is worked out in turns. */
export interface DownloadRepresentation extends AnyRepresentation {
  readonly headers: Headers;
  readonly open: (nextTurn: NextTurn) => Promise<Download>;
}

/** A file too large to be held: made bit by bit, as fast as the client reads. */
export interface Download {
  /** Bytes in all, where they are known without making them; a part can then be asked for. */
  readonly size: number | null;
  readonly chunks: (range?: ByteRange) => Iterable<Bytes>;
}

/** What is small and made at once: an error, a redirect, the answer to OPTIONS. */
export interface PlainResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string | null;
  readonly headers?: Headers;
}

export const NDJSON_TYPE = 'application/x-ndjson';
export const JSON_TYPE = 'application/json';

export const errorResponse = ({ code, message, details }: ApiError, headers: Headers = {}): PlainResponse => ({
  status: errorStatus[code],
  type: JSON_TYPE,
  body: JSON.stringify({ error: details === undefined ? { code, message } : { code, message, details } }),
  headers,
});

/** Another address, for this time: a browser would keep a permanent one for whatever listens on this port next. */
export const redirect = (location: string): PlainResponse => ({
  status: 307,
  type: '',
  body: null,
  headers: { Location: location },
});

/** `Name: value` and a line end for each header. */
export type HeaderLines = string;

export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  /** Null where there is none, or it is a stream. */
  readonly body: Bytes | null;
  readonly stream?: Stream;
}

/** Throws where a value has a line end in it, or another character that no header may have. */
function headerLine(name: string, value: string): HeaderLines {
  validateHeaderValue(name, value);
  return `${name}: ${value}\r\n`;
}

/** Names and values in turn. */
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
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After';

/** Who may embed an answer, where no script reads it: as `--cors` allows reading. */
export const resourcePolicy = (cors: CorsOrigin): string =>
  cors === null ? 'same-origin' : cors === 'local' ? 'same-site' : 'cross-origin';

/** What stands on every answer. */
export interface CommonHeaders {
  readonly lines: HeaderLines;
  /** What answers vary by besides what each says itself. */
  readonly vary: '' | 'Origin';
}

/** `local` allows an origin by request: its lines are added to the answer to that. */
export const commonHeaders = (cors: CorsOrigin): CommonHeaders => ({
  lines:
    linesOf({ 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': resourcePolicy(cors) }) +
    corsLines(allowedOrigin(cors, undefined)),
  vary: variesByOrigin(cors) ? 'Origin' : '',
});

/** That scripts of an origin may read the answer. */
export const corsLines = (origin: string | undefined): HeaderLines =>
  origin === undefined
    ? ''
    : linesOf({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED });

const varyText = (own: string | undefined, { vary }: CommonHeaders): string | undefined =>
  [own, vary].filter(Boolean).join(', ') || undefined;

export function finish({ status, type, body: text, headers }: PlainResponse, common: CommonHeaders): HttpResponse {
  const { Vary: own, ...others } = headers ?? {};
  const vary = varyText(own, common);
  const lines = common.lines + linesOf({ ...others, ...(vary !== undefined && { Vary: vary }) });
  // Without a length, what follows until the connection is closed would be the body; only 204 has none (RFC 9112, 6.3).
  if (text === null) return { status, headers: status === 204 ? lines : `${lines}Content-Length: 0\r\n`, body: null };
  const body = Buffer.from(text);
  return { status, headers: `${lines}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`, body };
}

/** What a 200 and its 304 share (RFC 9110, section 15.4.5). */
export function validatorLines(
  { tag, modified }: Validators,
  coding: Coding,
  common: CommonHeaders,
  cacheControl = 'no-cache',
): HeaderLines {
  const vary = varyText('Accept-Encoding', common);
  const tagged = `${common.lines}Cache-Control: ${cacheControl}\r\nVary: ${vary}\r\nETag: ${entityTag(tag, coding)}\r\n`;
  return modified === null ? tagged : `${tagged}Last-Modified: ${modified.text}\r\n`;
}

export const notModified = (
  validators: Validators,
  coding: Coding,
  common: CommonHeaders,
  cacheControl?: string,
): HttpResponse => ({
  status: 304,
  headers: validatorLines(validators, coding, common, cacheControl),
  body: null,
});

/** A download, coded while it is sent; its length is told where it is known. */
export function downloadResponse({ size, chunks }: Download, lines: HeaderLines, coding: Coding): HttpResponse {
  const plain = { status: 200, body: null, stream: { coding, chunks: () => chunks() } };
  if (coding !== 'identity') return { ...plain, headers: `${lines}Content-Encoding: ${coding}\r\n` };
  if (size === null) return { ...plain, headers: lines };
  return { ...plain, headers: `${lines}Accept-Ranges: bytes\r\nContent-Length: ${size}\r\n` };
}

/**
 * The part of a download that a `Range` field asks for, or null where the whole is to be sent (RFC 9110, section
 * 14.2). Parts are of the uncoded bytes, whatever coding the client takes.
 */
export function partResponse(
  { size, chunks }: Download,
  lines: HeaderLines,
  fields: RequestFields,
  validators: Validators,
): HttpResponse | 'unsatisfiable' | null {
  const field = fieldOf(fields, 'range');
  if (field === undefined || size === null || !rangeHolds(fieldOf(fields, 'if-range'), validators)) return null;
  const range = byteRange(field, size);
  if (range === null || range === 'unsatisfiable') return range;
  const part = linesOf({
    'Accept-Ranges': 'bytes',
    'Content-Range': contentRange(range, size),
    'Content-Length': String(range.to - range.from),
  });
  const stream: Stream = { coding: 'identity', chunks: () => chunks(range) };
  return { status: 206, headers: lines + part, body: null, stream };
}

/**
 * A representation in the codings that clients take, each made when it is first sent in that coding. To be told that
 * nothing has changed, none need be made at all.
 */
export class Variants {
  readonly validators: Validators;
  readonly cacheControl: string | undefined;
  /** Whether asking for it counts against the rate limit. */
  readonly isLimited: boolean;
  /** What has been made of it, in memory. */
  bytes = 0;
  readonly #representation: Representation;
  readonly #made: { [coding in Coding]?: HttpResponse } = {};

  constructor(representation: Representation, validators: Validators, isLimited: boolean) {
    this.#representation = representation;
    this.validators = validators;
    this.cacheControl = representation.cacheControl;
    this.isLimited = isLimited;
  }

  response(coding: Coding, common: CommonHeaders): HttpResponse {
    return this.#made[coding] ?? this.#make(coding, common);
  }

  #make(coding: Coding, common: CommonHeaders): HttpResponse {
    const { type, render } = this.#representation;
    const { body, headers } = render();
    const plain = typeof body === 'string' ? Buffer.from(body) : body;
    const isCoded = coding !== 'identity' && plain.length >= MIN_CODED_BYTES;
    const sent = isCoded ? encode(coding, plain) : plain;
    let lines = validatorLines(this.validators, coding, common, this.cacheControl) + linesOf(headers);
    lines += `Content-Type: ${type}\r\nContent-Length: ${sent.length}\r\n`;
    if (isCoded) lines += `Content-Encoding: ${coding}\r\n`;
    this.bytes += lines.length + sent.length;
    const response = { status: 200, headers: lines, body: sent };
    this.#made[coding] = response;
    return response;
  }
}
