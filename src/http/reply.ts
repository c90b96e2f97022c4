/**
 * A finished answer: status, every header, body. The one place that puts headers on answers. Header objects of pages
 * are built once and shared, so nothing may change them.
 */
import type { Download, Headers, Refusal } from './answer.js';
import { type Coding, encode, MIN_CODED_BYTES } from './coding.js';
import { entityTag, fieldOf, type RequestFields, rangeHolds, type Validators } from './conditional.js';
import { byteRange, contentRange } from './range.js';

/** A body made while it is sent, and the coding to send it in. */
export interface Source {
  readonly coding: Coding;
  readonly chunks: () => Iterable<Uint8Array<ArrayBuffer>>;
}

export type Body = string | Uint8Array<ArrayBuffer> | Source | null;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After';

/** On every answer: no guessing of types, and reading from other origins as `--cors` allows. */
export function commonHeaders(corsOrigin: string | null): Headers {
  const nosniff = { 'X-Content-Type-Options': 'nosniff' };
  if (corsOrigin === null) return { ...nosniff, 'Cross-Origin-Resource-Policy': 'same-origin' };
  return {
    ...nosniff,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': corsOrigin,
    'Access-Control-Expose-Headers': EXPOSED,
  };
}

export function refusalReply({ status, type, body, headers }: Refusal, common: Headers): Reply {
  if (body === null) return { status, headers: { ...common, ...headers }, body };
  const length = String(Buffer.byteLength(body));
  return { status, headers: { ...common, ...headers, 'Content-Type': type, 'Content-Length': length }, body };
}

/** What a 200 and its 304 share (RFC 9110, section 15.4.5). */
export function validatorHeaders(validators: Validators, coding: Coding, common: Headers): Headers {
  const headers: Record<string, string> = {
    ...common,
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
    ETag: entityTag(validators.tag, coding),
  };
  if (validators.modifiedMs !== null) headers['Last-Modified'] = new Date(validators.modifiedMs).toUTCString();
  return headers;
}

export const notModified = (validators: Validators, coding: Coding, common: Headers): Reply => ({
  status: 304,
  headers: validatorHeaders(validators, coding, common),
  body: null,
});

/** A body that is held whole, coded if it is worth it. */
export function wholeReply(
  type: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Headers | undefined,
  shared: Headers,
  coding: Coding,
): Reply {
  const plain = coding === 'identity' || body.byteLength < MIN_CODED_BYTES;
  const sent = plain ? body : encode(coding, body);
  const complete: Record<string, string> = { ...shared, ...headers, 'Content-Type': type };
  if (!plain) complete['Content-Encoding'] = coding;
  complete['Content-Length'] = String(sent.byteLength);
  return { status: 200, headers: complete, body: sent };
}

/** A download, coded while it is sent; its length is told where it is known. */
export function downloadReply({ size, chunks }: Download, headers: Headers, coding: Coding): Reply {
  const complete: Record<string, string> = { ...headers };
  if (coding !== 'identity') complete['Content-Encoding'] = coding;
  else if (size !== null) {
    complete['Accept-Ranges'] = 'bytes';
    complete['Content-Length'] = String(size);
  }
  return { status: 200, headers: complete, body: { coding, chunks: () => chunks() } };
}

/**
 * The part of a download that a `Range` field asks for, or null where the whole is to be sent (RFC 9110, section
 * 14.2). Parts are of the uncoded bytes, whatever coding the client takes.
 */
export function partReply(
  { size, chunks }: Download,
  headers: Headers,
  fields: RequestFields,
  validators: Validators,
): Reply | 'unsatisfiable' | null {
  const field = fieldOf(fields, 'range');
  if (field === undefined || size === null || !rangeHolds(fieldOf(fields, 'if-range'), validators)) return null;
  const range = byteRange(field, size);
  if (range === null || range === 'unsatisfiable') return range;
  return {
    status: 206,
    headers: {
      ...headers,
      'Accept-Ranges': 'bytes',
      'Content-Range': contentRange(range, size),
      'Content-Length': String(range.to - range.from),
    },
    body: { coding: 'identity', chunks: () => chunks(range) },
  };
}
